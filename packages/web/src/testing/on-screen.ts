import { type QueryKey, QueryObserver } from '@tanstack/react-query'
import { onTestFinished } from 'vitest'
import { queryClient } from '../api/query-client.ts'

/**
 * Shows reads as an open screen does, until the test has finished: what they have found stays. Returns the first parts of
 * the keys that have been read again since, each once, in the order of `keys`.
 */
export function onScreen(...keys: readonly QueryKey[]): () => unknown[] {
  const again = new Set<QueryKey>()
  for (const queryKey of keys) {
    const found = queryClient.getQueryData(queryKey) ?? {}
    queryClient.setQueryData(queryKey, found)
    const queryFn = () => {
      again.add(queryKey)
      return queryClient.getQueryData(queryKey) ?? found
    }
    const observer = new QueryObserver(queryClient, { queryKey, queryFn, staleTime: Number.POSITIVE_INFINITY })
    onTestFinished(observer.subscribe(() => {}))
  }
  return () => keys.filter((key) => again.has(key)).map(([area]) => area)
}
