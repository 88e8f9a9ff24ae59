/** The longest period of the books, in days: three years with one leap day. */
export const MAX_DAYS = 3 * 365 + 1

/** The number of days from `from` to `to` (both yyyy-mm-dd), including both. */
export function daysIn(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1
}

/** The first day of the fiscal year that contains a day, if fiscal years begin with this month. */
export function fiscalYearStart(day: string, firstMonth: number): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return `${month >= firstMonth ? year : year - 1}-${String(firstMonth).padStart(2, '0')}-01`
}
