import { notifyManager, QueryClient } from '@tanstack/react-query'
import { ApiError } from './error.ts'

/** Reads that failed for want of a server are tried again; an answer, whatever it says, is believed at once. */
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
