import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'

/** The day `days` after a date (yyyy-mm-dd). */
export function daysAfter(date: string, days: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10)
}

/** The name of a country in the invoice's language; `otherwise` if the code is unknown. */
export function countryName(code: string | null, otherwise: string | null, lang: InvoiceLanguage): string | null {
  if (!code || !/^[A-Z]{2}$/.test(code)) return otherwise
  return new Intl.DisplayNames([lang], { type: 'region', fallback: 'none' }).of(code) ?? otherwise
}
