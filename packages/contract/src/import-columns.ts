import {
  columnCalled,
  type ExportColumn,
  fieldFilledBy,
  IMPORT_FIELDS,
  type ImportField,
  isGrading,
  mayBeKnown,
  plainColumnName,
  resultColumns,
} from './csv-columns.ts'
import { identifierOfCell } from './identifier-cell.ts'
import { compactIdentifier, isWholeImei, passesLuhn } from './imei.ts'
import { ALIAS_KEYS, aliasKey, bareName, NEUTRAL } from './import-aliases.ts'
import { FLAGS, isBareFlag, isCellFor } from './import-cells.ts'
import { dateOf, monthFirstDate } from './import-dates.ts'
import type { ColumnTarget, RECOGNISED_BY } from './import-preview.ts'
import { currencyOfColumn, currencyOfPrice, decimalOf, saysDollars, withoutCurrency } from './import-prices.ts'
import { areMixed, imeisOfCell } from './mixed-identifiers.ts'
import { spreadsheetError } from './spreadsheet-error.ts'
import { saysSum } from './sum-row.ts'

export { FLAGS, isWholeShare, plainCell, shareLook, ticks } from './import-cells.ts'
export { bothDays, firstOfDate, monthFirstDate } from './import-dates.ts'
export { ambiguousMark, currencyCalled, currencyOfColumn, currencyOfPrice, decimalOf } from './import-prices.ts'
export { bareCapacities, splitModel } from './split-model.ts'

export type GuessedColumn = { field: ColumnTarget; how: Exclude<(typeof RECOGNISED_BY)[number], 'chosen'> }

/**
 * The most characters of a text that are looked at. No name of ours is longer, and no cell by which a column can be
 * recognised.
 */
const LONGEST = 256
/** The share of a column's cells that must be of one kind, so that the whole column counts as this kind. */
const MOST = 0.8
/**
 * The most cells of the whole sample that are checked for identifiers. Each column gets an equal part, at least
 * `LEAST_CELLS`.
 */
const MOST_CELLS = 10_000
const LEAST_CELLS = 5

/** Identifiers that are recognised by their form. */
const FORMS: readonly (readonly [field: ImportField, isForm: (identifier: string) => boolean])[] = [
  ['imei', (text) => /^\d{15}$/.test(text) && passesLuhn(text)],
  ['eid', (text) => /^\d{32}$/.test(text)],
  // An MEID needs a letter here: with decimal digits alone it might be an IMEI without its check digit.
  ['meid', (text) => /^(?=.*[A-F])[\dA-F]{14}$/i.test(text)],
]

/**
 * The fields of the columns of a supplier's file. A column is recognised by the name of a field, by an alias, by memory
 * (its keys are `plainColumnName`) or by its cells, in this order. Each field is given to one column at most. Some
 * fifty `samples` (rows of cells) are enough. An unknown column becomes a further column under its name; it is left out
 * if it has no name, or the name of another further column.
 */
export function guessColumns(
  header: readonly string[],
  samples: readonly (readonly string[])[],
  remembered: ReadonlyMap<string, ColumnTarget> = new Map(),
): GuessedColumn[] {
  const guessed = new Map<number, GuessedColumn>()
  const taken = new Set<ColumnTarget>()
  const give = (n: number, field: ColumnTarget, how: GuessedColumn['how']) => {
    const filled = fieldFilledBy(field)
    if (guessed.has(n) || (filled !== 'further' && taken.has(filled))) return
    guessed.set(n, { field, how })
    if (filled !== null) taken.add(filled)
  }
  const cellsOf = (n: number, rows = samples) =>
    rows.map((row) => row[n]?.slice(0, LONGEST).trim() ?? '').filter((cell) => cell !== '')
  // A row with one cell is a sentence below the table, not a row of it.
  const full = samples.filter((row) => row.filter((cell) => cell !== '').length > 1)
  const inTable = full.length > 0 ? full : samples
  const named = [...header.entries()]
    .filter(([, name]) => name !== '' && name.length < LONGEST)
    .map(([n, name]) => ({ n, name, called: columnCalled(name) }))

  for (let n = 0; n < resultColumns(header); n++) give(n, null, 'name')
  // Exact names go first: an older export may have a further column `Sales Price` beside our `sales_price`.
  for (const { n, name, called } of named) if (called === name) give(n, targetOf(called), 'name')
  for (const { n, name, called } of named) {
    if (called) give(n, targetOf(called), 'name')
    else if (isGrading(name)) give(n, 'further', 'name')
  }
  for (const keyOf of [aliasKey, (name: string) => aliasKey(bareName(name))]) {
    const byKey = Map.groupBy(named, ({ name }) => keyOf(name))
    for (const [column, aliases] of ALIAS_KEYS)
      for (const alias of aliases)
        for (const { n } of byKey.get(alias) ?? []) {
          const isOne = (cell: string) => isCellFor(column, cell) && !(NEUTRAL.has(alias) && isBareFlag(cell))
          if (
            holds(
              cellsOf(n, inTable).filter((cell) => cell !== header[n] && isOfPhone(cell)),
              isOne,
            )
          )
            give(n, column, 'alias')
        }
  }
  const kept = new Set([...guessed].flatMap(([n, { field }]) => (field === 'further' ? header[n]! : [])))
  for (const { n, name, called } of remembered.size > 0 ? named : []) {
    const target = remembered.get(plainColumnName(name))
    // If a column has the exact name of one of ours, it is ours, as in an export. Memory cannot make it a further
    // column.
    const canBe = target !== 'further' || (called !== name && !kept.has(name))
    if (target === undefined || !canBe || guessed.has(n)) continue
    if (target === 'further') kept.add(name)
    give(n, target, 'remembered')
  }
  // If two columns have prices in other currencies, neither is taken: a person has to choose.
  const foreign = named.filter(
    ({ n, name }) =>
      !guessed.has(n) &&
      isForeignPrice(name) &&
      holds(
        cellsOf(n, inTable).filter((cell) => cell !== name && isOfPhone(cell)),
        (cell) => isCellFor('purchase_price', cell),
      ),
  )
  if (foreign.length === 1) give(foreign[0]!.n, 'purchase_price', 'alias')
  const identifierIn = (cell: string) => (mayBeKnown(cell) ? compactIdentifier(identifierOfCell(cell)) : '')
  const cellsLookedAt = Math.max(LEAST_CELLS, Math.floor(MOST_CELLS / header.length))
  const identifiersByColumn = header.map((_, n) =>
    guessed.has(n) ? [] : cellsOf(n).slice(0, cellsLookedAt).map(identifierIn),
  )
  for (const [field, isForm] of FORMS)
    for (const [n, identifiers] of identifiersByColumn.entries())
      if (identifiers.length > 0 && holds(identifiers, isForm)) give(n, field, 'values')
  for (const [n, identifiers] of identifiersByColumn.entries()) if (areMixed(identifiers)) give(n, 'imei', 'values')
  for (const n of header.keys())
    if (!guessed.has(n) && areGathered(inTable.map((row) => row[n] ?? ''))) give(n, 'imei', 'values')
  const further = new Set([...guessed].flatMap(([n, { field }]) => (field === 'further' ? header[n]! : [])))
  for (const [n, name] of header.entries()) {
    if (name === '' || guessed.has(n) || further.has(name)) continue
    further.add(name)
    give(n, 'further', 'none')
  }
  return header.map((_, n) => guessed.get(n) ?? { field: null, how: 'none' })
}

const PRICE_KEYS: ReadonlySet<string> = new Set(ALIAS_KEYS.find(([column]) => column === 'purchase_price')?.[1])

/** Whether a column's name means a price in a stated currency, as `Price (£)`, `Price ($)` and `USD` do. */
function isForeignPrice(name: string): boolean {
  const key = aliasKey(bareName(withoutCurrency(name)))
  return (saysDollars(name) || currencyOfColumn(name) !== undefined) && (key === '' || PRICE_KEYS.has(key))
}

/** Whether most of the filled cells hold IMEIs, and at least one of them holds several. */
function areGathered(cells: readonly string[]): boolean {
  const filled = cells.filter((cell) => cell.trim() !== '')
  const several = filled.filter((cell) => imeisOfCell(cell).length > 1)
  return several.length > 0 && several.length + filled.filter(isImeiCell).length >= filled.length * MOST
}

/**
 * Whether a column can be recognised by this cell. Totals and errors of a spreadsheet do not help: they occur in any
 * column.
 */
const isOfPhone = (cell: string) => spreadsheetError(cell) === null && !saysSum(cell)

/** The field that a column of ours fills; null for `batch`, which an export writes for people and no import reads. */
const targetOf = (column: ExportColumn): ColumnTarget => IMPORT_FIELDS.find((field) => field === column) ?? null

function holds(cells: readonly string[], isOne: (cell: string) => boolean): boolean {
  return cells.filter(isOne).length >= cells.length * MOST
}

const HEADER_WITHIN = 20
/** The number of cells of a row in which names of columns are looked for. No supplier's file has more columns. */
const HEADER_WIDTH = 200

/** Whether a cell is an IMEI, with a right check digit. */
const isImeiCell = (cell: string) => mayBeKnown(cell) && isWholeImei(compactIdentifier(identifierOfCell(cell)))

/**
 * The index of the header among the first rows; null if the file has none. The header is the row with the most names
 * that we know, so titles above it are skipped. A row with an IMEI is a phone, and so is a wide row with more values
 * than names; the header comes before the first phone. If a row has one known name, that proves little, because the
 * cells of a phone can be such names too (`Phone`). Then the header is the first row with as many cells as that row.
 */
export function headerRowOf(rows: readonly (readonly string[])[]): number | null {
  const all = rows.slice(0, HEADER_WITHIN).map((row) => row.map((cell) => cell.slice(0, LONGEST).trim()))
  const imei = all.findIndex((row) => row.slice(0, HEADER_WIDTH).some(isImeiCell))
  const above = imei === -1 ? all : all.slice(0, imei)
  const filled = above.map(filledCells)
  const widest = Math.max(0, ...filled)
  const names = above.map(
    (row) => guessColumns(row.slice(0, HEADER_WIDTH), []).filter(({ how }) => how !== 'none').length,
  )
  const values = above.map((row, n) => (filled[n]! * 2 < widest ? 0 : valuesOf(row)))
  const arePhones = values.map((count, n) => count > Math.max(1, names[n]!))
  const known = names.map((count, n) => (arePhones[n] ? 0 : count))
  const most = Math.max(0, ...known)
  const best = known.indexOf(most)
  // Words such as `locked` are names of columns too. So a row below a phone is the header only if it has further names.
  const isBelow = arePhones.slice(0, best).includes(true) && most <= values[best]! + 1
  if (!isBelow && (most > 1 || (most === 1 && filled[best] === 1 && isOneColumn(all, best)))) return best
  const phone = arePhones.includes(true) ? arePhones.indexOf(true) : imei
  const first = phone === -1 ? filled : filled.slice(0, phone)
  const named = known.slice(0, first.length).indexOf(1)
  const cells = named !== -1 && first[named]! > 1 ? first[named]! : Math.max(0, ...first)
  const at = first.findIndex((count) => count >= cells)
  // If the best row has less than half as many cells as the first phone, it is a title, and the file has no header.
  if (phone !== -1 && (at === -1 || first[at]! * 2 < filledCells(all[phone]!))) return null
  return Math.max(0, at)
}

/** Whether a list of one column begins after this row. In a wider table, a row with one cell is a title or a footer. */
function isOneColumn(rows: readonly (readonly string[])[], header: number): boolean {
  const filled = rows.map(filledCells)
  return filled.slice(header + 1).filter((cells) => cells === 1).length >= filled.filter((cells) => cells > 1).length
}

/** The most characters of a cell that can be a date or an amount. */
const LONGEST_VALUE = 40

/**
 * The number of cells with values, in a row that has a date, an amount or an error; 0 in any other row, such as a
 * header.
 */
function valuesOf(row: readonly string[]): number {
  const cells = row.slice(0, HEADER_WIDTH).filter((cell) => cell.length <= LONGEST_VALUE && mayBeKnown(cell))
  const figures = cells.filter((cell) => isDay(cell) || isAmount(cell) || spreadsheetError(cell) !== null).length
  return figures && figures + cells.filter((cell) => /^\d+$/.test(cell) || isBareFlag(cell) || isFlagWord(cell)).length
}
const isDay = (cell: string) => /\d/.test(cell) && (dateOf(cell) ?? monthFirstDate(cell)) !== undefined
const isAmount = (cell: string) =>
  /\d/.test(cell) && (currencyOfPrice(cell) !== undefined || decimalOf([cell]) !== null)
/** Whether a cell is a word for a phone's state, such as `locked`. It may be a column's name as well. */
const isFlagWord = (cell: string) => /\p{L}{3}/u.test(cell) && FLAGS.some((flag) => isCellFor(flag, cell))

const filledCells = (row: readonly string[]) => row.filter(Boolean).length

/** Names for the columns of a file without a header, as many as the longest row has cells. */
export function namelessColumns(rows: readonly (readonly string[])[]): string[] {
  return Array.from({ length: Math.max(0, ...rows.map((row) => row.length)) }, (_, n) => `Column ${n + 1}`)
}
