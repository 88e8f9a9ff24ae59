import { expect, test } from 'vitest'
import { type LockedBatch, placeProblem } from './status-and-batch.ts'

const batches = new Map<number, LockedBatch>([
  [1, { id: 1, is_locked: false }],
  [2, { id: 2, is_locked: true }],
])
type Wanted = Parameters<typeof placeProblem>[1]
const fixed = 'Batch #2 is locked: items can be neither added nor removed.'
const only = (status: string) => `Only In Stock items can join a batch; this one is ${status}.`

// An item with the first status and batch is to have the second ones.
test.each<[from: Wanted, to: Wanted, problem: [field: string, message: string, isConflict: boolean] | null]>([
  [{ status: 'In Stock', batch_id: null }, { status: 'In Stock', batch_id: 1 }, null],
  [{ status: 'Inbound', batch_id: null }, { status: 'In Stock', batch_id: 1 }, null],
  [{ status: 'In Batch', batch_id: 1 }, { status: 'In Batch', batch_id: null }, null],
  [{ status: 'In Batch', batch_id: 2 }, { status: 'In Batch', batch_id: 2 }, null],
  [
    { status: 'Sold', batch_id: null },
    { status: 'In Stock', batch_id: null },
    ['status', 'An item that is Sold cannot become In Stock.', false],
  ],
  [
    { status: 'In Stock', batch_id: null },
    { status: 'In Batch', batch_id: null },
    ['status', 'Choose a batch instead: an item in a batch is In Batch.', false],
  ],
  [
    { status: 'Inbound', batch_id: null },
    { status: 'In Batch', batch_id: null },
    ['status', 'An item that is Inbound cannot become In Batch.', false],
  ],
  [
    { status: 'In Stock', batch_id: null },
    { status: 'Sold', batch_id: null },
    ['status', 'Only a sale makes an item Sold.', false],
  ],
  [
    { status: 'In Stock', batch_id: null },
    { status: 'Returned to Supplier', batch_id: null },
    ['status', 'Only a supplier claim makes an item Returned to Supplier.', false],
  ],
  [{ status: 'In Batch', batch_id: 2 }, { status: 'In Batch', batch_id: null }, ['batch_id', fixed, true]],
  [{ status: 'In Batch', batch_id: 2 }, { status: 'In Batch', batch_id: 1 }, ['batch_id', fixed, true]],
  [{ status: 'In Stock', batch_id: null }, { status: 'In Stock', batch_id: 2 }, ['batch_id', fixed, true]],
  [
    { status: 'In Stock', batch_id: null },
    { status: 'In Stock', batch_id: 3 },
    ['batch_id', 'This record does not exist. Choose another.', false],
  ],
  [{ status: 'Inbound', batch_id: null }, { status: 'Inbound', batch_id: 1 }, ['batch_id', only('Inbound'), true]],
  [{ status: 'Sold', batch_id: null }, { status: 'Sold', batch_id: 1 }, ['batch_id', only('Sold'), true]],
  [{ status: 'In Stock', batch_id: null }, { status: 'Deleted', batch_id: 1 }, ['batch_id', only('Deleted'), true]],
])('from %j to %j: %j', (from, to, problem) => {
  const [field, message, isConflict] = problem ?? []
  expect(placeProblem({ ...from, in_hand: true }, to, batches)).toEqual(problem && { field, message, isConflict })
})
