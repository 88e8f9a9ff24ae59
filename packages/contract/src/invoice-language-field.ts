import { z } from 'zod'
import { INVOICE_LANGUAGES } from './invoice-language.ts'

export const LanguageField = z.enum(INVOICE_LANGUAGES, { error: `Must be one of ${INVOICE_LANGUAGES.join(', ')}.` })

/** A language that may be left open: '' means null. */
export const OptionalLanguage = z.preprocess((value) => (value === '' ? null : value), LanguageField.nullable())
