import type { ImportEntry } from '@backstock/contract/import.ts'
import type { ImportPreview } from '@backstock/contract/import-preview.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import type { Locator, Page } from '@playwright/test'
import { expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { workbookXml, xlsxOf } from '../../packages/server/src/testing/xlsx.ts'
import { atRest, expect, hold } from './browser-page.ts'
import { answer, type Found, openShop, toast, unique } from './sample-shop.ts'
import { create, first, newImei, newSale } from './shop-records.ts'
import { datedFile, foreignFile, makelessFile, mixedFile, polishFile, pricedFile, titledFile } from './supplier-file.ts'

const shop = openShop()

const HEAD = 'imei,status,make,model,category,supplier,purchase_price'
const row = (supplier = 'Kringloop Telecom B.V.') => `${newImei()},In Stock,Apple,iPhone 13,Smartphones,${supplier},100`

const csv = (name: string, ...lines: string[]) => ({
  name,
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
})

async function start(page: Page, file: ReturnType<typeof csv>): Promise<void> {
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
}

/** Counts the actions of a person: each click, each filled field, each chosen file. */
function counted(page: Page) {
  let actions = 0
  const act = async (action: Promise<unknown>) => {
    actions++
    await action
  }
  const choose = async (select: string, option: string) => {
    await act(page.getByRole('combobox', { name: select }).click())
    await act(page.getByRole('option', { name: option, exact: true }).click())
  }
  return { act, choose, done: () => actions }
}

/** A file with an unknown column opens a preview by itself. */
const preview = (page: Page) => page.waitForURL('**/admin/stock/import/preview/*')

/** Drops a file on the field for CSV files. */
async function drop(page: Page, { name, buffer }: { name: string; buffer: Buffer }): Promise<void> {
  const transfer = await page.evaluateHandle(
    ([name, bytes]) => {
      const data = new DataTransfer()
      data.items.add(new File([Uint8Array.from(atob(bytes!), (byte) => byte.charCodeAt(0))], name!))
      return data
    },
    [name, buffer.toString('base64')],
  )
  const zone = page.getByText('Drop a CSV or Excel file here')
  for (const event of ['dragenter', 'dragover', 'drop']) await zone.dispatchEvent(event, { dataTransfer: transfer })
}

/** Refuses the page's requests to this address, until the returned function is called. */
async function refuse(page: Page, address: string): Promise<() => void> {
  let isOver = false
  await page.route(address, (route) =>
    isOver ? route.fallback() : route.fulfill({ status: 422, json: { message: 'Not now.' } }),
  )
  return () => {
    isOver = true
  }
}

const bar = (page: Page) => page.getByRole('progressbar', { name: 'Import progress' })
const isGreen = (page: Page) =>
  bar(page).evaluate((element) => {
    const [red, green, blue] = getComputedStyle(element).backgroundColor.match(/\d+/g)!.map(Number)
    return green! > red! && green! > blue!
  })

testInTurn(
  'a result bears its file’s name, says what failed in words, and leaves when another file is chosen',
  async () => {
    const { page } = await shop.colleague()
    await page.goto('/admin/stock/import')
    await start(page, csv('all-wrong.csv', HEAD, ...Array.from({ length: 1_025 }, () => row('Nobody Ltd'))))
    await expect(page.getByText('1,025 of 1,025 processed')).toBeVisible()
    await expect(page.getByText('Finished: all-wrong.csv')).toBeVisible()
    await expect(toast(page)).toContainText('0 rows succeeded, 1,025 failed.')
    expect(await toast(page).getByText('has started').count()).toBe(0)
    expect(await isGreen(page)).toBe(false)
    const errors = page.getByRole('alert', { name: 'Import errors' })
    await expect(errors).toContainText('Row 2: Supplier: There is no supplier called Nobody Ltd.')
    await expect(errors).toContainText('1,005 more rows failed: see the import history.')

    // A refusal names its file, and replaces the refusal before.
    await start(page, csv('torn.csv', HEAD, '"1,2'))
    const refusal = page.getByRole('alert').filter({ hasText: 'torn.csv was not imported' })
    await expect(refusal).toContainText('quot')
    await expect(refusal.getByRole('button', { name: 'Look at it in the preview' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeFocused()
    await expect(page.getByText('all-wrong.csv')).toHaveCount(0)
    await expect(errors).toHaveCount(0)
    await expect(bar(page)).toHaveCount(0)

    await page.getByLabel('Choose a CSV or Excel file').setInputFiles(csv('good.csv', HEAD, row()))
    await expect(refusal).toBeHidden()
    // The delimiter that a person chooses counts. With another one, or with updates, it is another import.
    const keys: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/stock/import/csv')) keys.push(request.headers()['idempotency-key'])
    })
    const importNow = page.getByRole('button', { name: 'Import', exact: true })
    await page.getByRole('radio', { name: 'Semicolon (;)' }).check()
    for (const n of [1, 2]) {
      await importNow.click()
      await expect.poll(() => keys.length).toBe(n)
      await expect(page.getByRole('alert').filter({ hasText: 'good.csv was not imported' })).toBeVisible()
      await page.getByRole('checkbox', { name: 'Update existing items' }).click()
    }
    await page.getByRole('radio', { name: 'Comma (,)' }).check()
    await importNow.click()
    await expect(page.getByText('Finished: good.csv')).toBeVisible()
    expectValue(new Set(keys)).toHaveLength(3)
    expect(await isGreen(page)).toBe(true)

    await page.getByRole('link', { name: 'Show every row' }).click()
    await page.waitForURL('**/admin/stock/import/history?id=*')
    await expect(page.getByText('1 of 1 rows')).toBeVisible()
    await page.goto('/admin/stock/import/history?id=999999999')
    await expect(page.getByText('No import data')).toBeVisible()
    await page.getByRole('button', { name: 'Show all imports' }).click()
    await page.getByRole('button', { name: 'all-wrong.csv' }).click()
    await expect(page.getByText('250 of 1,025 rows')).toBeVisible()
    // Rows that could not be read are read by another press.
    const answerRows = await refuse(page, '**/api/stock/import/history/*/details?*')
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
    await expect(page.getByRole('alert').filter({ hasText: 'Not now.' })).toBeVisible()
    answerRows()
    // With the keyboard: rows get their real height when they scroll into view, and the button would move away from the
    // pointer.
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
    await expect(page.getByText('500 of 1,025 rows')).toBeVisible()
    await page.getByRole('button', { name: 'Show more' }).press('Enter')
    await expect(page.getByText('750 of 1,025 rows')).toBeVisible()
    await expect(page.getByText('Errors occurred during import:')).toHaveCount(750)
    for (const row of ['Row 2', 'Row 251', 'Row 252', 'Row 751'])
      expectValue(await page.getByText(row, { exact: true }).count(), row).toBe(1)
  },
)

test('a supplier’s file with titles above its header is in stock after eight actions', async () => {
  const { page, call } = await shop.colleague()
  await page.goto('/admin/stock/import')
  const imeis = Array.from({ length: 12 }, newImei)
  const { act, choose, done } = counted(page)
  await act(drop(page, { name: 'lieferung.csv', buffer: titledFile(imeis) }))
  await preview(page)
  await expect(page.getByText('2 title lines above the header were skipped.')).toBeVisible()
  const why = '12 rows: Supplier: There is no supplier called Foxway AB.'
  await expect(page.getByRole('list', { name: 'Why rows fail' })).toContainText(why)
  await expect(page.getByText(`No row can be imported yet. ${why}`)).toBeVisible()
  await page.getByRole('button', { name: 'Choose what it means' }).click()
  await expect(page.getByRole('button', { name: 'Create Foxway AB' })).toBeFocused()
  await act(page.getByRole('button', { name: 'Choose a category' }).click())
  await expect(page.getByRole('combobox', { name: 'Category' })).toBeFocused()
  // The link has opened the list. While the rows above change with each decision, what is decided keeps its place.
  const place = async (name: Locator) => Math.round((await name.boundingBox())!.y)
  const category = page.getByRole('combobox', { name: 'Category' })
  const before = await place(category)
  await act(page.getByRole('option', { name: 'Smartphones', exact: true }).click())
  await expect(page.getByText('No row can be imported yet. 12 rows: Supplier')).toBeVisible()
  expect(await place(category)).toBe(before)
  await choose('Status', 'In Stock')
  const line = page.getByRole('list', { name: 'Names that are not known' }).getByRole('listitem').first()
  await act(page.getByRole('button', { name: 'Create Foxway AB' }).click())
  await expect(line).toContainText('Created')
  const created = await place(line)
  await expect(page.getByRole('button', { name: 'Import 12 rows' })).toBeEnabled()
  await expect(page.getByRole('tab', { name: 'New (12)' })).toHaveAttribute('aria-selected', 'true')
  expect(await place(line)).toBe(created)
  await act(page.getByRole('button', { name: 'Import 12 rows' }).click())
  await expect(page.getByText('Finished: lieferung.csv')).toBeInViewport()
  await expect(page.getByText('12 of 12 processed: 12 rows succeeded, 0 failed.')).toBeVisible()
  expect(done()).toBeLessThanOrEqual(8)

  const item = await first<StockRow>(call, `stock/find?search=${imeis[0]}`)
  expect(item).toMatchObject({ status: 'In Stock', purchase_price: 20_050, supplier_name: 'Foxway AB' })
})

for (const { what, file, bought } of [
  { what: 'amounts with points for thousands', file: pricedFile, bought: { purchase_price: 124_990 } },
  { what: 'German dates, yes and no', file: datedFile, bought: { purchase_date: '2026-11-18', network_locked: true } },
])
  testInTurn(`a file with ${what} is in stock as it came`, async () => {
    const { page, call } = await shop.colleague()
    await page.goto('/admin/stock/import')
    const { act, done } = counted(page)
    const imeis = [newImei(), newImei()]
    await act(drop(page, { name: 'delivery.csv', buffer: file(imeis) }))
    await preview(page)
    await act(page.getByRole('button', { name: 'Import 2 rows' }).click())
    await expect(page.getByText('2 of 2 processed: 2 rows succeeded, 0 failed.')).toBeVisible()
    expect(done()).toBeLessThanOrEqual(8)
    const [item, other] = await Promise.all(imeis.map((imei) => first<StockRow>(call, `stock/find?search=${imei}`)))
    expect(item).toMatchObject({ status: 'In Stock', ...bought })
    if ('purchase_price' in bought) expect(other!.purchase_price).toBe(125_000)
    else expect(other!.network_locked).toBe(false)
  })

testInTurn('a delivery note without prices goes in; what is chosen stays, and a sale meanwhile is told', async () => {
  const { page, call } = await shop.colleague()
  const [imei, other] = [newImei(), newImei()]
  const { actual_product_id } = await first<StockRow>(call, 'stock/find')
  const bought = { actual_product_id, purchase_price: 100, status: 'In Stock' }
  const { data: item } = await call<{ data: { id: number } }>('POST', 'stock/create', { ...bought, imei })
  await page.goto('/admin/stock/import')
  const { act, choose, done } = counted(page)
  const lines = ['IMEI;Bezeichnung', `${imei};Apple iPhone 13`, `${other};Apple iPhone 13`, 'Summe;2']
  await act(drop(page, csv('lieferschein.csv', ...lines)))
  await preview(page)
  const why = page.getByRole('list', { name: 'Why rows fail' })
  await act(why.getByRole('button', { name: 'Enter a price for these rows' }).click())
  const price = page.getByRole('textbox', { name: 'Purchase price' })
  await expect(price).toBeFocused()
  await act(price.fill('49,9'))
  await act(price.press('Enter'))
  await choose('Category', 'Smartphones')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'Smartphones', exact: true }).click()
  await expect(page.getByRole('combobox', { name: 'Category' })).toHaveValue('Smartphones')
  // Without its price no row can be imported. Blanks are none.
  await price.fill('  ')
  await price.press('Enter')
  await expect(page.getByRole('button', { name: 'Import 0 rows' })).toBeDisabled()
  await price.fill('49,9')
  await price.press('Enter')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  // A text that is no price stops the import. The price before it would count.
  await price.fill('4x')
  await price.press('Tab')
  await expect(price).toHaveValue('4x')
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(toast(page)).toContainText('Must be a price such as 249.90')
  await expect(price).toBeFocused()
  await price.fill('49,9')

  await newSale(call, [item])
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText('1 item of these rows has changed since they were checked.')).toBeVisible()
  await act(page.getByRole('button', { name: 'Check the rows again' }).click())
  await expect(page.getByText('since they were checked')).toHaveCount(0)
  await act(page.getByRole('button', { name: 'Import 1 row' }).click())
  await expect(page.getByText('3 of 3 processed: 1 row succeeded, 2 failed.')).toBeVisible()
  expect(done()).toBeLessThanOrEqual(8)
  expect(await first<StockRow>(call, `stock/find?search=${other}`)).toMatchObject({ purchase_price: 4990 })
})

testInTurn('a file read anew with another separator is imported once, also if the answer is lost', async () => {
  const { page } = await shop.colleague()
  await page.goto('/admin/stock/import')
  const { choose } = counted(page)
  await drop(page, { name: 'parted.csv', buffer: pricedFile([newImei()]) })
  await preview(page)
  const first = page.url()
  await expect(page.getByRole('combobox', { name: 'Delimiter' })).toHaveValue('Semicolon (;)')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  const supplier = page.getByRole('combobox', { name: 'Supplier', exact: true })
  await choose('Supplier', 'Kringloop Telecom B.V.')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  const update = page.getByRole('checkbox', { name: 'Update existing items' })
  await update.check()
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  await choose('Delimiter', 'Bar (|)')
  await expect(page.getByText('Columns: 1 of 1 not recognised')).toBeVisible()
  expect(page.url()).not.toBe(first)
  await expect(supplier).toHaveValue(/Kringloop Telecom/)
  await expect(update).toBeChecked()
  // When the rows come, the page moves, and with it an open list.
  await expect(page.getByText('No row can be imported yet.')).toBeVisible()
  // The file is not in this encoding, so the old cells stay.
  await choose('Encoding', 'UTF-16')
  await expect(toast(page)).toContainText('parted.csv was not read')
  await expect(page.getByRole('combobox', { name: 'Encoding' })).toHaveValue('UTF-8')
  await choose('Delimiter', 'Semicolon (;)')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  // The server does not keep the file, and neither does a reloaded window.
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Delimiter' })).toBeDisabled()
  await choose('Encoding', 'Greece (1253)')
  await expect(page.getByRole('combobox', { name: 'Encoding' })).toHaveValue('Greece (1253)')
  const button = page.getByRole('button', { name: 'Import 1 row' })
  await expect(button).toBeEnabled()

  // The answer to the import is lost, and nothing can be read until the person presses the button again.
  const keys: (string | undefined)[] = []
  await page.route('**/api/**', async (route) => {
    const isImport = route.request().url().endsWith('/commit')
    if (isImport) keys.push(route.request().headers()['idempotency-key'])
    if (isImport && keys.length === 1) await route.fetch()
    await (keys.length === 1 ? route.abort('internetdisconnected') : route.fallback())
  })
  await button.click()
  await expect(toast(page)).toContainText('The server cannot be reached')
  await button.click()
  await expect(page.getByText('Finished: parted.csv')).toBeVisible()
  expect(keys).toEqual([expect.any(String), keys[0]])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

testInTurn('a name means the product that a person says, and a discarded preview imports nothing', async () => {
  const { page, call } = await shop.colleague()
  await page.goto('/admin/stock/import')
  const imei = newImei()
  const line = `${imei};Apple;iPhone 13 neu;128 GB;Smartphones;100`
  await drop(page, csv('misspelt.csv', 'IMEI;Brand;Model;Storage;Category;Price', line))
  await preview(page)
  const made = page.getByRole('table', { name: 'New' })
  await expect(made).toContainText('New product in Smartphones')
  await page
    .getByRole('button', { name: /^means .*iPhone 13/ })
    .first()
    .click()
  const again = page.getByRole('button', { name: 'Decide about Apple iPhone 13 neu 128 GB again' })
  await expect(again).toBeVisible()
  await expect(made).toContainText('iPhone 13')
  await expect(made).not.toContainText('New product')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  // Decided again, it is any other product, found by its name.
  await again.click()
  await page.getByRole('combobox', { name: 'What Apple iPhone 13 neu 128 GB means' }).fill('Galaxy A52')
  await page
    .getByRole('option', { name: /Galaxy A52/ })
    .first()
    .click()
  await expect(again).toBeVisible()
  await expect(made).toContainText('Galaxy A52')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()

  const open = async () => (await call<{ data: ImportPreview | null }>('GET', 'stock/import/preview')).data
  await page.getByRole('button', { name: 'Discard' }).click()
  await answer(page, 'Discard the preview of misspelt.csv?', 'Cancel')
  await atRest(page)
  expect(await open()).toMatchObject({ file_name: 'misspelt.csv' })
  await page.getByRole('button', { name: 'Discard' }).click()
  await answer(page, 'Nothing has been imported. Your choices in this preview will not be remembered.', 'Discard')
  await page.waitForURL('**/admin/stock/import')
  await expect(page.getByRole('heading', { name: 'Import' })).toBeVisible()
  expect(await open()).toBeNull()
  expect((await call<Found<StockRow>>('GET', `stock/find?search=${imei}`)).total).toBe(0)
})

testInTurn('two suppliers have one name: the items get the one that a person says', async () => {
  const { page, call } = await shop.colleague()
  const company_name = unique('Twins')
  const [, second] = [
    await create(call, 'supplier', { company_name }),
    await create(call, 'supplier', { company_name }),
  ]
  const imei = newImei()
  await page.goto('/admin/stock/import')
  const line = `${imei};Apple;iPhone 13;128 GB;Smartphones;100;${company_name}`
  await drop(page, csv('twins.csv', 'IMEI;Brand;Model;Storage;Category;Price;Vendor', line))
  await preview(page)
  await page.getByRole('combobox', { name: `What ${company_name} means` }).fill(company_name)
  await page.getByRole('option', { name: `${company_name} #${second.id}` }).click()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('1 of 1 processed: 1 row succeeded, 0 failed.')).toBeVisible()
  expect(await first<StockRow>(call, `stock/find?search=${imei}`)).toMatchObject({ supplier_id: second.id })
})

testInTurn('while a file is read anew nothing is asked of the preview that it replaces', async () => {
  const { page } = await shop.colleague()
  await page.goto('/admin/stock/import')
  await page.clock.install()
  const { choose } = counted(page)
  await drop(page, { name: 'replaced.csv', buffer: pricedFile([newImei()]) })
  // The faked answers say that rows are still being checked, so the screen asks again and again.
  let asked = 0
  await page.route(/\/api\/stock\/import\/preview\/\d+$/, async (route) => {
    asked++
    const response = await route.fetch()
    const answer = (await response.json()) as { data: { state: string } | null }
    if (answer.data) answer.data.state = 'previewing'
    await route.fulfill({ response, json: answer })
  })
  await preview(page)
  const first = page.url()
  while (asked < 3) await page.clock.runFor(100)
  const [replaced, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/stock/import/preview', async (route) => {
    const response = await route.fetch()
    replaced.resolve()
    await release.promise
    await route.fulfill({ response })
  })
  await choose('Delimiter', 'Bar (|)')
  await replaced.promise
  const before = asked
  await page.clock.runFor(5000)
  expect(asked).toBe(before)
  release.resolve()
  await page.waitForURL((url) => url.href !== first)
  while (asked < before + 2) await page.clock.runFor(100)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

testInTurn('a preview that was given up says why, and is tried again by hand', async () => {
  const { page } = await shop.colleague()
  const why = 'The server stopped twice while reading this file and will not try again.'
  let isGivenUp = true
  await page.route(/\/api\/stock\/import\/preview\/\d+$/, async (route) => {
    if (route.request().method() === 'PATCH') isGivenUp = false
    const response = await route.fetch()
    const answer = (await response.json()) as { data: object | null }
    if (answer.data && isGivenUp) Object.assign(answer.data, { state: 'failed', error: why })
    await route.fulfill({ response, json: answer })
  })
  await page.goto('/admin/stock/import')
  await drop(page, { name: 'deadly.csv', buffer: pricedFile([newImei()]) })
  await preview(page)
  await expect(page.getByText(why)).toBeVisible()
  const release = await refuse(page, '**/api/stock/import/preview/*/rows?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toContainText('Not now.')
  release()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('table', { name: 'New' })).toContainText('iPhone')
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

testInTurn('a file without a header is said to have none, and rows that a workbook hides are left out', async () => {
  const { page } = await shop.colleague()
  await page.goto('/admin/stock/import')
  const { choose } = counted(page)
  const toPreview = page.getByLabel('Choose a CSV or Excel file')
  const device = () => [newImei(), 'Apple', 'iPhone 13', '128 GB', 'Midnight', 'Smartphones', '199.90']
  const devices = Array.from({ length: 3 }, device)
  const file = { name: 'headless.csv', mimeType: 'text/csv', buffer: Buffer.from(devices.join('\n')) }
  await toPreview.setInputFiles(file)
  await expect(page.getByText('headless.csv: 3 rows')).toBeVisible()
  await expect(page.getByText('This file is read without a header')).toBeVisible()
  await expect(page.getByText('Column 7')).toBeVisible()
  await expect(page.getByText('Checking the rows…')).toHaveCount(0)
  await choose('Header', `In row 1: ${devices[0]!.join(' ')}`)
  await expect(page.getByText('headless.csv: 2 rows')).toBeVisible()
  await expect(page.getByText('This file is read without a header')).toHaveCount(0)

  const header = ['IMEI', 'Brand', 'Model', 'Storage', 'Colour', 'Category', 'Cost']
  const hides = (xml: string) => xml.replace(/(<row>.*?<row>.*?)<row>/, '$1<row hidden="1">')
  const sheets = '<sheet name="Stock" sheetId="1" r:id="rId1"/><sheet name="Sold" sheetId="2" r:id="rId1"/>'
  const parts = { 'xl/workbook.xml': workbookXml(sheets) }
  const buffer = xlsxOf([header, ...Array.from({ length: 3 }, device)], [], hides, parts)
  await page.goto('/admin/stock/import')
  await toPreview.setInputFiles({ name: 'filtered.xlsx', mimeType: 'application/octet-stream', buffer })
  await expect(page.getByRole('button', { name: 'Import 3 rows' })).toBeEnabled()
  // The choice of a header and that of hidden rows each keep the other.
  await choose('Header', 'None: the first row is an item')
  await expect(page.getByText('filtered.xlsx: 4 rows')).toBeVisible()
  await page.getByRole('checkbox', { name: 'Leave hidden rows out' }).click()
  await expect(page.getByText('filtered.xlsx: 3 rows')).toBeVisible()
  await expect(page.getByText('This file is read without a header')).toBeVisible()
  await choose('Header', `In row 1: ${header.join(' ')}`)
  await expect(page.getByText('1 row is hidden in the workbook, by a filter or by hand: left out.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 2 rows' })).toBeEnabled()
  // Another sheet is read in the same way.
  await expect(page.getByText('Only the sheet Stock is read.')).toBeVisible()
  await choose('Sheet', 'Sold')
  await expect(page.getByText('Only the sheet Sold is read.')).toBeVisible()
  await expect(page.getByText('by a filter or by hand: left out.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 2 rows' })).toBeEnabled()
})

testInTurn('a file in zł in the code page of Central Europe is in stock with its own letters', async () => {
  const { page, call } = await shop.colleague()
  await page.goto('/admin/stock/import')
  const { act, choose, done } = counted(page)
  const imeis = Array.from({ length: 12 }, newImei)
  const file = { name: 'dostawa.csv', mimeType: 'text/csv', buffer: polishFile(imeis) }
  await act(page.getByLabel('Choose a CSV or Excel file').setInputFiles(file))
  await preview(page)
  await expect(page.getByRole('combobox', { name: 'Encoding' })).toHaveValue('Central Europe (1250)')
  await choose('Supplier', 'Kringloop Telecom B.V.')
  await choose('Status', 'In Stock')
  const rate = page.getByLabel('Exchange rate: PLN for one EUR')
  await act(page.getByRole('button', { name: 'Enter the exchange rate' }).click())
  await expect(rate).toBeFocused()
  await act(rate.fill('4,25'))
  await act(rate.press('Enter'))
  const button = page.getByRole('button', { name: 'Import 12 rows' })
  await expect(button).toBeEnabled()
  // Without its rate no row can be imported. Blanks are none.
  await rate.fill('  ')
  await rate.press('Enter')
  await expect(page.getByText('12 rows wait for it.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Import 0 rows' })).toBeDisabled()
  await rate.fill('4,25')
  await rate.press('Enter')
  await expect(button).toBeEnabled()
  // A text that is no rate stops the import. The rate before it would count.
  await rate.fill('4,2x')
  await rate.press('Tab')
  await button.click()
  await expect(toast(page)).toContainText('Must be an exchange rate such as 4.25')
  await expect(rate).toBeFocused()
  await rate.fill('4,25')
  await rate.press('Enter')
  await act(button.click())
  await expect(page.getByText('12 of 12 processed: 12 rows succeeded, 0 failed.')).toBeVisible()
  expect(done()).toBeLessThanOrEqual(10)

  const item = await first<StockRow>(call, `stock/find?search=${imeis[3]}`)
  const seen = {
    purchase_price: 120_390,
    purchase_currency: 'PLN',
    fx_rate: 4.25,
    engineer_notes: 'pęknięta szyba, wyświetlacz żółknie',
  }
  expect(item).toMatchObject({ status: 'In Stock', supplier_name: 'Kringloop Telecom B.V.', ...seen })
  expect(item.product_display_name).toContain('Żółty')
})

testInTurn('on a phone a failed row is in sight below its first reason; the others lead to their fields', async () => {
  const { page, call } = await shop.colleague('ROLE_ADMIN', { viewport: { width: 390, height: 844 } })
  await page.goto('/admin/stock/import')
  const grade = unique('Zz')
  const rows = ['Nobody Ltd', 'Kringlop Telecom'].map(
    (vendor) => `Apple;iPhone 99;${newImei()};100 zł;${vendor};${grade}`,
  )
  await drop(page, csv('reasons.csv', 'Brand;Model;IMEI;Price;Vendor;Grade', ...rows))
  await preview(page)
  const reasons = page.getByRole('list', { name: 'Why rows fail' })
  await expect(reasons.getByRole('listitem')).toHaveCount(2)
  const row = page.getByRole('table', { name: 'Failed' }).getByRole('row').first()
  await expect(row).toContainText('Waits for the exchange rate.')
  const imei = (await row.getByRole('textbox', { name: 'IMEI, row 2' }).boundingBox())!
  const bar = (await page.getByText('No row can be imported yet.').boundingBox())!
  expect(imei.y + imei.height).toBeLessThan(bar.y)
  await reasons.getByRole('button', { name: 'Show 4 more reasons' }).click()
  await expect(reasons).toContainText(
    '2 rows: Purchase exchange rate: This field is required: how many PLN one EUR was.',
  )
  await expect(reasons.getByRole('button', { name: 'Show fewer reasons' })).toBeFocused()
  await reasons.getByRole('button', { name: 'Enter the exchange rate' }).click()
  await expect(page.getByLabel('Exchange rate: PLN for one EUR')).toBeFocused()
  // A name whose creation was refused can be created by another press.
  const refusal = { status: 409, json: { success: false, message: 'Not now.' } }
  await page.route('**/api/grade/create', (route) => route.fulfill(refusal), { times: 1 })
  await page.getByRole('button', { name: `Create ${grade}` }).click()
  await expect(toast(page)).toContainText('Not now.')
  await page.getByRole('button', { name: `Create ${grade}` }).click()
  const line = page.getByRole('list', { name: 'Names that are not known' }).getByRole('listitem')
  await expect(line.filter({ hasText: grade })).toContainText('Created')
  expect((await call<Found<{ name: string }>>('GET', 'grade/find?per_page=250')).data).toContainEqual(
    expect.objectContaining({ name: grade }),
  )
})

/** Drops a file from a new supplier, and fills in what the file lacks: category and status. */
async function bring({ page, call }: Awaited<ReturnType<typeof shop.colleague>>, name: string, buffer: Buffer) {
  const company_name = unique('Supplier')
  await call('POST', 'supplier/create', { company_name })
  await page.goto('/admin/stock/import')
  const { act, choose, done } = counted(page)
  await act(drop(page, { name, buffer }))
  await preview(page)
  await act(page.getByRole('combobox', { name: 'Supplier' }).fill(company_name))
  await act(page.getByRole('option', { name: company_name }).click())
  await choose('Category', 'Smartphones')
  await choose('Status', 'In Stock')
  return { act, done }
}

for (const { currency, column, price, rate } of [
  { currency: 'GBP', column: 'Price (£)', price: '180.50', rate: '0.85' },
  { currency: 'CHF', column: 'Price', price: "CHF 1'180.50", rate: '0,95' },
])
  testInTurn(`a file in ${currency} is in stock after ten actions`, async () => {
    const colleague = await shop.colleague()
    const { page, call } = colleague
    const imeis = [newImei(), newImei()]
    const { act, done } = await bring(colleague, `${currency}.csv`, foreignFile(imeis, column, price))
    await act(page.getByLabel(`Exchange rate: ${currency} for one EUR`).fill(rate))
    await act(page.getByLabel(`Exchange rate: ${currency} for one EUR`).press('Enter'))
    await act(page.getByRole('button', { name: 'Import 2 rows' }).click())
    await expect(page.getByText('2 of 2 processed: 2 rows succeeded, 0 failed.')).toBeVisible()
    expect(done()).toBeLessThanOrEqual(10)
    const bought = { purchase_currency: currency, purchase_price: Number(price.replace(/[^\d]/g, '')) }
    expect(await first<StockRow>(call, `stock/find?search=${imeis[1]}`)).toMatchObject({
      status: 'In Stock',
      ...bought,
    })
  })

testInTurn('a file without a make column is in stock after eleven actions', async () => {
  const colleague = await shop.colleague()
  const { page, call } = colleague
  const imeis = [newImei(), newImei()]
  const [model, make] = [unique('Model'), unique('Make')]
  const { act, done } = await bring(colleague, 'makeless.csv', makelessFile(imeis, model))
  const asked = page.getByRole('combobox', { name: `Which make is "${model}"?` })
  await act(page.getByRole('button', { name: 'Choose each model’s make' }).click())
  const names = page.getByRole('list', { name: 'Names that are not known' })
  await expect(names.getByRole('button').first()).toBeFocused()
  await expect(names.getByRole('button').first()).toBeInViewport()
  await act(asked.fill(make))
  await act(page.getByRole('option', { name: `Create "${make}"` }).click())
  await act(page.getByRole('button', { name: 'Import 2 rows' }).click())
  await expect(page.getByText('2 of 2 processed: 2 rows succeeded, 0 failed.')).toBeVisible()
  expect(done()).toBeLessThanOrEqual(11)
  const found = await Promise.all(imeis.map((imei) => first<StockRow>(call, `stock/find?search=${imei}`)))
  expect(found.map((item) => item.product_display_name)).toEqual([`${make} ${model}`, 'Apple iPhone 13 128 GB'])
})

testInTurn('a file with one column of IMEIs, MEIDs and serial numbers is in stock after ten actions', async () => {
  const colleague = await shop.colleague()
  const { page, call } = colleague
  const imei = newImei()
  const [meid, serial] = [`A1${newImei().slice(-12)}`, `F17X${newImei().slice(-8)}`]
  const { act, done } = await bring(colleague, 'mixed.csv', mixedFile([imei, meid, serial]))
  await act(page.getByRole('tab', { name: 'New (3)' }).click())
  await expect(page.getByText('The quantity is 3, but the row has one IMEI: it becomes one item.')).toBeVisible()
  await act(page.getByRole('button', { name: 'Import 3 rows' }).click())
  await expect(page.getByText('3 of 3 processed: 3 rows succeeded, 0 failed.')).toBeVisible()
  expect(done()).toBeLessThanOrEqual(10)
  const found = [imei, meid, serial].map((one) => first<StockRow>(call, `stock/find?search=${one}`))
  expect(await Promise.all(found)).toMatchObject([{ imei }, { meid }, { serial_number: serial }])
})

testInTurn('a workbook with strange headers and faults is corrected in its preview', async () => {
  const { page, call } = await shop.colleague()
  await page.goto('/admin/stock/import')
  const { act, choose, done } = counted(page)
  const rows = Array.from({ length: 60 }, (_, n) => {
    const imei = n === 30 || n === 31 ? '3,56E+14' : newImei()
    const vendor = n < 11 ? 'Kringlop Telecom' : 'Kringloop Telecom B.V.'
    const colour = ['Schwarz', 'Weiß', 'Qwzx'][n] ?? 'Midnight'
    return [imei, 'Apple', 'iPhone 13', '128 GB', colour, 'Smartphones', vendor, 199.9]
  })
  const header = ['IMEI No.', 'Manufacturer', 'What it is', 'Storage', 'Color', 'Category', 'Vendor', 'Cost']
  const file = { name: 'stock list.xlsx', mimeType: 'application/octet-stream', buffer: xlsxOf([header, ...rows]) }
  await act(page.getByLabel('Choose a CSV or Excel file').setInputFiles(file))
  await page.waitForURL('**/admin/stock/import/preview/*')
  await expect(page.getByText('Columns: 1 of 8 not recognised')).toBeVisible()
  await choose('What What it is holds', 'Model')
  // With other columns, the names are asked for anew.
  await expect(page.getByRole('button', { name: 'Import 47 rows' })).toBeEnabled()
  const failing = page.getByRole('table', { name: 'Failed' }).locator('tbody tr')
  await expect(failing).toHaveCount(5)
  await page.getByRole('button', { name: 'Show 8 more rows' }).click()
  // The first page of them.
  await expect(failing).toHaveCount(10)
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(failing).toHaveCount(3)
  await page.getByRole('button', { name: 'Previous page' }).click()
  await expect(failing).toHaveCount(10)
  // Cells of other columns can be corrected on demand.
  const storage = page.getByRole('textbox', { name: 'Storage, row 2' })
  expectValue(await storage.count()).toBe(0)
  const whole = page.getByRole('checkbox', { name: 'All columns' })
  await whole.click()
  await expect(storage).toHaveValue('128 GB')
  await whole.click()
  await expect(storage).toHaveCount(0)
  const names = page.getByRole('list', { name: 'Names that are not known' })
  await expect(page.getByText('3 products wait until the names above are decided.')).toBeVisible()
  await page.getByRole('button', { name: 'Show them' }).click()
  const ofQwzx = names.getByRole('listitem').filter({ hasText: 'iPhone 13 128 GB Qwzx' })
  await expect(ofQwzx).toContainText('Product in 1 row: will be created')
  await act(page.getByRole('button', { name: 'means Kringloop Telecom B.V.' }).press('Enter'))
  // The decided name keeps its line, and the focus goes to the next one that is open, in the end to the list.
  const words = page.getByRole('button', { name: 'Take Black, White' })
  await expect(words).toBeFocused()
  await act(words.press('Enter'))
  const colour = page.getByRole('combobox', { name: 'What Qwzx means' })
  await expect(colour).toBeFocused()
  await expect(names).toContainText(/2 names in another language\s*All are decided\./)
  await colour.fill('Midnight')
  await page.getByRole('option', { name: 'Midnight', exact: true }).click()
  await expect(names.getByRole('listitem').filter({ has: page.getByText('Qwzx', { exact: true }) })).toContainText(
    'means Midnight',
  )
  // The answer about the colour has settled the product that waited for it.
  await expect(ofQwzx).toContainText('Nothing to decide')
  await expect(names.getByRole('listitem').first()).toContainText('means Kringloop Telecom B.V.')
  await expect(page.getByRole('button', { name: 'Import 58 rows' })).toBeEnabled()
  const [imei, imeiBelow] = [newImei(), newImei()]
  const imeiIn = (row: number) => page.getByRole('textbox', { name: `IMEI No., row ${row}` })
  const [cell, below] = [imeiIn(32), imeiIn(33)]
  const unchecked = (words: string) => expect(page.getByText(`${words} not checked yet.`)).toBeVisible()
  await below.fill('1')
  await page.getByRole('button', { name: 'Undo corrections' }).click()
  await expect(below).toHaveValue('3,56E+14')
  // Enter selects the cell below, and Shift Enter the one above: what is typed there takes the place of its text.
  const selected = (field: Locator) =>
    field.evaluate((input: HTMLInputElement) => input.value.slice(input.selectionStart!, input.selectionEnd!))
  for (const [from, key, to] of [
    [cell, 'Enter', below],
    [below, 'Shift+Enter', cell],
  ] as const) {
    await from.press(key)
    await expect(to).toBeFocused()
    expect(await selected(to)).toBe('3,56E+14')
  }
  await act(cell.fill(imei))
  await expect(page.getByRole('button', { name: 'Import 58 rows' })).toBeDisabled()
  // Escape, or the old value typed again, takes back this cell alone.
  for (const takeBack of [() => below.press('Escape'), () => below.fill('3,56E+14')]) {
    await below.fill('1')
    await unchecked('2 corrected cells are')
    await takeBack()
    await expect(below).toHaveValue('3,56E+14')
    await unchecked('1 corrected cell is')
  }
  await act(below.fill(imeiBelow))
  // In an outage what was typed stays, to be checked later.
  let isAway = true
  await page.route(/\/api\/stock\/import\/preview\/\d+$/, (route) =>
    isAway && route.request().method() === 'PATCH' ? route.abort('internetdisconnected') : route.fallback(),
  )
  await cell.press('Control+Enter')
  await expect(toast(page)).toContainText('The server cannot be reached')
  await unchecked('2 corrected cells are')
  await expect(cell).toHaveValue(imei)
  await page.getByRole('button', { name: 'Undo corrections' }).click()
  for (const [field, typed] of [
    [cell, imei],
    [below, imeiBelow],
  ] as const) {
    await expect(field).toHaveValue('3,56E+14')
    await field.fill(typed)
  }
  isAway = false
  await act(page.getByRole('button', { name: 'Check 2 cells' }).click())
  await act(page.getByRole('button', { name: 'Import 60 rows' }).click())
  await expect(page.getByText('60 of 60 processed: 60 rows succeeded, 0 failed.')).toBeVisible()
  expect(done()).toBeLessThanOrEqual(9)
  expect(await first<StockRow>(call, `stock/find?search=${imei}`)).toMatchObject({ purchase_price: 19_990 })
})

testInTurn('a question for a person leads to its field; the answer is remembered, and can be forgotten', async () => {
  const { page, call } = await shop.colleague()
  const { choose } = counted(page)
  const column = unique('Cond')
  const imeis = Array.from({ length: 3 }, newImei)
  const file = () =>
    csv(
      'doubts.csv',
      `IMEI;Brand;Model;Category;Price;Purchase date;Unlocked;${column}`,
      ...[
        [newImei(), 'yes'],
        [imeis.join('/'), 'no'],
      ].map(([imei, free]) => `${imei};Apple;iPhone 13;Smartphones;$1.234;11/02/2026;${free};ok`),
    )
  const look = async () => {
    await page.goto('/admin/stock/import')
    await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file())
    await page.waitForURL('**/admin/stock/import/preview/*')
  }
  await look()
  await expect(page.getByText('First choose how dates are written.')).toBeVisible()
  for (const [link, field, option] of [
    ['Choose how dates are written', 'Dates are written as', 'Day first: 18/11/2026'],
    ['Choose how amounts are written', 'Amounts are written as', '1.249,90'],
    [
      'Choose what these rows are',
      'Rows with several IMEIs are',
      'An item for each IMEI: 1 row becomes 3 items, the row’s price divided among them',
    ],
  ] as const) {
    // The next rows bring other reasons, and other links.
    await expect(page.getByText('Checking the rows…')).toHaveCount(0)
    await page.getByRole('button', { name: link }).click()
    await expect(page.getByRole('combobox', { name: field })).toBeFocused()
    await expect(page.getByRole('combobox', { name: field })).toHaveAttribute('placeholder', 'Choose…')
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  await expect(page.getByText('4 prices have this sign. It is the US dollar unless you choose another.')).toBeVisible()
  await choose('The sign $ means', 'CAD · Canadian dollar')
  await expect(page.getByText('4 prices have this sign.', { exact: true })).toBeVisible()
  const rate = page.getByLabel('Exchange rate: CAD for one EUR')
  await rate.fill('1,6')
  await rate.press('Enter')
  await expect(page.getByRole('combobox', { name: 'What Unlocked holds' })).toHaveValue(
    'Network locked (yes means unlocked)',
  )
  await page.getByRole('combobox', { name: `What ${column} holds` }).click()
  await page.getByRole('option', { name: 'Engineer notes', exact: true }).click()
  await page.getByRole('tab', { name: 'New (4)' }).click()
  const made = page.getByRole('table', { name: 'New' }).getByRole('row')
  await expect(made.nth(1).getByRole('cell', { name: 'No', exact: true })).toBeVisible()
  await expect(made.nth(2).getByRole('cell', { name: 'Yes', exact: true })).toBeVisible()
  await expect(made.nth(1).getByRole('cell', { name: '2026-02-11', exact: true })).toBeVisible()
  await expect(made.nth(1).getByRole('cell', { name: '1,234.00 CAD 771.25 EUR', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Import 4 rows' }).click()
  await expect(page.getByText('4 of 4 processed: 4 rows succeeded, 0 failed.')).toBeVisible()
  const bought = { purchase_price: 41_133, purchase_currency: 'CAD', fx_rate: 1.6 }
  expect(await first<StockRow>(call, `stock/find?search=${imeis[2]}`)).toMatchObject(bought)

  await look()
  await page.getByRole('button', { name: 'Columns: all 8 are known' }).click()
  await expect(page.getByRole('row', { name: column })).toContainText('Remembered')
  await page.getByRole('link', { name: 'See what is remembered' }).click()
  await expect(page.getByRole('heading', { name: 'Import Memory' })).toBeVisible()
  await expect(page.getByRole('row', { name: column })).toContainText('Engineer notes')
  await page.getByRole('button', { name: `Delete Column ${column}` }).click()
  const question = `Forget that ‘Column ${column}’ means ‘Engineer notes’? Files will be read without it.`
  await answer(page, question, 'Delete')
  await expect(page.getByRole('row', { name: column })).toHaveCount(0)
  await look()
  await expect(page.getByText('Columns: 1 of 8 not recognised')).toBeVisible()
})

test('an import leads to its items and its failed rows, and is undone: what goes and stays is said first', async () => {
  const { page, call, id } = await shop.colleague()
  await page.goto('/admin/stock/import')
  await start(page, csv('wrong-prices.csv', HEAD, row(), row(), row(), row('Nobody Ltd')))
  await expect(page.getByText('Finished: wrong-prices.csv')).toBeVisible()
  const file = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download failed rows' }).click()
  expect((await file).suggestedFilename()).toMatch(/^import-\d+-failed\.csv$/)

  await page.getByRole('link', { name: 'Show its items' }).first().click()
  await page.waitForURL('**/admin/stock?status=&import=*')
  await expect(page.getByText('Showing 1 to 3 of 3 entries')).toBeVisible()
  const item = await page.getByRole('row').nth(1).getByRole('link').first().innerText()
  await page.getByRole('row').nth(1).getByRole('checkbox').click()
  await expect(toast(page)).toContainText('1 item added to the basket')
  await expect.poll(() => call('GET', `user/${id}/basket`)).toMatchObject({ data: [{ id: Number(item) }] })

  await page.goto('/admin/stock/import/history')
  await page.getByRole('button', { name: /wrong-prices\.csv/ }).click()
  await page.getByRole('button', { name: 'Undo import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo wrong-prices.csv?' })
  await expect(dialog).toContainText('2 items that it made will be removed.')
  const kept = dialog.getByRole('region', { name: 'What stays' })
  await expect(kept.getByRole('link', { name: item })).toHaveAttribute('href', `/admin/stock/edit/${item}`)
  await expect(kept).toContainText('It is in the basket of')
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  const undone = page.getByRole('dialog', { name: 'Undone: wrong-prices.csv' })
  await expect(undone).toContainText('2 items that it made were removed.')
  await undone.getByRole('button', { name: 'Close' }).last().click()
  await expect(page.getByRole('button', { name: /wrong-prices\.csv.*Undone/ })).toBeVisible()
})

testInTurn('a sheet without a table offers the others, and a workbook says why it is looked at first', async () => {
  const { page } = await shop.colleague()
  await page.goto('/admin/stock/import')
  const csv = "This file has no header. The other sheet is 'Stock'. The sheet 'Costs' is hidden."
  const refusal = { success: false, type: 'error', title: 'Error', message: csv, error: csv }
  let isFirst = true
  await page.route('**/api/stock/import/preview', async (route) => {
    if (route.request().method() !== 'POST' || !isFirst) return route.continue()
    isFirst = false
    await route.fulfill({ status: 422, json: { ...refusal, data: { errors: { csv }, sheets: ['Stock'] } } })
  })
  const rows = [
    ['IMEI', 'Brand', 'Model', 'Category', 'Cost'],
    [newImei(), 'Apple', 'iPhone 13', 'Smartphones', 199.9],
  ]
  const file = { name: 'two sheets.xlsx', mimeType: 'application/octet-stream', buffer: xlsxOf(rows) }
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file)
  const alert = page.getByRole('alert').filter({ hasText: 'two sheets.xlsx was not read' })
  await expect(alert).toContainText("The sheet 'Costs' is hidden.")
  await expect(page.getByRole('button', { name: 'Import', exact: true })).toBeDisabled()
  await alert.getByRole('button', { name: 'Read the sheet Stock' }).click()
  await preview(page)
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  await page.goto('/admin/stock/import')
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file)
  await expect(page.getByText('It is an Excel workbook. Nothing is imported until')).toBeVisible()
})

testInTurn('a preview says what has changed stock since, and what took its place', async () => {
  const { page, call, problems } = await shop.colleague()
  const imei = newImei()
  const list = (name: string, cost: number) =>
    csv(name, 'imei,make,model,category,purchase_price', `${imei},Apple,iPhone 13,Smartphones,${cost}`)
  await page.goto('/admin/stock/import')
  await start(page, list('first.csv', 100))
  await expect(page.getByText('Finished: first.csv')).toBeVisible()
  const { data: entries } = await call<Found<ImportEntry>>('GET', 'stock/import/history?per_page=50')
  const { id } = entries.find(({ file_name }) => file_name === 'first.csv')!
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(list('second.csv', 110))
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await preview(page)
  await expect(page.getByRole('tab', { name: 'Failed (1)' })).toBeVisible()
  await page.getByRole('button', { name: 'Tick ‘Update existing items’' }).click()
  await expect(page.getByRole('checkbox', { name: 'Update existing items' })).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page.getByRole('tab', { name: 'Updated (1)' })).toBeVisible()
  // The faked answers say that the undo still runs, until the test ends it. Then the preview checks the rows again by
  // itself.
  let isOver = false
  await page.route(/\/api\/stock\/import\/preview\/\d+$/, async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { data: ImportPreview }
    if (answer.data.stale?.by === 'undo') answer.data.stale.is_over = isOver
    await route.fulfill({ response, json: answer })
  })
  await call('POST', `stock/import/history/${id}/undo`)
  await expect
    .poll(async () => (await call<{ data: { state: string } }>('GET', `stock/import/history/${id}/undo`)).data.state)
    .toBe('undone')
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText('The import of first.csv is being undone.')).toBeVisible()
  isOver = true
  await expect(page.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  await expect(page.getByText('The import of first.csv')).toHaveCount(0)
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  const other = await page.context().newPage()
  await other.goto('/admin/stock/import')
  await other.getByLabel('Choose a CSV or Excel file').setInputFiles(list('third.csv', 120))
  const update = other.getByRole('checkbox', { name: 'Update existing items' })
  await update.check()
  await other.getByRole('button', { name: 'Preview', exact: true }).click()
  await preview(other)
  await expect(update).toBeChecked()
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByText('The preview of third.csv has taken the place of this one.')).toBeVisible()
  await page.getByRole('link', { name: 'Continue the preview of third.csv' }).click()
  await expect(page.getByText('third.csv: 1 row')).toBeVisible()
  // The browser logs the answers that say that the replaced preview does not exist.
  expect(problems.filter((one) => !one.includes('status of 404'))).toEqual([])
  problems.length = 0
})

testInTurn('a preview that was changed in another window is shown again before it is imported', async () => {
  const { page, call } = await shop.colleague()
  const device = `${newImei()},Apple,iPhone 13,Smartphones,100`
  await page.goto('/admin/stock/import')
  const file = csv('two-windows.csv', 'imei,make,model,category,purchase_price', device)
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file)
  await page.getByRole('button', { name: 'Preview', exact: true }).click()
  await preview(page)
  const button = page.getByRole('button', { name: 'Import 1 row' })
  await expect(button).toBeEnabled()
  const path = `stock/import/preview/${new URL(page.url()).pathname.split('/').at(-1)}`
  // This window does not learn of the change before it imports.
  const seen = await call<{ data: ImportPreview }>('GET', path)
  let isBehind = true
  await page.route(`**/api/${path}`, (route) => (isBehind ? route.fulfill({ json: seen }) : route.continue()))
  await page.route(`**/api/${path}/commit`, (route) => {
    isBehind = false
    return route.continue()
  })
  await call('PATCH', path, { cells: [{ row: 2, column: 0, value: 'none' }] })
  await expect.poll(async () => (await call<{ data: ImportPreview }>('GET', path)).data.state).toBe('previewed')
  await button.click()
  await expect(toast(page)).toContainText('This preview has changed meanwhile, perhaps in another window.')
  await expect(page.getByRole('tab', { name: 'Failed (1)' })).toBeVisible()
  expect((await call<{ data: ImportPreview }>('GET', path)).data.counts).toMatchObject({ new: 0, failed: 1 })
  // The next import is another one, of the rows as they are then.
  await call('PATCH', path, { cells: [{ row: 2, column: 0, value: newImei() }] })
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(button).toBeEnabled()
  await button.click()
  await expect(page.getByText('Finished: two-windows.csv')).toBeVisible()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

testInTurn(
  'proposals of a preview are taken with a click, and the meaning of a name is forgotten with one',
  async () => {
    const { page } = await shop.colleague()
    const by = { by: 'Bea', at: '2026-02-01T12:00:00Z' }
    const faked = {
      proposed: { purchase_currency: 'USD', purchase_date: '2026-02-03' },
      currencies: [
        { currency: 'PLN', rows: 1, rate: null, remembered: null, proposed: { rate: '4.3', date: '2026-02-01' } },
      ],
      meanings: [{ field: 'grade', seen: 'Gut', means: 'B', remembered: by }],
    }
    const sent: unknown[] = []
    let answer: { data: ImportPreview } | undefined
    await page.route(/\/api\/stock\/import\/preview\/\d+$/, async (route) => {
      const request = route.request()
      if (request.method() === 'PATCH') {
        sent.push(request.postDataJSON())
        return route.fulfill({ json: answer })
      }
      answer = (await (await route.fetch()).json()) as { data: ImportPreview }
      const columns = answer.data.columns.map((one) =>
        one.name === 'Price' ? { ...one, last: { ...by, field: null } } : one,
      )
      Object.assign(answer.data, faked, { columns })
      await route.fulfill({ json: answer })
    })
    await page.goto('/admin/stock/import')
    await drop(page, { name: 'proposed.csv', buffer: pricedFile([newImei()]) })
    await preview(page)
    for (const [button, changes] of [
      ['Take USD, from the file’s title', { defaults: { purchase_currency: 'USD' } }],
      ['Take 3 February 2026, from the file’s title', { defaults: { purchase_date: '2026-02-03' } }],
      ['Take 4.3, used on 01/02/2026', { rates: [{ currency: 'PLN', rate: '4.3' }] }],
      ['Last time: Left out', { mapping: [{ column: 7, field: null }] }],
      ['Forget what Gut means', { values: [{ field: 'grade', seen: 'Gut', means: null }] }],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      await expect.poll(() => sent.splice(0), button).toEqual([changes])
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
)

testInTurn('a refusal of a file, or its preview, is told on whatever screen its person is by then', async () => {
  const { page } = await shop.colleague()
  // The browser says at once that the whole file has left it.
  await page.addInitScript(`
    const send = XMLHttpRequest.prototype.send
    XMLHttpRequest.prototype.send = function (body) {
      this.upload.onprogress?.({ lengthComputable: true, loaded: 1, total: 1 })
      send.call(this, body)
    }`)
  await page.goto('/admin/stock/import')
  const release = await hold(page, '**/api/stock/import/csv')
  await start(page, csv('late.csv', HEAD, '"1,2'))
  await expect(page.getByText('Reading the file…')).toBeVisible()
  const answerHistory = await refuse(page, '**/api/stock/import/history?*')
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByRole('heading', { name: 'Import History' })).toBeVisible()
  release()
  await expect(toast(page)).toContainText('late.csv was not imported')
  await expect(toast(page)).toContainText('quot')
  await expect(page.getByText('Not now.')).toBeVisible()
  answerHistory()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: /Processed/ }).first()).toBeVisible()

  // The same with a preview, which a link of the toast opens.
  await page.getByRole('link', { name: 'Import', exact: true }).last().click()
  const begin = await hold(page, '**/api/stock/import/preview')
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(csv('unknown.csv', `${HEAD},odd`, `${row()},1`))
  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByRole('heading', { name: 'Import History' })).toBeVisible()
  begin()
  await expect(toast(page)).toContainText('The preview of unknown.csv is ready.')
  await toast(page).getByRole('link', { name: 'Look at it' }).click()
  await expect(page.getByText('unknown.csv: 1 row')).toBeVisible()
})

testInTurn('how far the import is is asked once a second', async () => {
  const { page } = await shop.colleague()
  const status = { progress: 40, import_id: 7, state: 'running', file_name: 'slow.csv', total_rows: 10 }
  const counts = { processed_rows: 4, successed_rows: 4, failed_rows: 0, errors: [] }
  let asked = 0
  let answered = 0
  let more = {}
  await page.route('**/api/stock/import/csv/status', async (route) => {
    asked++
    await route.fulfill({ json: { success: true, data: { ...status, ...counts, ...more } } })
  })
  page.on('response', (response) => {
    if (response.url().endsWith('/csv/status')) answered++
  })
  const second = async () => {
    const before = answered
    await page.clock.runFor(1000)
    await expect.poll(() => answered).toBeGreaterThan(before)
    await page.clock.runFor(100) // the answer is drawn
  }
  await page.clock.install()
  await page.goto('/admin/stock/import')
  await expect(page.getByText('4 of 10 processed')).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  // Begin right after a request, so that each second has exactly one.
  const early = asked
  while (asked === early) await page.clock.runFor(100)
  await expect.poll(() => asked === answered).toBe(true)
  const first = asked
  for (let n = 1; n <= 3; n++) {
    await second()
    expect(asked).toBe(first + n)
  }
  // The end of an import makes the lists load again, but causes no further request for its progress.
  more = { progress: 100, state: 'done', processed_rows: 10, successed_rows: 10 }
  await second()
  await expect(page.getByText('10 of 10 processed')).toBeVisible()
  await second()
  expect(asked).toBe(first + 5)
  // A minute later the server speaks of it no more, but it stays on the screen.
  more = { progress: -1, import_id: null, total_rows: 0 }
  await second()
  expect(await page.getByText('Finished: ').count()).toBe(1)
})

testInTurn('an import without a file and a result that is new to the screen are shown plainly', async () => {
  const { page } = await shop.colleague()
  const details = ['created', 'unchanged', 'merged'].map((type, n) => ({
    ...{ success: true, type, row: n + 2, of_row: null, id: n + 1, backstock_id: null, message: '' },
  }))
  const partner = unique('Partner')
  let state = 'running'
  await page.route('**/api/stock/import/history?*', async (route) => {
    const found = await (await route.fetch()).json()
    const entry: ImportEntry = found.data[0]
    const data = { ...entry.content.data, details, details_total: 3 }
    const other = {
      ...entry,
      id: 70_007,
      can_undo: true,
      state,
      undo: null,
      type: 'api_import',
      file_name: null,
      user_id: null,
      partner_name: partner,
    }
    await route.fulfill({ json: { ...found, data: [{ ...other, content: { data } }, ...found.data] } })
  })
  // The server does not know this faked import, so the test also fakes the answer about its receivable items.
  const nothing = { type: 'success', message: '', data: { inbound: 0, undoable: [] } }
  await page.route('**/api/stock/bulk/receivable?import_id=70007', (route) => route.fulfill({ json: nothing }))
  await page.goto('/admin/stock/import/history?per_page=50')
  await expect(page.getByText('(API Import)', { exact: true }).first()).toBeVisible()
  const names = page.getByRole('button', { name: /Processed/ })
  // An import that runs is read again and again, until it has ended.
  await expect(names.first()).toContainText('Running')
  state = 'done'
  await expect(names.first()).not.toContainText('Running')
  await names.first().click()
  const rows = page.getByRole('listitem').filter({ has: page.getByRole('img', { name: 'Success' }) })
  await expect(rows).toHaveText([/Row 2\s*#1\s*Created/, /Row 3\s*#2\s*Unchanged/, /Row 4\s*#3\s*Merged/])
  // The name is the file's, or else the import's number. Both begin at the same left edge.
  const left = async (name: string) => (await names.getByText(name, { exact: true }).boundingBox())!.x
  expect(await left('Import #70007')).toBe(await left('shelf-count.csv'))

  // The items that stay are told in pages, and an undo that the server refuses starts once in the end.
  const asked: (string | null)[] = []
  const keys: (string | undefined)[] = []
  await page.route('**/api/stock/import/history/70007/undo*', async (route) => {
    const request = route.request()
    if (request.method() === 'POST') {
      keys.push(request.headers()['idempotency-key'])
      return route.fulfill({ status: 409, json: { message: 'Not now.' } })
    }
    const query = new URL(request.url()).searchParams
    asked.push(`${query.get('page')} ${query.get('judged')}`)
    const ids = Array.from({ length: 26 }, (_, n) => n + 1).slice(...(query.get('page') === '2' ? [25] : [0, 25]))
    const about = { identifier: null, reason: 'sale', ref: null, message: 'It was sold.', at: null }
    const kept = ids.map((id) => ({ ...about, id, product: `Phone ${id}` }))
    const state = { import_id: 70_007, state: null, refusal: null, error: null, progress: 0 }
    const counts = { restored: 0, removed: 3, kept_total: 26, undone_at: null, undone_by_name: null }
    await route.fulfill({ json: { ...nothing, data: { ...state, ...counts, kept } } })
  })
  await page.getByRole('button', { name: 'Undo import' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo Import #70007?' })
  const kept = dialog.getByRole('region', { name: 'What stays' })
  await expect(kept).toContainText('1 to 25 of 26')
  await expect(kept.getByRole('button', { name: 'Previous' })).toBeDisabled()
  await kept.getByRole('button', { name: 'Next' }).click()
  await expect(kept).toContainText('26 to 26 of 26')
  await expect(kept.getByRole('listitem')).toHaveText([/Phone 26/])
  await expect(kept.getByRole('button', { name: 'Next' })).toBeDisabled()
  await kept.getByRole('button', { name: 'Previous' }).click()
  await expect(kept).toContainText('1 to 25 of 26')
  await expect(kept.getByRole('listitem').first()).toContainText('Phone 1')
  expect(asked).toEqual(['1 null', '2 true', '1 true'])
  for (const n of [1, 2]) {
    await dialog.getByRole('button', { name: 'Undo import' }).click()
    await expect.poll(() => keys.length).toBe(n)
    await expect(dialog.getByRole('alert').filter({ hasText: 'Not now.' })).toBeVisible()
  }
  expect(keys).toEqual([expect.any(String), keys[0]])
})
