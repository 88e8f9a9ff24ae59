/** What invoices and their mails can be written in. */
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
