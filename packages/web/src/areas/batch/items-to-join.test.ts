import type { StockRow } from '@backstock/contract/stock.ts'
import { expect, test } from 'vitest'
import { whyNot } from './items-to-join.ts'

const item = (status: StockRow['status'], batch_id: number | null = null) => ({ status, batch_id }) as StockRow

test('an item joins a batch if it is in stock and in none', () => {
  expect(whyNot(item('In Stock'), null)).toBeNull()
  expect(whyNot(item('In Batch', 5), null)).toBe('This item is already in batch')
  for (const status of ['Inbound', 'Sold', 'Deleted', 'Returned to Supplier'] as const)
    expect(whyNot(item(status), null), status).toBe('Only items with status In Stock can join a batch')
})

test('an item moves to another batch only from the batch that the person has left', () => {
  expect(whyNot(item('In Batch', 5), 5)).toBeNull()
  for (const gone of [item('In Batch', 6), item('In Stock'), item('Sold', 5)])
    expect(whyNot(gone, 5)).toBe('This item is no longer in batch #5')
})
