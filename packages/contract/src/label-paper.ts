/** A rectangle on paper, in mm; `x` and `y` count from the left and the top. */
export type Box = { x: number; y: number; width: number; height: number }

/**
 * The division of a paper into labels, in mm. `step` is the distance from one label to the next. Nothing is printed
 * within `inset` of a label's edge, nor within 5 mm of the edge of a page, because sheet printers cannot print there. A
 * roll has one label on each page.
 */
export type Paper = {
  name: string
  page: { width: number; height: number }
  columns: number
  rows: number
  label: { width: number; height: number }
  left: number
  top: number
  step: { x: number; y: number }
  inset: { x: number; y: number }
  /** The usual resolution of the printers for this paper. */
  dpi: Dpi
}

/** The resolutions of label printers (203, 300) and of sheet printers (600), in dots per inch. */
export const DPIS = [203, 300, 600] as const
export type Dpi = (typeof DPIS)[number]

const A4 = { width: 210, height: 297 }
const LETTER = { width: 215.9, height: 279.4 }

const roll = (name: string, width: number, height: number, dpi: Dpi): Paper => ({
  name,
  page: { width, height },
  columns: 1,
  rows: 1,
  label: { width, height },
  left: 0,
  top: 0,
  step: { x: width, y: height },
  inset: { x: 1.5, y: 1.5 },
  dpi,
})

/** The name of a paper of one's own size, with one label on each page. */
export const OWN_PAPER = 'own'
export const PAPERS = [
  ...(['a4-3x8', 'a4-3x7', 'a4-5x13', 'letter-3x10', 'roll-62x29', 'roll-57x32', 'roll-50x30'] as const),
  OWN_PAPER,
] as const
export type PaperName = (typeof PAPERS)[number]

const KNOWN: Record<Exclude<PaperName, typeof OWN_PAPER>, Paper> = {
  'a4-3x8': {
    name: 'A4, 3 × 8 labels of 70 × 37 mm',
    ...{ page: A4, columns: 3, rows: 8, label: { width: 70, height: 37 } },
    ...{ left: 0, top: 0.5, step: { x: 70, y: 37 }, inset: { x: 5, y: 4.5 }, dpi: 600 },
  },
  'a4-3x7': {
    name: 'A4, 3 × 7 labels of 63.5 × 38.1 mm',
    ...{ page: A4, columns: 3, rows: 7, label: { width: 63.5, height: 38.1 } },
    ...{ left: 7.21, top: 15.15, step: { x: 66.04, y: 38.1 }, inset: { x: 2, y: 2 }, dpi: 600 },
  },
  'a4-5x13': {
    name: 'A4, 5 × 13 labels of 38.1 × 21.2 mm',
    ...{ page: A4, columns: 5, rows: 13, label: { width: 38.1, height: 21.2 } },
    ...{ left: 4.75, top: 10.7, step: { x: 40.6, y: 21.2 }, inset: { x: 1.5, y: 1.5 }, dpi: 600 },
  },
  'letter-3x10': {
    name: 'Letter, 3 × 10 labels of 66.7 × 25.4 mm',
    ...{ page: LETTER, columns: 3, rows: 10, label: { width: 66.675, height: 25.4 } },
    ...{ left: 4.76, top: 12.7, step: { x: 69.85, y: 25.4 }, inset: { x: 2, y: 1.5 }, dpi: 600 },
  },
  'roll-62x29': roll('Roll, 62 × 29 mm', 62, 29, 300),
  'roll-57x32': roll('Roll, 57 × 32 mm', 57, 32, 300),
  'roll-50x30': roll('Roll, 50 × 30 mm', 50, 30, 203),
}

/** The limits of a label of one's own size, in mm. A code fits even in the smallest. */
export const OWN_SIZE = { width: { min: 20, max: 210 }, height: { min: 12, max: 297 } } as const

/** The paper with a name. `own` is the size of the label if the name is `OWN_PAPER`. */
export function paperOf(name: PaperName, own: { width: number; height: number } = { width: 50, height: 30 }): Paper {
  return name === OWN_PAPER ? roll('Roll, own size', own.width, own.height, 203) : KNOWN[name]
}

/** The number of labels on one page. */
export const labelsOn = ({ columns, rows }: Paper) => columns * rows

/** The place of label `n`, counted from 0. `first` is the first free place on the first page, counted from 1. */
export function placeOf(paper: Paper, first: number, n: number): Box & { page: number } {
  const at = first - 1 + n
  const onPage = at % labelsOn(paper)
  return {
    page: Math.floor(at / labelsOn(paper)),
    x: paper.left + (onPage % paper.columns) * paper.step.x,
    y: paper.top + Math.floor(onPage / paper.columns) * paper.step.y,
    ...paper.label,
  }
}

export const LABEL_CODES = ['code128', 'qr', 'datamatrix'] as const
export type LabelCode = (typeof LABEL_CODES)[number]

/**
 * The least width in mm for a choice of codes. On a narrower label, many printers cannot print the thin bars of a Code
 * 128, and a QR code leaves no room for text.
 */
const LEAST_WIDTH = 45

/** The codes that fit a label of this width in mm. The first is the usual one. */
export const codesOn = (width: number): readonly [LabelCode, ...LabelCode[]] =>
  width < LEAST_WIDTH ? ['datamatrix'] : LABEL_CODES
