import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { pdfmake } from '../invoice/pdfmake.ts'
import { printedTexts } from '../invoice/printed-texts.ts'
import { answerWith } from '../workers/thread.ts'
import { deliveryNote } from './delivery-note.ts'
import { letterPaper } from './letter.ts'
import { offerPaper } from './offer.ts'
import type { Paper } from './paper.ts'
import { pickList } from './pick-list.ts'
import { purchaseReceipt } from './purchase-receipt.ts'

function definition(paper: Paper): TDocumentDefinitions {
  switch (paper.kind) {
    case 'offer':
      return offerPaper(paper)
    case 'delivery note':
      return deliveryNote(paper)
    case 'pick list':
      return pickList(paper)
    case 'letter':
      return letterPaper(paper)
    case 'purchase receipt':
      return purchaseReceipt(paper)
  }
}

answerWith(async (paper: Paper) => {
  const { logo } = paper.sender
  const printable = printedTexts({ ...paper, sender: { ...paper.sender, logo: null } })
  return pdfmake.createPdf(definition({ ...printable, sender: { ...printable.sender, logo } })).getBuffer()
})
