import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import type { Connection } from '../db/connect.ts'
import type { BackupTable, Sums } from './format.ts'

/**
 * Tables that no backup contains. Sessions and known devices: somebody who steals a backup must not be logged in with
 * it, and a restore must not bring ended sessions back. Leases of instances and deaths in jobs: none of those instances
 * runs on the restored database, and its jobs have other numbers. Migrations: the header has them. Unlogged tables
 * (throttles) are left out without being named here.
 */
const LEFT_OUT = ['session', 'login_device', 'worker', 'job_death', 'migration']

/** The pending jobs of the queue, under a name that no table has. Their locks and attempts are not kept. */
export const JOBS: BackupTable = {
  name: 'graphile_worker.jobs',
  columns: ['task', 'payload', 'queue_name', 'run_at', 'max_attempts', 'key', 'priority'],
}

/** Opens a connection on which text looks the same on every server, and statements have no time limit. */
export async function openConnection(connection: Connection): Promise<pg.Client> {
  const settings = {
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    IntervalStyle: 'postgres',
    bytea_output: 'hex',
    extra_float_digits: '1',
    search_path: 'public',
    statement_timeout: '0',
    idle_in_transaction_session_timeout: '0',
    lock_timeout: '60s',
    work_mem: '64MB',
    maintenance_work_mem: '256MB',
    jit: 'off',
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const client = new (connection.Client ?? pg.Client)({ ...connection, keepAlive: true, options: options.join(' ') })
  // The error is reported by the next query. Without a listener, it would end this process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * The tables in a backup of this database, with the order of their rows, which is the same on every server and with any
 * collation.
 */
export async function tablesOf(client: pg.Client, leftOut = LEFT_OUT): Promise<(BackupTable & { order: string })[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; order: string }>(
    `select c.relname as name,
       array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns,
       string_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end, ', '
         order by array_position(key.conkey, a.attnum), a.attnum)
         filter (where a.attgenerated = '' and (key.conkey is null or a.attnum = any(key.conkey))) as "order"
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_constraint key on key.conrelid = c.oid and key.contype = 'p'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
       and c.relname <> all($1)
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     group by c.relname order by c.relname`,
    [leftOut],
  )
  return rows
}

export const quoted = (names: string[]): string => names.map((name) => pg.escapeIdentifier(name)).join(', ')

/** The query for a table's rows with the columns of the file, in the order of `tablesOf`. */
export function rowsOf({ name, columns }: BackupTable, order: string): string {
  return `select ${quoted(columns)} from ${quoted([name])} order by ${order}`
}

export const JOB_TABLES =
  'graphile_worker._private_jobs, graphile_worker._private_tasks, graphile_worker._private_job_queues'

/** The query for the jobs that are not done, in the order in which the queue would take them. */
export const pendingJobs = `
  select t.identifier, j.payload::text, q.queue_name, j.run_at, j.max_attempts, j.key, j.priority
  from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  left join graphile_worker._private_job_queues q on q.id = j.job_queue_id
  where j.attempts < j.max_attempts or j.locked_at is not null
  order by j.priority, j.run_at, j.id`

/** Streams the rows of a query as text COPY, and returns their sums. */
export async function* copyOut(client: pg.Client, query: string): AsyncGenerator<Buffer, Sums> {
  const stream = client.query(copyTo(`copy (${query}) to stdout`))
  const hash = createHash('sha256')
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk)
    yield chunk
  }
  // The server may send the number of rows after the last row. The answer to another query comes after both.
  await client.query('select')
  return { rows: stream.rowCount, sha256: hash.digest('hex') }
}

/** Reads the rows of a query only to compute their sums. */
export async function sumsOf(client: pg.Client, query: string): Promise<Sums> {
  const rows = copyOut(client, query)
  for (;;) {
    const step = await rows.next()
    if (step.done) return step.value
  }
}

/** Writes rows in text COPY into a table that this transaction has made or emptied. */
export async function copyIn(client: pg.Client, table: BackupTable, rows: AsyncIterable<Buffer>): Promise<void> {
  await pipeline(
    rows,
    client.query(copyFrom(`copy ${quoted([table.name])} (${quoted(table.columns)}) from stdin (freeze)`)),
  )
}
