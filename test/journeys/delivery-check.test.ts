import type { Page } from '@playwright/test'
import { expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect, hold, logIn } from './browser-page.ts'
import { DOUBLE, HIGH, LOW, listen } from './heard.ts'
import { type Call, openShop, paste, rowsOf, stayByEscape, toast, unique } from './sample-shop.ts'
import { create, newImei, newItems } from './shop-records.ts'

const shop = openShop()

const IMPORTED_MS = { timeout: 60_000 }
const tab = (page: Page, name: string) => page.getByRole('tab', { name: new RegExp(`^${name} \\d`) })

test('an import is checked by scanning: one missing, one unexpected, one scanned twice; received and undone', async () => {
  const { page, call } = await shop.colleague()
  const [elsewhere] = await newItems(call, 1)
  const imeis = Array.from({ length: 4 }, newImei)
  const lines = imeis.map((imei) => `${imei},Inbound,Apple,iPhone 13,Smartphones,100`)
  const name = `${unique('pallet')}.csv`
  await page.goto('/admin/stock/import')
  await page.getByLabel('Choose a CSV or Excel file').setInputFiles({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(['imei,status,make,model,category,purchase_price', ...lines].join('\n')),
  })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Receive all (4)' })).toBeVisible(IMPORTED_MS)
  // Without a check all of it is received at once, and again after that was undone.
  for (let turn = 1; turn <= 2; turn++) {
    await page.getByRole('button', { name: 'Receive all (4)' }).click()
    await expect(page.getByRole('button', { name: 'Receive all (4)' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo: received 4' }).click()
    await expect(page.getByRole('button', { name: 'Receive all (4)' })).toBeEnabled()
  }
  const refusal = (status: number) => ({ status, json: { success: false, message: 'Not now' } })
  await page.route('**/api/stock/check', (route) => route.fulfill(refusal(409)), { times: 1 })
  await page.getByRole('button', { name: 'Check the delivery' }).click()
  await expect(toast(page)).toContainText('Not now')
  await page.getByRole('button', { name: 'Check the delivery' }).click()
  await page.waitForURL('**/admin/stock/check/*')
  await expect(page.getByRole('heading', { name })).toBeVisible()

  // Scanned text goes into the field wherever the focus was.
  const field = page.getByRole('textbox', { name: 'Scan' })
  await expect(field).toBeFocused()
  await page.keyboard.type(imeis[0]!)
  await page.keyboard.press('Enter')
  await tab(page, 'Missing').click()
  await expect(field).toBeFocused()
  for (const code of [`]C1${imeis[1]}`, imeis[0]!, elsewhere!.imei!]) {
    await page.keyboard.type(code)
    await page.keyboard.press('Tab')
  }
  const newest = page.locator('[aria-live=polite][data-kind]')
  await expect(newest).toContainText('Not in this delivery')
  await expect(newest).toContainText('In Stock')
  await expect(page.getByText('Scanned again: matched')).toBeVisible()
  // The code of a box is refused: it is red like one that nobody knows.
  await page.keyboard.type('4006381333931')
  await page.keyboard.press('Enter')
  await expect(newest).toContainText('Not counted')
  const bar = await newest.evaluate((one) => getComputedStyle(one).boxShadow)
  const [red = 0, green = 255, blue = 255] = bar.match(/\d+/g)!.map(Number)
  expectValue(red > 150 && green < 100 && blue < 100, bar).toBe(true)
  // A code that the server cannot take is told among the scans, and hinders no other.
  await page.route('**/api/stock/check/*/scan', (route) => route.fulfill(refusal(422)), { times: 1 })
  for (const code of ['NO-CODE', '4006381333931']) {
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
  }
  await expect(newest).toContainText('4006381333931')
  await expect(page.getByText('NO-CODE', { exact: true })).toBeVisible()

  // A colleague scans the same delivery in another window.
  const { page: theirs } = await shop.colleague()
  await theirs.goto(page.url())
  await theirs.getByRole('textbox', { name: 'Scan' }).fill(imeis[2]!)
  await theirs.keyboard.press('Enter')
  await expect(theirs.getByText('Matched', { exact: true }).first()).toBeVisible()
  await expect(tab(page, 'Matched')).toHaveText('Matched 3')
  for (const [list, n] of [
    ['Missing', 1],
    ['Not in this delivery', 1],
    ['Scanned again', 1],
  ] as const)
    await expect(tab(page, list)).toHaveText(`${list} ${n}`)
  // The rows may come a moment after the counts.
  await expect(rowsOf(page, 'Missing')).toHaveCount(1)
  await expect(rowsOf(page, 'Missing')).toContainText(imeis[3]!)

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Claim list' }).click()
  expect((await download).suggestedFilename()).toMatch(/^delivery-check-\d+\.csv$/)

  await page.getByRole('button', { name: 'Receive 3 matched' }).click()
  await expect(toast(page).filter({ hasText: 'Received 3 items.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Nothing to receive' })).toBeDisabled()
  await tab(page, 'Matched').click()
  await expect(rowsOf(page, 'Matched').filter({ hasText: 'In Stock' })).toHaveCount(3)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page).filter({ hasText: '3 items restored.' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Receive 3 matched' })).toBeEnabled()

  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(field).toBeHidden()

  // The undo of the import says that items received meanwhile would stay.
  await page.getByRole('button', { name: 'Reopen' }).click()
  await page.getByRole('button', { name: 'Receive 3 matched' }).click()
  await expect(page.getByRole('button', { name: 'Nothing to receive' })).toBeDisabled()
  await page.getByRole('link', { name: /^Import #/ }).click()
  await page.getByRole('button', { name: 'Undo import' }).click()
  await expect(page.getByRole('dialog')).toContainText('Some of its items have been received since, and would stay.')
})

test('the check of a supplier expects this supplier’s items alone; scans wait in an outage, and are told', async () => {
  const { page, call } = await shop.colleague()
  const company_name = unique('Pallets')
  const { id: supplier_id } = await create(call, 'supplier', { company_name })
  const [one, two] = await newItems(call, 2, { status: 'Inbound', supplier_id })
  await newItems(call, 1, { status: 'Inbound', supplier_id, imei: null, serial_number: unique('C39') })
  await newItems(call, 1, { status: 'Inbound' })
  await page.goto('/admin/stock/check/create')
  await page.getByRole('combobox', { name: 'Supplier' }).fill(company_name)
  await page.getByRole('option', { name: company_name }).click()
  const only = page.getByRole('textbox', { name: 'Only items with' })
  await only.fill('Nothing of this name')
  await page.getByRole('button', { name: 'Begin' }).click()
  await expect(page.getByRole('alert')).toHaveText('No Inbound item matches.')
  await only.fill(' 359990 ')
  const name = unique('Monday')
  await page.getByRole('textbox', { name: 'Name' }).fill(` ${name} `)
  await page.getByRole('button', { name: 'Begin' }).click()
  await page.waitForURL(/\/check\/\d+$/)
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  await expect(page.getByText('Expected 2')).toBeVisible()
  await expect(tab(page, 'Missing')).toHaveText('Missing 2')

  let isAway = true
  await page.route('**/api/stock/check/*/scan', (route) =>
    isAway ? route.abort('internetdisconnected') : route.continue(),
  )
  const field = page.getByRole('textbox', { name: 'Scan' })
  const alert = page.getByRole('alert').filter({ hasText: 'waiting' })
  const scan = async (code: string) => {
    await field.fill(code)
    await page.keyboard.press('Enter')
  }
  await scan(one!.imei!)
  await scan(two!.imei!)
  await expect(alert).toContainText('2 codes are waiting.')
  // Leaving now asks first.
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sales' }).click()
  await stayByEscape(page)
  isAway = false
  await alert.getByRole('button', { name: 'Send now' }).click()
  await expect(tab(page, 'Matched')).toHaveText('Matched 2')
  await expect(alert).toHaveCount(0)

  // A colleague closes the check while a code waits.
  isAway = true
  await scan('NOBODY-1')
  await expect(alert).toContainText('1 code is waiting.')
  await call('POST', `stock/check/${page.url().split('/').at(-1)}/close`)
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByRole('button', { name: 'Reopen' })).toBeVisible()
  await expect(field).toBeDisabled()
  await expect(alert).toContainText('1 code is waiting.')
  await alert.getByRole('button', { name: 'Discard' }).click()
  await expect(field).toHaveCount(0)
})

/** Creates a check of `n` Inbound items from a new supplier. */
async function checkOf(call: Call, n: number): Promise<{ path: string; imeis: string[] }> {
  const { id: supplier_id } = await create(call, 'supplier', { company_name: unique('Pallets') })
  const items = await newItems(call, n, { status: 'Inbound', supplier_id })
  const { data } = await call<{ data: { id: number } }>('POST', 'stock/check', {
    filter: { supplier_id: [supplier_id] },
  })
  return { path: `/admin/stock/check/${data.id}`, imeis: items.map(({ imei }) => imei!) }
}

testInTurn(
  'a pasted list makes one tone, its last line is the newest; after a turned page scanning goes on',
  async () => {
    const { page, call } = await shop.colleague()
    const heard = await listen(page)
    const { path, imeis } = await checkOf(call, 30)
    await page.goto(`${path}?show=missing`)
    const field = page.getByRole('textbox', { name: 'Scan' })
    const newest = page.locator('[aria-live=polite][data-kind]')
    await paste(field, [...imeis.slice(26, 28), 'X-1', 'X-2', 'X-3', imeis[26], imeis[28]].join('\n'))
    await expect(newest).toContainText(imeis[28]!)
    const earlier = page.getByRole('list', { name: 'Earlier scans' }).getByRole('listitem')
    await expect(earlier).toHaveText([/^Scanned again: matched/, /X-3/, /X-2/, /X-1/])
    expectValue(await heard()).toEqual([LOW])
    await paste(field, [imeis[27], imeis[28]].join('\n'))
    await expect(earlier.first()).toContainText(imeis[27]!)
    await paste(field, [imeis[0], imeis[28]].join('\n'))
    await expect(earlier.first()).toContainText(imeis[0]!)
    expectValue(await heard()).toEqual([LOW, DOUBLE, DOUBLE, DOUBLE, DOUBLE])

    const missing = rowsOf(page, 'Missing')
    await expect(missing.filter({ hasText: imeis[0]! })).toHaveCount(0)
    const top = await missing.first().getByRole('link').innerText()
    await page.getByRole('button', { name: 'Next page' }).click()
    await expect(missing.filter({ hasText: top })).toHaveCount(0)
    await expect(missing).toHaveCount(10)
    const rows = page.getByRole('combobox', { name: 'Rows per page' })
    await rows.focus()
    await rows.selectOption('25')
    await expect(rows).toBeFocused()
    await page.keyboard.type(imeis[1]!)
    await page.keyboard.press('Enter')
    await expect(tab(page, 'Matched')).toHaveText('Matched 5')
    await expect(rows).toBeHidden()
    expectValue((await heard()).at(-1)).toBe(HIGH)
  },
)

testInTurn('a check that is opened from another one shows nothing of that one until it is read', async () => {
  const { page, call } = await shop.colleague()
  const { path } = await checkOf(call, 1)
  const { path: next } = await checkOf(call, 1)
  const id = next.split('/').at(-1)
  await page.goto(path)
  await expect(tab(page, 'Missing')).toHaveText('Missing 1')
  const release = await hold(page, `**/api/stock/check/${id}?*`)
  await page.getByRole('button', { name: 'Notifications' }).click()
  const entries = page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')
  await entries
    .filter({ hasText: `Delivery check #${id}` })
    .getByRole('link')
    .first()
    .click()
  await page.waitForURL(`**${next}`)
  await expect(page.getByRole('heading', { name: `Delivery check #${id}` })).toBeVisible()
  expectValue(await page.getByRole('textbox', { name: 'Scan' }).count()).toBe(0)
  release()
  await expect(page.getByRole('textbox', { name: 'Scan' })).toBeVisible()
})

testInTurn(
  'scans that wait when a session ends are there for their person, are sent once, and by nobody else',
  async () => {
    const person = await shop.colleague()
    const { page, call, context } = person
    const other = await shop.colleague()
    const { path, imeis } = await checkOf(call, 4)
    const sent: string[][] = []
    let isAway = true
    await page.route('**/api/stock/check/*/scan', (route) => {
      sent.push(route.request().postDataJSON().codes)
      return isAway ? route.abort('internetdisconnected') : route.continue()
    })
    await page.goto(path)
    const field = page.getByRole('textbox', { name: 'Scan' })
    await expect(field).toBeFocused()
    for (const imei of imeis) {
      await page.keyboard.type(imei)
      await page.keyboard.press('Enter')
    }
    await expect(page.getByRole('alert').filter({ hasText: '4 codes are waiting' })).toBeVisible()
    isAway = false
    await context.clearCookies()
    await page.waitForURL('**/login')

    await logIn(page, other)
    const before = sent.length
    await page.goto(path)
    await expect(field).toBeFocused()
    await atRest(page)
    await expect(tab(page, 'Matched')).toHaveText('Matched 0')
    expect(sent).toHaveLength(before)
    await page.getByRole('button', { name: other.name }).click()
    await page.getByRole('menuitem', { name: 'Log Out' }).click()
    await page.waitForURL('**/login')
    await logIn(page, person)
    await page.goto(path)
    await expect(tab(page, 'Matched')).toHaveText('Matched 4')
    await expect(tab(page, 'Scanned again')).toHaveText('Scanned again 0')
    expect(sent.slice(before).flat()).toEqual(imeis)
  },
)
