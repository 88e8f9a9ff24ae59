import type { StockRow } from '@backstock/contract/stock.ts'
import type { Page, Route } from '@playwright/test'
import { expect as assert, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect, hold } from './browser-page.ts'
import { openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { clipped, openScreen } from './screen-check.ts'
import { first, newImei, newItems } from './shop-records.ts'

const shop = openShop()

const SPECIFIED = ['', '#', 'Status', 'Product', 'Purchase Price', 'Sales Price']
const table = (page: Page) => page.getByRole('table', { name: 'Stock Overview' })
const heads = (page: Page) => table(page).getByRole('columnheader')
const inAddress = (page: Page) => new URL(page.url()).searchParams.get('columns')

async function openColumns(page: Page) {
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Find a column' })).toBeVisible()
}

testInTurn('columns are ticked, moved and put back, and stand in the address', async () => {
  const { page, call } = await shop.colleague()
  const [item] = await newItems(call, 1, { location: 'Shelf 9', battery_health: 87, purchase_date: '2026-01-05' })
  await page.goto(`/admin/stock?search=${item!.imei}`)
  await expect(heads(page)).toHaveText(SPECIFIED)
  const refuse = (route: Route) => route.fulfill({ status: 409, json: { message: 'Not now.' } })
  await page.route('**/api/stock/further-columns', refuse)
  await page.getByRole('button', { name: 'Columns', exact: true }).click()
  await expect(page.getByRole('alert')).toContainText('Not now.')
  await page.unroute('**/api/stock/further-columns')
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('textbox', { name: 'Find a column' }).fill('locatx')
  await expect(page.getByText('No such column.')).toBeVisible()
  await page.getByRole('textbox', { name: 'Find a column' }).fill('locat')
  await page.getByRole('checkbox', { name: 'Location' }).click()
  await expect(page.getByText('Location is now column 6.')).toBeAttached()
  await expect(heads(page)).toHaveText([...SPECIFIED, 'Location'])
  await expect(table(page)).toContainText('Shelf 9')
  await page.getByRole('textbox', { name: 'Find a column' }).fill('')
  for (const name of ['Battery', 'Category', 'Margin', 'Margin %', 'Purchase date'])
    await page.getByRole('checkbox', { name, exact: true }).click()
  await expect(table(page)).toContainText(/49\.90 EUR/)
  await expect(table(page)).toContainText('33.3%')
  await expect(table(page)).toContainText('87%')
  await expect(table(page)).toContainText('05/01/2026')
  await page.getByRole('checkbox', { name: 'Status', exact: true }).click()
  await expect(heads(page).nth(2)).toHaveText('Product')
  await expect(page.getByRole('checkbox', { name: '#', exact: true })).toBeDisabled()

  // With the keyboard: the moved column keeps the focus until it is the first.
  const up = page.getByRole('button', { name: 'Move Location up' })
  await up.focus()
  for (let n = 0; n < 4; n++) {
    await expect(up).toBeFocused()
    await page.keyboard.press('Enter')
  }
  await expect(page.getByRole('button', { name: 'Move Location down' })).toBeFocused()
  await expect(page.getByText('Location is now column 1 of 10.')).toBeAttached()
  assert(inAddress(page)).toBe(
    'location,id,product,purchase_price,sales_price,battery_health,category,margin,margin_percent,purchase_date',
  )
  // A ticked column moves to the other list. The next box gets the focus, so Escape still closes the choice.
  await page.getByRole('checkbox', { name: 'VAT', exact: true }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: 'Locked', exact: true })).toBeFocused()
  await page.getByRole('checkbox', { name: 'VAT', exact: true }).focus()
  await page.keyboard.press('Space')
  await expect(page.getByRole('checkbox', { name: 'Purchase date', exact: true })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('textbox', { name: 'Find a column' })).toHaveCount(0)

  await page.reload()
  await expect(heads(page).nth(1)).toHaveText('Location')
  await expect(table(page)).toContainText('Shelf 9')

  await page.getByRole('button', { name: 'Export' }).click()
  const exported = page.getByRole('menuitem', { name: 'Export These Columns' })
  await expect(exported).toContainText('10 columns')
  const matching = page.getByRole('menuitem', { name: 'Export With Status' })
  await expect(matching).toContainText(`In Stock · "${item!.imei}"`)
  const file = await (await page.request.get((await exported.getAttribute('href'))!)).text()
  assert(file.split('\n').map((line) => line.split(',').slice(0, 2))).toEqual([
    ['\ufeffLocation', '#'],
    ['Shelf 9', String(item!.id)],
    [''],
  ])
  await page.keyboard.press('Escape')

  await openColumns(page)
  await page.getByRole('button', { name: 'Standard columns' }).click()
  await expect(page.getByText('The standard columns are shown.')).toBeAttached()
  await expect(heads(page)).toHaveText(SPECIFIED)
  assert(inAddress(page)).toBeNull()
  await page.keyboard.press('Escape')
  // One step back undoes all changes since the choice was opened.
  await page.goBack()
  await expect(heads(page).nth(1)).toHaveText('Location')
  await page.goBack()
  await expect(heads(page)).toHaveText(SPECIFIED)
  // Back and Forward show their columns in the opened choice, too.
  await openColumns(page)
  await page.getByRole('checkbox', { name: 'Location' }).click()
  await expect(heads(page)).toHaveText([...SPECIFIED, 'Location'])
  await page.goBack()
  await expect(up).toHaveCount(0)
  await page.goForward()
  await expect(up).toBeVisible()
})

testInTurn('a column is dragged by its handle, with no new request for what is there already', async () => {
  const { page } = await shop.admin()
  // On a slow machine, too, the rows are not old enough to be read again.
  await page.clock.setFixedTime(new Date())
  await openScreen(page, '/admin/stock')
  await openColumns(page)
  const shown = page.getByRole('list', { name: 'Columns that are shown' }).getByRole('listitem')
  const grip = (await shown.nth(4).locator('[aria-hidden]').first().boundingBox())!
  const target = (await shown.nth(1).boundingBox())!
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/stock/find') && asked.push(request.url()))
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2)
  await page.mouse.down()
  await page.mouse.move(target.x + 20, target.y + target.height + 20, { steps: 4 })
  await page.mouse.move(target.x + 20, target.y + target.height / 2, { steps: 4 })
  await page.mouse.up()
  await expect(heads(page)).toHaveText(['', '#', 'Sales Price', 'Status', 'Product', 'Purchase Price'])
  // Once it is dropped, the column follows the pointer no more.
  await page.mouse.move(grip.x + grip.width / 2, grip.y + grip.height / 2, { steps: 4 })
  await page.mouse.up()
  await atRest(page)
  assert(inAddress(page)).toBe('id,sales_price,status,product,purchase_price')
  assert(asked).toEqual([])
})

testInTurn('sortable columns sort, also without an index, and names that are no columns change nothing', async () => {
  const { page } = await shop.admin()
  await page.goto('/admin/stock?columns=id,nonsense,margin,supplier,grade,purchase_date,product,id')
  await expect(heads(page)).toHaveText(['', '#', 'Margin', 'Supplier', 'Grade', 'Purchase date', 'Product'])
  for (const name of ['Margin', 'Supplier', 'Grade', 'Purchase date']) {
    const head = page.getByRole('columnheader', { name, exact: true })
    await head.getByRole('button').click()
    await expect(head).toHaveAttribute('aria-sort', 'descending')
    await expect(rowsOf(page, 'Stock Overview')).toHaveCount(10)
  }
  await page.goto('/admin/stock?columns=nonsense')
  await expect(heads(page)).toHaveText(SPECIFIED)
})

testInTurn('all columns at once scroll sideways with a hint of more, and on a phone stand in the row', async () => {
  const { page } = await shop.admin()
  const all =
    'id,status,product,imei,imei2,serial_number,backstock_id,grade,functional,battery_health,category,supplier,batch,location,purchase_date,age,margin,margin_percent,vat,network_locked,notes,created_at'
  for (const width of [1400, 768]) {
    await page.setViewportSize({ width, height: 900 })
    await openScreen(page, `/admin/stock?columns=${all}`)
    assert(await clipped(page)).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await openScreen(page, '/admin/stock?columns=id,status,product,category')
  await expect(rowsOf(page, 'Stock Overview').first()).toContainText('Smartphones')
})

testInTurn('a further column of imports is a column too, whatever it is called', async () => {
  const { page } = await shop.colleague()
  const imei = newImei()
  const csv = `imei,status,make,model,category,purchase_price,"Box, sealed"\n${imei},In Stock,Apple,iPhone 13,Smartphones,100,with tape\n`
  await page.goto('/admin/stock/import')
  const file = { name: 'boxes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file)
  // The preview asks about the column, because its name might mean a field.
  await expect(page.getByText('Its column ‘Box, sealed’ is not in the template.')).toBeVisible()
  await page.getByRole('button', { name: 'Import 1 row' }).click()
  await expect(page.getByText('1 of 1 processed')).toBeVisible()
  await page.goto(`/admin/stock?search=${imei}`)
  await openColumns(page)
  await page.getByRole('checkbox', { name: 'Box, sealed' }).click()
  await expect(heads(page).last()).toHaveText('Box, sealed')
  await expect(table(page)).toContainText('with tape')
  await page.reload()
  await expect(table(page)).toContainText('with tape')
})

testInTurn(
  'the columns of an address are there before the rows, and nothing of them is fetched for others',
  async () => {
    const { page } = await shop.admin()
    const files: string[] = []
    page.on('request', (request) => files.push(new URL(request.url()).pathname))
    await openScreen(page, '/admin/stock')
    assert(files.filter((file) => /more-columns|column-list|further-columns/.test(file))).toEqual([])
    const answer = await hold(page, '**/api/stock/find*')
    await page.goto('/admin/stock?columns=id,location')
    await expect(heads(page)).toHaveText(['', '#', 'Location'])
    answer()
    await expect(rowsOf(page, 'Stock Overview').first().getByRole('link')).toBeVisible()
  },
)

test('a further column is taken over into the grade, and that is undone', async () => {
  const { page, call } = await shop.admin()
  const [name, imei, other] = [unique('Zustand'), newImei(), newImei()]
  const rows = [`${imei},A,`, `${other},Mint,`].map((start) => `${start}In Stock,Apple,iPhone 13,Smartphones,100`)
  const csv = [`imei,${name},status,make,model,category,purchase_price`, ...rows].join('\n')
  await page.goto('/admin/stock/import')
  const file = { name: 'graded.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles(file)
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await expect(page.getByText('2 of 2 processed')).toBeVisible()
  await page.goto('/admin/further-column')
  const refusal = (message: string) => ({ status: 409, json: { success: false, message } })
  const path = '**/api/further-column/*/take-over*'
  await page.route(path, (route) => route.fulfill(refusal('Not read.')), { times: 1 })
  await page.getByRole('button', { name: `Copy ${name} into a field` }).click()
  const dialog = page.getByRole('dialog', { name: `Copy '${name}' into a field` })
  await expect(dialog.getByRole('combobox', { name: 'Into the field' })).toHaveValue('Grade')
  await expect(dialog).toContainText('Not read.')
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await expect(dialog).toContainText("'Mint' (1 item)")
  const item = () => first<StockRow>(call, `stock/find?search=${imei}`)
  const grade = async () => (await item()).grade_name
  await expect(dialog.getByRole('button', { name: 'Copy into 1 item' })).toBeEnabled()
  await page.route(path, (route) => route.fulfill(refusal('Not copied.')), { times: 1 })
  await dialog.getByRole('button', { name: 'Copy into 1 item' }).click()
  await expect(toast(page)).toContainText('Not copied.')
  // If there are more items than one copy takes, the dialog stays for the others.
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    const response = await route.fetch()
    const json = await response.json()
    json.data.left = 1
    await route.fulfill({ response, json })
  })
  await dialog.getByRole('button', { name: 'Copy into 1 item' }).click()
  await expect.poll(grade).toBe('A')
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(grade).toBe(null)
  await page.unroute(path)

  // A person may choose another field than the proposed one.
  await expect(dialog).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Into the field' }).click()
  await page.getByRole('option', { name: 'Location' }).click()
  await dialog.getByRole('button', { name: 'Copy into 2 items' }).click()
  await expect.poll(item).toMatchObject({ grade_name: null, location: 'A' })
  await expect(dialog).toHaveCount(0)
})
