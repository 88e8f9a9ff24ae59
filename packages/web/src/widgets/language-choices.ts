import { LANGUAGE_NAMES, usualLanguage } from '@backstock/contract/invoice-language.ts'

/** The languages of invoices, for a select. */
export const LANGUAGES = Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }))

/** The same; the first leaves it to the country (its code). */
export const languageChoices = (country: string | null) => [
  { value: '', label: `As the country has it (${LANGUAGE_NAMES[usualLanguage(null, country)]})` },
  ...LANGUAGES,
]
