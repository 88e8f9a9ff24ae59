import type { SaleRow } from '@backstock/contract/sale.ts'
import type { ListArea } from '../../../crud/area.ts'
import { ListPage } from '../../../crud/list-page.tsx'
import { dateColumn, idColumn, moneyColumn, numberColumn, textColumn } from '../../../ui/table/columns.tsx'
import { RowLink, recordPath } from '../../../ui/values/link.tsx'
import { StatusBadge } from '../../../ui/values/status-badge.tsx'
import { paymentColumn } from '../payments/payment-column.tsx'
import classes from '../sale.module.css'
import { SALE_FILTERS } from './filters.ts'
import { RowStep } from './row-step.tsx'
import { SaleSums } from './sums.tsx'

export const list: ListArea<SaleRow> = {
  area: 'sale',
  title: 'Sales Overview',
  columns: [
    idColumn('sale'),
    textColumn('Ref', (row) => row.reference_number, { sort: 'reference_number', isDetail: true, isLine: true }),
    {
      header: 'Customer',
      phone: 'lead',
      cell: (row) => (
        <RowLink to={recordPath('customer', row.customer_id)} className={classes['buyer'] ?? ''}>
          {row.customer_company_name && <span title={row.customer_company_name}>{row.customer_company_name}</span>}
          <span title={row.customer_name}>{row.customer_name}</span>
        </RowLink>
      ),
    },
    numberColumn('Items', (row) => row.total_items, { phone: 'hidden', isDetail: true }),
    { header: 'Status', width: 150, phone: 'end', cell: (row) => <StatusBadge status={row.status} /> },
    moneyColumn('Purchase Price', (row) => row.total_purchase_price, {
      sort: 'total_purchase_price',
      phone: 'hidden',
      isDetail: true,
    }),
    moneyColumn('Sales Price', (row) => row.total_sales_price, { sort: 'total_sales_price', phoneLabel: '' }),
    moneyColumn('Profit', (row) => row.total_profit, { phone: 'hidden', isDetail: true }),
    dateColumn('Date', (row) => row.created_at, { sort: 'created_at' }),
    paymentColumn,
    {
      header: 'Next step',
      width: 104,
      align: 'right',
      phone: 'hidden',
      isAction: true,
      cell: (row) => <RowStep sale={row} />,
    },
  ],
  empty: {
    text: 'Sales appear here once they are made. Tick items in the stock list, then press Sale in the basket.',
    steps: [{ text: 'Choose items', to: '/admin/stock' }],
  },
  filters: SALE_FILTERS,
  mayCreate: () => false,
}

const SUMS = <SaleSums list={list} />

export default function SaleListPage() {
  return <ListPage area={list} sums={SUMS} />
}
