import { isInFuture } from './future-day.ts'
import { isCalendarDate } from './time.ts'

/** The months in English, German, French, Dutch, Spanish, Italian and Polish, whole and short, without accents. */
const MONTHS = [
  'january january januar janvier januari enero gennaio styczen stycznia jan janv ene gen sty',
  'february februar fevrier februari febrero febbraio luty lutego feb fev fevr lut',
  'march marz maerz mars maart marzo marzec marca mar mrz mrt',
  'april avril abril aprile kwiecien kwietnia apr avr abr kwi',
  'may mai mei mayo maggio maj maja mag',
  'june juni juin junio giugno czerwiec czerwca jun giu cze',
  'july juli juillet julio luglio lipiec lipca jul juil lug lip',
  'august aout augustus agosto sierpien sierpnia aug aou ago sie',
  'september septembre septiembre settembre wrzesien wrzesnia sep sept set wrz',
  'october oktober octobre octubre ottobre pazdziernik pazdziernika oct okt ott paz',
  'november novembre noviembre listopad listopada nov lis',
  'december dezember decembre diciembre dicembre grudzien grudnia dec dez dic gru',
].map((names) => names.split(' '))

const monthCalled = (name: string) => MONTHS.findIndex((names) => names.includes(name)) + 1

/** The most characters of a date with its time. No date is longer. */
const LONGEST = 64

/** A time of day. The pattern matches each text in one way only, so that it takes no time on long texts. */
const TIME = /^\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?(?:z| ?[+-]\d{2}:?\d{2})?$/

/** The day in a text without the time after it. Blanks, a comma or the `t` of an ISO date separate the two. */
function withoutTime(text: string): string {
  for (let at = 1; at < text.length; at++) {
    const isMark = text[at] === ' ' || text[at] === ',' || (text[at] === 't' && isDigit(text[at - 1]))
    if (!isMark) continue
    let from = at + 1
    while (text[from] === ' ' || text[from] === ',') from++
    if (TIME.test(text.slice(from))) return text.slice(0, at)
    at = from - 1
  }
  return text
}
const isDigit = (sign: string | undefined) => sign !== undefined && sign >= '0' && sign <= '9'

/**
 * The form in which dates are compared: without accents, in lower case, with plain spaces. Empty if the text is too
 * long for a date.
 */
function comparable(text: string): string {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) return ''
  const plain = trimmed.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s/g, ' ')
  return plain.length > LONGEST ? '' : withoutTime(plain).trimEnd()
}

const wholeYear = (year: string) => (year.length === 2 ? `20${year}` : year)

/** A date as yyyy-mm-dd; undefined if the text is no date or may mean two days. In `03/04/2026` the day comes first. */
export function dateOf(text: string): string | undefined {
  const day = comparable(text)
  const parts = yearFirst(day) ?? dayFirst(day) ?? withMonth(day)
  return parts && isoOf(...parts)
}

type Parts = readonly [year: string, month: string, day: string] | undefined

function yearFirst(text: string): Parts {
  const marked = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text)
  const found = marked ?? /^(20\d{2})()(\d{2})(\d{2})$/.exec(text)
  return found ? [found[1]!, found[3]!, found[4]!] : undefined
}

/** A date in which the day or the month may come first. If the year has two digits, only slashes are accepted. */
const EITHER_WAY = /^(\d{1,2})(?:([-/])(\d{1,2})\2(\d{4})|\/(\d{1,2})\/(\d{2}))$/

/** The first and the second number of a date that has the form `EITHER_WAY`, and its year with four digits. */
function eitherWay(text: string): readonly [first: string, second: string, year: string] | undefined {
  const found = EITHER_WAY.exec(comparable(text))
  if (!found) return undefined
  const [, first, , second, year, secondOfShort, shortYear] = found
  return [first!, second ?? secondOfShort!, year ?? wholeYear(shortYear!)]
}

function isoOf(year: string, month: string, day: string): string | undefined {
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isCalendarDate(iso) ? iso : undefined
}

/** The two days that a date may mean if the day or the month may come first; undefined if it means one day only. */
export function bothDays(text: string): { day: string; month: string } | undefined {
  const parts = eitherWay(text)
  if (!parts) return undefined
  const [first, second, year] = parts
  const [day, month] = [isoOf(year, second, first), isoOf(year, first, second)]
  return day && month && day !== month ? { day, month } : undefined
}

/**
 * Whether the day or the month comes first in a date; null if that is not known. A date with points has its day first.
 * No purchase is in the future: if one reading is after tomorrow (`today` is yyyy-mm-dd), the other one is right.
 */
export function firstOfDate(text: string, today: string): 'day' | 'month' | null {
  const both = bothDays(text)
  if (both) {
    const isLater = isInFuture(both.day, today)
    return isLater === isInFuture(both.month, today) ? null : isLater ? 'month' : 'day'
  }
  const parts = eitherWay(text)
  if (parts) {
    const [first, second, year] = parts
    return first === second ? null : isoOf(year, second, first) ? 'day' : isoOf(year, first, second) ? 'month' : null
  }
  return dayFirst(comparable(text)) && dateOf(text) ? 'day' : null
}

/** The day of a date whose month comes first, such as `11/18/2026`, as yyyy-mm-dd; undefined for any other form. */
export function monthFirstDate(text: string): string | undefined {
  const parts = eitherWay(text)
  if (!parts) return undefined
  const [month, day, year] = parts
  return isoOf(year, month, day)
}

/** A year of two digits comes last only after points or slashes: `26-11-18` begins with the year. */
function dayFirst(text: string): Parts {
  const found = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text)
  if (!found) return undefined
  const [, day, mark, month, year] = found
  return year!.length === 2 && mark === '-' ? undefined : [wholeYear(year!), month!, day!]
}

/** A date with the month's name: `18. November 2026`, `18 de noviembre de 2026`, `18-Nov-26`, `November 18th, 2026`. */
function withMonth(text: string): Parts {
  const words = text.split(/[\s,.\-/]+/).filter((word) => word !== '' && word !== 'de' && word !== 'del')
  const [first = '', second = '', year = '', ...more] = words
  if (more.length > 0 || !/^(?:\d{2}|\d{4})$/.test(year)) return undefined
  const month = monthCalled(first) || monthCalled(second)
  const [, day] = /^(\d{1,2})(?:st|nd|rd|th|er|e)?$/.exec(monthCalled(first) ? second : first) ?? []
  return month && day ? [wholeYear(year), String(month), day] : undefined
}
