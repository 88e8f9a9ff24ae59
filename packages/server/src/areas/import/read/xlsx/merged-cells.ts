import type { Entry, ZipFile } from 'yauzl'
import { BadWorkbook, TOO_MUCH } from './bad-workbook.ts'
import { columnOf } from './cell-reference.ts'
import { mentions, readPart } from './xml-part.ts'

/** The most merged ranges of a sheet: ten times as many as suppliers' files have. */
const MAX_RANGES = 300_000

type Range = { from: number; to: number; column: number }
/**
 * The merged cells of a sheet. `down` are the ranges over several rows; `across` are the rows in which ranges over
 * several columns begin.
 */
export type MergedCells = { down: Range[]; across: number[] }

/** Reads the merged ranges of a sheet. They are written after its rows, so a sheet with merged cells is read twice. */
export async function mergedCellsOf(zip: ZipFile, sheet: Entry, maxBytes: number): Promise<MergedCells> {
  const merged: MergedCells = { down: [], across: [] }
  if (!(await mentions(zip, sheet, maxBytes, 'mergeCell'))) return merged
  let ranges = 0
  await readPart(zip, sheet, maxBytes, {
    opens(name, { ref = '' }) {
      if (name !== 'mergeCell') return
      if (++ranges > MAX_RANGES) throw new BadWorkbook(TOO_MUCH)
      const [, first = '', from = '', last = '', to = ''] =
        /^([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})$/.exec(ref) ?? []
      const range = { from: Number(from), to: Number(to), column: columnOf(first) }
      if (range.to > range.from) merged.down.push(range)
      if (columnOf(last) > range.column) merged.across.push(range.from)
    },
  })
  merged.down.sort((a, b) => a.from - b.from)
  return merged
}

/**
 * Makes a function that fills merged cells; call it with the rows in their order. If a cell is merged over several
 * rows, its value also goes into the other rows. Cells to its right stay empty, because a title over all columns is one
 * title.
 */
export function mergedCellsFiller({ down }: MergedCells, onFilled: (row: number, column: number) => void) {
  const active = new Map<number, { to: number; value: string }>()
  let next = 0
  return (row: number, cells: string[]): void => {
    for (let range = down[next]; range && range.from <= row; range = down[++next])
      active.set(range.column, { to: range.to, value: (range.from === row && cells[range.column]) || '' })
    for (const [column, { to, value }] of active) {
      if (row > to || value === '') active.delete(column)
      else if ((cells[column] ?? '') === '') {
        while (cells.length < column) cells.push('')
        cells[column] = value
        onFilled(row, column)
      }
    }
  }
}
