import { sql } from 'kysely'
import { arrayText } from '../../db/array-text.ts'
import type { Tx } from '../../db/connect.ts'
import { invalid } from '../../http/refusal.ts'
import { queue } from '../../jobs.ts'
import { type CsvRow, type Delimiter, openCsv } from './csv-file.ts'
import type { Spool } from './spool.ts'

/** How many rows are applied in one transaction. */
export const PART_ROWS = 1000
/** A job that is killed with its server counts as an attempt too. */
const MAX_ATTEMPTS = 1000

export type NewImport = { file: Spool; delimiter: Delimiter; updateExisting: boolean; userId: number; fileName: string }

/**
 * Parses a whole file into the parts of a new import and queues the job that applies them, in the caller's transaction.
 * Returns the import's id. Throws 422 under `csv` where the file cannot be read to its end.
 */
export async function stageCsv(tx: Tx, input: NewImport): Promise<number> {
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
  let total = 0
  let part: CsvRow[] = []
  let storing: Promise<void> = Promise.resolve()
  // The database stores a part while the next one is read.
  const store = async () => {
    await storing
    if (part.length === 0) return
    storing = insertPart(tx, id, Math.floor(total / PART_ROWS), part)
    storing.catch(() => undefined)
    total += part.length
    part = []
  }
  try {
    for await (const row of rows) {
      part.push(row)
      if (part.length === PART_ROWS) await store()
    }
    await store()
  } finally {
    await storing
  }
  if (total === 0) throw invalid({ csv: 'This file has a header and no rows.' })
  await tx.updateTable('import').set({ total }).where('id', '=', id).execute()
  await queueImport(tx, id)
  return id
}

/** Queues the job that applies what is left of an import. */
export function queueImport(tx: Tx, importId: number): Promise<void> {
  return queue(tx, 'import_apply', { import_id: importId }, { maxAttempts: MAX_ATTEMPTS })
}

/** Keeps rows, in the order of the import's header, until the job applies them. `part` counts from 0. */
export async function insertPart(tx: Tx, importId: number, part: number, rows: readonly CsvRow[]): Promise<void> {
  await sql`
    insert into import_part (import_id, part, lines, cells) values (${importId}, ${part},
      ${arrayText(rows.map((row) => row.line))}::int[], ${JSON.stringify(rows.map((row) => row.cells))}::jsonb)`.execute(
    tx,
  )
}
