import type { FieldErrors } from '@backstock/contract/answer.ts'
import { EXPORT_COLUMNS, type ExportColumn, ITEM_COLUMN } from '@backstock/contract/import.ts'
import { BadCell, MAX_NOTES, quoted } from '../stock/cell-kinds.ts'
import { CSV, type CsvValues } from '../stock/columns.ts'

/** A row to import, as text. Columns that the file lacks and empty cells are absent: both leave a value as it is. */
export type RowInput = {
  /** Its row as a spreadsheet numbers it, or its place in a call; unique in the import. */
  line: number
  cells: Partial<Record<ExportColumn, string>>
  grading: Record<string, string>
  attributes: Record<string, string>
  /** Cells beyond the header: something has shifted. */
  surplus?: boolean
  /** The first cell in a column without a name. */
  nameless?: { letters: string; cell: string }
}

/** Whether a cell can hardly be one of another column. */
export const isCellOf = (column: ExportColumn, cell: string) => cell !== '' && CSV[column].isPlainly(cell)

/**
 * Reads a row's cells; everything that is wrong with them comes at once, by column. The item's own number only where rows
 * may mean items by it.
 */
export function readRow(row: RowInput, namesItems: boolean): { values: CsvValues; errors: FieldErrors } {
  const values: CsvValues = {}
  const errors: FieldErrors = {}
  for (const column of EXPORT_COLUMNS) {
    const cell = row.cells[column]
    if (cell === undefined || (column === ITEM_COLUMN && !namesItems)) continue
    try {
      CSV[column].read(cell, values)
    } catch (error) {
      if (!(error instanceof BadCell)) throw error
      errors[column] = error.message
    }
  }
  for (const [name, cell] of Object.entries(row.grading))
    if (cell.length > MAX_NOTES) errors[`grading_${name}`] = `At most ${MAX_NOTES.toLocaleString('en')} characters.`
  for (const [name, cell] of Object.entries(row.attributes))
    if (cell.length > MAX_NOTES) errors[name] = `At most ${MAX_NOTES.toLocaleString('en')} characters.`
  const shifted = [
    ...(row.nameless
      ? [`Column ${row.nameless.letters} has no name in the header, and here it has ${quoted(row.nameless.cell)}.`]
      : []),
    ...(row.surplus ? ['This row has more cells than the header. Is a cell with the delimiter not quoted?'] : []),
  ]
  if (shifted.length) errors['csv'] = shifted.join(' ')
  return { values, errors }
}
