import type { StockStatus } from '@backstock/contract/stock-status.ts'
import { INVOICED_COLUMNS, type InvoicedColumn } from './columns.ts'

/** The status of an item in hand that nobody holds: by whether it is in a batch. */
export function statusAfterComingBack(item: {
  batch_id: number | null
}): Extract<StockStatus, 'In Stock' | 'In Batch'> {
  return item.batch_id === null ? 'In Stock' : 'In Batch'
}

/**
 * The batch of an item that becomes Deleted: it leaves an open batch, and stays in a locked one without being counted.
 */
export function batchAfterDeletion(batch: { id: number; is_locked: boolean } | null | undefined): number | null {
  return batch?.is_locked ? batch.id : null
}

/** The columns that an edit or an import may not change in this status. */
export function fixedColumns(status: StockStatus): readonly InvoicedColumn[] {
  return status === 'Sold' || status === 'Returned to Supplier' ? INVOICED_COLUMNS : []
}
