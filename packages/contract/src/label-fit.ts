/** Measures how wide a text is at a font size. Both are in points. */
export type Measure = (text: string, size: number) => number

/** A text that does not fit shrinks to this part of its size at the least. If that is not enough, it is cut. */
const SHRUNK = 0.75
const STEPS = 5
const ELLIPSIS = '…'
const letters = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Sets a text in at most `rows` rows of a width. A text that does not fit becomes smaller; if that is not enough, it is
 * cut. A word that is too long for a row breaks at its end. If `mayBeCut` is false, the text is never cut and becomes
 * as small as `smallest`.
 */
export function fitText(
  text: string,
  {
    width,
    rows,
    size,
    smallest,
    measure,
    mayBeCut = true,
  }: { width: number; rows: number; size: number; smallest: number; measure: Measure; mayBeCut?: boolean },
): { size: number; rows: string[] } {
  const least = Math.max(Math.min(smallest, size), rows > 1 && mayBeCut ? size * SHRUNK : 0)
  for (let step = 0; ; step++) {
    const tried = size - ((size - least) * step) / STEPS
    const set = wrapped(text, rows, width, (part) => measure(part, tried))
    if (set.isWhole || step === STEPS) return { size: tried, rows: set.rows }
  }
}

/** The number of rows that a text takes if nothing of it is cut; null if it takes more than `most`. */
export function rowsTaken(text: string, most: number, width: number, widthOf: (text: string) => number): number | null {
  const { rows, isWhole } = wrapped(text, most, width, widthOf)
  return isWhole ? rows.length : null
}

/** As much of `head` as fits before `tail`, with an ellipsis if something is missing. */
export const cutBefore = (head: string, tail: string, width: number, widthOf: (text: string) => number): string =>
  cut(head, width - widthOf(tail), widthOf)

function wrapped(text: string, most: number, width: number, widthOf: (text: string) => number) {
  const rows: string[] = []
  let rest = text
  while (rest !== '' && rows.length < most) {
    if (widthOf(rest) <= width) return { rows: [...rows, rest], isWhole: true }
    const isLast = rows.length === most - 1
    if (isLast) return { rows: [...rows, cut(rest, width, widthOf)], isWhole: false }
    const row = asManyWords(rest, width, widthOf) || asManyLetters(rest, width, widthOf)
    if (row === '') break
    rows.push(row)
    rest = rest.slice(row.length).trim()
  }
  return { rows, isWhole: rest === '' }
}

/** As many whole words as fit, from the start of the text. */
function asManyWords(text: string, width: number, widthOf: (text: string) => number): string {
  let end = 0
  for (const { index } of text.matchAll(/ |$/g)) {
    if (widthOf(text.slice(0, index)) > width) break
    end = index
  }
  return text.slice(0, end)
}

/** As many letters as fit, from the start of the text. Halving finds them in few measurements. */
function asManyLetters(text: string, width: number, widthOf: (text: string) => number): string {
  const ends = [0, ...Array.from(letters.segment(text), ({ index, segment }) => index + segment.length)]
  let [fits, beyond] = [0, ends.length]
  while (beyond - fits > 1) {
    const middle = (fits + beyond) >> 1
    if (widthOf(text.slice(0, ends[middle])) <= width) fits = middle
    else beyond = middle
  }
  return text.slice(0, ends[fits])
}

function cut(text: string, width: number, widthOf: (text: string) => number): string {
  const kept = asManyLetters(text, width - widthOf(ELLIPSIS), widthOf).trimEnd()
  return kept === '' ? '' : kept + ELLIPSIS
}
