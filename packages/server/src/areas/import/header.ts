import { columnCalled, type ExportColumn, ITEM_COLUMN } from '@backstock/contract/import.ts'
import { plainNotes } from '@backstock/contract/plain-text.ts'
import { unguardCell } from '../stock/csv-cell.ts'
import type { RowInput } from './row.ts'

/** Where the cells of one column go; those of a result go nowhere, and a column without a name should have none. */
type Target =
  | { to: 'column'; name: ExportColumn }
  | { to: 'grading' | 'attribute'; name: string }
  | { to: 'nowhere'; letters: string }
  | null

const GRADING = 'grading_'

/** What the result of an import says of each row, before the row's own cells. */
export const RESULT_COLUMNS = ['row', 'result', 'id', 'message']

/** How many columns a header begins with that are of a result: a corrected result may be imported as it is. */
export function resultColumns(header: readonly string[]): number {
  return RESULT_COLUMNS.every((name, n) => header[n] === name) ? RESULT_COLUMNS.length : 0
}

/** How many of the names are columns that we know. */
export function knownColumns(header: readonly string[]): number {
  return header.filter((name) => columnCalled(name)).length
}

/** The columns of a header (names as they stand in the file). `grading_x` is raw grading data, unknown ones attributes. */
export function targetsOf(header: readonly string[]): Target[] {
  const result = resultColumns(header)
  const isExport = header.includes(ITEM_COLUMN)
  return header.map((name, n) => {
    if (n < result) return null
    if (name === '') return { to: 'nowhere', letters: lettersOf(n) }
    const column = columnCalled(name)
    // A further column that an export names beside ours, as `Sales Price` of older times, is still one.
    const isFurther = isExport && name !== column && header.includes(column ?? '')
    if (column && !isFurther) return { to: 'column', name: column }
    if (name.toLowerCase().startsWith(GRADING) && name.length > GRADING.length)
      return { to: 'grading', name: name.slice(GRADING.length) }
    return { to: 'attribute', name }
  })
}

/** A column as a spreadsheet calls it: `A`, `Z`, `AA`. */
function lettersOf(n: number): string {
  const last = String.fromCharCode(65 + (n % 26))
  return n < 26 ? last : lettersOf(Math.floor(n / 26) - 1) + last
}

/** A row of cells by what they mean. Empty cells are left out. */
export function rowInput(targets: readonly Target[], line: number, cells: readonly string[]): RowInput {
  const row: RowInput = { line, cells: {}, grading: {}, attributes: {} }
  for (const [index, raw] of cells.entries()) {
    const cell = unguardCell(raw).trim()
    // Nor does what cannot be seen say anything.
    if (plainNotes(cell) === '') continue
    const target = targets[index]
    if (target === undefined) row.surplus = true
    else if (target?.to === 'column') row.cells[target.name] = cell
    else if (target?.to === 'nowhere') row.nameless ??= { letters: target.letters, cell }
    else if (target) set(target.to === 'grading' ? row.grading : row.attributes, target.name, cell)
  }
  return row
}

/** Also a column called `__proto__` is just a name. */
function set(record: Record<string, string>, name: string, value: string): void {
  if (name !== '__proto__') record[name] = value
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
}
