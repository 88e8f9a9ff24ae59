import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../api/query-client.ts'
import { readAfterImport, readAfterUndo } from './read-again.ts'

let asked: string[] = []
beforeEach(() => {
  asked = []
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(url)
    return Response.json({ loggedIn: false })
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

const PRODUCTS = ['product', 'make', 'colour', 'category']
test.each([
  // Deleted items may be on sales, of which an alert tells.
  ['an import', readAfterImport, [...PRODUCTS, 'stock', 'batch', 'basket', 'sale', 'import'], ['/api/auth']],
  ['the undo of one', readAfterUndo, [...PRODUCTS, 'stock', 'batch', 'basket', 'dashboard', 'import'], []],
] as const)('after %s all that it may have changed is read again', async (_, readAgain, changed, requests) => {
  for (const area of [...changed, 'customer']) queryClient.setQueryData([area, 'history'], {})
  await readAgain()
  const isOld = (area: string) => queryClient.getQueryState([area, 'history'])?.isInvalidated
  expect([...changed, 'customer'].filter(isOld).toSorted()).toEqual(changed.toSorted())
  expect(asked).toEqual(requests)
})
