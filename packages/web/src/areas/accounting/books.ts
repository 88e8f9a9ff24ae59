import type { Accounting } from '@backstock/contract/accounting.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import type { Period } from './period.ts'

/** The accountant's figures of a period. Without a period, the server chooses a month. */
export const books = (period: Period | undefined) =>
  queryOptions({
    queryKey: ['accounting', 'books', period ?? null],
    queryFn: async ({ signal }) => {
      const { data } = await api.get<{ data: Accounting }>('accounting', { query: { ...period }, signal })
      return data
    },
    placeholderData: keepPreviousData,
  })
