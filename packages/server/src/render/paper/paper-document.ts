import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { printedTexts } from '../invoice/printed-texts.ts'
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

/** The document in the form of pdfmake. Its texts can be printed; its logo stays as it is. */
export function paperDocument(paper: Paper): TDocumentDefinitions {
  const { logo } = paper.sender
  const printable = printedTexts({ ...paper, sender: { ...paper.sender, logo: null } })
  return definition({ ...printable, sender: { ...printable.sender, logo } })
}
