import pdfmake from 'pdfmake'
import { madeXml } from '../e-invoice/e-invoice-xml.ts'
import { facturXFile, facturXMetadata } from '../e-invoice/factur-x.ts'
import { answerWith } from '../workers/thread.ts'
import type { InvoiceData } from './data.ts'
import { REGULAR, SEMI_BOLD } from './font.ts'
import { invoiceDocument } from './layout.ts'
import type { FromThread, ToRender } from './pdf.ts'
import { printedTexts } from './printed-texts.ts'

pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path === REGULAR || path === SEMI_BOLD)

answerWith(async ({ data, logo, lang, mark, cii }: ToRender): Promise<FromThread> => {
  const kept: InvoiceData = JSON.parse(data)
  const printable = printedTexts(kept)
  const seller = { ...printable.seller, logo }
  const made = mark === 'draft' ? undefined : madeXml(kept, lang)
  const xml = made && { ...made, ...(cii !== undefined && { cii }) }
  const files = xml && { files: facturXFile(xml.cii, new Date()) }
  pdfmake.setFonts({ NotoSans: { normal: REGULAR, bold: SEMI_BOLD } })
  const document = pdfmake.createPdf({ ...invoiceDocument({ ...printable, seller }, lang, mark), ...files })
  if (xml) (await document.getStream()).appendXML(facturXMetadata())
  return { pdf: await document.getBuffer(), xml }
})
