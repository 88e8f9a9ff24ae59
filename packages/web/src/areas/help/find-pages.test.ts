import { expect, test } from 'vitest'
import { findPages } from './find-pages.ts'

const PAGES = [
  {
    name: 'stock',
    title: 'Stock',
    lead: 'Every phone.',
    text: 'Every phone. A tick puts it into the basket. Import more.',
  },
  {
    name: 'goods-in',
    title: 'Goods in',
    lead: 'Files.',
    text: `Files. ${'Some words. '.repeat(30)} Undo an import for 30 days.`,
  },
  { name: 'import', title: 'Import', lead: 'What comes.', text: 'What comes.' },
]
const found = (search: string) => findPages(PAGES, search).map(({ name }) => name)

test('every word must be on the page, as any part of one, in any order', () => {
  expect(found('IMPORT undo')).toEqual(['goods-in'])
  expect(found('bask')).toEqual(['stock'])
  expect(found('basket undo')).toEqual([])
  expect(found('  ')).toEqual([])
})

test('pages whose title has the words come first', () => {
  expect(found('import')).toEqual(['import', 'stock', 'goods-in'])
})

test('an excerpt shows the words around the found one, or the page’s beginning if only the title has it', () => {
  const [, , goodsIn] = findPages(PAGES, 'import')
  expect(goodsIn?.excerpt).toMatch(/^… .*Undo an import for 30 days\.$/)
  expect(goodsIn!.excerpt.length).toBeLessThan(220)
  expect(findPages(PAGES, 'import')[0]?.excerpt).toBe('What comes.')
})
