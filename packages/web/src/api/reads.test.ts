import type { Page } from '@backstock/contract/page.ts'
import { expect, test } from 'vitest'
import { queryClient } from './query-client.ts'
import { find, hideRow } from './reads.ts'

type Row = { id: number }

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
