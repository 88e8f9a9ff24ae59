import { PROFILE_FILES, type ProfileFile } from '@backstock/contract/e-invoice-profile.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { InvoiceData } from '../invoice/data.ts'
import { cii } from './cii.ts'
import { eInvoiceOf } from './e-invoice.ts'
import { profiledOf } from './profile.ts'
import { ubl } from './ubl.ts'

/** The two syntaxes of EN 16931. */
type Syntax = 'cii' | 'ubl'
const WRITERS = { cii, ubl }

/** An XML file of a document: plain EN 16931 in a syntax, or a profile's. */
export const XML_FILES = ['cii', 'ubl', ...PROFILE_FILES.xrechnung, ...PROFILE_FILES.peppol] as const
export type XmlFile = (typeof XML_FILES)[number]
const SYNTAX_OF: Record<XmlFile, Syntax> = {
  ...{ cii: 'cii', ubl: 'ubl' },
  ...{ 'xrechnung-cii': 'cii', 'xrechnung-ubl': 'ubl', peppol: 'ubl' },
}
/** The XML files of a document. It lacks those of a profile that nobody asks for, or for which data are missing. */
export type MadeXml = Record<Syntax, string> & Partial<Record<ProfileFile, string>>

/** The XML of stored data in one file; undefined if the data lack something that it needs. */
export function eInvoiceXml(data: InvoiceData, lang: InvoiceLanguage, file: XmlFile): string | undefined {
  return madeXml(data, lang)?.[file]
}

/** All XML files of stored data; undefined if the data lack something that EN 16931 demands. */
export function madeXml(data: InvoiceData, lang: InvoiceLanguage): MadeXml | undefined {
  const { profile } = data
  const plain = eInvoiceOf(data, lang)
  if (!plain) return undefined
  const profiled = profile && profiledOf(plain, { ...data, profile })
  const files = profiled ? PROFILE_FILES[profile].map((file) => [file, WRITERS[SYNTAX_OF[file]](profiled)]) : []
  return { cii: cii(plain), ubl: ubl(plain), ...Object.fromEntries(files) }
}
