import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Batch, BatchRow } from '@backstock/contract/batch.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { StockItem, StockRow } from '@backstock/contract/stock.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { invalidate, record } from '../../api/reads.ts'
import { removeToastsAbout, showToast } from '../../api/toast.ts'
import { confirmDialog } from '../../ui/feedback/confirm-dialog.tsx'

/** The totals of a batch, without its Deleted items. */
function sums(items: readonly StockRow[]) {
  const counted = items.filter((item) => item.status !== 'Deleted')
  const purchase = counted.reduce((sum, item) => sum + item.cost, 0)
  const sales = counted.reduce((sum, item) => sum + (item.sales_price ?? 0), 0)
  const unpriced_items = counted.filter((item) => item.sales_price === null).length
  return { total_purchase_price: purchase, total_sales_price: sales, margin: sales - purchase, unpriced_items }
}

/** Shows a changed item in its batch. Reading a batch of thousands again for one price would take too long. */
async function showItem(batchId: number, changed: StockRow) {
  const { queryKey } = record<Batch>('batch', batchId)
  const reading = queryClient.isFetching({ queryKey }) > 0
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, (batch) => {
    if (!batch) return batch
    const items = batch.items.map((item) => (item.id === changed.id ? changed : item))
    return { ...batch, items, ...sums(items) }
  })
  // A read that was running is cancelled, because it could bring the old price. Then it starts again, because it may
  // bring other people's changes.
  if (reading) void queryClient.invalidateQueries({ queryKey })
}

/** Puts a batch into the cache. It cancels a running read, whose older answer would overwrite the batch. */
async function showBatch(batch: Batch) {
  const { queryKey } = record<Batch>('batch', batch.id)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, batch)
}

const outdateLists = () =>
  Promise.all([queryClient.invalidateQueries({ queryKey: ['batch', 'find'] }), invalidate('stock', 'basket')])

/** Locks or unlocks a batch. If that fails, a toast shows the reason, and the batch is read again. */
export async function saveLock({ id, name, updated_at }: BatchRow, is_locked: boolean): Promise<void> {
  try {
    const { data } = await api.post<WriteAnswer<Batch>>(`batch/${id}/edit`, { body: { name, is_locked, updated_at } })
    await showBatch(data)
  } catch {
    void invalidate('batch')
  }
  await outdateLists()
}

/** Saves a price of an item in a batch. If that fails, a toast shows the reason, and it throws the ApiError. */
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
    // Somebody may have changed the item. Read it again, so that the next try starts from its present state.
    void invalidate('batch')
    throw error
  }
  void outdateLists()
}

/** Asks, then takes an item out of its batch. The toast has an Undo button. */
export async function removeFromBatch({ id, batch_id }: StockRow): Promise<void> {
  if (batch_id === null) return
  if (!(await confirmDialog('Are you sure you want to remove this item from batch?', 'Remove'))) return
  const about = `batch/${batch_id}/remove-item/${id}`
  const undo = () => {
    removeToastsAbout(about)
    void changeItems(ADD_ITEMS, { batch_id, items: String(id) })
  }
  await changeItems(about, undefined, ({ type, title, message }) =>
    // Replaces the toast that the call has shown.
    showToast({ type, title, message, about, action: { text: 'Undo', run: undo } }),
  )
}

/** The API path that adds items to a batch. It is also the subject of the toasts about that. */
export const ADD_ITEMS = 'batch/add-items'

/** Shows a toast that items have moved from one batch to another, with an Undo button. */
export function tellMoved(items: readonly number[], from: number, to: number): void {
  const undo = async () => {
    await changeItems(ADD_ITEMS, { batch_id: from, items: items.join(','), id: to })
    await invalidate('batch')
  }
  const count = `${items.length.toLocaleString('en')} ${items.length === 1 ? 'item' : 'items'}`
  // Replaces the toast that the call has shown.
  const message = `${count} moved from batch #${from} to batch #${to}.`
  showToast({ type: 'success', message, about: ADD_ITEMS, action: { text: 'Undo', run: () => void undo() } })
}

/** Writes a change of a batch's items and shows the new batch. If that fails, a toast shows the reason. */
async function changeItems(path: string, body?: object, done?: (answer: WriteAnswer<Batch>) => void): Promise<void> {
  try {
    const answer = await api.post<WriteAnswer<Batch>>(path, { body })
    done?.(answer)
    await showBatch(answer.data)
  } catch {
    void invalidate('batch')
  }
  await outdateLists()
}
