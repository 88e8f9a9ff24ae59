import type { BatchRow } from '@backstock/contract/batch.ts'
import type { Page } from '@backstock/contract/page.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import type { Vat } from '@backstock/contract/vat.ts'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { find } from '../../api/reads.ts'
import { useBasket } from '../basket/basket.ts'
import { readStorageData } from '../basket/storage-data.ts'

const AT_ONCE = 250

/** Stock items as they are now, in the order of `ids`; those that do not exist (any more) are left out. */
const itemsQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ['stock', 'for sale', ids],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, part) =>
        ids.slice(part * AT_ONCE, (part + 1) * AT_ONCE),
      )
      const found = await Promise.all(
        parts.map((part) =>
          api.get<Page<StockRow>>('stock/find', { query: { ids: part, per_page: AT_ONCE, list: true }, signal }),
        ),
      )
      const byId = new Map(found.flatMap((page) => page.data).map((row) => [row.id, row]))
      return ids.flatMap((id) => byId.get(id) ?? [])
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })

/**
 * What is to be sold: the items that the screen before left in storageData, else the basket; with the batch sold from and
 * the VAT rates. Everything is undefined until all of it is there.
 */
export function useSaleSource() {
  const [stored] = useState(readStorageData)
  const basket = useBasket()
  const fromBasket = stored.saleStockItemIds.length === 0
  const ids = useMemo(
    () => (fromBasket ? basket.items.map((item) => item.id) : [...new Set(stored.saleStockItemIds)]),
    [fromBasket, basket.items, stored],
  )
  const known = !fromBasket || !basket.isPending
  const items = useQuery({ ...itemsQuery(ids), enabled: known })
  const vats = useQuery(find<Vat>('vat', { per_page: AT_ONCE }))
  const batchId = fromBasket ? null : stored.saleFromBatch
  const batches = useQuery({ ...find<BatchRow>('batch', { ids: batchId ?? 0 }), enabled: batchId !== null })
  const batch = batches.data?.data[0] ?? null

  const failed = [items, vats, batches].find((query) => query.isError && query.data === undefined)
  const ready = known && items.data && vats.data && (batchId === null || batches.data)
  return {
    source: ready && items.data && vats.data ? { items: items.data, vats: vats.data.data, batch } : undefined,
    error: (fromBasket ? basket.error : null) ?? failed?.error ?? null,
    retry: () => {
      void basket.refetch()
      for (const query of [items, vats, batches]) if (query.isError) void query.refetch()
    },
  }
}
export type SaleSource = NonNullable<ReturnType<typeof useSaleSource>['source']>
