import { daysIn, MAX_DAYS } from '@backstock/contract/period.ts'
import { isCalendarDate } from '@backstock/contract/time.ts'

/** The first and the last day as `yyyy-mm-dd`; both belong to the period. */
export type Period = { from: string; to: string }
export const KINDS = ['month', 'quarter', 'year', 'days'] as const
export type Kind = (typeof KINDS)[number]

/** How many periods of each kind a select offers, newest first. */
const OFFERED = { month: 36, quarter: 16, year: 10 }
const MONTHS = { month: 1, quarter: 3, year: 12 }
type Whole = keyof typeof MONTHS

const iso = (date: Date) => date.toISOString().slice(0, 10)

/** The month, quarter or year that holds a day, moved by `steps` (earlier if negative). */
export function periodOf(kind: Whole, day: string, steps = 0): Period {
  const months = MONTHS[kind]
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1]
  const first = month - (month % months) + steps * months
  return { from: iso(new Date(Date.UTC(year, first, 1))), to: iso(new Date(Date.UTC(year, first + months, 0))) }
}

/** The kind of a period: the one in the address (`asked`), or else the kind that the days have. */
export function kindOf({ from, to }: Period, asked: string | undefined): Kind {
  if (asked === 'days') return asked
  const is = (kind: Whole) => periodOf(kind, from).from === from && periodOf(kind, from).to === to
  return is('month') ? 'month' : is('quarter') ? 'quarter' : is('year') ? 'year' : 'days'
}

/** The period in an address; undefined if it is not valid. */
export function periodIn({ from = '', to = '' }: Record<string, string | undefined>): Period | undefined {
  return problemOf(from, to) === null ? { from, to } : undefined
}

/** The sentence that says why two days are not a period; null if they are. */
export function problemOf(from: string, to: string): string | null {
  if (!isCalendarDate(from) || !isCalendarDate(to)) return 'Must be a date.'
  if (to < from) return 'Before the first day.'
  return daysIn(from, to) > MAX_DAYS ? 'More than three years.' : null
}

const MONTH_NAME = new Intl.DateTimeFormat('en', { month: 'long', timeZone: 'UTC' })

export function nameOf(kind: Whole, { from }: Period): string {
  const year = from.slice(0, 4)
  if (kind === 'year') return year
  if (kind === 'quarter') return `Q${Math.floor((Number(from.slice(5, 7)) - 1) / 3) + 1} ${year}`
  return `${MONTH_NAME.format(new Date(from))} ${year}`
}

/** The options of a select: from today's period backwards, and the chosen period even if it is older. */
export function choicesOf(kind: Whole, today: string, chosen: Period): { value: string; label: string }[] {
  const offered = Array.from({ length: OFFERED[kind] }, (_, n) => periodOf(kind, today, -n))
  const all = offered.some(({ from }) => from === chosen.from) ? offered : [...offered, chosen]
  return all
    .toSorted((a, b) => b.from.localeCompare(a.from))
    .map((period) => ({ value: period.from, label: nameOf(kind, period) }))
}
