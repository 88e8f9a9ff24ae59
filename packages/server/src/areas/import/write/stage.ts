import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { Pace } from '../../../http/pace.ts'
import { invalid } from '../../../http/refusal.ts'
import { queue } from '../../../jobs.ts'
import { single } from '../../../lists.ts'
import { type CsvOnDisk, type Delimiter, openCsv } from '../read/csv-file.ts'
import type { CsvRow } from '../read/parse-row.ts'

/** The number of rows that are applied in one transaction. */
const PART_ROWS = 1000
/**
 * The number of characters at which a part of an import ends, even if it has fewer than `PART_ROWS` rows. The row that
 * reaches this number is its last one. A part is read and written as a whole, so it must fit into memory and must not
 * keep the event loop for long. Each cell counts as `OF_CELL` characters more, because a thousand rows may have a
 * million short cells.
 */
const PART_CHARACTERS = 2 * 1024 * 1024
const OF_CELL = 8
/** The most attempts of the job. The number is high, because a job counts an attempt even if its server is stopped. */
export const MAX_ATTEMPTS = 1000

export type NewImport = {
  file: CsvOnDisk
  delimiter: Delimiter
  updateExisting: boolean
  userId: number
  fileName: string
}

/**
 * Stores a whole file as the parts of a new import, and queues the job that applies them, in the caller's transaction.
 * Returns the import's id. Throws 422 under `csv` if the file cannot be read to its end.
 */
export async function stageCsv(tx: Tx, input: NewImport, pace: Pace): Promise<number> {
  const { header, rows } = await openCsv(input.file, input.delimiter)
  const { id } = await tx
    .insertInto('import')
    .values({
      type: 'csv_import',
      user_id: input.userId,
      file_name: input.fileName,
      update_existing: input.updateExisting,
      header: JSON.stringify(header),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const total = await stageRows(tx, id, rows, pace)
  if (total === 0) throw invalid({ csv: 'This file has a header and no rows.' })
  // The order of imports is that of their acceptance, and reading a large file takes a while.
  await tx.updateTable('import').set({ total, created_at: sql`clock_timestamp()` }).where('id', '=', id).execute()
  await queueImport(tx, id)
  return id
}

/**
 * Stores rows as the parts of an import, and returns the number of rows. `seen` is called with each part, and the next
 * part waits until it has ended.
 */
export async function stageRows(
  tx: Tx,
  importId: number,
  rows: AsyncGenerator<CsvRow>,
  pace: Pace,
  seen: (part: readonly CsvRow[]) => Promise<void> | void = () => undefined,
): Promise<number> {
  const long = pace.longWork()
  let total = 0
  let storing: Promise<void> = Promise.resolve()
  try {
    for (let part = 0; ; part++) {
      const read = await long.work(() => take(rows))
      // While the database stores a part, the next part is read.
      await storing
      if (read.length === 0) break
      storing = insertPart(tx, importId, part, read)
      storing.catch(() => undefined)
      await seen(read)
      total += read.length
    }
  } finally {
    await rows.return(undefined)
    await storing
  }
  return total
}

/** The rows of the next part; an empty list at the end. */
async function take(rows: AsyncGenerator<CsvRow>): Promise<CsvRow[]> {
  const taken: CsvRow[] = []
  for (let characters = 0; taken.length < PART_ROWS && characters < PART_CHARACTERS; ) {
    const { done, value } = await rows.next()
    if (done) break
    taken.push(value)
    for (const cell of value.cells) characters += cell.length + OF_CELL
  }
  return taken
}

export type ImportJob = 'import_apply' | 'import_apply_planned'

/**
 * Queues the job that applies the rest of an import. The imports of one person or partner are in one queue, so that they
 * run in the order in which they were accepted.
 */
export async function queueImport(
  tx: Tx,
  importId: number,
  { job = 'import_apply', runInSeconds = 0 }: { job?: ImportJob; runInSeconds?: number } = {},
): Promise<void> {
  const isOwn = sql`exists (
    select from import me join import other on other.partner_id = me.partner_id or other.user_id = me.user_id
    where me.id = ${importId} and other.id = (j.payload ->> 'import_id')::int and other.state in ('waiting', 'running'))`
  const queueName = await freeQueue(tx, isOwn)
  await queue(tx, job, { import_id: importId }, { maxAttempts: MAX_ATTEMPTS, queueName, runInSeconds })
}

/**
 * The queue for a job that imports, plans or undoes: one that has a job `j` for which `isBefore` holds, else the one with
 * fewer jobs. The whole shop has two such queues, so two of these jobs run at a time, and imports take turns in writing.
 * Mails and invoices do not wait for them.
 */
export async function freeQueue(tx: Tx, isBefore = sql`false`): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select queue.name from (values ('import 0'), ('import 1')) queue (name) cross join lateral (
      select count(*) as n, count(*) filter (where ${isBefore}) as before
      from graphile_worker._private_jobs j join graphile_worker._private_job_queues q on q.id = j.job_queue_id
      where q.queue_name = queue.name and j.attempts < j.max_attempts) jobs
    order by jobs.before desc, jobs.n, queue.name limit 1`.execute(tx)
  return single(rows).name
}

/**
 * Stores the rows of one part of an import until the job applies them. Their cells are in the order of the import's
 * header. `part` counts from 0.
 */
async function insertPart(tx: Tx, importId: number, part: number, rows: readonly CsvRow[]): Promise<void> {
  await sql`
    insert into import_part (import_id, part, lines, cells) values (${importId}, ${part},
      ${rows.map((row) => row.line)}::int[], ${JSON.stringify(rows.map((row) => row.cells))}::jsonb)`.execute(tx)
}
