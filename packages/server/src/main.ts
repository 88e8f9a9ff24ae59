import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type pg from 'pg'
import { buildApp } from './app.ts'
import { firstAdministrator } from './areas/first-start.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { connect } from './db/connect.ts'
import { defaultDataDir, EmbeddedError, startEmbedded } from './db/embedded.ts'
import { migrate } from './db/migrate.ts'

const project = path.resolve(import.meta.dirname, '../../..')
const say = (line: string) => process.stdout.write(`${line}\n`)

/** The database to use: the one at DATABASE_URL, else an embedded one that starts and stops with this process. */
async function openDatabase(
  config: Config,
  dataDir: string,
): Promise<{ connection: pg.ClientConfig; stop(): Promise<void> }> {
  if (config.databaseUrl) return { connection: { connectionString: config.databaseUrl }, stop: async () => undefined }
  const { stop, host, port, ssl, user, database } = await startEmbedded({ home: dataDir, project })
  return { connection: { host, port, ssl, user, database }, stop }
}

async function start(): Promise<void> {
  const config = readConfig()
  const dataDir = config.dataDir ?? defaultDataDir(project)
  const { connection, stop } = await openDatabase(config, dataDir)
  try {
    await serve(config, dataDir, connection, stop)
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}

async function serve(
  config: Config,
  dataDir: string,
  connection: pg.ClientConfig,
  stopDatabase: () => Promise<void>,
): Promise<void> {
  await migrate(connection)
  const db = connect(connection)
  const login = await firstAdministrator(db, config)
  const app = await buildApp(config, db)
  await app.listen({ port: config.port, host: config.host })

  const { port } = app.server.address() as AddressInfo
  say(
    `Backstock is ready at ${config.publicUrl ?? `http://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`}`,
  )
  say(config.databaseUrl ? 'Data: the database at DATABASE_URL' : `Data: ${dataDir}`)
  if (login) say(`Log in as ${login.email} with the password ${login.password}`)
  say('Stop with Ctrl+C')

  let stopping = false
  const shutDown = async () => {
    if (stopping) return
    stopping = true
    await app.close()
    await db.close()
    await stopDatabase()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void shutDown())
}

start().catch((error: unknown) => {
  const known =
    error instanceof ConfigError || error instanceof EmbeddedError || (error as { code?: string }).code !== undefined
  process.stderr.write(
    known
      ? `Backstock cannot start: ${(error as Error).message}\n`
      : `Backstock cannot start: ${(error as Error).stack}\n`,
  )
  process.exit(1)
})
