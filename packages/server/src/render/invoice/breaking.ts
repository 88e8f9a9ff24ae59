import type { Content, TableCell } from 'pdfmake/interfaces.js'

/** A run of characters that is longer than any word. It is a text without blanks. */
const ENDLESS = /\S{41,}/gu
/** The width of the widest letters in a line, in points. */
const WIDEST = 9

/**
 * A cell of `width` points. A run of more than 40 characters without a blank is broken into rows. Otherwise pdfmake
 * would measure the rest of the run for each of its rows and keep all measured texts: half a gigabyte for five hundred
 * lines.
 */
export function breaking(cell: TableCell, width: number): TableCell {
  if (typeof cell !== 'object') return cell
  if ('stack' in cell && cell.stack)
    return { ...cell, stack: cell.stack.map((one) => breaking(one as TableCell, width) as Content) }
  if (!('text' in cell) || typeof cell.text !== 'string') return cell
  const letters = Math.max(1, Math.floor(width / WIDEST))
  const rows = new RegExp(`.{1,${letters}}`, 'gu')
  return { ...cell, text: cell.text.replace(ENDLESS, (word) => (word.match(rows) ?? []).join('\n')) }
}
