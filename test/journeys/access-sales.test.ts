import { test } from 'vitest'
import { IN_TURN } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { openShop } from './sample-shop.ts'
import { problemsOf } from './screen-look.ts'
import { SALES_SCREENS } from './screens/sales.ts'

const shop = openShop()

test.each(Object.entries(SALES_SCREENS))('%s', IN_TURN, async (_, screens) => {
  expect(await problemsOf(screens, shop.admin)).toEqual([])
})

test('for those who are no administrators', async () => {
  const screens = ['/admin/user', '/admin/user/edit/1', '/admin/vat'].map((path) => ({ path }))
  expect(await problemsOf(screens, (options) => shop.colleague('ROLE_USER', options))).toEqual([])
})
