import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '../packages/server/src/db/embedded.ts'
import { MigrationError, migrate, readMigrations } from '../packages/server/src/db/migrate.ts'
import { fill, stepsOf } from './data.ts'
import type { Size } from './size.ts'

export const project = path.resolve(import.meta.dirname, '..')
/** The folder that keeps generated data from one run to the next. */
const HOME = path.resolve(process.env['BENCH_DIR'] || path.join(os.tmpdir(), 'backstock-bench'))
/** The database with the generated data. Each run works on a copy of it. It gets this name when it is complete. */
const MADE = 'made'
const MAKING = 'making'
const RUN = /^run_(\d+)_/

/** A database for this run alone, on a PostgreSQL that all runs of the same size share. */
export type RunDatabase = {
  connection: pg.ClientConfig
  /** The connection as an address, for the server's DATABASE_URL. */
  url: string
  /** The path of PostgreSQL's own log. */
  logFile: string
  drop(): Promise<void>
}

/**
 * Opens a copy of the data of this size. If the data do not exist, it generates them first. `settings` are for the copy
 * only.
 */
export async function openData(
  size: Size,
  say: (line: string) => void,
  settings: Record<string, string> = {},
): Promise<RunDatabase> {
  const home = path.join(HOME, `${size.rows}-${version(size)}`)
  removeOlder(size, home)
  const cluster = await startEmbedded({ home, project, settings: clusterSettings() })
  const { host, port, user } = cluster
  const to: To = (database) => ({ host, port, user, ssl: false, database })
  const control = new pg.Client(to('postgres'))
  await control.connect()
  const name = `run_${process.pid}_${Date.now()}`
  try {
    // Only one run at a time may generate or copy the data, because nobody may be connected to a database while it is
    // copied.
    await control.query('select pg_advisory_lock(1)')
    await make(control, to, size, say)
    await dropAbandoned(control)
    await control.query(`create database ${name} template ${MADE} strategy file_copy`)
    for (const [setting, value] of Object.entries(settings))
      await control.query(`alter database ${name} set ${setting} = '${value}'`)
    await control.query('select pg_advisory_unlock(1)')
  } catch (error) {
    await control.end()
    await cluster.stop()
    throw error
  }
  return {
    connection: to(name),
    url: `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(String(host))}`,
    logFile: path.join(home, 'postgres.log'),
    async drop() {
      await control.query(`drop database if exists ${name} with (force)`)
      await control.end()
      await cluster.stop()
    },
  }
}

/** A hash of the statements that fill the tables. If they change, the data are generated again. */
function version(size: Size): string {
  const hash = createHash('sha256')
  for (const step of stepsOf(size, '')) hash.update(step)
  return hash.digest('hex').slice(0, 12)
}

/**
 * Settings of PostgreSQL. `shared_buffers` is a quarter of the memory, the manual's first advice. Server and limits
 * never wait for the disk, because that would hide the cost of the code. No checkpoint happens during a measurement.
 */
function clusterSettings(): Record<string, string> {
  const quarter = Math.min(2048, Math.floor(os.totalmem() / 4 / 2 ** 20))
  return {
    fsync: 'off',
    shared_buffers: `${quarter}MB`,
    effective_cache_size: `${2 * quarter}MB`,
    max_wal_size: '8GB',
    checkpoint_timeout: '1h',
    max_connections: '200',
    log_line_prefix: '%d ',
  }
}

type To = (database: string) => pg.ClientConfig

/** Generates the data if they are missing. Otherwise migrates them to this version, as a shop's database is. */
async function make(control: pg.Client, to: To, size: Size, say: (line: string) => void): Promise<void> {
  const { rowCount } = await control.query('select from pg_database where datname = $1', [MADE])
  if (rowCount === 1) {
    if (await isCurrent(to(MADE))) return
    say('Migrating the data')
    await control.query(`alter database ${MADE} rename to ${MAKING}`)
    if (await migrateData(to(MAKING))) return finish(control)
  }
  const started = performance.now()
  say(`Making the data: ${size.rows.toLocaleString('en')} items (kept for the next run)`)
  await control.query(`drop database if exists ${MAKING} with (force)`)
  await control.query(`create database ${MAKING}`)
  await migrate(to(MAKING))
  await using(to(MAKING), (client) => fill(client, size))
  await finish(control)
  say(`Made in ${Math.round((performance.now() - started) / 1000)} s`)
}

async function finish(control: pg.Client): Promise<void> {
  await control.query(`alter database ${MAKING} rename to ${MADE}`)
  await control.query('checkpoint')
}

async function isCurrent(connection: pg.ClientConfig): Promise<boolean> {
  const { rows } = await using(connection, (client) => client.query('select name, sha256 from migration order by name'))
  return isDeepStrictEqual(
    rows,
    (await readMigrations()).map(({ name, sha256 }) => ({ name, sha256 })),
  )
}

/** Migrates the data. Returns false if one of the migrations that the data already have was changed afterwards. */
async function migrateData(connection: pg.ClientConfig): Promise<boolean> {
  try {
    await migrate(connection)
  } catch (error) {
    if (error instanceof MigrationError) return false
    throw error
  }
  await using(connection, (client) => client.query('vacuum (analyze)'))
  return true
}

async function using<Result>(
  connection: pg.ClientConfig,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(connection)
  await client.connect()
  return work(client).finally(() => client.end())
}

/** Drops the databases that killed runs have left. */
async function dropAbandoned(control: pg.Client): Promise<void> {
  const { rows } = await control.query<{ datname: string }>('select datname from pg_database')
  for (const { datname } of rows) {
    const pid = Number(RUN.exec(datname)?.[1])
    if (pid && !isAlive(pid)) await control.query(`drop database if exists ${datname} with (force)`)
  }
}

/** Removes data of the same size that were generated by other statements, unless a run still uses them. */
function removeOlder(size: Size, home: string): void {
  if (!fs.existsSync(HOME)) return
  for (const name of fs.readdirSync(HOME)) {
    const folder = path.join(HOME, name)
    if (!name.startsWith(`${size.rows}-`) || folder === home || fs.existsSync(`${folder}/pg18/postmaster.pid`)) continue
    fs.rmSync(folder, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
