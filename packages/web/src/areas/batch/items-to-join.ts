import type { StockRow } from '@backstock/contract/stock.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLastRead } from '../../api/last-read.ts'
import { useBasket } from '../basket/basket.ts'
import { useStorageData } from '../basket/use-storage-data.ts'
import { stockItems } from '../stock/stock-items.ts'

/**
 * The sentence that says why an item cannot join a batch; null if it can. `from` is the batch that the items leave for
 * the new one, null if they leave none.
 */
export function whyNot(item: StockRow, from: number | null): string | null {
  if (from !== null)
    return item.status === 'In Batch' && item.batch_id === from ? null : `This item is no longer in batch #${from}`
  if (item.batch_id !== null) return 'This item is already in batch'
  return item.status === 'In Stock' ? null : 'Only items with status In Stock can join a batch'
}

/**
 * The items that are to join a batch: those that the last screen left in storageData, or else the basket. `items` is
 * undefined until they are read. While they are read again, the old ones stay.
 */
export function useItemsToJoin() {
  const { batchStockItemIds, movingFromBatch } = useStorageData()
  const basket = useBasket()
  const fromBasket = batchStockItemIds.length === 0
  const ids = useMemo(
    () => (fromBasket ? basket.items.map((item) => item.id) : [...new Set(batchStockItemIds)]),
    [fromBasket, basket.items, batchStockItemIds],
  )
  const known = !fromBasket || !(basket.isPending || basket.error)
  const found = useQuery({ ...stockItems(ids), enabled: known })
  const items = useLastRead(known ? found.data : undefined)
  return {
    from: fromBasket ? null : movingFromBatch,
    items,
    error: (fromBasket ? basket.error : null) ?? (found.data ? null : found.error),
    retry: () => {
      void basket.refetch()
      void found.refetch()
    },
  }
}
