import type { Hundredths } from '@backstock/contract/money.ts'
import type { ReceiptLine } from '@backstock/contract/purchase-receipt.ts'
import { useMemo, useState } from 'react'
import { Panel } from '../../ui/layout/panel.tsx'
import type { Column } from '../../ui/table/column.ts'
import { textColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { RowPages, rowsOf } from '../../ui/table/paged-rows.tsx'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import { Money } from '../../ui/values/money.tsx'
import classes from './purchase-receipt.module.css'

type Line = Omit<ReceiptLine, 'price_now'> & Partial<Pick<ReceiptLine, 'price_now'>>
type Row = Line & { id: number; currency: string }

/** The price of a line, and the item's present one if somebody has changed it since. */
function Price({ price, price_now, currency }: Row) {
  const isSame = price_now === undefined || price_now === price
  return (
    <>
      <Money amount={price} currency={currency} />
      {!isSame && (
        <div className={classes['quiet']}>
          {price_now === null ? (
            'now in another currency'
          ) : (
            <>
              now <Money amount={price_now} currency={currency} />
            </>
          )}
        </div>
      )}
    </>
  )
}

const COLUMNS: readonly Column<Row>[] = [
  {
    header: '#',
    width: 76,
    phone: 'lead',
    cell: (row) => (
      <TextLink to={recordPath('stock', row.stock_id)} size="sm" fw={550}>
        #{row.stock_id}
      </TextLink>
    ),
  },
  textColumn('Device', (row) => row.description),
  textColumn('IMEI / serial number', (row) => row.imei ?? row.serial_number),
  { header: 'Price', align: 'right', width: 150, phone: 'end', cell: (row) => <Price {...row} /> },
]

type Props = { lines: readonly Line[]; total: Hundredths; currency: string; dimmed?: boolean }

/** The lines of a receipt, 100 on a page, and their total. */
export function ReceiptLines({ lines, total, currency, dimmed = false }: Props) {
  const [wanted, setPage] = useState(1)
  const all = useMemo(() => lines.map((line): Row => ({ ...line, id: line.stock_id, currency })), [lines, currency])
  const { rows, page, pages } = rowsOf(all, wanted)
  return (
    <Panel p={0} className={classes['lines'] ?? ''}>
      <DataTable label="Lines of the receipt" columns={COLUMNS} rows={rows} dimmed={dimmed} empty={null} />
      <div className={classes['sum']}>
        <span>
          Total of {lines.length.toLocaleString('en')} {lines.length === 1 ? 'item' : 'items'}
        </span>
        <Money amount={total} currency={currency} />
      </div>
      <RowPages page={page} pages={pages} total={all.length} onPage={setPage} />
    </Panel>
  )
}
