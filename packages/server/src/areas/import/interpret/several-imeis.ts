import type { ColumnTarget } from '@backstock/contract/import-preview.ts'
import { dividedPrice } from '@backstock/contract/import-prices.ts'
import { imeisOfCell, quantityOf, saysQuantity, saysTotal } from '@backstock/contract/mixed-identifiers.ts'
import type { DecimalMark, Pieces, PreviewSettings } from '../../../db/preview-columns.ts'
import { zip } from '../../../lists.ts'
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
const askSeveral = (many: number) => `This row has ${many} IMEIs: say whether it is ${many} items.`
const CONTRADICTS = /^The quantity is \d+, but the cell has [^.]+\.$/
const ASKED = /^This row has \d+ IMEIs: say whether it is \d+ items\.$/
const ASKED_OF_ALL = 'These rows have several IMEIs: say whether each IMEI is an item.'

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
      ? `A phone has two IMEIs at most, and this cell has ${many}.`
      : `So many rows of this file have several IMEIs that this one was left: give each its own row.`

/**
 * The most rows that a part of the file may have after its rows were split, because a part is read and written as a
 * whole.
 */
const MOST_ROWS = 5000

type Part = { lines: number[]; cells: string[][]; pieces: Pieces | null }

/** The way in which a person wants rows to be split. `isDivided`: each new row has its share of the price. */
export type Splitting = { isDivided: boolean; decimal: DecimalMark | null }

/**
 * Splits the rows of a part into one row for each of their IMEIs, if a person wants that; otherwise the part has the
 * rows of the file. Each new row is numbered after the last row of the file. It has all cells of its row but those
 * about the row as a whole.
 */
export function inPieces(part: Part, places: Places | null, wanted: Splitting | null, nextLine: () => number): Part {
  // If the rows were split in another way before, they are put together first.
  const isAsBefore = wanted !== null && (part.pieces?.isDivided ?? false) === wanted.isDivided
  const whole = isAsBefore ? part : put(part)
  if (!wanted || !places) return whole
  const [lines, cells]: [number[], string[][]] = [[], []]
  const pieces: Pieces = structuredClone(whole.pieces ?? { rows: {}, of: {} })
  if (wanted.isDivided) pieces.isDivided = true
  let room = MOST_ROWS - whole.lines.length
  let isChanged = false
  for (const [row, line] of zip(whole.cells, whole.lines)) {
    const several = severalIn(row, places)
    const isSplit = several?.kind === 'items' && several.imeis.length - 1 <= room
    const prices =
      isSplit && wanted.isDivided
        ? dividedPrice(row[places.price] ?? '', wanted.decimal, several.imeis.length)
        : undefined
    for (const [at, imei] of (isSplit ? several.imeis : [null]).entries()) {
      const own = at === 0 ? line : nextLine()
      lines.push(own)
      cells.push(
        imei === null
          ? row
          : row.map((cell, c) =>
              c === places.imei
                ? imei
                : places.ofRow.includes(c)
                  ? ''
                  : c === places.price
                    ? (prices?.[at] ?? cell)
                    : cell,
            ),
      )
      if (at > 0) pieces.of[own] = line
    }
    if (!isSplit) continue
    room -= several.imeis.length - 1
    isChanged = true
    const had = [places.imei, ...places.ofRow, ...(prices ? [places.price] : [])]
    pieces.rows[line] = Object.fromEntries(had.map((column) => [column, row[column] ?? '']))
  }
  return isChanged ? { lines, cells, pieces } : whole
}

/** The part as it was before its rows were split. */
function put({ lines, cells, pieces }: Part): Part {
  if (!pieces) return { lines, cells, pieces }
  const own = zip(lines, cells).filter(([line]) => !Object.hasOwn(pieces.of, line))
  return {
    lines: own.map(([line]) => line),
    cells: own.map(([line, row]) => {
      const had = pieces.rows[line]
      return had ? row.map((cell, c) => had[c] ?? cell) : row
    }),
    pieces: null,
  }
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
