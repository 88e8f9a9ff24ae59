import { columnCalled } from '@backstock/contract/import.ts'
import type { CsvRecord } from './csv-records.ts'
import { isCellOf } from './row.ts'

/**
 * Whether a cell with line breaks holds what are plainly rows of the file, as where `"as new` opens a cell in one row and
 * `6.1"` closes it some rows later: each line has the cells that a row would have there, and the row as a whole has too many
 * or too few, or one of these says what only its column does, as an IMEI or a price.
 */
export function swallowsRows({ cells, broken }: CsvRecord, header: readonly string[], delimiter: string): boolean {
  return broken.some((at) => {
    const lines = cells[at]!.split(/[\r\n]+/).map((line) => line.split(delimiter))
    const last = lines.length - 1
    /** Where a line's cells begin and end in the header: the first goes on from here, the last ends where the row goes on. */
    const from = (n: number) => (n === 0 ? at : 0)
    const to = (n: number) => header.length - (n === last ? cells.length - at - 1 : 0)
    return (
      lines.every((line, n) => line.length === to(n) - from(n)) &&
      (cells.length !== header.length ||
        lines.some((line, n) => line.some((cell, i) => isTyped(header[from(n) + i]!, cell.trim()))))
    )
  })
}

function isTyped(name: string, cell: string): boolean {
  const column = columnCalled(name)
  return column !== undefined && isCellOf(column, cell)
}
