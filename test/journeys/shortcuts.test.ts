import type { Sale } from '@backstock/contract/sale.ts'
import type { Page } from '@playwright/test'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect } from './browser-page.ts'
import { openShop } from './sample-shop.ts'
import { first, newItems } from './shop-records.ts'

const shop = openShop()

/** Types like a person: slower than any scanner, also after an earlier key. */
async function type(page: Page, keys: string): Promise<void> {
  await page.keyboard.press('Shift', { delay: 100 })
  await page.keyboard.type(keys, { delay: 100 })
}
/** Types like a scanner: without a pause between the keys. */
const scan = (page: Page, keys: string) =>
  page.evaluate(`for (const key of ${JSON.stringify([...keys])})
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`)
const overview = (page: Page) => page.getByRole('dialog', { name: 'Keyboard shortcuts' })

testInTurn(
  'keys lead to screens, into the search and to a new record; not in fields, dialogs or from a scanner',
  async () => {
    const { page } = await shop.admin()
    await page.goto('/admin/make')
    await expect(page.getByRole('table')).toBeVisible()
    await scan(page, '?n/gb353173187127301n')
    await type(page, '/')
    const search = page.getByRole('searchbox')
    await expect(search).toBeFocused()
    // In a field these keys are no shortcuts, and the scanner's keys have opened no screen.
    await type(page, 'gb?n')
    await expect(search).toHaveValue('gb?n')
    await atRest(page)
    expect(page.url()).toMatch(/\/admin\/make(\?|$)/)
    expect(await overview(page).count()).toBe(0)

    await search.fill('')
    await search.blur()
    await type(page, 'n')
    await page.waitForURL('**/admin/make/create')
    await page.getByRole('heading', { level: 1 }).click()
    await type(page, 'gb')
    await page.waitForURL('**/admin/batch')
    await type(page, '?')
    await expect(overview(page).getByText('Sales (orders)')).toBeVisible()
    await type(page, 'gs')
    await page.keyboard.press('Escape')
    await expect(overview(page)).toBeHidden()
    await atRest(page)
    expect(page.url()).toMatch(/\/admin\/batch$/)
  },
)

testInTurn('the profile has them all, and switches them off for one’s own browser', async () => {
  const { page, name } = await shop.colleague('ROLE_USER')
  await page.goto('/admin/make')
  const open = async () => {
    await page.getByRole('button', { name: `Profile of ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
    return overview(page).getByRole('switch', { name: 'Single-key shortcuts' })
  }
  const off = await open()
  await off.click()
  await expect(off).not.toBeChecked()
  await page.reload()
  await expect(page.getByRole('table')).toBeVisible()
  await type(page, 'gb?')
  const on = await open()
  await expect(page).toHaveURL(/\/admin\/make$/)
  await on.click()
  await page.keyboard.press('Escape')
  await expect(overview(page)).toBeHidden()
  await type(page, 'gb')
  await page.waitForURL('**/admin/batch')
})

testInTurn('on the screen of a delivery every key is the scanner’s', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/stock/check/1')
  const field = page.getByRole('textbox', { name: 'Scan' })
  await expect(field).toBeFocused()
  await field.blur()
  await type(page, 'n/gb?')
  await expect(field).toHaveValue('n/gb?')
  await atRest(page)
  expect(page.url()).toMatch(/\/check\/1$/)
  expect(await overview(page).count()).toBe(0)
})

testInTurn('a sale with the keyboard alone: Ctrl K, scans, Ctrl Enter', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 2)
  await page.goto('/admin/make')
  await expect(page.getByRole('table')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('quick order')
  await expect(page.getByRole('option', { name: 'Quick Order' })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/quick-order')
  await expect(page.getByRole('textbox', { name: 'IMEIs or serial numbers' })).toBeFocused()
  for (const { imei } of items) await page.keyboard.type(`${imei}\n`)
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('tab', { name: 'Products (2)' })).toBeVisible()
  // The sale lacks its customer. The form leads there by itself.
  await page.keyboard.press('Control+Enter')
  const customer = page.getByRole('combobox', { name: 'Customer' })
  await expect(customer).toBeFocused()
  await page.keyboard.type('grazer')
  await page.keyboard.press('Enter')
  await expect(customer).toHaveValue(/Grazer Mobilstube/)
  await page.keyboard.press('Control+Enter')
  await page.waitForURL('**/admin/sale/edit/*')
  const sale = await first<Sale>(call, `sale/find?id=${page.url().match(/edit\/(\d+)/)![1]}`)
  expect(sale.customer_company_name).toBe('Grazer Mobilstube')
  expect(sale.items.map(({ stock_id }) => stock_id)).toEqual(items.map(({ id }) => id))
})
