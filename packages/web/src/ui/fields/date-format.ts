import { isCalendarDate } from '@backstock/contract/time.ts'

export type DateStyle = 'dd/MM/yyyy' | 'yyyy-mm-dd'

const SHAPES: Record<DateStyle, RegExp> = {
  'dd/MM/yyyy': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
  'yyyy-mm-dd': /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
}

/**
 * Reads text in the given style, with day and month padded or not, as `yyyy-mm-dd`. The result may be a day that does
 * not exist. Null if the text has another form.
 */
function padded(text: string, style: DateStyle): string | null {
  const { year, month = '', day = '' } = SHAPES[style].exec(text.trim())?.groups ?? {}
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : null
}

/** Reads text in the given style. Returns `yyyy-mm-dd`, or null if it is no day of the calendar (31/02/2026). */
export function parseDate(text: string, style: DateStyle): string | null {
  const iso = padded(text, style)
  return iso !== null && isCalendarDate(iso) ? iso : null
}

/** Writes `yyyy-mm-dd` in the given style. */
export function formatDate(iso: string, style: DateStyle): string {
  return style === 'yyyy-mm-dd' ? iso : iso.split('-').reverse().join('/')
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Writes `yyyy-mm-dd` with the month's name, `5 November 2026`, for days that people may read in two ways. */
export const dayInWords = (iso: string): string => DAY.format(Date.parse(iso))

/** The sentence that says why the typed text is wrong; null if it is right. `max` is `yyyy-mm-dd`. */
export function dateProblem(text: string, style: DateStyle, max?: string | undefined): string | null {
  if (text.trim() === '') return null
  const iso = padded(text, style)
  if (iso === null) return `Must be a date as ${style}.`
  if (!isCalendarDate(iso)) return `There is no ${formatDate(iso, style)} in the calendar.`
  if (max && iso > max) return `Must not be after ${formatDate(max, style)}.`
  return null
}
