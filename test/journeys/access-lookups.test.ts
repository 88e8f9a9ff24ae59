import { test } from 'vitest'
import { expect } from './browser-page.ts'
import { openShop } from './sample-shop.ts'
import { barriersInBothThemes, openScreen, settled, sideways } from './screen-check.ts'
import { close, type Layer, PHONE, press, problemsOf, type Screen } from './screen-look.ts'

const shop = openShop()

const IN_THE_TOP_BAR: Record<string, Layer> = {
  'the basket, while it is edited': {
    async open(page) {
      await press(page, /^Basket/)
      await press(page, 'Edit')
      await expect(page.getByRole('dialog', { name: 'Basket' }).getByRole('checkbox').first()).toBeVisible()
    },
    close,
  },
  'quick search before typing': {
    async open(page) {
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('group', { name: 'Commonly Used' })).toBeVisible()
    },
  },
  'quick search with results': {
    async open(page) {
      await page.getByRole('dialog').getByRole('combobox').fill('apple')
      await expect(page.getByRole('group', { name: 'Stock' })).toBeVisible()
    },
    close,
  },
  notifications: {
    async open(page) {
      await press(page, 'Notifications')
      await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
    },
    close,
  },
  'the profile menu': {
    async open(page) {
      await press(page, /^Profile of/)
      await expect(page.getByRole('menuitem', { name: 'Log Out' })).toBeVisible()
    },
    close,
  },
}

/**
 * Screens of the small lists, and what the top bar opens on each of them, with records of the sample data. A new screen
 * is a new line.
 */
const SCREENS: Record<string, Screen[]> = {
  lookups: [
    {
      path: '/admin/make',
      layers: {
        ...IN_THE_TOP_BAR,
        'a question before deleting': {
          async open(page) {
            await press(page, 'Delete #12')
            await expect(page.getByRole('dialog')).toContainText('Are you sure')
          },
          close,
        },
      },
    },
    {
      path: '/admin/make?order=id_asc',
      layers: {
        'a refusal': {
          async open(page) {
            await press(page, 'Delete #1')
            await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
            await expect(page.getByRole('region', { name: 'Messages' }).getByRole('alert')).toBeVisible()
          },
          refused: 409,
        },
      },
    },
    { path: '/admin/make/create' },
    { path: '/admin/make/edit/1' },
    { path: '/admin/colour' },
    { path: '/admin/colour/create' },
    { path: '/admin/colour/edit/1' },
    { path: '/admin/category' },
    { path: '/admin/category/create' },
    { path: '/admin/category/edit/1' },
    { path: '/admin/vat' },
    { path: '/admin/vat/create' },
    { path: '/admin/vat/edit/1' },
    { path: '/admin/further-column' },
  ],
}

test.each(Object.entries(SCREENS))('%s', async (_, screens) => {
  expect(await problemsOf(screens, shop.admin)).toEqual([])
})

test('login', async () => {
  expect(await problemsOf([{ path: '/login' }], shop.stranger)).toEqual([])
})

test('the menu of a phone', async () => {
  const { page } = await shop.admin(PHONE)
  await openScreen(page, '/admin/make')
  await press(page, 'Open the menu')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await settled(page)
  expect([...(await barriersInBothThemes(page)), ...(await sideways(page))]).toEqual([])
})
