import { expect, test } from 'vitest'
import { allowedSaleStatuses, SALE_STATUSES } from './sale-status.ts'
import { allowedStockStatuses, isSellable, STOCK_STATUSES } from './stock-status.ts'

test('stock statuses move as the table says and no other way', () => {
  const table = Object.fromEntries(STOCK_STATUSES.map((status) => [status, allowedStockStatuses(status)]))
  expect(table).toEqual({
    Inbound: ['Inbound', 'In Stock', 'Deleted'],
    'In Stock': ['In Stock', 'Deleted'],
    'In Batch': ['In Batch'],
    Sold: ['Sold'],
    'Returned to Supplier': ['Returned to Supplier'],
    Deleted: ['Deleted', 'In Stock'],
  })
})

test('sale statuses move as the table says and no other way', () => {
  const table = Object.fromEntries(SALE_STATUSES.map((status) => [status, allowedSaleStatuses(status)]))
  expect(table).toEqual({
    New: ['New', 'Awaiting Payment', 'Awaiting Dispatch', 'Voided'],
    'Awaiting Payment': ['Awaiting Payment', 'Awaiting Dispatch', 'Voided'],
    'Awaiting Dispatch': ['Awaiting Dispatch', 'Dispatched'],
    'Requires Attention': ['Requires Attention', 'Voided', 'Awaiting Dispatch'],
    Dispatched: [],
    Voided: [],
  })
})

test('only In Stock and In Batch items can be sold', () => {
  expect(STOCK_STATUSES.filter(isSellable)).toEqual(['In Stock', 'In Batch'])
})
