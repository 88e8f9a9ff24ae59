import type { StockStatus } from '@backstock/contract/stock-status.ts'

/** The status of an item in hand that nobody holds: by whether it is in a batch. */
export function statusAfterComingBack(item: {
  batch_id: number | null
}): Extract<StockStatus, 'In Stock' | 'In Batch'> {
  return item.batch_id === null ? 'In Stock' : 'In Batch'
}

/** The batch of an item that becomes Deleted: it leaves an unlocked one and stays in a locked one, where it is not counted. */
export function batchAfterDeletion(batch: { id: number; is_locked: boolean } | null | undefined): number | null {
  return batch?.is_locked ? batch.id : null
}

/** Fields of the wire that an invoice bears or rests on; they stay as they are once an item is sold or returned. */
const SETTLED_FIELDS = [
  'actual_product_id',
  'backstock_id',
  'imei',
  'serial_number',
  'purchase_price',
  'vat_type_id',
] as const

/** The fields that an edit or an import may not change in this status. */
export function settledFields(status: StockStatus): readonly (typeof SETTLED_FIELDS)[number][] {
  return status === 'Sold' || status === 'Returned to Supplier' ? SETTLED_FIELDS : []
}
