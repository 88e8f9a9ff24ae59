import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Column, Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { InvoiceAddress, InvoiceData } from './data.ts'
import { countryName, daysAfter, formatAmount, formatDate, formatMoneyWithCode, formatRate } from './format.ts'
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
import { INVOICE_TEXTS } from './texts.ts'
import { isAllMargin, reasonsOf } from './treatment-words.ts'

/**
 * The invoice as pdfmake reads it. Made afresh for each rendering, as pdfmake changes what it is given. Every column
 * width is a number: measured columns take minutes for a thousand lines.
 */
export function invoiceDocument(data: InvoiceData, lang: InvoiceLanguage): TDocumentDefinitions {
  const t = INVOICE_TEXTS[lang]
  const words = { t, lang, data }
  const title = `${t.invoice} ${data.number}`
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
    header: (page) => (page === 1 ? '' : runningHeader(title, data.seller.name)),
    footer: (page, pages) => footer(data, t.pageOf(page, pages)),
    content: [letterhead(words), parties(words), lines(words), closing(words)],
  }
}

const joined = (parts: (string | null)[]) => parts.filter((part) => !!part).join('  ·  ')

function runningHeader(title: string, seller: string): Content {
  return {
    margin: [PAGE.left, 24, PAGE.right, 0],
    columns: [
      { text: title, ...small, bold: true, width: 220 },
      { text: oneLine(seller, 60), ...small, alignment: 'right', width: INNER - 220 },
    ],
  }
}

function footer({ seller }: InvoiceData, page: string): Content {
  return {
    margin: [PAGE.left, 14, PAGE.right, 0],
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
}

const oneLine = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

function addressLines(address: InvoiceAddress | null, lang: InvoiceLanguage): string[] {
  if (!address) return []
  const country = countryName(address.country_code, address.country, lang)
  return country ? [...address.lines, country] : address.lines
}

function letterhead({ t, lang, data }: Words): Content {
  const { seller } = data
  const facts: [string, string][] = [
    [t.number, data.number],
    [t.issuedOn, formatDate(data.issued_on, lang)],
    ...(data.supplied_on ? [[t.suppliedOn, formatDate(data.supplied_on, lang)] as [string, string]] : []),
    [t.dueOn, formatDate(daysAfter(data.issued_on, seller.payment_days), lang)],
    [t.order, String(data.sale_id)],
    ...(data.reference_number ? [[t.reference, data.reference_number] as [string, string]] : []),
  ]
  const ownLines = [
    ...addressLines(seller.address, lang),
    ...(seller.vat_number ? [`${t.vatNumber} ${seller.vat_number}`] : []),
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
          { text: t.invoice, bold: true, fontSize: 22, alignment: 'right', lineHeight: 1, margin: [0, 0, 0, 16] },
          {
            layout: plain(2),
            table: {
              widths: [110, RIGHT - 110 - GAP],
              body: facts.map(([name, value], index) => [
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
  const more = [buyer.vat_number && `${t.vatNumber} ${buyer.vat_number}`, buyer.email].filter((text) => !!text)
  const elsewhere = delivery.length > 0 && delivery.join('\n') !== billing.join('\n')
  return {
    columnGap: COLUMN_GAP,
    margin: [0, 0, 0, 24],
    columns: [
      party(LEFT, t.billTo, billing.length > 0 ? billing : delivery, more as string[]),
      elsewhere && billing.length > 0 ? party(RIGHT, t.deliverTo, delivery, []) : { text: '', width: RIGHT },
    ],
  }
}

/** The totals and how to pay, never torn over two pages. */
function closing({ t, lang, data }: Words): Content {
  const money = (amount: number) => formatMoneyWithCode(amount, data.currency, lang)
  const allMargin = isAllMargin(data)
  const rows: [string, string][] = [
    ...(allMargin ? [] : [[t.totalNet, money(data.total_net)] as [string, string]]),
    ...data.vat_totals.map(({ treatment, rate, net, vat }): [string, string] => {
      const reasons = rate === 0 ? reasonsOf(data, lang, treatment) : []
      // The VAT in a margin is never shown.
      if (treatment === 'margin') return [[...reasons, formatAmount(net, lang)].join('\n'), '']
      return [[t.vatOf(formatRate(rate, lang), formatAmount(net, lang)), ...reasons].join('\n'), money(vat)]
    }),
  ]
  const last = rows.length
  return {
    unbreakable: true,
    columnGap: COLUMN_GAP,
    margin: [0, 18, 0, 0],
    columns: [
      { width: LEFT, stack: payment({ t, lang, data }) },
      {
        width: RIGHT,
        layout: {
          ...plain(4),
          hLineWidth: (row) => (row === last ? 0.5 : 0),
          hLineColor: () => INK,
          paddingTop: (row) => (row === last ? 8 : 3),
          paddingBottom: () => 3,
        },
        table: {
          widths: [134, RIGHT - 134 - GAP],
          body: [
            ...rows.map(([name, value]) => [
              { text: name, color: GREY },
              { text: value, alignment: 'right' as const },
            ]),
            [
              { text: allMargin ? t.sum : t.total, bold: true, fontSize: 11 },
              { text: money(data.total_gross), bold: true, fontSize: 11, alignment: 'right' as const },
            ],
          ],
        },
      },
    ],
  }
}

function payment({ t, lang, data }: Words): Content[] {
  const { bank, payment_days, payment_terms } = data.seller
  const facts: [string, string | null | undefined][] = [
    [t.dueOn, formatDate(daysAfter(data.issued_on, payment_days), lang)],
    [t.bank, bank.name],
    ['IBAN', bank.iban?.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ')],
    ['BIC', bank.bic],
    [t.paymentReference, data.number],
  ]
  return [
    label(t.payment),
    {
      fontSize: 8.5,
      layout: plain(1),
      table: {
        widths: [88, LEFT - 88 - GAP],
        body: facts
          .filter(([, value]) => !!value)
          .map(([name, value]) => [{ text: name, color: GREY }, { text: value! }]),
      },
    },
    ...(payment_terms
      ? [{ text: payment_terms, ...small, margin: [0, 8, 0, 0] as [number, number, number, number] }]
      : []),
  ]
}
