import type { ReturnCondition, ReturnReason, ReturnState } from '@backstock/contract/return-state.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'

/**
 * A past sale: how many days ago it was made, with how many items, for which customer (by index), and the status in
 * which it is now. `batch` is the index of the batch from which the items come. `returned` says how many items came
 * back after how many days, and the state of that return; settled ones were paid back. `paid` is the percentage that
 * was paid before dispatch; 100 if it is left out.
 */
export type PastSale = {
  days: number
  items: number
  customer: number
  end: SaleStatus
  batch?: number
  includeVat?: boolean
  partner?: number
  returned?: {
    items: number
    after: number
    reason: ReturnReason
    condition: ReturnCondition
    note: string
    state: Extract<ReturnState, 'announced' | 'received' | 'settled'>
  }
  paid?: number
}

export const SALES: PastSale[] = [
  { days: 69, items: 4, customer: 0, end: 'Dispatched' },
  { days: 67, items: 6, customer: 3, end: 'Dispatched' },
  {
    days: 64,
    items: 3,
    customer: 17,
    end: 'Dispatched',
    returned: {
      ...{ items: 1, after: 12, reason: 'faulty', condition: 'not_checked', state: 'settled' },
      note: 'Does not charge. Money sent back.',
    },
  },
  { days: 62, items: 2, customer: 11, end: 'Voided' },
  { days: 60, items: 7, customer: 12, end: 'Dispatched' },
  { days: 57, items: 5, customer: 7, end: 'Dispatched', includeVat: true },
  { days: 54, items: 8, customer: 14, end: 'Dispatched' },
  { days: 51, items: 4, customer: 9, end: 'Dispatched' },
  { days: 48, items: 24, customer: 3, end: 'Dispatched' },
  { days: 46, items: 3, customer: 19, end: 'Voided' },
  { days: 43, items: 6, customer: 21, end: 'Dispatched' },
  { days: 40, items: 4, customer: 23, end: 'Dispatched', batch: 0 },
  {
    days: 38,
    items: 5,
    customer: 5,
    end: 'Dispatched',
    returned: {
      ...{ items: 2, after: 9, reason: 'not_as_described', condition: 'as_sold', state: 'received' },
      note: 'Wanted grade A.',
    },
  },
  { days: 35, items: 7, customer: 0, end: 'Dispatched' },
  { days: 32, items: 3, customer: 15, end: 'Dispatched', batch: 1 },
  { days: 30, items: 4, customer: 10, end: 'Dispatched', includeVat: true },
  { days: 27, items: 9, customer: 12, end: 'Dispatched' },
  { days: 24, items: 5, customer: 18, end: 'Dispatched', paid: 0 },
  { days: 21, items: 6, customer: 4, end: 'Dispatched' },
  { days: 18, items: 2, customer: 2, end: 'Voided' },
  {
    days: 16,
    items: 8,
    customer: 20,
    end: 'Dispatched',
    returned: {
      ...{ items: 3, after: 14, reason: 'damaged_in_transit', condition: 'not_checked', state: 'announced' },
      note: 'Will be sent this week.',
    },
  },
  { days: 13, items: 5, customer: 12, end: 'Awaiting Dispatch', partner: 0 },
  { days: 11, items: 4, customer: 16, end: 'Dispatched', paid: 40 },
  { days: 9, items: 6, customer: 6, end: 'Awaiting Payment' },
  { days: 8, items: 5, customer: 22, end: 'Requires Attention' },
  { days: 6, items: 4, customer: 8, end: 'Awaiting Dispatch' },
  { days: 5, items: 7, customer: 3, end: 'Awaiting Payment' },
  { days: 3, items: 3, customer: 13, end: 'New' },
  { days: 2, items: 5, customer: 17, end: 'New', batch: 3 },
  { days: 1, items: 2, customer: 24, end: 'New' },
]

/** Batches: how many days ago they were made, with how many items, and by whom (by index; 0 is the administrator). */
export const BATCHES = [
  { days: 47, items: 14, by: 0, name: 'Export pallet 14', priority: 0 },
  { days: 44, items: 16, by: 1, name: 'Reserved for Warszawa', priority: 5, lockedAfter: 1 },
  { days: 22, items: 12, by: 2, name: 'Wholesale list, week 6', priority: 10 },
  { days: 12, items: 15, by: 3, name: 'Clearance', priority: 0 },
  { days: 4, items: 10, by: 0, name: 'Photos for the webshop', priority: 2 },
]

export const COURIERS: [name: string, trackingPrefix: string][] = [
  ['PostNL', '3STWLM'],
  ['DHL', 'JVGL061'],
  ['DPD', '0153400'],
  ['UPS', '1Z55X01'],
]
