import type { StockRow } from '@backstock/contract/stock.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import type { Scan, ScanResult } from './scan-list.ts'

const WORDS: Record<Exclude<ScanResult, 'again'>, string> = {
  waiting: 'Looking…',
  sellable: 'Can be sold',
  refused: 'Cannot be sold',
  unknown: 'Not found',
}

/** The result of a scan, in two or three words. */
export const wordOf = ({ result }: Scan): string => (result === 'again' ? 'Scanned before' : WORDS[result])

const WHY: Partial<Record<StockStatus, string>> = {
  Inbound: 'It is Inbound: receive it first.',
  Sold: 'It is sold already.',
  'Returned to Supplier': 'It went back to its supplier.',
  Deleted: 'It has been deleted.',
}

/** The batch of an item: a locked batch keeps its items when they are sold. */
const batchOf = ({ batch_id, batch_name, is_batch_locked }: StockRow): string | null =>
  batch_id === null ? null : `In batch #${batch_id} - ${batch_name}${is_batch_locked ? ', which is locked' : ''}.`

/**
 * Why the item cannot be sold, what the code is if it is no item's, or which batch has the item; null if nothing is
 * to say.
 */
export function whyOf({ result, item, message }: Scan): string | null {
  if (result === 'waiting') return null
  if (!item) return message ?? 'No item has this code.'
  return WHY[item.status] ?? batchOf(item)
}
