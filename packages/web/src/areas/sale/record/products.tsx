import type { WriteAnswer } from '@backstock/contract/answer.ts'
import { formatMoney } from '@backstock/contract/money.ts'
import type { Sale, SaleItem } from '@backstock/contract/sale.ts'
import { netOf } from '@backstock/contract/sale-total.ts'
import { UnstyledButton } from '@mantine/core'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { api } from '../../../api/client.ts'
import { lazyPart } from '../../../api/lazy-part.ts'
import { confirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { FocusBack } from '../../../ui/layout/focus-back.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { idColumn, moneyColumn } from '../../../ui/table/columns.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { RowPages, rowsOf } from '../../../ui/table/paged-rows.tsx'
import { DeviceName } from '../../../ui/values/device-name.tsx'
import { StatusBadge } from '../../../ui/values/status-badge.tsx'
import { DeviceIdentifier } from '../../../widgets/device-identifier.tsx'
import classes from '../sale.module.css'
import { pricedLine, returnNote } from '../sale-papers.ts'
import { useSaleWrites } from '../sale-record.ts'
import { TreatmentChip } from '../treatment-chip.tsx'

const AllowDialog = lazyPart(() => import('./allow-dialog.tsx'))

type ProductLine = SaleItem & { id: number; locked: string | null }

const lockedReason = (line: ProductLine) => line.locked

function lockedAs(item: SaleItem, sale: Sale): string | null {
  if (item.returned) return 'This item has been returned'
  if (item.available) return null
  return sale.status === 'Voided' ? 'This sale has been voided' : 'This item is no longer available for this sale'
}

/** The items as they were sold, and their state now. */
export function SaleProducts({ sale }: { sale: Sale }) {
  const [wantedPage, setPage] = useState(1)
  const { status, prices_include_vat } = sale
  const lines = useMemo(
    () =>
      sale.items.map(
        (item): ProductLine => ({ ...item, id: item.stock_id, locked: lockedAs(item, { status } as Sale) }),
      ),
    [sale.items, status],
  )
  const { rows, page, pages } = rowsOf(lines, wantedPage)

  const { running, run } = useSaleWrites(sale.id)
  const takeBack = async (line: ProductLine) => {
    const name = `Item #${line.id} (${line.product_name})`
    const message = `${name} comes back into stock and no longer counts in the profit.`
    if (!(await confirmDialog(message, 'Return', { note: returnNote(sale, line.id) }))) return
    const path = `sale/${sale.id}/return-item/${line.id}`
    await run(path, () => api.post<WriteAnswer<Sale>>(path), 'stock', 'batch', 'return')
  }
  const latest = useRef(takeBack)
  useEffect(() => {
    latest.current = takeBack
  })
  const [allowing, setAllowing] = useState<ProductLine | null>(null)
  const columns = useMemo(() => {
    const back =
      status === 'Dispatched' ? [allowanceColumn(setAllowing), returnColumn((line) => void latest.current(line))] : []
    return [...COLUMNS, ...(prices_include_vat ? [WITH_VAT] : []), profitColumn(prices_include_vat), ...back]
  }, [status, prices_include_vat])

  return (
    <Panel p={0} className={classes['items'] ?? ''}>
      <DataTable
        label="Items of the sale"
        columns={columns}
        rows={rows}
        dimmed={running !== null}
        lockedReason={lockedReason}
      />
      <RowPages page={page} pages={pages} total={lines.length} onPage={setPage} />
      {allowing && (
        <Suspense>
          <FocusBack />
          <AllowDialog sale={sale} item={allowing} onClose={() => setAllowing(null)} />
        </Suspense>
      )}
    </Panel>
  )
}

/** The column with the product as it was sold, and below it the IMEI or serial number and the grade. */
export function soldProductColumn<Row extends SaleItem>(): Column<Row> {
  return {
    header: 'Product',
    phone: 'lead',
    cell: (line) => (
      <div className={classes['product']}>
        <span title={line.product_name}>
          <DeviceName name={line.product_name} />
        </span>
        <DeviceIdentifier {...line} />
      </div>
    ),
  }
}

const COLUMNS: Column<ProductLine>[] = [
  idColumn<ProductLine>('stock', { phone: 'below' }),
  soldProductColumn(),
  { header: 'Status', width: 176, phone: 'end', cell: (line) => <StatusBadge status={line.stock.status} /> },
  {
    header: 'VAT',
    align: 'right',
    width: 112,
    cell: ({ vat_treatment, vat_rate, vat_name, why }) => (
      <TreatmentChip treatment={vat_treatment} rate={vat_rate} why={why ?? vat_name ?? 'Without VAT type'} />
    ),
  },
  moneyColumn('Purchase Price', (line) => line.purchase_price, { phone: 'hidden' }),
  moneyColumn('Sales Price', (line) => line.sales_price),
]
/** The profit of an item, less its allowance. */
function profitOf(line: ProductLine, includesVat: boolean) {
  const { sales_price, purchase_price, margin_vat, allowed_price } = line
  return sales_price - netOf(allowed_price, pricedLine(line).rate, includesVat) - purchase_price - margin_vat
}
const WITH_VAT = moneyColumn<ProductLine>('Incl. VAT', (line) => line.sales_price_vat, { phone: 'hidden' })
const profitColumn = (includesVat: boolean) =>
  moneyColumn<ProductLine>('Profit', (line) => (line.locked ? null : profitOf(line, includesVat)), { phone: 'hidden' })

/** The column with the allowance of each item. A click opens the dialog that gives more. */
const allowanceColumn = (onAllow: (line: ProductLine) => void): Column<ProductLine> => ({
  header: 'Allowance',
  align: 'right',
  width: 112,
  cell: (line) => {
    const given = line.allowed_price > 0 ? formatMoney(0 - line.allowed_price) : null
    if (line.locked !== null || pricedLine(line).price === 0) return given
    return (
      <UnstyledButton
        className={classes['back'] ?? ''}
        data-screen-only={given === null || undefined}
        aria-label={`Allowance for #${line.id}${given ? `, ${given} so far` : ''}`}
        onClick={() => onAllow(line)}
      >
        {given ?? 'Allowance'}
      </UnstyledButton>
    )
  },
})

const returnColumn = (onReturn: (line: ProductLine) => void): Column<ProductLine> => ({
  header: 'Return',
  align: 'right',
  isAction: true,
  width: 96,
  cell: (line) =>
    line.locked === null && (
      <UnstyledButton
        className={classes['back'] ?? ''}
        aria-label={`Return #${line.id}`}
        onClick={() => onReturn(line)}
      >
        Return
      </UnstyledButton>
    ),
})
