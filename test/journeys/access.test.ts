import type { BrowserContextOptions, Page } from '@playwright/test'
import { test } from 'vitest'
import { expect } from './browser-page.ts'
import { openShop } from './sample-shop.ts'
import { barriers, barriersInBothThemes, openScreen, settled, shifted, sideways, watchShifts } from './screen-check.ts'

const shop = openShop()

const DESK: BrowserContextOptions = { viewport: { width: 1400, height: 900 } }
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, hasTouch: true }

/** What opens over a screen or unfolds on it, with something to wait for; the next one of the screen comes after it. */
type Layer = {
  open: (page: Page) => Promise<unknown>
  /** How it is put away again; the next one opens beside it where it is not. */
  close?: (page: Page) => Promise<unknown>
  /** The status of a refusal that belongs to it, and that the browser therefore tells of. */
  refused?: number
}
type Screen = { path: string; layers?: Record<string, Layer> }

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
const pressEscape = (page: Page) => page.keyboard.press('Escape')

/** Puts a dialog or dropdown away, and waits until it has gone. */
const close = async (page: Page) => {
  await pressEscape(page)
  await expect(page.getByRole('dialog').or(page.getByRole('menu'))).toHaveCount(0)
}

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

/** Every screen, with records of the sample data. A new screen is a new line. */
const SCREENS: Record<string, Screen[]> = {
  overview: [
    { path: '/admin/dashboard' },
    {
      path: '/admin/quick-order',
      layers: {
        'an order': {
          async open(page) {
            await page.getByRole('textbox').last().fill('BS-15200\nBS-15201\nnot here\nBS-15200')
            await expect(page.getByRole('heading', { name: 'Not found (1)' })).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/company' },
    { path: '/admin/stock/unknown-operation' },
    { path: '/error' },
    { path: '/error/500' },
    { path: '/error/another' },
  ],
  stock: [
    {
      path: '/admin/stock',
      layers: {
        'the export menu': {
          async open(page) {
            await press(page, 'Export')
            await expect(page.getByRole('menuitem').first()).toBeVisible()
          },
          close,
        },
        'ticked rows': {
          async open(page) {
            const all = page.getByRole('checkbox', { name: 'Select all rows on this page' })
            if (!(await all.isChecked())) await all.click()
            await expect(all).toBeChecked()
          },
          refused: 412, // desk and phone change the basket of the same person
        },
        'a filter': {
          async open(page) {
            await page.getByRole('combobox', { name: 'Status' }).press('ArrowDown')
            await expect(page.getByRole('option', { name: 'Sold' })).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/stock?status=&per_page=50' },
    { path: '/admin/stock?search=nothing+like+it' },
    {
      path: '/admin/stock/create',
      layers: {
        'wrong fields': {
          async open(page) {
            await press(page, 'Create')
            await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
          },
          refused: 422,
        },
      },
    },
    {
      path: '/admin/stock/edit/1',
      layers: {
        'a select of other records': {
          async open(page) {
            await page.getByRole('combobox', { name: 'Supplier' }).click()
            await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
          },
          close: pressEscape,
        },
        'a date picker': {
          async open(page) {
            await press(page, 'Choose a date')
            await expect(page.getByRole('dialog', { name: 'Choose a date' })).toBeVisible()
          },
          close,
        },
        'all sections': {
          async open(page) {
            await press(page, 'Backstock import information')
            await press(page, 'Logs')
            await expect(page.getByText('Raw attributes')).toBeVisible()
          },
        },
      },
    },
    {
      path: '/admin/stock/import',
      layers: {
        'a refused file': {
          async open(page) {
            const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('a') }
            await page.getByLabel('Choose a CSV file').setInputFiles(file)
            await expect(page.getByRole('dialog')).toContainText('Only CSV files are allowed')
          },
        },
      },
    },
    {
      path: '/admin/stock/import/history',
      layers: {
        'what became of each row': {
          async open(page) {
            await press(page, /Failed:\s*[1-9]/)
            await expect(page.getByRole('img', { name: 'Failed' }).first()).toBeVisible()
          },
        },
      },
    },
  ],
  batch: [
    { path: '/admin/batch?user_id=' },
    { path: '/admin/batch/create' },
    {
      path: '/admin/batch/add-to-batch',
      layers: {
        'a choice of batches': {
          async open(page) {
            await page.getByRole('combobox', { name: 'Batch' }).click()
            await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
          },
        },
      },
    },
    {
      path: '/admin/batch/edit/1',
      layers: {
        'a price that is edited': {
          async open(page) {
            await press(page, /^Sales price of/)
            await page.keyboard.press('Enter')
            await expect(page.getByRole('textbox', { name: /^Sales price of/ })).toBeFocused()
          },
          close: pressEscape,
        },
        'items to move': {
          async open(page) {
            await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
            await press(page, 'Move items')
            await expect(page.getByRole('menuitem').first()).toBeVisible()
          },
          close,
        },
        'its logs': {
          async open(page) {
            await press(page, 'Logs')
            await expect(page.getByText('Updated').or(page.getByText('Message')).first()).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/batch/edit/2' },
    { path: '/admin/batch/edit/999999' },
  ],
  'sales and customers': [
    { path: '/admin/sale?status=' },
    {
      path: '/admin/sale/create',
      layers: {
        'a new customer': {
          async open(page) {
            await page.getByRole('tab', { name: 'Summary' }).click()
            await press(page, 'Add customer')
            await expect(page.getByRole('dialog', { name: 'New Customer' })).toBeVisible()
          },
          close,
        },
        'without its customer': {
          async open(page) {
            await page.getByText('New customer', { exact: true }).click()
            await press(page, /^Create Sale/)
            await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
          },
          refused: 422,
        },
      },
    },
    { path: '/admin/sale/edit/25' },
    { path: '/admin/sale/edit/25?tab=summary' },
    {
      path: '/admin/sale/edit/23?tab=summary',
      layers: {
        'its logs': {
          async open(page) {
            await press(page, 'Logs')
            await expect(page.getByText('Updated').first()).toBeVisible()
          },
        },
      },
    },
    { path: '/admin/customer' },
    { path: '/admin/customer/create' },
    {
      path: '/admin/customer/edit/4',
      layers: {
        'a country': {
          async open(page) {
            await page.getByRole('combobox', { name: 'Country' }).first().click()
            await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
          },
        },
      },
    },
  ],
  'people and products': [
    { path: '/admin/user' },
    { path: '/admin/user/create' },
    { path: '/admin/user/edit/2' },
    { path: '/admin/partner' },
    { path: '/admin/partner/create' },
    { path: '/admin/partner/edit/1' },
    { path: '/admin/supplier' },
    { path: '/admin/supplier/create' },
    { path: '/admin/supplier/edit/1' },
    { path: '/admin/product' },
    { path: '/admin/product/create' },
    { path: '/admin/product/edit/1' },
  ],
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
  ],
}

test.each(Object.entries(SCREENS))('%s', async (_, screens) => {
  const [desk, phone] = await Promise.all([shop.admin(DESK), shop.admin(PHONE)])
  const found = await Promise.all([onDesk(desk.page, screens), onPhone(phone.page, screens)])
  expect(found.flat()).toEqual([])
})

test('for those who are no administrators', async () => {
  const [desk, phone] = await Promise.all([shop.colleague('ROLE_USER', DESK), shop.colleague('ROLE_USER', PHONE)])
  const screens = ['/admin/user', '/admin/user/edit/1', '/admin/vat'].map((path) => ({ path }))
  const found = await Promise.all([onDesk(desk.page, screens), onPhone(phone.page, screens)])
  expect(found.flat()).toEqual([])
})

test('login', async () => {
  const [desk, phone] = await Promise.all([shop.stranger(DESK), shop.stranger(PHONE)])
  const screens = [{ path: '/login' }]
  const found = await Promise.all([onDesk(desk.page, screens), onPhone(phone.page, screens)])
  expect(found.flat()).toEqual([])
})

test('the menu of a phone', async () => {
  const { page } = await shop.admin(PHONE)
  await openScreen(page, '/admin/make')
  await press(page, 'Open the menu')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  await settled(page)
  expect([...(await barriersInBothThemes(page)), ...(await sideways(page))]).toEqual([])
})

const onDesk = (page: Page, screens: readonly Screen[]) =>
  look(page, screens, barriersInBothThemes, barriersInBothThemes)

/** What opens over a screen is much the same on a phone; the screen itself is not. */
const onPhone = (page: Page, screens: readonly Screen[]) =>
  look(page, screens, async () => [...(await sideways(page)), ...(await barriers(page))], sideways)

type Check = (page: Page) => Promise<string[]>

/** Opens each screen and all that opens on it, and says what is wrong with them. */
async function look(page: Page, screens: readonly Screen[], checkScreen: Check, checkLayer: Check): Promise<string[]> {
  const found: string[] = []
  const width = page.viewportSize()?.width
  let place = ''
  let refused: number | undefined
  const note = (problem: string) => found.push(`${place} (${width} px): ${problem}`)
  page.on('console', (message) => {
    const text = message.text()
    const expected =
      text.includes('status of 401') ||
      (refused !== undefined && (text.includes(`status of ${refused}`) || /^[A-Z]+ \/api\S* failed: /.test(text)))
    if (message.type() === 'error' && !expected) note(text)
  })
  await watchShifts(page)
  for (const { path, layers = {} } of screens) {
    place = path
    refused = undefined
    await openScreen(page, path)
    for (const problem of [...(await shifted(page)), ...(await checkScreen(page))]) note(problem)
    for (const [name, layer] of Object.entries(layers)) {
      place = `${path}, ${name}`
      refused = layer.refused
      await layer.open(page)
      await settled(page)
      for (const problem of await checkLayer(page)) note(problem)
      await layer.close?.(page)
    }
  }
  return found
}
