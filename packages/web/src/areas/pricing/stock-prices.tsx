import type { BulkPreview } from '@backstock/contract/bulk-change.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { MAX_MANY, UNSOLD_STATUSES } from '@backstock/contract/stock-status.ts'
import { useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { showToast } from '../../api/toast.ts'
import { actSender } from '../bulk/act-sender.ts'
import { readAgain, undoBulk } from '../bulk/bulk.ts'
import { PriceDialog } from './price-dialog.tsx'
import { type GroupPrice, withSeen } from './price-rows.ts'

/** The number of refused items, why, and some of them: `12: Why. (#1, #2 …)`. */
const whyOf = ({ reason, count, ids }: BulkPreview['refused'][number]) =>
  `${count.toLocaleString('en')}: ${reason} (${ids.map((id) => `#${id}`).join(', ')}${count > ids.length ? ' …' : ''})`

/** Why not all items would get their new prices, and the next step. */
export const reasons = ({ refused, will_change }: Pick<BulkPreview, 'refused' | 'will_change'>) => {
  const count = refused.reduce((sum, one) => sum + one.count, 0)
  const why = refused.map(whyOf).join(' ')
  if (will_change === 0)
    return `Nothing would change. ${why}${count > 0 ? ' Open this again to see them as they are now.' : ''}`
  return `${count.toLocaleString('en')} ${count === 1 ? 'item stays as it is' : 'items stay as they are'}. ${why} Press again to set the others.`
}

type Props = { items: readonly StockRow[]; onClose: () => void }

/**
 * Sets the sales prices of items by group, in one bulk edit that can be undone. Items that are sold or deleted keep
 * their prices.
 */
export function StockPrices({ items, onClose }: Props) {
  // The items as they were when the dialog opened. Later changes of the list do not change the dialog.
  const [here] = useState(() => items.filter(({ status }) => UNSOLD_STATUSES.some((one) => one === status)))
  const [sending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  /**
   * The token of the preview whose refused items the person has seen. If the person applies the same prices again, the
   * other items get them.
   */
  const [shown, setShown] = useState<string | null>(null)
  const [send] = useState(actSender)

  const mayGo = (preview: BulkPreview): boolean => {
    const { will_change, refused, token } = preview
    // Some items have changed, so the screens read them again.
    if (refused.length > 0) void readAgain()
    if (will_change > 0 && (refused.length === 0 || shown === token)) return true
    setShown(token)
    setTrouble(reasons(preview))
    return false
  }
  const write = async (prices: GroupPrice[]): Promise<boolean> => {
    const changes = { sales_prices: withSeen(prices, here) }
    const done = await send({ items: prices.flatMap(({ items: ids }) => ids), changes }, mayGo)
    if (!done) return false
    const { answer } = done
    const { bulk_id } = answer.data
    showToast({
      type: 'success',
      title: answer.title,
      message: answer.message,
      action: { text: 'Undo', run: () => void undoBulk(bulk_id) },
      about: 'stock/bulk',
    })
    void readAgain()
    return true
  }
  const apply = async (prices: GroupPrice[]) => {
    setSending(true)
    setTrouble(null)
    try {
      return await write(prices)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setTrouble(Object.values(error.errors)[0] ?? error.message)
      return false
    } finally {
      setSending(false)
    }
  }
  return (
    <PriceDialog items={here} most={MAX_MANY} sending={sending} trouble={trouble} onApply={apply} onClose={onClose} />
  )
}
