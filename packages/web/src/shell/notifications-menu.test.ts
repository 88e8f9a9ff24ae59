import { LogEntry } from '@backstock/contract/log.ts'
import { expect, test } from 'vitest'
import { router } from '../routes.tsx'
import { blank } from '../testing/blank.ts'
import { RESOURCES } from './areas.ts'
import { placeOf, summary } from './notifications-menu.tsx'

const TYPES = LogEntry.shape.loggable_type.options

test('a notification leads to a screen that is there, whatever it is about', () => {
  const places = TYPES.map((loggable_type) => placeOf(blank(LogEntry, { loggable_type, loggable_id: 7 })))
  const isScreen = (to: string) => {
    const [, area = '', operation = ''] = /^\/admin\/([^/]+)\/([^/]+)\/7$/.exec(to) ?? []
    return operation in (RESOURCES[area]?.screens ?? {})
  }
  expect(places.filter((to) => !isScreen(to))).toEqual(['/admin/stock/bulk?ids=7', '/admin/stock/check/7'])
  expect(router.routesByPath).toMatchObject({ '/admin/stock/bulk': {}, '/admin/stock/check/$id': {} })
  expect(new Set(places).size).toBe(TYPES.length)
  expect(places).toContain('/admin/supplier-claim/edit/7')
})

test('a notification says in one line what has happened', () => {
  const said = (content: LogEntry['content']) => summary(blank(LogEntry, { content }))
  expect(said({ type: 'item_sold', data: { sale_id: 9 } })).toBe('Sold in Sale #9')
  expect(said({ type: 'message', data: { message: 'Received.' } })).toBe('Received.')
  expect(said({ type: 'email_sent', data: { message: 'Sent to Ute.', email_body: 'Hello' } })).toBe('Sent to Ute.')
  const data = [
    { attributeName: 'sales_price', from: 14_990, to: 19_950 },
    { attributeName: 'location', from: 'A1', to: null },
    { attributeName: 'network_locked', from: false, to: true },
  ]
  expect(said({ type: 'model_update', data })).toBe('Sales Price: 199.50 EUR, Location: -, Network Locked: Yes')
})
