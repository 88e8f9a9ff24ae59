import type { FileColumn } from '@backstock/contract/csv-columns.ts'
import { luhnCheckDigit, passesLuhn } from '@backstock/contract/imei.ts'
import { spreadsheetError } from '@backstock/contract/spreadsheet-error.ts'
import fc from 'fast-check'
import { encoded } from '../../packages/server/src/testing/encoded.ts'
import { type Book, bookOf, type Typed } from './supplier-book.ts'

// Generates files as suppliers make them, together with what their makers mean.

/** The facts about a phone that the maker of the file knows. Null if the file does not say it, or nobody can tell. */
export type Phone = {
  imei: string | null
  serial_number: string | null
  purchase_price: number
  purchase_currency: string
  purchase_date: string | null
  network_locked: boolean | null
  functional: 'working' | 'faulty' | null
}
/**
 * The meaning of a row: a phone, a phone with a cell that cannot be read, or no phone. A row `mayFail` if the first of
 * its two IMEIs cannot be read, or if its IMEI lost the leading zero: the digits that are left may be another phone's
 * IMEI without its check digit.
 */
export type Meant =
  | { kind: 'phone'; phone: Phone; mayFail?: boolean }
  | { kind: 'broken'; phone: Phone }
  | { kind: 'none'; what: string }
export type SupplierFile = {
  /** The file as text. A failing test prints it, too. */
  csv: string
  bytes: Buffer
  /**
   * The file as a workbook; null if the file is sent as text. `notes` are the notes that the preview must show: how
   * many rows are hidden, how many cells are merged into others, and how many formulas have no result.
   */
  book: { xlsx: Buffer; leavesOutHidden: boolean; notes: Readonly<Record<string, number>> } | null
  /** The encoding of a file that is sent as text. */
  encoding: Encoding
  /** The row of the header. Null if there is none; `fields` is the meaning of the columns then. */
  headerRow: number | null
  fields: readonly FileColumn[]
  /** True if the file changes phones that the shop has. Otherwise all its phones are new. */
  isUpdate: boolean
  /** The meaning of each row, by its number in a spreadsheet. */
  rows: ReadonlyMap<number, Meant>
  /**
   * The fields of the columns with yes and no, by their names. A column with too many doubtful cells is not recognised.
   */
  flags: Readonly<Record<string, FileColumn>>
  hasDoubts: boolean
  /** The rows whose cell for the network lock is empty. A column without any value says nothing. */
  blanks: ReadonlySet<number>
  /** The order of day and month in dates, and the decimal sign. */
  dates: 'day' | 'month'
  decimal: ',' | '.'
  currency: string
}

const ENCODINGS = ['utf-8', 'utf-8 with a mark', 'utf-16le', 'code page'] as const
type Encoding = 'utf-8' | 'utf-16le' | 'windows-1252' | 'windows-1250'
/** The signs that stand beside an amount in each currency. */
const SIGNS = { EUR: ['€', 'EUR'], USD: ['$', 'USD'], GBP: ['£', 'GBP'], PLN: ['zł', 'PLN'] } as const

type Words = {
  /** The names of the columns for make, model, category, price, date and notes. */
  names: readonly [make: string, model: string, category: string, price: string, date: string, notes: string]
  imei: string
  serial: string
  locked: readonly string[]
  unlocked: readonly string[]
  working: readonly string[]
  faulty: readonly string[]
  yes: readonly string[]
  no: readonly string[]
  lockedWords: readonly string[]
  unlockedWords: readonly string[]
  worksWords: readonly string[]
  faultyWords: readonly string[]
  totals: readonly string[]
  footers: readonly string[]
  errors: readonly string[]
  fillers: readonly string[]
  noPhones: readonly string[]
}

const list = (text: string) => text.split(', ')
const LANGUAGES: readonly Words[] = [
  {
    names: ['Brand', 'Model', 'Category', 'Unit Price', 'Purchase date', 'Remarks'],
    ...{ imei: 'IMEI No.', serial: 'Serial No' },
    locked: list('SIM lock, Network locked, Locked, Carrier lock, Lock status'),
    unlocked: list('Unlocked, SIM free, Carrier unlocked, Factory unlocked, No SIM lock'),
    ...{ working: list('Working, Functional'), faulty: list('Faulty, Not working, Broken') },
    ...{ yes: list('yes, Y, TRUE, 1, Yes'), no: list('no, N, FALSE, 0, No') },
    lockedWords: list('Locked, Locked to EE, SIM locked, locked (Vodafone), not unlocked'),
    unlockedWords: list('Unlocked, SIM free, unlocked, not locked, Factory unlocked'),
    ...{ worksWords: list('working, Fully functional, OK'), faultyWords: list('faulty, not working, broken') },
    totals: list('Total, Grand total:, Sum, Sub-total, Apple Total'),
    footers: list('All prices exclude VAT, Page 1 of 2, Goods remain ours until paid'),
    errors: list('#REF!, #N/A, #VALUE!, #NAME?'),
    ...{ fillers: list('N/A, none, -, TBC, unknown'), noPhones: list('TEST, same as above, various, ditto') },
  },
  {
    names: ['Merk', 'Model', 'Categorie', 'Inkoopprijs', 'Aankoopdatum', 'Opmerkingen'],
    ...{ imei: 'IMEI-nummer', serial: 'Serienummer' },
    locked: list('SIM-lock, Simlock'),
    unlocked: list('Simlockvrij, SIM-lock vrij, Ontgrendeld, Zonder simlock'),
    ...{ working: list('Werking, Functioneel'), faulty: list('Kapot, Werkt niet') },
    ...{ yes: list('ja, J, WAAR, Ja'), no: list('nee, N, ONWAAR, Nee') },
    ...{ lockedWords: list('gelockt, vergrendeld, simlock'), unlockedWords: list('vrij, simlockvrij, niet gelockt') },
    ...{ worksWords: list('werkend, werkt'), faultyWords: list('kapot, werkt niet') },
    totals: list('Totaal, Eindtotaal, Subtotaal'),
    footers: list('Alle prijzen exclusief btw, Pagina 1'),
    errors: list('#VERW!, #N/B, #WAARDE!, #NAAM?'),
    ...{ fillers: list('n.v.t., geen, onbekend, volgt'), noPhones: list('test, zie boven, meerdere') },
  },
  {
    names: ['Hersteller', 'Modell', 'Kategorie', 'EK-Preis', 'Kaufdatum', 'Bemerkung'],
    ...{ imei: 'IMEI-Nr.', serial: 'Seriennummer' },
    locked: list('SIM-Lock, Netzsperre, Gesperrt'),
    unlocked: list('SIM-Lock: frei, Simlockfrei, Entsperrt, Ohne SIM-Lock, Freigeschaltet'),
    ...{ working: list('Funktion, Funktionsfähig'), faulty: list('Defekt, Kaputt, Nicht funktionsfähig') },
    ...{ yes: list('ja, J, WAHR, Ja'), no: list('nein, N, FALSCH, Nein') },
    ...{
      lockedWords: list('gesperrt, mit Simlock'),
      unlockedWords: list('frei, simlockfrei, nicht gesperrt, entsperrt'),
    },
    ...{ worksWords: list('funktioniert, einwandfrei'), faultyWords: list('defekt, kaputt') },
    totals: list('Summe, Gesamt:, Gesamtsumme, Zwischensumme, Summe Apple'),
    footers: list('Alle Preise netto zzgl. MwSt., Seite 1 von 2'),
    errors: list('#BEZUG!, #NV, #WERT!, Err:502'),
    ...{ fillers: list('k.A., keine, unbekannt, folgt'), noPhones: list('Muster, siehe oben, dito, mehrere') },
  },
  {
    names: ['Marque', 'Modèle', 'Catégorie', "Prix d'achat HT", "Date d'achat", 'Remarques'],
    ...{ imei: 'Numéro IMEI', serial: 'N° de série' },
    locked: list('Simlock, Verrouillé, Verrouillage'),
    unlocked: list('Désimlocké, Débloqué, Déverrouillé, Libre, Sans simlock'),
    ...{ working: list('Fonctionnel, Fonctionnement'), faulty: list('En panne, Défectueux') },
    ...{ yes: list('oui, O, VRAI, Oui'), no: list('non, N, FAUX, Non') },
    ...{
      lockedWords: list('verrouillé, bloqué, simlocké'),
      unlockedWords: list('libre, désimlocké, débloqué, non verrouillé'),
    },
    ...{ worksWords: list('fonctionne, fonctionnel'), faultyWords: list('en panne, défectueux') },
    totals: list('Total, Total général, Sous-total, Somme'),
    footers: list('Prix hors taxes, Page 1 sur 2'),
    errors: list('#REF!, #NOM?, #VALEUR!'),
    ...{ fillers: list('inconnu, aucun, N.C., manquant'), noPhones: list('exemple, voir ci-dessus, divers') },
  },
  {
    names: ['Marca', 'Modelo', 'Categoría', 'Precio de compra', 'Fecha de compra', 'Observaciones'],
    ...{ imei: 'Código IMEI', serial: 'Número de serie' },
    locked: list('Bloqueado, Bloqueo de red, SIM lock'),
    unlocked: list('Libre, Liberado, Desbloqueado, Libre de operador'),
    ...{ working: list('Funcional, Funcionamiento'), faulty: list('Averiado, Defectuoso, No funciona') },
    ...{ yes: list('sí, S, VERDADERO, Si'), no: list('no, N, FALSO') },
    ...{ lockedWords: list('bloqueado, Bloqueado por Orange'), unlockedWords: list('libre, liberado, no bloqueado') },
    ...{ worksWords: list('funciona, funcional'), faultyWords: list('averiado, no funciona') },
    totals: list('Total, Suma, Totales'),
    footers: list('Precios sin IVA, Página 1'),
    errors: list('#¡REF!, #¿NOMBRE?, #¡VALOR!'),
    ...{ fillers: list('desconocido, ninguno, sin, pendiente'), noPhones: list('prueba, varios, igual') },
  },
  {
    names: ['Marca', 'Modello', 'Categoria', 'Prezzo di acquisto', 'Data di acquisto', 'Osservazioni'],
    ...{ imei: 'Codice IMEI', serial: 'Numero di serie' },
    locked: list('Bloccato, Blocco operatore, SIM lock'),
    unlocked: list('Sbloccato, Libero da operatore, Senza blocco operatore'),
    ...{ working: list('Funzionante, Funzionamento'), faulty: list('Guasto, Difettoso, Non funzionante') },
    ...{ yes: list('sì, S, VERO, Si'), no: list('no, N, FALSO') },
    ...{ lockedWords: list('bloccato, bloccato da TIM'), unlockedWords: list('sbloccato, libero, non bloccato') },
    ...{ worksWords: list('funzionante, funziona'), faultyWords: list('guasto, non funziona') },
    totals: list('Totale, Totale generale, Somma'),
    footers: list('Prezzi IVA esclusa, Pagina 1'),
    errors: list('#RIF!, #NOME?, #VALORE!, #N/D'),
    ...{ fillers: list('sconosciuto, nessuno, senza, mancante'), noPhones: list('esempio, vari, stesso') },
  },
  {
    names: ['Marka', 'Model', 'Kategoria', 'Cena zakupu', 'Data zakupu', 'Uwagi'],
    ...{ imei: 'Numer IMEI', serial: 'Numer seryjny' },
    locked: list('Blokada SIM, Blokada, Simlock'),
    unlocked: list('Bez simlocka, Odblokowany, Bez blokady SIM'),
    ...{ working: list('Sprawny, Działanie'), faulty: list('Uszkodzony, Niesprawny, Nie działa') },
    ...{ yes: list('tak, T, PRAWDA, Tak'), no: list('nie, N, FAŁSZ, Nie') },
    ...{ lockedWords: list('zablokowany, blokada'), unlockedWords: list('bez simlocka, odblokowany, nie zablokowany') },
    ...{ worksWords: list('sprawny, działa'), faultyWords: list('uszkodzony, nie działa') },
    totals: list('Razem, Suma, Ogółem:'),
    footers: list('Ceny netto bez VAT, Strona 1'),
    errors: list('#ADR!, #NAZWA?, #ARG!, #N/D!'),
    ...{ fillers: list('brak, nieznany, niedotyczy'), noPhones: list('przykład, jak wyżej, kilka') },
  },
]

const IDENTIFIED = ['imei', 'both', 'two', 'either', 'imeis as serials', 'serials', 'digits'] as const
const SAID = ['not', 'plain', 'opposite', 'words', 'opposite in words', 'ticks', 'opposite ticks'] as const
const DATES = ['iso', 'points', 'strokes', 'dashes', 'short'] as const
const TROUBLES = [
  'error',
  'filler',
  'no phone',
  'shortened',
  'doubt',
  'lock error',
  'price error',
  'date error',
  'no result',
  'lost zero',
] as const

const drawnPhone = fc.record({
  number: fc.integer({ min: 0, max: 99_999_999_999 }),
  price: fc.oneof(
    fc.integer({ min: 100, max: 250_000 }),
    fc.integer({ min: 1, max: 20 }).map((n) => n * 10_000),
  ),
  /** The age of the purchase in days. */
  age: fc.integer({ min: 0, max: 700 }),
  isLocked: fc.boolean(),
  isWorking: fc.boolean(),
  /** Chooses among several words, forms and ways to wrap a value. */
  word: fc.nat(1000),
  trouble: fc.oneof(
    { weight: 7, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.constantFrom(...TROUBLES) },
  ),
})
type DrawnPhone = typeof drawnPhone extends fc.Arbitrary<infer One> ? One : never

const drawn = fc.record({
  language: fc.constantFrom(...LANGUAGES),
  phones: fc.array(drawnPhone, { minLength: 1, maxLength: 14 }),
  identified: fc.constantFrom(...IDENTIFIED),
  lock: fc.constantFrom(...SAID),
  works: fc.constantFrom(...SAID.filter((said) => !said.includes('ticks'))),
  dates: fc.constantFrom(...DATES),
  order: fc.constantFrom('day' as const, 'month' as const),
  decimal: fc.constantFrom(',' as const, '.' as const),
  isGrouped: fc.boolean(),
  currency: fc.oneof(
    { weight: 4, arbitrary: fc.constant('EUR' as const) },
    { weight: 1, arbitrary: fc.constantFrom('USD' as const, 'GBP' as const, 'PLN' as const) },
  ),
  /** The place that names a currency other than the euro. */
  saysCurrency: fc.constantFrom('in cells', 'in the name', 'in a column'),
  encoding: fc.constantFrom('utf-8', 'utf-8', ...ENCODINGS),
  areWhole: fc.boolean(),
  delimiter: fc.constantFrom(';', ',', '\t'),
  places: fc.array(fc.nat(1000), { minLength: 13, maxLength: 13 }),
  word: fc.nat(1000),
  /** Rows between and below the phones: totals, footers, the header again, empty rows. */
  others: fc.array(
    fc.record({
      at: fc.nat(20),
      what: fc.constantFrom('total', 'total', 'sums', 'footer', 'header', 'empty', 'again'),
      word: fc.nat(1000),
    }),
    {
      maxLength: 4,
    },
  ),
  titles: fc.nat(2),
  hasHeader: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  isUpdate: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  // A quarter of the files are workbooks. More would take too long, because each one is read in a process of its own.
  book: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    {
      weight: 1,
      arbitrary: fc.record<Book>({
        ...{ amounts: fc.boolean(), dates: fc.boolean(), numbers: fc.boolean(), booleans: fc.boolean() },
        ...{ isShared: fc.boolean(), saysWhere: fc.boolean(), is1904: fc.boolean() },
        ...{ hidesRows: fc.boolean(), hidesColumn: fc.boolean(), merges: fc.boolean(), leavesOutHidden: fc.boolean() },
        beside: fc.constantFrom(
          'nothing',
          'nothing',
          'an empty sheet before',
          'a sheet of words before',
          'a table after',
        ),
      }),
    },
  ),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer One> ? One : never

const pick = <One>(of: readonly One[], n: number): One => of[n % of.length]!
const two = (n: number | string) => String(n).padStart(2, '0')

function imeiOf(number: number, begins = '35'): string {
  const first14 = `${begins}${String(number).padStart(12, '0')}`
  return first14 + luhnCheckDigit(first14)
}
/**
 * Fifteen digits that are not an IMEI. Only the first ones of a file are checked: of the others one in ten has a valid
 * check digit by chance.
 */
function digitsOf(number: number, place: number): string {
  const digits = `7${String(number).padStart(14, '0')}`
  return place < 5 && passesLuhn(digits) ? `${digits.slice(0, 14)}${(Number(digits[14]) + 1) % 10}` : digits
}
const serialOf = (number: number) => `SN${number.toString(36).toUpperCase().padStart(8, 'Q')}`

/** Ways to write an identifier. The last two are for IMEIs only, because dashes in a serial number belong to it. */
const WRAPPED = [
  (text: string) => text,
  (text: string) => text,
  (text: string) => `'${text}`,
  (text: string) => `="${text}"`,
  (text: string) => ` ${text} `,
  (text: string) => `${text}.0`,
  (text: string) => text.replace(/^(\d{2})(\d{6})(\d{6})(\d)$/, '$1-$2-$3-$4'),
  (text: string) => text.replace(/^(\d{6})(\d{2})(\d{6})(\d)$/, '$1 $2 $3 $4'),
]

function amount(cents: number, { decimal, isGrouped, currency, saysCurrency }: Drawn, form: number): string {
  const whole = String(Math.floor(cents / 100))
  const grouped = isGrouped ? whole.replace(/\B(?=(\d{3})+$)/g, decimal === ',' ? '.' : ',') : whole
  const rest = cents % 100
  const text = rest || form % 2 ? `${grouped}${decimal}${two(rest)}` : grouped
  const [sign, code] = SIGNS[currency]
  const signed = [`${sign} ${text}`, `${text} ${sign}`, `${text} ${code}`]
  return pick(currency !== 'EUR' && saysCurrency === 'in cells' ? signed : [text, text, ...signed], form)
}

function dateText(iso: string, { dates, order }: Drawn): string {
  const [year, month, day] = iso.split('-') as [string, string, string]
  if (dates === 'iso') return iso
  if (dates === 'points') return `${day}.${month}.${year}`
  const [first, second] = order === 'day' ? [day, month] : [month, day]
  if (dates === 'dashes') return `${first}-${second}-${year}`
  return `${first}/${second}/${dates === 'short' ? year.slice(2) : year}`
}

const dayBefore = (today: string, days: number) =>
  new Date(Date.parse(`${today}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)

/** The text of a cell for yes or no. If the list marks yes by an `x`, the cell is empty for no. */
function said(
  how: (typeof SAID)[number],
  is: boolean,
  words: readonly [yes: readonly string[], no: readonly string[]],
  language: Words,
  n: number,
): string {
  const isTurned = how.startsWith('opposite')
  if (how.endsWith('words')) return pick(is ? words[0] : words[1], n)
  if (how.endsWith('ticks')) return is !== isTurned ? 'x' : ''
  return pick(is !== isTurned ? language.yes : language.no, n)
}

function fileOf(drawn: Drawn, today: string): SupplierFile {
  // A column of mixed identifiers without a name cannot be recognised, so such files are not drawn.
  const identified = drawn.identified === 'either' && !drawn.hasHeader ? 'both' : drawn.identified
  const saysCurrency = drawn.currency === 'EUR' || !drawn.hasHeader ? 'in cells' : drawn.saysCurrency
  const { hasHeader, lock, works, delimiter } = drawn
  const names = drawn.language.names.with(
    3,
    drawn.language.names[3] + (saysCurrency === 'in the name' ? ` (${drawn.currency})` : ''),
  )
  const language = { ...drawn.language, names: names as unknown as Words['names'] }
  const draw = { ...drawn, identified, saysCurrency, language } as Drawn
  const [make, model, category, price, date, notes] = language.names
  const isOpposite = (how: string) => how.startsWith('opposite')
  const lockName = pick(isOpposite(lock) ? language.unlocked : language.locked, draw.word)
  const worksName = pick(isOpposite(works) ? language.faulty : language.working, draw.word)
  const columns: string[] = [make, model, category, price, date, notes, 'Box']
  if (['imei', 'both', 'two'].includes(identified)) columns.push(language.imei)
  if (identified === 'either') columns.push('IMEI/Serial')
  if (identified === 'two') columns.push('IMEI 2')
  if (!['imei', 'two', 'either'].includes(identified)) columns.push(language.serial)
  if (saysCurrency === 'in a column') columns.push('Currency')
  if (lock !== 'not') columns.push(lockName)
  if (works !== 'not') columns.push(worksName)
  const header = columns
    .map((name, n) => ({ name, at: draw.places[n]! }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ name }) => name)

  const lines: Line[] = []
  const seen = new Set<number>()
  for (const phone of draw.phones) {
    if (seen.has(phone.number)) continue
    seen.add(phone.number)
    lines.push(phoneLine(phone, draw, { lockName, worksName, today, place: lines.length }))
  }
  for (const { at, what, word } of draw.others) {
    const place = Math.min(at, lines.length)
    const before = lines[at % lines.length]!
    if (what === 'again') {
      if (before.meant?.kind === 'phone') lines.push({ ...before, meant: none('a phone that was there') })
      continue
    }
    if (what === 'header' && !hasHeader) continue
    lines.splice(
      what === 'total' || what === 'sums' || what === 'footer' ? lines.length : place,
      0,
      otherLine(what, word, draw, header),
    )
  }

  const titles = pick([[], ['Foxway AB'], ['Foxway AB', 'Offer 47']], draw.titles)
  const first = titles.length + (hasHeader ? 2 : 1)
  const text = [
    ...titles,
    ...(hasHeader ? [header.map((name) => quotedFor(name, delimiter)).join(delimiter)] : []),
    ...lines.map(({ cells }) => header.map((name) => quotedFor(cells[name] ?? '', delimiter)).join(delimiter)),
  ]
  const workbook = draw.book && workbookOf(draw.book, { titles, header, lines, first, hasHeader, names: [make, notes] })
  const leftOut = workbook?.leavesOutHidden ? workbook.hidden : new Set<number>()
  const shown = lines.filter((_, n) => !leftOut.has(n))
  // If no phone is ticked, the column says nothing.
  if (lock.endsWith('ticks') && !shown.some(({ cells }) => cells[lockName] === 'x'))
    for (const { meant } of shown) if (meant?.kind === 'phone') meant.phone.network_locked = null
  // A workbook does not store empty cells. If the last columns of a table without a header are empty in all rows, they
  // do not exist.
  const toTheEnd = header.slice(header.indexOf(lockName))
  const isThere = hasHeader || !workbook || shown.some(({ cells }) => toTheEnd.some((name) => cells[name]))
  const isSaid = lock !== 'not' && isThere && (isOpposite(lock) || shown.some(({ cells }) => cells[lockName]))
  const isBlank = (cell = '') => cell === '' || spreadsheetError(cell) !== null
  const blanks = new Set(lines.flatMap(({ cells }, n) => (isSaid && isBlank(cells[lockName]) ? first + n : [])))
  const rows = new Map<number, Meant>()
  if (!hasHeader) for (const n of titles.keys()) rows.set(n + 1, none('a title'))
  for (const [n, { meant }] of lines.entries()) if (meant && !leftOut.has(n)) rows.set(first + n, meant)
  const flags: Record<string, FileColumn> = {
    ...(lock !== 'not' && { [lockName]: isOpposite(lock) ? 'network_unlocked' : 'network_locked' }),
    ...(works !== 'not' && { [worksName]: isOpposite(works) ? 'faulty' : 'functional' }),
  }
  const known: Record<string, FileColumn> = {
    ...{ [make]: 'make', [model]: 'model', [category]: 'category', [price]: 'purchase_price', [date]: 'purchase_date' },
    ...{ [notes]: 'engineer_notes', Box: 'location', [language.imei]: 'imei', 'IMEI 2': 'imei2' },
    ...{ [language.serial]: 'serial_number', Currency: 'purchase_currency', ...flags },
  }
  return {
    ...{ csv: text.join('\r\n'), book: workbook, rows, flags, blanks, isUpdate: draw.isUpdate },
    ...fileText(text.join('\r\n'), draw.encoding),
    headerRow: hasHeader ? titles.length + 1 : null,
    fields: header.map((name) => known[name]!),
    hasDoubts: draw.phones.some(({ trouble }) => trouble === 'doubt'),
    ...{ dates: draw.order, decimal: draw.decimal, currency: draw.currency },
  }
}

/** The bytes of a file that is sent as text. If the encoding lacks a letter of the text, the file is sent as UTF-8. */
function fileText(text: string, how: (typeof ENCODINGS)[number]): Pick<SupplierFile, 'bytes' | 'encoding'> {
  const mark = '\ufeff'
  if (how === 'utf-8 with a mark') return { bytes: Buffer.from(mark + text), encoding: 'utf-8' }
  if (how === 'utf-16le') return { bytes: Buffer.from(mark + text, how), encoding: how }
  if (how === 'code page')
    for (const encoding of ['windows-1252', 'windows-1250'] as const)
      try {
        return { bytes: encoded(text, encoding), encoding }
      } catch {
        // This encoding lacks a letter; try the next one.
      }
  return { bytes: Buffer.from(text), encoding: 'utf-8' }
}

type Line = { cells: Record<string, string>; typed: Record<string, Typed>; meant: Meant | null; isHidden?: boolean }
type Parts = {
  titles: readonly string[]
  header: readonly string[]
  lines: readonly Line[]
  /** The row number of the first line. */
  first: number
  hasHeader: boolean
  /** The columns with the same value for each phone, and those that may be hidden. */
  names: readonly [make: string, notes: string]
}

function workbookOf(drawn: Book, { titles, header, lines, first, hasHeader, names: [make, notes] }: Parts) {
  const hidden = new Set(drawn.hidesRows ? lines.flatMap(({ isHidden }, n) => (isHidden ? n : [])) : [])
  // If all phones of a file are hidden, hidden rows are not left out: the rest would be totals without a header.
  const isPhone = ({ meant }: Line) => meant !== null && meant.kind !== 'none'
  const book = {
    ...drawn,
    leavesOutHidden: drawn.leavesOutHidden && lines.some((line, n) => isPhone(line) && !hidden.has(n)),
  }
  const merged = book.merges ? runOfPhones(lines) : null
  const cellsOf = ({ cells, typed }: Line, n: number) =>
    header.map((name) => {
      const isUnder = name === make && merged && n > merged[0] && n <= merged[1]
      return isUnder ? { text: '' } : { text: cells[name] ?? '', typed: typed[name] }
    })
  const words = (of: readonly string[]) => ({ cells: of.map((text) => ({ text })), isHidden: false })
  const xlsx = bookOf(
    [
      ...titles.map((title) => words([title])),
      ...(hasHeader ? [words(header)] : []),
      ...lines.map((line, n) => ({ cells: cellsOf(line, n), isHidden: hidden.has(n) })),
    ],
    book,
    merged ? [[header.indexOf(make), first + merged[0], first + merged[1]]] : [],
    book.hidesColumn ? header.indexOf(notes) : null,
  )
  const shown = lines.filter((_, n) => !(book.leavesOutHidden && hidden.has(n)))
  const counts = {
    hidden_rows: [...hidden].filter((n) => header.some((name) => lines[n]!.cells[name])).length,
    merged: merged ? merged[1] - merged[0] : 0,
    no_result: shown.flatMap(({ typed }) => Object.values(typed)).filter((one) => 'formula' in one).length,
  }
  const told = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
  return { xlsx, hidden, leavesOutHidden: book.leavesOutHidden, notes: told }
}

/** The first and the last line of the first unbroken run of phones; null if there is none. */
function runOfPhones(lines: readonly Line[]): [number, number] | null {
  const first = lines.findIndex(({ meant }) => meant?.kind === 'phone')
  const end = lines.findIndex(({ meant }, n) => n > first && meant?.kind !== 'phone')
  const last = (end === -1 ? lines.length : end) - 1
  return first !== -1 && last > first ? [first, last] : null
}

const quotedFor = (cell: string, delimiter: string) =>
  cell.includes(delimiter) || cell.startsWith('"') ? `"${cell.replaceAll('"', '""')}"` : cell

type Names = { lockName: string; worksName: string; today: string; place: number }

function phoneLine(phone: DrawnPhone, draw: Drawn, { lockName, worksName, today, place }: Names): Line {
  const { language, identified, lock, works } = draw
  const { number, word, trouble } = phone
  const [make, model, category, price, date, notes] = language.names
  const imei = trouble === 'lost zero' ? imeiOf(number, '01') : imeiOf(number)
  const isTablet = identified === 'either' && word % 3 === 0
  const wrap = pick(WRAPPED, word)
  const wrapDigits = pick(WRAPPED.slice(0, -2), word)
  const serial =
    identified === 'imeis as serials' ? imei : identified === 'digits' ? digitsOf(number, place) : serialOf(number)
  const hasImei =
    ['imei', 'both', 'two', 'imeis as serials'].includes(identified) || (identified === 'either' && !isTablet)
  const meant: Phone = {
    imei: hasImei ? imei : null,
    serial_number:
      ['both', 'serials', 'digits'].includes(identified) || isTablet ? (isTablet ? serialOf(number) : serial) : null,
    purchase_price: draw.areWhole ? phone.price - (phone.price % 100) || 100 : phone.price,
    purchase_currency: draw.currency,
    purchase_date: dayBefore(today, phone.age),
    network_locked: lock === 'not' ? null : phone.isLocked,
    functional: works === 'not' ? null : phone.isWorking ? 'working' : 'faulty',
  }
  const cells: Record<string, string> = {
    ...{
      [make]: 'Apple',
      [model]: 'iPhone 13 128GB',
      [category]: 'Phones',
      [notes]: pick(['', 'ok', 'total loss of a screen'], word),
      Box: '1',
      Currency: draw.currency,
    },
    [price]: amount(meant.purchase_price, draw, word),
    [date]: dateText(meant.purchase_date!, draw),
  }
  // The column of the first identifier, in which the error is put.
  const first = ['imei', 'both', 'two'].includes(identified)
    ? language.imei
    : identified === 'either'
      ? 'IMEI/Serial'
      : language.serial
  const written = trouble === 'lost zero' ? imei.slice(1) : imei
  cells[language.imei] = wrap(written)
  cells['IMEI 2'] = imeiOf(number, '36')
  cells['IMEI/Serial'] = wrap(isTablet ? serialOf(number) : written).replace(/^(SN\w+)\.0$/, '$1')
  cells[language.serial] = serial === imei ? wrap(written) : /^\d/.test(serial) ? wrapDigits(serial) : serial
  const typed: Record<string, Typed> = {
    ...(!(draw.currency !== 'EUR' && draw.saysCurrency === 'in cells') && {
      [price]: { amount: meant.purchase_price },
    }),
    [date]: { day: Date.parse(`${meant.purchase_date}T00:00:00Z`) / 86_400_000 },
    [language.imei]: { digits: written },
    'IMEI 2': { digits: cells['IMEI 2'] },
    ...(/^\d/.test(serial) && { [language.serial]: { digits: serial === imei ? written : serial } }),
    ...(!isTablet && { 'IMEI/Serial': { digits: written } }),
  }
  if (lock !== 'not')
    cells[lockName] = said(lock, phone.isLocked, [language.lockedWords, language.unlockedWords], language, word)
  if (works !== 'not') {
    const turned = isTurnedWorks(works) ? !phone.isWorking : phone.isWorking
    cells[worksName] = works.endsWith('words')
      ? pick(phone.isWorking ? language.worksWords : language.faultyWords, word)
      : pick(turned ? language.yes : language.no, word)
  }
  if (lock === 'plain' || lock === 'opposite') typed[lockName] = { is: phone.isLocked !== (lock === 'opposite') }
  const before = { ...cells }
  const is: Meant =
    trouble === null
      ? { kind: 'phone', phone: meant }
      : troubled(trouble, { cells, typed, first, lockName, meant, draw, word })
  // A cell whose text has changed is a text cell, unless it has an error of its own.
  for (const [name, text] of Object.entries(cells))
    if (text !== before[name] && typed[name] && !isOwn(typed[name])) delete typed[name]
  return { cells, typed, meant: is, isHidden: word % 4 === 1 }
}
const isOwn = (typed: Typed) => 'error' in typed || 'formula' in typed
const isTurnedWorks = (works: string) => works.startsWith('opposite')

type Troubled = {
  cells: Record<string, string>
  typed: Record<string, Typed>
  first: string
  lockName: string
  meant: Phone
  draw: Drawn
  word: number
}

function troubled(trouble: (typeof TROUBLES)[number], told: Troubled): Meant {
  const { cells, typed, first, lockName, meant, draw, word } = told
  const { language, identified, lock } = draw
  const broken: Meant = { kind: 'broken', phone: meant }
  /** Workbooks store errors in English, whatever the language of the program. */
  const err = (name: string) => {
    cells[name] = pick(language.errors, word)
    if (draw.book) typed[name] = { error: pick(['#REF!', '#N/A', '#VALUE!', '#DIV/0!', '#NAME?'], word) }
  }
  switch (trouble) {
    case 'error':
      err(first)
      return broken
    case 'no phone':
      cells[first] = pick(language.noPhones, word)
      return { kind: 'none', what: 'a word for no phone' }
    case 'shortened':
      cells[first] = '3.56938E+14'
      return broken
    case 'filler':
      cells[first] = pick(language.fillers, word)
      return identified === 'both' || identified === 'two'
        ? { kind: 'phone', phone: { ...meant, imei: null }, mayFail: identified === 'two' }
        : broken
    case 'price error':
      err(language.names[3])
      return broken
    case 'date error':
      err(language.names[4])
      return { kind: 'phone', phone: { ...meant, purchase_date: null } }
    case 'no result':
      cells[language.names[3]] = ''
      typed[language.names[3]] = { formula: 'H2*1.2' }
      return broken
    case 'lost zero':
      return { kind: 'phone', phone: meant, mayFail: meant.imei !== null }
    case 'doubt':
      if (lock === 'not') return { kind: 'phone', phone: meant }
      cells[lockName] = pick(['Locked?', 'iCloud locked', 'Locked, now unlocked'], word)
      return broken
    case 'lock error':
      if (lock === 'not') return { kind: 'phone', phone: meant }
      err(lockName)
      return { kind: 'phone', phone: { ...meant, network_locked: null } }
  }
}

function otherLine(what: string, word: number, draw: Drawn, header: readonly string[]): Line {
  const typed = {}
  const { language } = draw
  const [make, model, , price] = language.names
  if (what === 'empty') return { cells: {}, typed, meant: null }
  if (what === 'header')
    return { cells: Object.fromEntries(header.map((name) => [name, name])), typed, meant: none('the header again') }
  if (what === 'footer')
    return { cells: { [header[0]!]: pick(language.footers, word) }, typed, meant: none('a footer') }
  if (what === 'sums') {
    const counts = { [price]: amount(9_999_900, draw, word), Box: '12', [language.serial]: '14' }
    return { cells: counts, typed: { [price]: { amount: 9_999_900 } }, meant: none('sums without a word') }
  }
  const label = pick(language.totals, word)
  const first = pick([header[0]!, make, model, language.serial, language.imei], word)
  const at = header.includes(first) ? first : header[0]!
  const more = { [price]: amount(1_234_500, draw, word), Box: String(draw.phones.length) }
  return { cells: { ...(word % 3 ? more : { Box: '12' }), [at]: label }, typed, meant: none('a total') }
}
const none = (what: string): Meant => ({ kind: 'none', what })

/** A generator of files for this day (yyyy-mm-dd). */
export const supplierFile = (today: string) => drawn.map((draw) => fileOf(draw, today))
