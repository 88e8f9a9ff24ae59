import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { project } from './running-server.ts'

/** The messages to the serving process, and its answers. */
export type Asked = { serve: NodeJS.ProcessEnv } | { stop: true }
export type Said = { address: string } | { stopped: boolean } | { problem: string }

type KeptServer = { address: string; stop: () => Promise<void> }

/**
 * The serving process. It is kept for all files, because loading and compiling the server takes half the time of a
 * short journey.
 */
let kept: ChildProcess | undefined

async function ask(asked: Asked): Promise<Said> {
  if (!kept?.connected) {
    kept = fork(path.join(import.meta.dirname, 'serving.ts'), {
      cwd: project,
      execPath: path.join(project, 'node_modules/.bin/node'),
      execArgv: [],
    })
    // The process ends when its parent ends, although the parent does not wait for it.
    kept.unref()
    kept.channel?.unref()
  }
  const server = kept
  const answered = new AbortController()
  const { signal } = answered
  const ended = once(server, 'exit', { signal }).then((): Said => ({ problem: 'it ended' }))
  const said = once(server, 'message', { signal }).then(([said]): Said => said)
  server.channel?.ref()
  server.send(asked)
  try {
    return await Promise.race([said, ended])
  } finally {
    server.channel?.unref()
    answered.abort()
    await Promise.allSettled([said, ended])
  }
}

/**
 * Starts a server as `npm start` does, in a process that later serves the next server. Only one server runs at a time.
 */
export async function serveKept(environment: Record<string, string>): Promise<KeptServer> {
  const said = await ask({
    serve: { ...process.env, HOST: '127.0.0.1', SAMPLE_DATA: '0', LOG_LEVEL: 'warn', ...environment },
  })
  if (!('address' in said)) throw new Error(`The server did not start: ${JSON.stringify(said)}`)
  return {
    address: said.address,
    stop: async () => {
      const said = await ask({ stop: true })
      if (!('stopped' in said && said.stopped)) throw new Error(`The server did not stop well: ${JSON.stringify(said)}`)
    },
  }
}
