import { formatAmount, formatDate, formatMoneyWithCode } from '@backstock/contract/format-in-language.ts'
import { type InvoiceLanguage, languageOfCountry } from '@backstock/contract/invoice-language.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import type { IdentityKind, ReceiptKind, ReceiptPayment } from '@backstock/contract/receipt-kind.ts'
import type { Column, Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { InvoiceAddress } from '../invoice/data.ts'
import {
  addressLines,
  type Fact,
  footer,
  letterhead,
  pages,
  runningHeader,
  type Sender,
  titleText,
} from '../invoice/letterhead.ts'
import { COLUMN_GAP, GREY, INNER, LEFT, label, RIGHT, small } from '../invoice/look.ts'
import { INVOICE_TEXTS } from '../invoice/texts.ts'
import { marginWords } from '../invoice/treatment-words.ts'
import { figure, linesTable } from './frame.ts'
import { RECEIPT_TEXTS } from './receipt-texts.ts'

/**
 * All that a purchase receipt prints. It is stored as plain JSON; the logo is a file of its own. Money is in hundredths
 * of `currency`, dates are yyyy-mm-dd. `cancels` is the receipt that this one takes back.
 */
export type ReceiptData = {
  kind: ReceiptKind
  number: string
  issued_on: string
  bought_on: string
  cancels: { number: string; issued_on: string } | null
  reason: string | null
  buyer: Omit<Sender, 'logo'>
  seller: {
    name: string
    address: InvoiceAddress
    /** Stands in a line of the address, too. Receipts of before 2026-11-29 have it only there. */
    state?: string | null
    vat_number: string | null
    identity_kind: IdentityKind | null
    identity_end: string | null
  }
  paid_by: ReceiptPayment | null
  currency: string
  total: Hundredths
  lines: { description: string; imei: string | null; serial_number: string | null; price: Hundredths }[]
}

export type PurchaseReceiptPaper = {
  kind: 'purchase receipt'
  sender: Sender
  lang: InvoiceLanguage
  isCopy: boolean
  data: ReceiptData
}

/**
 * The paper of a purchase whose seller writes none. A private seller signs it with a declaration. For a dealer it is the
 * invoice that the shop writes in the dealer's place, with the words of Directive 2006/112/EC, article 226 (10a) and (14).
 */
export function purchaseReceipt({ sender, lang, isCopy, data }: PurchaseReceiptPaper): TDocumentDefinitions {
  const t = INVOICE_TEXTS[lang]
  const r = RECEIPT_TEXTS[lang]
  const title = data.cancels ? r.cancellation : r.title[data.kind]
  const facts: Fact[] = [
    [r.number, data.number],
    [r.date, formatDate(data.issued_on, lang)],
    [r.cancels, data.cancels?.number ?? null],
    [data.kind === 'private' ? r.boughtOn : t.suppliedOn, formatDate(data.bought_on, lang)],
    [r.paidBy, data.paid_by && r.payment[data.paid_by]],
  ]
  const titled = `${title} ${data.number}`
  return {
    ...pages(titled, lang),
    header: (page) => (page === 1 ? '' : runningHeader(titled, sender.name)),
    footer: (page, all) => footer(sender, t.pageOf(page, all)),
    content: [
      letterhead(sender, lang, titleText(title, isCopy ? t.copy : ''), facts),
      parties(sender, lang, data),
      ...saidAbove(lang, data),
      linesTable(
        [
          { heading: t.position, width: 26, cell: (_line, place) => ({ text: String(place + 1), color: GREY }) },
          { heading: t.description, width: 0, cell: ({ description }) => ({ text: description }) },
          {
            heading: t.identifier,
            width: 130,
            cell: ({ imei, serial_number: serial }) =>
              imei && serial
                ? { stack: [{ text: imei }, { text: `${t.serial} ${serial}`, ...small }] }
                : { text: imei ?? serial ?? '' },
          },
          { heading: t.quantity, width: 34, right: true, cell: () => figure('1') },
          {
            heading: `${r.price} (${data.currency})`,
            width: 96,
            right: true,
            cell: ({ price }) => figure(formatAmount(price, lang)),
          },
        ],
        data.lines,
      ),
      closing(sender, lang, data),
    ],
  }
}

function parties(sender: Sender, lang: InvoiceLanguage, { seller }: ReceiptData): Content {
  const t = INVOICE_TEXTS[lang]
  const r = RECEIPT_TEXTS[lang]
  const party = (width: number, heading: string, name: string, lines: readonly (string | null)[]): Column => ({
    width,
    stack: [
      label(heading),
      { text: name, bold: true, fontSize: 10 },
      ...lines.filter((text) => !!text).map((text) => ({ text: text ?? '' })),
    ],
  })
  const { identity_kind: identity, identity_end: end } = seller
  const vat = (number: string | null) => number && `${t.vatNumber} ${shownVatNumber(number)}`
  return {
    columnGap: COLUMN_GAP,
    margin: [0, 0, 0, 24],
    columns: [
      party(LEFT, r.seller, seller.name, [
        ...addressLines(seller.address, lang),
        vat(seller.vat_number),
        identity && end && `${r.identity[identity]}, ${r.ending(end)}`,
      ]),
      party(RIGHT, r.buyer, sender.name, [...addressLines(sender.address, lang), vat(sender.vat_number)]),
    ],
  }
}

/** Words in the receipt's language, and in that of the shop's country if it is another one. */
function inBoth(sender: Sender, lang: InvoiceLanguage, words: (lang: InvoiceLanguage) => string): string {
  const home = languageOfCountry(sender.address?.country_code) ?? lang
  return [...new Set([words(lang), words(home)])].join(' / ')
}

/** The sentence of a cancellation above its lines. */
function saidAbove(lang: InvoiceLanguage, { cancels, reason }: ReceiptData): Content[] {
  if (!cancels) return []
  const r = RECEIPT_TEXTS[lang]
  return [
    {
      margin: [0, 0, 0, 16],
      stack: [
        { text: r.takenBack(cancels.number, formatDate(cancels.issued_on, lang)), bold: true },
        ...(reason === null ? [] : [{ text: `${r.reason}: ${reason}` }]),
      ],
    },
  ]
}

/** The total, the words of the law, and the room for signatures. They are never split over two pages. */
function closing(sender: Sender, lang: InvoiceLanguage, data: ReceiptData): Content {
  const r = RECEIPT_TEXTS[lang]
  const isPrivate = data.kind === 'private'
  return {
    unbreakable: true,
    margin: [0, 14, 0, 0],
    stack: [
      {
        columns: [
          { text: r.total, bold: true, fontSize: 11, alignment: 'right', width: INNER - 140 },
          {
            text: formatMoneyWithCode(data.total, data.currency, lang),
            bold: true,
            fontSize: 11,
            alignment: 'right',
            width: 140,
          },
        ],
      },
      ...(isPrivate
        ? []
        : [
            {
              text: inBoth(sender, lang, (one) => RECEIPT_TEXTS[one].selfBilling),
              bold: true,
              margin: [0, 20, 0, 0] as never,
            },
            { text: inBoth(sender, lang, marginWords) },
          ]),
      ...(isPrivate && !data.cancels ? [{ text: r.declaration, margin: [0, 24, 0, 0] as never }] : []),
      ...(isPrivate ? [signatures(lang)] : []),
    ],
  }
}

function signatures(lang: InvoiceLanguage): Content {
  const r = RECEIPT_TEXTS[lang]
  const line = (width: number, text: string): Column => ({
    width,
    stack: [
      { canvas: [{ type: 'line', x1: 0, y1: 0, x2: width, y2: 0, lineWidth: 0.5, lineColor: GREY }] },
      { text, ...small, margin: [0, 4, 0, 0] },
    ],
  })
  return {
    margin: [0, 56, 0, 0],
    columnGap: COLUMN_GAP,
    columns: [line(LEFT, r.signedBySeller), line(RIGHT, r.signedByBuyer)],
  }
}
