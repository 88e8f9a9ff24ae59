import type { User } from '@backstock/contract/user.ts'
import { expect, test, vi } from 'vitest'
import { router } from '../routes.tsx'
import { RESOURCES } from './areas.ts'
import { HELP_OF, helpOf } from './help-of.ts'
import { pagesOf, shortcutsOf } from './quick-search/pages.ts'

/**
 * The paths of screens that have a route of their own, such as 'stock/check' for /admin/stock/check/$id. The help's own
 * screens are left out, because they need no help.
 */
const own = Object.keys(router.routesByPath)
  .flatMap((path) => /^\/admin\/([^$]+?)\/?(?:create|\$.*)?$/.exec(path)?.[1]?.replace(/\/$/, '') ?? [])
  .filter((path) => path !== 'help')

test('every screen with a route of its own has its page of the manual: a line in areas.ts or help-of.ts', () => {
  expect(own).toContain('stock/import/history')
  expect([...new Set(own)].filter((screen) => !Object.hasOwn(HELP_OF, screen))).toEqual([])
})

test('no line is left of a screen that is gone', () => {
  const ofAreas = Object.entries(RESOURCES).flatMap(([area, { screens }]) => [
    area,
    ...Object.keys(screens).map((operation) => `${area}/${operation}`),
  ])
  expect(ofAreas).toContain('batch/add-to-batch')
  expect(Object.keys(HELP_OF).filter((screen) => ![...own, ...ofAreas].includes(screen))).toEqual([])
})

test('the longest line that fits names the page of the help', () => {
  expect(helpOf('/admin/stock')).toBe('/admin/help/stock')
  expect(helpOf('/admin/stock/edit/5')).toBe('/admin/help/stock')
  expect(helpOf('/admin/batch/add-to-batch')).toBe('/admin/help/batches')
  expect(helpOf('/admin/stock/import/preview/7')).toBe('/admin/help/goods-in')
  expect(helpOf('/admin/help/stock')).toBe('/admin/help')
  expect(helpOf('/admin/constructor')).toBe('/admin/help')
})

test('each page that quick search offers is there, and what is used most is offered before anything is typed', () => {
  const me = { id: 5, role: 'ROLE_ADMIN' } as User
  const ofAreas = Object.entries(RESOURCES).flatMap(([area, { screens }]) =>
    Object.keys(screens).map((operation) => (operation === 'list' ? area : `${area}/${operation}`)),
  )
  const there = [...own, ...ofAreas].map((screen) => `/admin/${screen}`)
  const pages = pagesOf(me)
  expect(pages.filter(({ to }) => !there.includes(to)).map(({ title, to }) => [title, to])).toEqual([
    ['Edit Profile', '/admin/user/edit/5'],
  ])
  expect(new Set(pages.map(({ to }) => to)).size).toBe(pages.length)
  const theirs = pagesOf({ id: 5, role: 'ROLE_USER' } as User).map(({ to }) => to)
  const hidden = pages.filter(({ to }) => !theirs.includes(to)).map(({ title }) => title)
  expect(hidden).toEqual([
    ...['Accounting', 'Bank statements', 'Partner', 'Reverse charge', 'Company', 'DATEV', 'Further columns'],
  ])
  const address = (title: string) => pages.find((page) => page.title === title)?.to
  expect(address('New Stock Item')).toBe('/admin/stock/create')
  expect(address('Import Stock')).toBe('/admin/stock/import')
  expect(address('Import History')).toBe('/admin/stock/import/history')
  expect(address('New Sale')).toBe('/admin/sale/create')
  expect(address('New Batch')).toBe('/admin/batch/create')
  expect(address('Add to Batch')).toBe('/admin/batch/add-to-batch')
  const [common, manage] = shortcutsOf(me)
  expect(common).toMatchObject({ title: 'Commonly Used' })
  expect(common?.hits.map(({ title }) => title)).toEqual([
    ...['Stock', 'Batch', 'Sales', 'Customer', 'Quick Order', 'Import Stock', 'Dashboard'],
  ])
  expect(manage?.title).toBe('Manage')
  expect(manage?.hits.map(({ title }) => title)).toContain('Supplier')
})

test('a new sale and a new batch of quick search begin with the basket, and leave each other’s items alone', () => {
  const left = { saleStockItemIds: [1], saleFromBatch: 2, batchStockItemIds: [3], movingFromBatch: 4 }
  let stored = ''
  const setItem = (_: string, text: string) => {
    stored = text
  }
  vi.stubGlobal('localStorage', { getItem: () => stored, setItem })
  const pages = pagesOf({ id: 5, role: 'ROLE_USER' } as User)
  const after = Object.fromEntries(
    pages.flatMap(({ title, onOpen }) => {
      if (!onOpen) return []
      stored = JSON.stringify(left)
      onOpen()
      return [[title, JSON.parse(stored)]]
    }),
  )
  vi.unstubAllGlobals()
  const ofBatch = { ...left, batchStockItemIds: [], movingFromBatch: null }
  const ofSale = { ...left, saleStockItemIds: [], saleFromBatch: null }
  expect(after).toEqual({ 'New Sale': ofSale, 'New Batch': ofBatch, 'Add to Batch': ofBatch })
})
