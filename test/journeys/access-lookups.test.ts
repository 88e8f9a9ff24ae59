import { test } from 'vitest'
import { IN_TURN } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { openShop } from './sample-shop.ts'
import { barriersInBothThemes, openScreen, settled, sideways } from './screen-check.ts'
import { accessTests, menuOf, PHONE, press, problemsOf, REPRESENTATIVES } from './screen-look.ts'
import { LOOKUP_SCREENS } from './screens/lookups.ts'

const shop = openShop()

test.each(Object.entries(LOOKUP_SCREENS))('%s', IN_TURN, async (_, screens) => {
  expect(await problemsOf(screens, shop.admin)).toEqual([])
})

test('login', async () => {
  expect(await problemsOf([{ path: '/login', onPhone: true }], shop.stranger)).toEqual([])
})

test('each screen that stands for others has a line of its own, and is like none itself', () => {
  const missing = [...REPRESENTATIVES].filter(
    (path) => !accessTests.includes(`path: '${path}'`) || accessTests.includes(`path: '${path}', like`),
  )
  expect(missing).toEqual([])
})

test('areas of the menu that have no line here: their list and their form', async () => {
  const { page } = await shop.admin()
  await openScreen(page, '/admin/make')
  const areas = (await menuOf(page)).filter(
    (path) => !accessTests.includes(`'${path}`) && !accessTests.includes(`\`${path}`),
  )
  const screens = areas.flatMap((path) => [{ path }, { path: `${path}/create` }])
  expect(await problemsOf(screens, shop.admin)).toEqual([])
})

test('the menu of a phone', async () => {
  const { page } = await shop.admin(PHONE)
  await openScreen(page, '/admin/make')
  await press(page, 'Open the menu')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await settled(page)
  expect([...(await barriersInBothThemes(page)), ...(await sideways(page))]).toEqual([])
})
