import type { BatchRow } from '@backstock/contract/batch.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import type { Vat } from '@backstock/contract/vat.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLastRead } from '../../../api/last-read.ts'
import { queryClient } from '../../../api/query-client.ts'
import { find } from '../../../api/reads.ts'
import { knownBasket, useBasket } from '../../basket/basket.ts'
import { readStorageData } from '../../basket/storage-data.ts'
import { useStorageData } from '../../basket/use-storage-data.ts'
import { stockItems } from '../../stock/stock-items.ts'
import { taxFacts } from './tax-facts.ts'

const allRates = find<Vat>('vat', { per_page: 250 })

/** As long as this, the screen takes what was read ahead of it for the present state. */
const AHEAD_MS = 2_000

const idsOf = (handed: readonly number[], basket: readonly StockRow[]) =>
  handed.length > 0 ? [...new Set(handed)] : basket.map((item) => item.id)

/** Begins to read what a new sale needs, while its screen loads. */
export function readSaleAhead(): void {
  const basket = knownBasket()
  if (!basket) return
  const ids = idsOf(readStorageData().saleStockItemIds, basket)
  if (ids.length === 0) return
  void queryClient.prefetchQuery({ ...stockItems(ids), gcTime: AHEAD_MS })
  void queryClient.prefetchQuery({ ...taxFacts(ids), gcTime: AHEAD_MS })
  void queryClient.prefetchQuery(allRates)
}

/**
 * The items to sell, with their batch and the VAT types: the items that the last screen left in storageData, or else
 * the basket. `handed` and `fromBatch` are what the last screen left; for the basket they are empty and null. Undefined
 * until everything but `facts` is read. While it is read again, the old source stays.
 *
 * `facts` are the facts on the server that decide the VAT. They are asked for together with the items, so that the lines
 * are usually drawn once, with their VAT. The screen does not wait for them: without them, the server decides when the
 * sale is stored.
 */
export function useSaleSource() {
  const stored = useStorageData()
  const basket = useBasket()
  const fromBasket = stored.saleStockItemIds.length === 0
  const ids = useMemo(() => idsOf(stored.saleStockItemIds, basket.items), [basket.items, stored])
  const known = !fromBasket || !(basket.isPending || basket.error)
  const items = useQuery({ ...stockItems(ids), staleTime: AHEAD_MS, enabled: known })
  const { data: facts } = useQuery({ ...taxFacts(ids), staleTime: AHEAD_MS, enabled: known && ids.length > 0 })
  const vats = useQuery(allRates)
  const batchId = fromBasket ? null : stored.saleFromBatch
  const batches = useQuery({ ...find<BatchRow>('batch', { ids: batchId ?? 0 }), enabled: batchId !== null })
  const source = useMemo(() => {
    if (!known || !items.data || items.isPlaceholderData || !vats.data) return undefined
    if (batchId !== null && (!batches.data || batches.isPlaceholderData)) return undefined
    // Without a batch the query is not run, and still has the data of the last batch.
    const batch = batchId === null ? null : (batches.data?.data[0] ?? null)
    return {
      items: items.data,
      facts,
      vats: vats.data.data,
      batch,
      fromBatch: batchId,
      handed: stored.saleStockItemIds,
    }
  }, [
    known,
    items.data,
    items.isPlaceholderData,
    facts,
    vats.data,
    batchId,
    batches.data,
    batches.isPlaceholderData,
    stored,
  ])

  const failed = [items, vats, batches].find((query) => query.isError && query.data === undefined)
  return {
    source: useLastRead(source),
    error: (fromBasket ? basket.error : null) ?? failed?.error ?? null,
    retry: () => {
      void basket.refetch()
      for (const query of [items, vats, batches]) if (query.isError) void query.refetch()
    },
  }
}
export type SaleSource = NonNullable<ReturnType<typeof useSaleSource>['source']>
