import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// Runs deploy/nightly-backup.sh with faked nights and backups. It needs GNU date, which its container has.
const project = path.resolve(import.meta.dirname, '..')

let room: string
let running: ChildProcess | undefined
beforeEach(() => {
  room = mkdtempSync(path.join(os.tmpdir(), 'backstock-nights-'))
  program('sleep', 'echo $$ "$@" >> slept; exec /bin/sleep $([ -e quick ] && echo 0.02 || echo 1000)')
  program('node', 'echo made >> made; [ ! -e broken ]')
})
afterEach(() => {
  try {
    // Kills the script and its child processes.
    process.kill(-running!.pid!, 'SIGKILL')
  } catch {
    // The script has already ended.
  }
  running = undefined
  rmSync(room, { recursive: true, maxRetries: 5 })
})

const inRoom = (name: string) => path.join(room, name)
const has = (name: string) => existsSync(inRoom(name))
const come = (what: () => void) => vi.waitFor(what, { timeout: 60_000, interval: 20 })
function program(name: string, line: string): void {
  writeFileSync(inRoom(name), `#!/usr/bin/env bash\ncd ${room}\n${line}\n`)
  chmodSync(inRoom(name), 0o755)
}

function nights(hour: string, more: NodeJS.ProcessEnv = {}) {
  const env = {
    ...process.env,
    ...more,
    PATH: `${room}:${process.env['PATH']}`,
    BACKUP_HOUR: hour,
    BACKUP_FOLDER: room,
    NO_BACKUP: inRoom('no-backup'),
  }
  running = spawn('bash', [path.join(project, 'deploy/nightly-backup.sh')], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })
  const heard = { said: '' }
  running.stderr!.on('data', (text) => {
    heard.said += text
  })
  return heard
}

test.skipIf(process.platform !== 'linux')('a backup that fails is known until one is made', async () => {
  writeFileSync(inRoom('quick'), '')
  writeFileSync(inRoom('broken'), '')
  const heard = nights('8')
  await come(() => expect(has('no-backup')).toBe(true))
  rmSync(inRoom('broken'))
  await come(() => expect(has('no-backup')).toBe(false))
  expect(heard.said).toContain('The backup failed')
  // The script slept until the hour of the backup first. After the failure it slept an hour and tried again.
  const [first, second] = readFileSync(inRoom('slept'), 'utf8').split('\n')
  expect(Number(first!.split(' ')[1])).toBeGreaterThan(0)
  expect(second).toMatch(/ 3600$/)
})

test.skipIf(process.platform !== 'linux')('it ends when it is told to, with what it waits for', async () => {
  nights('2')
  await come(() => expect(has('slept')).toBe(true))
  const waiting = Number(readFileSync(inRoom('slept'), 'utf8').split(' ')[0])
  running!.kill('SIGTERM')
  // The script must end by itself: it is the first process of its container, and such a process ignores signals by
  // default.
  expect(await once(running!, 'exit')).toEqual([0, null])
  expect(() => process.kill(waiting, 0)).toThrow('ESRCH')
  expect(has('made')).toBe(false)
})

test.skipIf(process.platform !== 'linux')('it also ends if it is told to at the very start of a wait', async () => {
  // Bash reads this file before the script. Before each command it looks whether the script has a child process.
  writeFileSync(inRoom('early'), `set -T\ntrap '[ -n "$(jobs -p)" ] && trap - DEBUG && kill -TERM $$' DEBUG\n`)
  nights('2', { BASH_ENV: inRoom('early') })
  expect(await once(running!, 'exit')).toEqual([0, null])
})

test.skipIf(process.platform !== 'linux')('an hour that is none is said once', async () => {
  for (const hour of ['24', '2:30', 'two']) {
    rmSync(inRoom('no-backup'), { force: true })
    const heard = nights(hour)
    const line = `BACKUP_HOUR is '${hour}', not an hour from 0 to 23: no backups are made.\n`
    await come(() => expect([heard.said, has('no-backup')]).toEqual([line, true]))
    running!.kill('SIGTERM')
    expect(await once(running!, 'exit')).toEqual([0, null])
  }
  expect(has('made')).toBe(false)
})
