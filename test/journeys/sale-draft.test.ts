import type { StockRow } from '@backstock/contract/stock.ts'
import type { Page, Request } from '@playwright/test'
import { test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect, hold } from './browser-page.ts'
import { openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { create, first, newItems, newSale } from './shop-records.ts'

const shop = openShop()

/** The bar at the bottom, with the button and the totals. */
const bar = (page: Page) => page.getByRole('button', { name: /^Create Sale/ }).locator('..')
const priceOf = (page: Page, { id }: { id: number }) => page.getByRole('textbox', { name: `Sales price of #${id}` })

test('a sale is sent as the fields of a form, its items as pairs of id and price', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 2)
  const batch = await create(call, 'batch', { name: unique('Sold'), items: items.map((item) => item.id) })
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto(`/admin/batch/edit/${batch.id}`)
  await page.getByRole('button', { name: 'Create Sale (2)' }).click()
  await page.waitForURL('**/admin/sale/create')
  await expect(page.getByRole('textbox', { name: /^Sales price of #/ }).first()).toBeFocused()
  const [list, listed] = await Promise.all([
    page.waitForEvent('download'),
    page.waitForRequest('**/api/stock/pick-list'),
    page.getByRole('button', { name: 'Pick list' }).click(),
  ])
  expect(listed.postDataJSON()).toEqual({ items: [...items].reverse().map((item) => item.id) })
  expect(list.suggestedFilename()).toBe('pick-list.pdf')
  await priceOf(page, items[0]!).fill('155,50')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('combobox', { name: 'Customer' }).fill('Bakker')
  await page.getByRole('option', { name: /Bakker/ }).click()
  const reference = page.getByRole('textbox', { name: 'Reference number' })
  await reference.fill('PO-FORM')
  await page.getByRole('checkbox', { name: 'Create Excel' }).check()
  await page.getByRole('checkbox', { name: 'Send email' }).uncheck()
  await page.getByRole('checkbox', { name: 'Remove items from batch' }).uncheck()
  const sent: Request[] = []
  page.on('request', (request) => request.url().endsWith('/api/sale/create') && sent.push(request))
  // While the answer is awaited, the button shows it, and nothing is sent again.
  const release = await hold(page, '**/api/sale/create')
  await reference.press('Control+Enter')
  await reference.press('Control+Enter')
  await expect(page.locator('button:has-text("Create Sale (2)")')).toHaveAttribute('data-loading', 'true')
  release()
  await page.waitForURL('**/admin/sale/edit/*')

  expect(sent).toHaveLength(1)
  const request = sent[0]!
  const form = await new Response(new Uint8Array(request.postDataBuffer()!), {
    headers: { 'content-type': (await request.headerValue('content-type'))! },
  }).formData()
  const fields = Object.fromEntries(form) as Record<string, string>
  expect(JSON.parse(fields['stock_items']!)).toEqual(
    [...items].reverse().map((item) => ({ id: item.id, sales_price: item === items[0] ? 15_550 : 14_990 })),
  )
  expect(Number(fields['customer_id'])).toBeGreaterThan(0)
  expect(fields).toMatchObject({
    total_purchase_price: '20000',
    total_sales_price: '30540',
    total_sales_price_vat: '30540',
    batch_id: String(batch.id),
    salesPrice: '',
    includeVat: 'false',
    reference_number: 'PO-FORM',
    remove_from_batch: 'false',
    remove_from_basket: 'true',
    create_invoice: 'true',
    create_excel: 'true',
    send_email: 'false',
    delete_batch: 'false',
  })
  // The items that the batch has handed over are sold, and their draft has ended.
  await page.goto('/admin/sale/create')
  await expect(page.getByText('There is nothing to sell yet.')).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('draft ')))).toEqual([])
})

testInTurn(
  'a new customer left empty: a message under every required field, and one for the items beside them',
  async () => {
    const { page, call, id } = await shop.colleague()
    const [item, gone] = await newItems(call, 2)
    await call('PUT', `user/${id}/basket`, { items: [item!.id, gone!.id] })
    await page.goto('/admin/sale/create')
    await page.getByRole('tab', { name: 'Summary' }).click()
    await page.getByText('New customer', { exact: true }).click()
    await newSale((await shop.colleague()).call, [gone!])
    await page.getByRole('button', { name: 'Create Sale (2)' }).click()
    const required = ['First name', 'Last name', 'Email', 'Address line 1', 'Postal code', 'City']
    for (const name of required)
      await expect(page.getByRole('textbox', { name })).toHaveAccessibleDescription('This field is required.')
    for (const name of ['Phone', 'Company', 'Address line 2', 'State'])
      await expect(page.getByRole('textbox', { name })).not.toHaveAttribute('aria-invalid', 'true')
    expect(await page.getByText('Choose a customer or enter a new one.').count()).toBe(0)
    await expect(page.getByRole('textbox', { name: 'First name' })).toBeFocused()
    // Filling in one field removes only the error of that field.
    await page.getByRole('textbox', { name: 'City' }).fill('Cork')
    await expect(page.getByRole('textbox', { name: 'City' })).not.toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('textbox', { name: 'Postal code' })).toHaveAttribute('aria-invalid', 'true')
    await page.getByRole('tab', { name: 'Products (2) has errors' }).click()
    await expect(page.getByRole('alert').filter({ hasText: `Item #${gone!.id}` })).toBeVisible()
    await expect(rowsOf(page, 'Items of the sale').filter({ hasText: gone!.imei! })).toContainText('Sold')
    await expect(page.getByText('1 item cannot be sold')).toContainText('In Stock, In Batch. Remove it')
    // It gets no price.
    await page.getByRole('button', { name: 'Price by group' }).click()
    const prices = page.getByRole('dialog', { name: 'Price by group' })
    await expect(prices).toContainText('1 item in 1 group')
    await prices.getByRole('button', { name: 'Cancel' }).click()
    await expect(prices).toHaveCount(0)
    await page.getByRole('button', { name: 'Remove it from the list' }).click()
    await expect(rowsOf(page, 'Items of the sale')).toHaveCount(1)
    await expect(page.getByText('1 item cannot be sold')).toHaveCount(0)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('tab', { name: 'Summary' }).click()
    await expect(page.getByRole('combobox', { name: 'Customer' })).toBeVisible()
    await expect(page.getByText('kept in this browser')).toHaveCount(0)
  },
)

testInTurn('the bar counts what has a price, and names what has none or cannot be read', async () => {
  const { page, call, id } = await shop.colleague()
  const [dear, cheap] = await newItems(call, 2)
  const unpriced = await newItems(call, 2, { sales_price: null })
  const items = [dear!, cheap!, ...unpriced]
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/sale/create')
  await expect(bar(page)).toContainText('2 without a price')
  await expect(bar(page)).toContainText('Excl. VAT299.80 EUR')
  await expect(bar(page)).toContainText('Profit99.80 EUR')

  await priceOf(page, dear!).fill('1,249.00')
  await expect(bar(page)).toContainText('1 price cannot be read')
  await expect(bar(page)).toContainText('Excl. VAT149.90 EUR')
  await expect(bar(page)).toContainText('Profit49.90 EUR')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await expect(page.getByText('Without a price, not counted below').locator('..')).toContainText('2')
  await expect(page.getByText('Price cannot be read, not counted below').locator('..')).toContainText('1')
  await page.getByRole('tab', { name: 'Products' }).click()

  // Enter moves down the column of prices, with Shift up.
  await priceOf(page, dear!).press('Enter')
  await expect(priceOf(page, cheap!)).toBeFocused()
  await page.keyboard.type('120')
  await expect(priceOf(page, cheap!)).toHaveValue('120')
  await priceOf(page, cheap!).press('Shift+Enter')
  await expect(priceOf(page, dear!)).toBeFocused()
  for (const [key, to] of [
    ['ArrowDown', cheap!],
    ['ArrowUp', dear!],
    ['Tab', cheap!],
    ['Shift+Tab', dear!],
  ] as const) {
    await page.keyboard.press(key)
    await expect(priceOf(page, to)).toBeFocused()
  }
  await priceOf(page, dear!).press('Control+Delete')
  await expect(priceOf(page, dear!)).toHaveCount(0)
  await expect(priceOf(page, cheap!)).toBeFocused()
  await page.getByRole('button', { name: `Remove #${cheap!.id} from the sale` }).click()
  await expect(bar(page)).toContainText('Excl. VAT-Incl. VAT-Profit-')
  const forAll = page.getByRole('textbox', { name: 'One price for all' })
  await forAll.fill('12345.67')
  expect(await forAll.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await forAll.fill('90')
  await page.keyboard.press('Enter')
  await expect(bar(page)).not.toContainText('without a price')
  // Now that there are prices, the loss is shown.
  await expect(bar(page)).toContainText('Profit-20.00 EUR')
  // Behind the last line that is removed, there is none: the line before it gets the focus.
  const prices = page.getByRole('textbox', { name: /^Sales price of #/ })
  const name = await prices.first().getAttribute('aria-label')
  await prices.last().press('Control+Delete')
  await expect(prices).toHaveCount(1)
  await expect(prices).toBeFocused()
  await expect(prices).toHaveAccessibleName(name!)
})

for (const width of [768, 1024, 1200])
  testInTurn(`no column of a new sale is out of sight at ${width} px`, async () => {
    const { page, call, id } = await shop.colleague('ROLE_ADMIN', { viewport: { width, height: 900 } })
    const [make, category] = [await first(call, 'make/find'), await first(call, 'category/find')]
    const model = unique('Galaxy S24 Ultra Enterprise Edition 5G Dual SIM')
    const product = await create(call, 'product', { make_id: make.id, category_id: category.id, model })
    const items = await newItems(call, 2, { actual_product_id: product.id })
    await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
    await page.goto('/admin/sale/create')
    const remove = page.getByRole('button', { name: `Remove #${items[0]!.id} from the sale` })
    await expect(remove).toBeInViewport({ ratio: 1 })
    const table = page.getByRole('table', { name: 'Items of the sale' })
    expect((await table.boundingBox())!.width).toBeLessThanOrEqual(
      (await table.locator('..').evaluate((place) => place.clientWidth)) + 1,
    )
  })

/** Pastes items into Quick Order, and opens a sale of them. */
async function sellPasted(page: Page, items: readonly StockRow[]): Promise<void> {
  await page.goto('/admin/quick-order')
  await page.getByRole('textbox', { name: 'IMEIs or serial numbers' }).fill(items.map(({ imei }) => imei).join('\n'))
  await page.getByRole('button', { name: 'Create Sale', exact: true }).click()
  await page.waitForURL('**/admin/sale/create')
}

test('a sale of other items has a draft of its own, and leaves the first one as it was', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 2)
  const [other] = await newItems(call, 1)
  const batch = await create(call, 'batch', { name: unique('Long'), items: items.map((item) => item.id) })
  await call('PUT', `user/${id}/basket`, { items: [other!.id] })
  await page.goto(`/admin/batch/edit/${batch.id}`)
  await page.getByRole('button', { name: 'Create Sale (2)' }).click()
  await page.waitForURL('**/admin/sale/create')
  await priceOf(page, items[0]!).fill('155,50')
  await page.getByText('incl. VAT', { exact: true }).click()
  await page.getByRole('tab', { name: 'Summary' }).click()
  const reference = page.getByRole('textbox', { name: 'Reference number' })
  const sendsEmail = page.getByRole('checkbox', { name: 'Send email' })
  await reference.fill('PO-BACK')
  await sendsEmail.uncheck()
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()

  // A customer walks in, while the first sale is still on screen.
  await page.getByRole('button', { name: 'Basket, 1 item', exact: true }).click()
  await page.getByRole('button', { name: 'Sale', exact: true }).click()
  await expect(priceOf(page, other!)).toHaveValue('149.90')
  await expect(page.getByRole('tab', { name: 'Products (1)' })).toBeVisible()
  expect(await page.getByText('kept in this browser').count()).toBe(0)
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('combobox', { name: 'Customer' }).fill('Bakker')
  await page.getByRole('option', { name: /Bakker/ }).click()
  await sendsEmail.uncheck()
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()
  await page.getByRole('button', { name: 'Create Sale (1)' }).click()
  await page.waitForURL('**/admin/sale/edit/*')

  await page.goto(`/admin/batch/edit/${batch.id}`)
  await page.getByRole('button', { name: 'Create Sale (2)' }).click()
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(priceOf(page, items[0]!)).toHaveValue('155.50')
  const inclVat = page.getByRole('columnheader', { name: 'Sales Price (incl. VAT)' })
  await expect(inclVat).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(priceOf(page, items[0]!)).toHaveValue('149.90')
  await expect(inclVat).toHaveCount(0)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(priceOf(page, items[0]!)).toHaveValue('155.50')

  // If the answer to the sale is lost, the draft is back after a reload, and sells nothing a second time.
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('combobox', { name: 'Customer' }).fill('Bakker')
  await page.getByRole('option', { name: /Bakker/ }).click()
  await expect(reference).toHaveValue('PO-BACK')
  await expect(sendsEmail).not.toBeChecked()
  await page.route('**/api/sale/create', async (route) => {
    await route.fetch()
    await route.abort('internetdisconnected')
  })
  await page.getByRole('button', { name: 'Create Sale (2)' }).click()
  await expect(page.getByText('The server cannot be reached').first()).toBeVisible()
  await page.reload()
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(page.getByText('2 items cannot be sold')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Create Sale/ })).toBeDisabled()
})

testInTurn('a line that was taken off is back if its item is handed over in another list', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 3)
  const refusal = { status: 409, json: { success: false, message: 'Not now.' } }
  await page.route('**/api/vat/find?*', (route) => route.fulfill(refusal))
  await sellPasted(page, items)
  await expect(page.getByRole('alert')).toContainText('Not now.')
  await page.unroute('**/api/vat/find?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await priceOf(page, items[1]!).fill('120')
  await page.getByRole('button', { name: `Remove #${items[2]!.id} from the sale` }).click()
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()

  await sellPasted(page, items)
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(page.getByRole('tab', { name: 'Products (2)' })).toBeVisible()
  expect(await priceOf(page, items[2]!).count()).toBe(0)

  await sellPasted(page, items.slice(1))
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(priceOf(page, items[1]!)).toHaveValue('120.00')
  await expect(priceOf(page, items[2]!)).toHaveValue('149.90')
})

testInTurn('a draft brings back the prices that were typed, and the others as they are today', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 2)
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/sale/create')
  await priceOf(page, items[0]!).fill('120')
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()
  await page.goto('/admin/make')
  for (const item of items) await call('POST', `stock/${item.id}/edit`, { sales_price: 19_900 })
  await page.goto('/admin/sale/create')
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(priceOf(page, items[0]!)).toHaveValue('120.00')
  await expect(priceOf(page, items[1]!)).toHaveValue('199.00')

  // A text that is no price comes back as such. Otherwise the item would be sold for its own price.
  await priceOf(page, items[0]!).fill('1,249.00')
  await expect(bar(page)).toContainText('1 price cannot be read')
  await page.goto('/admin/make')
  await page.goto('/admin/sale/create')
  await expect(priceOf(page, items[0]!)).toHaveValue('1,249.00')
  await expect(bar(page)).toContainText('1 price cannot be read')
})

testInTurn('a tab that is left does not take a draft back to its own, older state', async () => {
  const { page, context, call, id } = await shop.colleague()
  const items = await newItems(call, 2)
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/sale/create')
  await priceOf(page, items[0]!).fill('120')
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()
  const kept = () =>
    page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('draft sale'))?.[1])
  await expect.poll(kept).toContain('12000')

  const other = await context.newPage()
  await other.goto('/admin/sale/create')
  await expect(other.getByText('Your draft is back.')).toBeVisible()
  await priceOf(other, items[1]!).fill('130')
  await expect.poll(kept).toContain('13000')
  await other.goto('/admin/make')
  await page.goto('/admin/make')
  await other.goto('/admin/sale/create')
  await expect(other.getByText('Your draft is back.')).toBeVisible()
  await expect(priceOf(other, items[1]!)).toHaveValue('130.00')
  await expect(priceOf(other, items[0]!)).toHaveValue('120.00')
  await other.close()
})

testInTurn('the draft of a sale from a batch comes back if a colleague has deleted the batch', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 2)
  const batch = await create(call, 'batch', { name: unique('Gone'), items: items.map((item) => item.id) })
  await page.goto(`/admin/batch/edit/${batch.id}`)
  await page.getByRole('button', { name: 'Create Sale (2)' }).click()
  await page.waitForURL('**/admin/sale/create')
  await priceOf(page, items[0]!).fill('155.50')
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()
  await call('DELETE', `batch/${batch.id}/delete`)
  await page.reload()
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(priceOf(page, items[0]!)).toHaveValue('155.50')
})

testInTurn('a sale from a batch that a colleague deletes meanwhile is made at the second try', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 1)
  const batch = await create(call, 'batch', { name: unique('Gone'), items: items.map((item) => item.id) })
  await page.goto(`/admin/batch/edit/${batch.id}`)
  await page.getByRole('button', { name: 'Create Sale (1)' }).click()
  await page.waitForURL('**/admin/sale/create')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('combobox', { name: 'Customer' }).fill('Bakker')
  await page.getByRole('option', { name: /Bakker/ }).click()
  await page.getByRole('checkbox', { name: 'Send email' }).uncheck()
  await call('DELETE', `batch/${batch.id}/delete`)
  await page.getByRole('button', { name: 'Create Sale (1)' }).click()
  await expect(page.getByRole('alert').filter({ hasText: `Batch #${batch.id} does not exist.` })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: `Delete batch #${batch.id}` })).toHaveCount(0)
  await page.getByRole('button', { name: 'Create Sale (1)' }).click()
  await page.waitForURL('**/admin/sale/edit/*')
})
