import type { ImportField } from './csv-columns.ts'
import { FUNCTIONAL, type Functional } from './functional.ts'
import { saysNone } from './identifier-cell.ts'
import { dateOf } from './import-dates.ts'
import { currencyCalled, type DecimalMark, priceOf } from './import-prices.ts'
import { CURRENCY } from './money.ts'
import { plainName } from './plain-text.ts'
import { isCalendarDate } from './time.ts'

// Cells as people write them, in the form in which an import has always read them. In English, German, French, Dutch,
// Spanish, Italian and Polish, without marks.
const YES = words('true, yes, y, ja, j, oui, o, si, s, tak, t, wahr, vrai, waar, verdadero, vero, prawda, 1')
const NO = words('false, no, n, nein, non, nee, nie, falsch, faux, onwaar, falso, falsz, 0')
const LOCKED = words(
  'locked, sim locked, sim lock, simlock, network locked, carrier locked, gesperrt, verrouille, simlocked, bloqueado',
  'bloccato, zablokowany, blokada',
)
const UNLOCKED = words(
  'unlocked, sim free, simfree, factory unlocked, network unlocked, fully unlocked, open, frei, simlockfrei, entsperrt',
  'ohne simlock, no lock, debloque, desimlocke, deverrouille, simlockvrij, vrij, libre, desbloqueado, liberado, libero',
  'sbloccato, bez blokady, bez simlocka, odblokowany',
)
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

/** A word as it stands in the lists. */
const wordOf = (cell: string) =>
  plainName(cell).normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ł', 'l').replaceAll(/[-_]/g, ' ')

type Meanings<Says> = readonly (readonly [says: Says, words: ReadonlySet<string>])[]
const LOCKS: Meanings<'true' | 'false'> = [
  ['true', YES],
  ['false', NO],
  ['true', LOCKED],
  ['false', UNLOCKED],
]
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

/** No phone has as little in TB or as much in MB. */
const isInGb = (digits: string) => Number(digits) >= 4 && Number(digits) <= 2048

/** French writes octets, and spreadsheets write a whole number with decimals. A unit of its own column comes first. */
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

/** Percent as `21%`. Below 1 it is a share: there is no such rate. */
function percentOf(cell: string): string | undefined {
  const [, whole, decimals = '', sign] = /^(\d{1,3})(?:[.,](\d{1,4}))?\s*(%?)$/.exec(plainName(cell)) ?? []
  if (whole === undefined) return undefined
  const given = Number(`${whole}.${decimals}`)
  const percent = given > 0 && given < 1 && !sign ? given * 100 : given
  return `${Math.round(percent * 100) / 100}%`
}

const wholePercentOf = (cell: string) => /^(\d{1,3})(?:[.,]0+)?\s*%?$/.exec(plainName(cell))?.[1]

type Reader = (cell: string, decimal: DecimalMark | null) => string | undefined

/** A word for 'none' in a cell that has no text. Zeros are figures. */
const orNone =
  (read: Reader): Reader =>
  (cell, decimal) =>
    read(cell, decimal) ?? (/\d/.test(cell) || !saysNone(cell) ? undefined : '')

/** The fields whose cells people write in many ways. */
const READERS: Readonly<Partial<Record<ImportField, Reader>>> = {
  purchase_price: (cell, decimal) => priceOf(cell, decimal),
  sales_price: (cell, decimal) => priceOf(cell, decimal, (currency) => currency === CURRENCY),
  purchase_currency: currencyCalled,
  sales_currency: currencyCalled,
  purchase_date: orNone(dateOf),
  network_locked: orNone(oneOf(LOCKS)),
  functional: orNone(oneOf(FUNCTIONS)),
  capacity: orNone(capacityOf),
  capacity_unit: orNone(unitOf),
  battery_health: orNone(wholePercentOf),
  vat: percentOf,
}

/** Longer texts are none of these. */
const LONGEST = 100

/**
 * A cell of a supplier's file in the form in which an import reads it. What is not understood comes back as it is, so
 * that its row fails with the sentence for it. A price that can be read in two ways is left alone while `decimal`, which
 * says what separates its hundredths, is null.
 */
export function plainCell(field: ImportField, cell: string, decimal: DecimalMark | null): string {
  return (cell.length > LONGEST ? undefined : READERS[field]?.(cell, decimal)) ?? cell
}

/** What an understood cell looks like, of the fields whose names mean other things too. */
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

/** Whether a cell of a column with a field's other name can be one of that field: `Network` may also say who locks. */
export function isCellFor(field: ImportField, cell: string): boolean {
  const form = FORMS[field]
  if (!form) return true
  const plain = plainCell(field, cell, '.')
  return plain === '' || form(plain) || form(plainCell(field, cell, ','))
}
