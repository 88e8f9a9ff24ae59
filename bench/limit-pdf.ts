import { createRequire } from 'node:module'
import pdfmake from 'pdfmake'
import type { InvoiceData } from '../packages/server/src/render/invoice/data.ts'
import { invoiceDocument } from '../packages/server/src/render/invoice/layout.ts'

const { resolve } = createRequire(new URL('../packages/server/package.json', import.meta.url))

pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy(() => true)
pdfmake.setFonts({
  NotoSans: {
    normal: resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
    bold: resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
  },
})

/** The limit for an invoice: the same PDF, made by pdfmake alone. */
export function pdfOf(data: InvoiceData): Promise<Buffer> {
  return pdfmake.createPdf(invoiceDocument(data, 'en')).getBuffer()
}
