import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { Pace } from '../../../http/pace.ts'
import { invalid } from '../../../http/refusal.ts'
import { queue } from '../../../jobs.ts'
import { type CsvOnDisk, type Delimiter, openCsv } from '../read/csv-file.ts'
import type { CsvRow } from '../read/parse-row.ts'

/** How many rows are applied in one transaction. */
export const PART_ROWS = 1000
/**
 * A part ends with the row that exceeds so many characters: a part as a whole is read and written in one turn of the event
 * loop, and fits into memory. Each cell counts as some more: a thousand rows may have a million short ones.
 */
const PART_CHARACTERS = 2 * 1024 * 1024
const OF_CELL = 8
/** So many, since a job that is killed with its server counts as an attempt too. */
export const MAX_ATTEMPTS = 1000

export type NewImport = {
  file: CsvOnDisk
  delimiter: Delimiter
  updateExisting: boolean
  userId: number
  fileName: string
}

/**
 * Parses a whole file into the parts of a new import and queues the job that applies them, in the caller's
 * transaction. Returns the import's id. Throws 422 under `csv` if the file cannot be read to its end.
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
 * Stores rows as the parts of an import; `seen` is told of each part, and the next one waits for it. Returns how many rows
 * there are.
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
      // The database stores a part while the next one is read.
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

/** The rows of the next part; none at the end. */
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
 * Queues the job that applies what is left of an import. Two such jobs run at a time in the whole shop and write in
 * turns; mails and invoices do not wait for the others.
 */
export function queueImport(
  tx: Tx,
  importId: number,
  { job = 'import_apply', runInSeconds = 0 }: { job?: ImportJob; runInSeconds?: number } = {},
): Promise<void> {
  const options = { maxAttempts: MAX_ATTEMPTS, queueName: queueOf(importId), runInSeconds }
  return queue(tx, job, { import_id: importId }, options)
}

/** The queue in which an import is applied and undone. */
export const queueOf = (importId: number) => `import ${importId % 2}`

/** Stores rows, with cells in the order of the import's header, until the job applies them. `part` counts from 0. */
export async function insertPart(tx: Tx, importId: number, part: number, rows: readonly CsvRow[]): Promise<void> {
  await sql`
    insert into import_part (import_id, part, lines, cells) values (${importId}, ${part},
      ${rows.map((row) => row.line)}::int[], ${JSON.stringify(rows.map((row) => row.cells))}::jsonb)`.execute(tx)
}
