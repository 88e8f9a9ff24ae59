import type { StockRow } from '@backstock/contract/stock.ts'
import type { Page } from '@playwright/test'
import { test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { DESK, expect, hold } from './browser-page.ts'
import {
  answer,
  endSession,
  type Found,
  logInHere,
  openShop,
  rowsOf,
  stayByEscape,
  toast,
  unique,
} from './sample-shop.ts'
import { create, newItems } from './shop-records.ts'

const shop = openShop()

const dialog = (page: Page, title: string | RegExp) => page.getByRole('dialog', { name: title })
const openBasket = (page: Page) => page.getByRole('button', { name: /^Basket, / }).click()

testInTurn('Inbound items are put in stock in two actions, and taken back in one', async () => {
  const { page, call, id } = await shop.colleague()
  const serial = unique('PALLET').replace(' ', '')
  for (let n = 1; n <= 4; n++) await newItems(call, 1, { serial_number: `${serial}-${n}`, status: 'Inbound' })
  await page.goto(`/admin/stock?status=Inbound&search=${serial}`)
  await expect(rowsOf(page, 'Stock Overview')).toHaveCount(4)

  // One bulk edit takes 10,000 items at most.
  const address = '**/api/stock/find?*'
  let total = 10_000
  await page.route(address, async (route) => {
    const found = await (await route.fetch()).json()
    await route.fulfill({ json: { ...found, total } })
  })
  await page.reload()
  await page.getByRole('button', { name: 'More actions' }).click()
  const all = page.getByRole('menuitem', { name: /^Edit all / })
  await expect(all).toHaveText('Edit all 10,000 that match')
  await expect(all).toBeEnabled()
  total = 10_001
  await page.reload()
  await page.getByRole('button', { name: 'More actions' }).click()
  await expect(all).toHaveText('Edit all 10,001 that match10,000 at most: narrow the list down')
  await expect(all).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Receive all' })).toBeDisabled()
  await page.unroute(address)
  await page.reload()

  await page.getByRole('button', { name: 'Receive all' }).click()
  const asked = dialog(page, 'Edit all 4 that match')
  await expect(asked.getByRole('status')).toHaveText(/^4 items will change\./)
  await expect(asked.getByRole('list', { name: 'What changes' })).toContainText('Status: Inbound → In Stock')
  await asked.getByRole('button', { name: 'Change 4 items' }).click()

  await expect(toast(page)).toContainText('Changed 4 items.')
  await expect(asked).toBeHidden()
  await expect(page.getByText('0 entries')).toBeVisible()
  const found = await call<Found<StockRow>>('GET', `stock/find?status=In%20Stock&search=${serial}`)
  expect(found.total).toBe(4)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page)).toContainText('4 items restored.')
  await expect(rowsOf(page, 'Stock Overview')).toHaveCount(4)

  // On a phone the button is in the menu.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Receive all' }).click()
  await expect(asked.getByRole('list', { name: 'What changes' })).toContainText('Status: Inbound → In Stock')
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect(asked).toBeHidden()
  await page.setViewportSize(DESK)

  // The basket offers the same for its Inbound items, and leaves the others alone.
  const { data } = await call<Found<StockRow>>('GET', `stock/find?status=Inbound&search=${serial}`)
  const basket = [...data, ...(await newItems(call, 1))]
  await call('PUT', `user/${id}/basket`, { items: basket.map((item) => item.id) })
  await page.goto('/admin/make')
  await openBasket(page)
  await page.getByRole('button', { name: 'Receive 4 Inbound items' }).click()
  await expect(dialog(page, 'Edit 4 items').getByRole('status')).toHaveText(/^4 items will change\./)
})

test('the basket is priced: refusals are named, a change by somebody else is shown before anything is done', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 3)
  const [unpriced] = await newItems(call, 1, { sales_price: null })
  await call('PUT', `user/${id}/basket`, { items: [...items, unpriced!].map((item) => item.id) })
  await page.goto('/admin/make')
  await openBasket(page)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit items' }).click()
  const asked = dialog(page, 'Edit 4 items')
  const apply = asked.getByRole('button', { name: /^Change / })
  await expect(apply).toBeDisabled()
  await asked.getByRole('button', { name: 'Sales price', exact: true }).click()
  await asked.getByRole('textbox', { name: 'Sales price: percent' }).fill('0')
  await expect(asked.getByRole('status')).toHaveText(/^Nothing will change\./)
  await expect(apply).toBeDisabled()
  await asked.getByRole('textbox', { name: 'Sales price: percent' }).fill('-50')
  await expect(asked).toContainText('149.90 EUR → 74.95 EUR')
  await asked.getByRole('checkbox', { name: 'Never below cost' }).click()
  await expect(asked).toContainText('149.90 EUR → 100.00 EUR')
  await asked.getByRole('checkbox', { name: 'Never below cost' }).click()
  await expect(asked).toContainText('149.90 EUR → 74.95 EUR')
  await asked.getByRole('textbox', { name: 'Sales price: percent' }).fill('5')
  await asked.getByRole('combobox', { name: 'Rounding' }).click()
  await page.getByRole('option', { name: 'To .99' }).click()
  await expect(asked.getByRole('status')).toHaveText(/^3 items will change\. 1 item cannot be changed/)
  await expect(asked.getByRole('list', { name: 'Why items cannot be changed' })).toHaveText(
    `1 It has no sales price. #${unpriced!.id}`,
  )
  await expect(asked).toContainText('149.90 EUR → 156.99 EUR')

  // A half typed percentage is not valid: no preview is asked for, and nothing can be applied.
  await asked.getByRole('textbox', { name: 'Sales price: percent' }).fill('5,')
  await expect(apply).toBeDisabled()
  // It is wrong only once the field is left.
  const percent = asked.getByRole('textbox', { name: 'Sales price: percent' })
  await expect(percent).not.toHaveAttribute('aria-invalid', 'true')
  await percent.press('Tab')
  await expect(percent).toHaveAccessibleDescription(/Must be a number from -100 to 1000/)
  await asked.getByRole('textbox', { name: 'Sales price: percent' }).fill('5')
  await expect(asked.getByRole('button', { name: 'Change 3 items' })).toBeEnabled()

  // Meanwhile somebody changes the price of one item.
  await call('POST', `stock/${items[1]!.id}/edit`, { sales_price: 20_000 })
  await asked.getByRole('textbox', { name: 'Sales price: percent' }).press('Control+Enter')
  await expect(asked.getByRole('alert')).toContainText('nothing was changed')
  await expect(asked).toContainText('200.00 EUR → 209.99 EUR')
  await expect(asked.getByRole('textbox', { name: 'Sales price: percent' })).toHaveValue('5')
  await asked.getByRole('textbox', { name: 'Sales price: percent' }).press('Control+Enter')
  await expect(toast(page)).toContainText('Changed 3 items. Left unchanged for the reasons in the preview: 1 item.')
  await expect(asked).toBeHidden()
  const { data } = await call<Found<StockRow>>('GET', `stock/find?ids=${items.map((item) => item.id)}&order_by=id_asc`)
  expect(data.map((item) => item.sales_price)).toEqual([15_699, 20_999, 15_699])
})

testInTurn('several fields at once; what was chosen is asked about before it is lost', async () => {
  const person = await shop.colleague()
  const { page, call, id } = person
  const items = await newItems(call, 2)
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/make')
  const edit = async () => {
    await openBasket(page)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Edit items' }).click()
  }
  await edit()
  const asked = dialog(page, 'Edit 2 items')
  await asked.getByRole('button', { name: 'Location', exact: true }).click()
  await page.keyboard.press('Escape')
  await answer(page, 'You have unsaved changes.', 'Leave')
  await expect(asked).toBeHidden()
  // Now the code of questions is there before the dialog is, and hears Escape first.
  await edit()
  for (const field of ['Location', 'Supplier', 'Note', 'Network locked'])
    await asked.getByRole('button', { name: field, exact: true }).click()
  await asked.getByRole('textbox', { name: 'Location' }).fill('Shelf 7')
  await asked.getByRole('checkbox', { name: 'No supplier' }).check()
  // A missing VAT type is created in place, with the rate that it needs.
  const rate = unique('Rate')
  await asked.getByRole('button', { name: 'VAT', exact: true }).click()
  await asked.getByRole('combobox', { name: 'VAT' }).fill(rate)
  await page.getByRole('option', { name: `Create "${rate}"` }).click()
  await dialog(page, 'New VAT').getByRole('textbox', { name: 'Rate' }).fill('7')
  await dialog(page, 'New VAT').getByRole('button', { name: 'Create' }).click()
  await expect(asked.getByRole('combobox', { name: 'VAT' })).toHaveValue(`${rate} (7%)`)
  await asked.getByRole('textbox', { name: 'Note' }).fill('Counted on Monday')
  // A click removes a chosen field, beside its input or above.
  await asked.getByRole('button', { name: 'Do not change: Network locked' }).click()
  await asked.getByRole('button', { name: 'Grade', exact: true }).click()
  await expect(asked.getByRole('combobox', { name: 'Grade' })).toBeVisible()
  await asked.getByRole('button', { name: 'Grade', exact: true }).click()
  await expect(asked.getByRole('combobox', { name: 'Grade' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await stayByEscape(page)
  await expect(asked.getByRole('textbox', { name: 'Location' })).toHaveValue('Shelf 7')
  // If the session ends, the browser keeps the changes for the same items.
  await endSession(person, page.getByRole('button', { name: 'Notifications' }))
  await logInHere(person)
  await toast(page).getByRole('link', { name: 'Go back to it' }).click()
  await page.waitForURL('**/admin/make')
  // It is not the draft of a filter's items, whose order nobody knows.
  await page.goto(`/admin/stock?search=${items[0]!.imei}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit all 1 that match' }).click()
  const ofFilter = dialog(page, 'Edit all 1 that match')
  await ofFilter.getByRole('button', { name: 'Sales price', exact: true }).click()
  await ofFilter.getByRole('combobox', { name: 'Sales price' }).click()
  await page.getByRole('option', { name: 'Pasted column' }).click()
  const column = ofFilter.getByRole('textbox', { name: 'Pasted column' })
  await expect(column).toHaveAccessibleDescription(/then a tab and the price\.$/)
  expect(await ofFilter.getByText('Your draft is back.').count()).toBe(0)
  await page.keyboard.press('Escape')
  await answer(page, 'You have unsaved changes.', 'Leave')
  await expect(ofFilter).toBeHidden()
  await edit()
  await expect(asked).toContainText('Your draft is back.')
  await expect(asked.getByRole('textbox', { name: 'Location' })).toHaveValue('Shelf 7')
  // Discarded by mistake, the draft comes back.
  await asked.getByRole('button', { name: 'Discard' }).click()
  await expect(asked.getByRole('textbox', { name: 'Location' })).toHaveCount(0)
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(asked.getByRole('textbox', { name: 'Location' })).toHaveValue('Shelf 7')
  await asked.getByRole('button', { name: 'Change 2 items' }).click()
  await expect(toast(page)).toContainText('Changed 2 items.')
  const { data } = await call<Found<StockRow>>('GET', `stock/find?ids=${items.map((item) => item.id)}`)
  for (const item of data)
    expect(item).toMatchObject({ location: 'Shelf 7', supplier_id: null, engineer_notes: 'Counted on Monday' })
  const [made] = (await call<Found<{ id: number; rate: number }>>('GET', `vat/find?search=${rate}`)).data
  expect([made?.rate, ...data.map(({ vat_type_id }) => vat_type_id)]).toEqual([7, made?.id, made?.id])
})

testInTurn(
  'a bulk edit whose answer got lost is not made twice; No is not Yes, and costs rise by a part of the cost',
  async () => {
    const { page, call, id } = await shop.colleague()
    const items = await newItems(call, 2, { network_locked: true, status: 'Inbound', location: 'Old' })
    const locked = await create<{ id: number; name: string }>(call, 'batch', { name: unique('Closed'), items: [] })
    await call('POST', `batch/${locked.id}/edit`, { name: locked.name, is_locked: true })
    await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
    await page.goto('/admin/make')
    await openBasket(page)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Edit items' }).click()
    const asked = dialog(page, 'Edit 2 items')
    const choose = async (select: string, option: string) => {
      await asked.getByRole('combobox', { name: select }).click()
      await page.getByRole('option', { name: option }).click()
    }
    // A locked batch is named, and cannot be chosen.
    await asked.getByRole('button', { name: 'Batch', exact: true }).click()
    await asked.getByRole('combobox', { name: 'Batch' }).fill(locked.name)
    await expect(page.getByRole('option', { name: `${locked.name} (locked)`, disabled: true })).toBeVisible()
    await asked.getByRole('button', { name: 'Do not change: Batch' }).click()
    for (const field of ['Network locked', 'Purchase price', 'Status', 'Location', 'Bought under'])
      await asked.getByRole('button', { name: field, exact: true }).click()
    await choose('Status', 'In Stock')
    await choose('Bought under', 'Margin')
    await asked.getByRole('textbox', { name: 'Location' }).fill('Shelf 7')
    await asked.getByRole('checkbox', { name: 'No location' }).click()
    await expect(asked.getByRole('textbox', { name: 'Location' })).toBeDisabled()
    await choose('Network locked', 'No')
    await choose('Purchase price', 'Purchase price plus percent')
    await asked.getByRole('textbox', { name: 'Purchase price: percent' }).fill('10')
    await expect(asked).toContainText('100.00 EUR → 110.00 EUR')
    const sent: (string | undefined)[] = []
    await page.route('**/api/stock/bulk', async (route) => {
      sent.push(route.request().headers()['idempotency-key'])
      const response = await route.fetch()
      if (sent.length === 1) await route.abort('internetdisconnected')
      else await route.fulfill({ response })
    })
    const change = asked.getByRole('button', { name: 'Change 2 items' })
    await change.click()
    await expect(asked.getByRole('alert')).toContainText('The server cannot be reached')
    await change.click()
    await expect(toast(page)).toContainText('Changed 2 items.')
    await expect(toast(page).getByRole('button', { name: 'Undo' })).toBeVisible()
    expect(sent).toEqual([expect.any(String), sent[0]])
    const { data } = await call<Found<StockRow>>('GET', `stock/find?ids=${items.map((item) => item.id)}`)
    const changed = { network_locked: false, purchase_price: 11_000, status: 'In Stock', location: null }
    for (const item of data) expect(item).toMatchObject({ ...changed, purchase_treatment: 'margin' })
  },
)

testInTurn('while the changes are sent, the fields are read-only and keep the focus', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 1)
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/make')
  await openBasket(page)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit items' }).click()
  const asked = dialog(page, 'Edit 1 item')
  for (const field of ['Location', 'Supplier', 'Function'])
    await asked.getByRole('button', { name: field, exact: true }).click()
  const location = asked.getByRole('textbox', { name: 'Location' })
  await asked.getByRole('checkbox', { name: 'No supplier' }).check()
  await asked.getByRole('combobox', { name: 'Function' }).click()
  await page.getByRole('option', { name: 'Unknown' }).click()
  await location.fill('Shelf 7')
  await expect(asked.getByRole('button', { name: 'Change 1 item' })).toBeEnabled()
  const release = await hold(page, '**/api/stock/bulk')
  await location.press('Control+Enter')
  await expect(location).not.toBeEditable()
  await expect(location).toBeFocused()
  await page.keyboard.type('8')
  await asked.getByRole('checkbox', { name: 'No supplier' }).click({ force: true })
  await asked.getByRole('button', { name: 'Note', exact: true }).click({ force: true })
  await expect(location).toHaveValue('Shelf 7')
  expect(await asked.getByRole('checkbox', { name: 'No supplier' }).isChecked()).toBe(true)
  expect(await asked.getByRole('textbox', { name: 'Note' }).count()).toBe(0)
  release()
  await expect(asked).toBeHidden()
})

testInTurn('prices come from a pasted column, and what means none of the items is named', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 3)
  const [elsewhere] = await newItems(call, 1)
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/make')
  await openBasket(page)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Edit items' }).click()
  const asked = dialog(page, 'Edit 3 items')
  await asked.getByRole('button', { name: 'Sales price', exact: true }).click()
  await asked.getByRole('combobox', { name: 'Sales price' }).click()
  await page.getByRole('option', { name: 'Pasted column' }).click()
  const [a, b, c] = items
  await expect(asked.getByRole('textbox', { name: 'Pasted column' })).toHaveAccessibleDescription(
    /Or only the prices, in the order of the basket\.$/,
  )
  // The server's refusal is at the field, and there alone.
  await asked.getByRole('textbox', { name: 'Pasted column' }).fill('201\n202,50')
  await expect(asked.getByRole('textbox', { name: 'Pasted column' })).toHaveAccessibleDescription(
    /^Without identifiers there must be a price for each item: 2 lines for 3 items\./,
  )
  expect(await asked.getByRole('alert').count()).toBe(0)
  await expect(asked.getByRole('button', { name: /^Change / })).toBeDisabled()
  await asked
    .getByRole('textbox', { name: 'Pasted column' })
    .fill(`${a!.imei}\t201\n${b!.imei}\t202,50\n${elsewhere!.imei}\t5\n${c!.imei}\tsoon`)
  await expect(asked.getByRole('list', { name: 'Lines that change nothing' }).getByRole('listitem')).toHaveText([
    `Line 3 None of these items has this identifier. ${elsewhere!.imei} 5`,
    `Line 4 It does not end in a price such as 249.90. ${c!.imei} soon`,
  ])
  await asked.getByRole('button', { name: 'Change 2 items' }).click()
  await expect(toast(page)).toContainText('Changed 2 items.')
  const { data } = await call<Found<StockRow>>('GET', `stock/find?ids=${items.map((item) => item.id)}&order_by=id_asc`)
  expect(data.map((item) => item.sales_price)).toEqual([20_100, 20_250, 14_990])
})
