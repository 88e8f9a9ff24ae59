import { cutBefore, fitText, rowsTaken } from './label-fit.ts'
import type { Box, Dpi, LabelCode, Paper } from './label-paper.ts'
import { BETWEEN, type LabelLine } from './label-text.ts'

/**
 * The white margin that each code needs, in modules (the width of its narrowest bar): on all sides, with Code 128 only
 * left and right. The sources are ISO/IEC 16022, 18004 and 15417.
 */
export const QUIET: Record<LabelCode, number> = { code128: 10, qr: 4, datamatrix: 1 }

/** The smallest module in mm that most scanners and phones still read, and the largest one that is of any use. */
const LEAST_MODULE = 0.25
const MOST_MODULE = 0.6
const LEAST_DOTS = 2
/** The usual share of the label's width that a square code takes, and the largest share, for a long text. */
const SQUARE = { usual: 0.42, most: 0.7 }
/** The share of the label's height that bars take, with their least and greatest height in mm. */
const BARS = { share: 0.4, least: 5, most: 15 }
const GAP = 0.8
/** The tolerance for rounding errors in sums of fractions. */
const CLOSE = 1e-6

/**
 * The places of the code (without its margin) and of the text, in mm from the label's corner. `module` is in mm, too.
 */
export type LabelLayout = { module: number; code: Box; text: Box }

/**
 * Lays out a label whose code is `modules` wide. A module is a whole number of the printer's dots, at least two. Null
 * if the code does not fit.
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

/**
 * The distance of two lines as a multiple of the size, and the sizes of letters in points. A second row is allowed only
 * if the letters keep at least the size `COMFORT`.
 */
export const LEADING = 1.25
export const SMALLEST = 4.5
const LARGEST = 10
const COMFORT = 6.5
const MM = 72 / 25.4

/** Returns the width of a text. The width and the font size are in points. */
type MeasureText = (text: string, size: number, bold: boolean) => number

/**
 * A row as it is printed, and all rows of a label. The distance from one row to the next is `LEADING` times the `size`
 * of the setting, even for rows of another size.
 */
export type LabelRow = { text: string; size: number; bold: boolean }
export type LabelSetting = { size: number; rows: LabelRow[] }

/** A line, with the least number of rows that it needs. */
type Placed = LabelLine & { rows: number }

/**
 * Sets the lines of a label in the box for its text. If not all lines fit, those of the lowest weight are left out. An
 * identifier that is too long for one row is placed before all other lines. An identifier is never cut: if even the
 * whole box is too small for it, it is left out.
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
