import type { Page } from '@backstock/contract/page.ts'
import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { viewsOf } from '../areas/view/views.ts'
import { furtherLogs } from '../ui/log/log-timeline.tsx'
import { queryClient } from './query-client.ts'
import { find, hideRow } from './reads.ts'

type Row = { id: number }

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** Answers each request with an empty page. Returns the addresses of the requests. */
function listen(): string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return Response.json(page([], null, 45))
  })
  return asked
}

const page = (ids: number[], from: number | null, total: number): Page<Row> => ({
  data: ids.map((id) => ({ id })),
  current_page: 1,
  last_page: 1,
  prev_page_url: null,
  next_page_url: null,
  from,
  to: from && from + ids.length - 1,
  total,
  per_page: 10,
})

test('a row that leaves a list leaves its counts too, and no other list', async () => {
  const lists = { first: page([5, 4, 3], 1, 14), other: page([9, 8], 1, 2), last: page([4], 11, 11) }
  const keyOf = (list: string) => find<Row>('thing', { list }).queryKey
  for (const [list, rows] of Object.entries(lists)) queryClient.setQueryData(keyOf(list), rows)
  await hideRow('thing', 4)
  const now = (list: string) => queryClient.getQueryData(keyOf(list))
  expect(now('first')).toMatchObject({ data: [{ id: 5 }, { id: 3 }], from: 1, to: 2, total: 13 })
  expect(now('other')).toEqual(lists.other)
  expect(now('last')).toMatchObject({ data: [], from: null, to: null, total: 10 })
})

test('all views of a list are read at once, and a history from the entries on that the record lacks', async () => {
  const asked = listen()
  await queryClient.fetchQuery(viewsOf('stock'))
  await queryClient.fetchInfiniteQuery(furtherLogs({ id: 9, loggable_type: 'stock', loggable_id: 7 } as never))
  expect(asked).toEqual([
    '/api/view/find?area=stock&per_page=250',
    '/api/log/find?loggable_type=stock&loggable_id=7&per_page=20&page=2',
  ])
})

test('a read is tried three times if the server is away, and once if it refuses', async () => {
  vi.useFakeTimers()
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const asked: string[] = []
  /** The number of requests for a list whose requests have these answers, and whether the list is read then. */
  const readWith = async (area: string, statuses: readonly number[]) => {
    const left = [...statuses]
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url)
      return Response.json(page([], null, 0), { status: left.shift() ?? 503 })
    })
    asked.length = 0
    const read = new QueryObserver(queryClient, find(area, {}))
    const stop = read.subscribe(() => {})
    await vi.advanceTimersByTimeAsync(10_000)
    stop()
    return [asked.length, read.getCurrentResult().status]
  }
  expect(await readWith('one', [200])).toEqual([1, 'success'])
  expect(await readWith('two', [503, 503, 200])).toEqual([3, 'success'])
  expect(await readWith('three', [])).toEqual([3, 'error'])
  expect(await readWith('four', [409, 200])).toEqual([1, 'error'])
})
