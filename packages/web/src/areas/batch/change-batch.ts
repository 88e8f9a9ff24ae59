import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Batch, BatchRow } from '@backstock/contract/batch.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { StockItem, StockRow } from '@backstock/contract/stock.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { invalidate, record } from '../../api/reads.ts'
import { confirmDialog } from '../../ui/confirm-dialog.tsx'

/** The sums of a batch; Deleted items are not counted. */
function sums(items: readonly StockRow[]) {
  const counted = items.filter((item) => item.status !== 'Deleted')
  const purchase = counted.reduce((sum, item) => sum + item.cost, 0)
  const sales = counted.reduce((sum, item) => sum + (item.sales_price ?? 0), 0)
  const unpriced_items = counted.filter((item) => item.sales_price === null).length
  return { total_purchase_price: purchase, total_sales_price: sales, margin: sales - purchase, unpriced_items }
}

/** Shows a changed item in its batch: reading thousands of items again for one price would take its time. */
async function showItem(batchId: number, changed: StockRow) {
  const { queryKey } = record<Batch>('batch', batchId)
  const reading = queryClient.isFetching({ queryKey }) > 0
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, (batch) => {
    if (!batch) return batch
    const items = batch.items.map((item) => (item.id === changed.id ? changed : item))
    return { ...batch, items, ...sums(items) }
  })
  // What was being read is begun anew: it would have brought the price from before, but perhaps others' changes too.
  if (reading) void queryClient.invalidateQueries({ queryKey })
}

/** A read that is under way would bring the batch from before. */
async function showBatch(batch: Batch) {
  const { queryKey } = record<Batch>('batch', batch.id)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, batch)
}

const outdateLists = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: ['batch', 'find'] }), invalidate('stock', 'basket')])

/** Locks or unlocks a batch. Where that fails a toast has said why, and what is true is read again. */
export async function saveLock({ id, name, updated_at }: BatchRow, is_locked: boolean): Promise<void> {
  try {
    const { data } = await api.post<WriteAnswer<Batch>>(`batch/${id}/edit`, { body: { name, is_locked, updated_at } })
    await showBatch(data)
  } catch {
    void invalidate('batch')
  }
  await outdateLists()
}

/** Saves a price of an item in a batch. Throws ApiError; by then a toast has said why. */
export async function savePrice(
  item: StockRow,
  field: 'purchase_price' | 'sales_price',
  price: Hundredths,
): Promise<void> {
  try {
    const body = { [field]: price, updated_at: item.updated_at }
    const { data } = await api.post<WriteAnswer<StockItem>>(`stock/${item.id}/edit`, { body, toldAs: 'price' })
    if (item.batch_id !== null) await showItem(item.batch_id, data)
  } catch (error) {
    // Somebody may have changed the item: the next try starts from what it is now.
    void invalidate('batch')
    throw error
  }
  void outdateLists()
}

/** Asks, then takes an item out of its batch. */
export async function removeFromBatch(item: StockRow): Promise<void> {
  if (item.batch_id === null) return
  if (!(await confirmDialog('Are you sure you want to remove this item from batch?', 'Remove'))) return
  try {
    const { data } = await api.post<WriteAnswer<Batch>>(`batch/${item.batch_id}/remove-item/${item.id}`)
    await showBatch(data)
  } catch {
    // The call has shown why; the batch is read again.
    void invalidate('batch')
  }
  await outdateLists()
}
