import { type Hundredths, toCurrencyUnits } from '@backstock/contract/money.ts'
import type { Cell, CellObject } from 'write-excel-file/node'

/** The most characters of a cell of an .xlsx file (Excel specifications and limits). */
const CELL_LIMIT = 32_767
const MONEY = '#,##0.00'

export const text = (value: string | null): Cell =>
  value ? { value: value.slice(0, CELL_LIMIT).toWellFormed(), type: String } : null
export const money = (amount: Hundredths): CellObject => ({
  value: Number(toCurrencyUnits(amount)),
  type: Number,
  format: MONEY,
})

/** The heading of a column. */
export const heading = (value: string, isFigure: boolean): Cell => ({
  value,
  type: String,
  fontWeight: 'bold',
  align: isFigure ? 'right' : 'left',
  backgroundColor: '#f1f3f6',
  bottomBorderStyle: 'thin',
})
