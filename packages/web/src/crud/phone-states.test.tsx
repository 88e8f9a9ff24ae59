import { SaleRow } from '@backstock/contract/sale.ts'
import { StockListRow } from '@backstock/contract/stock.ts'
import { vi } from 'vitest'
import { make } from '../areas/make.tsx'
import SaleListPage from '../areas/sale/list/list-page.tsx'
import StockListPage from '../areas/stock/list-page.tsx'
import { blank } from '../testing/blank.ts'
import { testStates } from '../testing/states.tsx'
import { DataTable, type TableProps } from '../ui/table/data-table.tsx'
import { ListPage } from './list-page.tsx'

vi.mock('@mantine/hooks', async (actual) => ({
  ...(await actual<typeof import('@mantine/hooks')>()),
  useMediaQuery: () => true,
}))

type Row = { id: number }
const table = (said: Partial<TableProps<Row>> = {}) => ({
  part: (
    <DataTable<Row>
      label="Items"
      rows={[{ id: 1 }]}
      columns={[
        { header: 'Below', cell: () => 'below', phoneLabel: 'Is' },
        { header: 'End', cell: () => 'end', phone: 'end', phoneLabel: 'Never shown' },
        { header: 'Lead', cell: ({ id }) => `lead ${id}`, phone: 'lead' },
        { header: 'Field', cell: () => 'field', phone: 'field', phoneLabel: 'Field' },
        { header: 'Plain', cell: () => 'plain', phone: 'below' },
        { header: 'Hidden', cell: () => 'hidden', phone: 'hidden' },
      ]}
      {...said}
    />
  ),
})
const ticks = { isTicked: ({ id }: Row) => id === 1, onTick: () => {}, isFixed: ({ id }: Row) => id === 3 }
const rows = [{ id: 1 }, { id: 2 }, { id: 3 }]
testStates('a row on a phone', table(), {
  'that is locked': table({ lockedReason: () => 'Sold meanwhile' }),
  'that can be ticked': table({ ticks, rows }),
  'of a page that is ticked': table({ ticks: { ...ticks, isTicked: () => true }, rows }),
  'that are not read yet': table({ rows: undefined }),
  'that are not there': table({ rows: [], ticks, empty: 'Nothing yet.' }),
})

const found = (data: object[]) => ({ data, total: 45, current_page: 1, last_page: 5, from: 1, to: 10, per_page: 10 })
const list = (area: string, row: object, part: React.ReactNode, at = area) => ({
  part,
  at,
  read: ([of, what]: readonly unknown[]) => (of === area && what === 'find' ? found([row]) : undefined),
})
const sales = (at?: string) =>
  list('sale', blank(SaleRow, { id: 4, customer_name: 'Ute', total_sales_price: 500 }), <SaleListPage />, at)
testStates('the sales on a phone', sales('sale?status='), {
  'with the usual filter': sales(),
  'with two filters and another order': sales('sale?status=New&payment=Open&order_by=total_sales_price_asc'),
  'of one week': sales('sale?status=&week=2026-03-02'),
})
const stock = (at?: string) => list('stock', blank(StockListRow, { id: 7, status: 'In Stock' }), <StockListPage />, at)
testStates('the stock on a phone', stock(), { 'with further columns': stock('stock?columns=id,location,age') })
testStates('a list without filters on a phone', list('make', { id: 3, name: 'Apple' }, <ListPage area={make} />), {})
