import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from './error.ts'

/** Reads that failed because no server answered are tried again; every answer is final. */
const worthRetrying = (failures: number, error: Error) => failures < 2 && error instanceof ApiError && error.isOutage

// With the click that caused it, not in a task of its own: the screen would be painted once without it, and then again.
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
