import type { StockRow } from '@backstock/contract/stock.ts'
import type { ReactNode } from 'react'
import type { Column } from '../../ui/table/column.ts'
import { moneyColumn, textColumn } from '../../ui/table/columns.tsx'
import { Identifier } from '../../ui/values/identifier.tsx'
import { stockIdColumn, stockProductColumn, stockStatusColumn } from '../stock/stock-columns.tsx'
import classes from './scan.module.css'
import type { Scan } from './scan-list.ts'
import { whyOf, wordOf } from './scan-words.ts'

/** A column of the stock list as a column of scans. Scans without an item show `without`, or leave it empty. */
function ofItem(
  { cell, phoneCell = cell, ...column }: Column<StockRow>,
  without?: (scan: Scan) => ReactNode,
): Column<Scan> {
  return {
    ...column,
    cell: (scan) => (scan.item ? cell(scan.item) : without?.(scan)),
    phoneCell: (scan) => (scan.item ? phoneCell(scan.item) : without?.(scan)),
  }
}

export const SCAN_COLUMNS: readonly Column<Scan>[] = [
  {
    header: 'Result',
    width: 150,
    phone: 'end',
    cell: (scan) => (
      <span className={classes['word']} data-kind={scan.result}>
        {wordOf(scan)}
      </span>
    ),
  },
  ofItem(stockIdColumn()),
  ofItem(stockProductColumn(), ({ code }) => <Identifier value={code} />),
  { ...ofItem(stockStatusColumn()), width: 150, phone: 'hidden' },
  textColumn('Note', whyOf),
  textColumn('Location', ({ item }) => item?.location ?? null, { isDetail: true }),
  moneyColumn('Sales Price', ({ item }) => item?.sales_price ?? null, { phone: 'hidden' }),
]
