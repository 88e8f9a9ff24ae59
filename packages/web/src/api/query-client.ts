import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from './error.ts'

/**
 * Retries a read at most twice, and only if the server or its database could not be reached. Any other answer is final.
 */
const worthRetrying = (failures: number, error: Error) => failures < 2 && error instanceof ApiError && error.isOutage

// Tell the components in a microtask. By default TanStack Query waits for a new task, and the browser would paint the
// screen once without the change that the click has caused.
notifyManager.setScheduler(queueMicrotask)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: worthRetrying,
      retryDelay: 800,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

/** Marks everything that was read as out of date: a screen that opens reads it again. Open screens stay as they are. */
export function outdateReads(): void {
  void queryClient.invalidateQueries({ refetchType: 'none', predicate: ({ queryKey }) => queryKey[0] !== 'auth' })
}
