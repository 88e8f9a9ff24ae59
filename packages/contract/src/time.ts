const steps: [limit: number, seconds: number, unit: string][] = [
  [45, 1, 'second'],
  [2700, 60, 'minute'],
  [75_600, 3600, 'hour'],
  [2_246_400, 86_400, 'day'],
  [29_030_400, 2_592_000, 'month'],
  [Number.POSITIVE_INFINITY, 31_536_000, 'year'],
]

/** A length of time as a person would say it: `3 minutes`, `1 hour`, `a few seconds`. */
export function duration(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 10) return 'a few seconds'
  const [, size, unit] = steps.find(([limit]) => seconds < limit) ?? steps[5]!
  const n = Math.max(1, Math.round(seconds / size))
  return `${n} ${unit}${n === 1 ? '' : 's'}`
}

/** The time since a moment (ISO 8601) as a person would say it: `3 minutes ago`. */
export function timeAgo(iso: string, now: number): string {
  return `${duration(now - Date.parse(iso))} ago`
}

/** A date (yyyy-mm-dd) as people read it in sentences: `31/12/2026`. */
export const shownDay = (day: string): string => day.split('-').reverse().join('/')

/** Whether a date (yyyy-mm-dd) is a Monday. A week is named by its Monday. */
export function isMonday(text: string): boolean {
  return isCalendarDate(text) && new Date(`${text}T00:00:00Z`).getUTCDay() === 1
}

/** Whether a text is a date (yyyy-mm-dd) that the calendar has, from 1900 on. */
export function isCalendarDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(Date.UTC(year, month - 1, day))
  // If the month does not have the day, `Date` counts on into the next month.
  return year >= 1900 && date.getUTCMonth() === month - 1
}
