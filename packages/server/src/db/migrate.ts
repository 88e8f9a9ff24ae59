import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { runMigrations } from 'graphile-worker'
import pg from 'pg'
import { single } from '../lists.ts'

const folder = path.join(import.meta.dirname, '../../migrations')
/**
 * The key of the lock by which only one instance at a time migrates. The number is arbitrary, but must be the same in
 * all instances.
 */
export const MIGRATION_LOCK = 7_265_001

/** The oldest version of PostgreSQL that can change the expression of a generated column, as migrations do. */
const OLDEST_SERVER = 17

/** The error if the database does not fit this version of Backstock. Its message is one sentence. */
export class MigrationError extends Error {}

export type Migration = { name: string; sha256: string; text: string }

/** The names of all migrations of this version, in order. */
async function migrationNames(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => /^\d{4}_.+\.sql$/.test(name)).sort()
}

/** All migrations of this version, in order, with the checksums that a database stores for them. */
export async function readMigrations(): Promise<Migration[]> {
  return Promise.all(
    (await migrationNames()).map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8')
      return { name, sha256: createHash('sha256').update(text).digest('hex'), text }
    }),
  )
}

/**
 * Brings the database to this version, or, if `migrations` is given, to exactly those, which must be the first ones.
 * Migrations are the numbered SQL files of `migrations/`; each runs in a transaction of its own. Then the tables of the
 * job queue follow. Several instances may start at once. Throws if PostgreSQL is too old, if an applied file has been
 * edited since, or if the database is newer.
 */
export async function migrate(connection: pg.ClientConfig, migrations?: Migration[]): Promise<void> {
  const wanted = migrations ?? (await readMigrations())
  const client = new pg.Client(connection)
  // The next query reports a lost connection. Without a listener, it would end this process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await refuseOldServer(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(
      'create table if not exists migration (name text primary key, sha256 text not null, applied_at timestamptz(3) not null default now())',
    )
    const applied = new Map(
      (await client.query<{ name: string; sha256: string }>('select name, sha256 from migration')).rows.map((row) => [
        row.name,
        row.sha256,
      ]),
    )
    for (const name of applied.keys())
      if (!wanted.some((migration) => migration.name === name))
        throw new MigrationError(`The database is newer than this version of Backstock: it has ${name}.`)
    for (const { name, sha256, text } of wanted) {
      const before = applied.get(name)
      if (before === sha256) continue
      if (before) throw new MigrationError(`Migration ${name} was changed after it had been applied.`)
      await client.query('begin')
      await client.query(text)
      await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256])
      await client.query('commit')
    }
    const pool = new pg.Pool({ ...connection, max: 2 })
    pool.on('error', () => undefined)
    pool.on('connect', (made) => made.on('error', () => undefined))
    await runMigrations({ pgPool: pool }).finally(() => pool.end())
  } finally {
    await client.end()
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version`,
  )
  const { number, version } = single(rows)
  if (Number(number) < OLDEST_SERVER * 10_000)
    throw new MigrationError(`Backstock needs PostgreSQL ${OLDEST_SERVER} or newer; this is ${version}.`)
}

/** Whether every migration of this version has been applied. */
export async function isMigrated(query: (sql: string) => Promise<{ rows: { name: string }[] }>): Promise<boolean> {
  const applied = new Set((await query('select name from migration')).rows.map((row) => row.name))
  return (await migrationNames()).every((name) => applied.has(name))
}
