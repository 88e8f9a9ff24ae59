import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { Pace } from '../../../http/pace.ts'
import { invalid } from '../../../http/refusal.ts'
import { queue } from '../../../jobs.ts'
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
  await tx.updateTable('import').set({ total }).where('id', '=', id).execute()
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
 * Queues the job that applies the rest of an import. The whole shop has two queues for imports, so two imports run at a
 * time and take turns in writing. Mails and invoices do not wait for them. The pushes of one partner are in one queue,
 * so that they run in the order in which they were sent.
 */
export async function queueImport(
  tx: Tx,
  importId: number,
  { job = 'import_apply', runInSeconds = 0 }: { job?: ImportJob; runInSeconds?: number } = {},
): Promise<void> {
  const found = await tx.selectFrom('import').select('partner_id').where('id', '=', importId).executeTakeFirst()
  const queueName = queueOf(found?.partner_id ?? importId)
  await queue(tx, job, { import_id: importId }, { maxAttempts: MAX_ATTEMPTS, queueName, runInSeconds })
}

/** The queue for the import, the preview and the undo with this id, and for the pushes of the partner with this id. */
export const queueOf = (id: number) => `import ${id % 2}`

/**
 * Stores the rows of one part of an import until the job applies them. Their cells are in the order of the import's
 * header. `part` counts from 0.
 */
async function insertPart(tx: Tx, importId: number, part: number, rows: readonly CsvRow[]): Promise<void> {
  await sql`
    insert into import_part (import_id, part, lines, cells) values (${importId}, ${part},
      ${rows.map((row) => row.line)}::int[], ${JSON.stringify(rows.map((row) => row.cells))}::jsonb)`.execute(tx)
}
