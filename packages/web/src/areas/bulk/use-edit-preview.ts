import type { BulkPreview, BulkPreviewAnswer } from '@backstock/contract/bulk-change.ts'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Query } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import type { Changes } from './changes.ts'

/** The items of a bulk edit: these, or all that match the filter of a stock list. */
export type Which = { items: readonly number[] } | { filter: Query }
export type EditBody = Which & { changes: Changes }

/** The pause in typing after which a preview is asked for. */
const DEBOUNCE_MS = 300

const editPreview = (body: EditBody | null) =>
  queryOptions({
    queryKey: ['bulk-preview', body],
    queryFn: async ({ signal }) => {
      const call = { body, signal, silent: true, tellsTrouble: true }
      return (await api.post<BulkPreviewAnswer>('stock/bulk/preview', call)).data
    },
    enabled: body !== null,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    placeholderData: keepPreviousData,
  })

/**
 * The preview of a bulk edit. `isReady` is true only if the preview was made for exactly this body; bodies are compared
 * as text.
 */
export function useEditPreview(body: EditBody | null) {
  const text = JSON.stringify(body)
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS)
  const asked = JSON.parse(settled) as EditBody | null
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(editPreview(asked))
  const isNow = settled === text && !isPlaceholderData && !isFetching
  return {
    preview: body === null ? undefined : data,
    error: isNow ? error : null,
    isReady: body !== null && isNow && error === null && data !== undefined,
    /** Shows another preview, which the server has sent because the items changed. */
    takeOver: (preview: BulkPreview) => queryClient.setQueryData(editPreview(asked).queryKey, preview),
    refetch,
  }
}
