import { isDeepStrictEqual } from 'node:util'
import type { ColumnTarget } from '@backstock/contract/import-preview.ts'
import { dividedPrice } from '@backstock/contract/import-prices.ts'
import { imeisOfCell, quantityOf, saysQuantity, saysTotal } from '@backstock/contract/mixed-identifiers.ts'
import type { DecimalMark, Pieces, PreviewSettings, SplitBy } from '../../../db/preview-columns.ts'
import { first, zip } from '../../../lists.ts'
import type { CsvRow, ParsedRow } from '../read/parse-row.ts'

/**
 * The indexes of the column with IMEIs and of the column with the number of phones in a row; -1 if the file does not
 * have the column.
 */
type Places = {
  imei: number
  quantity: number
  /** The index of the price, and those of the other columns about the row as a whole. */
  price: number
  ofRow: number[]
}

/** The places of the columns with IMEIs and quantities; null if the file has no column of IMEIs. */
export function placesOf(header: readonly string[], { columns }: Pick<PreviewSettings, 'columns'>): Places | null {
  const imei = columns.findIndex(({ field }) => field === 'imei')
  if (imei === -1) return null
  const quantity = quantityColumn(header, columns)
  const price = columns.findIndex(({ field }) => field === 'purchase_price')
  const isTotal = ({ field }: { field: ColumnTarget }, n: number) => isKept(field) && saysTotal(header[n] ?? '')
  const ofRow = columns.flatMap((column, n) => (n === quantity || isTotal(column, n) ? [n] : []))
  return { imei, quantity, price, ofRow }
}

const isKept = (field: ColumnTarget) => field === 'further' || field === null

/** The columns about a row as a whole, by their names, and whether its price is one of them. */
export function wholesOf(header: readonly string[], settings: Pick<PreviewSettings, 'columns'>) {
  const { ofRow = [], price = -1 } = placesOf(header, settings) ?? {}
  const isFurther = (n: number) => settings.columns[n]?.field === 'further'
  return {
    left_out: ofRow.filter(isFurther).map((n) => header[n] ?? ''),
    is_total: saysTotal(header[price] ?? ''),
  }
}

/** The column with the number of phones in each row; -1 if there is none. */
const quantityColumn = (header: readonly string[], columns: PreviewSettings['columns']) =>
  columns.findIndex(({ field }, n) => isKept(field) && saysQuantity(header[n] ?? ''))

/**
 * Makes a function for rows with one identifier at most. It returns the row's quantity; null if that is 1 or missing.
 */
export function otherQuantity(
  header: readonly string[],
  settings: Pick<PreviewSettings, 'columns'>,
): (cells: readonly string[]) => number | null {
  const places = placesOf(header, settings)
  const quantity = quantityColumn(header, settings.columns)
  return (cells) => {
    const said = quantity === -1 ? null : quantityOf(cells[quantity] ?? '')
    return said === 1 || (places && severalIn(cells, places)) ? null : said
  }
}

export const becomesOne = (said: number, { imei }: { imei: string | null }) =>
  `The quantity is ${said}, but the row has one ${imei === null ? 'serial number' : 'IMEI'}: it becomes one item.`

/**
 * The meaning of a row with several IMEIs: a phone with two IMEIs, several `items` with one IMEI each (once a person
 * says so), or an error.
 */
export type Several = { kind: 'phone' | 'items'; imeis: string[] } | { kind: 'wrong'; imeis: string[]; message: string }

/** The IMEIs in a row's cells and their meaning; null if the row has one IMEI at most. */
export function severalIn(
  cells: readonly string[],
  { imei, quantity }: Pick<Places, 'imei' | 'quantity'>,
): Several | null {
  const imeis = imeisOfCell(cells[imei] ?? '')
  if (imeis.length === 0) return null
  const said = quantity === -1 ? null : quantityOf(cells[quantity] ?? '')
  if (imeis.length <= 2 && (said === null || said === 1)) return { kind: 'phone', imeis }
  if (said === null || said === imeis.length) return { kind: 'items', imeis }
  return { kind: 'wrong', imeis, message: contradicts(said, imeis.length) }
}

const contradicts = (said: number, many: number) =>
  `The quantity is ${said}, but the cell has ${many === 1 ? 'one IMEI' : `${many} IMEIs`}.`
const askSeveral = (many: number) => `This row has ${many} IMEIs: choose whether it is ${many} items.`
const CONTRADICTS = /^The quantity is \d+, but the cell has [^.]+\.$/
/** In previews that the last release has stored, this message says 'say whether'. */
const ASKED = /^This row has \d+ IMEIs: (?:choose|say) whether it is \d+ items\.$/
const ASKED_OF_ALL = 'These rows have several IMEIs: choose whether each IMEI is an item.'

/**
 * The message of a row without its numbers, so that all rows with this fault have the same message. Null for a message
 * that is not about several IMEIs.
 */
export function severalReason(message: string): string | null {
  if (CONTRADICTS.test(message)) return 'The quantity is not the number of IMEIs in the cell.'
  return ASKED.test(message) ? ASKED_OF_ALL : null
}
export const asksSeveral = (message: string) => message === ASKED_OF_ALL || ASKED.test(message)

/** Puts the two IMEIs of a phone into its fields, or adds an error. Returns whether both IMEIs are of one phone. */
export function settleSeveral(
  { cells, errors }: Pick<ParsedRow, 'cells' | 'errors'>,
  several: Several,
  means: PreviewSettings['several'],
): boolean {
  const [first, second, third] = several.imeis
  const isPhone = several.kind === 'phone' || (several.kind === 'items' && means === 'phone' && third === undefined)
  const message =
    several.kind === 'wrong'
      ? several.message
      : !isPhone
        ? messageOf(several.imeis.length, means)
        : second !== undefined && cells.imei2 !== undefined
          ? 'The cell has two IMEIs, and the second IMEI has a column of its own.'
          : null
  if (message === null) {
    cells.imei = first ?? ''
    if (second !== undefined) cells.imei2 = second
    return second !== undefined
  }
  delete cells.imei
  errors['imei'] = message
  return false
}

const messageOf = (many: number, means: PreviewSettings['several']) =>
  means === undefined
    ? askSeveral(many)
    : means === 'phone'
      ? `A device has at most two IMEIs, and this cell has ${many}.`
      : `Too many rows of this file have several IMEIs, so this one was left out: put each IMEI into a row of its own.`

/**
 * The most rows that a part of the file may have after its rows were split, because a part is read and written as a
 * whole.
 */
const MOST_ROWS = 5000

type Part = { lines: number[]; cells: string[][]; pieces: Pieces | null }

/** The way in which a person wants rows to be split. `isDivided`: each new row has its share of the price. */
export type Splitting = { isDivided: boolean; decimal: DecimalMark | null }

/** The row of each IMEI. It has all cells of the row but those about the row as a whole. */
function piecesOfRow(row: readonly string[], imeis: readonly string[], by: SplitBy): string[][] {
  const prices = by.price === null ? undefined : dividedPrice(row[by.price] ?? '', by.decimal, imeis.length)
  const cellOf = (cell: string, column: number, at: number) =>
    column === by.imei
      ? (imeis[at] ?? '')
      : by.of_row.includes(column)
        ? ''
        : column === by.price
          ? (prices?.[at] ?? cell)
          : cell
  return imeis.map((_, at) => row.map((cell, column) => cellOf(cell, column, at)))
}

/**
 * Splits the rows of a part into one row for each of their IMEIs, if a person wants that; otherwise the part has the
 * rows of the file. Each new row is numbered after the last row of the file. If the rows were split in another way
 * before, they are put together first; cells that a person has corrected since stay corrected.
 */
export function inPieces(part: Part, places: Places | null, wanted: Splitting | null, nextLine: () => number): Part {
  const by: SplitBy | null = wanted &&
    places && {
      imei: places.imei,
      of_row: places.ofRow,
      price: wanted.isDivided ? places.price : null,
      decimal: wanted.isDivided ? wanted.decimal : null,
    }
  const isAsBefore = by !== null && isDeepStrictEqual(part.pieces?.by, by)
  const whole = isAsBefore ? part : putTogether(part, by !== null)
  if (!by || !places) return whole
  const [lines, cells]: [number[], string[][]] = [[], []]
  const pieces: Pieces = { ...structuredClone(whole.pieces ?? { rows: {}, of: {} }), by }
  let room = MOST_ROWS - whole.lines.length
  let isChanged = false
  for (const [row, line] of zip(whole.cells, whole.lines)) {
    const several = severalIn(row, places)
    if (several?.kind !== 'items' || several.imeis.length - 1 > room) {
      lines.push(line)
      cells.push(row)
      continue
    }
    const of = pieces.of[line] ?? line
    for (const [at, made] of piecesOfRow(row, several.imeis, by).entries()) {
      const [corrected, own] =
        Object.entries(pieces.typed ?? {}).find(([, one]) => one.of === of && one.at === at) ?? []
      const number = corrected ? Number(corrected) : at === 0 ? line : nextLine()
      lines.push(number)
      cells.push(withCells(made, own?.cells ?? {}))
      if (corrected) delete pieces.typed?.[corrected]
      if (at > 0) pieces.of[number] = of
    }
    room -= several.imeis.length - 1
    isChanged = true
    pieces.rows[of] ??= Object.fromEntries(row.entries())
  }
  return isChanged ? { lines, cells, pieces } : whole
}

/**
 * The part as it was before its rows were split. Corrections of split rows are kept for the next time (`typed`), except
 * that those of the first row stay in that row, if it is not split again at once and they are not about its IMEI.
 */
function putTogether({ lines, cells, pieces }: Part, isSplitAgain: boolean): Part {
  if (!pieces || Object.keys(pieces.rows).length === 0) return { lines, cells, pieces }
  const { rows, of, by } = pieces
  const typed = { ...pieces.typed }
  const whole: Part = { lines: [], cells: [], pieces: null }
  for (const [line, own] of Map.groupBy(zip(lines, cells), ([line]) => of[line] ?? line)) {
    const had = rows[line]
    const row = first(own)[1]
    whole.lines.push(line)
    if (!had || !by) {
      whole.cells.push(had ? row.map((cell, column) => had[column] ?? cell) : row)
      continue
    }
    const before = Object.values(had)
    const made = piecesOfRow(before, imeisOfCell(before[by.imei] ?? ''), by)
    const stays = (at: number, column: number) =>
      at === 0 && !isSplitAgain && column !== by.imei && column !== by.price && !by.of_row.includes(column)
    const kept: Record<string, string> = {}
    // If a row was split twice, nobody can tell which of the new rows will be the same phone.
    for (const [at, [number, now]] of made.length === own.length ? own.entries() : []) {
      const corrected = [...now.entries()].filter(([column, cell]) => cell !== made[at]?.[column])
      const away = corrected.filter(([column]) => !stays(at, column))
      if (away.length > 0) typed[number] = { of: line, at, cells: Object.fromEntries(away) }
      for (const [column, cell] of corrected) if (stays(at, column)) kept[column] = cell
    }
    whole.cells.push(withCells(before, kept))
  }
  if (Object.keys(typed).length > 0) whole.pieces = { rows: {}, of: {}, typed }
  return whole
}

/** A row with other cells in some of its columns, also beyond its end. */
function withCells(row: readonly string[], cells: Readonly<Record<string, string>>): string[] {
  const last = Math.max(row.length - 1, ...Object.keys(cells).map(Number))
  return Array.from({ length: last + 1 }, (_, column) => cells[column] ?? row[column] ?? '')
}

/** The number of rows that were split, and the number of rows that they became. */
export function countPieces(pieces: Pieces | null): { rows: number; items: number } {
  const rows = Object.keys(pieces?.rows ?? {}).length
  return { rows, items: rows + Object.keys(pieces?.of ?? {}).length }
}

/** The rows of a part of a file. */
export const rowsOf = ({ lines, cells, pieces }: Part): CsvRow[] =>
  zip(lines, cells).map(([line, row]) => {
    const of = pieces?.of[line]
    return of === undefined ? { line, cells: row } : { line, of, cells: row }
  })
