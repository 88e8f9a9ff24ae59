import { isWholeImei } from './imei.ts'
import { plainIdentifier } from './plain-text.ts'
import { spreadsheetError } from './spreadsheet-error.ts'

/** Suppliers' words for 'the phone has no identifier of this kind'. A run of dashes or of zeros means the same. */
const NONE = words(
  'n/a, n.a., na, none, null, unknown, x, notavailable, notapplicable, nil, noserial, noserialnumber, noimei',
  'unbekannt, keine, keiner, keines, nichtvorhanden, nichtverfügbar, nichtbekannt, k.a., k.a, entfällt, ohne',
  'inconnu, inconnue, aucun, aucune, sans, nondisponible, n.d., n.c., indisponible',
  'onbekend, geen, nietbeschikbaar, n.v.t., nvt, zonder',
  'desconocido, desconocida, ninguno, ninguna, nodisponible, sin, s/n',
  'sconosciuto, sconosciuta, nessuno, nessuna, senza, nondisponibile',
  'nieznany, nieznana, nieznane, brak, niedostępny, niedotyczy',
)
/** Suppliers' words for 'nobody could read the identifier', or 'it follows later'. */
const UNREAD = words(
  'tbc, tba, tbd, t.b.c., t.b.a., t.b.d., tobeconfirmed, tobeadvised, tobeannounced, pending, error, illegible, unreadable',
  'notreadable, seenotes, seenote, seebox, seedescription, missing',
  'fehler, unleserlich, nichtlesbar, siehenotiz, siehenotizen, siehebemerkung, fehlt, folgt',
  'erreur, illisible, voirnotes, voirremarques, manquant, àconfirmer, àvenir',
  'fout, onleesbaar, zienotities, zieopmerkingen, ontbreekt, volgt',
  'error de lectura, ilegible, vernotas, falta, pendiente, porconfirmar',
  'errore, illeggibile, vedinote, vedere note, mancante, daconfermare',
  'błąd, nieczytelny, nieczytelne, patrznotatki, patrzuwagi, brakuje, dopotwierdzenia',
)

/**
 * Words which say that a row is not one phone: it is a trial, means several phones, or points to the row above. An
 * import must not take them for serial numbers.
 */
const NO_PHONE = words(
  'test, testing, dummy, example, sample, various, several, multiple, same, same as above, as above, see above, ditto, idem',
  'dito, diverse, mehrere, muster, beispiel, siehe oben, wie oben, exemple, divers, plusieurs, voir ci-dessus, identique',
  'voorbeeld, meerdere, diversen, zie boven, idem dito, ejemplo, prueba, varios, igual, mismo, esempio, prova, vari, diversi',
  'stesso, come sopra, przykład, próba, różne, kilka, jak wyżej, j.w., jw.',
)

function words(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(', ').map((word) => word.replaceAll(' ', ''))))
}

/** A cell that has only dashes, dots, question marks or similar signs, only zeros, or only the letter x. */
const NOTHING = /^(?:0+|x+|[-‐-―._*?/\\#…\s]+)$/i
const LONGEST_WORDS = 30
const bare = (text: string) => text.toLowerCase().replace(/\s/g, '')

const isNone = (text: string) =>
  NOTHING.test(text) || (text.length < LONGEST_WORDS && (NONE.has(bare(text)) || spreadsheetError(text) !== null))

/** Whether a cell of any column is empty or has a word for 'none'. */
export const saysNone = (cell: string) => isNone(textOfCell(cell)) || textOfCell(cell) === ''

const isPlaceholder = (text: string) => isNone(text) || (text.length < LONGEST_WORDS && UNREAD.has(bare(text)))

/** The message for an identifier that is a word of `NO_PHONE`; null for any other identifier. */
export function noPhoneMessage(cell: string): string | null {
  const text = cell.length < LONGEST_WORDS ? textOfCell(cell) : ''
  return NO_PHONE.has(bare(text))
    ? `'${text}' does not identify a device: leave the cell empty, or leave out the row.`
    : null
}

/** A count or a price, as the totals of a file have them: `6`, `1,250`, `12 pcs`, `990.00`, `€ 1.234,50`. */
const FIGURE =
  /^(?:(?:€|\$|£|EUR|USD|GBP) ?)?(?:\d{1,4}|\d{1,3}(?:[.,' ]\d{3}){1,3})(?:[.,]\d{1,2})?(?: ?(?:€|\$|£|%|EUR|USD|GBP|x|pcs?\.?|pieces|units?|stk\.?|st\.?|stück|stuks|szt\.?|pz\.?|uds?\.?))?$/i
/** Prices above 9,999.99 without a separator of thousands, such as `12500.00`. */
const LONG_PRICE = /^\d{5,7}[.,]\d{2}$/
const SHORTEST = 4

/**
 * Whether a serial number is weak: it is too short, or has the form of a count or a price. Many phones may have the
 * same one, so it does not find a phone by itself.
 */
export const isWeakSerial = (serial: string) =>
  serial.length < SHORTEST || (serial.length < 20 && (FIGURE.test(serial) || LONG_PRICE.test(serial)))

/** The message for a weak serial number in a row or form without another identifier of the phone. */
export const weakSerialMessage = (serial: string) =>
  `'${serial}' does not identify one device: enter the IMEI, or the maker’s serial number.`

const YEAR_FIRST = /^(?:19|20)\d\d([-/.])(\d{1,2})\1(\d{1,2})(?:[T ]\d{1,2}:\d\d(?::\d\d)?)?$/
const YEAR_LAST = /^(\d{1,2})([-/.])(\d{1,2})\2(?:19|20)\d\d(?: \d{1,2}:\d\d(?::\d\d)?)?$/

/** Whether an identifier is a date. A spreadsheet turns a text that looks like a date into one. */
export function isDay(identifier: string): boolean {
  if (identifier.length > 20) return false
  const [, , first, second] = YEAR_FIRST.exec(identifier) ?? []
  const [, one, , other] = YEAR_LAST.exec(identifier) ?? []
  const parts = [Number(first ?? one), Number(second ?? other)]
  return parts.every((part) => part >= 1 && part <= 31) && Math.min(...parts) <= 12
}

/** The message for an identifier that is a date. */
export const dayMessage = (identifier: string) =>
  `${identifier} is a date and not a serial number: format the column as text and export it again.`

/** Why a serial number that a person types is wrong, as the sentence to show; null if nothing is wrong. */
export function serialProblem(serial: string | null, imei: string | null): string | null {
  if (!serial) return null
  if (isPlaceholder(serial) || noPhoneMessage(serial))
    return `'${serial}' is not a serial number: leave the field empty.`
  if (isDay(serial)) return `${serial} is a date and not a serial number.`
  return !imei && isWeakSerial(serial) ? weakSerialMessage(serial) : null
}

/** Quotation marks that spreadsheets put before or after a number to keep it text (`'359…`). */
const MARKS = new Set("'’‘`´")

/**
 * The most characters of a cell in which an identifier is looked for. A longer cell stays as it is, and the import
 * refuses it.
 */
const TOO_LONG = 1000

/** The text without the signs that spreadsheets put around a number (`'359…`, `="359…"`) or after it (`359….0`). */
function unwrapped(text: string): string {
  const quoted = /^=\s*"(.*)"$/s.exec(text)?.[1] ?? text
  let [from, to] = [0, quoted.length]
  while (from < to && MARKS.has(quoted.charAt(from))) from++
  while (to > from && MARKS.has(quoted.charAt(to - 1))) to--
  return quoted.slice(from, to).replace(/^(\d+)\.0$/, '$1')
}

/** Letters and digits alone. Nearly all identifiers have this form, and such a text needs none of the slower steps. */
const BARE = /^[A-Z0-9]+$/i

/** The identifier in a cell of a file; empty if the cell has none. */
export function identifierOfCell(cell: string): string {
  const text = BARE.test(cell) ? cell : textOfCell(cell)
  return isPlaceholder(text) ? '' : text
}

/** The text of a cell, without labels and without the signs that spreadsheets put around it. */
function textOfCell(cell: string): string {
  let text = plainIdentifier(cell)
  if (text.length > TOO_LONG) return text
  for (let before = ''; before !== text; ) {
    before = text
    text = plainIdentifier(unwrapped(text))
  }
  return text
}

/** Whether a spreadsheet has rounded the number (`1.23457E+11`). Many phones would then have the same one. */
export const isShortened = (identifier: string) => /^\d+([.,]\d+)?e\+\d+$/i.test(identifier)

/** The message for a rounded number, with the value that was read. */
export const shortenedMessage = (called: string, identifier: string) =>
  `A spreadsheet has shortened this ${called} to ${identifier}: format the column as text and export it again.`

/**
 * The better form to store, if two forms mean the same IMEI: the one with a check digit, else the longer one, else the
 * newer one.
 */
export function fullerImei(now: string, given: string): string {
  const rank = (imei: string) => (imei.length === 15 ? 17 : imei.length)
  return rank(now) > rank(given) ? now : given
}

/** Words that labels and lists put before a number: `IMEI: 350000090000197`, `S/N C39AAA0001`. */
const LABEL =
  /^(?:IMEI ?(?:no|nr)?\.? ?[12]?|MEID|EID|ESN|S\/N|SN|serial(?: ?(?:number|no|nr)\.?)?) ?(?:[:#=] ?|(?=\d{14}))/i
const isImeiForm = (text: string) => /^[\d -]{14,20}$/.test(text) && /^\d{14,16}$/.test(text.replace(/[ -]/g, ''))

/**
 * The identifier in a line that a person pastes, types or scans, without a label and without the signs that
 * spreadsheets add. If the line has columns (tabs, semicolons), the first cell with the form of an IMEI is chosen; else
 * the only IMEI in the line with a right check digit; else the first cell.
 */
export function identifierOfLine(line: string): string {
  if (BARE.test(line)) return line
  const text = line.length > TOO_LONG ? '' : line
  const cells = text.split(/[\t;]/).flatMap((cell) => bareCell(cell) || [])
  return cells.find(isImeiForm) ?? imeiAmong(text) ?? cells[0] ?? plainIdentifier(line)
}

/** The IMEI among the words of a text, if there is exactly one: `350000090000197,One,249.90`, `1. 350000090000197`. */
function imeiAmong(text: string): string | undefined {
  const words = text.split(/[\s,;|/()"']+/).filter(isWholeImei)
  return new Set(words).size === 1 ? words[0] : undefined
}

/**
 * The identifier in a search, if the text is surely one: it has the form of an IMEI, or a label before it. Else null.
 */
export function identifierInSearch(search: string): string | null {
  if (search.length > TOO_LONG || BARE.test(search)) return null
  const bare = bareCell(search)
  return isImeiForm(bare) || (bare !== '' && LABEL.test(plainIdentifier(search))) ? bare : null
}

/** An identifier that a person types into a field, without the signs that a spreadsheet puts around it. */
export const typedIdentifier = (text: string): string => (BARE.test(text) ? text : textOfCell(text))

function bareCell(cell: string): string {
  const text = textOfCell(plainIdentifier(cell).replace(LABEL, ''))
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"')
  return isQuoted ? textOfCell(text.slice(1, -1)) : text
}
