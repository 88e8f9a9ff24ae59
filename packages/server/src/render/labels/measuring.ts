import type { Measure } from '@backstock/contract/label-fit.ts'

/** The functions of a pdfkit document that measure text in its present font. */
type Measuring = { fontSize(size: number): { widthOfString(text: string): number } }

/**
 * Makes a function that measures a text letter by letter. pdfkit stores each text that it has ever measured, and a long
 * text is measured a hundred times until it fits. `widths` has the widths of the letters so far, at a size of 1 point.
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
