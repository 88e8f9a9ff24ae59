import { createRequire } from 'node:module'
import pdfmake from 'pdfmake'
import { facturXFile, facturXMetadata } from '../packages/server/src/render/e-invoice/factur-x.ts'
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

/** The data of an invoice, and its XML, which the PDF has embedded. */
export type InvoiceToPrint = { data: InvoiceData; cii: string }

/** The limit for an invoice: the same PDF, made by pdfmake alone. */
export async function pdfOf({ data, cii }: InvoiceToPrint): Promise<Buffer> {
  const document = pdfmake.createPdf({ ...invoiceDocument(data, 'en'), files: facturXFile(cii, new Date()) })
  ;(await document.getStream()).appendXML(facturXMetadata())
  return document.getBuffer()
}
