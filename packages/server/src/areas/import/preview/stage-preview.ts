import { decimalOf, firstOfDate, guessColumns } from '@backstock/contract/import-columns.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { PreviewSettings, SettingsColumn } from '../../../db/preview-columns.ts'
import type { Pace } from '../../../http/pace.ts'
import { invalid } from '../../../http/refusal.ts'
import { type Jobs, queue } from '../../../jobs.ts'
import { otherSheets, type Table } from '../read/open-table.ts'
import type { CsvRow } from '../read/parse-row.ts'
import { MAX_ATTEMPTS, queueOf, stageRows } from '../write/stage.ts'
import { type Memory, memoryOf } from './memory.ts'
import { supplierName } from './supplier-names.ts'

/** So many rows tell what their columns hold. */
const GUESSED_BY = 50
const SAMPLES = 3
const SAMPLE_LENGTH = 100

export type NewPreview = {
  table: Table
  fileName: string
  userId: number
  supplierId: number | null
  updateExisting: boolean
  leavesOutHidden: boolean
}

/**
 * Keeps the rows of a file as a preview of this person's, in place of an earlier one, and queues the job that plans them.
 * Returns its id. Throws 422 where the file cannot be read to its end.
 */
export async function stagePreview(tx: Tx, input: NewPreview, pace: Pace): Promise<number> {
  const { table, userId, supplierId, updateExisting } = input
  const supplier = supplierId === null ? null : await supplierName(tx, supplierId)
  // Two files of one person at the same moment: the second waits, and takes the place of the first.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`preview of user ${userId}`}, 0))`.execute(tx)
  await tx
    .deleteFrom('import')
    .where('user_id', '=', userId)
    .where('state', 'in', ['previewing', 'previewed'])
    .execute()
  const { id } = await tx
    .insertInto('import')
    .values({
      type: 'csv_import',
      user_id: userId,
      file_name: input.fileName,
      update_existing: updateExisting,
      header: JSON.stringify(table.header),
      state: 'previewing',
      supplier_id: supplierId,
      plan_no: 1,
      touched_at: sql`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const first: string[][] = []
  const marks: SettingsColumn['decimal'][] = table.header.map(() => null)
  const dates: SettingsColumn['dates'][] = table.header.map(() => null)
  const total = await stageRows(tx, id, table.rows, pace, (rows) => {
    if (first.length === 0) first.push(...rows.map(({ cells }) => cells))
    for (const n of marks.keys()) {
      marks[n] = bothSay(marks[n]!, decimalOf(figuresIn(rows, n)))
      for (const cell of datesIn(rows, n)) dates[n] = bothSay(dates[n]!, firstOfDate(cell))
    }
  })
  if (total === 0)
    throw invalid({ csv: `This file has a header and no rows.${otherSheets(table.sheets, table.sheet)}` })
  const memory = await memoryOf(tx, supplierId)
  const settings: PreviewSettings = {
    format: table.format,
    sheets: table.sheets,
    sheet: table.sheet,
    notes: table.notes,
    leaves_out_hidden: input.leavesOutHidden,
    delimiter: table.delimiter,
    encoding: table.encoding,
    encoding_guessed: table.isEncodingGuessed,
    header_row: table.headerRow,
    top: table.top,
    titles: table.titles,
    columns: guessed(table.header, first, memory).map((column, n) => ({
      ...column,
      samples: samplesOf(first, n),
      decimal: marks[n]!,
      dates: dates[n]!,
    })),
    decimal: null,
    defaults: { ...memory.defaults, ...(supplier !== null && { supplier }) },
    meanings: memory.meanings,
  }
  await tx
    .updateTable('import')
    .set({ total, preview: JSON.stringify(settings) })
    .where('id', '=', id)
    .execute()
  await queuePlan(tx, { import_id: id, plan_no: 1 })
  return id
}

/** What the columns of a file hold, by what was said before, by their names, and by their first cells. */
export function guessed(header: readonly string[], rows: readonly (readonly string[])[], { columns }: Memory) {
  return guessColumns(header, rows.slice(0, GUESSED_BY), columns)
}

/** A few different cells of a column. */
function samplesOf(rows: readonly (readonly string[])[], n: number): string[] {
  const found = new Set<string>()
  for (const row of rows) {
    const cell = row[n]?.trim()
    if (cell) found.add([...cell].slice(0, SAMPLE_LENGTH).join(''))
    if (found.size === SAMPLES) break
  }
  return [...found]
}

/** The cells of a column that may tell what separates hundredths. */
const figuresIn = (rows: readonly CsvRow[], n: number) =>
  rows.flatMap(({ cells }) => {
    const cell = cells[n]
    return cell !== undefined && cell.length <= 40 && /\d[.,' ]\d/.test(cell) ? [cell] : []
  })

/** The cells of a column that may tell whether the day or the month stands first. */
const datesIn = (rows: readonly CsvRow[], n: number) =>
  rows.flatMap(({ cells }) => {
    const cell = cells[n]
    return cell !== undefined && cell.length <= 40 && /^\s*\d{1,4}([-/.])\d{1,2}\1\d/.test(cell) ? [cell] : []
  })

/** What cells say together; null where none has said anything. */
function bothSay<Says>(one: Says | 'mixed' | null, other: Says | 'mixed' | null): Says | 'mixed' | null {
  return one === null || one === other ? other : other === null ? one : 'mixed'
}

/** Queues the job that plans a preview, after the imports and plans of its queue. */
export function queuePlan(tx: Tx, plan: Jobs['import_plan']): Promise<void> {
  return queue(tx, 'import_plan', plan, { maxAttempts: MAX_ATTEMPTS, queueName: queueOf(plan.import_id) })
}
