import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import type { Content, Margins, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { InvoiceAddress, InvoiceSeller } from './data.ts'
import { countryName } from './format.ts'
import { COLUMN_GAP, GAP, GREY, INK, INNER, LEFT, LINE, PAGE, plain, RIGHT, rule, small } from './look.ts'
import { INVOICE_TEXTS } from './texts.ts'

/** The shop that sends the document. `logo` is a PNG as a data URL; without one, only the name is printed. */
export type Sender = Pick<
  InvoiceSeller,
  'name' | 'address' | 'vat_number' | 'tax_number' | 'registration' | 'email' | 'phone' | 'logo'
>
/** A fact about the document. Facts without a value are left out. */
export type Fact = [name: string, value: string | null]

/**
 * The settings for the pages of all documents. They have no author, because pdfkit writes it into the XMP packet
 * without escaping it.
 */
export const pages = (title: string, lang: InvoiceLanguage) =>
  ({
    language: lang,
    info: { title, creator: 'Backstock', producer: 'Backstock' },
    pageSize: 'A4',
    pageMargins: [PAGE.left, PAGE.top, PAGE.right, PAGE.bottom],
    defaultStyle: { font: 'NotoSans', fontSize: 9, lineHeight: 1.1, color: INK },
  }) satisfies Partial<TDocumentDefinitions>

/** The line at the top of each page except the first. */
export const runningHeader = (title: string, sender: string): Content => ({
  margin: [PAGE.left, 18, PAGE.right, 6],
  columns: [
    { text: oneLine(title, 60), ...small, bold: true, width: 260 },
    { text: oneLine(sender, 60), ...small, alignment: 'right', width: INNER - 260 },
  ],
})

/** The foot of each page, `top` points below the content. `page` is a text such as `Page 1 of 3`. */
export const footer = ({ name, vat_number, email, phone }: Sender, page: string, top = 14): Content => ({
  margin: [PAGE.left, top, PAGE.right, 0],
  stack: [
    rule(LINE),
    {
      margin: [0, 7, 0, 0],
      fontSize: 7.5,
      color: GREY,
      columns: [
        {
          text: oneLine(joined([oneLine(name, 50), vat_number && shownVatNumber(vat_number), email, phone]), 105),
          width: INNER - 90,
        },
        { text: page, alignment: 'right', width: 90 },
      ],
    },
  ],
})

/** The head of the first page: the sender on the left, the title and the facts about the document on the right. */
export function letterhead(sender: Sender, lang: InvoiceLanguage, title: Content, facts: Fact[]): Content {
  const own = [
    ...addressLines(sender.address, lang),
    sender.vat_number && `${INVOICE_TEXTS[lang].vatNumber} ${shownVatNumber(sender.vat_number)}`,
    sender.tax_number && `${INVOICE_TEXTS[lang].taxNumber} ${sender.tax_number}`,
    ...[sender.registration, sender.email, sender.phone],
  ].filter((line) => !!line) as string[]
  return {
    columnGap: COLUMN_GAP,
    margin: [0, 0, 0, 26],
    columns: [
      {
        width: LEFT,
        stack: [
          ...(sender.logo
            ? [{ image: sender.logo, fit: [150, 46] as [number, number], margin: [0, 0, 0, 10] as Margins }]
            : []),
          { text: sender.name, bold: true, fontSize: sender.logo ? 12 : 14, margin: [0, 0, 0, 4] },
          ...own.map((text) => ({ text, fontSize: 8.5, color: GREY })),
        ],
      },
      {
        width: RIGHT,
        stack: [
          title,
          {
            layout: plain(2),
            table: {
              widths: [110, RIGHT - 110 - GAP],
              body: facts
                .flatMap(([name, value]) => (value ? { name, value } : []))
                .map(({ name, value }, index) => [
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

/** The title, as large as its column allows. On a copy, the word for 'copy' follows. */
export function titleText(text: string, copy = ''): Content {
  const length = text.length + copy.length
  const fontSize = length <= 16 ? 22 : length <= 22 ? 18 : 15
  return {
    text: [{ text, bold: true, fontSize }, ...(copy ? [{ text: `  ${copy}`, fontSize: 15, color: GREY }] : [])],
    alignment: 'right',
    lineHeight: 1,
    margin: [0, 0, 0, 16 + (22 - fontSize) * 1.36],
  }
}

export function addressLines(address: InvoiceAddress | null, lang: InvoiceLanguage): string[] {
  if (!address) return []
  const country = countryName(address.country_code, address.country, lang)
  return country ? [...address.lines, country] : address.lines
}

/** As much of a text as fits in `length` characters. */
export const oneLine = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

const joined = (parts: (string | null)[]) => parts.filter((part) => !!part).join('  ·  ')
