import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import type pg from 'pg'

const script = path.join(import.meta.dirname, '../../packages/server/src/testing/worker-process.ts')

export type WorkerProcess = { name: string; kill(): Promise<void> }

/** Starts a process that runs the jobs of a database. Its connections have `name` as their application_name. */
export function startWorkerProcess(
  { host, port, user, database }: pg.ClientConfig,
  name: string,
  environment: Record<string, string> = {},
): WorkerProcess {
  const child = spawn(process.execPath, [script], {
    env: {
      ...process.env,
      DATABASE_URL: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host!)}&application_name=${name}`,
      LOG_LEVEL: 'fatal',
      ...environment,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return { name, kill: () => kill(child) }
}

function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGKILL')
  return ended
}
