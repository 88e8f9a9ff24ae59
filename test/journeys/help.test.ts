import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { openShop } from './sample-shop.ts'

const shop = openShop()

testInTurn(
  'the question mark leads to the page of the screen, its links to others, and Back to the screen',
  async () => {
    const { page, context } = await shop.admin()
    const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
    await page.goto('/admin/return')
    const help = page.getByRole('banner').getByRole('link', { name: 'Help', exact: true })
    await help.hover()
    await expect(page.getByRole('tooltip')).toHaveText('Help with this screen')
    await help.click()
    await page.waitForURL('**/admin/help/returns')
    await expect(title('Returns')).toBeVisible()
    await expect(page).toHaveTitle('Returns · Backstock')
    const link = page.getByRole('main').getByRole('link', { name: 'supplier claim' })
    const opened = context.waitForEvent('page')
    await link.click({ modifiers: ['Control'] })
    const other = await opened
    await other.waitForURL('**/admin/help/supplier-claims')
    await other.close()
    await expect(title('Returns')).toBeVisible()
    await link.click()
    await expect(title('Supplier claims')).toBeVisible()
    await page.goBack()
    await page.goBack()
    await page.waitForURL('**/admin/return')

    await page.goto('/admin/help/vat')
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'The VAT of a line' })
      .click()
    await expect(page.getByRole('heading', { name: 'The VAT of a line' })).toBeInViewport()
    // A link into another page leads to its part.
    await page.goto('/admin/help/payments')
    await page.getByRole('main').getByRole('link', { name: 'void the sale' }).click()
    await page.waitForURL('**/admin/help/sales#the-customer-cancels')
    await expect(page.getByRole('heading', { name: 'The customer cancels' })).toBeInViewport()
    await page.goto('/admin/help/nothing')
    await expect(page.getByRole('alert')).toHaveText('The manual has no such page.')
  },
)

testInTurn('all pages stand by job, and are found by any words of their text', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/help')
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Getting started',
    'Goods in',
    'In stock',
    'Selling',
    'Returns and claims',
    'Documents and VAT',
    'Your company',
  ])
  await page.getByRole('searchbox', { name: 'Search the manual' }).fill('wrongly reverse transfer')
  const found = page.getByRole('main').getByRole('list').getByRole('link')
  await expect(found).toHaveText([/^Payments.*recorded wrongly/])
  await found.click()
  await page.waitForURL('**/admin/help/payments')
  await page.goBack()
  await expect(page.getByRole('searchbox')).toHaveValue('wrongly reverse transfer')
})

testInTurn('pictures of the manual come from here, with their size before they are there', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/help/stock')
  const picture = page.getByRole('img', { name: 'The stock list' })
  await expect(picture).toHaveJSProperty('complete', true)
  const [width, natural] = await picture.evaluate((img) => {
    const { width, naturalWidth } = img as unknown as { width: number; naturalWidth: number }
    return [width, naturalWidth]
  })
  expect(natural).toBeGreaterThan(0)
  expect(width).toBeGreaterThan(300)
  await expect(picture).toHaveAttribute('width', String(natural))
})

testInTurn('on a phone the help stands in the menu', async () => {
  const { page } = await shop.admin({ viewport: { width: 390, height: 844 } })
  await page.goto('/admin/batch')
  await page.getByRole('button', { name: 'Open the menu' }).click()
  await page.getByRole('link', { name: 'Help', exact: true }).click()
  await page.waitForURL('**/admin/help/batches')
  await expect(page.getByRole('heading', { level: 1, name: 'Batches' })).toBeVisible()
})
