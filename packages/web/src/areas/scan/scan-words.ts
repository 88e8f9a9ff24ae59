import type { StockRow } from '@backstock/contract/stock.ts'
import type { StockStatus } from '@backstock/contract/stock-status.ts'
import type { Scan, ScanResult } from './scan-list.ts'

const WORDS: Record<Exclude<ScanResult, 'again'>, string> = {
  waiting: 'Looking…',
  sellable: 'Can be sold',
  refused: 'Cannot be sold',
  unknown: 'Not found',
}

/** The result of a scan in a few words. */
export const wordOf = ({ result }: Scan): string => (result === 'again' ? 'Scanned again' : WORDS[result])

const WHY: Partial<Record<StockStatus, string>> = {
  Inbound: 'It is Inbound: receive it first.',
  Sold: 'It is sold already.',
  'Returned to Supplier': 'It went back to its supplier.',
  Deleted: 'It has been deleted.',
}

/** A sentence about the batch of an item, or null. If a locked batch's item is sold, it stays in the batch. */
const batchOf = ({ batch_id, batch_name, is_batch_locked }: StockRow): string | null =>
  batch_id === null ? null : `In batch #${batch_id} - ${batch_name}${is_batch_locked ? ', which is locked' : ''}.`

/**
 * Why the item cannot be sold, or what a code without an item is, or in which batch the item is; null if there is
 * nothing to say.
 */
export function whyOf({ result, item, message }: Scan): string | null {
  if (result === 'waiting') return null
  if (!item) return message ?? 'No item has this code.'
  return WHY[item.status] ?? batchOf(item)
}
