import { type FileNote, type NamedField, ROW_KINDS } from '@backstock/contract/import-preview.ts'
import { CURRENCY } from '@backstock/contract/money.ts'
import { isRateMissing, NEEDS_RATES } from '@backstock/contract/purchase-currency.ts'
import { withoutCapacity } from '@backstock/contract/split-model.ts'
import type { PlannedRow, PlanSummary } from '../../../db/preview-columns.ts'
import type { MeantRow } from '../decide/choose-item.ts'
import type { Known } from '../decide/decide-rows.ts'
import type { Decision } from '../decide/decision.ts'
import { nameOf } from '../decide/planned-row.ts'
import { tacOfRow } from '../interpret/products-of-rows.ts'
import { severalReason } from '../interpret/several-imeis.ts'
import { type Found, meaningKey } from '../interpret/translation.ts'
import { type DescribedProduct, productKey } from '../read/described-product.ts'
import { IDENTIFYING, rowInFile } from '../read/parse-row.ts'
import type { CountedName } from './nearest-names.ts'

/** The most reasons and names that a plan reports, and the most different ones that it counts. */
const MAX_REASONS = 100
const MAX_NAMES = 200
const MAX_COUNTED = 5000
const FIRST_ROWS = 3

/** In previews that the last release has stored, this message says 'in hand has this'. */
const IN_STOCK = /^(?:Item #\d+|Another item) (?:already|in hand) has this ([^.]+)\.$/
const TWICE = /^This ([^.]+) is already in this file, row \d+\.$/
const inStock = (called: string) => `This ${called} is in stock already.`

/** The message without the items, rows and currencies that it names, so that equal reasons can be counted together. */
export function reasonKind(message: string): string {
  const [, held] = IN_STOCK.exec(message) ?? []
  if (held) return inStock(held)
  const [, twice] = TWICE.exec(message) ?? []
  if (twice) return `This ${twice} is in this file more than once.`
  if (isRateMissing(message)) return NEEDS_RATES
  return severalReason(message) ?? message.replace(/#\d+/g, '#…')
}

/**
 * Whether the message means that an item is in stock already. If changes of existing items are allowed, the row would
 * change it.
 */
export const isInStock = (message: string) =>
  IN_STOCK.test(message) || /^This [^.]+ is in stock already\.$/.test(message)

/** Whether a row may be about a phone. A row that adds up others, or a sentence below the table, is not. */
const hasIdentifier = ({ row: { cells, errors, isNoItem } }: MeantRow) =>
  !isNoItem && IDENTIFYING.some((column) => cells[column] !== undefined || column in errors)

const fails = (decision: Decision, field: string) => decision.kind === 'failed' && field in decision.errors

/** The sums over the rows of a plan. The plan adds each row as it goes. */
export function newSummary() {
  const counts = { new: 0, updated: 0, unchanged: 0, failed: 0 }
  const reasons = new Map<string, PlanSummary['reasons'][number]>()
  const names = new Map<string, CountedName>()
  const tacs = new Map<string, number>()
  const currencies = new Map<string, { currency: string; rows: number }>()
  const errors = { count: 0, first: [] as number[] }
  const quantities = { count: 0, first: [] as number[] }
  const blankLocks = { locked: 0, unlocked: 0 }

  type More = { isAmbiguous?: boolean; of?: DescribedProduct }
  function countName(field: NamedField, seen: string, isMade: boolean, { isAmbiguous, of }: More = {}): void {
    const key = meaningKey(field, seen)
    const known = names.get(key)
    if (known) {
      known.rows++
      known.is_made ||= isMade
    } else if (names.size < MAX_COUNTED)
      names.set(key, {
        ...{ field, seen, rows: 1, is_made: isMade },
        ...(isAmbiguous && { is_ambiguous: true }),
        ...(of && { of }),
      })
  }

  /** Counts a row whose price needs an exchange rate that neither the row nor its item has. */
  function countCurrency({ row: { values }, item }: MeantRow): void {
    const { purchase_currency: currency, fx_rate } = values
    if (currency === undefined || currency === CURRENCY || fx_rate !== undefined) return
    if (item?.row.purchase_currency === currency) return
    const found = currencies.get(currency) ?? { currency, rows: 0 }
    currencies.set(currency, { currency, rows: found.rows + 1 })
  }

  function countNames(meant: MeantRow, known: Known, decision: Decision): void {
    const { row, product } = meant
    const { supplier, vat, grade } = row.values
    const suppliers = supplier === undefined ? [] : known.suppliers(supplier)
    // If several suppliers have this name, the item may have one of them already; then the row does not fail.
    if (supplier !== undefined && (suppliers.length === 0 || (suppliers.length > 1 && fails(decision, 'supplier'))))
      countName('supplier', supplier, false, { isAmbiguous: suppliers.length > 1 })
    if (vat !== undefined && known.vats(vat).length === 0) countName('vat', vat, false)
    if (grade !== undefined && known.grades(grade).length === 0) countName('grade', grade, false)
    if (product && !known.products.has(productKey(product))) {
      const isMade = decision.kind !== 'failed'
      countName('product', nameOf(product), isMade, { of: product })
      countName('make', product.make, isMade)
      if (product.category !== null) countName('category', product.category, isMade)
      if (product.colour !== null) countName('colour', product.colour, isMade)
    }
    const { make, model, category, colour } = row.values
    if (!product && !meant.item && make === undefined && model !== undefined) {
      countName('make_of_model', withoutCapacity(model), false)
      // A person decides about all names at once, and not about these after the make.
      if (category !== undefined) countName('category', category, false)
      if (colour !== undefined) countName('colour', colour, false)
    }
    const tac = product || decision.kind !== 'failed' ? undefined : tacOfRow(row)
    if (tac !== undefined && (tacs.has(tac) || tacs.size < MAX_COUNTED)) tacs.set(tac, (tacs.get(tac) ?? 0) + 1)
  }

  return {
    add(meant: MeantRow, known: Known, decision: Decision, planned: PlannedRow): void {
      counts[planned.kind]++
      if (meant.row.hasIgnoredError) countRow(errors, rowInFile(meant.row))
      if (meant.row.hasOtherQuantity && planned.kind === 'new') countRow(quantities, rowInFile(meant.row))
      const blank = planned.kind === 'failed' ? undefined : meant.row.blankLock
      // An empty cell changes nothing about an existing item, so only new items count.
      if (blank === 'locked' || (blank === 'unlocked' && planned.kind === 'new')) blankLocks[blank]++
      // A row without an identifier is no phone, so nobody is asked about its names or its currency.
      if (hasIdentifier(meant)) {
        countNames(meant, known, decision)
        countCurrency(meant)
      }
      if (planned.kind !== 'failed') return
      for (const [field, message] of Object.entries(planned.errors)) {
        const kind = reasonKind(message)
        const key = JSON.stringify([field, kind])
        const same = reasons.get(key)
        if (same) {
          same.rows++
          if (same.message !== message) same.message = kind
        } else if (reasons.size < MAX_COUNTED)
          reasons.set(key, { field, message, rows: 1, first_row: rowInFile(meant.row) })
      }
    },
    counts,
    /** The rows in which a spreadsheet's error counts as an empty cell. */
    errors,
    /** The new items whose rows have a quantity other than 1. */
    quantities,
    /** The number of items for which an empty cell means locked, and of items for which it means unlocked. */
    blankLocks,
    /** The reasons, those with the most rows first. */
    reasons: () => mostRows(reasons, MAX_REASONS),
    names: () => mostRows(names, MAX_NAMES),
    /** The currencies of rows without a rate. */
    currencies: () => mostRows(currencies, MAX_NAMES),
    /** The TACs of phones in rows that name no product. */
    tacs: () => mostRows(new Map([...tacs].map(([tac, rows]) => [tac, { tac, rows }])), MAX_NAMES),
  }
}
export type Summary = ReturnType<typeof newSummary>

function countRow(rows: { count: number; first: number[] }, line: number): void {
  rows.count++
  if (rows.first.length < FIRST_ROWS) rows.first.push(line)
}

function mostRows<One extends { rows: number }>(all: ReadonlyMap<string, One>, many: number): One[] {
  return [...all.values()].toSorted((a, b) => b.rows - a.rows).slice(0, many)
}

/** The number of rows of each kind in a part of the file, in the order of `ROW_KINDS`. */
export const kindsOf = (rows: readonly PlannedRow[]) =>
  ROW_KINDS.map((kind) => rows.filter((row) => row.kind === kind).length)

/** The number of rows with each model, for the notes that name models. */
type NamedModels = Record<'makes' | 'memories', ReadonlyMap<string, number>>

/** The most models that a note names. */
const FIRST_MODELS = 5

/** Notes for a person about how the rows were read. */
export function notesOfRows({ identifiers, twoImeis }: Found, { makes, memories }: NamedModels): FileNote[] {
  const notes: FileNote[] = []
  for (const [kind, named] of [['makes', makes] as const, ['memories', memories] as const]) {
    const models = [...named].toSorted(([, a], [, b]) => b - a)
    const rows = models.reduce((sum, [, many]) => sum + many, 0)
    if (rows > 0) notes.push({ kind, count: rows, where: models.slice(0, FIRST_MODELS).map(([name]) => name) })
  }
  const kinds = Object.entries(identifiers).filter(([, many]) => many > 0)
  if (kinds.some(([kind]) => kind !== 'imei'))
    notes.push({
      kind: 'identifiers',
      count: kinds.reduce((sum, [, many]) => sum + many, 0),
      where: kinds.map(([kind, many]) => `${many.toLocaleString('en')} ${CALLED[kind]}${many === 1 ? '' : 's'}`),
    })
  if (twoImeis > 0) notes.push({ kind: 'two_imeis', count: twoImeis, where: [] })
  return notes
}
const CALLED: Readonly<Record<string, string>> = {
  imei: 'IMEI',
  meid: 'MEID',
  eid: 'EID',
  serial_number: 'serial number',
}
