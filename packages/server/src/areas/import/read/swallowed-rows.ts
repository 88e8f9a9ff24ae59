import { columnCalled, ITEM_COLUMN } from '@backstock/contract/csv-columns.ts'
import { invalid } from '../../../http/refusal.ts'
import type { CsvRecord } from './csv-records.ts'
import { isCellOf } from './parse-row.ts'

/** Throws 422 under `csv` if a cell of the record contains rows of the file. `header` has the fields of the columns. */
export function refuseSwallowedRows(
  record: CsvRecord,
  header: readonly string[],
  delimiter: string,
  isWholeExport: boolean,
): void {
  if (swallowsRows(record, header, delimiter, isWholeExport))
    throw invalid({
      csv: `In row ${record.row} a quotation mark is opened, and the rows after it became part of its cell. A quotation mark at the start of a cell needs another one at its end.`,
    })
}

/**
 * Whether a cell with line breaks contains rows of the file: `"as new` opens a cell in one row, and `6.1"` closes it
 * some rows later. In that case each line of the cell has as many cells as a row would have there. In addition, the row
 * as a whole has too many or too few cells, or one of those cells can only belong to its column, as an IMEI or a price
 * does. Some programs end each row with a delimiter, so an empty cell after it does not count. In a whole export, notes
 * may contain anything, so each line must also begin with an item's number, as the rows of an export do.
 */
function swallowsRows(
  { cells, broken }: CsvRecord,
  header: readonly string[],
  delimiter: string,
  isWholeExport: boolean,
): boolean {
  const surplus = cells.slice(header.length)
  const filled = cells.length - surplus.length + surplus.findLastIndex((cell) => cell !== '') + 1
  return broken.some((at) => {
    const lines = (cells[at] ?? '').split(/[\r\n]+/).map((line) => line.split(delimiter))
    const last = lines.length - 1
    /**
     * `from` is the column of a line's first cell, and `to` is the column after its last cell. The first line begins in
     * the column `at`. After the last line come the row's other cells.
     */
    const from = (n: number) => (n === 0 ? at : 0)
    const to = (n: number, length: number) => header.length - (n === last ? length - at - 1 : 0)
    const areRows = (length: number) => lines.every((line, n) => hasCells(line, to(n, length) - from(n)))
    if (!areRows(cells.length) && !areRows(filled)) return false
    if (isWholeExport) return lines.slice(1).every(([first]) => isCellOf(ITEM_COLUMN, (first ?? '').trim()))
    return (
      filled !== header.length ||
      lines.some((line, n) => line.some((cell, i) => isTyped(header[from(n) + i] ?? '', cell.trim())))
    )
  })
}

const hasCells = (line: readonly string[], many: number) =>
  line.length === many || (line.length === many + 1 && line.at(-1) === '')

function isTyped(name: string, cell: string): boolean {
  const column = columnCalled(name)
  return column !== undefined && isCellOf(column, cell)
}
