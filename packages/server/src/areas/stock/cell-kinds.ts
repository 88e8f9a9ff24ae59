import { FUNCTIONAL, type Functional } from '@backstock/contract/device-function.ts'
import { MAX_ID, MAX_NOTES } from '@backstock/contract/fields.ts'
import {
  dayMessage,
  identifierOfCell,
  isDay,
  isShortened,
  noPhoneMessage,
  shortenedMessage,
} from '@backstock/contract/identifier-cell.ts'
import {
  compactIdentifier,
  eidProblem,
  hexadecimalMeid,
  imeiProblem,
  meidProblem,
  withLostZero,
} from '@backstock/contract/imei.ts'
import { CURRENCY, MAX_PRICE, parseCurrencyUnits, toCurrencyUnits } from '@backstock/contract/money.ts'
import { plainName, plainNotes, textProblem } from '@backstock/contract/plain-text.ts'
import { CAPACITY_UNITS, type CapacityUnit } from '@backstock/contract/product-name.ts'
import { NO_CURRENCY, NO_FX_RATE, PURCHASE_CURRENCIES, parseFxRate } from '@backstock/contract/purchase-currency.ts'
import { STOCK_STATUSES, type StockStatus } from '@backstock/contract/stock-status.ts'
import { isCalendarDate } from '@backstock/contract/time.ts'
import { PURCHASE_TREATMENT_NAMES, PURCHASE_TREATMENTS, type PurchaseTreatment } from '@backstock/contract/treatment.ts'
import { type RawBuilder, sql } from 'kysely'
import { formulaGuard } from './csv-cell.ts'

type Sql = RawBuilder<unknown>

/** How cells of CSV files hold one kind of value. */
export type CellKind<Value> = {
  /** Reads a cell that is not empty. Undefined if the cell means that there is no value. Throws `BadCell`. */
  read(cell: string): Value | undefined
  /** The text of a value in a cell, before `guardCell`. */
  text(value: Value): string
  /** SQL for the text of a value in a cell, guarded if the kind may contain a formula. */
  sql(value: Sql): Sql
  /** Whether a cell can hardly be anything but this kind of value. For free text, the answer is always false. */
  isPlainly(cell: string): boolean
}

/** The error for a cell that cannot be accepted. Its message is a sentence for the person. */
export class BadCell extends Error {}
const bad = (message: string) => new BadCell(message)

const MAX_TEXT = 255
const MAX_CAPACITY = 1_000_000

/** The beginning of a cell for use in a message. It never ends within a surrogate pair. */
const quotedPart = (cell: string) => /^.{0,40}/su.exec(cell)?.[0] ?? ''
export const quoted = (cell: string) => `'${quotedPart(cell)}'`

/** The message for a cell that is none of the words that its column knows. */
const oneOfThese = (cell: string, what: string, words: readonly string[]) =>
  `${quoted(cell)} is not ${what}: write ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`

const isReadable = (read: (cell: string) => unknown) => (cell: string) => {
  try {
    read(cell)
    return true
  } catch {
    return false
  }
}

/**
 * A kind of values with strict rules. Its cells are not guarded, because `read` accepts no text that a spreadsheet
 * would run as a formula.
 */
function strict<Value extends string | number | boolean>(
  read: CellKind<Value>['read'],
  more: Partial<Pick<CellKind<Value>, 'text' | 'sql'>> = {},
): CellKind<Value> {
  return { read, text: String, sql: (value) => value, isPlainly: isReadable(read), ...more }
}

function free(read: CellKind<string>['read']): CellKind<string> {
  return { read, text: String, sql: formulaGuard, isPlainly: () => false }
}

/** The text. Throws `BadCell` if it cannot be stored. */
function storable(text: string, max: number): string {
  if (text.length > max) throw bad(`At most ${max.toLocaleString('en')} characters.`)
  const problem = textProblem(text)
  if (problem) throw bad(problem)
  return text
}

export const TEXT = free((cell) => storable(plainName(cell), MAX_TEXT))
export const NOTES = free((cell) => storable(plainNotes(cell), MAX_NOTES))

/** A name of the catalogue, which has one line. */
export const NAME = free((cell) => {
  if (/[\r\n\v\f\u0085\u2028\u2029]/.test(cell)) throw bad('Must not hold a line break.')
  return TEXT.read(cell)
})

export const PRICE = strict(
  (cell) => {
    const amount = parseCurrencyUnits(cell)
    if (amount === null && /^[-−] ?\d/.test(cell)) throw bad('Must not be negative.')
    if (amount === null) throw bad(`${quoted(cell)} is not a price: write it like 249.90 or 249,90.`)
    if (amount > MAX_PRICE) throw bad('At most 1,000,000.00.')
    return amount
  },
  { text: toCurrencyUnits, sql: (price) => sql`(${price} * 0.01)::numeric(12, 2)` },
)

/** The currency of a purchase. Only EUR is plainly a currency, because other codes are also short words (ALL, TRY). */
export const PURCHASE_CURRENCY: CellKind<string> = {
  ...strict<string>((cell) => {
    const code = cell.toUpperCase()
    if (!Object.hasOwn(PURCHASE_CURRENCIES, code)) throw bad(NO_CURRENCY)
    return code
  }),
  isPlainly: (cell) => cell.toUpperCase() === CURRENCY,
}

/** The exchange rate: units of the purchase currency for one EUR. A cell with it could also be a price. */
export const FX_RATE: CellKind<number> = {
  ...strict<number>(
    (cell) => {
      const rate = parseFxRate(cell)
      if (rate === null) throw bad(NO_FX_RATE)
      return rate
    },
    { sql: (rate) => sql`trim_scale(${rate})` },
  ),
  isPlainly: () => false,
}

export const CURRENCY_CODE = strict<string>((cell) => {
  if (cell.toUpperCase() !== CURRENCY) throw bad('Only EUR is supported.')
  return CURRENCY
})

export const DATE = strict((cell) => {
  const [, day, month, year] = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(cell) ?? []
  const iso = day ? `${year}-${month}-${day}` : cell
  if (!isCalendarDate(iso)) throw bad('Must be a real date as yyyy-mm-dd or dd/MM/yyyy.')
  return iso
})

/** The identifier in a cell; undefined if the cell has a word for 'none', such as N/A. */
function identifier(called: string, cell: string): string | undefined {
  const found = identifierOfCell(cell)
  if (found === '') return undefined
  const noPhone = noPhoneMessage(found)
  if (noPhone) throw bad(noPhone)
  if (isShortened(found)) throw bad(shortenedMessage(called, quotedPart(found)))
  return found
}

/** A device's number with strict rules. Spaces and dashes are removed. */
const deviceNumber = (
  called: string,
  problemOf: (compact: string) => string | null,
  mend = (compact: string) => compact,
) =>
  strict((cell) => {
    const found = identifier(called, cell)
    if (found === undefined) return undefined
    const compact = mend(compactIdentifier(found))
    const problem = problemOf(compact)
    if (problem) throw bad(problem)
    return compact.toUpperCase()
  })

export const IMEI = deviceNumber('IMEI', imeiProblem, (digits) => withLostZero(digits) ?? digits)
export const MEID = deviceNumber('MEID', meidProblem, hexadecimalMeid)
export const EID = deviceNumber('EID', eidProblem)

/** A date. Lines of notes often begin with a date, so it is not plainly an identifier. */
const DAY = /^\d{1,4}[/-]\d{1,2}[/-]\d{1,4}$/

/** An identifier that may be any text. */
export function textIdentifier(called: string): CellKind<string> {
  return {
    ...free((cell) => {
      const found = identifier(called, cell)
      return found === undefined ? undefined : TEXT.read(found)
    }),
    isPlainly: (cell) => /^(?=.*\d)[A-Z0-9/-]{4,40}$/i.test(identifierOfCell(cell)) && !DAY.test(cell),
  }
}

const SERIAL_TEXT = textIdentifier('serial number')
/** The serial number that a maker gives to a device. */
export const SERIAL: CellKind<string> = {
  ...SERIAL_TEXT,
  read: (cell) => {
    const found = SERIAL_TEXT.read(cell)
    if (found !== undefined && isDay(found)) throw bad(dayMessage(found))
    return found
  },
}

/** An item's own number, with or without the sign in front that screens write: `#7`. */
export const ITEM_NUMBER = strict((cell) => {
  const [, digits] = /^#?(\d{1,10})$/.exec(identifierOfCell(cell)) ?? []
  const id = Number(digits)
  if (!digits || id < 1 || id > MAX_ID) throw bad(`${quoted(cell)} is not the number of an item.`)
  return id
})

export const STATUS = strict<StockStatus>((cell) => {
  const found = STOCK_STATUSES.find((name) => name.toLowerCase() === cell.toLowerCase())
  if (!found) throw bad(oneOfThese(cell, 'a status', STOCK_STATUSES))
  return found
})

/** Whether a device works. Case does not matter, nor the sign between two words. */
export const WORKING = strict<Functional>((cell) => {
  const plain = cell.toLowerCase().replaceAll(/[\s_-]+/g, ' ')
  const found = FUNCTIONAL.find((one) => one === plain)
  if (!found) throw bad(oneOfThese(cell, 'a value for Function', FUNCTIONAL))
  return found
})

/** A percentage, with or without its sign. A cell with it could also be a price. */
export const BATTERY: CellKind<number> = {
  ...strict<number>((cell) => {
    const [, digits] = /^(\d{1,3})\s*%?$/.exec(cell) ?? []
    if (!digits || Number(digits) > 100) throw bad('Must be a whole number from 0 to 100.')
    return Number(digits)
  }),
  isPlainly: () => false,
}

/** The treatment of a purchase, by its code (`intra_community`) or by its name on screens ('Intra-Community'). */
export const PURCHASE = strict<PurchaseTreatment>((cell) => {
  const plain = (text: string) => text.toLowerCase().replaceAll(/[\s_-]/g, '')
  const found = PURCHASE_TREATMENTS.find((one) =>
    [one, PURCHASE_TREATMENT_NAMES[one]].some((name) => plain(name) === plain(cell)),
  )
  if (!found) throw bad(oneOfThese(cell, 'a VAT treatment of a purchase', Object.values(PURCHASE_TREATMENT_NAMES)))
  return found
})

export const UNIT = strict<CapacityUnit>((cell) => {
  const found = CAPACITY_UNITS.find((name) => name === cell.toUpperCase())
  if (!found) throw bad('Must be MB, GB or TB.')
  return found
})

/** A capacity. Suppliers also write its unit into the cell: `128 GB`. */
export function capacityAndUnit(cell: string): { capacity: number; unit: CapacityUnit | undefined } {
  const [, digits, after] = /^(\d{1,9})\s*(MB|GB|TB)?$/i.exec(cell) ?? []
  const amount = Number(digits)
  if (!digits || amount < 1 || amount > MAX_CAPACITY)
    throw bad(`Must be a whole number from 1 to ${MAX_CAPACITY.toLocaleString('en')}.`)
  return { capacity: amount, unit: after ? UNIT.read(after) : undefined }
}
export const CAPACITY = strict((cell) => capacityAndUnit(cell).capacity)

const flags = new Map([
  ...['true', '1', 'yes'].map((text) => [text, true] as const),
  ...['false', '0', 'no'].map((text) => [text, false] as const),
])
export const FLAG = strict(
  (cell) => {
    const known = flags.get(cell.toLowerCase())
    if (known === undefined) throw bad('Must be true or false.')
    return known
  },
  { sql: (flag) => sql`${flag}::text` },
)
