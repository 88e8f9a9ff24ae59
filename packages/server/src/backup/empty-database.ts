import type pg from 'pg'
import type { Connection } from '../db/connect.ts'
import type { Migration } from '../db/migrate.ts'
import { BackupError, type Header } from './format.ts'
import { openConnection, quoted, tablesOf } from './tables.ts'

/**
 * The tables that migrations fill: the one row of the seller, the one row of accounting, the reverse charge rules, and
 * the first grades. Rows in any other table belong to somebody.
 */
const FILLED_BY_MIGRATIONS = ['company', 'accounting_settings', 'reverse_charge_rule', 'grade']

/**
 * The migrations of this version that the backup's database had. Throws `BackupError` unless they are the first ones of
 * this version.
 */
export function migrationsOf({ migrations }: Header, known: Migration[]): Migration[] {
  for (const [at, { name, sha256 }] of migrations.entries()) {
    if (!known.some((own) => own.name === name))
      throw new BackupError(`The backup is newer than this version of Backstock: it has ${name}. Nothing was restored.`)
    if (known[at]?.name !== name || known[at].sha256 !== sha256)
      throw new BackupError(`The backup was made with another ${name} than this version has. Nothing was restored.`)
  }
  return known.slice(0, migrations.length)
}

/**
 * Throws `BackupError` if a backup with these migrations must not be restored here. Call it before anything is changed.
 */
export async function refuseUnfit(connection: Connection, migrations: Migration[]): Promise<void> {
  const client = await openConnection(connection)
  try {
    await refuseData(client)
    const known = await client.query<{ known: boolean }>(`select to_regclass('public.migration') is not null as known`)
    if (known.rows[0]?.known) await refuseNewer(client, migrations)
  } finally {
    await client.end()
  }
}

/** Throws `BackupError` if any table has rows that no migration has made. */
export async function refuseData(client: pg.Client): Promise<void> {
  const names = (await tablesOf(client))
    .map((table) => table.name)
    .filter((name) => !FILLED_BY_MIGRATIONS.includes(name))
  if (names.length === 0) return
  const filled = await client.query<{ name: string }>(
    names
      .map((name) => `select ${client.escapeLiteral(name)} as name where exists (select from ${quoted([name])})`)
      .join(' union all '),
  )
  if (filled.rows.length > 0)
    throw new BackupError(
      `The database has data already (${filled.rows.map((row) => row.name).join(', ')}). Restore into an empty one.`,
    )
}

/** Throws `BackupError` if the database has a migration that is not among these. */
export async function refuseNewer(client: pg.Client, migrations: { name: string }[]): Promise<void> {
  const applied = await client.query<{ name: string }>('select name from migration order by name')
  const more = applied.rows.find(({ name }) => !migrations.some((migration) => migration.name === name))
  if (more)
    throw new BackupError(
      `The database is newer than the backup: it has ${more.name}. Restore into a database that Backstock has never used.`,
    )
}
