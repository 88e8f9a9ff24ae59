import type { Measure } from '@backstock/contract/label-fit.ts'

/** The part of pdfkit's document that measures, in the font that was set last. */
type Measuring = { fontSize(size: number): { widthOfString(text: string): number } }

/**
 * Measures by letters: pdfkit keeps each text that it has ever measured, and a long one is measured a hundred times until
 * it fits. `widths` are those of the font's letters that have been met, in a size of 1 point.
 */
export function measuring(doc: Measuring, widths: Map<string, number>): Measure {
  const widthOf = (letter: string) => {
    const known = widths.get(letter)
    if (known !== undefined) return known
    const width = doc.fontSize(1).widthOfString(letter)
    widths.set(letter, width)
    return width
  }
  return (text, size) => {
    let width = 0
    for (const letter of text) width += widthOf(letter)
    return width * size
  }
}
