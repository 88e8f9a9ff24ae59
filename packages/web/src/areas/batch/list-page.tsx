import type { BatchRow } from '@backstock/contract/batch.ts'
import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { Link } from '@tanstack/react-router'
import type { ListArea } from '../../crud/area.ts'
import { deleteColumn } from '../../crud/delete-column.tsx'
import { ListPage } from '../../crud/list-page.tsx'
import { idColumn, moneyColumn, textColumn } from '../../ui/table/columns.tsx'
import { Money } from '../../ui/values/money.tsx'
import { withoutPrice } from '../../ui/values/without-price.ts'
import { clearBatchItems } from '../basket/storage-data.ts'
import classes from './batch.module.css'
import { LockSwitch } from './lock-switch.tsx'

const DELETE_BATCH = 'Are you sure you want to delete this batch?'
const NOT_EMPTY = 'This batch is not empty.'

export const list: ListArea<BatchRow> = {
  area: 'batch',
  title: 'Batch Overview',
  defaultOrder: 'priority_desc',
  columns: [
    idColumn('batch'),
    textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' }),
    {
      header: 'Items',
      align: 'right',
      cell: (row) => (
        <span>
          {row.items_count.toLocaleString('en')}
          <span className={classes['onPhone']}> items</span>
        </span>
      ),
    },
    moneyColumn('Total purchase price', (row) => row.total_purchase_price, { phone: 'hidden' }),
    {
      header: 'Total sales price',
      align: 'right',
      phoneLabel: 'Sales price',
      cell: (row) => (
        <span className={classes['total']}>
          <Money
            amount={row.items_count > 0 && row.unpriced_items === row.items_count ? null : row.total_sales_price}
          />
          {row.unpriced_items > 0 && <small className={classes['leftOut']}>{withoutPrice(row.unpriced_items)}</small>}
        </span>
      ),
    },
    {
      header: 'Locked',
      width: 80,
      phone: 'end',
      cell: (row) => <LockSwitch batch={row} size="xs" aria-label={`Batch #${row.id} is locked`} />,
    },
    deleteColumn('batch', {
      refused: (row) => (row.is_locked ? 'A locked batch cannot be deleted' : null),
      question: (row) => (row.items_count > 0 ? `${NOT_EMPTY} ${DELETE_BATCH}` : DELETE_BATCH),
      alsoChanges: ['stock', 'basket'],
    }),
  ],
  empty: {
    text: 'Batches gather devices that are moved or sold together: tick items in the stock list, then press New Batch in the basket.',
    steps: [{ text: 'Choose items', to: '/admin/stock' }],
  },
  filters: [{ name: 'user_id', label: 'Owner', options: [{ value: 'me', label: 'My Batches' }], default: ['me'] }],
  mayCreate: () => false,
}

export default function BatchListPage() {
  return (
    <ListPage
      area={list}
      actions={
        // 'Add new' starts with the basket: items that a screen left for a batch earlier are forgotten.
        <Button
          component={Link}
          to="/admin/batch/create"
          leftSection={<IconPlus size={16} />}
          onClick={clearBatchItems}
        >
          Add new
        </Button>
      }
    />
  )
}
