import type { InvoiceLanguage } from './invoice-language.ts'
import type { Hundredths } from './money.ts'
import type { RateHundredths } from './vat-rate.ts'

// The rules by which each language writes numbers and dates, for texts that customers read. Screens of the back office
// are English.

const NO_BREAK = '\u00a0'

const NUMBERS: Record<InvoiceLanguage, { group: string; decimal: string; percent: string; codeFirst: boolean }> = {
  en: { group: ',', decimal: '.', percent: '%', codeFirst: true },
  de: { group: '.', decimal: ',', percent: `${NO_BREAK}%`, codeFirst: false },
  fr: { group: NO_BREAK, decimal: ',', percent: `${NO_BREAK}%`, codeFirst: false },
  nl: { group: '.', decimal: ',', percent: '%', codeFirst: true },
  es: { group: '.', decimal: ',', percent: `${NO_BREAK}%`, codeFirst: false },
  it: { group: '.', decimal: ',', percent: '%', codeFirst: false },
  pl: { group: NO_BREAK, decimal: ',', percent: '%', codeFirst: false },
}

const ENGLISH_MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
]

/** An amount without its currency: `1234567` is `12,345.67`, `12.345,67` or `12 345,67`. */
export function formatAmount(amount: Hundredths, lang: InvoiceLanguage): string {
  const { group, decimal } = NUMBERS[lang]
  const digits = String(Math.abs(amount)).padStart(3, '0')
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, group)
  return `${amount < 0 ? '-' : ''}${whole}${decimal}${digits.slice(-2)}`
}

/** The amount with its currency code, on the side that the language wants. */
export function formatMoneyWithCode(amount: Hundredths, currency: string, lang: InvoiceLanguage): string {
  const text = formatAmount(amount, lang)
  return NUMBERS[lang].codeFirst ? `${currency}${NO_BREAK}${text}` : `${text}${NO_BREAK}${currency}`
}

/** A rate in percent: `2300` is `23%`, `550` is `5.5%` or `5,5 %`. */
export function formatRate(rate: RateHundredths, lang: InvoiceLanguage): string {
  const { decimal, percent } = NUMBERS[lang]
  const digits = String(rate).padStart(3, '0')
  const fraction = digits.slice(-2).replace(/0+$/, '')
  return `${digits.slice(0, -2)}${fraction && decimal + fraction}${percent}`
}

/**
 * The date `2026-03-18` as the language writes it. English writes the month's name, because its readers disagree
 * whether 3/4 is in March or in April.
 */
export function formatDate(date: string, lang: InvoiceLanguage): string {
  const [year, month, day] = date.split('-') as [string, string, string]
  if (lang === 'en') return `${Number(day)} ${ENGLISH_MONTHS[Number(month) - 1]} ${year}`
  if (lang === 'nl') return `${day}-${month}-${year}`
  return [day, month, year].join(lang === 'de' || lang === 'pl' ? '.' : '/')
}
