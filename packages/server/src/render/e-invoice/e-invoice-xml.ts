import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { InvoiceData } from '../invoice/data.ts'
import { cii } from './cii.ts'
import { eInvoiceOf } from './e-invoice.ts'
import { ubl } from './ubl.ts'

/** The two syntaxes of EN 16931. */
export const SYNTAXES = ['cii', 'ubl'] as const
export type Syntax = (typeof SYNTAXES)[number]
const WRITERS = { cii, ubl }
/** An invoice in both syntaxes. */
export type BothXml = Record<Syntax, string>

/** The XML of kept data in one of the two syntaxes of EN 16931; undefined if the data lack something for it. */
export function eInvoiceXml(data: InvoiceData, lang: InvoiceLanguage, syntax: Syntax): string | undefined {
  const invoice = eInvoiceOf(data, lang)
  return invoice && WRITERS[syntax](invoice)
}

/** The same in both. */
export function bothXml(data: InvoiceData, lang: InvoiceLanguage): BothXml | undefined {
  const invoice = eInvoiceOf(data, lang)
  return invoice && { cii: cii(invoice), ubl: ubl(invoice) }
}
