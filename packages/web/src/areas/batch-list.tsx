import type { BatchRow } from '@backstock/contract/batch.ts'
import { Switch } from '@mantine/core'
import type { ListArea } from '../crud/area.ts'
import { idColumn, moneyColumn, numberColumn, textColumn } from '../crud/columns.tsx'
import { ListPage } from '../crud/list-page.tsx'

const batch: ListArea<BatchRow> = {
  area: 'batch',
  title: 'Batch Overview',
  defaultOrder: 'priority_desc',
  columns: [
    idColumn('batch'),
    textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' }),
    numberColumn('Items', (row) => row.items_count),
    moneyColumn('Total purchase price', (row) => row.total_purchase_price),
    moneyColumn('Total sales price', (row) => row.total_sales_price, { phone: 'end' }),
    {
      header: 'Locked',
      width: 80,
      cell: (row) => <Switch size="xs" checked={row.is_locked} disabled aria-label={`Batch #${row.id} is locked`} />,
    },
  ],
  filters: (me) => [
    {
      name: 'user_id',
      label: 'Owner',
      options: [{ value: String(me.id), label: 'My Batches' }],
      default: [String(me.id)],
    },
  ],
  mayCreate: () => false,
}

export default function BatchListPage() {
  return <ListPage area={batch} />
}
