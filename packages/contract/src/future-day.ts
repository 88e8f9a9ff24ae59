/** The error of a field with a day that has not come. */
export const IN_FUTURE = 'Must not be in the future.'

/**
 * Whether a day is in the future for somebody whose date is `today` (both yyyy-mm-dd). The day after today is not: in
 * other time zones it may have begun.
 */
export function isInFuture(day: string, today: string): boolean {
  return day > new Date(Date.parse(`${today}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
}
