import { plainColumnName } from '@backstock/contract/csv-columns.ts'
import { identifierOfCell, isShortened, isWeakSerial } from '@backstock/contract/identifier-cell.ts'
import { compactIdentifier, isWholeImei, withLostZero } from '@backstock/contract/imei.ts'
import {
  ambiguousMark,
  bothDays,
  currencyOfColumn,
  decimalOf,
  firstOfDate,
  guessColumns,
  ticks,
} from '@backstock/contract/import-columns.ts'
import { dollarCalled, saysDollars } from '@backstock/contract/import-prices.ts'
import { CURRENCY } from '@backstock/contract/money.ts'
import { spreadsheetError } from '@backstock/contract/spreadsheet-error.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/connect.ts'
import type { DecimalMark, PreviewSettings, SettingsColumn } from '../../../db/preview-columns.ts'
import type { Pace } from '../../../http/pace.ts'
import { type Jobs, queue } from '../../../jobs.ts'
import { single, zip } from '../../../lists.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import { noTable, type Table } from '../read/open-table.ts'
import type { CsvRow } from '../read/parse-row.ts'
import { MAX_ATTEMPTS, queueOf, stageRows } from '../write/stage.ts'
import { type Memory, memoryOf } from './memory.ts'
import { supplierName } from './supplier-names.ts'

/** The number of rows by whose cells columns are recognised. */
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
 * Stores the rows of a file as the person's preview, in place of an earlier one, and queues the job that plans it.
 * Returns the preview's id. Throws 422 if the file cannot be read to its end.
 */
export async function stagePreview(tx: Tx, input: NewPreview, pace: Pace): Promise<number> {
  const { table, userId, supplierId, updateExisting } = input
  const supplier = supplierId === null ? null : await supplierName(tx, supplierId)
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
  const today = await todayOf(tx)
  const seen = table.header.map(() => columnLook(today))
  const look = ({ cells }: CsvRow) => {
    for (const [n, column] of seen.entries()) column.add(cells[n] ?? '')
  }
  const total = await stageRows(tx, id, table.rows, pace, async (rows) => {
    if (first.length === 0) first.push(...rows.map(({ cells }) => cells))
    await mapWithPauses(rows, look)
  })
  if (total === 0) throw noTable('This file has a header and no rows.', table)
  const memory = await memoryOf(tx, { supplierId, userId })
  const columns = guessed(table.header, first, memory)
  const currency = currencySaid(table.header, columns)
  const price = columns.findIndex(({ field }) => field === 'purchase_price')
  // A currency in the file counts more than a remembered one.
  const ofAll = memory.defaults.purchase_currency
  const isOther = currency !== undefined || (saysDollars(table.header[price] ?? '') && !dollarCalled(ofAll))
  const { purchase_currency: _, ...defaults } = memory.defaults
  const { purchase_currency: __, ...rememberedDefaults } = memory.rememberedDefaults
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
    columns: zip(columns, seen).map(([column, look], n) => ({
      ...column,
      samples: samplesOf(first, n),
      ...look.found(),
    })),
    decimal: null,
    dates: null,
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
  await tx
    .updateTable('import')
    .set({ total, preview: JSON.stringify(settings) })
    .where('id', '=', id)
    .execute()
  await queuePlan(tx, { import_id: id, plan_no: 1 })
  return id
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

/** Looks at all cells of a column, and finds out how the file writes its values. */
function columnLook(today: string) {
  let mark: SettingsColumn['decimal'] = null
  let order: SettingsColumn['dates'] = null
  const threePlaces = new Set<DecimalMark>()
  let hasBothDays = false
  let hasOtherForms = false
  const numbers = imeiCounter()
  const words = new Set<string>()
  return {
    add(cell: string): void {
      numbers.add(cell)
      if (cell.length <= LONGEST_WORD && words.size <= MOST_WORDS) words.add(cell)
      if (isFigure(cell)) {
        mark = bothSay(mark, decimalOf([cell]))
        const doubtful = threePlaces.size < 2 ? ambiguousMark(cell) : null
        if (doubtful) threePlaces.add(doubtful)
      }
      if (isDate(cell)) {
        order = bothSay(order, firstOfDate(cell, today))
        hasBothDays ||= bothDays(cell) !== undefined
        hasOtherForms ||= /^\s*\d{4}/.test(cell)
      }
    },
    found: () =>
      ({
        decimal: mark,
        threePlaces: [...threePlaces],
        // Only some of the dates have the month first in text. A spreadsheet of another country may have turned the
        // others around, so a person must decide.
        dates: order === 'month' && hasOtherForms ? 'mixed' : order,
        hasBothDays,
        areImeis: numbers.areImeis(),
        ticks: words.size <= MOST_WORDS && ticks(words),
      }) satisfies Partial<SettingsColumn>,
  }
}

/**
 * The number of IMEIs that prove a column of IMEIs. By chance, one in ten numbers of 14 or 15 digits looks like an
 * IMEI; three of them hardly ever do.
 */
const BY_CHANCE = 3
const MOST = 0.8

/**
 * Counts the cells of a column, and decides whether it holds IMEIs: nearly all numbers of the right length are IMEIs,
 * and so are most cells, or at least three.
 */
function imeiCounter() {
  let others = 0
  let digits = 0
  let imeis = 0
  return {
    add(cell: string): void {
      const isShort = cell.length <= LONGEST_NUMBER
      const number = isShort && cell.length >= 14 ? compactIdentifier(identifierOfCell(cell)) : ''
      if (/^(?:\d{15}|1\d{13})$/.test(number)) {
        digits++
        if (isWholeImei(number) || withLostZero(number)) imeis++
      } else if (others < ENOUGH && isShort && isSerial(cell)) others++
    },
    areImeis: () => imeis > 0 && imeis >= digits * MOST && (imeis >= (digits + others) * MOST || imeis >= BY_CHANCE),
  }
}
/**
 * Whether a cell may be a serial number: it has a digit and no blank, and is no count, no error and no shortened
 * number. Other cells do not help to recognise their column.
 */
const isSerial = (cell: string) =>
  /\d/.test(cell) &&
  !/\s/.test(cell.trim()) &&
  !isWeakSerial(cell) &&
  !isShortened(cell) &&
  spreadsheetError(cell) === null
/** The most other cells that are counted. A column with more hardly holds IMEIs. */
const ENOUGH = 1000
/** Limits for a column of yes and no: the most characters of a cell, and the most different cells. */
const LONGEST_WORD = 12
const MOST_WORDS = 50
/** The most characters of a number, with its marks and blanks. */
const LONGEST_NUMBER = 40

/** The date of today in the company's time zone. */
async function todayOf(db: Db): Promise<string> {
  const { rows } = await sql<{
    today: string
  }>`select (now() at time zone time_zone)::date as today from company`.execute(db)
  return single(rows).today
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

/** Whether a cell may show which mark comes before hundredths. */
const isFigure = (cell: string) => cell.length <= 40 && /\d[.,' ]\d/.test(cell)

/** Whether a cell may show that the day or the month comes first. */
const isDate = (cell: string) => cell.length <= 40 && /^\s*\d{1,4}([-/.])\d{1,2}\1\d/.test(cell)

/** The common answer of two cells or columns: null if neither has an answer, `mixed` if the answers differ. */
function bothSay<Says>(one: Says | 'mixed' | null, other: Says | 'mixed' | null): Says | 'mixed' | null {
  return one === null || one === other ? other : other === null ? one : 'mixed'
}

/** Queues the job that plans a preview. It runs after the other jobs of its queue: imports, undos and plans. */
export function queuePlan(tx: Tx, plan: Jobs['import_plan']): Promise<void> {
  return queue(tx, 'import_plan', plan, { maxAttempts: MAX_ATTEMPTS, queueName: queueOf(plan.import_id) })
}
