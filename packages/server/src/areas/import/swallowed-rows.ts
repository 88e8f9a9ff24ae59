import { identifierOfCell } from '@backstock/contract/identifier-cell.ts'
import { compactIdentifier, imeiProblem } from '@backstock/contract/imei.ts'
import { columnCalled } from '@backstock/contract/import.ts'
import type { CsvRecord } from './csv-records.ts'

/**
 * Whether a cell with line breaks holds what are plainly rows of the file, as where `"as new` opens a cell in one row and
 * `6.1"` closes it some rows later: each line has the cells that a row would have there, and one has a device's identifier
 * where such a row has it.
 */
export function swallowsRows({ cells, broken }: CsvRecord, header: readonly string[], delimiter: string): boolean {
  return broken.some((at) => {
    const lines = cells[at]!.split(/[\r\n]+/).map((line) => line.split(delimiter))
    const widths = [header.length - at, header.length, at + 1 + header.length - cells.length]
    const isRow = lines.every((line, n) => line.length === widths[n === 0 ? 0 : n === lines.length - 1 ? 2 : 1])
    return isRow && lines.slice(1).some((line) => line.some((cell, n) => isDevice(header[n]!, cell)))
  })
}

function isDevice(name: string, cell: string): boolean {
  const column = columnCalled(name)
  const text = identifierOfCell(cell)
  if (column === 'imei') return imeiProblem(compactIdentifier(text)) === null
  return (column === 'serial_number' || column === 'backstock_id') && /^(?=.*\d)[A-Z0-9/-]{4,40}$/i.test(text)
}
