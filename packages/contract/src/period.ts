/** A period of the books is at most three years long, one of them a leap year. */
export const MAX_DAYS = 3 * 365 + 1

/** The days from `yyyy-mm-dd` to `yyyy-mm-dd`, both counted. */
export function daysIn(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000) + 1
}

/** The first day of the year that holds a day, of years that begin with this month. */
export function fiscalYearStart(day: string, firstMonth: number): string {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))]
  return `${month >= firstMonth ? year : year - 1}-${String(firstMonth).padStart(2, '0')}-01`
}
