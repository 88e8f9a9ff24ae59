import { expect, test } from 'vitest'
import { isBoughtOtherwise } from './bought-otherwise.ts'
import { isReturnable } from './claim-state.ts'
import { allowedReturnStates, RETURN_STATES } from './return-state.ts'
import { allowedSaleStatuses, DEFAULT_SALE_FILTER, OPEN_SALE_STATUSES, SALE_STATUSES } from './sale-status.ts'
import {
  allowedStockStatuses,
  HAND_SET_STATUSES,
  isSellable,
  NEW_STOCK_STATUSES,
  SELLABLE_STATUSES,
  STOCK_STATUSES,
  UNSOLD_STATUSES,
} from './stock-status.ts'

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

test('an item may go back to its supplier as long as the shop has it', () => {
  expect(STOCK_STATUSES.filter(isReturnable)).toEqual(['Inbound', 'In Stock', 'In Batch'])
})

test.each([
  [{}, {}, false],
  [{}, { purchase_treatment: 'margin' }, true],
  [{}, { vat_type_id: 2 }, false],
  [{ purchase_treatment: 'unknown' }, { purchase_treatment: 'unknown', vat_type_id: 2 }, true],
  [{ purchase_treatment: 'unknown' }, { purchase_treatment: 'unknown' }, false],
  [{ purchase_treatment: 'unknown' }, {}, true],
] as const)('an item sold as %j is now %j, so it was bought otherwise: %s', (then, now, otherwise) => {
  const bought = { purchase_treatment: 'standard', vat_type_id: 1 } as const
  expect(isBoughtOtherwise({ ...bought, ...then }, { ...bought, ...now })).toBe(otherwise)
})

test('states of returns move as the table says and no other way', () => {
  const table = Object.fromEntries(RETURN_STATES.map((state) => [state, allowedReturnStates(state)]))
  expect(table).toEqual({
    announced: ['announced', 'refused'],
    received: ['received', 'settled'],
    settled: ['settled'],
    refused: ['refused'],
  })
})

test('statuses have their order, and groups of them their members', () => {
  expect(STOCK_STATUSES.join(', ')).toBe('Inbound, In Stock, In Batch, Sold, Returned to Supplier, Deleted')
  expect(NEW_STOCK_STATUSES).toEqual(['Inbound', 'In Stock'])
  expect(HAND_SET_STATUSES).toEqual(['In Stock', 'Deleted'])
  expect(UNSOLD_STATUSES).toEqual(['Inbound', 'In Stock', 'In Batch'])
  expect(SELLABLE_STATUSES).toEqual(['In Stock', 'In Batch'])
  expect(SALE_STATUSES.join(', ')).toBe(
    'New, Awaiting Payment, Awaiting Dispatch, Requires Attention, Dispatched, Voided',
  )
  expect(DEFAULT_SALE_FILTER).toEqual(['New', 'Requires Attention'])
  expect(OPEN_SALE_STATUSES).toEqual(['New', 'Awaiting Payment', 'Awaiting Dispatch'])
})
