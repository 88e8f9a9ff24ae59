import { identifierOfCell, identifierOfLine, isDay, isShortened } from './identifier-cell.ts'
import { compactIdentifier, hexadecimalMeid, imeiKey, isWholeImei } from './imei.ts'
import { aliasKey, bareName } from './import-aliases.ts'
import { withoutCurrency } from './import-prices.ts'

/** The kinds of identifiers that one column of a file may hold together. */
export const MIXED_KINDS = ['imei', 'meid', 'eid', 'serial_number'] as const
export type MixedKind = (typeof MIXED_KINDS)[number]

const OTHER_KINDS = /serial|\bs\/?n\b|meid|\besn\b|\beid\b|s[eé]rie|seryjn|matricol/i

/** Whether a column of IMEIs may hold other identifiers too: its name names them, or does not contain `IMEI`. */
export const allowsOtherKinds = (name: string) => name.length < 256 && (!/imei/i.test(name) || OTHER_KINDS.test(name))

/**
 * Whether a text is surely an MEID: 14 hexadecimal digits, of which the first is a letter. So the text is no IMEI, and
 * no serial number has this form.
 */
const isMeid = (text: string) => /^[A-F][\dA-F]{13}$/i.test(text)

/**
 * The kind of an identifier by its form, in a column that may hold any kind. Digits that are no EID or MEID count as an
 * IMEI, so that a mistyped IMEI fails and never becomes a serial number. Null: the cell has no identifier.
 */
export function mixedKindOf(cell: string): MixedKind | null {
  const found = identifierOfCell(cell)
  const compact = compactIdentifier(found)
  return compact === '' || isShortened(compact) || isDay(found) ? null : kindByForm(compact)
}

function kindByForm(compact: string): MixedKind {
  if (/^\d{32}$/.test(compact)) return 'eid'
  if (isMeid(hexadecimalMeid(compact))) return 'meid'
  return /[A-Z]/i.test(compact) ? 'serial_number' : 'imei'
}

/** Whether a text has the form of a maker's serial number, and is no word or code. */
const isPlainlySerial = (text: string) => /^(?=.*\d)(?=.*[A-Z])[A-Z\d]{8,20}$/i.test(text)
/**
 * The share of cells that must be identifiers, and the share of these that must be proved by a check digit or their
 * length.
 */
const MOST = 0.8
const SOME = 0.3

/**
 * Whether the cells are identifiers of several kinds. The cells come without labels and without a spreadsheet's signs.
 */
export function areMixed(cells: readonly string[]): boolean {
  const kinds = cells.map((cell) => {
    const kind = /^[A-Z\d]{8,40}$/i.test(cell) ? kindByForm(cell) : null
    const isSure = kind === 'imei' ? isWholeImei(cell) : kind !== 'serial_number' || isPlainlySerial(cell)
    return isSure ? kind : null
  })
  const identifiers = kinds.filter((kind) => kind !== null)
  const sure = identifiers.filter((kind) => kind !== 'serial_number').length
  return sure > 1 && sure >= cells.length * SOME && identifiers.length >= cells.length * MOST
}

/** The most IMEIs that one row of a file may have. */
export const MAX_IMEIS = 200
const LONGEST = MAX_IMEIS * 20
const IMEI_WORD = /^IMEI[12]?:?$/i

/**
 * The IMEIs in a cell that has several, each once; an empty list if the cell has one IMEI, or something besides IMEIs.
 */
export function imeisOfCell(cell: string): string[] {
  if (cell.length < 29 || cell.length > LONGEST) return []
  const words = cell.split(/[\s;,/|&+]+/).filter((word) => word !== '' && !IMEI_WORD.test(word))
  if (words.length < 2) return []
  const found = new Map<string, string>()
  for (const word of words) {
    const imei = compactIdentifier(identifierOfLine(word))
    // A cell of other words ends here: reading each of them would take long in a wide file.
    if (!/^\d{14,16}$/.test(imei)) return []
    found.set(imeiKey(imei), imei)
  }
  return [...found.values()]
}

const QUANTITIES: ReadonlySet<string> = new Set(
  [
    'qty, quantity, pcs, pieces, units, no of units, number of units, count, menge, anzahl, stuck, stueck, stuckzahl',
    'stueckzahl, stk, st, quantite, qte, nombre, pieces, aantal, stuks, hoeveelheid, cantidad, cant, uds, unidades',
    'quantita, qta, pezzi, pz, numero pezzi, ilosc, szt, sztuk, liczba sztuk',
  ].flatMap((line) => line.split(', ').map(aliasKey)),
)

/** Whether the name of a column says that each cell has the number of phones in its row. */
export const saysQuantity = (name: string) => QUANTITIES.has(aliasKey(bareName(name)))

const TOTALS: ReadonlySet<string> = new Set(
  [
    'total, line total, row total, total price, total amount, total net, net total, total cost, subtotal, sum, amount',
    'extended, extended price, ext price, gesamt, gesamtpreis, gesamtbetrag, summe, betrag, zeilensumme, zeilenbetrag',
    'positionssumme, nettobetrag, montant, montant ht, montant total, prix total, total ht, total ligne, totaal',
    'regeltotaal, totaalbedrag, totaalprijs, bedrag, importe, importe total, precio total, totale, importo, importo totale',
    'prezzo totale, wartosc, wartosc netto, razem, suma, kwota, kwota netto',
  ].flatMap((line) => line.split(', ').map(aliasKey)),
)

/** Whether the name of a column says that each cell has the total price of all phones in its row. */
export const saysTotal = (name: string) => TOTALS.has(aliasKey(bareName(withoutCurrency(name))))

/** The number in a cell such as `3`, `3.00` or `3 pcs`; null if the cell has none. */
export function quantityOf(cell: string): number | null {
  const [, digits] =
    /^(\d{1,4})(?:[.,]0{1,2})? ?(?:x|pcs|pc|stk|stück|szt|st)?\.?$/i.exec(cell.slice(0, 30).trim()) ?? []
  return digits === undefined ? null : Number(digits)
}
