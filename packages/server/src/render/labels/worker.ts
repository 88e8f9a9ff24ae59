import { type LabelLayout, LEADING, layoutOf, settingOf } from '@backstock/contract/label-layout.ts'
import { type Box, placeOf } from '@backstock/contract/label-paper.ts'
import type { LabelLine } from '@backstock/contract/label-text.ts'
import PDFDocument from 'pdfkit'
import { printed } from '../invoice/font.ts'
import { READ_REGULAR, READ_SEMI_BOLD } from '../invoice/read-fonts.ts'
import { answerWith } from '../workers/thread.ts'
import type { Label, LabelSheet } from './labels.ts'
import { measuring } from './measuring.ts'
import { type CodeSymbol, symbolOf } from './symbol.ts'

type Doc = InstanceType<typeof PDFDocument>

const POINTS = 72 / 25.4
/** The distance from a row's top to the baseline of its letters, as a share of the row's height. */
const BASELINE = 0.78

answerWith(async (sheet: LabelSheet): Promise<Uint8Array> => {
  const { paper, labels, first } = sheet
  const doc = new PDFDocument({ autoFirstPage: false, margin: 0, info: { Title: 'Labels', Creator: 'Backstock' } })
  doc.registerFont('regular', READ_REGULAR).registerFont('bold', READ_SEMI_BOLD)
  const pieces: Buffer[] = []
  const ended = new Promise((resolve, reject) => doc.on('end', resolve).on('error', reject))
  doc.on('data', (piece: Buffer) => pieces.push(piece))
  const widths: Widths = { regular: new Map(), bold: new Map() }
  let page = -1
  for (const [n, label] of labels.entries()) {
    const place = placeOf(paper, first, n)
    if (place.page > page) {
      doc.addPage({ size: [paper.page.width * POINTS, paper.page.height * POINTS], margin: 0 })
      page = place.page
      // Waits a moment, so that the finished part of the PDF can be sent.
      await new Promise(setImmediate)
    }
    drawLabel(doc, sheet, label, place, widths)
  }
  doc.end()
  await ended
  return Buffer.concat(pieces)
})

/** The code of the first text that fits. The last text always does. */
function codeOf({ paper, dpi, code }: LabelSheet, label: Label): { symbol: CodeSymbol; layout: LabelLayout } {
  for (const text of label.codes) {
    const symbol = symbolOf(code, text)
    const layout = symbol && layoutOf(paper, dpi, code, symbol.width)
    if (layout) return { symbol, layout }
  }
  throw new Error(`No code has room for ${label.codes.at(-1)}.`)
}

function drawLabel(doc: Doc, sheet: LabelSheet, label: Label, place: Box, widths: Widths): void {
  const { symbol, layout } = codeOf(sheet, label)
  drawCode(doc, symbol, layout, place, sheet)
  drawText(doc, label.lines, { ...layout.text, x: place.x + layout.text.x, y: place.y + layout.text.y }, widths)
}

/** Draws a code. Every edge is on a dot of the printer, counted from the corner of the page. */
function drawCode(doc: Doc, symbol: CodeSymbol, { module, code }: LabelLayout, place: Box, sheet: LabelSheet): void {
  const onDot = (mm: number) => (Math.round((mm * sheet.dpi) / 25.4) * 72) / sheet.dpi
  const [left, top, unit] = [onDot(place.x + code.x), onDot(place.y + code.y), module * POINTS]
  const height = sheet.code === 'code128' ? code.height * POINTS : unit
  for (const { x, y, width } of symbol.runs) doc.rect(left + x * unit, top + y * unit, width * unit, height)
  doc.fill('black')
}

type Widths = { regular: Map<string, number>; bold: Map<string, number> }

function drawText(doc: Doc, given: readonly LabelLine[], box: Box, widths: Widths): void {
  const fontOf = (bold: boolean) => (bold ? 'bold' : 'regular')
  const lines = given.map((line) => ({
    ...line,
    text: oneRow(line.text),
    whole: line.whole === null ? null : oneRow(line.whole),
  }))
  const { size, rows } = settingOf(lines, box, (text, size, bold) => {
    doc.font(fontOf(bold))
    return measuring(doc, widths[fontOf(bold)])(text, size)
  })
  let top = box.y * POINTS
  for (const row of rows) {
    doc.font(fontOf(row.bold)).fontSize(row.size).fillColor('black')
    const at = top + size * LEADING * BASELINE
    doc.text(row.text, box.x * POINTS, at, { lineBreak: false, baseline: 'alphabetic' })
    top += size * LEADING
  }
}

const oneRow = (text: string) => printed(text).replaceAll('\n', ' ')
