import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ADMIN } from '../../packages/server/src/testing/sample-admin.ts'

export const project = path.resolve(import.meta.dirname, '../..')
export { ADMIN }

export type RunningServer = {
  address: string
  pid: number
  dataDir: string
  /** Everything that it has written to stdout and stderr. */
  output(): string
  /** Like a power cut for this process: nothing is closed, and its database goes on. */
  kill(): Promise<void>
  /** Like Ctrl+C: everything is closed. */
  stop(): Promise<void>
  /** Resolves with the exit code of the process, or null if it was killed. */
  ended: Promise<number | null>
}

/** Makes a folder for a server's data outside of the project. */
export function newDataDir(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'backstock-journey-'))
  chmodSync(folder, 0o755) // if this runs as root, PostgreSQL runs as another user, who must be able to open the folder
  return folder
}

/** Starts a server on a folder as `npm start` does, on a free port. */
export async function startServer(
  dataDir: string,
  environment: Record<string, string> = {},
  folder = project,
): Promise<RunningServer> {
  const child = spawn(path.join(project, 'node_modules/.bin/node'), ['packages/server/src/main.ts'], {
    cwd: folder,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ADMIN_EMAIL: ADMIN.email,
      ADMIN_PASSWORD: ADMIN.password,
      SAMPLE_DATA: '0',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)))
  const address = await new Promise<string>((resolve, reject) => {
    const hear = (data: Buffer) => {
      output += data
      const ready = /Backstock is ready at (\S+)/.exec(output)
      if (ready) resolve(ready[1]!)
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('exit', () => reject(new Error(`The server ended before it was ready:\n${output}`)))
  })
  return {
    address,
    pid: child.pid!,
    ended,
    dataDir,
    output: () => output,
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
  }
}

function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  return ended
}

export function removeDataDir(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}
