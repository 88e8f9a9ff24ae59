import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect, goOffline } from './browser-page.ts'
import { DOUBLE, HIGH, LOW, listen, MIDDLE } from './heard.ts'
import { openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { PHONE } from './screen-look.ts'
import { create, newImei, newItems, newSale } from './shop-records.ts'

const shop = openShop()

const COUNTS = ['Found', 'Can be sold', 'Not found', 'Again'] as const

async function counted(page: Page, ...counts: number[]): Promise<void> {
  for (const [n, name] of COUNTS.entries())
    await expect(page.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('+ dd')).toHaveText(
      String(counts[n]!.toLocaleString('en')),
    )
}

const newestOf = (page: Page) => page.locator('[aria-live=polite][data-kind]')
const fieldOf = (page: Page) => page.getByRole('textbox', { name: 'Scan' })

/** Types like a scanner: key after key, with Enter at the end, without waiting for anything. */
async function scan(page: Page, codes: readonly string[]): Promise<void> {
  for (const code of codes) {
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
  }
}

testInTurn(
  '60 scans without looking: each is heard and counted, whatever has the focus, and reload keeps them',
  async () => {
    const { page, call } = await shop.colleague()
    const heard = await listen(page)
    const items = await newItems(call, 3)
    const [coming] = await newItems(call, 1, { status: 'Inbound' })
    await page.goto('/admin/scan')
    await expect(fieldOf(page)).toBeFocused()
    await counted(page, 0, 0, 0, 0)

    await scan(page, [items[0]!.imei!])
    await expect(newestOf(page)).toContainText('Can be sold')
    await expect(newestOf(page)).toContainText(`#${items[0]!.id}`)
    await scan(page, [coming!.imei!])
    await expect(newestOf(page)).toContainText('Cannot be sold')
    await expect(newestOf(page)).toContainText('receive it first')
    await scan(page, ['NOBODY-1'])
    await expect(newestOf(page)).toContainText('Not found')
    await scan(page, [`]C1${items[0]!.imei}`])
    await expect(newestOf(page)).toContainText('Scanned again')
    expect(await heard()).toEqual([HIGH, MIDDLE, LOW, DOUBLE, DOUBLE])

    // A click elsewhere does not stop the field from taking codes, and Tab still moves to the buttons.
    await page.getByRole('heading', { name: 'Scan', level: 1 }).click()
    await expect(fieldOf(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('button', { name: 'Camera' })).toBeFocused()

    const rest = [items[1]!.imei!, items[2]!.imei!, ...Array.from({ length: 54 }, newImei)]
    await scan(page, rest)
    await counted(page, 4, 3, 55, 1)
    await expect.poll(async () => (await heard()).length).toBe(5 + rest.length)
    expect((await heard()).filter((hz) => hz === HIGH)).toHaveLength(3)
    await expect(rowsOf(page, 'Scanned').first()).toContainText(rest.at(-1)!)

    await page.reload()
    await counted(page, 4, 3, 55, 1)
    expect(await heard()).toEqual([])
    await page.getByRole('button', { name: 'Undo last' }).click()
    await counted(page, 4, 3, 54, 1)
    await expect(rowsOf(page, 'Scanned')).toHaveCount(59)
  },
)

testInTurn('a tap on a button of a phone brings up no keyboard', async () => {
  const { page } = await shop.colleague('ROLE_USER', PHONE)
  await page.goto('/admin/scan')
  const sound = page.getByRole('button', { name: 'Sound' })
  await sound.tap()
  await expect(sound).toBeFocused()
  expect(await fieldOf(page).evaluate((field) => field === document.activeElement)).toBe(false)
})

testInTurn('a dropdown swallows no code, and closes with Escape as anywhere', async () => {
  const { page } = await shop.colleague()
  await page.goto('/admin/scan')
  await expect(fieldOf(page)).toBeFocused()
  for (const [n, name] of ['Basket, 0 items', 'Notifications'].entries()) {
    await page.getByRole('button', { name }).click()
    const dropdown = page.getByRole('dialog')
    await expect(dropdown).toBeVisible()
    await scan(page, [`DROPDOWN-${n}`])
    await counted(page, 0, 0, n + 1, 0)
    await page.getByRole('button', { name }).click()
    await expect(dropdown).toBeHidden()
    await page.getByRole('button', { name }).click()
    await dropdown.click({ position: { x: 8, y: 8 } })
    await page.keyboard.press('Escape')
    await expect(dropdown).toBeHidden()
  }
})

testInTurn(
  'a list that is pasted while a button has the focus counts once, and leaves nothing in the field',
  async () => {
    const { page } = await shop.colleague()
    await page.goto('/admin/scan')
    await expect(fieldOf(page)).toBeFocused()
    await page.evaluate(`{
    const area = document.createElement('textarea')
    area.value = 'PASTED-1\\nPASTED-2\\n'
    document.body.append(area)
    area.select()
  }`)
    await page.keyboard.press('Control+c')
    await page.evaluate(`document.querySelector('body > textarea').remove()`)
    await page.getByRole('button', { name: 'Camera' }).focus()
    await page.keyboard.press('Control+v')
    await counted(page, 0, 0, 2, 0)
    await expect(fieldOf(page)).toBeFocused()
    await expect(fieldOf(page)).toHaveValue('')
    await page.keyboard.press('Control+v')
    await counted(page, 0, 0, 2, 2)
    await expect(fieldOf(page)).toHaveValue('')
  },
)

testInTurn('codes that come faster than they are drawn are looked up together, and none is dropped', async () => {
  const { page } = await shop.colleague()
  const asked: number[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/stock/scan-find')) asked.push(request.postDataJSON().codes.length)
  })
  await page.goto('/admin/scan')
  await expect(fieldOf(page)).toBeFocused()
  // Events made inside the page have no pause between the keys.
  await page.evaluate(`{
    const field = document.activeElement
    for (let n = 0; n < 60; n++) {
      field.value = 'FAST-' + n
      field.dispatchEvent(new KeyboardEvent('keydown', { key: n % 2 ? 'Tab' : 'Enter', bubbles: true, cancelable: true }))
    }
  }`)
  await counted(page, 0, 0, 60, 0)
  expect(asked).toEqual([1, 59])
  await expect(rowsOf(page, 'Scanned').first()).toContainText('FAST-59')
  await expect(rowsOf(page, 'Scanned').last()).toContainText('FAST-0')
})

testInTurn('scanned items go into the basket, a sale and a return, in their order', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 2)
  const [held] = await newItems(call, 1)
  // Only its number tells a device without an IMEI from another that has the same serial number.
  const serial_number = unique('SN')
  const [plain] = await newItems(call, 1, { imei: null, serial_number })
  await newItems(call, 1, { backstock_id: serial_number })
  const shelf = await create(call, 'batch', { name: unique('Shelf'), items: [held!.id] })
  // A sold item is found, but it does not go into the basket or into the sale.
  const [sold] = await newItems(call, 1)
  await newSale(call, [sold!])
  const order = [plain!, items[0]!, held!, items[1]!]
  const codes = [`#${plain!.id}`, ...order.slice(1).map(({ imei }) => imei), sold!.imei, 'NOT OURS']
  await page.goto('/admin/scan')
  await fieldOf(page).focus()
  await page.evaluate(`{
    const data = new DataTransfer()
    data.setData('text', ${JSON.stringify([...codes, ''].join('\r\n'))})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }`)
  await counted(page, 5, 4, 1, 0)
  await expect(rowsOf(page, 'Scanned').filter({ hasText: 'In batch #' })).toHaveCount(1)

  // Meanwhile another window has changed the basket. Both changes stay.
  const [other] = await newItems(call, 1)
  const me = await call<{ user: { id: number } }>('GET', 'auth')
  await call('PUT', `user/${me.user.id}/basket`, { items: [other!.id] })
  await page.getByRole('button', { name: 'Add all to basket (4)' }).click()
  await expect(toast(page).filter({ hasText: '4 items added to the basket' })).toBeVisible()
  const basket = () => call<{ data: { id: number }[] }>('GET', `user/${me.user.id}/basket`)
  await expect
    .poll(async () => (await basket()).data.map(({ id }) => id))
    .toEqual([other!.id, ...order.map(({ id }) => id)])

  // They come from no batch, although an earlier screen has left one.
  await page.evaluate((id) => localStorage.setItem('storageData', JSON.stringify({ saleFromBatch: id })), shelf.id)
  await page.getByRole('button', { name: 'Create Sale (4)' }).click()
  await page.waitForURL('**/admin/sale/create')
  const products = page.locator('main tbody tr')
  await expect(products).toHaveCount(4)
  await atRest(page)
  expect(await page.getByText(`From Batch #${shelf.id}`).count()).toBe(0)
  for (const [n, { id }] of order.entries()) await expect(products.nth(n)).toContainText(`${id}`)

  await page.goBack()
  await counted(page, 5, 4, 1, 0)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Return from a customer' }).click()
  await page.waitForURL('**/admin/return/create')
  await expect(page.getByRole('textbox', { name: 'IMEIs or serial numbers' })).toHaveValue(codes.join('\n'))
  await expect(rowsOf(page, 'Items found')).toHaveCount(5)

  await page.goBack()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Check a delivery' }).click()
  await page.waitForURL('**/admin/stock/check')

  await page.goBack()
  await page.getByRole('button', { name: 'Add all to basket (4)' }).click()
  await expect(toast(page)).toContainText('All of them are in the basket already.')
})

test('a return of scanned items keeps what was chosen, on the way back, after a reload, from Scan again', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 2)
  const imeis = items.map(({ imei }) => imei!)
  const sale = await newSale(call, items)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${sale.id}/edit`, { status })
  await page.goto('/admin/scan')
  await expect(fieldOf(page)).toBeFocused()
  await scan(page, imeis)
  await counted(page, 2, 0, 0, 0)
  const takeBack = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Return from a customer' }).click()
    await page.waitForURL('**/admin/return/create')
  }
  await takeBack()
  const outcome = page.getByRole('combobox', { name: `Outcome of #${items[1]!.id}` })
  const note = page.getByRole('textbox', { name: 'Note' })
  const lines = page.getByRole('textbox', { name: 'IMEIs or serial numbers' })
  await outcome.selectOption('Inbound for testing')
  await note.fill('Parcel 7')
  await lines.fill([...imeis, 'BESIDE'].join('\n'))
  const isAsLeft = async (...more: string[]) => {
    await expect(page.getByText('Your draft is back.')).toBeVisible()
    await expect(lines).toHaveValue([...imeis, ...more].join('\n'))
    await expect(note).toHaveValue('Parcel 7')
    await expect(outcome.locator('option:checked')).toHaveText('Inbound for testing')
  }

  await page.locator(`main a[href*="/sale/edit/${sale.id}"]`).first().click()
  // The address changes before the screen does.
  await expect(lines).toHaveCount(0)
  await page.goBack()
  await isAsLeft('BESIDE')
  await page.reload()
  await isAsLeft('BESIDE')
  await page.goBack()
  await counted(page, 2, 0, 0, 0)
  await takeBack()
  await isAsLeft()

  // Other items are another return. The first one comes back when no items are handed over.
  await page.goBack()
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Clear the list' }).click()
  await fieldOf(page).focus()
  await scan(page, ['NOT-OURS'])
  await counted(page, 0, 0, 1, 0)
  await takeBack()
  await expect(lines).toHaveValue('NOT-OURS')
  await expect(note).toHaveValue('')
  const discard = page.getByRole('button', { name: 'Discard' })
  await discard.click()
  await expect(lines).toHaveValue('')
  await toast(page).getByText('Draft discarded').getByRole('button', { name: 'Undo' }).click()
  await expect(lines).toHaveValue('NOT-OURS')
  await discard.click()
  await expect(lines).toHaveValue('')
  await page.goto('/admin/return/create')
  await isAsLeft()
})

test('the label of a shelf sets the location of all scanned items; Undo puts them back', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 2, { location: 'Old' })
  const [gone] = await newItems(call, 1, { status: 'Inbound', location: 'Old' })
  const [own] = await newItems(call, 1, { backstock_id: unique('BS') })
  const place = unique('Shelf')
  await page.goto('/admin/scan')
  await expect(fieldOf(page)).toBeFocused()
  await scan(
    page,
    [...items, gone!].map(({ imei }) => imei!),
  )
  await counted(page, 3, 2, 0, 0)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Set location' }).click()
  const location = page.getByRole('textbox', { name: 'Location' })
  await expect(location).toBeFocused()
  // A click outside the dialog does not close it.
  await location.fill('She')
  await page.mouse.click(5, 5)
  await expect(location).toHaveValue('She')
  await location.fill('')
  // If the next phone is scanned too early, its IMEI is not taken for a location.
  await scan(page, [items[0]!.imei!])
  await expect(page.getByRole('dialog')).toContainText('That is the IMEI of a device')
  await scan(page, [`#${items[1]!.id}`])
  await expect(page.getByRole('dialog')).toContainText(`That is the number of an item, #${items[1]!.id}`)
  await scan(page, [own!.backstock_id!])
  await expect(page.getByRole('dialog')).toContainText(`That is item #${own!.id}, `)
  await scan(page, [`]C1${place}`])
  await expect(toast(page).filter({ hasText: `3 items moved to ${place}.` })).toBeVisible()
  await expect(rowsOf(page, 'Scanned').filter({ hasText: place })).toHaveCount(3)
  await counted(page, 3, 2, 0, 0)
  // The next code goes to the list of scans again.
  await expect(page.getByRole('dialog')).toBeHidden()
  await scan(page, ['NEXT'])
  await counted(page, 3, 2, 1, 0)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(rowsOf(page, 'Scanned').filter({ hasText: 'Old' })).toHaveCount(3)
})

testInTurn('a location that was written while its answer got lost is told, and can be undone', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 2, { location: 'Old' })
  const place = unique('Shelf')
  await page.goto('/admin/scan')
  await expect(fieldOf(page)).toBeFocused()
  await scan(
    page,
    items.map(({ imei }) => imei!),
  )
  await counted(page, 2, 2, 0, 0)
  let acts = 0
  await page.route('**/api/stock/bulk', async (route) => {
    acts++
    const answer = await route.fetch()
    if (acts === 1) await route.abort('internetdisconnected')
    else await route.fulfill({ response: answer })
  })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Set location' }).click()
  await page.getByRole('textbox', { name: 'Location' }).fill(place)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toContainText('The server cannot be reached')
  await page.getByRole('button', { name: 'Set location' }).click()
  await expect(toast(page).filter({ hasText: `2 items moved to ${place}.` })).toBeVisible()
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(rowsOf(page, 'Scanned').filter({ hasText: 'Old' })).toHaveCount(2)
})

testInTurn('a location says which items it leaves as they are, and a code that names none may be one', async () => {
  const { page, call } = await shop.colleague()
  const [first, second, gone] = await newItems(call, 3, { location: 'Old' })
  const sale = await newSale(call, [gone!])
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${sale.id}/edit`, { status })
  const code = unique('BS')
  await newItems(call, 1, { backstock_id: code })
  await newItems(call, 1, { imei: null, serial_number: code })
  await page.goto('/admin/scan')
  await expect(fieldOf(page)).toBeFocused()
  const dialog = page.getByRole('dialog')
  const moveTo = async (place: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Set location' }).click()
    await dialog.getByRole('textbox', { name: 'Location' }).fill(place)
    await page.keyboard.press('Enter')
  }
  await scan(page, [first!.imei!])
  await counted(page, 1, 1, 0, 0)
  await moveTo(code)
  await expect(page.getByRole('dialog', { name: 'Where the item is' })).toContainText('This code fits several items: ')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await moveTo('4006381333931')
  await expect(toast(page).filter({ hasText: '1 item moved to 4006381333931.' })).toBeVisible()
  await expect(dialog).toBeHidden()
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(rowsOf(page, 'Scanned').filter({ hasText: 'Old' })).toHaveCount(1)

  await scan(page, [second!.imei!, gone!.imei!])
  await counted(page, 3, 2, 0, 0)
  const place = unique('Shelf')
  const left = 'It is Sold and no longer here, so its location stays as it is.'
  await moveTo(place)
  await expect(toast(page)).toContainText(`2 items moved to ${place}. Left as they are: 1 item. ${left}`)
  await expect(rowsOf(page, 'Scanned').filter({ hasText: place })).toHaveCount(2)
  await moveTo(place)
  await expect(toast(page)).toContainText(`2 items had this location already. ${left}`)
  await expect(dialog).toBeHidden()
})

testInTurn(
  '5,000 codes stay quick: the newest are drawn, all are counted; cleared by mistake they come back',
  async () => {
    const { page } = await shop.colleague()
    await page.goto('/admin/scan')
    await fieldOf(page).focus()
    await page.evaluate(`{
    const data = new DataTransfer()
    data.setData('text', Array.from({ length: 5000 }, (_, n) => 'MANY-' + n).join('\\n'))
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }`)
    await counted(page, 0, 0, 5000, 0)
    await expect(rowsOf(page, 'Scanned')).toHaveCount(100)
    await expect(page.getByText('The newest 100 of 5,000 are shown')).toBeVisible()
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect(page.getByText('The newest 500 of 5,000 are shown')).toBeVisible()
    await expect(rowsOf(page, 'Scanned')).toHaveCount(500)
    await scan(page, ['MANY-17', 'ANOTHER'])
    await counted(page, 0, 0, 5001, 1)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Clear the list' }).click()
    await counted(page, 0, 0, 0, 0)
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await counted(page, 0, 0, 5001, 1)
  },
)

testInTurn('results are silent if somebody wants this, the next time too; a code of no item is explained', async () => {
  const { page } = await shop.colleague()
  const heard = await listen(page)
  await page.goto('/admin/scan')
  const sound = page.getByRole('button', { name: 'Sound' })
  await expect(sound).toHaveAttribute('aria-pressed', 'true')
  await sound.click()
  await expect(sound).toHaveAttribute('aria-pressed', 'false')
  await expect(toast(page)).toContainText('The sound is off.')
  await sound.click()
  await expect(toast(page)).toContainText('The sound is on.')
  await sound.click()
  await expect(toast(page)).toContainText('The sound is off.')
  await page.reload()
  await expect(sound).toHaveAttribute('aria-pressed', 'false')
  await scan(page, ['8'.repeat(32)])
  await expect(newestOf(page)).toContainText('That is the EID')
  await scan(page, ['4006381333931'])
  await expect(newestOf(page)).toContainText('That is the EAN of the box')
  expect(await heard()).toEqual([])
})

testInTurn('codes wait during an outage, and are looked up after it', async () => {
  const { page, context } = await shop.colleague()
  await page.goto('/admin/scan')
  await expect(fieldOf(page)).toBeFocused()
  await goOffline(page)
  await scan(page, ['A-1', 'A-2', 'A-3'])
  await expect(page.getByRole('alert').filter({ hasText: '3 codes are waiting' })).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Send now' }).click()
  await counted(page, 0, 0, 3, 0)
})
