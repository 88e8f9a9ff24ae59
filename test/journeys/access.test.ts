import { type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { test } from 'vitest'
import { openShop } from './sample-shop.ts'
import { barriers, barriersInBothThemes, settled, shifted, sideways, watchShifts } from './screen-check.ts'

const shop = openShop()

const DESK: BrowserContextOptions = { viewport: { width: 1400, height: 900 }, reducedMotion: 'reduce' }
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 844 }, reducedMotion: 'reduce', hasTouch: true }

/** Every screen, with records of the sample data. A new screen is a new line. */
const SCREENS: Record<string, string[]> = {
  overview: ['/admin/dashboard', '/admin/quick-order', '/admin/company', '/admin/stock/unknown-operation', '/error'],
  stock: ['/admin/stock', '/admin/stock?status=&per_page=50', '/admin/stock/create', '/admin/stock/edit/1'],
  import: ['/admin/stock/import', '/admin/stock/import/history'],
  batches: ['/admin/batch?user_id=', '/admin/batch/create', '/admin/batch/add-to-batch'],
  batch: ['/admin/batch/edit/1', '/admin/batch/edit/2'],
  sales: ['/admin/sale?status=', '/admin/sale/create'],
  sale: ['/admin/sale/edit/25', '/admin/sale/edit/25?tab=summary', '/admin/sale/edit/23'],
  staff: ['/admin/user', '/admin/user/create', '/admin/user/edit/2'],
  customer: ['/admin/customer', '/admin/customer/create', '/admin/customer/edit/4'],
  partner: ['/admin/partner', '/admin/partner/create', '/admin/partner/edit/1'],
  supplier: ['/admin/supplier', '/admin/supplier/create', '/admin/supplier/edit/1'],
  product: ['/admin/product', '/admin/product/create', '/admin/product/edit/1'],
  make: ['/admin/make', '/admin/make/create', '/admin/make/edit/1'],
  colour: ['/admin/colour', '/admin/colour/create', '/admin/colour/edit/1'],
  category: ['/admin/category', '/admin/category/create', '/admin/category/edit/1'],
  vat: ['/admin/vat', '/admin/vat/create', '/admin/vat/edit/1'],
}

test.each(Object.entries(SCREENS))('screens: %s', async (_, paths) => {
  const [desk, phone] = await Promise.all([shop.admin(DESK), shop.admin(PHONE)])
  const found = await Promise.all([checkOnDesk(desk.page, paths), checkOnPhone(phone.page, paths)])
  expect(found.flat()).toEqual([])
})

test('screens: login', async () => {
  const [desk, phone] = await Promise.all([shop.stranger(DESK), shop.stranger(PHONE)])
  const found = await Promise.all([checkOnDesk(desk.page, ['/login']), checkOnPhone(phone.page, ['/login'])])
  expect(found.flat()).toEqual([])
})

const checkOnDesk = (page: Page, paths: readonly string[]) =>
  checkScreens(page, paths, async () => [...(await shifted(page)), ...(await barriersInBothThemes(page))])

const checkOnPhone = (page: Page, paths: readonly string[]) =>
  checkScreens(page, paths, async () => [
    ...(await shifted(page)),
    ...(await sideways(page)),
    ...(await barriers(page)).map((problem) => `phone: ${problem}`),
  ])

/** Opens each screen as if typed into the address bar, and says what is wrong with it. */
async function checkScreens(page: Page, paths: readonly string[], check: () => Promise<string[]>): Promise<string[]> {
  const found: string[] = []
  let path = ''
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('status of 401'))
      found.push(`${path}: ${message.text()}`)
  })
  await watchShifts(page)
  for (path of paths) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await settled(page)
    found.push(...(await check()).map((problem) => `${path}: ${problem}`))
  }
  return found
}

type Layer = { name: string; path: string; open: (page: Page) => Promise<unknown> }

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** What opens over a screen or unfolds on it, with something to wait for. */
const LAYERS: Layer[] = [
  {
    name: 'the basket, while it is edited',
    path: '/admin/make',
    async open(page) {
      await press(page, /^Basket/)
      await press(page, 'Edit')
      await expect(page.getByRole('dialog', { name: 'Basket' }).getByRole('checkbox').first()).toBeVisible()
    },
  },
  {
    name: 'quick search before typing',
    path: '/admin/make',
    async open(page) {
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('group', { name: 'Commonly Used' })).toBeVisible()
    },
  },
  {
    name: 'quick search with results',
    path: '/admin/make',
    async open(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('apple')
      await expect(page.getByRole('group', { name: 'Stock' })).toBeVisible()
    },
  },
  {
    name: 'notifications',
    path: '/admin/make',
    async open(page) {
      await press(page, 'Notifications')
      await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
    },
  },
  {
    name: 'the profile menu',
    path: '/admin/make',
    async open(page) {
      await press(page, /^Profile of/)
      await expect(page.getByRole('menuitem', { name: 'Log Out' })).toBeVisible()
    },
  },
  {
    name: 'a question before deleting',
    path: '/admin/make',
    async open(page) {
      await press(page, 'Delete #12')
      await expect(page.getByRole('dialog')).toContainText('Are you sure')
    },
  },
  {
    name: 'a refusal as a message',
    path: '/admin/make',
    async open(page) {
      await press(page, 'Delete #1')
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
      await expect(page.getByRole('region', { name: 'Messages' }).getByRole('alert')).toBeVisible()
    },
  },
  {
    name: 'a refused file',
    path: '/admin/stock/import',
    async open(page) {
      const file = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('a') }
      await page.getByLabel('Choose a CSV file').setInputFiles(file)
      await expect(page.getByRole('dialog')).toContainText('Only CSV files are allowed')
    },
  },
  {
    name: 'what an import says of each row',
    path: '/admin/stock/import/history',
    async open(page) {
      await press(page, /Failed:\s*[1-9]/)
      await expect(page.getByRole('img', { name: 'Failed' }).first()).toBeVisible()
    },
  },
  {
    name: 'the export menu',
    path: '/admin/stock',
    async open(page) {
      await press(page, 'Export')
      await expect(page.getByRole('menuitem').first()).toBeVisible()
    },
  },
  {
    name: 'a filter',
    path: '/admin/stock',
    async open(page) {
      await page.getByRole('combobox', { name: 'Status' }).press('ArrowDown')
      await expect(page.getByRole('option', { name: 'Sold' })).toBeVisible()
    },
  },
  {
    name: 'a ticked row',
    path: '/admin/stock',
    async open(page) {
      const all = page.getByRole('checkbox', { name: 'Select all rows on this page' })
      await all.click()
      await expect(all).toBeChecked()
    },
  },
  {
    name: 'wrong fields',
    path: '/admin/stock/create',
    async open(page) {
      await press(page, 'Create')
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
    },
  },
  {
    name: 'a select of other records',
    path: '/admin/stock/edit/1',
    async open(page) {
      await page.getByRole('combobox', { name: 'Supplier' }).click()
      await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'a date picker',
    path: '/admin/stock/edit/1',
    async open(page) {
      await press(page, 'Choose a date')
      await expect(page.getByRole('dialog', { name: 'Choose a date' })).toBeVisible()
    },
  },
  {
    name: 'all sections of an item',
    path: '/admin/stock/edit/1',
    async open(page) {
      await press(page, 'Backstock import information')
      await press(page, 'Logs')
      await expect(page.getByText('Raw attributes')).toBeVisible()
    },
  },
  {
    name: 'a country',
    path: '/admin/customer/edit/4',
    async open(page) {
      await page.getByRole('combobox', { name: 'Country' }).first().click()
      await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
    },
  },
  {
    name: 'a quick order',
    path: '/admin/quick-order',
    async open(page) {
      await page.getByRole('textbox').last().fill('BS-15200\nBS-15201\nnot here\nBS-15200')
      await expect(page.getByRole('heading', { name: 'Not found (1)' })).toBeVisible()
    },
  },
  {
    name: 'items of a batch to move',
    path: '/admin/batch/edit/1',
    async open(page) {
      await page.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
      await press(page, 'Move items')
      await expect(page.getByRole('menuitem').first()).toBeVisible()
    },
  },
  {
    name: 'a price that is edited',
    path: '/admin/batch/edit/1',
    async open(page) {
      await page
        .getByRole('button', { name: /^Sales price of/ })
        .first()
        .press('Enter')
      await expect(page.getByRole('textbox', { name: /^Sales price of/ })).toBeFocused()
    },
  },
  {
    name: 'a new customer of a sale',
    path: '/admin/sale/create',
    async open(page) {
      await page.getByRole('tab', { name: 'Summary' }).click()
      await press(page, 'Add customer')
      await expect(page.getByRole('dialog', { name: 'New Customer' })).toBeVisible()
    },
  },
  {
    name: 'a sale that lacks its customer',
    path: '/admin/sale/create',
    async open(page) {
      await page.getByRole('tab', { name: 'Summary' }).click()
      await page.getByText('New customer', { exact: true }).click()
      await press(page, /^Create Sale/)
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
    },
  },
  {
    name: 'the logs of a sale',
    path: '/admin/sale/edit/23?tab=summary',
    async open(page) {
      await press(page, 'Logs')
      await expect(page.getByText('Updated').first()).toBeVisible()
    },
  },
]

test.each(LAYERS)('$name', async ({ path, open }) => {
  const check = async (options: BrowserContextOptions, look: (page: Page) => Promise<string[]>) => {
    const { page } = await shop.admin(options)
    await page.goto(path)
    await settled(page)
    await open(page)
    await settled(page)
    return look(page)
  }
  const found = await Promise.all([
    check(DESK, barriersInBothThemes),
    check(PHONE, async (page) => [...(await sideways(page)), ...(await barriers(page))]),
  ])
  expect(found.flat()).toEqual([])
})

test('the menu of a phone', async () => {
  const { page } = await shop.admin(PHONE)
  await page.goto('/admin/make')
  await press(page, 'Open the menu')
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
  expect([...(await barriersInBothThemes(page)), ...(await sideways(page))]).toEqual([])
})
