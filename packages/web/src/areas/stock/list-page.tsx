import type { StockRow } from '@backstock/contract/stock.ts'
import { STOCK_AGE_NAMES, STOCK_AGES, type StockAge } from '@backstock/contract/stock-age.ts'
import { STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import { Button, Menu, Text } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { apiUrl } from '../../api/client.ts'
import type { Filter, ListArea } from '../../crud/area.ts'
import { ListPage } from '../../crud/list-page.tsx'
import { useListState } from '../../crud/use-list-state.ts'
import { PlainLink } from '../../ui/link.tsx'
import { moneyColumn } from '../../ui/table/columns.tsx'
import { DataTable, type TableProps } from '../../ui/table/data-table.tsx'
import { useBasketTicks } from '../basket/basket.ts'
import classes from './list-page.module.css'
import { purchasePriceColumn, stockIdColumn, stockProductColumn, stockStatusColumn } from './stock-columns.tsx'

const FILTERS: Filter[] = [
  {
    name: 'status',
    label: 'Status',
    options: STOCK_STATUSES.map((status) => ({ value: status, label: status })),
    default: ['In Stock'],
    hiding: 'in other statuses',
  },
  { name: 'grade_id', label: 'Grade', options: [], of: 'grade' },
  {
    name: 'age',
    label: 'Age',
    options: [],
    chip: (age) => (STOCK_AGES.some((known) => known === age) ? STOCK_AGE_NAMES[age as StockAge] : null),
  },
  { name: 'import', label: 'Import', options: [], chip: (id) => (/^\d{1,9}$/.test(id) ? `#${id}` : null) },
]

export const list: ListArea<StockRow> = {
  area: 'stock',
  title: 'Stock Overview',
  columns: [
    stockIdColumn('id'),
    stockStatusColumn('status'),
    stockProductColumn(),
    purchasePriceColumn('Purchase Price', { sort: 'purchase_price', phone: 'hidden' }),
    moneyColumn('Sales Price', (row) => row.sales_price, { sort: 'sales_price' }),
  ],
  empty: {
    text: 'Every device is a row here, once it is imported or added.',
    steps: [
      { text: 'Import a CSV file', to: '/admin/stock/import' },
      { text: 'Add new', to: '/admin/stock/create' },
    ],
  },
  filters: FILTERS,
}

/** Every tick is the item's place in the basket. */
const BasketTable = (props: TableProps<StockRow>) => <DataTable {...props} ticks={useBasketTicks<StockRow>()} />

const ACTIONS = (
  <>
    <Button
      component={PlainLink}
      to="/admin/stock/import"
      variant="default"
      px="sm"
      leftSection={<IconUpload size={16} stroke={1.6} />}
    >
      Upload
    </Button>
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          px="sm"
          leftSection={<IconDownload size={16} stroke={1.6} />}
          rightSection={<IconChevronDown size={14} className={classes['chevron']} />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ExportItems />
      </Menu.Dropdown>
    </Menu>
  </>
)

export default function StockListPage() {
  return <ListPage area={list} table={BasketTable} actions={ACTIONS} />
}

function ExportItems() {
  const [{ chosen }] = useListState(list)
  const statuses = chosen['status'] ?? []
  return (
    <>
      <Menu.Item component="a" href={apiUrl('stock/export/csv')} target="_blank">
        Export All
      </Menu.Item>
      <Menu.Item
        component="a"
        href={apiUrl('stock/export/csv', { status: statuses.length ? statuses : undefined })}
        target="_blank"
      >
        Export With Status
        <Text size="xs" c="dimmed">
          {statuses.join(', ') || 'All statuses'}
        </Text>
      </Menu.Item>
    </>
  )
}
