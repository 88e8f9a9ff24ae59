import { LANGUAGE_NAMES, usualLanguage } from '@backstock/contract/invoice-language.ts'

/** The languages of invoices, for a select. */
export const LANGUAGES = Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }))

/** The languages with a first option for 'no choice': the language that the customer would get anyway. */
export const LANGUAGE_CHOICES = [{ value: '', label: `Default (${LANGUAGE_NAMES[usualLanguage(null)]})` }, ...LANGUAGES]
