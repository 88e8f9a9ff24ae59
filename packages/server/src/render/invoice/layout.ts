import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Column, Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { closing } from './closing.ts'
import { CREDIT_NOTE_TEXTS, creditReason } from './credit-note-texts.ts'
import { type InvoiceAddress, type InvoiceData, isCreditNote } from './data.ts'
import { countryName, daysAfter, formatDate } from './format.ts'
import { lines } from './lines.ts'
import {
  COLUMN_GAP,
  GAP,
  GREY,
  INK,
  INNER,
  LEFT,
  LINE,
  label,
  PAGE,
  plain,
  RIGHT,
  rule,
  small,
  type Words,
} from './look.ts'
import { MARK_SVG } from './mark.ts'
import { summary } from './summary.ts'
import { INVOICE_TEXTS, type Mark } from './texts.ts'

/**
 * The invoice or credit note as pdfmake reads it. Made afresh for each rendering, as pdfmake changes what it is given.
 * Every column width is a number: measured columns take minutes for a thousand lines.
 */
export function invoiceDocument(data: InvoiceData, lang: InvoiceLanguage, mark?: Mark): TDocumentDefinitions {
  const t = INVOICE_TEXTS[lang]
  const words = { t, lang, data, ...(mark && { mark }) }
  const printed = lines(words)
  const title = [titleOf(words), data.number, ...(mark ? [`(${t[mark]})`] : [])].filter((part) => !!part).join(' ')
  return {
    version: '1.7',
    subset: 'PDF/A-3b',
    language: lang,
    displayTitle: true,
    // No author: pdfkit writes it into the XMP packet unescaped.
    info: { title, creator: 'Backstock', producer: 'Backstock' },
    pageSize: 'A4',
    pageMargins: [PAGE.left, PAGE.top, PAGE.right, PAGE.bottom],
    defaultStyle: { font: 'NotoSans', fontSize: 9, lineHeight: 1.1, color: INK },
    ...(mark === 'draft' && { watermark: { text: t.draft, color: GREY, opacity: 0.15, bold: true } }),
    header: (page) =>
      page === 1 ? '' : runningHeader(title, data.seller.name, printed.carried(page - 1, t.brought) ?? ''),
    footer: (page, pages) => footer(data, t.pageOf(page, pages), printed.carried(page, t.carried)),
    content: [
      letterhead(words),
      parties(words),
      ...credited(words),
      printed.table,
      ...summary(words, printed.rows),
      closing(words),
    ],
  }
}

const joined = (parts: (string | null)[]) => parts.filter((part) => !!part).join('  ·  ')

function runningHeader(title: string, seller: string, brought: Content): Content {
  return [
    {
      margin: [PAGE.left, 18, PAGE.right, 6],
      columns: [
        { text: title, ...small, bold: true, width: 260 },
        { text: oneLine(seller, 60), ...small, alignment: 'right', width: INNER - 260 },
      ],
    },
    brought,
  ]
}

function footer({ seller }: InvoiceData, page: string, carried: Content | undefined): Content {
  const line: Content = {
    margin: [PAGE.left, carried ? 4 : 14, PAGE.right, 0],
    stack: [
      rule(LINE),
      {
        margin: [0, 7, 0, 0],
        fontSize: 7.5,
        color: GREY,
        columns: [
          {
            text: oneLine(joined([oneLine(seller.name, 50), seller.vat_number, seller.email, seller.phone]), 105),
            width: INNER - 90,
          },
          { text: page, alignment: 'right', width: 90 },
        ],
      },
    ],
  }
  return carried ? [{ stack: [carried], margin: [0, 4, 0, 0] }, line] : line
}

const oneLine = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

function addressLines(address: InvoiceAddress | null, lang: InvoiceLanguage): string[] {
  if (!address) return []
  const country = countryName(address.country_code, address.country, lang)
  return country ? [...address.lines, country] : address.lines
}

/** What the document is, in its language. */
const titleOf = ({ t, lang, data }: Words) => (isCreditNote(data) ? CREDIT_NOTE_TEXTS[lang].title : t.invoice)

function factsOf({ t, lang, data }: Words): [string, string][] {
  const c = CREDIT_NOTE_TEXTS[lang]
  const facts: [string, string | null][] = [
    [isCreditNote(data) ? c.number : t.number, data.number],
    [isCreditNote(data) ? c.issuedOn : t.issuedOn, formatDate(data.issued_on, lang)],
    [t.suppliedOn, data.supplied_on && formatDate(data.supplied_on, lang)],
    [t.dueOn, isCreditNote(data) ? null : formatDate(daysAfter(data.issued_on, data.seller.payment_days), lang)],
    [t.order, String(data.sale_id)],
    [t.reference, data.reference_number],
  ]
  return facts.filter((fact): fact is [string, string] => !!fact[1])
}

/** What the document is, beside it that it is a copy: as large as its column takes. */
function title(words: Words): Content {
  const text = titleOf(words)
  const copy = words.mark === 'copy' ? words.t.copy : ''
  const length = text.length + copy.length
  const fontSize = length <= 16 ? 22 : length <= 22 ? 18 : 15
  return {
    text: [{ text, bold: true, fontSize }, ...(copy ? [{ text: `  ${copy}`, fontSize: 15, color: GREY }] : [])],
    alignment: 'right',
    lineHeight: 1,
    margin: [0, 0, 0, 16 + (22 - fontSize) * 1.36],
  }
}

/** What a credit note credits, and why (Directive 2006/112/EC, article 219). */
function credited({ lang, data }: Words): Content[] {
  const c = CREDIT_NOTE_TEXTS[lang]
  const { credits, reason } = data
  if (!isCreditNote(data) || !credits) return []
  return [
    {
      margin: [0, 0, 0, 18],
      stack: [
        { text: c.credits(credits.number, formatDate(credits.issued_on, lang)), bold: true, fontSize: 10 },
        ...(reason ? [{ text: `${c.reason}: ${creditReason(reason, lang)}` }] : []),
      ],
    },
  ]
}

function letterhead(words: Words): Content {
  const { t, lang, data } = words
  const { seller } = data
  const ownLines = [
    ...addressLines(seller.address, lang),
    ...(seller.vat_number ? [`${t.vatNumber} ${seller.vat_number}`] : []),
    ...(seller.registration ? [seller.registration] : []),
    ...[seller.email, seller.phone].filter((line) => line !== null),
  ]
  return {
    columnGap: COLUMN_GAP,
    margin: [0, 0, 0, 26],
    columns: [
      {
        width: LEFT,
        stack: [
          seller.logo ? { image: seller.logo, fit: [150, 46] } : { svg: MARK_SVG, width: 34 },
          { text: seller.name, bold: true, fontSize: 12, margin: [0, 10, 0, 4] },
          ...ownLines.map((text) => ({ text, fontSize: 8.5, color: GREY })),
        ],
      },
      {
        width: RIGHT,
        stack: [
          title(words),
          {
            layout: plain(2),
            table: {
              widths: [110, RIGHT - 110 - GAP],
              body: factsOf(words).map(([name, value], index) => [
                { text: name, color: GREY },
                { text: value, alignment: 'right', bold: index === 0 },
              ]),
            },
          },
        ],
      },
    ],
  }
}

function parties({ t, lang, data }: Words): Content {
  const { buyer } = data
  const names = [buyer.company_name, buyer.name].filter((name) => !!name) as string[]
  const billing = addressLines(buyer.billing_address, lang)
  const delivery = addressLines(buyer.delivery_address, lang)
  const party = (width: number, heading: string, address: string[], more: string[]): Column => ({
    width,
    stack: [
      label(heading),
      { text: names[0] ?? '', bold: true, fontSize: 10 },
      ...[...names.slice(1), ...address, ...more].map((text) => ({ text })),
    ],
  })
  const more = [buyer.vat_number && `${t.vatNumber} ${buyer.vat_number}`, buyer.registration, buyer.email].filter(
    (text) => !!text,
  )
  const elsewhere = delivery.length > 0 && delivery.join('\n') !== billing.join('\n')
  return {
    columnGap: COLUMN_GAP,
    margin: [0, 0, 0, 24],
    columns: [
      party(
        LEFT,
        isCreditNote(data) ? CREDIT_NOTE_TEXTS[lang].customer : t.billTo,
        billing.length > 0 ? billing : delivery,
        more as string[],
      ),
      elsewhere && billing.length > 0 ? party(RIGHT, t.deliverTo, delivery, []) : { text: '', width: RIGHT },
    ],
  }
}
