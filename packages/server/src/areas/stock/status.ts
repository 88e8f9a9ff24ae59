import type { StockStatus } from '@backstock/contract/stock-status.ts'
import { INVOICED_COLUMNS, type InvoicedColumn } from './columns.ts'

/** The status of an item that is back in stock: In Batch if it has a batch, else In Stock. */
export function statusAfterComingBack(item: {
  batch_id: number | null
}): Extract<StockStatus, 'In Stock' | 'In Batch'> {
  return item.batch_id === null ? 'In Stock' : 'In Batch'
}

/**
 * The batch of an item that becomes Deleted. It leaves an open batch; it stays in a locked one, which no longer counts
 * it.
 */
export function batchAfterDeletion(batch: { id: number; is_locked: boolean } | null | undefined): number | null {
  return batch?.is_locked ? batch.id : null
}

/** The columns that neither an edit nor an import may change while an item has this status. */
export function fixedColumns(status: StockStatus): readonly InvoicedColumn[] {
  return status === 'Sold' || status === 'Returned to Supplier' ? INVOICED_COLUMNS : []
}
