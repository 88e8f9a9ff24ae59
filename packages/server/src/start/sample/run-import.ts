import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { csvToDisk } from '../../areas/import/read/upload.ts'
import { applyNextPart, nothingApplied } from '../../areas/import/write/apply-part.ts'
import { stageCsv } from '../../areas/import/write/stage.ts'
import { csvCell } from '../../areas/stock/csv-cell.ts'
import type { Database, Tx } from '../../db/connect.ts'
import { newPace } from '../../http/pace.ts'

/** A CSV file with its rows by column name. */
export type CsvFile = { fileName: string; columns: readonly string[]; rows: readonly Record<string, string>[] }
/** The author of the import: the partner if there is one, else the person. */
export type Importer = { userId: number; partnerId?: number }

/**
 * Imports a file at once, in the caller's transaction; the job that is queued with it then finds nothing to do. If the
 * database refuses a row, it throws, while a real import would only report the row.
 */
export async function runImport(
  db: Database,
  tx: Tx,
  { fileName, columns, rows }: CsvFile,
  by: Importer,
  updateExisting = false,
): Promise<void> {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
  const text = lines.map((cells) => cells.map(csvCell).join(',')).join('\r\n')
  const file = await csvToDisk(Readable.from([Buffer.from(text)]))
  try {
    const id = await stageCsv(tx, { file, delimiter: ',', updateExisting, userId: by.userId, fileName }, newPace())
    if (by.partnerId !== undefined)
      await tx
        .updateTable('import')
        .set({ type: 'api_import', user_id: null, partner_id: by.partnerId, file_name: null })
        .where('id', '=', id)
        .execute()
    const here: Database = { ...db, write: (work) => work(tx) }
    const applied = nothingApplied()
    while (await applyNextPart(here, id, applied, throwing));
  } finally {
    await file.handle.close()
  }
}

const fail = (details: unknown): never => {
  throw typeof details === 'object' && details !== null && 'err' in details ? details.err : details
}
const silent = () => undefined
const throwing: FastifyBaseLogger = {
  level: 'warn',
  ...{ fatal: fail, error: fail, warn: fail, info: silent, debug: silent, trace: silent, silent },
  child: () => throwing,
}
