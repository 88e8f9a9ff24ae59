import { expect, test, vi } from 'vitest'
import { drawn } from '../../testing/drawn.tsx'
import { DataTable, type TableProps } from './data-table.tsx'

const screen = vi.hoisted(() => ({ isPhone: false }))
vi.mock('@mantine/hooks', async (actual) => ({
  ...(await actual<typeof import('@mantine/hooks')>()),
  useMediaQuery: () => screen.isPhone,
}))

type Row = { id: number }
const table: TableProps<Row> = {
  columns: [{ header: '#', cell: ({ id }) => `#${id}`, phone: 'lead' }],
  rows: [{ id: 1 }, { id: 2 }],
  label: 'Items',
  ticks: { isTicked: () => false, onTick: () => {}, isFixed: ({ id }) => id === 2 },
  lockedReason: ({ id }) => (id === 2 ? 'Sold meanwhile.' : null),
}

test.each([
  ['a desk', false],
  ['a phone', true],
])('a row that cannot be ticked says why at %s', async (_, isPhone) => {
  screen.isPhone = isPhone
  const html = await drawn(<DataTable {...table} />)
  expect(html.split('<tr').filter((row) => row.includes('Sold meanwhile.'))).toEqual([expect.stringContaining('#2')])
})

test('a cell with content of its own for phones shows it there, and only there', async () => {
  const columns: TableProps<Row>['columns'] = [{ header: '#', cell: () => 'On a desk', phoneCell: () => 'On a phone' }]
  for (const isPhone of [false, true]) {
    screen.isPhone = isPhone
    const html = await drawn(<DataTable {...table} columns={columns} />)
    expect(html.includes('On a phone')).toBe(isPhone)
    expect(html.includes('On a desk')).toBe(!isPhone)
  }
})

test('the box of all rows is ticked once each row is that can be, and is off if none can be', async () => {
  screen.isPhone = false
  const boxes = async (ticked: readonly number[], fixed: readonly number[]) => {
    const ticks = {
      ...{ isTicked: ({ id }: Row) => ticked.includes(id), isFixed: ({ id }: Row) => fixed.includes(id) },
      onTick: () => {},
    }
    const html = await drawn(<DataTable {...table} ticks={ticks} />)
    const all = /<input[^>]*Select all rows[^>]*>/.exec(html)?.[0] ?? ''
    return [/ checked=/.test(all), / disabled=/.test(all)]
  }
  expect(await boxes([], [])).toEqual([false, false])
  expect(await boxes([1], [])).toEqual([false, false])
  expect(await boxes([1, 2], [])).toEqual([true, false])
  expect(await boxes([1], [2])).toEqual([true, false])
  expect(await boxes([2], [2])).toEqual([false, false])
  expect(await boxes([], [1, 2])).toEqual([false, true])
})
