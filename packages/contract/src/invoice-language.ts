/** The languages in which the server writes invoices and their mails. */
export const INVOICE_LANGUAGES = ['en', 'de', 'fr', 'nl', 'es', 'it', 'pl'] as const
export type InvoiceLanguage = (typeof INVOICE_LANGUAGES)[number]
export const LANGUAGE_NAMES: Record<InvoiceLanguage, string> = {
  en: 'English',
  de: 'German',
  fr: 'French',
  nl: 'Dutch',
  es: 'Spanish',
  it: 'Italian',
  pl: 'Polish',
}

/** The language of each country. If a country has several, it is the one in which most of its firms write. */
const OF_COUNTRY: Readonly<Record<string, InvoiceLanguage>> = {
  ...{ DE: 'de', AT: 'de', LI: 'de', FR: 'fr', LU: 'fr', MC: 'fr', NL: 'nl', BE: 'nl', ES: 'es', IT: 'it', PL: 'pl' },
  ...{ IE: 'en', MT: 'en', GB: 'en' },
}

/** The language of a country (its code); undefined if invoices cannot be written in it. */
export const languageOfCountry = (country: string | null | undefined): InvoiceLanguage | undefined =>
  OF_COUNTRY[country ?? '']

/** The language of a customer's invoices: the one that was set for the customer, else English. */
export const usualLanguage = (set: InvoiceLanguage | null): InvoiceLanguage => set ?? 'en'
