import pdfmake from 'pdfmake'
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { REGULAR, SEMI_BOLD } from '../invoice/font.ts'
import { printedTexts } from '../invoice/printed-texts.ts'
import { answerWith } from '../workers/thread.ts'
import { deliveryNote } from './delivery-note.ts'
import { letterPaper } from './letter.ts'
import { offerPaper } from './offer.ts'
import type { Paper } from './paper.ts'
import { pickList } from './pick-list.ts'

pdfmake.setUrlAccessPolicy(() => false)
pdfmake.setLocalAccessPolicy((path) => path === REGULAR || path === SEMI_BOLD)

function definition(paper: Paper): TDocumentDefinitions {
  if (paper.kind === 'offer') return offerPaper(paper)
  if (paper.kind === 'letter') return letterPaper(paper)
  return paper.kind === 'delivery note' ? deliveryNote(paper) : pickList(paper)
}

answerWith(async (paper: Paper) => {
  const { logo } = paper.sender
  const printable = printedTexts({ ...paper, sender: { ...paper.sender, logo: null } })
  pdfmake.setFonts({ NotoSans: { normal: REGULAR, bold: SEMI_BOLD } })
  return pdfmake.createPdf(definition({ ...printable, sender: { ...printable.sender, logo } })).getBuffer()
})
