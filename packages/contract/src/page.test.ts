import { expect, test } from 'vitest'
import { StockQuery } from './stock.ts'

test('a find without a query is the first ten, newest first', () => {
  expect(StockQuery.parse({})).toEqual({ page: 1, per_page: 10, order: { column: 'id', direction: 'desc' } })
})

test('filters take several values, comma-separated or repeated; an empty one filters nothing', () => {
  expect(StockQuery.parse({ status: 'In Stock,Sold' }).status).toEqual(['In Stock', 'Sold'])
  expect(StockQuery.parse({ status: ['In Stock', 'Sold'] }).status).toEqual(['In Stock', 'Sold'])
  expect(StockQuery.parse({ status: '' }).status).toBeUndefined()
})

test('empty ids find nothing, ids that cannot exist match nothing', () => {
  expect(StockQuery.parse({ ids: '' }).ids).toEqual([])
  expect(StockQuery.parse({ id: '-1' }).id).toBe(-1)
  expect(StockQuery.parse({ id: '99999999999' }).id).toBe(-1)
})

test('order and order_by mean the same; unknown names change nothing', () => {
  const order = { column: 'sales_price', direction: 'asc' }
  expect(StockQuery.parse({ order: 'sales_price_asc' }).order).toEqual(order)
  expect(StockQuery.parse({ order_by: 'sales_price_asc', colour: 'red' }).order).toEqual(order)
})

test('a bad value of a known name is refused by that name', () => {
  const bad: Record<string, string>[] = [
    { page: 'abc' },
    { page: '0' },
    { page: '10000001' },
    { quick: 'maybe' },
    { per_page: '251' },
    { per_page: '1e9' },
    { order_by: 'password_desc' },
    { status: 'Nope' },
    { ids: Array.from({ length: 1001 }, (_, i) => i + 1).join(',') },
    { search: 'x'.repeat(256) },
  ]
  for (const query of bad) {
    const issues = StockQuery.safeParse(query).error?.issues
    expect(issues?.[0]?.path[0], JSON.stringify(query).slice(0, 60)).toBe(Object.keys(query)[0])
  }
})

test('an empty flag or filter is one that is not there', () => {
  expect(StockQuery.parse({ quick: '', list: '', status: '', order: '', ajax_id: '' })).toEqual(StockQuery.parse({}))
})
