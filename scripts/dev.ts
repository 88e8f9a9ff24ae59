import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer } from 'vite'
import { readConfig } from '../packages/server/src/config.ts'
import { defaultDataDir, startEmbedded } from '../packages/server/src/db/embedded.ts'

const project = path.resolve(import.meta.dirname, '..')
const config = readConfig()
const address = `http://${config.host}:${config.port}`
const apiPort = config.port + 1
const api = `http://${config.host}:${apiPort}`

// The database runs here, so that it need not restart when the server reloads.
const database = config.databaseUrl
  ? undefined
  : await startEmbedded({ home: config.dataDir ?? defaultDataDir(project), project, report: console.error })

const server: ChildProcess = spawn(process.execPath, ['--watch', 'packages/server/src/main.ts'], {
  cwd: project,
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, PORT: String(apiPort), PUBLIC_URL: config.publicUrl ?? address },
  detached: true, // Ctrl+C then only reaches this process, which ends the others in the right order
})

process.env['BACKSTOCK_API'] = api // read by packages/web/vite.config.ts
const screens = await createServer({
  root: path.join(project, 'packages/web'),
  server: { host: config.host, port: config.port, strictPort: true },
  logLevel: 'warn',
})

async function stop(code: number): Promise<never> {
  await screens.close()
  if (server.exitCode === null && server.signalCode === null) {
    const gone = once(server, 'exit')
    server.kill('SIGTERM')
    await gone
  }
  await database?.stop()
  process.exit(code)
}

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (stopping) return
    stopping = true
    void stop(0)
  })

try {
  await screens.listen()
} catch (error) {
  console.error((error as Error).message)
  await stop(1)
}
const isUp = () =>
  fetch(`${api}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  )
while (!stopping && !(await isUp())) await sleep(200)
if (!stopping) console.log(`\nOpen ${address} (server and screens reload by themselves; stop with Ctrl+C)\n`)
