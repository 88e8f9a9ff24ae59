import { type Hundredths, toCurrencyUnits } from '@backstock/contract/money.ts'
import { getFrom } from '../../lists.ts'
import { DATEV_COLUMNS } from './columns.ts'
import { cp1252, inCp1252 } from './cp1252.ts'

/** A DATEV posting batch. Days are yyyy-mm-dd; `created` is yyyymmddhhmmssfff in the company's time zone. */
export type DatevBatch = {
  created: string
  consultant: number
  client: number
  /** The first day of the fiscal year that contains the whole batch. */
  yearStart: string
  accountLength: number
  from: string
  to: string
}

export type DatevBooking = {
  /**
   * The sum with VAT, never 0. Above 0, it is debited to the personal account, like a customer's debt; below 0, it is
   * credited.
   */
  gross: Hundredths
  /** The account of a customer or supplier. */
  personal: number
  against: number
  issued_on: string
  number: string
  text: string
  /** Set only for an intra-Community supply. */
  buyersVatNumber: string | null
}

const TEXT_MOST = 60
const NUMBER_MOST = 36
const VAT_NUMBER_MOST = 15

/** A text in quotation marks, cut to `most` characters, without control characters. */
function quoted(text: string, most: number): string {
  const plain = inCp1252(text)
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, most)
  return `"${plain.replaceAll('"', '""')}"`
}

const compact = (day: string) => day.replaceAll('-', '')
const line = (fields: readonly (string | number)[]) => cp1252(`${fields.join(';')}\r\n`)

/** The first two lines of a posting batch: its properties, and the headings of its columns. */
export function datevHead({ created, consultant, client, yearStart, accountLength, from, to }: DatevBatch): Buffer {
  const what = ['"EXTF"', 700, 21, '"Buchungsstapel"', 13, created, '', '"RE"', '""', '""', consultant, client]
  const when = [compact(yearStart), accountLength, compact(from), compact(to), '"Backstock"', '""']
  // The batch is financial accounting, with no special purpose. It is not locked against changes, because the
  // accountant checks it first.
  const how = [1, 0, 0, '"EUR"', '', '""', '', '', '""', '', '', '""', '""']
  return Buffer.concat([line([...what, ...when, ...how]), line(DATEV_COLUMNS)])
}

const PLACE = new Map(DATEV_COLUMNS.map((name, place) => [name, place]))

/** One booking as a line: a personal account against another account, whose VAT DATEV knows. */
export function datevLine(booking: DatevBooking): Buffer {
  const { gross, personal, against, issued_on, number, text, buyersVatNumber } = booking
  const values: Record<string, string | number> = {
    'Umsatz (ohne Soll/Haben-Kz)': toCurrencyUnits(Math.abs(gross)).replace('.', ','),
    'Soll/Haben-Kennzeichen': gross > 0 ? '"S"' : '"H"',
    'WKZ Umsatz': '"EUR"',
    Konto: personal,
    'Gegenkonto (ohne BU-Schlüssel)': against,
    Belegdatum: issued_on.slice(8, 10) + issued_on.slice(5, 7),
    'Belegfeld 1': quoted(number.replace(/[^\w$&%*+/-]/g, ''), NUMBER_MOST),
    Buchungstext: quoted(text, TEXT_MOST),
    ...(buyersVatNumber && { 'EU-Land u. UStID (Bestimmung)': quoted(buyersVatNumber, VAT_NUMBER_MOST) }),
  }
  const fields = DATEV_COLUMNS.map((): string | number => '')
  for (const [name, value] of Object.entries(values)) fields[getFrom(PLACE, name)] = value
  return line(fields)
}
