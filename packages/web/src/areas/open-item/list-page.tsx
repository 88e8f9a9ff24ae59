import type { Debtor } from '@backstock/contract/letter.ts'
import type { ListArea } from '../../crud/area.ts'
import { ListPage } from '../../crud/list-page.tsx'
import { formatDate } from '../../ui/fields/date-format.ts'
import columnClasses from '../../ui/table/columns.module.css'
import { moneyColumn, numberColumn } from '../../ui/table/columns.tsx'
import { RowLink } from '../../ui/values/link.tsx'
import { lastReminderColumn } from './last-reminder.tsx'
import classes from './open-item.module.css'

export const list: ListArea<Debtor> = {
  area: 'open-item',
  title: 'Open items',
  columns: [
    {
      header: 'Customer',
      sort: 'full_name',
      phone: 'lead',
      cell: (row) => (
        <RowLink to={`/admin/open-item/${row.id}`} className={`${classes['name']} ${columnClasses['whole']}`}>
          {row.full_name}
          {row.company_name && <small>{row.company_name}</small>}
        </RowLink>
      ),
    },
    moneyColumn('Overdue', (row) => row.overdue_total, { sort: 'overdue_total' }),
    numberColumn('Overdue sales', (row) => row.overdue_sales, { phone: 'hidden', isDetail: true }),
    {
      header: 'Oldest due day',
      sort: 'oldest_due_on',
      width: 132,
      phone: 'hidden',
      cell: (row) => row.oldest_due_on && <span>{formatDate(row.oldest_due_on, 'dd/MM/yyyy')}</span>,
    },
    moneyColumn('Open', (row) => row.open_total, { sort: 'open_total' }),
    moneyColumn('Refund due', (row) => (row.credit_total === 0 ? null : row.credit_total), {
      phone: 'hidden',
      isDetail: true,
    }),
    lastReminderColumn(),
  ],
  filters: [
    {
      name: 'overdue',
      label: 'Overdue only',
      options: [{ value: '1', label: 'Overdue only' }],
      default: ['1'],
      hiding: 'with nothing overdue',
    },
  ],
  defaultOrder: 'overdue_total_desc',
  empty: {
    text: 'Customers who have not paid everything appear here, with what is open and overdue.',
    steps: [{ text: 'To the sales', to: '/admin/sale' }],
  },
  mayCreate: () => false,
}

export default function OpenItemListPage() {
  return <ListPage area={list} />
}
