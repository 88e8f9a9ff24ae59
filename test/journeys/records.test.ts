import type { Locator, Page } from '@playwright/test'
import { expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect, hold, logIn } from './browser-page.ts'
import {
  answer,
  endSession,
  type Found,
  logInHere,
  openShop,
  paste,
  rowsOf,
  stayByEscape,
  toast,
  unique,
} from './sample-shop.ts'
import { barriersInBothThemes } from './screen-check.ts'
import { create, first, newItems, newSale } from './shop-records.ts'

const shop = openShop()
const REFUSAL = { status: 409, json: { success: false, message: 'Not now' } }

testInTurn('a list is searched once typing pauses, in the address, and Back leaves it', async () => {
  const { page } = await shop.admin()
  const asked: string[] = []
  page.on('request', (request) => /product\/find.*search=/.test(request.url()) && asked.push(request.url()))
  await page.goto('/admin/stock')
  const release = await hold(page, '**/api/product/find*')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Product' }).click()
  await expect(page.getByRole('table', { name: 'Product' })).toHaveAttribute('aria-busy', 'true')
  await expect(rowsOf(page, 'Product')).toHaveCount(10)
  release()
  await expect(page.getByText(/Showing 1 to 10 of \d+ entries/)).toBeVisible()

  await page.getByRole('searchbox').pressSequentially('iphone 13', { delay: 15 })
  await page.waitForURL('**/admin/product?search=iphone+13')
  await expect(rowsOf(page, 'Product').first()).toContainText('iPhone 13')
  expect(asked).toHaveLength(1)
  await page.getByRole('button', { name: 'Clear the search' }).click()
  await page.waitForURL('**/admin/product')
  await page.getByRole('searchbox').fill('no such phone')
  await expect(page.getByRole('cell', { name: 'No results found.' })).toBeVisible()
  await page.goBack()
  await page.waitForURL('**/admin/stock')
})

testInTurn('an arrow key opens a dropdown at what is chosen, and until then nothing points at a list', async () => {
  const { page } = await shop.admin()
  const lists = page.getByRole('listbox', { includeHidden: true })
  const opens = async (field: Locator, chosen: string) => {
    const pointsTo = (attribute: string) =>
      field.evaluate((input, name) => document.getElementById(input.getAttribute(name) ?? '')?.textContent, attribute)
    expect(await field.getAttribute('aria-controls')).toBeNull()
    await field.focus()
    await field.press('ArrowDown')
    await expect.poll(() => pointsTo('aria-controls')).toContain(chosen)
    await expect.poll(() => pointsTo('aria-activedescendant')).toBe(chosen)
    await field.press('Escape')
    await expect(page.getByRole('listbox')).toHaveCount(0)
    await expect(field).not.toHaveAttribute('aria-controls')
  }

  await page.goto('/admin/product')
  await rowsOf(page, 'Product').first().getByRole('link').click()
  const make = page.getByRole('combobox', { name: 'Make' })
  // Until its name has come, '…' stands in its place.
  await expect(make).toHaveValue(/[a-z]/i)
  expect(await lists.count()).toBe(0)
  await opens(make, await make.inputValue())
  await opens(page.getByRole('combobox', { name: 'Capacity unit' }), 'GB')
  // A select can create a missing category.
  const category = page.getByRole('combobox', { name: 'Category' })
  const missing = unique('Phones')
  await category.click()
  await category.fill(missing)
  await page.getByRole('option', { name: `Create "${missing}"` }).click()
  await expect(category).toHaveValue(missing)
  await page.getByRole('button', { name: 'Discard' }).click()

  await page.goto('/admin/stock')
  await expect(rowsOf(page, 'Stock Overview').first().getByRole('link')).toBeVisible()
  const status = page.locator('input[aria-label="Status"]')
  await expect(status).toBeAttached()
  expect(await lists.count()).toBe(0)
  await opens(status, 'In Stock')
  // Arrow Down opens the list. Enter then removes the chosen option.
  await status.press('ArrowDown')
  await status.press('Enter')
  await page.waitForURL('**/admin/stock?status=')
})

testInTurn('a list is sorted by its heads, as the address says', async () => {
  const { page, call } = await shop.admin()
  await page.goto('/admin/product')
  const ids = () => rowsOf(page, 'Product').getByRole('link').allInnerTexts()
  for (const [direction, order] of [
    ['descending', 'model_desc'],
    ['ascending', 'model_asc'],
  ] as const) {
    await page.getByRole('columnheader', { name: 'Model' }).getByRole('button').click()
    await expect(page.getByRole('columnheader', { name: 'Model' })).toHaveAttribute('aria-sort', direction)
    await page.waitForURL(`**/admin/product?order_by=${order}`)
    const { data } = await call<Found<{ id: number }>>('GET', `product/find?order_by=${order}`)
    await expect.poll(ids).toEqual(data.map(({ id }) => String(id)))
  }
  await expect(page.getByRole('columnheader').getByRole('button')).toHaveText(['#', 'Model'])
})

testInTurn('rows per page, the window of pages, and the way back', async () => {
  const { page, context } = await shop.admin()
  await page.goto('/admin/product')
  await expect(page.getByRole('button', { name: /^Page \d+$/ })).toHaveText(['1', '2', '3', '4', '5', '6'])
  await page.goto('/admin/product?per_page=37')
  const size = page.getByRole('combobox', { name: 'Rows per page' })
  await expect(size).toHaveValue('37')
  await expect(size.getByRole('option')).toHaveText(['10', '25', '37', '50', '100', '250'])
  await expect(rowsOf(page, 'Product')).toHaveCount(37)

  await page.goto('/admin/stock?status=')
  await expect(page.getByRole('button', { name: /^Page \d+$/ })).toHaveText(['1', '2', '3', '4', '5', '40'])
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.waitForURL('**/admin/stock?status=&page=2')
  await page.getByRole('button', { name: 'Page 40' }).click()
  await expect(page.getByText('Showing 391 to 400 of 400 entries')).toBeVisible()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(page.getByRole('button', { name: /^Page \d+$/ })).toHaveText(['1', '36', '37', '38', '39', '40'])
  await page.goBack()
  await page.goBack()
  await expect(page.getByText('Showing 11 to 20 of 400 entries')).toBeVisible()

  // After a change of the page size the list is on page 1 and keeps the size. A page behind the last one leads to the
  // last one.
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('250')
  await expect(page.getByText('Showing 1 to 250 of 400 entries')).toBeVisible()
  await page.goto('/admin/stock?status=&page=99')
  await expect(page.getByText('Showing 251 to 400 of 400 entries')).toBeVisible()
  await page.goto('/admin/stock?status=&per_page=10&page=99')
  await expect(page.getByText('Showing 391 to 400 of 400 entries')).toBeVisible()

  // A record that is opened from the end of a long list begins at its top, and Back leads to that end again.
  await page.setViewportSize({ width: 1400, height: 400 })
  await page.goto('/admin/stock?status=&per_page=50')
  const last = rowsOf(page, 'Stock Overview').nth(49).getByRole('link').first()
  const address = page.url()
  const opened = context.waitForEvent('page')
  await last.click({ modifiers: ['Control'] })
  const other = await opened
  await other.waitForURL('**/admin/stock/edit/*')
  await other.close()
  expect(page.url()).toBe(address)
  const scrolled = () => page.evaluate(() => Math.round(scrollY))
  const before = await scrolled()
  expect(before).toBeGreaterThan(400)
  // The second time the record is there already, so that the screen has its full height at once.
  for (let time = 0; time < 2; time++) {
    await last.click()
    await page.waitForURL('**/admin/stock/edit/*')
    await expect(page.getByRole('button', { name: 'Print label', exact: true })).toBeVisible()
    await expect.poll(scrolled).toBe(0)
    await page.goBack()
    await expect(last).toBeVisible()
    await expect.poll(scrolled).toBe(before)
  }
})

testInTurn('filters stand in the address: absent is the default, empty means all', async () => {
  const { page, call } = await shop.admin()
  const count = async (status: string) => (await call<Found<object>>('GET', `stock/find?status=${status}`)).total
  await page.goto('/admin/stock')
  const entries = (total: number) => expect(page.getByText(`of ${total.toLocaleString('en')} entries`)).toBeVisible()
  await entries(await count('In Stock'))
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.waitForURL('**/admin/stock?status=')
  await entries(400)
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Sold' }).click()
  await page.getByRole('option', { name: 'Deleted' }).click()
  await page.waitForURL('**/admin/stock?status=Sold%2CDeleted')
  await entries((await count('Sold')) + (await count('Deleted')))
  await page.reload()
  await entries((await count('Sold')) + (await count('Deleted')))
  await page.goBack()
  await entries(await count('Sold'))
  await page.goto('/admin/sale')
  await entries((await call<Found<object>>('GET', 'sale/find?status=New,Requires%20Attention')).total)
})

test('a customer with both addresses', async () => {
  const { page } = await shop.admin()
  const last = unique('Ångström')
  await page.goto('/admin/customer/create')
  await page.getByRole('button', { name: 'Create' }).click()
  for (const name of ['First name', 'Last name', 'Email'])
    await expect(page.getByRole('textbox', { name })).toHaveAccessibleDescription(/.+/)
  await page.getByRole('textbox', { name: 'First name' }).fill('Åsa')
  await page.getByRole('textbox', { name: 'Last name' }).fill(last)
  await page.getByRole('textbox', { name: 'Email' }).fill('asa@example.test')

  const kind = (name: string) => page.locator('section').filter({ has: page.getByRole('heading', { name }) })
  const delivery = kind('Delivery address')
  const billing = kind('Billing address')
  await delivery.getByRole('textbox', { name: 'Address line 1' }).fill('Storgatan 1')
  await page.keyboard.press('Enter')
  await expect(delivery.getByRole('textbox', { name: 'City' })).toHaveAccessibleDescription(
    'This field is required in an address.',
  )
  await expect(billing.getByRole('textbox', { name: 'City' })).toHaveAccessibleDescription('')
  await delivery.getByRole('textbox', { name: 'Postal code' }).fill('111 22')
  await delivery.getByRole('textbox', { name: 'City' }).fill('Stockholm')
  await delivery.getByRole('combobox', { name: 'Country' }).fill('Swed')
  await page.getByRole('option', { name: 'Sweden' }).click()
  await billing.getByRole('button', { name: 'Copy from delivery address' }).click()
  // A pasted address fills its own fields, and keeps what it does not name.
  await paste(billing.getByRole('textbox', { name: 'Address line 1' }), 'Box 99\n411 03 Göteborg')
  await expect(billing.getByRole('textbox', { name: 'City' })).toHaveValue('Göteborg')
  await expect(delivery.getByRole('textbox', { name: 'City' })).toHaveValue('Stockholm')

  await page.getByRole('combobox', { name: 'Profile' }).click()
  await page.getByRole('option', { name: 'Peppol BIS Billing 3' }).click()
  const electronic = page.getByRole('textbox', { name: 'Electronic address' })
  // A whole address that is pasted chooses its kind.
  await electronic.fill('0007:556036-0794')
  await expect(page.getByRole('combobox', { name: 'Kind of electronic address' })).toHaveValue(/Sweden \(0007\)$/)
  await page.keyboard.press('Enter')
  await expect(electronic).toHaveAccessibleDescription(/Its check digits do not match\./)
  await electronic.fill('556036-0793')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/customer')

  await page.getByRole('searchbox').fill(last)
  await expect(rowsOf(page, 'Customer')).toHaveCount(1)
  await expect(rowsOf(page, 'Customer')).toContainText(`Åsa ${last}`)
  await rowsOf(page, 'Customer').getByRole('link').click()
  await expect(delivery.getByRole('textbox', { name: 'Address line 1' })).toHaveValue('Storgatan 1')
  await expect(delivery.getByRole('combobox', { name: 'Country' })).toHaveValue('Sweden')
  await expect(billing.getByRole('textbox', { name: 'Address line 1' })).toHaveValue('Box 99')
  await expect(billing.getByRole('textbox', { name: 'Postal code' })).toHaveValue('411 03')
  await expect(billing.getByRole('combobox', { name: 'Country' })).toHaveValue('Sweden')
  await delivery.getByRole('button', { name: 'Copy from billing address' }).click()
  await expect(delivery.getByRole('textbox', { name: 'Address line 1' })).toHaveValue('Box 99')
  await expect(delivery.getByRole('textbox', { name: 'City' })).toHaveValue('Göteborg')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(delivery.getByRole('textbox', { name: 'Address line 1' })).toHaveValue('Storgatan 1')
  await expect(rowsOf(page, 'Sales')).toContainText(['No results found.'])
  await page.getByRole('textbox', { name: 'Company' }).fill('Mobil AB')
  // While the answer is awaited, the form shows it, and nothing is sent again.
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  const release = await hold(page, '**/api/customer/*/edit')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('button', { name: 'Save' })).toHaveAttribute('data-loading', 'true')
  release()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  expectValue(sent).toEqual([expectValue.stringMatching(/^\/api\/customer\/\d+\/edit$/)])
  await page.getByRole('button', { name: 'Logs' }).click()
  await expect(page.getByText('Company Name').first()).toBeVisible()
})

testInTurn("a customer's sales stand below the form and lead to the sale", async () => {
  const { page, call } = await shop.admin()
  const { data: sales } = await call<Found<{ id: number; customer_id: number; reference_number: string }>>(
    'GET',
    'sale/find?search=PO-&status=Dispatched&order_by=id_asc',
  )
  const sale = sales[0]!
  await page.route('**/api/sale/find?*', (route) => route.fulfill(REFUSAL))
  await page.goto(`/admin/customer/edit/${sale.customer_id}`)
  await expect(page.getByRole('alert')).toContainText('Not now')
  await page.unroute('**/api/sale/find?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  const section = page.getByRole('button', { name: 'Sales', exact: true })
  await expect(section).toHaveAttribute('aria-expanded', 'true')
  const rows = rowsOf(page, 'Sales')
  await expect(rows.filter({ hasText: sale.reference_number })).toContainText('Dispatched')
  await page.getByRole('columnheader', { name: 'Date' }).getByRole('button').click()
  await expect(page.getByRole('columnheader', { name: 'Date' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(rows.first()).toContainText(sale.reference_number)
  await section.click()
  await expect(page.getByRole('table', { name: 'Sales' })).toBeHidden()
  await section.click()
  await rows.first().getByRole('link').click()
  await page.waitForURL(`**/admin/sale/edit/${sale.id}`)

  await page.goto(`/admin/customer?search=${sale.customer_id}`)
  await page.getByRole('button', { name: `Delete #${sale.customer_id}`, exact: true }).click()
  await answer(page, 'Are you sure you want to delete this entry?', 'Delete')
  await expect(toast(page).getByText(/is used by .* and cannot be deleted/)).toBeVisible()
})

testInTurn('the sales of a customer begin with the newest, however those of the one before were sorted', async () => {
  const { page, call } = await shop.admin()
  const { customer_id } = await first<{ customer_id: number }>(call, 'sale/find')
  const { full_name } = await first<{ full_name: string }>(call, `customer/find?id=${customer_id}`)
  const last_name = unique('Later')
  const other = await create(call, 'customer', { first_name: 'Nora', last_name, email: 'nora.later@backstock.test' })
  const sales: number[] = []
  for (const item of await newItems(call, 11))
    sales.push((await newSale(call, [item], { customer_id: other.id, create_invoice: false })).id)
  const date = page.getByRole('columnheader', { name: 'Date' })
  await page.goto(`/admin/customer/edit/${other.id}`)
  await expect(date).toHaveAttribute('aria-sort', 'descending')
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Quick search' })
  await expect(search.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(full_name)
  await search.getByRole('option', { name: `#${customer_id} ${full_name}` }).click()
  await page.waitForURL(`**/admin/customer/edit/${customer_id}`)
  await expect(rowsOf(page, 'Sales').getByRole('link').first()).toBeVisible()
  await date.getByRole('button').click()
  await expect(date).toHaveAttribute('aria-sort', 'ascending')
  await page.goBack()
  await expect(page.getByRole('textbox', { name: 'Last name' })).toHaveValue(last_name)
  await expect(date).toHaveAttribute('aria-sort', 'descending')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(rowsOf(page, 'Sales')).toHaveCount(1)
  await expect(rowsOf(page, 'Sales').getByRole('link').first()).toHaveText(String(sales[0]))
})

testInTurn('a new customer typed on a sale is not lost by Escape or a click outside', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/sale/create')
  await page.getByRole('tab', { name: 'Summary' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Customer' })
  await page.getByRole('button', { name: 'Add customer' }).click()
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  const add = () => page.getByRole('button', { name: 'Add customer' }).click()
  const createTyped = async () => {
    await page.getByRole('combobox', { name: 'Customer' }).fill('Nobody')
    await page.getByRole('option', { name: 'Create "Nobody"' }).click()
  }
  for (const open of [add, createTyped]) {
    await open()
    await dialog.getByRole('textbox', { name: 'First name' }).fill('Anna')
    await page.keyboard.press('Escape')
    await stayByEscape(page)
    await expect(dialog.getByRole('textbox', { name: 'First name' })).toHaveValue('Anna')
    await page.mouse.click(5, 5)
    await answer(page, 'You have unsaved changes.', 'Leave')
    await expect(dialog).toBeHidden()
  }
})

testInTurn(
  'a half typed form asks before the tab closes, and tells a refusal to a person who has left it',
  async () => {
    const { page } = await shop.colleague()
    await page.goto('/admin/make/create')
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.pressSequentially('Half')
    const asked = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await expect(name).toHaveValue('Half')

    const { promise: left, resolve: hasLeft } = Promise.withResolvers<void>()
    await page.route('**/api/make/create', async (route) => {
      await left
      await route.fulfill({ status: 409, json: { success: false, message: 'There is one already.' } })
    })
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Make' }).click()
    await answer(page, 'You have unsaved changes.', 'Leave')
    await expect(page.getByRole('heading', { level: 1, name: 'Make', exact: true })).toBeVisible()
    hasLeft()
    await expect(toast(page)).toContainText('There is one already.')
  },
)

testInTurn('a new customer whose answer was lost is created once', async () => {
  const { page, call } = await shop.colleague()
  const last_name = unique('Lost')
  await page.goto('/admin/customer/create')
  await page.getByRole('textbox', { name: 'First name' }).fill('Lea')
  await page.getByRole('textbox', { name: 'Last name' }).fill(last_name)
  await page.getByRole('textbox', { name: 'Email' }).fill('lea@example.test')
  let sent = 0
  await page.route('**/api/customer/create', async (route) => {
    const response = await route.fetch()
    if (++sent === 1) await route.abort('internetdisconnected')
    else await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The server cannot be reached' })).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.waitForURL('**/admin/customer')
  expect(await call('GET', `customer/find?search=${encodeURIComponent(last_name)}`)).toMatchObject({ total: 1 })
})

testInTurn('a returned item counts neither in the profit nor in what it is a percentage of', async () => {
  const { page, call } = await shop.admin()
  const items = await newItems(call, 2)
  const sale = await newSale(call, items)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${sale.id}/edit`, { status })
  const line = (name: RegExp) => page.locator('dl > div').filter({ has: page.getByText(name) })
  await page.goto(`/admin/sale/edit/${sale.id}?tab=summary`)
  await expect(line(/^Profit$/)).toContainText('99.80 EUR')
  await expect(line(/^Gross profit$/)).toContainText('49.90%')
  await call('POST', `sale/${sale.id}/return-item/${items[0]!.id}`)
  await page.reload()
  await expect(line(/^Profit \(without 1 returned\)$/)).toContainText('49.90 EUR')
  await expect(line(/^Gross profit$/)).toContainText('49.90%')
})

testInTurn('acts that ROLE_USER may not do are not offered', async () => {
  const { page, id } = await shop.colleague('ROLE_USER')
  await page.goto('/admin/user')
  const remove = page.getByRole('button', { name: /^Delete #/ })
  await expect(remove.first()).toBeVisible()
  for (const button of await remove.all()) await expect(button).toBeDisabled()
  expect(await page.getByRole('link', { name: 'Add new' }).count()).toBe(0)
  const menu = page.getByRole('navigation', { name: 'Main' })
  await expect(menu.getByRole('link', { name: 'Customer' })).toBeVisible()
  expect(await menu.getByRole('link', { name: 'Partner' }).count()).toBe(0)

  const { data } = await (await page.request.get('/api/user/find?search=Sanne')).json()
  await page.goto(`/admin/user/edit/${data[0].id}`)
  await expect(page.getByText('You can look at this record, but not change it.')).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeDisabled()
  // Nor does the form ask for a password that the person may not change.
  const offered = [
    page.getByRole('button', { name: 'Save' }),
    page.getByRole('button', { name: 'Upload Avatar' }),
    page.getByText('Leave empty to keep the current password.'),
  ]
  for (const one of offered) expect(await one.count()).toBe(0)
  await page.goto(`/admin/user/edit/${id}`)
  for (const one of offered) await expect(one).toBeVisible()

  await page.goto('/admin/vat')
  await expect(page.getByText(/^Showing 1 to/)).toBeVisible()
  expect(await page.getByRole('link', { name: 'Add new' }).count()).toBe(0)
  for (const path of ['user/create', 'vat/create', 'company', 'partner', 'partner/create']) {
    await page.goto(`/admin/${path}`)
    await expect(page.getByRole('heading', { name: 'No permission' })).toBeVisible()
  }
  await page.goto('/admin/make')
  await expect(page.getByRole('link', { name: 'Add new' })).toBeVisible()
  await page.goto('/admin/customer/create')
  const debtor = page.getByRole('textbox', { name: 'Debtor number' })
  await expect(debtor).toHaveAttribute('readonly')
  await expect(debtor).toHaveAccessibleDescription(/Only administrators change it\.$/)
})

test('an administrator adds staff, sets a password, changes a role and closes the account', async () => {
  const { page } = await shop.admin()
  const name = unique('Newcomer')
  const email = `${name.replace(' ', '.').toLowerCase()}@backstock.test`
  await page.goto('/admin/user/create')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await expect(page.getByRole('combobox', { name: 'Role' })).toHaveValue('User')
  const password = page.getByLabel(/^Password( \*)?$/)
  await password.fill('short')
  await page.keyboard.press('Enter')
  await expect(password).toHaveAccessibleDescription(/8/)
  await password.fill('long enough')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/user')

  const { page: theirs } = await shop.stranger()
  await logIn(theirs, { email, password: 'long enough' })
  await theirs.getByRole('button', { name: 'Setup' }).click()
  await expect(theirs.getByRole('link', { name: 'Grade' })).toBeVisible()
  expect(await theirs.getByRole('link', { name: 'Company' }).count()).toBe(0)

  const row = rowsOf(page, 'Staff').filter({ hasText: email })
  await row.getByRole('link').first().click()
  await expect(page.getByText('Leave empty to keep the current password.')).toBeVisible()
  await page.getByRole('combobox', { name: 'Role' }).click()
  await page.getByRole('option', { name: 'Admin' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  await theirs.reload()
  await expect(theirs.getByRole('link', { name: 'Company' })).toBeVisible()

  await page.goto('/admin/user')
  await expect(page.getByRole('button', { name: 'Delete #1', exact: true })).toBeDisabled()
  await row.getByRole('button', { name: /^Delete #/ }).click()
  await answer(page, 'Are you sure you want to delete this entry?', 'Delete')
  // The row disappears before the server has answered.
  await expect(row).toHaveCount(0)
  await expect(toast(page).getByText(/deleted\.$/)).toBeVisible()
  await theirs.reload()
  await theirs.waitForURL('**/login')
})

testInTurn("a partner's key is shown once, works, and ends with the next one, or when it is revoked", async () => {
  const { page, context } = await shop.admin()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const name = unique('Webshop')
  await page.goto('/admin/partner/create')
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  // The customer does not exist yet. It is created in place, with its name filled in from the typed text.
  const buyer = unique('Nora')
  await page.getByRole('combobox', { name: 'Customer' }).fill(buyer)
  await page.getByRole('option', { name: `Create "${buyer}"` }).click()
  const dialog = page.getByRole('dialog', { name: 'New Customer' })
  await expect(dialog.getByRole('textbox', { name: 'First name' })).toHaveValue('Nora')
  await dialog.getByRole('textbox', { name: 'Email' }).fill('nora@newby.test')
  // The answer to the write has the whole record, so nothing more is read that could fail.
  const json = { success: false, message: 'Not now' }
  await page.route('**/api/customer/find?id=*', (route) => route.fulfill({ status: 409, json }))
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveValue(buyer)
  await page.unroute('**/api/customer/find?id=*')
  await page.getByRole('textbox', { name: 'Name' }).press('Enter')
  await page.waitForURL('**/admin/partner')
  await expect(rowsOf(page, 'Partner').filter({ hasText: name })).toContainText(buyer)
  await rowsOf(page, 'Partner').filter({ hasText: name }).getByRole('link').first().click()
  await expect(page.getByText('This partner has no key.')).toBeVisible()
  await page.getByRole('button', { name: 'Generate' }).click()
  const box = page.getByRole('textbox', { name: 'New key' })
  await expect(box).toBeFocused()
  const key = await box.inputValue()
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  const asPartner = async (bearer: string) =>
    (await fetch(`${shop.address()}/api/partner/v1/stock`, { headers: { authorization: `Bearer ${bearer}` } })).status
  expect(await asPartner(key)).toBe(200)

  await page.reload()
  await expect(page.getByText('This partner has a key. It cannot be shown again.')).toBeVisible()
  await expect(box).toHaveCount(0)
  await page.getByRole('button', { name: 'Generate' }).click()
  await answer(page, 'Generate a new key? The old key stops working at once.', 'Cancel')
  expect(await asPartner(key)).toBe(200)
  await page.getByRole('button', { name: 'Generate' }).click()
  await answer(page, 'Generate a new key? The old key stops working at once.', 'Generate')
  await expect(box).not.toHaveValue(key)
  await expect(box).toBeFocused()
  expect(await asPartner(key)).toBe(401)
  const second = await box.inputValue()
  expect(await asPartner(second)).toBe(200)

  const revoke = page.getByRole('button', { name: 'Revoke' })
  const question = 'Revoke the key? It stops working at once, and the partner gets no new one.'
  await revoke.click()
  await answer(page, question, 'Cancel')
  expect(await asPartner(second)).toBe(200)
  // After a refusal the key can still be revoked.
  await page.route('**/revoke-token', (route) => route.fulfill({ status: 409, json }), { times: 1 })
  await revoke.click()
  await answer(page, question, 'Revoke')
  await expect(toast(page)).toContainText('Not now')
  await revoke.click()
  await answer(page, question, 'Revoke')
  await expect(page.getByText('This partner has no key.')).toBeVisible()
  await expect(revoke).toHaveCount(0)
  await expect(box).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Generate' })).toBeFocused()
  expect(await page.getByRole('region', { name: 'Messages' }).getByText('New key').count()).toBe(0)
  expect(await asPartner(second)).toBe(401)
})

testInTurn('the company profile is changed and kept', async () => {
  const { page, call } = await shop.admin()
  await page.route('**/api/company', (route) => route.fulfill(REFUSAL))
  await page.goto('/admin/company')
  await expect(page.getByRole('alert')).toContainText('Not now')
  await page.unroute('**/api/company')
  await page.getByRole('button', { name: 'Try again' }).click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await expect(name).toHaveValue('Tweede Leven Mobiel B.V.')
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no picture') }
  await page.getByLabel('Logo', { exact: true }).setInputFiles(notes)
  await expect(page.getByRole('dialog')).toContainText('Only image files are allowed')
  await page.getByRole('button', { name: 'OK' }).click()
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 60, height: 40 } })
  const logo = page.getByRole('img', { name: 'Your logo' })
  await page
    .getByLabel('Logo', { exact: true })
    .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: picture })
  await expect(logo).toBeVisible()
  await page.getByRole('button', { name: 'Remove logo' }).click()
  await expect(logo).toHaveCount(0)
  // The VAT number does not change a country that was chosen already.
  const vatNumber = page.getByRole('textbox', { name: 'VAT number' })
  const ours = await vatNumber.inputValue()
  await vatNumber.fill('DE136695976')
  await expect(page.getByRole('combobox', { name: 'Country' })).toHaveValue('Netherlands')
  await vatNumber.fill(ours)
  // A wrong bank account is doubted once the field is left.
  const iban = page.getByRole('textbox', { name: 'IBAN' })
  const account = await iban.inputValue()
  await iban.fill('DE00370400440532013000')
  await iban.press('Tab')
  await expect(iban).toHaveAccessibleDescription('This does not look like a valid IBAN: its check digits do not match.')
  await iban.fill(account)
  await name.fill('')
  await page.keyboard.press('Enter')
  await expect(name).toHaveAccessibleDescription('This field is required.')
  await name.fill('Derde Leven B.V.')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Dublin')
  await page.getByRole('option', { name: 'Europe/Dublin' }).click()
  const sent = page.waitForRequest('**/api/company/edit')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  // The shop has VAT rates, so that nobody was asked about the usual ones.
  const body = (await sent).postDataJSON()
  for (const choice of ['with_usual_vat', 'with_usual_categories']) expect(body).not.toHaveProperty(choice)
  await page.reload()
  await expect(name).toHaveValue('Derde Leven B.V.')
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe/Dublin')

  // The form is long, and a message that is about no field stands above it.
  await name.fill('Vierde Leven B.V.')
  await call('POST', 'company/edit', { name: 'Vijfde Leven B.V.' })
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
  await expect(page.getByRole('heading', { level: 1 })).not.toBeInViewport()
  await page.getByRole('button', { name: 'Save' }).click()
  const trouble = page.getByRole('alert')
  await expect(trouble.filter({ hasText: 'This record has changed' })).toBeInViewport()
  // A profile that cannot be read now loses nothing that was typed, and the next try reads it.
  const phone = page.getByRole('textbox', { name: 'Phone' })
  await call('POST', 'company/edit', { phone: '+353 1 555' })
  await page.route('**/api/company', (route) => route.fulfill({ status: 409, json: { message: 'Not now.' } }))
  await page.getByRole('button', { name: 'Reload and keep what I typed' }).click()
  await expect(trouble.filter({ hasText: 'Not now.' })).toBeVisible()
  await expect(name).toHaveValue('Vierde Leven B.V.')
  await page.unroute('**/api/company')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Reload and keep what I typed' }).click()
  await expect(phone).toHaveValue('+353 1 555')
  await expect(name).toHaveValue('Vierde Leven B.V.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  expectValue((await call<{ data: object }>('GET', 'company')).data).toMatchObject({ name: 'Vierde Leven B.V.' })
})

test('text that was typed when the session ended is there again, and overwrites no newer value', async () => {
  const ada = await shop.colleague()
  const bob = await shop.colleague()
  const { page } = ada
  const company = unique('Phones')
  const supplier = await create(bob.call, 'supplier', { company_name: company, phone_number: '1' })
  const field = (name: string) => page.getByRole('textbox', { name, exact: true })
  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.goto(`/admin/supplier/edit/${supplier.id}`)
  await field('First name').fill('Ada')
  await field('Phone number').fill('2')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(toast(page)).toContainText('Changes discarded')
  await expect(field('Phone number')).toHaveValue('1')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(field('Phone number')).toHaveValue('2')
  await endSession(ada)
  // Meanwhile a colleague changes one of the fields that were typed, and another one.
  await bob.call('POST', `supplier/${supplier.id}/edit`, { phone_number: '3', last_name: 'Bobson' })
  await logInHere(ada)
  await toast(page).getByRole('link', { name: 'Go back to it' }).click()
  await page.waitForURL(`**/admin/supplier/edit/${supplier.id}`)
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  expect(await barriersInBothThemes(page)).toEqual([])
  await expect(field('First name')).toHaveValue('Ada')
  await expect(field('Phone number')).toHaveValue('2')
  await save.click()
  await expect(page.getByRole('alert').filter({ hasText: 'This record has changed' })).toBeVisible()
  expect(await bob.call('GET', `supplier/find?id=${supplier.id}`)).toMatchObject({ data: [{ phone_number: '3' }] })
  await page.getByRole('button', { name: 'Reload and keep what I typed' }).click()
  await expect(field('Last name')).toHaveValue('Bobson')
  await save.click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  expect(await bob.call('GET', `supplier/find?id=${supplier.id}`)).toMatchObject({
    data: [{ first_name: 'Ada', last_name: 'Bobson', phone_number: '2' }],
  })
  expect(await drafts(page)).toEqual([])
})

/** The drafts in this browser. */
const drafts = (page: Page): Promise<string[]> =>
  page.evaluate(() => Object.entries(localStorage).flatMap(([key, text]) => (key.startsWith('draft ') ? [text] : [])))

testInTurn('a new colleague that was not stored has a draft without the password, which Discard ends', async () => {
  const ada = await shop.colleague()
  const { page } = ada
  const name = page.getByRole('textbox', { name: 'Name' })
  await page.goto('/admin/user/create')
  await name.fill('Half typed')
  await page.getByLabel(/^Password( \*)?$/).fill('hunter2 hunter2')
  await endSession(ada)
  const [kept, ...others] = await drafts(page)
  expect(kept).toContain('Half typed')
  expect(kept).not.toContain('hunter2')
  expect(others).toEqual([])

  await logInHere(ada)
  await page.goto('/admin/user/create')
  await expect(name).toHaveValue('Half typed')
  await expect(page.getByLabel(/^Password( \*)?$/)).toHaveValue('')
  // A draft that is back stays when its person leaves the form, and nobody is asked.
  await page.getByRole('link', { name: 'Quick Order' }).click()
  await page.waitForURL('**/admin/quick-order')
  await page.goBack()
  await expect(name).toHaveValue('Half typed')
  const discard = page.getByRole('button', { name: 'Discard' })
  await discard.click()
  await expect(name).toHaveValue('')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(name).toHaveValue('Half typed')
  await expect.poll(() => drafts(page)).toHaveLength(1)
  await discard.click()
  await expect(name).toHaveValue('')
  expect(await drafts(page)).toEqual([])
  // The form asks again before it is left.
  await name.fill('Typed anew')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  expect(await page.getByText('kept in this browser').count()).toBe(0)
  await page.getByRole('link', { name: 'Quick Order' }).click()
  await answer(page, 'You have unsaved changes.', 'Leave')
  await page.waitForURL('**/admin/quick-order')
})

testInTurn('a draft that is back ends when its record is created', async () => {
  const ada = await shop.colleague()
  const { page } = ada
  const name = page.getByRole('textbox', { name: 'Name' })
  const colour = unique('Half')
  await page.goto('/admin/colour/create')
  await name.fill(colour)
  await endSession(ada)
  await logInHere(ada)
  await page.goto('/admin/colour/create')
  await expect(name).toHaveValue(colour)
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Colour', exact: true })).toBeVisible()
  expect(await drafts(page)).toEqual([])
})
