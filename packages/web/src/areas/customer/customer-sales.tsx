import type { SaleRow } from '@backstock/contract/sale.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { find } from '../../api/reads.ts'
import { PageBar } from '../../crud/list-bar.tsx'
import { type ListState, listQuery } from '../../crud/list-state.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import type { Column } from '../../ui/table/column.ts'
import { dateColumn, idColumn, moneyColumn, numberColumn, textColumn } from '../../ui/table/columns.tsx'
import { DataTable } from '../../ui/table/data-table.tsx'
import { TextLink } from '../../ui/values/link.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { paymentColumn } from '../sale/payments/payment-column.tsx'
import classes from './customer-sales.module.css'

const COLUMNS: readonly Column<SaleRow>[] = [
  idColumn('sale', {}),
  textColumn('Ref', (row) => row.reference_number, { sort: 'reference_number', phone: 'lead', isLine: true }),
  { header: 'Status', width: 176, phone: 'end', cell: (row) => <StatusBadge status={row.status} /> },
  numberColumn('Items', (row) => row.total_items, { phone: 'hidden' }),
  moneyColumn('Sales Price', (row) => row.total_sales_price),
  paymentColumn,
  dateColumn('Date', (row) => row.created_at, { sort: 'created_at' }),
]
const START: ListState = { page: 1, perPage: 10, search: '', order: 'created_at_desc', chosen: {} }

/**
 * The sales to a customer, newest first, in a section of the customer's record. The page number of this list is
 * therefore not part of the address.
 */
export function CustomerSales({ customerId }: { customerId: number }) {
  const [state, setState] = useState(START)
  const sales = useQuery(find<SaleRow>('sale', { ...listQuery(state), customer_id: customerId }))
  const change = (patch: Partial<ListState>) => setState((now) => ({ ...now, page: 1, ...patch }))
  if (sales.isError && !sales.data) return <ErrorState error={sales.error} retry={() => void sales.refetch()} />
  return (
    <>
      <p className={classes['documents']}>
        <TextLink to="/admin/document" search={{ customer_id: String(customerId) } as never} size="sm">
          Invoices and credit notes
        </TextLink>
      </p>
      <DataTable
        label="Sales"
        columns={COLUMNS}
        rows={sales.data?.data}
        dimmed={sales.isPlaceholderData}
        order={state.order}
        onOrder={(order) => change({ order })}
        empty={<p>Sales to this customer appear here.</p>}
      />
      {sales.data && sales.data.total > START.perPage && (
        <PageBar state={state} onChange={change} lastPage={sales.data.last_page} />
      )}
    </>
  )
}
