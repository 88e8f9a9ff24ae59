import { formatDate } from '@backstock/contract/format-in-language.ts'
import type { TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { oneLine } from '../invoice/letterhead.ts'
import { GREY, small } from '../invoice/look.ts'
import { framed, linesTable } from './frame.ts'
import type { PickList } from './paper.ts'

const BOX = 9
/** A short text. Nobody can read more beside a shelf, and the item's number is clear. */
const short = (text: string) => oneLine(text, 80)

/** The pick list: the devices to fetch, shelf by shelf, each with a box to tick. */
export function pickList({ sender, title, note, date, lines }: PickList): TDocumentDefinitions {
  return framed({
    sender: {
      ...sender,
      address: null,
      vat_number: null,
      tax_number: null,
      registration: null,
      email: null,
      phone: null,
    },
    lang: 'en',
    title: 'Pick list',
    facts: [
      ['For', title],
      ['Customer', note],
      ['Date', formatDate(date, 'en')],
      ['Devices', String(lines.length)],
    ],
    content: [
      linesTable(
        [
          {
            heading: '',
            width: 12,
            cell: () => ({
              canvas: [{ type: 'rect', x: 0, y: 1, w: BOX, h: BOX, lineWidth: 0.7, lineColor: GREY }],
            }),
          },
          { heading: 'Location', width: 70, cell: ({ location }) => ({ text: short(location ?? '–'), bold: true }) },
          {
            heading: 'Product',
            width: 0,
            cell: ({ product, grade }) => ({ text: grade === null ? product : `${product}, grade ${grade}` }),
          },
          {
            heading: 'IMEI / serial number',
            width: 104,
            cell: ({ imei, serial_number: serial }) =>
              imei && serial
                ? { stack: [{ text: imei }, { text: `S/N ${short(serial)}`, ...small }] }
                : { text: imei ?? short(serial ?? '') },
          },
          { heading: 'Backstock ID', width: 66, cell: ({ backstock_id }) => ({ text: short(backstock_id ?? '') }) },
          { heading: 'Item', width: 40, right: true, cell: ({ id }) => ({ text: `#${id}`, alignment: 'right' }) },
        ],
        lines,
      ),
    ],
  })
}
