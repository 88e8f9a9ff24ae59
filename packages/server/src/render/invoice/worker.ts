import pdfmake from 'pdfmake'
import { cii } from '../e-invoice/cii.ts'
import { eInvoiceOf } from '../e-invoice/e-invoice.ts'
import { facturXFile, facturXMetadata } from '../e-invoice/factur-x.ts'
import { answerWith } from '../workers/thread.ts'
import type { InvoiceData } from './data.ts'
import { printed, REGULAR, SEMI_BOLD } from './font.ts'
import { invoiceDocument } from './layout.ts'
import type { ToRender } from './pdf.ts'

pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path === REGULAR || path === SEMI_BOLD)

/** Every text of the invoice in a form that the font can print. */
function printableData(data: InvoiceData): InvoiceData {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return printed(value)
    if (Array.isArray(value)) return value.map(clean)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, clean(part)]))
  }
  return clean(data) as InvoiceData
}

answerWith(async ({ data, logo, lang }: ToRender) => {
  const kept: InvoiceData = JSON.parse(data)
  const printable = printableData(kept)
  const seller = { ...printable.seller, logo }
  const electronic = eInvoiceOf(kept, lang)
  const files = electronic && { files: facturXFile(cii(electronic), new Date()) }
  pdfmake.setFonts({ NotoSans: { normal: REGULAR, bold: SEMI_BOLD } })
  const document = pdfmake.createPdf({ ...invoiceDocument({ ...printable, seller }, lang), ...files })
  if (electronic) (await document.getStream()).appendXML(facturXMetadata())
  return document.getBuffer()
})
