import { isDeepStrictEqual } from 'node:util'
import {
  amountOf,
  BadBankFile,
  type BankLine,
  type BankLines,
  bankLine,
  isIban,
  type ReadLine,
  refuseCurrency,
  refuseTooMany,
} from './bank-line.ts'

// Reads MT940 of SWIFT, with or without its envelope. The form of field 86 is up to the bank: German banks number its
// parts (`?20`), Dutch ones name them (`/REMI/`), and others write plain text.

type Field = { tag: string; lines: string[] }

/** The most characters of a line that are read. The format allows 65, but some banks write more into field 86. */
const MAX_LINE = 2000
const DAMAGED = 'This MT940 file cannot be read:'
/** Each bank closes its statements with a balance. A file that is cut may end in the middle of an amount or a text. */
const CUT = 'no closing balance (field 62F or 62M) follows the entries of a statement. Download the file again.'

/** Whether the beginning of a text has the first fields of an MT940 statement. */
export const isMt940 = (text: string) => /(?:^|[\r\n])\s{0,4}:20:/.test(text) && /[\r\n]:25[A-Z]?:/.test(text)

/** Reads the entries of an MT940 file, whose text comes in pieces. Throws `BadBankFile`. */
export function readMt940(pieces: Iterable<string>): BankLines {
  const lines: ReadLine[] = []
  let account: string | undefined
  let currency: string | undefined
  let entry: Movement | undefined
  let awaitsBalance = false
  const take = (details: readonly string[]) => {
    // Some banks close a month with an entry of 0,00.
    if (entry && entry.amount !== 0) lines.push(lineOf(account, entry, details))
    entry = undefined
    refuseTooMany(lines.length)
  }
  const refuseCut = () => {
    if (awaitsBalance) throw new BadBankFile(`${DAMAGED} ${CUT}`)
  }
  for (const { tag, lines: written } of fieldsOf(pieces)) {
    const [first = ''] = written
    if (tag === '86') {
      take(written)
      continue
    }
    take([])
    if (tag === '20') {
      refuseCut()
      account = currency = undefined
    } else if (tag === '25' || tag === '25P') account = first.trim()
    else if (tag === '60F' || tag === '60M') {
      currency = /^[CD]\d{6}([A-Z]{3})/.exec(first)?.[1]
      refuseCurrency(currency ?? '', account)
    } else if (tag === '61') {
      if (!currency)
        throw new BadBankFile(`${DAMAGED} a statement does not say its currency before its entries (field 60).`)
      entry = movementOf(first, written[1])
      awaitsBalance = true
    } else if (tag === '62F' || tag === '62M') awaitsBalance = false
  }
  take([])
  refuseCut()
  return { lines, not_booked: 0 }
}

/** The fields of all statements in a file, in their order. */
function* fieldsOf(pieces: Iterable<string>): Generator<Field> {
  let field: Field | undefined
  for (const whole of linesOf(pieces)) {
    // The envelope opens with blocks in braces and closes with `-}`. Anything before the first field is skipped.
    const line = whole.slice(0, MAX_LINE).replace(/^(?:\{[1-5]:[^{}]{0,200}\}?){1,5}/, '')
    const [, tag, rest] = /^\s{0,4}:(\d{2}[A-Z]?):(.*)$/.exec(line) ?? []
    if (tag !== undefined) {
      if (field) yield field
      field = { tag, lines: [rest ?? ''] }
    } else if (/^-\}?/.test(line) && line.length <= 2 + 200 && /^-(?:\}|$)/.test(line)) {
      if (field) yield field
      field = undefined
    } else if (field && field.lines.length < 100) field.lines.push(line)
  }
  if (field) yield field
}

/** The lines of a text that comes in pieces. A line break may begin in one piece and end in the next. */
function* linesOf(pieces: Iterable<string>): Generator<string> {
  let rest = ''
  for (const piece of pieces) {
    const lines = `${rest}${piece}`.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > MAX_LINE) rest = rest.slice(0, MAX_LINE) + rest.slice(-1)
  }
  yield* rest.split('\r')
}

type Movement = Pick<BankLine, 'booked_on' | 'amount' | 'is_reversal'> & { end: string; supplement: string }

/** The movement. Its end has the type and the references. */
const MOVEMENT = /^(\d{6})(\d{4})?(C|D|RC|RD|EC|ED)([A-Z])?(\d[\d.,]{0,20})(.{0,204})$/

/** Reads field 61, the movement. `RC` takes a credit back, `RD` a debit. `supplement` is the second line. */
function movementOf(line: string, supplement = ''): Movement {
  const parts = MOVEMENT.exec(line.trim())
  if (!parts) throw new BadBankFile(`${DAMAGED} '${line.slice(0, 40)}' is not an entry (field 61).`)
  const [, value = '', booked, mark = '', , digits = '', end = ''] = parts
  // SWIFT demands the comma. An amount without it may have been cut.
  const amount = /[.,]/.test(digits) ? amountOf(digits) : undefined
  if (amount === undefined) throw new BadBankFile(`${DAMAGED} '${digits}' is not an amount (field 61).`)
  return {
    booked_on: bookingDay(value, booked),
    amount: mark === 'C' || mark === 'RD' || mark === 'EC' ? amount : -amount,
    is_reversal: mark.startsWith('R'),
    end,
    supplement: supplement.trim(),
  }
}

/** The facts that field 61 has besides the movement. */
type Named = Pick<BankLine, 'bank_reference' | 'end_to_end' | 'iban'>

/** The type of a movement: N, S or F with three characters. Some banks write fewer, or a blank (`NOV `). */
const TYPE = /^[NSF][^/]{0,3}/
/** Words in place of the payer's reference. They only say under which word field 86 has it. */
const ELSEWHERE = /^(?:EREF|KREF|MARF|MREF|PREF)\+?$/

/**
 * Reads the references of field 61. Its second line may be the other party's IBAN, as Rabobank writes it, or codes such
 * as the bank's kind of entry (`/TRCD/00100/`). Anything else in it is shown as the bank's reference. But it is free
 * text, and may be the same in each entry (`GUTSCHRIFT`), so only a reference behind `//` can be the entry's own.
 */
function namedIn({ end, supplement }: Movement): Named & { reference: 'own' | 'shared' } {
  const [own = '', bank = ''] = end.replace(TYPE, '').split('//', 2)
  const isAccount = isIban(supplement)
  return {
    bank_reference: bank.trim() || (isAccount || supplement.startsWith('/') ? null : supplement || null),
    end_to_end: ELSEWHERE.test(own.trim()) ? null : own.trim() || null,
    iban: isAccount ? supplement : null,
    reference: bank.trim() === '' ? 'shared' : 'own',
  }
}

/** The references of field 61 as version 1.0.0 read them. This must stay as it is, because databases have them so. */
function formerlyNamedIn({ end, supplement }: Movement): Named {
  const [own = '', bank = ''] = end.replace(/^[NSF][A-Z0-9]{3}/, '').split('//', 2)
  return { bank_reference: bank.trim() || supplement || null, end_to_end: own.trim() || null, iban: null }
}

/** The line of an entry, from field 61 and the details in field 86. */
function lineOf(account: string | undefined, movement: Movement, written: readonly string[]): ReadLine {
  const details = detailsOf(written)
  const readWith = ({ bank_reference, end_to_end, iban }: Named) =>
    bankLine({
      ...{ account, ...movement, ...details, bank_reference },
      end_to_end: details.end_to_end ?? end_to_end,
      iban: details.iban ?? iban,
    })
  const { reference, ...today } = namedIn(movement)
  const line = readWith(today)
  const former = readWith(formerlyNamedIn(movement))
  return {
    ...line,
    ...(line.bank_reference === null ? {} : { reference }),
    ...(isDeepStrictEqual(former, line) ? {} : { former }),
  }
}

/**
 * The day of booking as yyyy-mm-dd. The field has only month and day; the year is that of the value day, or a
 * neighbouring one at the turn of the year.
 */
function bookingDay(value: string, booked: string | undefined): string {
  const year = 2000 + Number(value.slice(0, 2))
  const day = (of: number, monthAndDay: string) => `${of}-${monthAndDay.slice(0, 2)}-${monthAndDay.slice(2)}`
  if (booked === undefined) return day(year, value.slice(2))
  const months = Number(booked.slice(0, 2)) - Number(value.slice(2, 4))
  return day(months > 6 ? year - 1 : months < -6 ? year + 1 : year, booked)
}

type Details = Partial<Pick<BankLine, 'name' | 'iban' | 'end_to_end' | 'remittance'>>

/** Reads field 86, the details. */
function detailsOf(lines: readonly string[]): Details {
  const joined = lines.join('')
  if (/^\d{3}[^\w\s/]\d\d/.test(joined)) return numbered(joined)
  return isNamed(joined) ? named(lines) : plainText(lines)
}

/** The length of a full part in a German field 86. If a part is full, the next continues it without a blank. */
const FULL_PART = 27

/**
 * Details of German banks, as in `166?00GUTSCHRIFT?20EREF+…?32NAME`: a separator of the bank's choice and two digits
 * begin each part.
 */
function numbered(text: string): Details {
  const parts = text
    .slice(4)
    .split(text.charAt(3))
    .map((part) => [Number(part.slice(0, 2)), part.slice(2)] as const)
  const between = (least: number, most: number) =>
    parts.filter(([code, part]) => code >= least && code <= most && part.trim() !== '').map(([, part]) => part)
  let written = ''
  for (const part of [...between(20, 29), ...between(60, 63)]) written += part.length < FULL_PART ? `${part} ` : part
  const keyed = keyedParts(written)
  const account = between(31, 31)[0]
  return {
    name: between(32, 33).join('') || keyed.get('ABWA') || null,
    iban: account?.trim() || keyed.get('IBAN') || null,
    end_to_end: keyed.get('EREF') || null,
    remittance: keyed.get('SVWZ') ?? keyed.get('') ?? '',
  }
}

/**
 * The parts of a text that begin with a SEPA key such as `SVWZ+`, by key. The text before the first key is under ''.
 */
function keyedParts(text: string): Map<string, string> {
  const found = new Map<string, string>()
  const pieces = text.split(/(EREF|KREF|MREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|IBAN|BIC|PURP)\+/)
  const before = (pieces[0] ?? '').trim()
  if (before || pieces.length === 1) found.set('', before)
  for (const [key, part] of pairsOf(pieces)) if (!found.has(key)) found.set(key, part)
  return found
}

/** The keys in the pieces of a text that was split at its keys, each with the text after it. */
const pairsOf = (pieces: readonly string[]) =>
  pieces.flatMap((piece, n) => (n % 2 === 1 ? [[piece, (pieces[n + 1] ?? '').trim()] as const] : []))

const NAMES =
  'TRTP|CSID|MARF|EREF|PREF|CREF|BENM|ORDP|CNTP|NAME|ID|ADDR|IBAN|BIC|REMI|RTRN|ISDT|PURP|SVCL|OCMT|ULTC|ULTD|ULTB'
const isNamed = (text: string) => new RegExp(`^[^/]{0,40}/(?:${NAMES})/`).test(text)

/** The length of a full line. A shorter line was cut at a blank. */
const FULL_LINE = 65

/**
 * Details of Dutch banks, as in `/EREF/…/NAME/…/REMI/…`. ING writes account, BIC and name into `/CNTP/`, and the kind
 * of the text into `/REMI/`.
 */
function named(lines: readonly string[]): Details {
  const text = lines
    .map((line) => (line.length < FULL_LINE ? `${line.trimEnd()} ` : line))
    .join('')
    .slice(0, 4000)
  const pieces = text.split(new RegExp(`/(${NAMES})/`))
  const found = new Map<string, string>()
  for (const [key, part] of pairsOf(pieces)) if (!found.has(key)) found.set(key, part)
  const [account, , name] = found.get('CNTP')?.split('/') ?? []
  const remittance = (found.get('REMI') ?? '').replace(/^(?:USTD|STRD)\/{1,2}/, '').replace(/\/{1,2}$/, '')
  return {
    name: found.get('NAME') || name?.trim() || null,
    iban: found.get('IBAN') || account?.trim() || null,
    end_to_end: found.get('EREF')?.replace(/\/$/, '') || null,
    remittance: remittance || found.get('CREF') || '',
  }
}

/** Details in plain text. An IBAN in it belongs to the other party. */
function plainText(lines: readonly string[]): Details {
  const text = lines.map((line) => line.trim()).join(' ')
  const iban = text
    .slice(0, 500)
    .split(/[\s/,;:]+/)
    .find((word) => isIban(word))
  return { remittance: text, iban: iban ?? null }
}
