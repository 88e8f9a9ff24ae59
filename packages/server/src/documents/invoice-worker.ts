import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import pdfmake from 'pdfmake'
import { glyphsOf, printable } from './font-glyphs.ts'
import type { InvoiceData } from './invoice-data.ts'
import { invoiceDocument } from './invoice-layout.ts'
import type { ToRender } from './invoice-pdf.ts'
import { answerWith } from './thread-answer.ts'

const { resolve } = createRequire(import.meta.url)
const regular = resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf')
const semiBold = resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf')
const glyphs = glyphsOf(readFileSync(regular))

pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path === regular || path === semiBold)

/** Every text of the invoice in a form that the font can print. */
function printableData(data: InvoiceData): InvoiceData {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return printable(value, glyphs)
    if (Array.isArray(value)) return value.map(clean)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, clean(part)]))
  }
  return clean(data) as InvoiceData
}

answerWith(async ({ data, logo, lang }: ToRender) => {
  const invoice: InvoiceData = printableData(JSON.parse(data))
  const seller = { ...invoice.seller, logo }
  pdfmake.setFonts({ NotoSans: { normal: regular, bold: semiBold } })
  return pdfmake.createPdf(invoiceDocument({ ...invoice, seller }, lang)).getBuffer()
})
