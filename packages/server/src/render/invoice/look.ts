import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Content, ContentText, TableCell } from 'pdfmake/interfaces.js'
import type { InvoiceData } from './data.ts'
import type { InvoiceTexts, Mark } from './texts.ts'

export const INK = '#1d2127'
export const GREY = '#5b6471'
export const LINE = '#d9dde4'
export const HAIRLINE = '#e6e9ee'

/** An A4 page with its margins, and the width for the content, all in points. */
export const PAGE = { width: 595.28, left: 48, right: 48, top: 52, bottom: 60 }
export const INNER = PAGE.width - PAGE.left - PAGE.right
export const GAP = 10
/** The two columns of the letterhead, the addresses and the totals, in points. */
export const COLUMN_GAP = 24
export const RIGHT = 244
export const LEFT = INNER - COLUMN_GAP - RIGHT

/** The facts and words that every part of the document needs. */
export type Words = { t: InvoiceTexts; lang: InvoiceLanguage; data: InvoiceData; mark?: Mark }

export const rule = (color: string): Content => ({
  canvas: [{ type: 'line', x1: 0, y1: 0, x2: INNER, y2: 0, lineWidth: 0.5, lineColor: color }],
})

export const small = { fontSize: 8, color: GREY }
export const headingCell = (text: string, right = false): TableCell => ({
  text,
  bold: true,
  fontSize: 7.5,
  color: GREY,
  verticalAlignment: 'bottom',
  alignment: right ? 'right' : 'left',
})
export const label = (text: string): ContentText => ({
  text,
  bold: true,
  fontSize: 7.5,
  color: GREY,
  margin: [0, 0, 0, 3],
})
/** A layout of pdfmake: columns side by side with a gap between them, without lines. */
export const plain = (vertical: number) => ({
  hLineWidth: () => 0,
  vLineWidth: () => 0,
  paddingLeft: (column: number) => (column === 0 ? 0 : GAP),
  paddingRight: () => 0,
  paddingTop: () => vertical,
  paddingBottom: () => vertical,
})
