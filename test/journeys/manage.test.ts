import type { Locator, Page } from '@playwright/test'
import { expect as expectValue } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { answer, openShop, rowsOf, toast, unique } from './sample-shop.ts'

const shop = openShop()

type Row = { id: number; name: string }
type Rows = { data: Row[] }

testInTurn('a further column is removed by one who has been told how many items have it', async () => {
  const { page, call } = await shop.admin()
  await page.goto('/admin/make')
  await page.getByRole('button', { name: 'Setup' }).click()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Further columns' }).click()
  const row = rowsOf(page, 'Further columns').filter({ has: page.getByRole('cell', { name: 'Box', exact: true }) })
  const { data: columns } = await call<Rows>('GET', 'further-column/find?search=Box')
  const { data: counts } = await call<{ data: Record<string, number> }>('GET', 'further-column/counts')
  const items = counts[columns[0]!.id]!
  expectValue(items).toBeGreaterThan(1)
  await expect(row.getByRole('cell').nth(3)).toHaveText(`${items} items`)

  // Since the list was read, one more item has it. A count that cannot be read is told.
  const json = { success: true, data: { ...counts, [columns[0]!.id]: items + 1 } }
  await page.route('**/api/further-column/counts', (route) => route.fulfill({ json }))
  await row.getByRole('button', { name: 'Delete Box' }).click()
  await answer(page, `${items + 1} items have the column 'Box'`, 'cancel')
  await page.unroute('**/api/further-column/counts')
  const onlyOne = { ...json, data: { [columns[0]!.id]: 1 } }
  await page.route('**/api/further-column/counts', (route) => route.fulfill({ json: onlyOne }))
  await row.getByRole('button', { name: 'Delete Box' }).click()
  await answer(page, "1 item has the column 'Box'", 'cancel')
  await page.unroute('**/api/further-column/counts')
  const refused = { success: false, message: 'Not now' }
  await page.route('**/api/further-column/counts', (route) => route.fulfill({ status: 409, json: refused }))
  await row.getByRole('button', { name: 'Delete Box' }).click()
  await expect(toast(page)).toContainText('Not now')
  await page.unroute('**/api/further-column/counts')

  await row.getByRole('button', { name: 'Delete Box' }).click()
  await answer(
    page,
    `${items} items have the column 'Box', and its values are deleted with it. Are you sure you want to delete this column?`,
    'Delete',
  )
  await expect(toast(page)).toContainText(`Removed the column 'Box', which ${items} items had.`)
  await expect(row).toHaveCount(0)
  const csv = await (await page.request.get('/api/stock/export/csv')).text()
  expectValue(csv.split('\n')[0]).not.toContain('Box')
})

const country = (page: Page) => page.getByRole('combobox', { name: 'Country' }).first()

testInTurn('a select takes what begins with the typed text first', async () => {
  const { page, call } = await shop.admin()
  await page.goto('/admin/customer/create')
  for (const [typed, name] of [
    ['pol', 'Poland'],
    ['neth', 'Netherlands'],
  ] as const) {
    await country(page).click()
    await country(page).selectText()
    await page.keyboard.type(typed)
    await expect(page.getByRole('option').first()).toHaveText(name)
    await page.keyboard.press('Enter')
    await expect(country(page)).toHaveValue(name)
  }

  const word = unique('Aa').replace(' ', '')
  for (const company_name of [`${word} Trading`, `House of ${word}`])
    await call('POST', 'supplier/create', { company_name })
  await page.goto('/admin/stock/create')
  const supplier = page.getByRole('combobox', { name: 'Supplier' })
  await supplier.fill(word)
  await expect(page.getByRole('option')).toHaveText([`${word} Trading`, `House of ${word}`])
  await page.keyboard.press('Enter')
  await expect(page.getByPlaceholder(`${word} Trading`)).toBeVisible()
})

/** Turns the wheel over a list until far beyond its end. */
async function wheelPastEnd(page: Page, list: Locator): Promise<void> {
  const box = (await list.boundingBox())!
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  for (let n = 0; n < 3; n++) await page.mouse.wheel(0, 20_000)
}

testInTurn('a select that is scrolled to its end does not move the page', async () => {
  const { page } = await shop.admin({ viewport: { width: 1280, height: 500 } })
  await page.goto('/admin/customer/create')
  await country(page).click()
  const list = page.getByRole('listbox')
  await expect(list).toBeVisible()
  const before = await page.evaluate(() => scrollY)
  await wheelPastEnd(page, list)
  await expect.poll(() => list.evaluate((one) => one.scrollTop + one.clientHeight >= one.scrollHeight - 1)).toBe(true)
  await wheelPastEnd(page, list)
  expectValue(await page.evaluate(() => scrollY)).toBe(before)
})

testInTurn('a notification of what was deleted leads nowhere', async () => {
  const { page, call } = await shop.colleague()
  const { data: batch } = await call<{ data: Row }>('POST', 'batch/create', { name: 'Short-lived' })
  const { data: make } = await call<{ data: Row }>('POST', 'supplier/create', { company_name: unique('Lasting') })
  await call('DELETE', `batch/${batch.id}/delete`)
  await page.goto('/admin/make')
  await page.getByRole('button', { name: 'Notifications' }).click()
  const entries = page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')
  const gone = entries.filter({ hasText: `Batch #${batch.id}` })
  await expect(gone).toHaveCount(2)
  const there = entries.filter({ hasText: `Supplier #${make.id}` })
  await expect(there.getByRole('link')).toHaveAttribute('href', `/admin/supplier/edit/${make.id}`)
  expectValue(await gone.getByRole('link').count()).toBe(0)
})

testInTurn("if the shop still has UTC, the browser's time zone is one click away", async () => {
  const { page, call } = await shop.admin({ timezoneId: 'Europe/Dublin' })
  const offer = page.getByRole('button', { name: 'use it' })
  await page.goto('/admin/company')
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Amsterdam')
  expectValue(await offer.count()).toBe(0)
  await call('POST', 'company/edit', { time_zone: 'UTC' })
  await page.reload()
  await expect(page.getByText('This computer is in Europe/Dublin')).toBeVisible()
  await offer.click()
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Dublin')
  expectValue(await offer.count()).toBe(0)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
})
