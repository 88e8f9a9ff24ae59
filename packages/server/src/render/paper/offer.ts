import { formatDate } from '@backstock/contract/format-in-language.ts'
import { devicesIn, type OfferLine } from '@backstock/contract/offer-lines.ts'
import { conditions, priceWords } from '@backstock/contract/offer-text.ts'
import { OFFER_WORDS } from '@backstock/contract/offer-words.ts'
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { small } from '../invoice/look.ts'
import { figure, framed, linesTable, type PaperColumn } from './frame.ts'
import type { OfferPaper } from './paper.ts'

/** The offer as a document. It has no number, and its last line says how far it is binding. */
export function offerPaper({ sender, lang, date, prices, lines }: OfferPaper): TDocumentDefinitions {
  const words = OFFER_WORDS[lang]
  const columns: PaperColumn<OfferLine>[] = [
    { heading: words.product, width: 0, cell: ({ product }) => ({ text: product }) },
    { heading: words.grade, width: 60, cell: ({ grade }) => ({ text: grade ?? '' }) },
    { heading: words.quantity, width: 44, right: true, cell: ({ quantity }) => figure(String(quantity)) },
  ]
  if (prices)
    columns.push({
      heading: `${words.price} (EUR)`,
      width: 150,
      right: true,
      cell: (line) => figure(priceWords(line, lang)),
    })
  return framed({
    sender,
    lang,
    title: words.offer,
    facts: [
      [words.date, formatDate(date, lang)],
      [words.devices, String(devicesIn(lines))],
    ],
    content: [linesTable(columns, lines), { text: conditions({ lang, prices }), ...small, margin: [0, 16, 0, 0] }],
  })
}
