import type pg from 'pg'
import type { Connection } from '../db/connect.ts'
import { type Migration, migrate, readMigrations } from '../db/migrate.ts'
import { migrationsOf, refuseData, refuseNewer, refuseUnfit } from './empty-database.ts'
import { BackupError, type Header } from './format.ts'
import { type OpenBackup, openBackup } from './open-backup.ts'
import { copyIn, JOBS, openConnection, pendingJobs, quoted, rowsOf, sumsOf, tablesOf } from './tables.ts'

export type Restored = { taken_at: string; tables: number; rows: number }

/**
 * Fills an empty database from a backup. It applies exactly the backup's migrations, loads all tables in one
 * transaction, reads each table back to compare it with the backup, and commits. Then it applies the newer migrations.
 * It needs the owner of the tables, not a superuser. Throws `BackupError`; then the database contains nothing of the
 * backup.
 */
export async function restoreBackup(connection: Connection, file: string, migrations?: Migration[]): Promise<Restored> {
  const known = migrations ?? (await readMigrations())
  const backup = await openBackup(file)
  try {
    const { header } = backup
    const had = migrationsOf(header, known)
    await refuseUnfit(connection, had)
    await migrate(connection, had)
    const rows = await load(connection, backup)
    await migrate(connection, known)
    return { taken_at: header.taken_at, tables: header.tables.length, rows }
  } finally {
    backup.close()
  }
}

/**
 * PostgreSQL's error codes for values that it cannot read, and for rows that break a constraint. The backup's database
 * had no such rows, so the file must be damaged.
 */
const BAD_ROWS = /^2[23]/

/** Loads the tables in one transaction. Returns the number of rows. */
async function load(connection: Connection, backup: OpenBackup): Promise<number> {
  const client = await openConnection(connection)
  try {
    await client.query('begin')
    const orders = await ownTables(client, backup.header)
    const putBack = await takeDown(client)
    await client.query(`truncate ${quoted([...orders.keys()])}`)
    let rows = 0
    for (const table of backup.header.tables) {
      const order = orders.get(table.name)
      const loading = order ? copyIn(client, table, backup.rows()) : loadJobs(client, backup.rows())
      await loading.catch((error: Error & { code?: string }) => {
        throw BAD_ROWS.test(error.code ?? '') ? backup.damaged(error) : error
      })
      const sums = await backup.sums()
      const found = await sumsOf(client, order ? rowsOf(table, order) : pendingJobs)
      if (found.rows !== sums.rows || found.sha256 !== sums.sha256)
        throw new BackupError(`The restored rows of ${table.name} differ from the backup. Nothing was restored.`)
      rows += sums.rows
    }
    await backup.end()
    for (const statement of putBack) await client.query(statement)
    await setSequences(client, backup.header)
    await client.query(`analyze ${quoted([...orders.keys()])}`)
    await client.query('commit')
    return rows
  } finally {
    await client.end()
  }
}

/**
 * Locks all tables against everybody else. Throws if they have rows, or differ from the backup's. Returns the order of
 * rows for each table of the backup.
 */
async function ownTables(client: pg.Client, header: Header): Promise<Map<string, string>> {
  // An older version may have put more tables into its backups, so all are listed.
  const tables = await tablesOf(client, ['migration'])
  await client.query(`lock table migration, ${quoted(tables.map((table) => table.name))} in access exclusive mode`)
  await refuseNewer(client, header.migrations)
  await refuseData(client)
  const orders = new Map<string, string>()
  for (const { name, columns } of header.tables) {
    const there = [...tables, { ...JOBS, order: '' }].find((table) => table.name === name)
    if (columns.join() !== there?.columns.join())
      throw new BackupError(`The backup's table ${name} has other columns than in this version. Nothing was restored.`)
    if (there.order) orders.set(name, there.order)
  }
  return orders
}

/**
 * Removes the checks of single rows that the owner of the tables may remove: foreign keys, and the triggers that would
 * count and log again. Returns the statements that restore them. Each foreign key is then checked for all rows at once.
 */
async function takeDown(client: pg.Client): Promise<string[]> {
  const keys = await client.query<{ down: string; up: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as down,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as up
     from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by conname`,
  )
  const triggers = await client.query<{ down: string; up: string }>(
    `select format('alter table %s disable trigger %I', tgrelid::regclass, tgname) as down,
       format('alter table %s enable trigger %I', tgrelid::regclass, tgname) as up
     from pg_trigger t join pg_class c on c.oid = tgrelid
     where c.relnamespace = 'public'::regnamespace and not tgisinternal and tgenabled = 'O' order by tgname`,
  )
  const all = [...keys.rows, ...triggers.rows]
  for (const { down } of all) await client.query(down)
  return all.map(({ up }) => up)
}

/** Queues the jobs again in their order, with the queue's own function. */
async function loadJobs(client: pg.Client, rows: AsyncIterable<Buffer>): Promise<void> {
  const table = { ...JOBS, name: 'restored_job' }
  await client.query(
    `create temp table restored_job (position bigint generated always as identity, task text, payload json,
       queue_name text, run_at timestamptz, max_attempts int, key text, priority int) on commit drop`,
  )
  await copyIn(client, table, rows)
  await client.query(
    `select count(graphile_worker.add_job(task, payload, queue_name, run_at, max_attempts, key, priority))
     from (select * from restored_job order by position) job`,
  )
}

async function setSequences(client: pg.Client, { sequences }: Header): Promise<void> {
  for (const { name, next } of sequences)
    await client.query(`alter sequence ${quoted([name])} restart with ${BigInt(next)}`)
}
