import { compactBankNumber } from '@backstock/contract/bank-number.ts'
import { formatAmount, formatDate, formatMoneyWithCode, formatRate } from '@backstock/contract/format-in-language.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import { shownIban } from '@backstock/contract/party-numbers.ts'
import type { Content, TableCell } from 'pdfmake/interfaces.js'
import { CREDIT_NOTE_TEXTS } from './credit-note-texts.ts'
import { isCreditNote, isEarlier, isSettled, openAmount } from './data.ts'
import { daysAfter } from './format.ts'
import { COLUMN_GAP, GAP, GREY, INK, INNER, LEFT, label, plain, RIGHT, small, type Words } from './look.ts'
import { paymentCode } from './payment-code.ts'
import { PAYMENT_TEXTS, paymentTerms } from './payment-texts.ts'
import { isAllMargin, reasonRows } from './treatment-words.ts'

/** The totals and the payment details, which are never split over two pages. A credit note has no payment details. */
export function closing(words: Words): Content {
  const { t, lang, data } = words
  const money = (amount: number) => formatMoneyWithCode(amount, data.currency, lang)
  const rows = totalRows(words).flatMap(({ name, amount, reasons }): TableCell[][] => [
    [
      { text: name, color: GREY },
      { text: money(amount), alignment: 'right' },
    ],
    ...(reasons.length > 0
      ? [[{ text: reasons.join('\n'), ...small, colSpan: 2, margin: [0, -5, 0, 0] } as TableCell, '']]
      : []),
  ])
  const last = rows.length
  const { all: width, amount: amountWidth } = widthsOf(words)
  const total = isCreditNote(data) ? CREDIT_NOTE_TEXTS[lang].total : isAllMargin(data) ? t.sum : t.total
  return {
    unbreakable: true,
    columnGap: COLUMN_GAP,
    margin: [0, 18, 0, 0],
    columns: [
      { width: INNER - COLUMN_GAP - width, stack: isCreditNote(data) ? [] : payment(words) },
      {
        width,
        layout: {
          ...plain(4),
          hLineWidth: (row) => (row === last ? 0.5 : 0),
          hLineColor: () => INK,
          paddingTop: (row) => (row === last ? 8 : 3),
          paddingBottom: () => 3,
        },
        table: {
          widths: [width - amountWidth - GAP, amountWidth],
          body: [
            ...rows,
            [strong(total), { ...strong(money(data.total_gross)), alignment: 'right' }],
            ...paidRows(words),
          ],
        },
      },
    ],
  }
}

/**
 * The width of the totals, and of the amounts in them, in points. The law's words for the margin scheme are the name of
 * a total, and they are long. If they need it, the totals take some of the room beside them. On average, no character
 * of an amount is wider than 6.8 points, and no character of a name wider than 5.1.
 */
function widthsOf({ lang, data }: Words): { all: number; amount: number } {
  const amounts = [data.total_gross, data.paid ?? 0, data.total_net]
  const lengths = amounts.map((amount) => formatMoneyWithCode(amount, data.currency, lang).length)
  const amount = Math.max(...lengths) * 6.8
  const hasMargin = data.vat_totals.some(({ treatment }) => treatment === 'margin')
  const name = hasMargin ? (reasonRows(data, lang, 'margin')[0] ?? '').length * 5.1 : 0
  return { all: Math.min(Math.max(RIGHT, name + GAP + amount), RIGHT + 24), amount }
}

const strong = (text: string) => ({ text, bold: true, fontSize: 11 })

/** The sum that was paid when this version was made, and the sum that was still open. */
function paidRows({ lang, data }: Words): TableCell[][] {
  const { paid = 0, currency } = data
  if (paid === 0) return []
  const p = PAYMENT_TEXTS[lang]
  const open = openAmount(data)
  const money = (amount: Hundredths) => formatMoneyWithCode(amount, currency, lang)
  return [
    [
      { text: p.paid, color: GREY },
      { text: money(paid), alignment: 'right' },
    ],
    [strong(open < 0 ? p.balance : p.open), { ...strong(money(Math.abs(open))), alignment: 'right' }],
  ]
}

/** A row of the totals. `reasons` are printed below it if it has no VAT. */
type Total = { name: string; amount: Hundredths; reasons: string[] }

/**
 * The rows of the totals. The VAT in a margin is never shown, so sales under the margin scheme are neither net nor
 * gross; their sum follows the sums with VAT.
 */
function totalRows({ t, lang, data }: Words): Total[] {
  const margins = data.vat_totals.filter(({ treatment }) => treatment === 'margin')
  const others = data.vat_totals.filter(({ treatment }) => treatment !== 'margin')
  const marginNet = margins.reduce((sum, { net }) => sum + net, 0)
  return [
    ...(isAllMargin(data) ? [] : [{ name: t.totalNet, amount: data.total_net - marginNet, reasons: [] }]),
    ...others.map(({ treatment, rate, net, vat }) => ({
      name: t.vatOf(formatRate(rate, lang), formatAmount(net, lang)),
      amount: vat,
      reasons: rate === 0 ? reasonRows(data, lang, treatment) : [],
    })),
    ...margins.map(({ net }) => {
      const [name = '', ...reasons] = reasonRows(data, lang, 'margin')
      return { name, amount: net, reasons }
    }),
  ]
}

function payment(words: Words): Content[] {
  const { t, lang, data } = words
  const { bank, payment_days, payment_terms } = data.seller
  const facts: [string, string | null | undefined][] = [
    ...(isEarlier(data)
      ? [[t.dueOn, formatDate(daysAfter(data.issued_on, payment_days), lang)] as [string, string]]
      : []),
    [t.bank, bank.name],
    ['IBAN', bank.iban && shownIban(compactBankNumber(bank.iban))],
    ['BIC', bank.bic && compactBankNumber(bank.bic)],
    [t.paymentReference, data.number],
  ]
  const left = INNER - COLUMN_GAP - widthsOf(words).all
  const names = left < LEFT ? 80 : 88
  // The longest account that fits in one row. It may reach over half of the gap to the next column.
  const longest = (left - names - GAP + COLUMN_GAP / 2) / 4.4
  const ownTerms = payment_terms ? [{ text: payment_terms, ...small, margin: [0, 8, 0, 0] as Margin }] : []
  if (isSettled(data)) return [label(t.payment), { text: paymentTerms(data, lang), fontSize: 8.5 }, ...ownTerms]
  return [
    label(t.payment),
    ...(isEarlier(data) ? [] : [{ text: paymentTerms(data, lang), fontSize: 8.5, margin: [0, 0, 0, 4] as Margin }]),
    {
      fontSize: 8.5,
      layout: plain(1),
      table: {
        widths: [names, left - names - GAP],
        body: facts.flatMap(([name, value]) =>
          value
            ? [
                [
                  { text: name, color: GREY },
                  { text: value, noWrap: name === 'IBAN' && value.length <= longest },
                ],
              ]
            : [],
        ),
      },
    },
    ...ownTerms,
    ...code(words),
  ]
}
type Margin = [number, number, number, number]

/**
 * The sizes of the QR code in points. Its modules are two points wide, so that a phone can read them from paper: the
 * first size is for codes up to version 9 (180 bytes), the second for version 13.
 */
const [SMALL, LARGE] = [110, 138]

/** The QR code for a banking app, with a note of its purpose. A draft has none, because nobody should pay it. */
function code({ lang, data, mark }: Words): Content[] {
  const qr = isEarlier(data) || mark === 'draft' ? undefined : paymentCode(data)
  if (qr === undefined) return []
  const fit = Buffer.byteLength(qr) > 180 ? LARGE : SMALL
  return [
    {
      margin: [0, 10, 0, 0],
      columnGap: GAP,
      columns: [
        { width: 'auto', qr, eccLevel: 'M', fit },
        { width: '*', text: PAYMENT_TEXTS[lang].scan, ...small },
      ],
    },
  ]
}
