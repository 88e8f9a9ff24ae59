import { INVOICE_LANGUAGES, type InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { chance } from './chance.ts'
import { full } from './turns.ts'

/**
 * The languages in which tests render documents: two in the daily run, drawn for each commit, and all of them in `npm
 * run test:full`.
 */
export function languagesToRender(): InvoiceLanguage[] {
  if (full) return [...INVOICE_LANGUAGES]
  const left = [...INVOICE_LANGUAGES]
  return [0, 1].flatMap(() => left.splice(Math.floor(chance() * left.length), 1))
}
