import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { blocksOf, printedSteps } from './failover/steps.ts'

// The commands of docs/operations.md as somebody pastes them, with faked programs. `npm run test:failover` runs them
// for real.
const page = path.resolve(import.meta.dirname, '../docs/operations.md')

let room: string
beforeEach(() => {
  room = mkdtempSync(path.join(os.tmpdir(), 'backstock-steps-'))
})
afterEach(() => rmSync(room, { recursive: true }))

/** Makes a program in the test's folder, which comes first in PATH. */
function program(name: string, lines: string): void {
  writeFileSync(path.join(room, name), `#!/bin/bash\n${lines}\n`)
  chmodSync(path.join(room, name), 0o755)
}

function paste(block: string, environment: NodeJS.ProcessEnv = {}) {
  const env = { ...process.env, PATH: `${room}:${process.env['PATH']}`, ...environment }
  return spawnSync('bash', ['-c', block], { cwd: room, env, encoding: 'utf8' })
}

test('a block that is pasted stops at the first command that fails', () => {
  const called = path.join(room, 'called')
  program('sleep', '')
  program(
    'docker',
    `asked=$*; echo "\${asked//[[:space:]]/ }" >> called
    case "$*" in *' ps --quiet '*) printf 'one\\ntwo\\nthree\\n' ;; esac
    mapfile -t calls < called
    [ "\${#calls[@]}" -ne "$FAILS" ]`,
  )
  /** Runs a block of commands. Call number `fails` of docker fails. Returns the calls. */
  const calls = (block: string, fails: number) => {
    for (const [name, text] of [
      ['called', ''],
      ['.env', ''],
      ['tonight.bsb', 'a backup'],
    ] as const)
      writeFileSync(path.join(room, name), text)
    const { status } = paste(block, { FAILS: String(fails) })
    return { status, asked: readFileSync(called, 'utf8').split('\n').filter(Boolean) }
  }
  const blocks = blocksOf(readFileSync(page, 'utf8')).filter((block) => block.includes('docker '))
  expect(blocks.length).toBeGreaterThan(15)
  const [upgrade] = printedSteps(page, 'A new version of Backstock')
  expect(calls(upgrade!, 0).asked.filter((call) => call.startsWith('rm '))).toEqual(['rm one', 'rm two', 'rm three'])
  for (const block of blocks) {
    const { status, asked } = calls(block, 0)
    expect([block, status]).toEqual([block, 0])
    for (let n = 1; n <= asked.length; n++) {
      const broken = calls(block, n)
      expect(broken.asked, `${block} goes on after ${asked[n - 1]}`).toEqual(asked.slice(0, n))
      expect(broken.status, block).not.toBe(0)
    }
  }
})

test('the settings are made once, and are nobody else’s to read', () => {
  const [settings] = printedSteps(page, 'With containers')
  expect(paste(settings!).status).toBe(0)
  const file = path.join(room, '.env')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const first = readFileSync(file, 'utf8')
  const passwords = first.match(/(?<=_PASSWORD=)[0-9a-f]{32}$/gm)
  expect(new Set(passwords).size).toBe(6)
  expect(paste(settings!).status).not.toBe(0)
  expect(readFileSync(file, 'utf8')).toBe(first)

  // A file with settings for earlier containers: the new passwords are added, and the old ones stay.
  writeFileSync(file, 'POSTGRES_PASSWORD=old\nREPLICATION_PASSWORD=old\n')
  chmodSync(file, 0o644)
  const [, additions] = printedSteps(page, 'From the containers of before')
  expect(paste(additions!).status).toBe(0)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const names = (text: string) => text.match(/^\w+_PASSWORD(?==[^'])/gm)!.toSorted()
  expect(names(readFileSync(file, 'utf8'))).toEqual(names(first))
})
