import { formatDate } from '@backstock/contract/format-in-language.ts'
import { OFFER_WORDS } from '@backstock/contract/offer-words.ts'
import type { Column, Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { CREDIT_NOTE_TEXTS } from '../invoice/credit-note-texts.ts'
import { addressLines } from '../invoice/letterhead.ts'
import { COLUMN_GAP, GREY, LEFT, label, RIGHT, small } from '../invoice/look.ts'
import { INVOICE_TEXTS } from '../invoice/texts.ts'
import { DELIVERY_TEXTS } from './delivery-texts.ts'
import { figure, framed, linesTable } from './frame.ts'
import type { DeliveryNote } from './paper.ts'

/** The delivery note, which lies in the parcel. It names the devices without their prices. */
export function deliveryNote(note: DeliveryNote): TDocumentDefinitions {
  const { sender, lang, lines } = note
  const t = INVOICE_TEXTS[lang]
  const d = DELIVERY_TEXTS[lang]
  return framed({
    sender,
    lang,
    title: d.title,
    facts: [
      [t.order, String(note.sale_id)],
      [d.date, formatDate(note.date, lang)],
      [t.reference, note.reference_number],
      [d.courier, note.courier],
      [d.tracking, note.tracking_number],
      [OFFER_WORDS[lang].devices, String(lines.length)],
    ],
    content: [
      parties(note),
      linesTable(
        [
          { heading: t.position, width: 26, cell: (_line, place) => ({ text: String(place + 1), color: GREY }) },
          {
            heading: t.description,
            width: 0,
            cell: ({ product, grade }) => ({ text: grade === null ? product : `${product}, ${t.grade} ${grade}` }),
          },
          {
            heading: t.identifier,
            width: 130,
            cell: ({ imei, serial_number: serial }) =>
              imei && serial
                ? { stack: [{ text: imei }, { text: `${t.serial} ${serial}`, ...small }] }
                : { text: imei ?? serial ?? '' },
          },
          { heading: t.quantity, width: 34, right: true, cell: () => figure('1') },
        ],
        lines,
      ),
      ...models(note),
      {
        unbreakable: true,
        margin: [0, 44, 0, 0],
        stack: [
          { canvas: [{ type: 'line', x1: 0, y1: 0, x2: RIGHT, y2: 0, lineWidth: 0.5, lineColor: GREY }] },
          { text: d.received, ...small, margin: [0, 4, 0, 0] },
        ],
      },
    ],
  })
}

/** The number of devices of each model, if that is quicker to check than the lines. */
function models({ lang, lines }: DeliveryNote): Content[] {
  const counted = Map.groupBy(lines, ({ product }) => product)
  if (lines.length < 10 || counted.size * 2 > lines.length) return []
  const t = INVOICE_TEXTS[lang]
  return [
    { ...label(t.summary), margin: [0, 18, 0, 0] },
    linesTable(
      [
        { heading: t.description, width: 0, cell: ([product]) => ({ text: product }) },
        { heading: t.quantity, width: 44, right: true, cell: ([, devices]) => figure(String(devices.length)) },
      ],
      [...counted],
    ),
  ]
}

function parties({ lang, buyer, billing_address, delivery_address }: DeliveryNote): Content {
  const t = INVOICE_TEXTS[lang]
  const [name = '', ...names] = [buyer.company_name, buyer.name].filter((one) => !!one) as string[]
  const party = (width: number, heading: string, address: string[]): Column => ({
    width,
    stack: [
      label(heading),
      { text: name, bold: true, fontSize: 10 },
      ...[...names, ...address].map((text) => ({ text })),
    ],
  })
  const delivery = addressLines(delivery_address ?? billing_address, lang)
  return {
    columnGap: COLUMN_GAP,
    margin: [0, 0, 0, 24],
    columns: [
      party(LEFT, t.deliverTo, delivery),
      party(RIGHT, CREDIT_NOTE_TEXTS[lang].customer, addressLines(billing_address ?? delivery_address, lang)),
    ],
  }
}
