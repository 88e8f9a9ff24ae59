import type { Page } from '@backstock/contract/page.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Call, type Query } from './client.ts'
import { ApiError } from './error.ts'
import { queryClient } from './query-client.ts'

type How = Pick<Call, 'ahead'>

/** One page of an area's rows. The rows of the page before stay on screen until the new ones have arrived. */
export function find<Row>(area: string, query: Query, how: How = {}) {
  return queryOptions({
    queryKey: [area, 'find', query],
    queryFn: ({ signal }) => api.get<Page<Row>>(`${area}/find`, { query, signal, ...how }),
    placeholderData: keepPreviousData,
  })
}

/** One whole record. Fails with a 404 ApiError if there is none. */
export function record<Row>(area: string, id: number, how: How = {}) {
  return queryOptions({
    queryKey: [area, 'record', id],
    queryFn: async ({ signal }) => {
      const page = await api.get<Page<Row>>(`${area}/find`, { query: { id }, signal, ...how })
      const row = page.data[0]
      if (row === undefined) throw new ApiError(404, `#${id} does not exist, or was deleted.`)
      return row
    },
  })
}

/** All pages of an area's rows, loaded one after another, for selects and timelines. */
export function pages<Row>(area: string, query: Query) {
  return infiniteQueryOptions({
    queryKey: [area, 'pages', query],
    queryFn: ({ pageParam, signal }) =>
      api.get<Page<Row>>(`${area}/find`, { query: { ...query, page: pageParam }, signal }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.current_page < last.last_page ? last.current_page + 1 : undefined),
  })
}

/**
 * Takes a row off every list on screen before the server has answered. If the server keeps the row, reading the lists
 * again brings it back.
 */
export async function hideRow(area: string, id: number): Promise<void> {
  await queryClient.cancelQueries({ queryKey: [area, 'find'] })
  queryClient.setQueriesData<Page<{ id: number }>>({ queryKey: [area, 'find'] }, (page) => page && without(page, id))
}

/** The page without this row. Its counts stay true: they say how many rows it shows, and how many there are. */
function without<Row extends { id: number }>(page: Page<Row>, id: number): Page<Row> {
  const data = page.data.filter((row) => row.id !== id)
  if (data.length === page.data.length) return page
  const [from, to] = data.length === 0 ? [null, null] : [page.from, page.to && page.to - 1]
  return { ...page, data, from, to, total: page.total - 1 }
}

/** Marks every read of these areas as out of date, and reads those on screen again. */
export async function invalidate(...areas: string[]): Promise<void> {
  await Promise.all(areas.map((area) => queryClient.invalidateQueries({ queryKey: [area] })))
}
