import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { openShop, toast } from './sample-shop.ts'
import { problemsOf } from './screen-look.ts'

const shop = openShop({ sampleData: false })

testInTurn('first steps tick themselves off, lead to their screens and back, and are put away', async () => {
  const { page, call } = await shop.colleague()
  await page.goto('/admin/dashboard')
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps).toContainText('0 of 6 done')
  await steps.getByRole('link', { name: /^Add a supplier/ }).click()
  await page.getByRole('textbox', { name: 'Company name' }).fill('Pallets')
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.waitForURL('**/admin/dashboard')
  await expect(steps).toContainText('1 of 6 done')
  await expect(steps.getByRole('link', { name: 'Add a supplier (done)' })).toBeVisible()

  await steps.getByRole('link', { name: /^Add your VAT rates/ }).click()
  await expect(page.getByText('Backstock then proposes that country’s VAT rates here.')).toBeVisible()
  await call('POST', 'company/edit', { country_code: 'IE' })
  await page.reload()
  const add = page.getByRole('button', { name: 'Add the usual ones (Ireland): Standard 23%, Margin scheme 0%' })
  const json = { success: false, message: 'Not now.' }
  await page.route('**/api/company/edit', (route) => route.fulfill({ status: 409, json }), { times: 1 })
  await add.click()
  await expect(toast(page)).toContainText('Not now.')
  await add.click()
  await page.waitForURL('**/admin/dashboard')
  await expect(steps).toContainText('2 of 6 done')

  await steps.getByRole('button', { name: 'Hide' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing here yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Show the first steps' }).click()
  await expect(steps).toBeVisible()
})

testInTurn('a person who may not set up the shop is told who does', async () => {
  const { page } = await shop.colleague('ROLE_USER')
  await page.goto('/admin/dashboard')
  const steps = page.getByRole('region', { name: 'First steps' })
  await expect(steps.getByText('An administrator does this.').first()).toBeVisible()
  // Two of the six steps are not for this person, so they are no links.
  await expect(steps.getByRole('link', { name: /\((to do|done)\)$/ })).toHaveCount(4)
})

testInTurn('everybody can use it with first steps, and lists that are empty', async () => {
  const paths = ['/admin/batch', '/admin/vat', '/admin/stock/import/history', '/admin/further-column']
  const screens = [{ path: '/admin/dashboard', onPhone: true as const }, ...paths.map((path) => ({ path }))]
  expect(await problemsOf(screens, shop.admin)).toEqual([])
})
