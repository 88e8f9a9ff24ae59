import { cutBefore, fitText, rowsTaken } from './label-fit.ts'
import type { Box, Dpi, LabelCode, Paper } from './label-paper.ts'
import { BETWEEN, type LabelLine } from './label-text.ts'

/** So many modules around a code stay white; beside its bars at Code 128: ISO/IEC 16022, 18004 and 15417. */
export const QUIET: Record<LabelCode, number> = { code128: 10, qr: 4, datamatrix: 1 }

/** In mm: a size that most scanners and phones still read, and one that is large enough for all. */
const LEAST_MODULE = 0.25
const MOST_MODULE = 0.6
const LEAST_DOTS = 2
/** How much of the label's width a square code takes, and how much if it holds a long text. */
const SQUARE = { usual: 0.42, most: 0.7 }
/** How much of the label's height bars take, and how many mm they have at least and at most. */
const BARS = { share: 0.4, least: 5, most: 15 }
const GAP = 0.8
/** The tolerance for a sum of fractions. */
const CLOSE = 1e-6

/** The places of the code, without its quiet zone, and of the text: in mm from the label's corner. */
export type LabelLayout = { module: number; code: Box; text: Box }

/**
 * Lays out a label whose code is so many modules wide. A module is a whole number of the printer's dots, two at least.
 * Null if the code does not fit.
 */
export function layoutOf(paper: Paper, dpi: Dpi, code: LabelCode, modules: number): LabelLayout | null {
  const { label, inset } = paper
  const inner = { ...inset, width: label.width - 2 * inset.x, height: label.height - 2 * inset.y }
  const bars = code === 'code128'
  const whole = modules + 2 * QUIET[code]
  const room = bars ? Math.min(inner.width / modules, label.width / whole) : squareRoom(inner, SQUARE.usual) / whole
  const module = Math.max(leastModule(dpi), inDots(Math.min(room, MOST_MODULE), dpi))
  const most = bars ? room : squareRoom(inner, SQUARE.most) / whole
  if (module > most + CLOSE) return null
  return bars ? underText(inner, module, modules) : besideText(inner, module, modules, QUIET[code])
}

const inDots = (mm: number, dpi: Dpi) => (Math.floor((mm * dpi) / 25.4 + CLOSE) * 25.4) / dpi
const leastModule = (dpi: Dpi) => (Math.max(LEAST_DOTS, Math.ceil((LEAST_MODULE * dpi) / 25.4 - CLOSE)) * 25.4) / dpi
const squareRoom = (inner: Box, share: number) => Math.min(inner.height, inner.width * share)

function underText(inner: Box, module: number, modules: number): LabelLayout {
  const width = module * modules
  const height = Math.max(BARS.least, Math.min(BARS.most, inner.height * BARS.share))
  const y = inner.y + inner.height - height
  return {
    module,
    code: { x: inner.x + (inner.width - width) / 2, y, width, height },
    text: { ...inner, height: inner.height - height - GAP },
  }
}

function besideText(inner: Box, module: number, modules: number, quiet: number): LabelLayout {
  const side = module * modules
  const whole = side + 2 * quiet * module
  return {
    module,
    code: {
      x: inner.x + inner.width - whole + quiet * module,
      y: inner.y + (inner.height - side) / 2,
      width: side,
      height: side,
    },
    text: { ...inner, width: inner.width - whole - GAP },
  }
}

/** The height of a line, and the sizes of letters, in points; a label shorter than `COMFORT` gets no second row. */
export const LEADING = 1.25
export const SMALLEST = 4.5
const LARGEST = 10
const COMFORT = 6.5
const MM = 72 / 25.4

/** How wide a text is in a size, in points, in letters that are bold or not. */
type MeasureText = (text: string, size: number, bold: boolean) => number

/** A row as it is printed. From one row to the next it is `size * LEADING` of the setting, for every size of a row. */
export type LabelRow = { text: string; size: number; bold: boolean }
export type LabelSetting = { size: number; rows: LabelRow[] }

/** A line with the rows that it takes at least. */
type Placed = LabelLine & { rows: number }

/**
 * How the lines of a label are set in its text's box. If not all have room, the lightest are left out; an identifier
 * that is too long for one row comes before all others. Identifiers are never cut: one for which even the whole box is
 * too small is left out.
 */
export function settingOf(
  lines: readonly LabelLine[],
  box: Pick<Box, 'width' | 'height'>,
  measure: MeasureText,
): LabelSetting {
  const [width, height] = [box.width * MM, box.height * MM]
  const most = Math.floor(height / (SMALLEST * LEADING))
  const placed = lines.flatMap((line) => {
    const widthOf = (text: string) => measure(text, SMALLEST, line.bold)
    const rows = line.whole === null ? 1 : rowsTaken(line.whole, most, width, widthOf)
    return rows === null ? [] : { ...line, rows }
  })
  const kept = new Set<Placed>()
  let left = most
  for (const line of placed.toSorted((a, b) => b.rows - a.rows || b.weight - a.weight)) {
    if (line.rows > left) continue
    kept.add(line)
    left -= line.rows
  }
  const sizeOf = (rows: number) => Math.min(LARGEST, height / (Math.max(1, rows) * LEADING))
  const withSecond = sizeOf(most - left + 1)
  const wraps = [...kept].some((line) => line.wraps) && withSecond >= COMFORT
  const size = wraps ? withSecond : sizeOf(most - left)
  const rows = placed.filter((line) => kept.has(line)).flatMap((line) => setLine(line, width, size, wraps, measure))
  return { size, rows }
}

function setLine(line: Placed, width: number, size: number, wraps: boolean, measure: MeasureText): LabelRow[] {
  const { text, whole, bold } = line
  const asBold = (part: string, size: number) => measure(part, size, bold)
  const fit = (part: string, rows: number, mayBeCut: boolean) => {
    const set = fitText(part, { width, rows, size, smallest: SMALLEST, measure: asBold, mayBeCut })
    return set.rows.map((row) => ({ text: row, size: set.size, bold }))
  }
  if (whole === null) return fit(text, line.wraps && wraps ? 2 : 1, true)
  const least = Math.min(SMALLEST, size)
  if (text === whole || asBold(text, least) <= width) return fit(text, line.rows, false)
  const end = BETWEEN + whole
  const before = cutBefore(text.slice(0, -end.length), end, width, (part) => asBold(part, least))
  return before === '' ? fit(whole, line.rows, false) : [{ text: before + end, size: least, bold }]
}
