import type { Batch } from '@backstock/contract/batch.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { isSellable, NOT_SELLABLE } from '@backstock/contract/stock-status.ts'
import { Text } from '@mantine/core'
import IconPackageExport from '@tabler/icons-react/dist/esm/icons/IconPackageExport.mjs'
import { useState } from 'react'
import { Panel } from '../../ui/layout/panel.tsx'
import type { Column } from '../../ui/table/column.ts'
import { buttonColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { EditableMoney } from '../../ui/table/editable-cell.tsx'
import { RowPages, rowsOf } from '../../ui/table/paged-rows.tsx'
import { stockIdColumn, stockProductColumn, stockStatusColumn } from '../stock/stock-columns.tsx'
import classes from './batch.module.css'
import { removeFromBatch, savePrice } from './change-batch.ts'
import { LockSwitch } from './lock-switch.tsx'

const isSettled = (row: StockRow) => row.status === 'Sold' || row.status === 'Returned to Supplier'

const COLUMNS: readonly Column<StockRow>[] = [
  stockIdColumn(),
  // On a phone the first line is the name's alone, because most items of a batch have the same status.
  { ...stockStatusColumn<StockRow>(), phone: 'below' },
  stockProductColumn(),
  {
    header: 'Purchase price',
    align: 'right',
    width: 130,
    cell: (row) => (
      <span className={classes['price']}>
        <span className={classes['onPhone']}>Purchase </span>
        <EditableMoney
          label={`Purchase price of #${row.id}`}
          value={row.purchase_price}
          currency={row.purchase_currency}
          disabled={isSettled(row)}
          onSave={(price) => savePrice(row, 'purchase_price', price)}
        />
      </span>
    ),
  },
  {
    header: 'Sales price',
    align: 'right',
    width: 130,
    cell: (row) => (
      <span className={classes['price']}>
        <span className={classes['onPhone']}>Sales </span>
        <EditableMoney
          label={`Sales price of #${row.id}`}
          value={row.sales_price}
          onSave={(price) => savePrice(row, 'sales_price', price)}
        />
      </span>
    ),
  },
  buttonColumn(
    'Remove',
    IconPackageExport,
    (row) => ({
      label: `Remove #${row.id} from the batch`,
      title: row.is_batch_locked ? 'The batch is locked' : 'Remove from the batch',
      disabled: row.is_batch_locked,
      onPress: () => removeFromBatch(row),
    }),
    { width: 76 },
  ),
]

const lockedReason = (row: StockRow) => (isSellable(row.status) ? null : NOT_SELLABLE)

type Props = {
  batch: Batch
  isChecked: (row: StockRow) => boolean
  onCheck: (rows: StockRow[], on: boolean) => void
  checked: number
}

/** The items of a batch, 100 on a page. Sold and deleted items are shown, but can be neither sold nor moved. */
export function BatchItems({ batch, isChecked, onCheck, checked }: Props) {
  const [wanted, setPage] = useState(1)
  const { rows, page, pages } = rowsOf(batch.items, wanted)
  return (
    <Panel p={0} className={`${classes['items']} ${classes['besideSummary']}`}>
      <div className={classes['head']}>
        <Text size="sm" role="status">
          {batch.items.length.toLocaleString('en')} {batch.items.length === 1 ? 'item' : 'items'}
          {checked > 0 && `, ${checked.toLocaleString('en')} ticked`}
        </Text>
        <LockSwitch batch={batch} label="Locked" />
      </div>
      <DataTable
        label="Items"
        columns={COLUMNS}
        rows={rows}
        ticks={{ isTicked: isChecked, onTick: onCheck, isFixed: (row) => !isSellable(row.status) }}
        lockedReason={lockedReason}
      />
      <RowPages page={page} pages={pages} total={batch.items.length} onPage={setPage} />
    </Panel>
  )
}
