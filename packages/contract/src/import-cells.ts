import { type FileColumn, fieldFilledBy, type ImportField } from './csv-columns.ts'
import { FUNCTIONAL, type Functional } from './device-function.ts'
import { saysNone } from './identifier-cell.ts'
import { dateOf, monthFirstDate } from './import-dates.ts'
import { currencyCalled, type DecimalMark, priceOf } from './import-prices.ts'
import { CURRENCY } from './money.ts'
import { plainName } from './plain-text.ts'
import { isCalendarDate } from './time.ts'

// Words that suppliers write into cells, and the forms in which an import reads them. They are in English, German,
// French, Dutch, Spanish, Italian and Polish, without accents.
const YES = words('true, yes, y, ja, j, oui, o, si, s, tak, t, wahr, vrai, waar, verdadero, vero, prawda, 1, ✓, ✔, ☑')
const NO = words('false, no, n, nein, non, nee, nie, falsch, faux, onwaar, falso, falsz, 0, ✗, ✘, ☐')
const LOCKED = words(
  'locked, sim locked, sim lock, simlock, network locked, carrier locked, network lock, carrier lock, simlocked',
  'gesperrt, sim gesperrt, netzgesperrt, gelockt, mit simlock, verrouille, verrouillee, simlocke, bloque, bloquee',
  'bloque operateur, bloqueado, bloqueada, bloccato, bloccata, vergrendeld, met simlock, zablokowany, zablokowana',
  'zablokowane, blokada, z simlockiem',
)
const UNLOCKED = words(
  'unlocked, sim free, simfree, factory unlocked, network unlocked, carrier unlocked, sim unlocked, fully unlocked, open',
  'frei, simlockfrei, sim lock frei, sim frei, simfrei, entsperrt, freigeschaltet, ohne simlock, ohne sim lock, kein simlock',
  'no lock, no sim lock, unlocked all networks, unlocked any network, unlocked to all networks, unlocked to any network',
  'debloque, debloquee, desimlocke, desimlockee, deverrouille, deverrouillee, libre, sans simlock, tout operateur',
  'tous operateurs, libre tout operateur, debloque tout operateur, libre tous operateurs, simlockvrij, simvrij, vrij',
  'ontgrendeld, zonder simlock, geen simlock, desbloqueado, desbloqueada, liberado, liberada, libre de fabrica, sin simlock',
  'sin bloqueo, libero, libera, sbloccato, sbloccata, senza simlock, senza blocco, bez blokady, bez simlocka, bez simlock',
  'odblokowany, odblokowana, odblokowane',
)
const NOT = words('not, nicht, non, pas, niet, no, nie')
/** Words which show that a lock is not that of a network, or that the lock has a condition. */
const OTHER_LOCKS = words(
  'icloud, google, frp, mdm, apple, account, konto, compte, cuenta, fmi, activation, passcode, pin, screen, bootloader, region, until',
)
/** The most words of a cell that may say who locks the phone. */
const MOST_WORDS = 6
const WORKING = words(
  'working, fully working, works, fully functional, functional, ok, okay, pass, passed, tested ok, tested working',
  'no faults, no fault, funktioniert, funktionsfahig, funktionsfaehig, voll funktionsfahig, voll funktionsfaehig',
  'einwandfrei, fonctionnel, fonctionne, werkend, werkt, volledig werkend, funciona, funcional, funcionando, funzionante',
  'funziona, sprawny, dziala, w pelni sprawny',
)
const MINOR = words(
  'minor faults, minor fault, minor issues, minor issue, minor defects, partially working, partly working',
  'kleine mangel, kleine maengel, leichte mangel, defauts mineurs, kleine gebreken, fallos menores, difetti minori',
  'drobne usterki',
)
const FAULTY = words(
  'faulty, not working, non working, defective, defect, broken, fail, failed, defekt, kaputt, funktioniert nicht',
  'defectueux, en panne, ne fonctionne pas, niet werkend, werkt niet, kapot, defectuoso, averiado, no funciona',
  'difettoso, guasto, non funziona, non funzionante, niesprawny, uszkodzony, nie dziala',
)
const UNTESTED = words(
  'untested, not tested, nicht getestet, ungetestet, ungepruft, ungeprueft, non teste, niet getest, ongetest',
  'sin probar, no probado, non testato, nieprzetestowany, nietestowany',
)

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(', ')))
}

/** A cell in the form of the words in the lists above. */
const wordOf = (cell: string) =>
  plainName(cell).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l').replaceAll(/[-_]/g, ' ')

type Meanings<Says> = readonly (readonly [says: Says, words: ReadonlySet<string>])[]
const FUNCTIONS: Meanings<Functional> = [
  ['working', WORKING],
  ['minor faults', MINOR],
  ['faulty', FAULTY],
  ['untested', UNTESTED],
  ['working', YES],
  ['faulty', NO],
]
const oneOf = (meanings: Meanings<string>) => (cell: string) => {
  const word = wordOf(cell)
  return meanings.find(([, names]) => names.has(word))?.[0]
}

const isYes = oneOf([
  ['true', YES],
  ['false', NO],
])
const isYesOrNo = (cell: string) => isYes(cell) !== undefined
const isLock = oneOf([
  ['true', LOCKED],
  ['false', UNLOCKED],
])
const opposite = (flag: string | undefined) => (flag === undefined ? undefined : flag === 'true' ? 'false' : 'true')

/**
 * Whether a phone is locked to a network, if the cell says so in words: `Locked to EE`, `SIM lock: no`, `nicht
 * gesperrt`. Undefined if the cell does not say so, or means another lock.
 */
function saidOfLock(cell: string): string | undefined {
  if (cell.includes('?')) return undefined
  const list = wordOf(cell)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .split(' ')
  const whole = isLock(list.join(' '))
  if (whole !== undefined || list.length < 2 || list.length > MOST_WORDS) return whole
  if (NOT.has(list[0]!)) return opposite(isLock(list.slice(1).join(' ')))
  const last = isYes(list.at(-1)!)
  const before = isLock(list.slice(0, -1).join(' '))
  if (last !== undefined && before !== undefined) return last === 'true' ? before : opposite(before)
  const first = list.findLastIndex((_, n) => LOCKED.has(list.slice(0, n + 1).join(' ')))
  const rest = list.slice(first + 1)
  const isElse = rest.some((word) => OTHER_LOCKS.has(word) || NOT.has(word) || YES.has(word) || UNLOCKED.has(word))
  return first < 0 || isElse ? undefined : 'true'
}

/**
 * Reads a cell of a column about locks. `isTurned` means that the column's name says the opposite (`unlocked`), so that
 * yes is no. A cell that names the lock in words means the same under both names.
 */
const lockOf = (isTurned: boolean) => (cell: string) =>
  (isTurned ? opposite(isYes(cell)) : isYes(cell)) ?? saidOfLock(cell)
const TURNED_FUNCTIONS: Meanings<Functional> = [...FUNCTIONS.slice(0, 4), ['faulty', YES], ['working', NO]]

/** Whether a capacity without a unit may be in GB. No phone has so few TB or so many MB. */
const isInGb = (digits: string) => Number(digits) >= 4 && Number(digits) <= 2048

/**
 * The capacity in a cell. French files write octets (`128 Go`), and spreadsheets write whole numbers with decimals
 * (`128.00`).
 */
function capacityOf(cell: string): string | undefined {
  const [, digits, letter] =
    /^(\d{1,9})(?:[.,]0{1,2})?\s*(?:([MGT])(?:i?[BO]|[BO]ytes?)?)?$/i.exec(plainName(cell)) ?? []
  if (digits === undefined) return undefined
  if (letter !== undefined) return `${digits} ${letter.toUpperCase()}B`
  return isInGb(digits) ? `${digits} GB` : digits
}

function unitOf(cell: string): string | undefined {
  const [, letter] = /^([MGT])i?[BO]$/i.exec(cell.trim()) ?? []
  return letter && `${letter.toUpperCase()}B`
}

/** A rate as `21%`. A number below 1 without a sign is a share (`0.21`), because no rate is below 1 percent. */
function percentOf(cell: string): string | undefined {
  const [, whole, decimals = '', sign] = /^(\d{1,3})(?:[.,](\d{1,4}))?\s*(%?)$/.exec(plainName(cell)) ?? []
  if (whole === undefined) return undefined
  const given = Number(`${whole}.${decimals}`)
  const percent = given > 0 && given < 1 && !sign ? given * 100 : given
  return `${Math.round(percent * 100) / 100}%`
}

/**
 * The digits of a whole percentage, such as `93` for `93%`; undefined if the cell is no percentage. A spreadsheet
 * stores 93% as `0.93`.
 */
function wholePercentOf(cell: string): string | undefined {
  const plain = plainName(cell)
  const [, share] = /^0[.,](\d{1,2})$/.exec(plain) ?? []
  if (share !== undefined) return String(Number(share.padEnd(2, '0')))
  return /^(\d{1,3})(?:[.,]0+)?\s*%?$/.exec(plain)?.[1]
}

/** Whether a cell is `1`, which means 100% in a column of shares. */
export const isWholeShare = (cell: string) => /^\s*1(?:[.,]0+)?\s*$/.test(cell)
const isBelowOne = (cell: string) => /^\s*0(?:[.,]\d+)?\s*$/.test(cell)

/** Looks at the cells of a column: they are shares if one has a fraction and none is a number above 1. */
export function shareLook() {
  let hasFraction = false
  let hasOthers = false
  return {
    add(cell: string): void {
      if (!/^\s*\d/.test(cell)) return
      if (isBelowOne(cell)) hasFraction ||= /[.,]/.test(cell)
      else hasOthers ||= !isWholeShare(cell)
    },
    areShares: () => hasFraction && !hasOthers,
  }
}

/** An x. In a list that ticks items it means yes; alone it may also cross an item out, so the whole column decides. */
const isMark = (cell: string) => /^x$/i.test(cell.trim())
/** Whether a cell has only a yes, a no or a mark, so that the name of its column gives the meaning. */
export const isBareFlag = (cell: string) => isYesOrNo(cell) || isMark(cell)

/**
 * Whether a column only ticks items: its cells all have the same word for yes or the same mark, and none says no. Then
 * an empty cell means no.
 */
export function ticks(cells: Iterable<string>): boolean {
  const said = new Set([...cells].filter(isBareFlag).map(wordOf))
  return said.size === 1 && [...said].every((word) => isMark(word) || YES.has(word))
}

type Reader = (cell: string, decimal: DecimalMark | null) => string | undefined

/** Makes a reader turn a word for 'none' into an empty text. A cell with digits is never such a word. */
const orNone =
  (read: Reader): Reader =>
  (cell, decimal) =>
    read(cell, decimal) ?? (/\d/.test(cell) || !saysNone(cell) ? undefined : '')

/**
 * Extends a reader of yes and no: a word for 'none' becomes an empty text. An x is not a word for 'none' here, but a
 * mark: the whole column decides what it means.
 */
const ofFlag =
  (read: Reader): Reader =>
  (cell, decimal) =>
    isMark(cell) ? undefined : orNone(read)(cell, decimal)

/** The fields whose cells people write in many ways, each with the function that reads them. */
const READERS: Readonly<Partial<Record<FileColumn, Reader>>> = {
  purchase_price: (cell, decimal) => priceOf(cell, decimal),
  sales_price: (cell, decimal) => priceOf(cell, decimal, (currency) => currency === CURRENCY),
  purchase_currency: currencyCalled,
  sales_currency: currencyCalled,
  purchase_date: orNone(dateOf),
  network_locked: ofFlag(lockOf(false)),
  network_unlocked: ofFlag(lockOf(true)),
  functional: ofFlag(oneOf(FUNCTIONS)),
  faulty: ofFlag(oneOf(TURNED_FUNCTIONS)),
  capacity: orNone(capacityOf),
  capacity_unit: orNone(unitOf),
  battery_health: orNone(wholePercentOf),
  vat: percentOf,
}

/** The most characters of a cell that is read in these ways. */
const LONGEST = 100

/**
 * A cell of a supplier's file in the form in which an import reads it. A cell that is not understood comes back as it
 * is, so that its row fails with a message about it. `decimal` is the mark before the hundredths; while it is null, a
 * price that can be read in two ways comes back as it is.
 */
export function plainCell(column: FileColumn, cell: string, decimal: DecimalMark | null): string {
  return (cell.length > LONGEST ? undefined : READERS[column]?.(cell, decimal)) ?? cell
}

/**
 * Tests whether a cell, as `plainCell` returns it, can be a value of the field. Only fields whose names have other
 * meanings too have a test.
 */
const FORMS: Readonly<Partial<Record<ImportField, (cell: string) => boolean>>> = {
  purchase_price: (cell) => /^\d+(\.\d{1,2})?$/.test(cell),
  sales_price: (cell) => /^\d+(\.\d{1,2})?$/.test(cell),
  purchase_currency: (cell) => currencyCalled(cell) !== undefined,
  purchase_date: isCalendarDate,
  network_locked: (cell) => cell === 'true' || cell === 'false',
  functional: (cell) => FUNCTIONAL.some((one) => one === cell),
  capacity: (cell) => /^\d+( [MGT]B)?$/.test(cell),
  battery_health: (cell) => /^\d+$/.test(cell) && Number(cell) <= 100,
}

/** The fields that a column may give by yes and no. */
export const FLAGS = ['network_locked', 'functional'] as const satisfies ImportField[]

/**
 * Whether a cell can be a value of a field, if the column has one of the field's other names. `Network`, for example,
 * may also hold the name of the network.
 */
export function isCellFor(column: FileColumn, cell: string): boolean {
  const field = fieldFilledBy(column)
  const form = FORMS[field]
  if (!form || (isMark(cell) && FLAGS.some((flag) => flag === field))) return true
  const plain = plainCell(column, cell, '.')
  if (plain === '' || form(plain) || form(plainCell(column, cell, ','))) return true
  return column === 'purchase_date' && monthFirstDate(cell) !== undefined
}
