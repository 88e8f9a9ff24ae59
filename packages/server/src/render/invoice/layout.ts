import { formatDate } from '@backstock/contract/format-in-language.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import type { Column, Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { closing } from './closing.ts'
import { CREDIT_NOTE_TEXTS, creditReason } from './credit-note-texts.ts'
import { type InvoiceData, isCreditNote, isSettled } from './data.ts'
import { daysAfter } from './format.ts'
import { addressLines, type Fact, footer, letterhead, pages, runningHeader, titleText } from './letterhead.ts'
import { lines } from './lines.ts'
import { COLUMN_GAP, GREY, LEFT, label, RIGHT, type Words } from './look.ts'
import { summary } from './summary.ts'
import { INVOICE_TEXTS, type Mark } from './texts.ts'

/**
 * The invoice or credit note in the form of pdfmake. It is made anew for each rendering, because pdfmake changes its
 * input. Each column has a fixed width: measuring them takes minutes for a thousand lines.
 */
export function invoiceDocument(data: InvoiceData, lang: InvoiceLanguage, mark?: Mark): TDocumentDefinitions {
  const t = INVOICE_TEXTS[lang]
  const words = { t, lang, data, ...(mark && { mark }) }
  const printed = lines(words)
  const title = [titleOf(words), data.number, ...(mark ? [`(${t[mark]})`] : [])].filter((part) => !!part).join(' ')
  return {
    version: '1.7',
    subset: 'PDF/A-3b',
    displayTitle: true,
    ...pages(title, lang),
    ...(mark === 'draft' && { watermark: { text: t.draft, color: GREY, opacity: 0.15, bold: true } }),
    header: (page) =>
      page === 1 ? '' : [runningHeader(title, data.seller.name), printed.carried(page - 1, t.brought) ?? ''],
    footer: (page, all) => {
      const carried = printed.carried(page, t.carried)
      const text = t.pageOf(page, all)
      return carried
        ? [{ stack: [carried], margin: [0, 4, 0, 0] }, footer(data.seller, text, 4)]
        : footer(data.seller, text)
    },
    content: [
      letterhead(data.seller, lang, titleText(titleOf(words), mark === 'copy' ? t.copy : ''), factsOf(words)),
      parties(words),
      ...credited(words),
      printed.table,
      ...summary(words, printed.rows),
      closing(words),
    ],
  }
}

/** The title of the document in its language. */
const titleOf = ({ t, lang, data }: Words) => (isCreditNote(data) ? CREDIT_NOTE_TEXTS[lang].title : t.invoice)

function factsOf({ t, lang, data }: Words): Fact[] {
  const c = CREDIT_NOTE_TEXTS[lang]
  return [
    [isCreditNote(data) ? c.number : t.number, data.number],
    [isCreditNote(data) ? c.issuedOn : t.issuedOn, formatDate(data.issued_on, lang)],
    [t.suppliedOn, data.supplied_on && formatDate(data.supplied_on, lang)],
    [
      t.dueOn,
      isCreditNote(data) || isSettled(data)
        ? null
        : formatDate(daysAfter(data.issued_on, data.seller.payment_days), lang),
    ],
    [t.order, String(data.sale_id)],
    [t.reference, data.reference_number],
  ]
}

/** The invoice that a credit note credits, and the reason for it (Directive 2006/112/EC, article 219). */
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
  const more = [
    buyer.vat_number && `${t.vatNumber} ${shownVatNumber(buyer.vat_number)}`,
    buyer.registration,
    buyer.email,
  ].filter((text) => !!text)
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
