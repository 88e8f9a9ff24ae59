import { formatAmount, formatDate, formatMoneyWithCode } from '@backstock/contract/format-in-language.ts'
import { shownIban } from '@backstock/contract/party-numbers.ts'
import type { Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { addressLines } from '../invoice/letterhead.ts'
import { COLUMN_GAP, GAP, GREY, INK, LEFT, label, plain, RIGHT, small } from '../invoice/look.ts'
import { PAYMENT_TEXTS } from '../invoice/payment-texts.ts'
import { INVOICE_TEXTS } from '../invoice/texts.ts'
import { MAIL_TEXTS } from '../mail/texts.ts'
import { DELIVERY_TEXTS } from './delivery-texts.ts'
import { figure, framed, linesTable, type PaperColumn } from './frame.ts'
import { LETTER_TEXTS, letterTitle } from './letter-texts.ts'
import type { LetterPaper } from './paper.ts'

/** A statement of a customer's open items, or a reminder of overdue invoices. A draft has the word for it on its pages. */
export function letterPaper(letter: LetterPaper): TDocumentDefinitions {
  const { sender, lang, date, pay_by } = letter
  const l = LETTER_TEXTS[lang]
  const title = letterTitle(letter.letter, letter.level, lang)
  const day = (text: string | null) => text && formatDate(text, lang)
  const paper = framed({
    sender,
    lang,
    title,
    facts: [
      [DELIVERY_TEXTS[lang].date, formatDate(date, lang)],
      [l.payBy, day(pay_by)],
    ],
    content: [addressee(letter), ...opening(letter), table(letter), closing(letter), ending(letter)],
  })
  if (!letter.isDraft) return paper
  return { ...paper, watermark: { text: INVOICE_TEXTS[lang].draft, color: GREY, opacity: 0.15, bold: true } }
}

function addressee({ lang, buyer, address }: LetterPaper): Content {
  const [name = '', ...names] = [buyer.company_name, buyer.name].filter((one) => !!one) as string[]
  return {
    margin: [0, 0, 0, 26],
    stack: [
      { text: name, bold: true, fontSize: 10 },
      ...[...names, ...addressLines(address, lang)].map((text) => ({ text })),
    ],
  }
}

/** The sentences of the letter, which its mail repeats. */
export function sentences({ lang, letter, level, date, pay_by, total }: LetterPaper): string[] {
  const l = LETTER_TEXTS[lang]
  if (letter === 'statement' || level === null || pay_by === null) {
    const say = total > 0 ? l.asOf : l.balanced
    return [say(formatDate(date, lang))]
  }
  const ask = l.ask(formatDate(pay_by, lang))
  return [l.overdue[level](formatMoneyWithCode(total, 'EUR', lang)), level === 3 ? `${ask} ${l.final}` : ask]
}

function opening(letter: LetterPaper): Content[] {
  const greeting = MAIL_TEXTS[letter.lang].greeting(letter.buyer.name)
  return [greeting, ...sentences(letter)].map((text) => ({ text, fontSize: 10, margin: [0, 0, 0, 8] }))
}

function table({ lang, lines }: LetterPaper): Content {
  const t = INVOICE_TEXTS[lang]
  const l = LETTER_TEXTS[lang]
  const money = (amount: number) => figure(formatAmount(amount, lang))
  // English writes the month's name.
  const [dateWidth, daysWidth] = lang === 'en' ? [78, 36] : [54, 42]
  const day = (date: string | null): TableCell => ({ text: date === null ? '' : formatDate(date, lang) })
  const paid: PaperColumn<LetterPaper['lines'][number]>[] = lines.some(({ paid }) => paid !== 0)
    ? [{ heading: l.paid, width: 50, right: true, cell: ({ paid }) => (paid === 0 ? figure('') : money(paid)) }]
    : []
  return {
    margin: [0, 10, 0, 0],
    stack: [
      linesTable(
        [
          { heading: t.invoice, width: 0, cell: ({ number }) => ({ text: number }) },
          { heading: DELIVERY_TEXTS[lang].date, width: dateWidth, cell: ({ issued_on }) => day(issued_on) },
          { heading: t.dueOn, width: dateWidth, cell: ({ due_on }) => day(due_on) },
          {
            heading: l.days,
            width: daysWidth,
            right: true,
            cell: ({ days }) => figure(days > 0 ? String(days) : ''),
          },
          { heading: `${t.sum} (EUR)`, width: 56, right: true, cell: ({ total }) => money(total) },
          ...paid,
          { heading: l.open, width: 56, right: true, cell: ({ open }) => money(open) },
        ],
        lines,
      ),
    ],
  }
}

/** The sums, and beside them the account to pay to if there is something to pay. */
function closing({ lang, letter, bank, total, overdue }: LetterPaper): Content {
  const l = LETTER_TEXTS[lang]
  const money = (amount: number) => formatMoneyWithCode(amount, 'EUR', lang)
  const strong = (text: string) => ({ text, bold: true, fontSize: 11 })
  const name = total < 0 ? PAYMENT_TEXTS[lang].balance : l.totalOpen
  const rows: TableCell[][] = [[strong(name), { ...strong(money(Math.abs(total))), alignment: 'right' }]]
  if (letter === 'statement' && overdue > 0)
    rows.push([
      { text: overdue > total ? l.overdueBeforeCredits : l.totalOverdue, color: GREY },
      { text: money(overdue), alignment: 'right' },
    ])
  return {
    unbreakable: true,
    columnGap: COLUMN_GAP,
    margin: [0, 18, 0, 0],
    columns: [
      { width: LEFT, stack: total > 0 ? account(lang, bank) : [] },
      {
        width: RIGHT,
        layout: { ...plain(4), hLineWidth: (row) => (row === 0 ? 0.5 : 0), hLineColor: () => INK },
        table: { widths: [RIGHT - 110 - GAP, 110], body: rows },
      },
    ],
  }
}

function account(lang: LetterPaper['lang'], { name, iban, bic }: LetterPaper['bank']): Content[] {
  if (!iban) return []
  const t = INVOICE_TEXTS[lang]
  const facts = [
    [t.bank, name],
    ['IBAN', shownIban(iban)],
    ['BIC', bic],
  ].filter(([, value]) => !!value) as [string, string][]
  return [
    label(t.payment),
    {
      fontSize: 8.5,
      layout: plain(1),
      table: {
        widths: [50, LEFT - 50 - GAP],
        body: facts.map(([heading, value]) => [{ text: heading, color: GREY }, { text: value }]),
      },
    },
    { text: LETTER_TEXTS[lang].nameInvoices, ...small, margin: [0, 8, 0, 0] },
  ]
}

function ending({ lang, letter, sender }: LetterPaper): Content {
  const texts = letter === 'reminder' ? [LETTER_TEXTS[lang].crossed] : []
  return {
    unbreakable: true,
    margin: [0, 24, 0, 0],
    fontSize: 10,
    stack: [
      ...texts.map((text) => ({ text, margin: [0, 0, 0, 12] as [number, number, number, number] })),
      { text: MAIL_TEXTS[lang].regards },
      { text: sender.name },
    ],
  }
}
