import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Content, TableCell, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { breaking } from '../invoice/breaking.ts'
import { type Fact, footer, letterhead, pages, runningHeader, type Sender, titleText } from '../invoice/letterhead.ts'
import { GAP, HAIRLINE, headingCell, INK, INNER, plain } from '../invoice/look.ts'
import { INVOICE_TEXTS } from '../invoice/texts.ts'

type Frame = {
  sender: Sender
  lang: InvoiceLanguage
  title: string
  facts: Fact[]
  content: Content[]
}

/** A document with the head and foot of the shop's invoices. */
export const framed = ({ sender, lang, title, facts, content }: Frame): TDocumentDefinitions => ({
  ...pages(title, lang),
  header: (page) => (page === 1 ? '' : runningHeader(title, sender.name)),
  footer: (page, all) => footer(sender, INVOICE_TEXTS[lang].pageOf(page, all)),
  content: [letterhead(sender, lang, titleText(title), facts), ...content],
})

export type PaperColumn<Line> = {
  heading: string
  /**
   * The width in points; 0 for the column that takes the rest. Measuring columns would take minutes for a thousand
   * lines.
   */
  width: number
  right?: true
  cell: (line: Line, place: number) => TableCell
}

/** A table of lines. Its heading is repeated on every page, and no row is split. */
export function linesTable<Line>(columns: PaperColumn<Line>[], lines: readonly Line[]): Content {
  const rest = INNER - GAP * (columns.length - 1) - columns.reduce((sum, { width }) => sum + width, 0)
  return {
    fontSize: 8.5,
    layout: {
      ...plain(4),
      hLineWidth: (row) => (row > 0 ? 0.5 : 0),
      hLineColor: (row) => (row === 1 ? INK : HAIRLINE),
    },
    table: {
      headerRows: 1,
      dontBreakRows: true,
      widths: columns.map(({ width }) => width || rest),
      body: [
        columns.map(({ heading, right }) => headingCell(heading, right)),
        ...lines.map((line, place) => columns.map(({ cell, width }) => breaking(cell(line, place), width || rest))),
      ],
    },
  }
}

export const figure = (text: string): TableCell => ({ text, alignment: 'right' })
