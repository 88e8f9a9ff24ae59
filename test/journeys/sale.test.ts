import type { SaleRow } from '@backstock/contract/sale.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { NOT_SELLABLE } from '@backstock/contract/stock-status.ts'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { answer, type Call, type Found, openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { first, newItems, newSale } from './shop-records.ts'

const shop = openShop()

const choose = async (page: Page, status: string) => {
  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: status, exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
}
/** Has an import say that an item of a sale is gone. */
async function loseItem(page: Page, call: Call, saleId: number, { imei }: StockRow) {
  const { csrf_token } = await (await page.request.get('/api/auth')).json()
  const buffer = Buffer.from(`imei,status\n${imei},Deleted\n`)
  await page.request.post('/api/stock/import/csv', {
    headers: { 'X-XSRF-TOKEN': csrf_token },
    multipart: { csv: { name: 'count.csv', mimeType: 'text/csv', buffer }, update_existing: 'true' },
  })
  const status = async () => (await first<SaleRow>(call, `sale/find?id=${saleId}`)).status
  await expect.poll(status).toBe('Requires Attention')
}

const pdf = async (page: Page) => ({ name: 'label.pdf', mimeType: 'application/pdf', buffer: await page.pdf() })

testInTurn('the list of sales: what is open, its customer, its warning', async () => {
  const { page, call } = await shop.admin()
  const open = await call<Found<SaleRow>>('GET', 'sale/find?status=New,Requires%20Attention&per_page=100')
  await page.goto('/admin/sale')
  await expect(page.getByRole('columnheader')).toHaveText([
    '#',
    'Ref',
    'Customer',
    'Items',
    'Status',
    'Purchase Price',
    'Sales Price',
    'Profit',
    'Date',
    'Payment',
    'Next step',
  ])
  await expect(page.getByText(`of ${open.total} entries`)).toBeVisible()
  const waiting = rowsOf(page, 'Sales Overview').filter({ hasText: 'Requires Attention' }).first()
  await expect(waiting.locator('svg').first()).toBeVisible()
  expect(await page.getByRole('link', { name: 'Add new' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await page.waitForURL('**/admin/sale?status=')
  await page.getByRole('columnheader', { name: 'Ref' }).getByRole('button').click()
  await page.waitForURL('**order_by=reference_number_desc**')
  const last = await first<SaleRow>(call, 'sale/find?order_by=reference_number_desc')
  const row = rowsOf(page, 'Sales Overview').first()
  await expect(row).toContainText(last.reference_number ?? last.customer_name)
  await row.getByRole('link', { name: last.customer_name }).click()
  await page.waitForURL(`**/admin/customer/edit/${last.customer_id}`)
})

testInTurn('an item that another window has just sold is marked, and what was typed stays', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 2)
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/sale/create')
  const price = page.getByRole('textbox', { name: `Sales price of #${items[1]!.id}` })
  // '1,249.00' is no valid price: nothing is sold, not even at the price before.
  await price.fill('1,249.00')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('alert').first()).toContainText(`Must be a price such as 249.90: item #${items[1]!.id}.`)
  await price.fill('155,50')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('combobox', { name: 'Customer' }).fill('Bakker')
  await page.getByRole('option', { name: /Bakker/ }).click()
  await page.getByRole('textbox', { name: 'Reference number' }).fill('PO-RACE')
  await page.getByRole('checkbox', { name: 'Send email' }).uncheck()

  const rival = await shop.colleague()
  await newSale(rival.call, [items[0]!])
  await page.getByRole('button', { name: 'Create Sale (2)' }).click()
  await page.getByRole('tab', { name: 'Products' }).click()
  const sold = rowsOf(page, 'Items of the sale').filter({ hasText: items[0]!.imei! })
  await expect(sold).toContainText(NOT_SELLABLE)
  await expect(sold).toContainText('Sold')
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: `#${items[0]!.id}` })
      .first(),
  ).toBeVisible()
  await expect(price).toHaveValue('155.50')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await expect(page.getByRole('textbox', { name: 'Reference number' })).toHaveValue('PO-RACE')
  await expect(page.getByRole('combobox', { name: 'Customer' })).toHaveValue(/Bakker/)
  await page.getByRole('button', { name: 'Create Sale (1)' }).click()
  await page.waitForURL('**/admin/sale/edit/*')
  await expect(page.getByRole('heading', { name: /^Sale #/ })).toBeVisible()
  await page.getByRole('tab', { name: 'Products' }).click()
  const made = rowsOf(page, 'Items of the sale')
  await expect(made).toHaveCount(1)
  await expect(made).toContainText('155.50')
})

testInTurn('a sale without a customer is not made; the errors stand under their fields', async () => {
  const { page, call, id } = await shop.colleague()
  const [item, unpriced] = [...(await newItems(call, 1)), ...(await newItems(call, 1, { sales_price: null }))]
  await call('PUT', `user/${id}/basket`, { items: [item!.id, unpriced!.id] })
  await page.goto('/admin/sale/create')
  await expect(page.getByText('1 without a price')).toBeVisible()
  await page.getByRole('button', { name: 'Create Sale (2)' }).click()
  const customer = page.getByRole('combobox', { name: 'Customer' })
  await expect(customer).toHaveAttribute('aria-invalid', 'true')
  await page.getByText('New customer', { exact: true }).click()
  await page.getByRole('button', { name: 'Create Sale (2)' }).click()
  for (const name of ['First name', 'Last name', 'Email', 'Address line 1', 'Postal code', 'City'])
    await expect(page.getByRole('textbox', { name })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('textbox', { name: 'First name' })).toBeFocused()
  await expect(page.getByRole('textbox', { name: 'Phone' })).not.toHaveAttribute('aria-invalid', 'true')

  // A dialog can create a customer too, and change one.
  await page.getByText('Existing customer', { exact: true }).click()
  await page.getByRole('button', { name: 'Add customer' }).click()
  const dialog = page.getByRole('dialog', { name: 'New Customer' })
  const last = unique('Quick')
  await dialog.getByRole('textbox', { name: 'First name' }).fill('Tom')
  await dialog.getByRole('textbox', { name: 'Last name' }).fill(last)
  await dialog.getByRole('textbox', { name: 'Email' }).fill('tom@example.test')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(customer).toHaveValue(new RegExp(`Tom ${last}`))
  await expect(customer).not.toHaveAttribute('aria-invalid', 'true')
  // The second of two buttons appears when the screen knows what the customer's record lacks.
  const buttons = page.getByRole('button', { name: 'Edit customer' })
  const edit = page.getByRole('dialog', { name: /^Customer #/ })
  await expect(buttons).toHaveCount(2)
  await buttons.last().click()
  await expect(edit.getByRole('textbox', { name: 'Last name' })).toHaveValue(last)
  await edit.getByRole('button', { name: 'Close' }).click()
  await expect(edit).toBeHidden()
  await buttons.first().click()
  await edit.getByRole('textbox', { name: 'Company' }).fill('Tom & Co')
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(customer).toHaveValue(/Tom & Co/)
  await page.getByRole('checkbox', { name: 'Send email' }).uncheck()

  // A price is missing, too, so the screen returns to the products.
  await page.getByRole('button', { name: 'Create Sale (2)' }).click()
  await expect(
    page
      .getByRole('alert')
      .filter({ hasText: `#${unpriced!.id}` })
      .first(),
  ).toBeVisible()
  const price = page.getByRole('textbox', { name: `Sales price of #${unpriced!.id}` })
  await expect(price).toBeFocused()
  await expect(price).toHaveAttribute('aria-invalid', 'true')
  await page.getByRole('textbox', { name: 'One price for all' }).fill('121')
  await page.keyboard.press('Enter')
  await expect(price).toHaveValue('121.00')
  // The messages about the prices go with their reason.
  await expect(page.getByRole('alert').filter({ hasText: `#${unpriced!.id}` })).toHaveCount(0)
  await expect(price).not.toHaveAttribute('aria-invalid', 'true')
  await page.getByText('incl. VAT', { exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Sales Price (incl. VAT)' })).toBeVisible()
  await page.getByRole('button', { name: 'Create Sale (2)' }).click()
  await page.waitForURL('**/admin/sale/edit/*')
  await expect(page.getByRole('heading', { name: /^Sale #/ })).toBeVisible()
  await expect(page.getByText('242.00').first()).toBeVisible()
})

test('a sale moves on to dispatch, and an item comes back', async () => {
  const { page, call } = await shop.admin()
  const items = await newItems(call, 2)
  const sale = await newSale(call, items)
  await page.goto(`/admin/sale/edit/${sale.id}?tab=summary`)
  await expect(page.getByRole('heading', { level: 1, name: `Sale #${sale.id}` })).toBeVisible()
  for (const name of ['General Info', 'Customer Data', 'Shipping', 'Summary', 'Logs'])
    await expect(page.getByRole('heading', { name }).getByRole('button')).toBeVisible()
  await page.getByRole('combobox', { name: 'Status' }).click()
  await expect(page.getByRole('listbox').getByRole('option')).toHaveText([
    'New',
    'Awaiting Payment',
    'Awaiting Dispatch',
    'Voided',
  ])
  await page.keyboard.press('Escape')
  await choose(page, 'Awaiting Payment')
  await choose(page, 'Awaiting Dispatch')
  await page.getByRole('textbox', { name: 'Courier' }).fill('PostNL')
  await page.getByRole('textbox', { name: 'Outbound tracking number' }).fill('3STWLM1')
  const status = page.getByRole('combobox', { name: 'Status' })
  await status.click()
  await page.getByRole('option', { name: 'Dispatched', exact: true }).click()
  await expect(status).toHaveAccessibleDescription(
    'Saving marks the items as dispatched. After that they can only be returned.',
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
  await expect(status).toBeDisabled()
  await expect(status).toHaveAccessibleDescription('')

  await page.getByRole('tab', { name: 'Products' }).click()
  await page.getByRole('button', { name: `Return #${items[0]!.id}` }).click()
  await expect(page.getByRole('dialog')).toContainText('A credit note for 149.90 EUR will be made for invoice')
  await answer(page, 'comes back into stock and no longer counts in the profit.', 'Return')
  const back = rowsOf(page, 'Items of the sale').filter({ hasText: items[0]!.imei! })
  await expect(back).toContainText('This item has been returned')
  await expect(back.getByRole('button', { name: /^Return/ })).toHaveCount(0)
  await expect(rowsOf(page, 'Items of the sale').filter({ hasText: items[1]!.imei! })).not.toContainText('returned')
  await expect(page.getByRole('button', { name: `Return #${items[1]!.id}` })).toBeFocused()

  // The customer keeps the other item for less.
  await expect(back.getByRole('button', { name: /^Allowance/ })).toHaveCount(0)
  await page.getByRole('button', { name: `Allowance for #${items[1]!.id}` }).click()
  const dialog = page.getByRole('dialog', { name: `Allowance for item #${items[1]!.id}` })
  await dialog.getByRole('button', { name: 'Give allowance' }).click()
  await expect(dialog.getByText('Enter an amount.')).toBeVisible()
  await dialog.getByRole('textbox', { name: /^Amount of the allowance/ }).fill('12.50')
  await expect(dialog.getByText(/^A credit note for .* EUR will be made for invoice /)).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Send the credit note by email' }).check()
  const allowed = page.waitForRequest(`**/api/sale/${sale.id}/allow`)
  await dialog.getByRole('button', { name: 'Give allowance' }).click()
  expect((await allowed).postDataJSON()).toMatchObject({ send_email: true })
  await expect(page.getByRole('button', { name: `Allowance for #${items[1]!.id}, -12.50 so far` })).toHaveText('-12.50')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('button', { name: 'Logs' }).click()
  await expect(page.getByText(`Item #${items[0]!.id}`).first()).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: 'Status' }).first()).toContainText('Dispatched')
  expect(await call('GET', `stock/find?id=${items[0]!.id}`)).toMatchObject({ data: [{ status: 'In Stock' }] })
})

testInTurn('a voided sale gives its items back; without an invoice it can be deleted', async () => {
  const { page, call } = await shop.admin()
  const [item] = await newItems(call, 1)
  const sale = await newSale(call, [item!], { create_invoice: false })
  await page.goto(`/admin/sale/edit/${sale.id}?tab=summary`)
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('New')
  expect(await page.getByRole('button', { name: 'Delete', exact: true }).count()).toBe(0)
  await choose(page, 'Voided')
  const refusal = { status: 409, json: { success: false, message: 'Not now.' } }
  await page.route(`**/api/sale/${sale.id}/delete`, (route) => route.fulfill(refusal), { times: 1 })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await answer(page, 'Are you sure you want to delete this entry?', 'Delete')
  await expect(toast(page)).toContainText('Not now.')
  expect(await call('GET', `stock/find?id=${item!.id}`)).toMatchObject({ data: [{ status: 'In Stock' }] })
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await answer(page, 'Are you sure you want to delete this entry?', 'Delete')
  await page.waitForURL('**/admin/sale')
  await page.goto(`/admin/sale/edit/${sale.id}`)
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible()
})

testInTurn('labels and invoices are PDFs: others are refused, real ones are kept and downloaded', async () => {
  const { page, call } = await shop.admin()
  const sale = await newSale(call, await newItems(call, 1))
  await page.goto(`/admin/sale/edit/${sale.id}?tab=summary`)
  const label = page.getByLabel('Choose a PDF file')
  const refused = async () => {
    await expect(page.getByRole('dialog')).toContainText('Only PDF files are allowed')
    await page.getByRole('button', { name: 'OK' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  // The server would take this content, whatever its name.
  const misnamed = { ...(await pdf(page)), name: 'ours.docx', mimeType: 'application/msword' }
  await label.setInputFiles(misnamed)
  await refused()
  await label.setInputFiles({ name: 'label.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no PDF at all') })
  await refused()
  await expect(page.getByText('No shipping label yet.')).toBeVisible()
  const refusal = { status: 409, json: { success: false, message: 'Please reload this sale first.' } }
  await page.route(`**/api/sale/${sale.id}/pdf`, (route) => route.fulfill(refusal), { times: 1 })
  await label.setInputFiles(await pdf(page))
  await expect(toast(page).getByText(refusal.json.message)).toBeVisible()
  await label.setInputFiles(await pdf(page))
  const link = page.getByRole('link', { name: 'Download label' })
  await expect(link).toBeVisible()
  const download = await page.request.get((await link.getAttribute('href'))!)
  expect((await download.body()).subarray(0, 5).toString()).toBe('%PDF-')

  await expect(page.getByRole('link', { name: 'Download invoice' })).toBeVisible()
  const invoice = page.getByLabel('Invoice as a PDF file')
  await invoice.setInputFiles(misnamed)
  await refused()
  await invoice.setInputFiles({ ...(await pdf(page)), name: 'ours.pdf' })
  await expect(page.getByText('Uploaded', { exact: true })).toBeVisible()
})

testInTurn('an invoice is made in a language, deleted, made again and sent; so is the sheet', async () => {
  const { page, call } = await shop.admin()
  const sale = await newSale(call, await newItems(call, 1), { create_invoice: false, create_excel: false })
  await page.goto(`/admin/sale/edit/${sale.id}?tab=summary`)
  await expect(page.getByRole('button', { name: 'Send email' })).toBeDisabled()
  const language = page.getByRole('combobox', { name: 'Language of the invoice' })
  const usual = await language.inputValue()
  // The language that was chosen for one sale is not that of another, to which the person goes and comes back.
  const reference_number = unique('PO')
  const other = await newSale(call, await newItems(call, 1), { create_invoice: false, reference_number })
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Quick search' })
  await expect(search.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(reference_number)
  await search.getByRole('option', { name: `#${other.id} ${reference_number}` }).click()
  await page.waitForURL(`**/admin/sale/edit/${other.id}*`)
  await page.getByRole('tab', { name: 'Summary' }).click()
  await language.selectOption('French')
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: `Sale #${sale.id}` })).toBeVisible()
  await expect(language).toHaveValue(usual)
  await language.selectOption('German')
  await page.getByRole('button', { name: 'Generate invoice' }).click()
  const invoice = page.getByRole('link', { name: 'Download invoice' })
  await expect(invoice).toHaveAttribute('href', `/api/sale/${sale.id}/invoice`)
  await page.getByRole('button', { name: 'Generate Excel' }).click()
  await expect(page.getByRole('link', { name: 'Download Excel' })).toBeVisible()

  await page.getByRole('button', { name: 'More about the invoice' }).click()
  await page.getByRole('menuitem', { name: 'Delete invoice' }).click()
  await answer(page, 'Are you sure you want to delete the invoice?', 'Delete')
  await expect(invoice).toHaveCount(0)
  await page.getByRole('button', { name: 'Generate invoice' }).click()
  await expect(invoice).toBeVisible()
  await page.getByRole('button', { name: 'Send email' }).click()
  await answer(page, 'Are you sure you want to send the invoice email?', 'Send')
  await expect(page.getByText('Not sent: no mail server is set up')).toBeVisible()
  await expect(page.getByText(/Saved on the server as mail\/\S+\.eml$/)).toBeVisible()
  await page.getByRole('button', { name: 'Logs' }).click()
  await page.getByRole('button', { name: 'Show the email' }).click()
  await expect(page.getByRole('button', { name: 'Hide the email' })).toHaveAttribute('aria-expanded', 'true')
  await page.getByRole('button', { name: 'Hide the email' }).click()
  await expect(page.getByRole('button', { name: 'Show the email' })).toHaveAttribute('aria-expanded', 'false')
})

test('a sale that requires attention is resubmitted from its banner', async () => {
  const { page, call } = await shop.admin()
  // The sample shop has such a sale, too. Its invoice may be of an earlier month, which makes it final.
  const ordered = await newItems(call, 3)
  const sale = await newSale(call, ordered)
  await loseItem(page, call, sale.id, ordered[0]!)
  await page.goto('/admin/sale')
  const alert = page.getByRole('link', { name: '2 sales requires attention.' })
  await expect(alert).toBeVisible()
  await page.getByRole('link', { name: `#${sale.id}`, exact: true }).click()
  await expect(page.getByRole('alert').first()).toHaveText(
    'Action required. 1 items are unavailable for this order and have been removed from the stock. Please review and click here to resubmit the order.',
  )
  const gone = rowsOf(page, 'Items of the sale').filter({ hasText: 'Deleted' })
  await expect(gone).toHaveCount(1)
  await page.getByRole('tab', { name: 'Summary' }).click()
  const status = page.getByRole('combobox', { name: 'Status' })
  await status.click()
  await page.getByRole('option', { name: 'Voided', exact: true }).click()
  await expect(status).toHaveAccessibleDescription(
    'The items that are left go back into stock. A voided sale stays voided.',
  )
  // The step works even if the form is folded.
  await page.getByRole('button', { name: 'General Info' }).click()
  await expect(page.getByRole('combobox', { name: 'Status' })).toBeHidden()
  await page.getByRole('button', { name: 'click here' }).click()
  await expect(page.getByText(/^Action required/)).toHaveCount(0)
  await expect(page.getByText('Awaiting Dispatch').first()).toBeVisible()
  await expect(alert).toHaveCount(0)
  await expect(page.getByRole('tab', { name: 'Products (2)' })).toBeVisible()

  // If the invoice is final, the person is asked before a credit note and a new invoice are made.
  const items = await newItems(call, 2)
  const final = await newSale(call, items)
  await page.goto(`/admin/sale/edit/${final.id}?tab=summary`)
  await page.getByRole('link', { name: 'Download invoice' }).click()
  await expect(page.getByText(/^Final since/)).toBeVisible()
  await loseItem(page, call, final.id, items[0]!)
  await page.reload()
  await page.getByRole('button', { name: 'click here' }).click()
  await answer(page, 'A credit note for 299.80 EUR will be made for invoice', 'Cancel')
  await expect(page.getByText(/^Action required/)).toBeVisible()
  await page.getByRole('button', { name: 'click here' }).click()
  await answer(page, 'A new invoice is made for what is left of the sale.', 'Resubmit')
  await expect(page.getByText(/^Action required/)).toHaveCount(0)
  await expect(page.getByRole('region', { name: /^Credit note/ })).toBeVisible()
})

test('two windows on one sale: the second is told what the first has changed', async () => {
  const { page, call, context } = await shop.admin()
  const sale = await newSale(call, await newItems(call, 1), { create_invoice: false })
  const path = `/admin/sale/edit/${sale.id}?tab=summary`
  const other = await context.newPage()
  await Promise.all([page.goto(path), other.goto(path)])
  await expect(page.getByRole('textbox', { name: 'Courier' })).toBeVisible()
  await other.getByRole('textbox', { name: 'Courier' }).fill('DHL')
  await choose(other, 'Awaiting Payment')
  await page.getByRole('textbox', { name: 'Reference number' }).fill('PO-2')
  await page.keyboard.press('Enter')
  const told = page.getByRole('alert').filter({ hasText: /Changed by Administrator .+ ago/ })
  await expect(told.first()).toBeVisible()
  expect(await told.count()).toBe(1)
  await page.getByRole('button', { name: 'Reload and keep what I typed' }).click()
  await expect(page.getByRole('textbox', { name: 'Courier' })).toHaveValue('DHL')
  await expect(page.getByRole('textbox', { name: 'Reference number' })).toHaveValue('PO-2')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Everything is saved')).toBeVisible()
})
