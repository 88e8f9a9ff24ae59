import { madeXml } from '../e-invoice/e-invoice-xml.ts'
import { facturXFile, facturXMetadata } from '../e-invoice/factur-x.ts'
import { answerWith } from '../workers/thread.ts'
import type { InvoiceData } from './data.ts'
import { invoiceDocument } from './layout.ts'
import type { FromThread, ToRender } from './pdf.ts'
import { pdfmake } from './pdfmake.ts'
import { printedTexts } from './printed-texts.ts'

answerWith(async ({ data, logo, lang, mark, cii }: ToRender): Promise<FromThread> => {
  const kept: InvoiceData = JSON.parse(data)
  const printable = printedTexts(kept)
  const seller = { ...printable.seller, logo }
  const made = mark === 'draft' ? undefined : madeXml(kept, lang)
  const xml = made && { ...made, ...(cii !== undefined && { cii }) }
  const files = xml && { files: facturXFile(xml.cii, new Date()) }
  const document = pdfmake.createPdf({ ...invoiceDocument({ ...printable, seller }, lang, mark), ...files })
  if (xml) (await document.getStream()).appendXML(facturXMetadata())
  return { pdf: await document.getBuffer(), xml }
})
