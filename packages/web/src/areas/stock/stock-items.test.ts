import { afterEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { stockItems } from './stock-items.ts'

afterEach(() => void vi.unstubAllGlobals())

test('more items than one request may ask for are all there, in the order of their ids', async () => {
  const parts: number[][] = []
  vi.stubGlobal('fetch', async (url: string) => {
    const query = new URL(url, 'http://backstock').searchParams
    const ids = query.get('ids')!.split(',').map(Number)
    parts.push(ids)
    // The server answers in an order of its own, with at most `per_page` rows, and knows no item 300.
    const rows = ids.filter((id) => id !== 300).toSorted((a, b) => a - b)
    return Response.json({ data: rows.slice(0, Number(query.get('per_page'))).map((id) => ({ id })) })
  })
  const ids = Array.from({ length: 501 }, (_, n) => 501 - n)
  const rows = await queryClient.fetchQuery(stockItems(ids))
  expect(rows.map(({ id }) => id)).toEqual(ids.filter((id) => id !== 300))
  expect(parts.map((part) => part.length)).toEqual([250, 250, 1])
})
