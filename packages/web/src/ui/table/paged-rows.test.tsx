import { expect, test } from 'vitest'
import { drawn } from '../../testing/drawn.tsx'
import { outline } from '../../testing/outline.ts'
import { pageOf, RowPages, rowsOf } from './paged-rows.tsx'

const rows = Array.from({ length: 1_150 }, (_, n) => n)

test('a page has a hundred rows, and behind the last page is the last one', () => {
  const of = (n: number, page: number) => {
    const { rows: here, ...place } = rowsOf(rows.slice(0, n), page)
    return [here[0], here.at(-1), here.length, place]
  }
  expect(of(0, 1)).toEqual([undefined, undefined, 0, { page: 1, pages: 1 }])
  expect(of(100, 1)).toEqual([0, 99, 100, { page: 1, pages: 1 }])
  expect(of(101, 2)).toEqual([100, 100, 1, { page: 2, pages: 2 }])
  expect(of(1_150, 11)).toEqual([1_000, 1_099, 100, { page: 11, pages: 12 }])
  expect(of(100, 2)).toEqual([0, 99, 100, { page: 1, pages: 1 }])
})

test('each row is on the page that its place tells', () => {
  for (const place of [0, 99, 100, 1_149]) expect(rowsOf(rows, pageOf(place)).rows).toContain(place)
})

test('the line below says which rows are shown, and is not there if there is one page', async () => {
  const said = async (page: number, total: number, noun?: string) => {
    const pages = Math.ceil(total / 100)
    const part = <RowPages {...{ page, pages, total }} onPage={() => {}} {...(noun && { noun })} />
    return outline(await drawn(part)).find((line) => line.includes(' of '))
  }
  expect(await said(1, 101)).toContain('1 to 100 of 101 items')
  expect(await said(2, 101)).toContain('101 to 101 of 101 items')
  expect(await said(12, 1_150, 'names')).toContain('1,101 to 1,150 of 1,150 names')
  expect(await said(1, 100)).toBeUndefined()
})
