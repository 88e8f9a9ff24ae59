import { plainColumnName } from '@backstock/contract/csv-columns.ts'
import { currencyOfColumn, guessColumns } from '@backstock/contract/import-columns.ts'
import { dollarCalled, saysDollars } from '@backstock/contract/import-prices.ts'
import { CURRENCY } from '@backstock/contract/money.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { PreviewSettings, SettingsColumn } from '../../../db/preview-columns.ts'
import type { Pace } from '../../../http/pace.ts'
import { type Jobs, queue } from '../../../jobs.ts'
import { zip } from '../../../lists.ts'
import { todayOf } from '../../company.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import { noTable, type Table } from '../read/open-table.ts'
import type { CsvRow } from '../read/parse-row.ts'
import { freeQueue, MAX_ATTEMPTS, stageRows } from '../write/stage.ts'
import { columnLook, samplesOf } from './column-facts.ts'
import { type Memory, memoryOf } from './memory.ts'
import { supplierName } from './supplier-names.ts'

/** The number of rows by whose cells columns are recognised. */
const GUESSED_BY = 50

export type NewPreview = {
  table: Table
  fileName: string
  userId: number
  supplierId: number | null
  updateExisting: boolean
  leavesOutHidden: boolean
}

/**
 * Stores the rows of a file as the person's preview, in place of an earlier one, and queues the job that plans it.
 * Returns the preview's id. Throws 422 if the file cannot be read to its end.
 */
export async function stagePreview(tx: Tx, input: NewPreview, pace: Pace): Promise<number> {
  const { table, userId, supplierId } = input
  const supplier = supplierId === null ? null : await supplierName(tx, supplierId)
  const id = await replacePreview(tx, input)
  const { total, looks, first } = await stageCells(tx, id, table, pace)
  if (total === 0) throw noTable('This file has a header and no rows.', table)
  const memory = await memoryOf(tx, { supplierId, userId })
  const columns = guessed(table.header, first, memory)
  const settings: PreviewSettings = {
    ...formOf(input),
    columns: zip(columns, looks).map(([column, look], n) => ({
      ...column,
      samples: samplesOf(first, n),
      ...look.facts(),
    })),
    ...remembered(memory, table.header, { columns, supplier }),
  }
  await tx
    .updateTable('import')
    .set({ total, preview: JSON.stringify(settings) })
    .where('id', '=', id)
    .execute()
  await queuePlan(tx, { import_id: id, plan_no: 1 })
  return id
}

/** Makes a person's new preview, without its rows, and deletes the earlier one. Returns its id. */
async function replacePreview(tx: Tx, input: NewPreview): Promise<number> {
  const { table, fileName, userId, supplierId, updateExisting } = input
  // The lock is for two uploads by one person at the same moment: the second waits, and replaces the first.
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
      file_name: fileName,
      update_existing: updateExisting,
      header: JSON.stringify(table.header),
      state: 'previewing',
      supplier_id: supplierId,
      plan_no: 1,
      touched_at: sql`now()`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Stores the rows of a file, and looks at each column meanwhile. `first` has the cells of the first part of them. */
async function stageCells(tx: Tx, id: number, table: Table, pace: Pace) {
  const today = await todayOf(tx)
  const looks = table.header.map(() => columnLook(today))
  const first: string[][] = []
  const look = ({ cells }: CsvRow) => {
    for (const [n, column] of looks.entries()) column.add(cells[n] ?? '')
  }
  const total = await stageRows(tx, id, table.rows, pace, async (rows) => {
    if (first.length === 0) first.push(...rows.map(({ cells }) => cells))
    await mapWithPauses(rows, look)
  })
  return { total, looks, first }
}

/** The settings that say how the file is laid out, as it was opened. Nobody has chosen anything yet. */
const formOf = ({ table, leavesOutHidden }: NewPreview) => ({
  format: table.format,
  sheets: table.sheets,
  sheet: table.sheet,
  notes: table.notes,
  leaves_out_hidden: leavesOutHidden,
  delimiter: table.delimiter,
  encoding: table.encoding,
  encoding_guessed: table.isEncodingGuessed,
  header_row: table.headerRow,
  top: table.top,
  titles: table.titles,
  decimal: null,
  dates: null,
})

/** The settings that come from memory and from the names of the file's columns. */
function remembered(
  memory: Memory,
  header: readonly string[],
  { columns, supplier }: { columns: ReturnType<typeof guessed>; supplier: string | null },
) {
  const currency = currencySaid(header, columns)
  const price = columns.findIndex(({ field }) => field === 'purchase_price')
  // A currency in the file counts more than a remembered one.
  const ofAll = memory.defaults.purchase_currency
  const isOther = currency !== undefined || (saysDollars(header[price] ?? '') && !dollarCalled(ofAll))
  const { purchase_currency: _, ...defaults } = memory.defaults
  const { purchase_currency: __, ...rememberedDefaults } = memory.rememberedDefaults
  return {
    defaults: {
      ...(isOther ? defaults : memory.defaults),
      ...(supplier !== null && { supplier }),
      ...(currency !== undefined && { purchase_currency: currency }),
    },
    rememberedDefaults: isOther ? rememberedDefaults : memory.rememberedDefaults,
    rates: memory.rates,
    rememberedRates: memory.rememberedRates,
    meanings: memory.meanings,
    ...(dollarCalled(currency) === undefined && memory.dollar),
  }
}

/** The currency in the name of the price column, if the file has no column of currencies. */
export function currencySaid(
  header: readonly string[],
  columns: readonly Pick<SettingsColumn, 'field'>[],
): string | undefined {
  if (columns.some(({ field }) => field === 'purchase_currency')) return undefined
  const price = columns.findIndex(({ field }) => field === 'purchase_price')
  const said = currencyOfColumn(header[price] ?? '')
  return said === CURRENCY ? undefined : said
}

/** The targets of a file's columns: by their names, by memory, and by their first cells. */
export function guessed(header: readonly string[], rows: readonly (readonly string[])[], { columns }: Memory) {
  const targets = new Map([...columns].map(([name, { field }]) => [name, field]))
  return guessColumns(header, rows.slice(0, GUESSED_BY), targets).map((column, n) => ({
    ...column,
    last: columns.get(plainColumnName(header[n] ?? '')) ?? null,
  }))
}

/** Queues the job that plans a preview. It runs after the other jobs of its queue: imports, undos and plans. */
export async function queuePlan(tx: Tx, plan: Jobs['import_plan']): Promise<void> {
  await queue(tx, 'import_plan', plan, { maxAttempts: MAX_ATTEMPTS, queueName: await freeQueue(tx) })
}
