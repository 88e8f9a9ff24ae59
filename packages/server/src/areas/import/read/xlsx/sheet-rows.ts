import type { Entry, ZipFile } from 'yauzl'
import { BadWorkbook } from './bad-workbook.ts'
import { columnOf, lettersOf } from './cell-reference.ts'
import { type MergedCells, mergedCellsFiller } from './merged-cells.ts'
import { isoDateText, type NumberFormat, numberText } from './number-text.ts'
import { MAX_CELL, readPart } from './xml-part.ts'

export const MAX_SHEET_BYTES = 1_500_000_000
const MAX_COLUMNS = 1_600
/** The most rows of a sheet, as in Excel. */
const MAX_ROWS = 1_048_576

/** The parts of a workbook that the cells of all its sheets use. */
export type Shared = {
  strings: { get(n: number): string | undefined }
  formats: readonly NumberFormat[]
  is1904: boolean
  /** Whether the program that wrote the workbook has computed no formulas. Then a formula's 0 is no result. */
  isUncalculated: boolean
}

type OpenCell = {
  at: number
  type: string | undefined
  style: number
  value: string
  inline: string
  isFormula: boolean
}

/** The differences between a sheet as a person sees it and as it is read. */
export type SheetFacts = {
  /** The number of hidden rows with a value, even if they are left out. */
  hiddenRows: number
  /** The letters of the hidden columns with a value. */
  hiddenColumns: string[]
  /** The cells with a formula that has no result, and the first of them. */
  noResult: { count: number; first: string[] }
  /** The cells that got the value of the merged cell above them, and the first of them. */
  merged: { count: number; first: string[] }
  /** The rows in which ranges over several columns begin. */
  mergedAcross: number[]
}

/** The most cells or rows that a note names. */
const NAMED = 3
const MAX_ACROSS = 1_000

const isYes = (value: string | undefined) => value === '1' || value === 'true'

type HowRead = { leavesOutHidden?: boolean; ranges?: MergedCells }

/** Reads the rows of a sheet that have cells, each with its number. Empty cells at the end of a row are left out. */
export async function readRows(
  zip: ZipFile,
  sheet: Entry,
  shared: Shared,
  each: (row: number, cells: string[]) => void,
  { leavesOutHidden = false, ranges = { down: [], across: [] } }: HowRead = {},
): Promise<SheetFacts> {
  const facts: SheetFacts = {
    hiddenRows: 0,
    hiddenColumns: [],
    noResult: { count: 0, first: [] },
    merged: { count: 0, first: [] },
    mergedAcross: ranges.across.slice(0, MAX_ACROSS),
  }
  const tell = (counted: { count: number; first: string[] }, column: number) => {
    counted.count++
    if (counted.first.length < NAMED) counted.first.push(`${lettersOf(column)}${row}`)
  }
  const fill = mergedCellsFiller(ranges, (_, column) => tell(facts.merged, column))
  /** The hidden columns in which no value has been seen yet. */
  const hiddenColumns = new Set<number>()
  let isHidden = false
  const endRow = () => {
    fill(row, cells)
    if (isHidden) facts.hiddenRows++
    if (isHidden && leavesOutHidden) return
    if (hiddenColumns.size > 0)
      for (const [column, text] of cells.entries())
        if (text && hiddenColumns.delete(column)) facts.hiddenColumns.push(lettersOf(column))
    each(row, cells)
  }
  let row = 0
  let cells: string[] = []
  /** The column of a cell that names none. */
  let next = 0
  let cell: OpenCell | undefined
  let isValue = false
  let isInline = false
  /** Beside a Japanese text, a file may have its pronunciation. The pronunciation is skipped. */
  let isPhonetic = false
  await readPart(zip, sheet, MAX_SHEET_BYTES, {
    opens(name, attributes) {
      if (name === 'row') {
        row = Math.max(row + 1, Number(attributes['r'] ?? 0) || 0)
        if (row > MAX_ROWS) throw new BadWorkbook(`A sheet may have at most ${MAX_ROWS.toLocaleString('en')} rows.`)
        cells = []
        next = 0
        isHidden = isYes(attributes['hidden']) || Number(attributes['ht'] ?? 1) === 0
      } else if (name === 'col') {
        const first = Number(attributes['min'] ?? 1)
        const last = Math.min(Number(attributes['max'] ?? 0), MAX_COLUMNS)
        if (isYes(attributes['hidden']) || Number(attributes['width'] ?? 1) === 0)
          for (let column = Math.max(1, first); column <= last; column++) hiddenColumns.add(column - 1)
      } else if (name === 'c') {
        const at = attributes['r'] === undefined ? next : columnOf(attributes['r'])
        next = at + 1
        cell = {
          at,
          type: attributes['t'],
          style: Number(attributes['s'] ?? 0),
          value: '',
          inline: '',
          isFormula: false,
        }
      } else if (name === 'f') {
        if (cell) cell.isFormula = true
      } else if (name === 'v') isValue = cell !== undefined
      else if (name === 'rPh') isPhonetic = true
      else if (name === 't') isInline = cell !== undefined && !isPhonetic
    },
    text(text) {
      if (!cell) return
      if (isValue) cell.value += text
      else if (isInline) cell.inline += text
      if (cell.value.length > MAX_CELL || cell.inline.length > MAX_CELL)
        throw new BadWorkbook(`A cell in row ${row} is too long.`)
    },
    closes(name) {
      if (name === 'v') isValue = false
      else if (name === 't') isInline = false
      else if (name === 'rPh') isPhonetic = false
      else if (name === 'c' && cell) {
        const text = hasNoResult(cell, shared) ? '' : textOf(cell, shared, row)
        if (hasNoResult(cell, shared) && !(isHidden && leavesOutHidden)) tell(facts.noResult, cell.at)
        if (text !== '') {
          if (cell.at >= MAX_COLUMNS)
            throw new BadWorkbook(`Row ${row} has more than ${MAX_COLUMNS.toLocaleString('en')} columns.`)
          while (cells.length < cell.at) cells.push('')
          cells[cell.at] = text
        }
        cell = undefined
      } else if (name === 'row' && cells.length > 0) endRow()
    },
  })
  return facts
}

/** Whether a formula has no result. If its result is an empty text, its type is `str`. */
const hasNoResult = ({ isFormula, type, value, inline }: OpenCell, { isUncalculated }: Shared) =>
  isFormula && inline === '' && type !== 'str' && (value === '' || (isUncalculated && value === '0'))

/** The text of a cell. For a formula, the file has the value that was shown last. */
function textOf({ type, value, inline, style }: OpenCell, { strings, formats, is1904 }: Shared, row: number): string {
  // Some programs write the same text twice, as a value and inline.
  if (inline !== '' && (type === 'inlineStr' || value === '')) return unescaped(inline)
  if (value === '') return ''
  if (type === 's') {
    const text = strings.get(Number(value))
    if (text === undefined) throw new BadWorkbook(`This workbook is damaged: a text of row ${row} is missing in it.`)
    return text
  }
  if (type === 'b') return value === '1' ? 'true' : 'false'
  if (type === 'd') return isoDateText(value)
  if (type === undefined || type === 'n') return numberText(value, formats[style] ?? { shows: 'number' }, is1904)
  return type === 'inlineStr' || type === 'str' ? unescaped(value) : value
}

/**
 * The text with its escaped characters. Characters that XML cannot contain are written by their numbers. Number 0 is
 * dropped, because PostgreSQL cannot store it.
 */
export const unescaped = (text: string) =>
  text.replace(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
    code === '0000' ? '' : String.fromCharCode(Number.parseInt(code, 16)),
  )
