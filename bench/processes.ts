import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type pg from 'pg'
import { PASSWORD } from './data.ts'
import { project } from './database.ts'
import type { Session } from './load-client.ts'

export type Process = { target: string; pid: number; stop(): Promise<void> }

/** Starts the real server as `npm start` does. Resolves when it answers. */
export async function startServer(environment: Record<string, string>): Promise<Process> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'backstock-bench-server-'))
  const child = spawn(process.execPath, ['--max-semi-space-size=8', 'packages/server/src/main.ts'], {
    cwd: project,
    env: {
      ...process.env,
      ...{
        NODE_ENV: 'production',
        PORT: '0',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'error',
        SAMPLE_DATA: '0',
        DATA_DIR: dataDir,
      },
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const target = await new Promise<string>((resolve, reject) => {
    const hear = (data: Buffer) => {
      output += data
      const ready = /Backstock is ready at (\S+)/.exec(output)
      if (ready) resolve(ready[1]!)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', (data: Buffer) => {
      hear(data)
      process.stderr.write(data)
    })
    child.once('exit', () => reject(new Error(`The server ended before it was ready:\n${output}`)))
  })
  const stop = async () => {
    await end(child)
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { target, pid: child.pid!, stop }
}

/** Starts the process that answers for the limits. */
export async function startLimits(connection: pg.ClientConfig): Promise<Process> {
  const child = fork(path.join(import.meta.dirname, 'limits.ts'), {
    env: { ...process.env, NODE_ENV: 'production', BENCH_CONNECTION: JSON.stringify(connection) },
  })
  const [port] = (await once(child, 'message')) as [number]
  return { target: `http://127.0.0.1:${port}`, pid: child.pid!, stop: () => end(child) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** Logs one of the generated users in, in the way the screens do. */
export async function logIn(target: string, user: number): Promise<Session> {
  const cookies = new Map<string, string>()
  const send = async (address: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, 'x-xsrf-token': cookies.get('XSRF-TOKEN') ?? '', 'content-type': 'application/json' }
    const response = await fetch(`${target}${address}`, { ...init, headers })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      cookies.set(name!, value!)
    }
    return response
  }
  await send('/api/auth')
  const body = JSON.stringify({ username: `user${user}@backstock.test`, password: PASSWORD })
  const answer = await send('/api/login', { method: 'POST', body })
  if (!answer.ok) throw new Error(`User ${user} cannot log in: ${await answer.text()}`)
  return {
    cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    csrf: cookies.get('XSRF-TOKEN')!,
    userId: user,
  }
}
