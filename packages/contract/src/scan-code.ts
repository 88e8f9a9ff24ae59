import { identifierOfLine } from './identifier-cell.ts'
import { compactIdentifier, imeiKey, imeiProblem } from './imei.ts'
import { plainIdentifier } from './plain-text.ts'

/** The most characters of a code that are kept. No identifier is longer, so a longer code is something else. */
export const MAX_CODE = 255
/**
 * The most characters of a code that are read: of the text as it comes, and of the normalised text, which may be
 * longer.
 */
const MOST_READ = 1000
const MOST_PLAIN = 300

/**
 * A text that may be an identifier. `asImei` is false for a number that cannot be an IMEI, but may be a serial number
 * or a Backstock ID.
 */
export type LookUp = { text: string; asImei: boolean }

/** A scanned, typed or pasted code with its possible meanings. */
export type ScannedCode = {
  /** The code as screens show it and the server keeps it. */
  code: string
  /** The id of the item that a code such as `#7` names; null for any other code. */
  item: number | null
  lookUps: LookUp[]
  /** A sentence for the person if no item has the code. Null: the code may be an identifier that nobody knows. */
  hint: string | null
}

const EID = 'That is the EID: scan the IMEI or the serial number.'
const EAN = 'That is the EAN of the box: scan the IMEI or the serial number.'
const TOO_LONG = 'That is too long to be an IMEI or a serial number.'

/** Whether the last digit is the check digit of a GTIN (GS1 General Specifications, 7.9.1). */
export function isGtin(digits: string): boolean {
  const weighted = [...digits].toReversed().map((digit, n) => Number(digit) * (n % 2 === 1 ? 3 : 1))
  return weighted.reduce((sum, part) => sum + part, 0) % 10 === 0
}

/** The symbologies of GS1 codes, in which a number in brackets names each part (GS1 General Specifications, 5.1.3). */
const OF_GS1 = /^\](?:C1|e0|d2|Q3)/
/** The parts of a GS1 code that belong to one device: its serial number (21) and its IMEI (8002). */
const OF_DEVICE = /\((?:21|8002)\)(.+?)(?=\(\d{2,4}\)|$)/

/** The code without the mark of its symbology, which scanners put in front if they are set to. */
export const withoutSymbology = (text: string) => text.replace(/^\][A-Za-z]\d/, '')

/**
 * Reads a code from a label of a phone or box. The symbology in front (`]C1`), the mark of an article number (`(01)`)
 * and the S before Apple's serial numbers are taken off. If the code is `(01)…(21)…`, the serial number after `(21)` is
 * read. Null if the text has no code.
 */
export function readCode(given: string): ScannedCode | null {
  const whole = identifierOfLine(
    given
      .slice(0, MOST_READ)
      .toWellFormed()
      .replace(/(?!\s)\p{Cc}/gu, ''),
  )
  const text = whole.slice(0, MOST_PLAIN).toWellFormed()
  const bare = plainIdentifier(withoutSymbology(text))
  const ofDevice = /^\(\d{2,4}\)/.test(bare) ? OF_DEVICE.exec(bare)?.[1] : undefined
  const unmarked = plainIdentifier(ofDevice ?? bare.replace(/^\(01\)/, ''))
  const compact = compactIdentifier(unmarked)
  if (compact === '' && whole.length <= MOST_PLAIN) return null
  const read = (lookUps: LookUp[], hint: string | null = null): ScannedCode => ({
    code: unmarked.slice(0, MAX_CODE).toWellFormed(),
    item: null,
    lookUps,
    hint,
  })
  if (unmarked.length > MAX_CODE) return read([], TOO_LONG)
  if (/^#[1-9]\d{0,8}$/.test(compact)) return { ...read([]), item: Number(compact.slice(1)) }
  if (/^\d+$/.test(compact)) {
    const isArticle = ofDevice === undefined && bare !== unmarked
    return ofDigits(compact, { isArticle, isDevice: ofDevice !== undefined, isGs1: OF_GS1.test(text) }, read)
  }
  const lookUps = [{ text: unmarked, asImei: false }]
  if (/^S[A-Z0-9]{8,14}$/i.test(compact)) lookUps.push({ text: compact.slice(1), asImei: false })
  return read(lookUps)
}

/** A key that is the same for all forms of one code: the forms of an IMEI, or small and capital letters. */
export function codeKey({ code, lookUps }: ScannedCode): string {
  const [first] = lookUps
  if (!first) return code
  return first.asImei ? imeiKey(first.text) : first.text.toUpperCase()
}

function ofDigits(
  digits: string,
  { isArticle, isDevice, isGs1 }: { isArticle: boolean; isDevice: boolean; isGs1: boolean },
  read: (lookUps: LookUp[], hint?: string | null) => ScannedCode,
): ScannedCode {
  if (digits.length === 32) return read([{ text: digits, asImei: false }], EID)
  const isBox = [8, 12, 13].includes(digits.length) || (isArticle && digits.length === 14 && isGtin(digits))
  if (isBox && !isDevice) return read([{ text: digits, asImei: false }], EAN)
  // Scanners that leave the brackets out send an article number as 01 and its 14 digits. A few old phones have an IMEI
  // of this form, so it is looked up too.
  if (!isDevice && digits.length === 16 && digits.startsWith('01') && isGtin(digits.slice(2)))
    return read([{ text: digits, asImei: !isGs1 }], EAN)
  const problem = digits.length >= 14 && digits.length <= 16 ? imeiProblem(digits) : 'no IMEI'
  return read([{ text: digits, asImei: problem === null }], problem === 'no IMEI' ? null : problem)
}
