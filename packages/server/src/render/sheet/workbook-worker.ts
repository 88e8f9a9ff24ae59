import writeXlsx, { type Cell } from 'write-excel-file/node'
import { answerWith } from '../workers/thread.ts'
import { heading, money, text } from './cells.ts'
import type { BookCell, BookColumn, BookSheet } from './workbook.ts'

function cell(value: BookCell, { kind }: BookColumn): Cell {
  if (value === null || value === '') return null
  if (kind === 'day') return { value: new Date(`${value}T00:00:00Z`), type: Date, format: 'yyyy-mm-dd' }
  if (typeof value === 'string') return text(value)
  if (kind === 'money') return money(value)
  // The rounding gives 0.077 for 7.7. Without it, binary fractions would add wrong digits at the end.
  if (kind === 'percent') return { value: Math.round(value * 100) / 10_000, type: Number, format: '0.00%' }
  return { value, type: Number }
}

answerWith((sheets: BookSheet[]): Promise<Uint8Array> => {
  const written = sheets.map(({ name, columns, slices }) => ({
    sheet: name,
    columns: columns.map(({ width }) => ({ width })),
    stickyRowsCount: 1,
    data: [
      columns.map((column) => heading(column.heading, column.kind !== undefined && column.kind !== 'day')),
      ...slices
        .flatMap((part): BookCell[][] => JSON.parse(part))
        .map((row) => columns.map((column, n) => cell(row[n] ?? null, column))),
    ],
  }))
  return writeXlsx(written).toBuffer()
})
