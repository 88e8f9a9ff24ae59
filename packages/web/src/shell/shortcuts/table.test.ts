import { expect, test } from 'vitest'
import { router } from '../../routes.tsx'
import { RESOURCES } from '../areas.ts'
import { OF_KEYS, SHORTCUTS } from './table.ts'

test('each shortcut has keys of its own, of which none begins another', () => {
  const keys = OF_KEYS.map((shortcut) => shortcut.keys)
  const unclear = keys.filter((one, at) => keys.some((other, n) => n !== at && `${other} `.startsWith(`${one} `)))
  expect(unclear).toEqual([])
  expect(keys.every((one) => /^\S( \S)?$/.test(one))).toBe(true)
})

test('each leads to a screen that is there', () => {
  const isScreen = (to: string) => {
    const [, area = '', operation = 'list'] = /^\/admin\/([^/]+)(?:\/([^/]+))?$/.exec(to) ?? []
    return to in router.routesByPath || operation in (RESOURCES[area]?.screens ?? {})
  }
  expect(OF_KEYS.flatMap(({ to }) => (to && !isScreen(to) ? [to] : []))).toEqual([])
})

test('each leads to the screen that the overview names', () => {
  const places = SHORTCUTS.flatMap(({ shortcuts }) =>
    shortcuts.map(({ keys, does, to }) => [keys, does, to].join(' | ')),
  )
  expect(places).toMatchInlineSnapshot(`
    [
      "g s | Stock | /admin/stock",
      "g b | Batches | /admin/batch",
      "g o | Sales (orders) | /admin/sale",
      "g c | Customers | /admin/customer",
      "g r | Returns | /admin/return",
      "g q | Quick Order | /admin/quick-order",
      "g k | Scan | /admin/scan",
      "g d | Dashboard | /admin/dashboard",
      "g i | Import | /admin/stock/import",
      "g h | Help | /admin/help",
      "n | Add new, if the list has it | ",
      "/ | To the search field of the list | ",
      "Ctrl Enter | Save, or create a sale | ",
      "Ctrl K | Quick search | ",
      "? | This overview | ",
    ]
  `)
})
