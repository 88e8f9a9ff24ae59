import {
  DEFAULT_FIELDS,
  type FileColumn,
  fieldFilledBy,
  GRADING,
  IMPORT_FIELDS,
  type ImportField,
  INVERSES,
  isGrading,
  isInverse,
} from '@backstock/contract/csv-columns.ts'
import { identifierOfCell } from '@backstock/contract/identifier-cell.ts'
import { compactIdentifier, NEEDS_IDENTIFIER } from '@backstock/contract/imei.ts'
import {
  ambiguousMark,
  currencyCalled,
  currencyOfPrice,
  FLAGS,
  isWholeShare,
  monthFirstDate,
  plainCell,
} from '@backstock/contract/import-columns.ts'
import { NAMED_FIELDS, type NamedField, type Settles } from '@backstock/contract/import-preview.ts'
import { dollarCalled, saysDollar, saysDollars } from '@backstock/contract/import-prices.ts'
import { allowsOtherKinds, type MixedKind, mixedKindOf } from '@backstock/contract/mixed-identifiers.ts'
import { parseCurrencyUnits } from '@backstock/contract/money.ts'
import { plainName } from '@backstock/contract/plain-text.ts'
import { isRateMissing, parseFxRate } from '@backstock/contract/purchase-currency.ts'
import { withoutCapacity } from '@backstock/contract/split-model.ts'
import type { DecimalMark, PreviewSettings } from '../../../db/preview-columns.ts'
import { NEEDS_CATEGORY, REQUIRED } from '../read/described-product.ts'
import { type ParsedRow, parseRow, type Target, type Translated } from '../read/parse-row.ts'
import { askedOf, datesIn, decimalIn, dollarIn, PRICES } from './decimal.ts'
import { asksSeveral, otherQuantity, placesOf, type Several, settleSeveral, severalIn } from './several-imeis.ts'

/** The messages of rows that wait for a person's answer. */
export const SAY_DATES = 'Day and month may be in either order: choose how dates are written.'
const SAY_AMOUNTS = 'may be read in two ways: choose how amounts are written.'
/**
 * The answer that settles rows with this message under a field; null if no answer does. `columns` are the fields that
 * the file's columns have.
 */
export function askedBy(
  field: string,
  message: string,
  { columns, hasHeader }: { columns: ReadonlySet<string | null>; hasHeader: boolean },
): Settles | null {
  // If the file has no header, any of its columns may hold the field.
  if (message === REQUIRED && !hasHeader && !columns.has(field)) return 'column'
  if (message === REQUIRED && field === 'make') return 'make'
  if (message === REQUIRED && field === 'purchase_price') return 'price'
  if (message === REQUIRED && !columns.has(field)) return 'column'
  if (message === NEEDS_IDENTIFIER && !columns.has('imei') && !columns.has('serial_number')) return 'column'
  // Previews that the last release has stored have other words before these.
  if (message.endsWith('how dates are written.')) return 'dates'
  if (message.endsWith('how amounts are written.')) return 'decimal'
  if (asksSeveral(message)) return 'several'
  if (message === NEEDS_CATEGORY) return 'category'
  return isRateMissing(message) ? 'rate' : null
}

/** The form in which names are compared. */
export const plainKey = (name: string) => plainName(name).toLowerCase()
export const meaningKey = (field: NamedField, seen: string) => `${field} ${plainKey(seen)}`

/** The targets of the file's columns, as they were recognised or chosen. */
export function targetsOfSettings(header: readonly string[], { columns }: Pick<PreviewSettings, 'columns'>): Target[] {
  return columns.map(({ field }, n) => {
    const name = header[n] ?? ''
    if (field === null || (field === 'further' && name === '')) return null
    if (field !== 'further') return { to: 'column', name: fieldFilledBy(field) }
    return isGrading(name) ? { to: 'grading', name: name.slice(GRADING.length) } : { to: 'attribute', name }
  })
}

/** Facts about the rows that were read, which a person should know. */
export type Found = {
  identifiers: Record<MixedKind, number>
  /** The number of rows whose cell had the two IMEIs of one phone. */
  twoImeis: number
  /** The rows whose IMEIs would be items of their own, if a person says so. */
  several: { rows: number; items: number }
  /** The number of prices with the sign `$` alone. */
  dollars: number
}

type TranslatedRow = Pick<ParsedRow, Translated>
export type Translation = {
  /** Reads the cells of a row of the file as the import's fields. */
  read(row: { line: number; cells: string[] }): ParsedRow
  meaningOf(field: NamedField, seen: string): string | undefined
  /** The keys (`meaningKey`) of the meanings that were used for rows. */
  used: Set<string>
  found: Found
}

/**
 * Makes the function that reads rows by the preview's settings: it puts cells into the form in which an import reads
 * them, replaces names by their meanings, and fills empty cells with the defaults, even if the file has no such column.
 */
export function translationOf(
  header: readonly string[],
  settings: PreviewSettings,
  updateExisting: boolean,
  vatOf: (cell: string) => string,
): Translation {
  const targets = targetsOfSettings(header, settings)
  const decimal = decimalIn(settings)
  const mark = decimal === 'mixed' ? null : decimal
  const found: Found = {
    identifiers: { imei: 0, meid: 0, eid: 0, serial_number: 0 },
    twoImeis: 0,
    several: { rows: 0, items: 0 },
    dollars: 0,
  }
  const { meaningOf, used } = meaningsIn(settings)
  const places = placesOf(header, settings)
  const quantityOf = otherQuantity(header, settings)
  const sortIdentifiers = identifierStep(header, settings, found)
  const steps: Step[] = [
    pricingStep(settings),
    currencyStep(header, settings, found),
    tickStep(settings),
    shareStep(settings),
    askStep(settings, mark),
    plainStep(settings, mark),
    ({ cells }) => {
      if (cells.vat !== undefined) cells.vat = vatOf(cells.vat)
    },
    defaultStep(settings),
    nameStep(meaningOf),
  ]
  const read: Translation['read'] = (row) => {
    const several = places && severalIn(row.cells, places)
    const parsed = parseRow(targets, row, updateExisting, (one) => {
      sortIdentifiers(one, several)
      for (const step of steps) step(one)
    })
    if (quantityOf(row.cells) !== null) parsed.hasOtherQuantity = true
    return parsed
  }
  return { read, meaningOf, used, found }
}

/** A step of the translation, which changes a row in place. Each step finds the row as the step before has left it. */
type Step = (row: TranslatedRow) => void

/** The meanings of names by the settings, and the keys of those that were asked for. */
function meaningsIn({ meanings }: PreviewSettings): Pick<Translation, 'meaningOf' | 'used'> {
  const used = new Set<string>()
  const known = new Map(
    meanings.flatMap(({ field, seen, means }) => (means === null ? [] : [[meaningKey(field, seen), means]])),
  )
  const meaningOf = (field: NamedField, seen: string) => {
    const key = meaningKey(field, seen)
    const means = known.get(key)
    if (means !== undefined) used.add(key)
    return means
  }
  return { meaningOf, used }
}

/** Settles rows with several IMEIs, and puts each other identifier into the field of its kind. */
function identifierStep(header: readonly string[], settings: PreviewSettings, found: Found) {
  const isEither = settings.columns.some(({ field }, n) => field === 'imei' && allowsOtherKinds(header[n] ?? ''))
  // `areImeis` is undefined in previews that an older version of Backstock has made.
  const keepsSerial = settings.columns.some(({ field, areImeis }) => field === 'serial_number' && areImeis === false)
  return (row: TranslatedRow, several: Several | null): void => {
    row.keepsSerial = keepsSerial
    if (several && row.cells.imei !== undefined) {
      if (settleSeveral(row, several, settings.several)) found.twoImeis++
      if (several.kind === 'items') {
        found.several.rows++
        found.several.items += several.imeis.length
      }
    } else if (isEither) settleIdentifier(row.cells, found.identifiers)
  }
}

/** Moves the identifier in a column that may hold any kind to the field of its kind, unless that field has a value. */
function settleIdentifier(cells: ParsedRow['cells'], found: Found['identifiers']): void {
  const kind = cells.imei === undefined ? null : mixedKindOf(cells.imei)
  if (cells.imei === undefined || kind === null) return
  const isSome = isLikely(kind, cells.imei)
  if (kind !== 'imei') {
    if (cells[kind] !== undefined) return
    const number = identifierOfCell(cells.imei)
    cells[kind] = number
    delete cells.imei
    // An item needs an IMEI or a serial number. If a phone has only an MEID, that is its serial number too.
    if (kind === 'meid') cells.serial_number ??= number
  }
  if (isSome) found[kind]++
}

/** Whether a cell counts as an identifier of its kind. Words below a table, or a number such as 123, do not. */
function isLikely(kind: MixedKind, cell: string): boolean {
  if (kind === 'imei') return /^\d{14,16}$/.test(compactIdentifier(identifierOfCell(cell)))
  return kind !== 'serial_number' || /\d/.test(cell)
}

/** Gives rows the exchange rates, and the price for new items without one. */
function pricingStep(settings: PreviewSettings): Step {
  const rates = new Map(
    Object.entries(settings.rates ?? {}).flatMap(([currency, text]) => {
      const rate = text === null ? null : parseFxRate(text)
      return rate === null ? [] : [[currency, rate]]
    }),
  )
  const priceIfNew = parseCurrencyUnits(settings.defaults.purchase_price ?? '')
  return (row) => {
    if (rates.size > 0) row.rates = rates
    if (priceIfNew !== null) row.priceIfNew = priceIfNew
  }
}

/** Takes the currency of a row without one from the sign of its price, and `$` also from the column's name. */
function currencyStep(header: readonly string[], settings: PreviewSettings, found: Found): Step {
  const price = settings.columns.findIndex(({ field }) => field === 'purchase_price')
  const { purchase_currency: ofAll } = settings.defaults
  // The sign `$` in the column's name counts for prices without a sign, unless a person has said another currency.
  const areDollars = saysDollars(header[price] ?? '') && (ofAll === undefined || dollarCalled(ofAll) !== undefined)
  return ({ cells }) => {
    if (cells.purchase_price === undefined || cells.purchase_currency !== undefined) return
    const currency = currencyOfPrice(cells.purchase_price)
    const isDollar = currency === undefined ? areDollars : saysDollar(cells.purchase_price)
    if (isDollar) found.dollars++
    const meant = isDollar ? dollarIn(settings) : currency
    if (meant !== undefined) cells.purchase_currency = meant
  }
}

/** The fields that are filled by a column with the opposite meaning, each with that column. */
const turnedIn = ({ columns }: PreviewSettings) =>
  new Map<ImportField, FileColumn>(columns.flatMap(({ field }) => (isInverse(field) ? [[INVERSES[field], field]] : [])))

/** Reads the ticks of columns that only tick items, and their empty cells. */
function tickStep(settings: PreviewSettings): Step {
  const filled = settings.columns.flatMap(({ field, ticks }) =>
    field === null || field === 'further' ? [] : { field: fieldFilledBy(field), ticks },
  )
  const ticking = FLAGS.filter((flag) => filled.some(({ field, ticks }) => ticks && field === flag))
  const hasLocks = filled.some(({ field }) => field === 'network_locked')
  const ticksUnlocked = ticking.includes('network_locked') && turnedIn(settings).has('network_locked')
  return (row) => {
    const { cells } = row
    for (const field of ticking) {
      if (/^x$/i.test(cells[field]?.trim() ?? '')) cells[field] = 'yes'
    }
    if (hasLocks && cells.network_locked === undefined) {
      row.blankLock = ticksUnlocked ? 'locked' : 'unlocked'
      if (ticksUnlocked) cells.network_locked = 'no'
    }
  }
}

/** Reads `1` as 100% in a column of shares. */
function shareStep({ columns }: PreviewSettings): Step {
  const areShares = columns.some(({ field, areShares }) => field === 'battery_health' && areShares)
  return ({ cells }) => {
    if (areShares && isWholeShare(cells.battery_health ?? '')) cells.battery_health = '100'
  }
}

/** Makes a row with an ambiguous date or price fail, so that a person is asked. */
function askStep(settings: PreviewSettings, mark: DecimalMark | null): Step {
  const asked = askedOf(settings)
  return ({ cells, errors }) => {
    const date = cells.purchase_date
    const day = date === undefined || !asked.includes('dates') ? undefined : monthFirstDate(date)
    if (date !== undefined && day !== undefined && plainCell('purchase_date', date, null) !== day) {
      errors['purchase_date'] = SAY_DATES
      delete cells.purchase_date
    }
    for (const field of asked.includes('decimal') ? PRICES : []) {
      const cell = cells[field]
      const found = cell === undefined ? null : ambiguousMark(cell)
      if (found === null || (mark !== null && found !== mark)) continue
      errors[field] = `'${cell}' ${SAY_AMOUNTS}`
      delete cells[field]
    }
  }
}

/** Puts cells into the form in which an import reads them. */
function plainStep(settings: PreviewSettings, mark: DecimalMark | null): Step {
  const isMonthFirst = datesIn(settings) === 'month'
  const turned = turnedIn(settings)
  return ({ cells }) => {
    if (isMonthFirst && cells.purchase_date)
      cells.purchase_date = monthFirstDate(cells.purchase_date) ?? cells.purchase_date
    for (const field of IMPORT_FIELDS) {
      const cell = cells[field]
      if (cell === undefined || isInDoubt(field, cell, cells)) continue
      const plain = plainCell(turned.get(field) ?? field, cell, mark)
      if (plain === '') delete cells[field]
      else cells[field] = plain
    }
  }
}

/** If a price names another currency than its row, the price stays as it is, so that the row fails. */
function isInDoubt(field: ImportField, cell: string, { purchase_currency }: ParsedRow['cells']) {
  const currency = field === 'purchase_price' && currencyOfPrice(cell)
  // The sign `$` agrees with each currency that is a dollar.
  if (currency && saysDollar(cell) && dollarCalled(currencyCalled(purchase_currency ?? ''))) return false
  return currency && purchase_currency !== undefined && currencyCalled(purchase_currency) !== currency
}

/** Fills empty cells with the defaults, even if the file has no such column. */
function defaultStep({ defaults }: PreviewSettings): Step {
  return ({ cells }) => {
    for (const field of DEFAULT_FIELDS) {
      const value = defaults[field]
      if (field === 'purchase_price') continue
      // A default currency is only for rows with a price.
      if (field === 'purchase_currency' && cells.purchase_price === undefined) continue
      if (value !== undefined) cells[field] ??= value
    }
  }
}

/** The columns whose cells are names of records. */
const NAMED_COLUMNS = NAMED_FIELDS.flatMap((field) =>
  IMPORT_FIELDS.flatMap((column) => (column === field ? [[field, column] as const] : [])),
)

/** Replaces names by their meanings, and gives a model without a make the make that is meant. */
function nameStep(meaningOf: Translation['meaningOf']): Step {
  return ({ cells }) => {
    for (const [field, column] of NAMED_COLUMNS) {
      const seen = cells[column]
      const means = seen === undefined ? undefined : meaningOf(field, seen)
      if (means !== undefined) cells[column] = means
    }
    if (cells.make === undefined && cells.model !== undefined) {
      const make = meaningOf('make_of_model', withoutCapacity(cells.model))
      if (make !== undefined) cells.make = make
    }
  }
}
