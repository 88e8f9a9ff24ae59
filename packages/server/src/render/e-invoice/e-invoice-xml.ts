import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { InvoiceData } from '../invoice/data.ts'
import { cii } from './cii.ts'
import { eInvoiceOf } from './e-invoice.ts'
import { ubl } from './ubl.ts'

const SYNTAXES = { cii, ubl }
export type Syntax = keyof typeof SYNTAXES

/** The XML of kept data in one of the two syntaxes of EN 16931; undefined where the data lack something for it. */
export function eInvoiceXml(data: InvoiceData, lang: InvoiceLanguage, syntax: Syntax): string | undefined {
  const invoice = eInvoiceOf(data, lang)
  return invoice && SYNTAXES[syntax](invoice)
}
