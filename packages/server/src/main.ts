import type { AddressInfo } from 'node:net'
import { buildApp } from './app.ts'
import { firstAdministrator } from './areas/first-start.ts'
import { importJobs } from './areas/import/jobs.ts'
import { saleJobs } from './areas/sale/jobs.ts'
import { loadSample } from './areas/sample/load-sample.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { type Connection, connect } from './db/connect.ts'
import { EmbeddedError } from './db/embedded.ts'
import { MigrationError, migrate } from './db/migrate.ts'
import type { JobServices } from './jobs.ts'
import { dataDirOf, openDatabase } from './open-database.ts'
import { tidyJobs } from './worker/tidy.ts'
import { startWorker } from './worker.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function start(): Promise<void> {
  const config = readConfig()
  const dataDir = dataDirOf(config)
  const { connection, stop } = await openDatabase(config, say)
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
  connection: Connection,
  stopDatabase: () => Promise<void>,
): Promise<void> {
  await naming(config.databaseUrl ? 'DATABASE_URL' : undefined, migrate(connection))
  const db = connect(connection)
  const login = await firstAdministrator(db, config)
  if (login) say(`Log in as ${login.email} with the password ${login.password}`)
  if (await loadSample(db, config)) say('Loaded the sample data')
  const app = await buildApp(config, db)
  // Before the worker: where the port is taken, no job is begun and broken off.
  await naming('HOST', app.listen({ port: config.port, host: config.host }))
  const services: JobServices = { db, config, dataDir, log: app.log }
  const worker = await startWorker(
    services,
    { ...importJobs(services), ...saleJobs(services), ...tidyJobs(services) },
    connection,
  )

  const { port } = app.server.address() as AddressInfo
  say(
    `Backstock is ready at ${config.publicUrl ?? `http://${config.host === '0.0.0.0' ? 'localhost' : config.host}:${port}`}`,
  )
  say(config.databaseUrl ? 'Data: the database at DATABASE_URL' : `Data: ${dataDir}`)
  say('Stop with Ctrl+C')

  let stopping = false
  const shutDown = async () => {
    if (stopping) return
    stopping = true
    await Promise.all([app.close(), worker.stop()])
    await db.close()
    await stopDatabase()
    process.exit(0)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void shutDown())
}

const unreachable = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ETIMEDOUT', '28P01', '3D000'])

/** Says which variable of the environment leads nowhere, where the work fails for that. */
async function naming<Result>(variable: string | undefined, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (variable && error instanceof Error && 'code' in error && unreachable.has(String(error.code)))
      throw new ConfigError(`${variable} leads nowhere: ${error.message}`)
    throw error
  }
}

/** One line for what a person can mend, the whole story for a fault of ours. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: string }
  if (code === 'EADDRINUSE') return 'another program listens on this PORT already. Set PORT to another number.'
  if (code === 'EACCES') return 'this PORT needs more rights. Set PORT to a number above 1023.'
  const kinds = [ConfigError, EmbeddedError, MigrationError]
  return code !== undefined || kinds.some((kind) => error instanceof kind) ? error.message : String(error.stack)
}

start().catch((error: unknown) => {
  process.stderr.write(`Backstock cannot start: ${explain(error)}\n`)
  process.exit(1)
})
