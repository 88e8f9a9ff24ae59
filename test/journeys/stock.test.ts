import type { ImportEntry } from '@backstock/contract/import.ts'
import type { SaleRow } from '@backstock/contract/sale.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect, hold } from './browser-page.ts'
import { type Found, openShop, rowsOf, stayByEscape, toast, unique } from './sample-shop.ts'
import { create, first, newImei, newItems, newSale } from './shop-records.ts'

const shop = openShop()

const basket = (page: Page, items: number) =>
  page.getByRole('button', { name: `Basket, ${items} ${items === 1 ? 'item' : 'items'}`, exact: true })

testInTurn('ticks are the basket: a row, a page, and back', async () => {
  const person = await shop.colleague()
  const { page } = person
  await page.goto('/admin/stock')
  const boxes = page.getByRole('checkbox', { name: /^Select #/ })
  const all = page.getByRole('checkbox', { name: 'Select all rows on this page' })
  await boxes.nth(2).click()
  await expect(basket(page, 1)).toBeVisible()
  await expect(all).toHaveJSProperty('indeterminate', true)
  await all.click()
  await expect(basket(page, 10)).toBeVisible()
  for (const box of await boxes.all()) await expect(box).toBeChecked()

  // The basket is on the server. Another window shows it, too. If that window removes an item, this one unticks it
  // after its next step.
  const { page: elsewhere } = await shop.again(person)
  await elsewhere.goto('/admin/stock')
  await expect(boxes.first()).toBeChecked()
  await elsewhere
    .getByRole('checkbox', { name: /^Select #/ })
    .first()
    .click()
  await expect(basket(elsewhere, 9)).toBeVisible()
  // The tick appears before the server has stored it, so the test waits for the server.
  await expect
    .poll(async () => (await person.call<Found<StockRow>>('GET', `user/${person.id}/basket`)).data.length)
    .toBe(9)
  await boxes.nth(1).click()
  await expect(basket(page, 8)).toBeVisible()
  await expect(boxes.first()).not.toBeChecked()
  const top = page.getByRole('checkbox', { name: (await boxes.first().getAttribute('aria-label'))!, exact: true })
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(top).toHaveCount(0)
  await expect(boxes.first()).not.toBeChecked()
  await page.goBack()
  await expect(top).toBeVisible()
  await all.click()
  await expect(basket(page, 10)).toBeVisible()
  await all.click()
  await expect(basket(page, 0)).toBeVisible()
  for (const box of await boxes.all()) await expect(box).not.toBeChecked()
})

testInTurn('the stock list is filtered, sorted, exported and leads to the import', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/stock')
  const table = page.getByRole('table', { name: 'Stock Overview' })
  await expect(table.getByRole('columnheader')).toHaveText([
    '',
    '#',
    'Status',
    'Product',
    'Purchase Price',
    'Sales Price',
  ])
  for (const status of await table.locator('tbody tr td:nth-child(3)').allInnerTexts()) expect(status).toBe('In Stock')
  await page.getByRole('columnheader', { name: 'Sales Price' }).getByRole('button').click()
  await page.waitForURL('**/admin/stock?order_by=sales_price_desc')

  await page.getByRole('button', { name: 'Export' }).click()
  const some = page.getByRole('menuitem', { name: 'Export With Status' })
  const every = page.getByRole('menuitem', { name: 'Export All' })
  await expect(every).toHaveAttribute('href', '/api/stock/export/csv')
  await expect(every).toHaveAttribute('target', '_blank')
  await expect(some).toHaveAttribute('href', '/api/stock/export/csv?status=In+Stock')
  const seen = await page.getByRole('menuitem', { name: 'Export These Columns' }).getAttribute('href')
  const asSeen = (await (await page.request.get(seen!)).text()).split('\n')
  expect(asSeen[0]).toBe('\ufeff#,Status,Product,Purchase Price,Purchase Currency,Sales Price')
  for (const line of asSeen.slice(1, -1)) expect(line).toContain(',In Stock,')
  const csv = await page.request.get((await some.getAttribute('href'))!)
  expect(csv.headers()['content-disposition']).toMatch(/^attachment; filename=.*\.csv/)
  expect(await csv.text()).toMatch(/^\ufeff?backstock_item,backstock_id,imei,serial_number,status,/)
  await page.keyboard.press('Escape')
  const copy = table.getByTitle('Click to copy').filter({ visible: true }).first()
  await page.evaluate('navigator.clipboard.writeText = async (text) => (globalThis.copied = text)')
  await copy.click()
  await expect(toast(page)).toContainText(`Copied ${await copy.textContent()}`)
  expect(await page.evaluate('copied')).toBe(await copy.textContent())
  await page.evaluate(`navigator.clipboard.writeText = () => Promise.reject(new Error('no'))`)
  await copy.click()
  await expect(toast(page)).toContainText('The browser does not allow copying here.')
  await page.getByRole('link', { name: 'Upload' }).click()
  await page.waitForURL('**/admin/stock/import')
})

testInTurn('hits that the status filter hides are counted and offered, of stock and of sales', async () => {
  const { page, call } = await shop.admin()
  const [item] = await newItems(call, 1, { status: 'Inbound' })
  const { imei, id } = item!
  await page.goto(`/admin/stock?search=${imei!.slice(0, 9)} ${imei!.slice(9)}`)
  await expect(page.getByText('No results found.')).toBeVisible()
  await page.getByRole('button', { name: '1 in other statuses' }).click()
  await expect(page.getByRole('table').getByRole('link', { name: `#${id}` })).toBeVisible()
  await expect(page).toHaveURL(/[?&]status=(&|$)/)
  // If other statuses have no hits either, the list does not offer them.
  await page.goto('/admin/sale?search=Dispatched nobody&status=New')
  await expect(page.getByText('Nothing here matches "Dispatched nobody".')).toBeVisible()
  await atRest(page)
  expect(await page.getByRole('button', { name: /in other statuses/ }).count()).toBe(0)
  const sale = await first<SaleRow>(call, 'sale/find?status=Dispatched')
  await page.goto(`/admin/sale?search=%23${sale.id}&status=Voided`)
  await page.getByRole('button', { name: '1 in other statuses' }).click()
  await expect(page.getByRole('table').getByText('Dispatched')).toBeVisible()
})

testInTurn('a search with some hits tells of those that the status filter hides beside them', async () => {
  const { page, call } = await shop.admin()
  const [make, category] = await Promise.all(['make', 'category'].map((area) => first<StockRow>(call, `${area}/find`)))
  const model = unique('Hidden Beside')
  const product = await create(call, 'product', { make_id: make!.id, category_id: category!.id, model })
  const [shown] = await newItems(call, 1, { actual_product_id: product.id })
  await newItems(call, 2, { actual_product_id: product.id, status: 'Inbound' })
  const rows = rowsOf(page, 'Stock Overview')
  await page.goto('/admin/stock?search=hidden beside')
  await expect(rows).toHaveCount(1)
  await expect(page.getByText('Showing 1 to 1 of 1 entries, 2 in other statuses')).toBeVisible()
  await expect(rows.getByRole('link', { name: `#${shown!.id}` })).toBeVisible()
  await page.getByRole('button', { name: '2 in other statuses' }).click()
  await expect(rows).toHaveCount(3)
  const reference_number = unique('HIDDEN')
  const items = await newItems(call, 2)
  const [open, voided] = [
    await newSale(call, [items[0]!], { reference_number, create_invoice: false }),
    await newSale(call, [items[1]!], { reference_number, create_invoice: false }),
  ]
  await call('POST', `sale/${voided.id}/edit`, { status: 'Voided' })
  const sales = rowsOf(page, 'Sales Overview')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sales' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Sales Overview' })).toBeVisible()
  await page.getByRole('searchbox').fill(reference_number)
  await expect(page.getByText('Showing 1 to 1 of 1 entries, 1 in other statuses')).toBeVisible()
  await expect(sales.getByRole('link', { name: String(open.id) })).toBeVisible()
  await page.getByRole('button', { name: '1 in other statuses' }).click()
  await expect(sales).toHaveCount(2)
})

testInTurn('a scanner in the stock search finds the item by its IMEI', async () => {
  const { page, call } = await shop.admin()
  const [item] = await newItems(call, 1)
  await page.goto('/admin/stock')
  await page.getByRole('searchbox').focus()
  await page.keyboard.type(item!.imei!)
  await page.keyboard.press('Enter')
  await expect(rowsOf(page, 'Stock Overview')).toHaveCount(1)
  await expect(rowsOf(page, 'Stock Overview')).toContainText(item!.imei!)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await rowsOf(page, 'Stock Overview').getByTitle('Click to copy').last().click()
  await expect(toast(page)).toContainText(`Copied ${item!.imei}`)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(item!.imei)
  await rowsOf(page, 'Stock Overview')
    .getByRole('link', { name: String(item!.id) })
    .click()
  await expect(page.getByRole('heading', { name: `Stock Item # ${item!.id}` })).toBeVisible()
})

test('an item is added by hand; its IMEI is checked and must be new', async () => {
  const { page, call } = await shop.admin()
  const imei = newImei()
  const wrong = imei.slice(0, 14) + ((Number(imei[14]) + 1) % 10)
  await page.goto('/admin/stock')
  await page.getByRole('link', { name: 'Add new' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('combobox', { name: 'Product', exact: true })).toHaveAccessibleDescription(
    'This field is required.',
  )
  await expect(page.getByRole('textbox', { name: 'Purchase price' })).toHaveAccessibleDescription(/required/)
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('Inbound')

  // From three characters on the server is asked. More options are loaded on scrolling.
  const product = page.getByRole('combobox', { name: 'Product', exact: true })
  const options = page.getByRole('option')
  await product.click()
  await expect(options).toHaveCount(10)
  const answerMore = await hold(page, '**/api/product/find?*')
  await options.last().scrollIntoViewIfNeeded()
  await expect(page.getByText('Loading more…')).toBeVisible()
  answerMore()
  await expect(options).toHaveCount(20)
  await product.fill('ip')
  await expect(page.getByText('Type at least 3 characters to filter.')).toBeVisible()
  // Enter may come before the options. The form is not sent.
  await product.fill('iphone 13')
  await page.keyboard.press('Enter')
  await expect(product).toHaveValue(/iPhone 13/)

  await page.getByRole('combobox', { name: 'Status' }).click()
  await expect(options).toHaveText(['Inbound', 'In Stock'])
  await page.getByRole('option', { name: 'In Stock' }).click()
  // If the status changes so that a batch is not allowed any more, the chosen batch can be removed.
  const batch = page.getByRole('combobox', { name: 'Batch' })
  await batch.click()
  await page.getByRole('option', { disabled: false }).first().click()
  const status = page.getByRole('combobox', { name: 'Status' })
  await status.click()
  await page.getByRole('option', { name: 'Inbound' }).click()
  await page.getByRole('button', { name: 'Clear Batch' }).click()
  await expect(batch).toBeDisabled()
  await status.click()
  await page.getByRole('option', { name: 'In Stock' }).click()
  await page.getByRole('textbox', { name: 'Purchase price' }).fill('249,90')
  const field = page.getByRole('textbox', { name: 'IMEI', exact: true })
  await field.fill(wrong)
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription(new RegExp(`The check digit of IMEI ${wrong} is wrong`))
  await field.fill(imei)
  const date = page.getByRole('textbox', { name: 'Purchase date' })
  await expect(date).toHaveAttribute('placeholder', 'yyyy-mm-dd')
  await date.fill('2026-02-30')
  await page.keyboard.press('Enter')
  await expect(date).toHaveAttribute('aria-invalid', 'true')
  await expect(date).toHaveAccessibleDescription('There is no 2026-02-30 in the calendar.')
  await expect(date).toHaveValue('2026-02-30')
  await date.fill('2026-2-3')
  await date.blur()
  await expect(date).toHaveValue('2026-02-03')
  await date.fill('2026-2-4')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/stock')
  await expect(rowsOf(page, 'Stock Overview').first()).toContainText(imei)
  await expect(rowsOf(page, 'Stock Overview').first()).toContainText('249.90')
  const { purchase_date } = await first<StockRow>(call, `stock/find?search=${imei}`)
  expect(purchase_date).toBe('2026-02-04')

  await page.goto('/admin/stock/create')
  await product.click()
  await options.first().click()
  await page.getByRole('textbox', { name: 'Purchase price' }).fill('1')
  await field.fill(imei)
  await page.keyboard.press('Enter')
  await expect(field).toHaveAccessibleDescription(/#\d+/)
})

test('another purchase currency comes with the last exchange rate of its own', async () => {
  const { page, call } = await shop.admin()
  await newItems(call, 1, { purchase_currency: 'USD', fx_rate: 1.25 })
  await newItems(call, 1, { purchase_currency: 'PLN', fx_rate: 4.5 })
  await page.goto('/admin/stock/create')
  const rate = page.getByRole('textbox', { name: /^Exchange rate/ })
  const choose = async (name: string) => {
    await page.getByRole('combobox', { name: 'Purchase currency' }).click()
    await page.getByRole('option', { name }).click()
  }
  await choose('USD · ')
  await expect(page.getByRole('textbox', { name: 'Exchange rate: USD for one EUR' })).toHaveValue('1.25')
  await choose('PLN · ')
  await expect(page.getByRole('textbox', { name: 'Exchange rate: PLN for one EUR' })).toHaveValue('4.5')
  await page.getByRole('textbox', { name: 'Purchase price' }).fill('90')
  await expect(rate).toHaveAccessibleDescription('It cost 20.00 EUR.')
  // A rate that was typed before the answer is there stays.
  const release = await hold(page, '**/api/stock/fx-rate?*')
  await choose('USD · ')
  await rate.fill('1.3')
  release()
  await atRest(page)
  await expect(rate).toHaveValue('1.3')
  await choose('EUR · ')
  await expect(rate).toHaveCount(0)
})

testInTurn('a scanned IMEI is proposed what came with its TAC, Enter takes it; the list shows a grade', async () => {
  const { page, call } = await shop.admin()
  const [item] = await newItems(call, 1, { imei: `86990011${newImei().slice(8, 14)}` })
  await page.goto('/admin/stock/create')
  const product = page.getByRole('combobox', { name: 'Product', exact: true })
  // The form of a record that is missing begins with the typed name.
  const missing = unique('Unheard of')
  for (const [select, field] of [
    ['Product', 'Model'],
    ['Expected product', 'Model'],
    ['VAT', 'Name'],
  ] as const) {
    await page.getByRole('combobox', { name: select, exact: true }).fill(missing)
    await page.getByRole('option', { name: `Create "${missing}"` }).click()
    const form = page.getByRole('dialog', { name: select === 'VAT' ? 'New VAT' : 'New Product' })
    await expect(form.getByRole('textbox', { name: field })).toHaveValue(missing)
    await form.getByRole('button', { name: 'Close' }).click()
    await expect(form).toBeHidden()
  }
  await page.getByRole('textbox', { name: 'IMEI', exact: true }).focus()
  const imei = `86990011${newImei().slice(8, 14)}`
  await page.keyboard.type(imei)
  await page.keyboard.press('Enter')
  const proposal = page.getByRole('button', {
    name: `The one phone with this TAC was ${item!.product_display_name}: use it`,
  })
  await expect(proposal).toBeFocused()
  await expect(product).toHaveValue('')
  await page.keyboard.press('Enter')
  await expect(product).toHaveValue(item!.product_display_name)
  await expect(proposal).toHaveCount(0)

  await page.getByRole('combobox', { name: 'Grade' }).click()
  await expect(page.getByRole('option')).toHaveText(['A+', 'A', 'B', 'C', 'D'])
  await page.getByRole('option', { name: 'D', exact: true }).click()
  await page.getByRole('textbox', { name: 'Battery health' }).fill('101')
  await page.getByRole('textbox', { name: 'Purchase price' }).fill('100')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: 'Battery health' })).toHaveAccessibleDescription('At most 100.')
  await page.getByRole('textbox', { name: 'Battery health' }).fill('88')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/admin/stock')
  await page.goto('/admin/stock?status=')
  await page.getByRole('button', { name: 'More filters' }).click()
  await page.getByRole('combobox', { name: 'Grade' }).click()
  await page.getByRole('option', { name: 'D', exact: true }).click()
  await expect(rowsOf(page, 'Stock Overview')).toHaveCount(1)
  await expect(rowsOf(page, 'Stock Overview')).toContainText(imei)
  await expect(rowsOf(page, 'Stock Overview').getByTitle('Grade D').last()).toBeVisible()
  await expect(page).toHaveURL(/[?&]grade_id=5(&|$)/)
  await page.getByRole('button', { name: 'Export' }).click()
  await expect(page.getByRole('menuitem', { name: 'Export With Status' })).toContainText('All statuses · 1 more filter')
})

testInTurn('an item is edited: sections, date picker, logs', async () => {
  const { page, call } = await shop.admin()
  const [item] = await newItems(call, 1, { purchase_date: '2026-03-10' })
  await page.goto(`/admin/stock/edit/${item!.id}`)
  const section = (name: string) => page.getByRole('button', { name, exact: true })
  await expect(section('Device Information')).toHaveAttribute('aria-expanded', 'true')
  await page.getByRole('combobox', { name: 'Status' }).click()
  await expect(page.getByRole('option')).toHaveText(['In Stock', 'Deleted'])
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Choose a date' }).click()
  const picker = page.getByRole('dialog', { name: 'Choose a date' })
  await expect(picker.getByRole('columnheader').first()).toHaveText('Mo')
  await expect(picker.getByRole('row')).toHaveCount(7)
  // The title leads from the month to its year, and to the decade.
  const press = (name: string) => picker.getByRole('button', { name, exact: true }).click()
  for (const [unit, title] of [['month', 'March 2026'], ['year', '2026'], ['decade']] as const) {
    for (const way of ['Previous', 'Next'])
      await expect(picker.getByRole('button', { name: `${way} ${unit}`, exact: true })).toBeVisible()
    if (title) await press(title)
  }
  await press('2026')
  await press('Mar')
  await picker.getByRole('button', { name: '17 March 2026' }).click()
  await expect(page.getByRole('textbox', { name: 'Purchase date' })).toHaveValue('2026-03-17')
  // The chosen day, chosen again, stays.
  await page.getByRole('button', { name: 'Choose a date' }).click()
  await picker.getByRole('button', { name: '17 March 2026' }).click()
  await expect(picker).toHaveCount(0)
  await expect(page.getByRole('textbox', { name: 'Purchase date' })).toHaveValue('2026-03-17')
  // A double click on a label selects no word of it.
  await page.getByText('Sales price', { exact: true }).dblclick()
  await expect(page.getByRole('textbox', { name: 'Sales price' })).toBeFocused()
  expect(await page.evaluate(() => String(getSelection()))).toBe('')
  await page.getByRole('textbox', { name: 'Sales price' }).fill('199.5')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Everything is saved')).toBeVisible()
  await section('Logs').click()
  await expect(section('Device Information')).toHaveAttribute('aria-expanded', 'true')

  // A field with an error unfolds its section.
  const price = page.getByRole('textbox', { name: 'Sales price' })
  await price.fill('abc')
  await section('Device Information').click()
  await expect(price).toBeHidden()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(price).toBeFocused()
  await expect(price).toHaveAttribute('aria-invalid', 'true')
  await price.fill('-5')
  await price.blur()
  await expect(page.getByText('Must not be negative.')).toBeVisible()
  await price.fill('199.50')
  const change = (name: string) => page.getByRole('listitem').filter({ hasText: name }).first()
  await expect(change('Purchase Date')).toContainText(/2026-03-10.*2026-03-17/)
  await expect(change('Sales Price')).toContainText(/149\.90 EUR.*199\.50 EUR/)
  await expect(page.getByText('Updated').first()).toBeVisible()
  // The record comes with its 20 newest entries, and the older ones are read on demand.
  for (let n = 1; n <= 41; n++) await call('POST', `stock/${item!.id}/edit`, { sales_price: 30_000 + n })
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Sales price' })).toHaveValue('300.41')
  await section('Logs').click()
  const becomes = (price: string) => page.getByRole('listitem').filter({ hasText: `→ ${price} EUR` })
  await expect(becomes('300.22')).toBeVisible()
  expect(await becomes('300.21').count()).toBe(0)
  const more = page.getByRole('button', { name: 'Show more' })
  await more.click()
  await expect(becomes('300.02')).toBeVisible()
  expect(await becomes('300.01').count()).toBe(0)
  await more.click()
  await expect(becomes('199.50')).toBeVisible()
  await expect(more).toHaveCount(0)
})

testInTurn('unreadable text counts as unsaved, and can be discarded', async () => {
  const { page, call } = await shop.admin()
  const [item] = await newItems(call, 1, { sales_price: null })
  await page.goto(`/admin/stock/edit/${item!.id}`)
  const price = page.getByRole('textbox', { name: 'Sales price' })
  await price.fill('1,249.00')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(price).toHaveValue('')
  await expect(page.getByText('Everything is saved')).toBeVisible()
})

testInTurn('the item shows its import, a locked batch and a sale', async () => {
  const { page, call } = await shop.admin()
  const imported = await first<StockRow>(call, 'stock/find?search=BS-1520&status=')
  await page.goto(`/admin/stock/edit/${imported.id}`)
  await page.getByRole('button', { name: 'Backstock import information' }).click()
  await expect(page.getByRole('textbox', { name: 'Backstock ID' }).last()).toHaveValue(imported.backstock_id!)
  await expect(page.getByText('Raw grading data')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Raw attributes' })).toContainText('"Lot": ')

  const [item, sold] = await newItems(call, 2)
  const batch = await create(call, 'batch', { name: unique('Locked'), items: [item!.id] })
  await page.goto(`/admin/stock/edit/${item!.id}`)
  await expect(page.getByRole('combobox', { name: 'Batch' })).toBeEnabled()
  await call('POST', `batch/${batch.id}/edit`, { is_locked: true })
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Batch' })).toBeDisabled()
  await expect(page.getByRole('combobox', { name: 'Status' })).toBeDisabled()

  const sale = await newSale(call, [sold!])
  await page.goto(`/admin/stock/edit/${sold!.id}`)
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('Sold')
  await page
    .getByRole('link', { name: `Sale #${sale.id}` })
    .first()
    .click()
  await page.waitForURL(`**/admin/sale/edit/${sale.id}`)
})

const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

test('an import: wrong types are refused, its progress is told, its errors are listed', async () => {
  const { page } = await shop.colleague()
  const [good, other] = [newImei(), newImei()]
  await page.goto('/admin/stock/import')
  const file = page.getByLabel('Choose a CSV or Excel file')
  const start = page.getByRole('button', { name: 'Import', exact: true })
  await file.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('PNG') })
  await expect(page.getByRole('dialog')).toContainText('Only CSV files are allowed')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(start).toBeDisabled()

  // If two files are dropped, the first is taken, and a message says so.
  const two = await page.evaluateHandle(() => {
    const data = new DataTransfer()
    for (const name of ['first.csv', 'second.csv']) data.items.add(new File(['imei'], name, { type: 'text/csv' }))
    return data
  })
  await file.dispatchEvent('drop', { dataTransfer: two })
  await expect(page.getByRole('dialog')).toContainText('One CSV or Excel file at a time: only the first was taken.')
  await page.getByRole('button', { name: 'OK' }).click()
  await expect(page.getByText('first.csv')).toBeVisible()

  await file.setInputFiles(csv('torn.csv', 'imei,make\n"1,2\n'))
  await start.click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(start).toBeEnabled()

  const head = 'imei,status,make,model,category,supplier,purchase_price'
  const row = (imei: string, supplier = 'Kringloop Telecom B.V.') =>
    `${imei},In Stock,Apple,iPhone 13,Smartphones,${supplier},100`
  await file.setInputFiles(
    csv('MIXED.CSV', [head, row(good), row(other, 'Nobody Ltd'), row('356938035643808')].join('\n')),
  )
  await expect(page.getByRole('radio', { name: 'Comma (,)' })).toBeChecked()
  await start.click()
  await expect(page.getByText('3 of 3 processed')).toBeVisible()
  await expect(page.getByText('100%')).toBeVisible()
  const errors = page.getByRole('alert', { name: 'Import errors' }).getByRole('note')
  await expect(errors).toHaveCount(2)
  await expect(errors.filter({ hasText: 'Nobody Ltd' })).toHaveCount(1)
  await expect(start).toBeDisabled()

  // The same row again fails, but with 'Update existing' it changes the item.
  await file.setInputFiles(csv('again.csv', `imei,sales_price\n${good},321.00`))
  await page.getByRole('checkbox', { name: 'Update existing items' }).click()
  await start.click()
  await expect(page.getByText('1 of 1 processed')).toBeVisible()
  await page.goto(`/admin/stock?search=${good}`)
  await expect(rowsOf(page, 'Stock Overview').filter({ hasText: good })).toContainText('321.00')
  const template = await page.request.get('/api/stock/import/csv_template')
  expect(template.headers()['content-disposition']).toContain('.csv')
})

testInTurn('an import that ends while one is elsewhere is told there', async () => {
  const { page } = await shop.colleague()
  await page.goto('/admin/stock/import')
  const make = unique('Short-lived')
  const rows = Array.from({ length: 300 }, () => `${newImei()},${make},One,Smartphones,100`)
  const text = ['imei,make,model,category,purchase_price', ...rows].join('\n')
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(csv('many.csv', text))
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('progressbar', { name: 'Import progress' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Make' }).click()
  await expect(toast(page).getByText('Import finished')).toBeVisible()
  // The undo asks first, and names the items that it would remove.
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo many.csv?' })
  await expect(dialog).toContainText('300 items that it made will be removed.')
  // The list behind the dialog has the make that the import has made, until that is undone.
  const made = page.locator('main tbody tr').filter({ hasText: make })
  await expect(made).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('dialog', { name: 'Undone: many.csv' })).toContainText(
    '300 items that it made were removed.',
  )
  await expect(made).toHaveCount(0)
})

testInTurn('a list of stock gets the items of an import that ends meanwhile', async () => {
  const { page, call } = await shop.colleague()
  // The faked answers say that an import runs, until the test ends it.
  const counts = { total_rows: 1, processed_rows: 0, successed_rows: 0, failed_rows: 0, errors: [] }
  let status: object = { progress: 40, import_id: 7, state: 'running', file_name: 'slow.csv', undo: null, ...counts }
  await page.route('**/api/stock/import/csv/status', (route) =>
    route.fulfill({ json: { success: true, data: status } }),
  )
  const imei = newImei()
  await page.goto(`/admin/stock?search=${imei}`)
  await expect(page.getByText(`Nothing here matches "${imei}".`)).toBeVisible()
  const [item] = await newItems(call, 1, { imei })
  status = { ...status, progress: 100, state: 'done', processed_rows: 1, successed_rows: 1 }
  await expect(toast(page).getByText('Import finished')).toBeVisible()
  await expect(page.getByRole('table').getByRole('link', { name: `#${item!.id}` })).toBeVisible()
})

testInTurn('the history of imports: counts, who, types, and what became of each row', async () => {
  const { page, call } = await shop.admin()
  const { data: imports } = await call<Found<ImportEntry>>('GET', 'stock/import/history?per_page=50')
  const failed = imports.findLast(
    (one) => one.type === 'csv_import' && one.content.data.failed_rows > 1 && one.user_id,
  )!
  const counts = failed.content.data
  await page.goto('/admin/stock/import')
  await page.getByRole('link', { name: 'History' }).click()
  await page.waitForURL('**/admin/stock/import/history')
  await expect(page.getByRole('navigation', { name: 'Breadcrumbs' })).toHaveText('Admin>Stock>Import>History')

  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.getByRole('option', { name: 'API' }).click()
  await page.waitForURL('**/history?type=api_import')
  await expect(page.getByText('(API Import)', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /Processed/ })).toHaveCount(
    imports.filter((one) => one.type === 'api_import').length,
  )

  await page.goto(`/admin/stock/import/history?id=${failed.id}`)
  const entry = page.getByRole('button', { name: /Processed/ })
  await expect(entry).toContainText(
    new RegExp(
      `Processed:\\s*${counts.processed_rows}.*Success:\\s*${counts.successed_rows}.*Failed:\\s*${counts.failed_rows}`,
      's',
    ),
  )
  await expect(page.getByText(failed.time_ago).first()).toBeVisible()
  await page.getByText(failed.time_ago).first().hover()
  await expect(page.getByRole('tooltip')).toHaveText(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
  // The link opens the entry of this import.
  await expect(page.getByText('Errors occurred during import:').first()).toBeVisible()
  await expect(page.getByRole('img', { name: 'Failed' })).toHaveCount(counts.failed_rows)
  await page
    .getByRole('listitem')
    .filter({ has: page.getByRole('img', { name: 'Success' }) })
    .first()
    .getByRole('link')
    .click()
  await page.waitForURL('**/admin/stock/edit/*')
  await page.goBack()
  await page.getByRole('link', { name: failed.user_name! }).click()
  await page.waitForURL(`**/admin/user/edit/${failed.user_id}`)
})

testInTurn('a quick order: what is found, what is not, what came twice', async () => {
  const { page, call } = await shop.colleague()
  const [one, two, sold] = await newItems(call, 3)
  await newSale(call, [sold!])
  const asked: string[] = []
  page.on('request', (request) => request.url().endsWith('quick-order-find') && asked.push(request.postData()!))
  await page.goto('/admin/stock')
  await page.getByRole('link', { name: 'Quick Order' }).click()
  const lines = page.getByRole('textbox', { name: 'IMEIs or serial numbers' })
  await expect(lines).toBeFocused()
  await expect(lines).toHaveAttribute('rows', '10')
  await lines.fill(
    [one!.imei, 'NOT-HERE-1', two!.imei, '', ` ${one!.imei!.slice(0, 6)} ${one!.imei!.slice(6)} `, sold!.imei].join(
      '\n',
    ),
  )
  await expect(page.getByText('3 found, 2 can be sold')).toBeVisible()
  expect(asked).toHaveLength(1)
  const part = (title: string) => page.getByRole('heading', { name: title }).locator('..')
  await expect(part('Not found (1)')).toContainText('NOT-HERE-1')
  await expect(part('Duplicates, counted once (1)')).toContainText(one!.imei!.slice(6))
  const rows = rowsOf(page, 'Items found')
  await expect(rows.nth(0)).toContainText(one!.imei!)
  await expect(rows.nth(2)).toContainText('You can sell only the items with status: In Stock, In Batch')
  await page.getByRole('button', { name: 'Add to basket' }).click()
  await expect(basket(page, 2)).toBeVisible()
  await expect(rows.nth(0).getByRole('checkbox')).toBeChecked()
  await page.getByRole('button', { name: 'Create Sale' }).click()
  await page.waitForURL('**/admin/sale/create')
  await expect(page.getByRole('tab', { name: 'Products (2)' })).toBeVisible()
})

testInTurn('a scanner fills a quick order line by line', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 3)
  await page.goto('/admin/quick-order')
  await expect(page.getByRole('textbox', { name: 'IMEIs or serial numbers' })).toBeFocused()
  for (const { imei } of items) {
    await page.keyboard.type(imei!)
    await page.keyboard.press('Enter')
  }
  await expect(page.getByText('3 found, 3 can be sold')).toBeVisible()
  await expect(page.getByText('This draft is kept in this browser')).toBeVisible()
  // If the browser refuses to keep the lines, a link asks before they are lost.
  await page.evaluate("Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError') }")
  await page.keyboard.type('LAST-LINE')
  await expect(page.getByText('This draft is kept in this browser')).toHaveCount(0)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sales' }).click()
  await stayByEscape(page)
  await expect(page.getByRole('textbox', { name: 'IMEIs or serial numbers' })).toHaveValue(/\nLAST-LINE$/)
  await page.getByRole('button', { name: 'Add to basket' }).click()
  await expect(basket(page, 3)).toBeVisible()
})
