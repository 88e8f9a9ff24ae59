import type { StockListRow } from '@backstock/contract/stock.ts'
import { STOCK_COLUMN_TITLES } from '@backstock/contract/stock-list-columns.ts'
import { Button, Menu, Text } from '@mantine/core'
import IconChevronDown from '@tabler/icons-react/dist/esm/icons/IconChevronDown.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { apiUrl } from '../../api/client.ts'
import type { ListArea } from '../../crud/area.ts'
import { ListPage } from '../../crud/list-page.tsx'
import { whichRows } from '../../crud/list-state.ts'
import { useListState } from '../../crud/use-list-state.ts'
import type { Column } from '../../ui/table/column.ts'
import { moneyColumn } from '../../ui/table/columns.tsx'
import { DataTable, type TableProps } from '../../ui/table/data-table.tsx'
import { PlainLink } from '../../ui/values/link.tsx'
import { useBasketTicks } from '../basket/basket.ts'
import { offerPath } from '../offer/offer-source.ts'
import { stockColumnChoice } from './column-choice.ts'
import { EditMatching } from './edit-matching.tsx'
import classes from './list-page.module.css'
import { purchasePriceColumn, stockIdColumn, stockProductColumn, stockStatusColumn } from './stock-columns.tsx'
import { STOCK_FILTERS } from './stock-filters.ts'

/** The columns of the list if the address names no others. */
const COLUMNS: Record<string, Column<StockListRow>> = {
  id: stockIdColumn('id'),
  status: stockStatusColumn('status'),
  product: stockProductColumn(),
  purchase_price: purchasePriceColumn(STOCK_COLUMN_TITLES.purchase_price, { sort: 'purchase_price', phone: 'hidden' }),
  sales_price: moneyColumn(STOCK_COLUMN_TITLES.sales_price, (row) => row.sales_price, {
    sort: 'sales_price',
    phoneLabel: 'Price',
  }),
}

export const list: ListArea<StockListRow> = {
  area: 'stock',
  title: 'Stock Overview',
  columns: Object.values(COLUMNS),
  choice: stockColumnChoice(COLUMNS),
  empty: {
    text: 'Every device is a row here, once it is imported or added.',
    steps: [
      { text: 'Import a CSV file', to: '/admin/stock/import' },
      { text: 'Add new', to: '/admin/stock/create' },
    ],
  },
  filters: STOCK_FILTERS,
}

/** A row is ticked if its item is in the basket. */
const BasketTable = (props: TableProps<StockListRow>) => <DataTable {...props} ticks={useBasketTicks<StockListRow>()} />

const ACTIONS = (
  <>
    <Button
      component={PlainLink}
      to="/admin/stock/import"
      variant="default"
      px="sm"
      className={classes['plain'] ?? ''}
      leftSection={<IconUpload size={16} stroke={1.6} />}
    >
      Upload
    </Button>
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="default"
          px="sm"
          className={classes['plain'] ?? ''}
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
    <EditMatching list={list} />
  </>
)

export default function StockListPage() {
  return <ListPage area={list} table={BasketTable} actions={ACTIONS} />
}

/** Exports all items, or those that match the filter of the list, on all its pages. */
function ExportItems() {
  const [state] = useListState(list)
  const columns = state.columns ?? Object.keys(COLUMNS)
  const { status: statuses = [], ...others } = state.chosen
  const filters = Object.values(others).filter((values) => values.length > 0).length
  const shown = [
    statuses.join(', ') || 'All statuses',
    ...(filters ? [`${filters} more ${filters === 1 ? 'filter' : 'filters'}`] : []),
    ...(state.search ? [`"${state.search}"`] : []),
  ]
  return (
    <>
      <Menu.Item component="a" href={apiUrl('stock/export/csv')} target="_blank">
        Export All
      </Menu.Item>
      <Menu.Item component="a" href={apiUrl('stock/export/csv', whichRows(state))} target="_blank">
        Export With Status
        <Text size="xs" c="dimmed" maw={280} truncate>
          {shown.join(' · ')}
        </Text>
      </Menu.Item>
      <Menu.Item component="a" href={apiUrl('stock/export/csv', { ...whichRows(state), columns })} target="_blank">
        Export These Columns
        <Text size="xs" c="dimmed">
          {columns.length} {columns.length === 1 ? 'column' : 'columns'}, on all pages
        </Text>
      </Menu.Item>
      <Menu.Item component={PlainLink} to={offerPath(whichRows(state))}>
        Make an offer
        <Text size="xs" c="dimmed">
          For all matching items, on all pages, that can be sold
        </Text>
      </Menu.Item>
    </>
  )
}
