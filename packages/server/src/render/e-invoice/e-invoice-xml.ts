import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { InvoiceData } from '../invoice/data.ts'
import { cii } from './cii.ts'
import { eInvoiceOf } from './e-invoice.ts'
import { ubl } from './ubl.ts'

/** The two syntaxes of EN 16931. */
export const SYNTAXES = ['cii', 'ubl'] as const
export type Syntax = (typeof SYNTAXES)[number]
const WRITERS = { cii, ubl }
/** The XML of an invoice in both syntaxes. */
export type BothXml = Record<Syntax, string>

/** The XML of stored data in one syntax; undefined if the data lack something that the syntax needs. */
export function eInvoiceXml(data: InvoiceData, lang: InvoiceLanguage, syntax: Syntax): string | undefined {
  const invoice = eInvoiceOf(data, lang)
  return invoice && WRITERS[syntax](invoice)
}

/** The XML of stored data in both syntaxes; undefined if the data lack something. */
export function bothXml(data: InvoiceData, lang: InvoiceLanguage): BothXml | undefined {
  const invoice = eInvoiceOf(data, lang)
  return invoice && { cii: cii(invoice), ubl: ubl(invoice) }
}
