import type { Page } from '@backstock/contract/page.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

const AT_ONCE = 250

/** Stock items by id, in the order of `ids`. There may be thousands. Ids that do not exist are left out. */
export function stockItems(ids: readonly number[]) {
  return queryOptions({
    queryKey: ['stock', 'items', ids],
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
}
