import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { pageAnswer } from './list.ts'

/** The place of a page in a list, and the pages to which its links lead. */
function placeOf(page: number, total: number) {
  const request = { url: `/api/sale/find?status=New&page=${page}&per_page=10` } as FastifyRequest
  const { last_page, from, to, ...links } = pageAnswer(request, { page, per_page: 10 } as never, { rows: [], total })
  const { prev_page_url, next_page_url } = links
  const pages = [prev_page_url, next_page_url].map((url) => {
    if (url === null) return null
    const [path, query] = url.split('?')
    const asked = new URLSearchParams(query)
    expect([path, asked.get('status'), asked.get('per_page')]).toEqual(['/api/sale/find', 'New', '10'])
    return Number(asked.get('page'))
  })
  return [last_page, from, to, ...pages]
}

test.each([
  ['the first of three pages', 1, 25, [3, 1, 10, null, 2]],
  ['the second of them', 2, 25, [3, 11, 20, 1, 3]],
  ['the last of them', 3, 25, [3, 21, 25, 2, null]],
  ['a page that is just full', 1, 10, [1, 1, 10, null, null]],
  ['a page beyond the last leads back to the last', 9, 25, [3, null, null, 3, null]],
  ['an empty list', 1, 0, [1, null, null, null, null]],
])('%s', (_, page, total, place) => {
  expect(placeOf(page, total)).toEqual(place)
})
