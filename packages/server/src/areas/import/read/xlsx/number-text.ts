/**
 * The way in which a workbook shows a number. `places` are the decimals, `digits` the digits before the point with
 * leading zeros.
 */
export type NumberFormat =
  | { shows: 'number'; places?: number; digits?: number }
  | { shows: 'percent' }
  | { shows: 'date' }

const isBetween = (id: number, first: number, last: number) => id >= first && id <= last

/**
 * The format of a built-in id, which has no code in the file (ECMA-376, part 1, 18.8.30). 43 and 44 are Excel's buttons
 * for thousands and accounting.
 */
function builtIn(id: number): NumberFormat {
  if (isBetween(id, 14, 17) || id === 22 || isBetween(id, 27, 36) || isBetween(id, 50, 58)) return { shows: 'date' }
  if (id === 9 || id === 10) return { shows: 'percent' }
  return id === 2 || id === 4 || isBetween(id, 39, 40) || isBetween(id, 43, 44)
    ? { shows: 'number', places: 2 }
    : { shows: 'number' }
}

/**
 * The parts of a format that show a text or only align. The text is in quotation marks or brackets, or follows a
 * backslash, `_` or `*`.
 */
const LITERALS = /"[^"]*"|\[[^\]]*\]|[\\_*]./g

export function numberFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return builtIn(id)
  const plain = code.replace(LITERALS, '').split(';', 1)[0] ?? ''
  if (/^(general|standard)$/i.test(plain)) return { shows: 'number' }
  if (/[dy]/i.test(plain)) return { shows: 'date' }
  if (plain.includes('%')) return { shows: 'percent' }
  if (/^0{2,}$/.test(plain)) return { shows: 'number', digits: plain.length }
  const places = /[0#]\.([0#]+)$/.exec(plain.trim())?.[1]?.length
  return places === undefined ? { shows: 'number' } : { shows: 'number', places }
}

const DAY_MS = 86_400_000
/** The number of days from Excel's first day to 1970, and to the first day of workbooks that count from 1904. */
const TO_1970 = 25_569
const TO_1904 = 1_462

/**
 * The text of a cell with a number. Excel keeps 15 digits, so a longer number has lost its last ones. It gets an
 * exponent, so that an identifier fails as shortened.
 */
export function numberText(value: string, format: NumberFormat, is1904: boolean): string {
  const number = Number(Number(value).toPrecision(15))
  if (!Number.isFinite(number)) return value
  if (format.shows === 'date') return dateText(number + (is1904 ? TO_1904 : 0)) ?? value
  if (format.shows === 'percent') return `${Number((number * 100).toPrecision(15))}%`
  if (Math.abs(number) >= 1e15) return number.toExponential().toUpperCase()
  const text = String(number)
  const decimals = /^-?\d+\.(\d+)$/.exec(text)?.[1]?.length ?? 0
  // An amount of money is read to the cent, even if the cell shows fewer decimals.
  const places = format.places === undefined ? undefined : Math.max(2, format.places)
  if (places !== undefined && decimals > places) return number.toFixed(places)
  // Three decimals would be read as thousands if the file's texts have decimal commas, so a zero is added.
  if (decimals === 3) return `${text}0`
  return text.padStart(format.digits ?? 0, '0')
}

/**
 * A date, with its time if it has one. Excel counts days before March 1900 wrongly, but no file of devices has such
 * days.
 */
function dateText(serial: number): string | undefined {
  const date = new Date(Math.round((serial - TO_1970) * DAY_MS))
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999 || serial < 0) return undefined
  const [day, time] = date.toISOString().split('T') as [string, string]
  return time.startsWith('00:00') ? day : `${day} ${time.slice(0, 5)}`
}

/** The text of a cell with an ISO 8601 date. A time of midnight is dropped. */
export const isoDateText = (value: string) => value.replace(/T00:00(:00(\.0+)?)?Z?$/, '').replace('T', ' ')
