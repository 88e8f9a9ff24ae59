import { useDebouncedValue } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { Query } from '../../api/client.ts'
import { pages } from '../../api/reads.ts'
import type { Choice } from './choice.ts'

export const MIN_SEARCH = 3
const PAGE_SIZE = 10
const DEBOUNCE_MS = 400

type Wanted = {
  area: string
  query: Query
  /** The chosen record. The first page has it, too. */
  value: number | null
  typed: string
  isEnabled: boolean
}

/** The records that a select offers: the first page, more on demand, and only matches from 3 typed characters. */
export function useRemoteRows<Row extends Choice>({ area, query, value, typed, isEnabled }: Wanted) {
  const [settled] = useDebouncedValue(typed, DEBOUNCE_MS)
  const search = settled.trim().length >= MIN_SEARCH && typed ? settled.trim() : undefined
  const rows = useInfiniteQuery({
    ...pages<Row>(area, {
      ...query,
      per_page: PAGE_SIZE,
      ...(search ? { search, select: true } : { ajax_id: value ?? undefined }),
    }),
    enabled: isEnabled,
    placeholderData: (before) => before,
  })
  const seen = new Set<number>()
  return {
    options: (rows.data?.pages ?? [])
      .flatMap((page) => page.data)
      .filter((row) => !seen.has(row.id) && seen.add(row.id)),
    /** The first page of what is typed now; undefined until it has arrived. */
    answer: settled === typed && !rows.isPlaceholderData ? rows.data?.pages[0] : undefined,
    isFiltered: search !== undefined,
    query: rows,
  }
}

export type RemoteRows<Row extends Choice> = ReturnType<typeof useRemoteRows<Row>>
