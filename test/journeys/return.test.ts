import type { CustomerReturn } from '@backstock/contract/customer-return.ts'
import { expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, expect, hold } from './browser-page.ts'
import { answer, endSession, logInHere, openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { create, first, newItems, newSale } from './shop-records.ts'

const shop = openShop()

test('three phones come back from a pasted list, one for less, and are credited', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 3)
  const sale = await newSale(call, items)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${sale.id}/edit`, { status })

  await page.goto('/admin/return')
  await page.getByRole('link', { name: 'Add new' }).click()
  await expect(page.getByRole('textbox', { name: 'IMEIs or serial numbers' })).toBeFocused()
  await page.keyboard.type(`NOT-OURS\n${items.map(({ imei }) => imei).join('\n')}\n`)
  await expect(page.getByRole('heading', { name: 'Not sold by you (1)' }).locator('..')).toContainText('NOT-OURS')
  const rows = rowsOf(page, 'Items found')
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText(`Sale #${sale.id}`)
  // A choice for all is one for the items that are ticked.
  const third = page.getByRole('checkbox', { name: `Select #${items[2]!.id}` })
  await third.uncheck()
  await page.getByRole('combobox', { name: 'Reason, for all' }).selectOption('Faulty')
  await third.check()
  await page.getByRole('combobox', { name: `Outcome of #${items[1]!.id}` }).selectOption('Inbound for testing')
  await page.getByRole('combobox', { name: `Condition of #${items[2]!.id}` }).selectOption('Damaged')
  await page.getByRole('textbox', { name: 'Note' }).fill('Parcel 7')
  await page.getByRole('button', { name: new RegExp(`^Credit of #${items[0]!.id}:`) }).dblclick()
  await page.getByRole('textbox', { name: `Credit of #${items[0]!.id}` }).fill('100')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect(page.getByText('3 items, credited: 399.80 EUR excl. VAT')).toBeVisible()
  // While a credit cannot be stored, nothing is received: the question would name the whole price.
  await page.getByRole('button', { name: new RegExp(`^Credit of #${items[2]!.id}:`) }).dblclick()
  const credit = page.getByRole('textbox', { name: `Credit of #${items[2]!.id}` })
  await credit.fill('1oo')
  await page.getByRole('button', { name: 'Receive (3)' }).click()
  await expect(credit).toBeFocused()
  await atRest(page)
  expectValue(await page.getByRole('dialog').count()).toBe(0)
  await credit.fill('150')
  await credit.press('Enter')
  await expect(credit).toHaveAccessibleDescription('More than it was sold for.')
  await credit.press('Escape')

  // The last step by keyboard alone: it opens a question, and Enter says yes.
  await expect(page.getByRole('button', { name: 'Receive (3)' })).toBeEnabled()
  await page.keyboard.down('Control')
  await page.keyboard.down('Enter')
  await page.keyboard.up('Control')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('3 items of')
  await expect(dialog).toContainText('1 credit note for 399.80 EUR excl. VAT is made and sent by email.')
  await expect(dialog.getByRole('button', { name: 'Receive' })).toBeFocused()
  // An Enter that is still held does not answer.
  await page.keyboard.down('Enter')
  await atRest(page)
  expectValue(await dialog.count()).toBe(1)
  await page.keyboard.up('Enter')
  const sent = page.waitForRequest('**/api/return/create')
  await page.keyboard.press('Enter')
  const [one, two, three] = items.map((item) => ({ id: item.id, sale_id: sale.id }))
  const usual = { reason: 'faulty', condition: 'not_checked', outcome: 'restock', price: null }
  // A credit that nobody has changed is not sent: the price of the sale counts.
  expectValue((await sent).postDataJSON()).toEqual({
    ...{ customer_id: expectValue.any(Number), note: 'Parcel 7', received: true, send_email: true },
    items: [
      { ...one, ...usual, price: 10_000 },
      { ...two, ...usual, outcome: 'inbound' },
      { ...three, ...usual, reason: 'not_stated', condition: 'damaged' },
    ],
  })
  await expect(page.getByRole('heading', { name: /^Return #\d+$/ })).toBeVisible()
  const back = rowsOf(page, 'Items of the return')
  await expect(back).toContainText([/In Stock.*Faulty.*100\.00/, /Inbound.*149\.90/, /Damaged.*149\.90/])
  await expect(page.getByRole('link', { name: /^CN-.* \(PDF\)$/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Settle' })).toBeEnabled()
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Settled', { exact: true })).toBeVisible()
})

testInTurn('a list with items of two customers names those for another return', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 3)
  const sale = await newSale(call, items.slice(0, 2))
  const other = await create(call, 'customer', { first_name: 'An', last_name: 'Other', email: 'an@shop.test' })
  const second = await newSale(call, items.slice(2), { customer_id: other.id })
  for (const { id } of [sale, second])
    for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${id}/edit`, { status })
  await page.goto('/admin/return/create')
  const pasted = page.getByRole('textbox', { name: 'IMEIs or serial numbers' })
  // Two phones may have one number, as the serial number of one and the Backstock ID of the other.
  const [one, two] = [
    ...(await newItems(call, 1, { serial_number: unique('TWIN').replace(' ', '') })),
    ...(await newItems(call, 1)),
  ]
  await call('POST', `stock/${two!.id}/edit`, { backstock_id: one!.serial_number })
  const twins = await newSale(call, [one!, two!])
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${twins.id}/edit`, { status })
  await pasted.fill(one!.serial_number!)
  const ambiguous = page.getByRole('heading', { name: 'May be several phones: paste the IMEI (1)' }).locator('..')
  await expect(ambiguous).toContainText(new RegExp(`${one!.serial_number}: #\\d+, #\\d+$`))
  await expect(ambiguous).toContainText(`#${two!.id}`)
  // A line that the server refuses is named.
  const wrong = { success: false, message: 'Not valid.', data: { errors: { 'lines[0]': 'This line is too long.' } } }
  await page.route('**/api/return/look-up', (route) => route.fulfill({ status: 422, json: wrong }), { times: 1 })
  await pasted.fill('TOO LONG')
  await expect(page.getByRole('alert')).toHaveText('This line is too long.')
  await pasted.fill(items[0]!.imei!)
  const receiveOne = page.getByRole('button', { name: 'Receive (1)' })
  await expect(receiveOne).toBeEnabled()
  // Until the server has looked the longer list up, the shorter one cannot be received.
  const letGo = await hold(page, '**/api/return/look-up')
  const asked = page.waitForRequest('**/api/return/look-up')
  await pasted.fill(items.map(({ imei }) => imei).join('\n'))
  await asked
  expectValue(await receiveOne.isDisabled()).toBe(true)
  letGo()
  await expect(page.getByText(/^2 items of .*, 1 of other customers$/)).toBeVisible()
  const customer = page.getByRole('combobox', { name: 'Customer of this return' })
  const firstOne = await customer.inputValue()
  for (const [option, text] of [
    ['An Other (1)', /^1 item of An Other, 2 of other customers$/],
    [firstOne, /^2 items of .*, 1 of other customers$/],
  ] as const) {
    await customer.click()
    await page.getByRole('option', { name: option, exact: true }).click()
    await expect(page.getByText(text)).toBeVisible()
  }
  // A draft that comes back has the chosen customer, and all that was chosen.
  const choose = async (option: string) => {
    await customer.click()
    await page.getByRole('option', { name: option, exact: true }).click()
  }
  const email = page.getByRole('checkbox', { name: 'Send the credit notes by email' })
  const tick = page.getByRole('checkbox', { name: `Select #${items[2]!.id}` })
  const reason = page.getByRole('combobox', { name: `Reason of #${items[2]!.id}` })
  await choose('An Other (1)')
  await reason.selectOption('Faulty')
  await tick.uncheck()
  await email.uncheck()
  await page.reload()
  await expect(page.getByText('Your draft is back.')).toBeVisible()
  await expect(customer).toHaveValue('An Other (1)')
  await expect(reason).toHaveValue('faulty')
  await expect(tick).not.toBeChecked()
  await expect(email).not.toBeChecked()
  await email.check()
  await choose(firstOne)
  const receive = page.getByRole('button', { name: 'Receive (2)' })
  await receive.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('1 item of other customers needs a return of its own.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)

  // A question that was cancelled comes again, about what is chosen now.
  await email.uncheck()
  await receive.click()
  await expect(dialog).toContainText('1 credit note for 299.80 EUR excl. VAT is made.')
  // A refusal leaves everything as it is, and the next try counts.
  const refusal = { status: 409, json: { success: false, message: 'One of the items has come back.' } }
  await page.route('**/api/return/create', (route) => route.fulfill(refusal), { times: 1 })
  await dialog.getByRole('button', { name: 'Receive' }).click()
  await expect(page.getByRole('alert')).toHaveText(refusal.json.message)
  await receive.click()
  const sent = page.waitForRequest('**/api/return/create')
  await dialog.getByRole('button', { name: 'Receive' }).click()
  expectValue((await sent).postDataJSON()).toMatchObject({ received: true, send_email: false })
  await expect(page.getByRole('heading', { name: /^Return #\d+$/ })).toBeVisible()
})

testInTurn('items of a return that have not come are awaited until a person has settled it', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 3)
  const sale = await newSale(call, items)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${sale.id}/edit`, { status })
  const customer_id = (await first(call, 'customer/find')).id
  const announce = (of: typeof items) =>
    create(call, 'return', { customer_id, items: of.map((item) => ({ id: item.id, sale_id: sale.id })) })
  const { id } = await announce(items)
  await page.goto(`/admin/return/edit/${id}`)
  // Without an item that has come back, a return is refused and not settled.
  await page.getByRole('button', { name: 'Refuse' }).click()
  await answer(page, 'Nothing comes back and nothing is credited.', 'Cancel')
  await page.getByRole('combobox', { name: 'Reason, for all' }).selectOption('Faulty')
  await expect(page.getByRole('combobox', { name: `Reason of #${items[0]!.id}` })).toHaveValue('faulty')
  await page.getByRole('combobox', { name: `Outcome of #${items[0]!.id}` }).selectOption('Inbound for testing')
  const missing = [1, 2].map((n) => page.getByRole('checkbox', { name: `Select #${items[n]!.id}` }))
  const leave = async () => {
    for (const box of missing) await box.uncheck()
  }
  await leave()
  // A choice for all is one for the items that are ticked.
  await page.getByRole('combobox', { name: 'Condition, for all' }).selectOption('Damaged')
  await expect(page.getByRole('combobox', { name: `Condition of #${items[0]!.id}` })).toHaveValue('damaged')
  await expect(page.getByRole('combobox', { name: `Condition of #${items[1]!.id}` })).toHaveValue('not_checked')
  await page.getByRole('checkbox', { name: 'Send the credit notes by email' }).uncheck()
  // A colleague has changed the return meanwhile. The first try is refused, and the second one counts.
  const { updated_at } = await first<CustomerReturn>(call, `return/find?id=${id}`)
  await call('POST', `return/${id}/edit`, { note: 'Two are late', updated_at })
  const receive = async () => {
    await page.getByRole('button', { name: 'Receive (1)' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Receive' }).click()
  }
  await receive()
  await expect(page.getByRole('alert')).toContainText('Changed by')
  await atRest(page)
  const received = page.waitForRequest(`**/api/return/${id}/receive`)
  await receive()
  expectValue((await received).postDataJSON()).toEqual({
    items: [{ id: items[0]!.id, reason: 'faulty', condition: 'damaged', outcome: 'inbound', price: null }],
    ...{ send_email: false, updated_at: expectValue.any(String) },
  })
  await expect(page.getByText('3 items, 1 came back')).toBeVisible()
  const rows = rowsOf(page, 'Items of the return')
  await expect(rows.filter({ hasText: items[0]!.imei! })).toContainText(/Inbound.*Faulty/)
  await leave()
  await expect(page.getByRole('button', { name: 'Receive (0)' })).toBeDisabled()
  await page.keyboard.press('Control+Enter')
  await atRest(page)
  const settled = page.getByText('Settled', { exact: true })
  expectValue(await settled.count()).toBe(0)
  await page.getByRole('button', { name: 'Settle' }).click()
  await answer(page, '2 items have not come back. After this, the return no longer waits for them.', 'Cancel')
  await missing[0]!.check()
  await receive()
  await expect(page.getByText('3 items, 2 came back')).toBeVisible()
  const { updated_at: seen } = await first<CustomerReturn>(call, `return/find?id=${id}`)
  const moved = page.waitForRequest(`**/api/return/${id}/edit`)
  await page.getByRole('button', { name: 'Settle' }).click()
  await answer(page, '1 item has not come back. After this, the return no longer waits for it.', 'Settle')
  expectValue((await moved).postDataJSON()).toEqual({ state: 'settled', updated_at: seen })
  await expect(settled).toBeVisible()
  expectValue(await first(call, `stock/find?id=${items[2]!.id}`)).toMatchObject({ status: 'Sold' })

  const other = await announce(items.slice(2))
  await page.goto(`/admin/return/edit/${other.id}`)
  await page.getByRole('button', { name: 'Refuse' }).click()
  await answer(page, 'Nothing comes back and nothing is credited.', 'Refuse')
  await expect(page.getByText('None: nothing came back.')).toBeAttached()
  expectValue(await first(call, `return/find?id=${other.id}`)).toMatchObject({ state: 'refused', items_received: 0 })
})

testInTurn(
  'a wrong credit on another page stops claim and return, and stays there, also when the session ends',
  async () => {
    const person = await shop.colleague('ROLE_USER', { viewport: { width: 768, height: 900 } })
    const { page, call } = person
    const supplier = await create(call, 'supplier', { company_name: unique('Hundred') })
    const items = await newItems(call, 101, { supplier_id: supplier.id })
    const [one, two] = items
    /** A claim has its newest item first. */
    const [newest, second] = [items.at(-1), items.at(-2)]
    const credit = (item = one) => page.getByRole('textbox', { name: `Credit of #${item!.id}` })
    const type = async (text: string, item = one) => {
      await page.getByRole('button', { name: new RegExp(`^Credit of #${item!.id}[: ]`) }).dblclick()
      await credit(item).fill(text)
      await credit(item).press('Enter')
    }
    /** Turns to the second page, and presses the button, which must say on which page the credit is. */
    const isStopped = async (button: string, item = one) => {
      await page.getByRole('button', { name: 'Next page' }).click()
      await expect(credit(item)).toHaveCount(0)
      await page.getByRole('button', { name: button, exact: true }).click()
      await expect(page.getByRole('dialog')).toContainText(`The credit of #${item!.id}, on page 1, cannot be used.`)
      await page.getByRole('button', { name: 'OK' }).click()
      await expect(page.getByRole('dialog')).toHaveCount(0)
    }
    const returnAfterSession = async () => {
      await endSession(person, page.getByRole('button', { name: 'Notifications' }))
      await logInHere(person)
      await toast(page).getByRole('link', { name: 'Go back to it' }).click()
      await expect(page.getByText('Your draft is back.')).toBeVisible()
    }
    const fits = () =>
      page.getByRole('table').evaluate(({ parentElement: place }) => place!.scrollWidth - place!.clientWidth)

    const claim = await create(call, 'supplier-claim', { supplier_id: supplier.id })
    const path = `supplier-claim/${claim.id}`
    await call('POST', `${path}/add-items`, { items: items.map(({ id }) => id), reason: 'Faulty' })
    const { data } = await call<{ data: { updated_at: string }[] }>('GET', `supplier-claim/find?id=${claim.id}`)
    await call('POST', `${path}/send`, { updated_at: data[0]!.updated_at })
    await page.goto(`/admin/supplier-claim/edit/${claim.id}`)
    await type('70', second)
    await type('8o', newest)
    await isStopped('Settle', newest)
    await returnAfterSession()
    await expect(credit(newest)).toHaveValue('8o')
    await expect(credit(newest)).toHaveAttribute('aria-invalid', 'true')
    await credit(newest).fill('80')
    await credit(newest).press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Settle' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog.getByRole('textbox', { name: 'Credit received' })).toHaveValue('150.00')
    await dialog.getByRole('switch', { name: 'All items come back into stock' }).click()
    await dialog.getByRole('button', { name: 'Settle' }).click()
    await expect(dialog).toBeHidden()
    expectValue(await page.getByText('Your draft is back.').count()).toBe(0)

    const sale = await newSale(call, items)
    for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${sale.id}/edit`, { status })
    await page.goto('/admin/return/create')
    await page.getByRole('textbox', { name: 'IMEIs or serial numbers' }).fill(items.map(({ imei }) => imei).join('\n'))
    await expect(page.getByRole('button', { name: 'Receive (101)' })).toBeEnabled()
    expectValue(await fits()).toBe(0)
    await type('1oo')
    await isStopped('Announce')
    await page.getByRole('button', { name: 'Previous page' }).click()
    await expect(credit()).toHaveValue('1oo')
    await credit().fill('100')
    await credit().press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Announce' }).click()
    await expect(page.getByRole('heading', { name: /^Return #\d+$/ })).toBeVisible()

    await expect(page.getByRole('button', { name: 'Receive (101)' })).toBeEnabled()
    expectValue(await fits()).toBe(0)
    await type('90')
    await page.keyboard.press('Escape')
    await type('150', two)
    await isStopped('Receive (101)', two)
    await returnAfterSession()
    await expect(credit(two)).toHaveAccessibleDescription('More than it was sold for.')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expect(credit(two)).toHaveCount(0)
    await expect(page.getByRole('button', { name: `Credit of #${one!.id}: 100.00 EUR` })).toBeVisible()
    await toast(page).getByRole('button', { name: 'Undo' }).click()
    await expect(credit(two)).toHaveValue('150')
    await expect(page.getByRole('button', { name: `Credit of #${one!.id}: 90.00 EUR` })).toBeVisible()
    await credit(two).fill('50')
    await credit(two).press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Receive (101)' }).click()
    await expect(dialog).toContainText('101 items come back; 14,980.10 EUR excl. VAT is credited')
    await dialog.getByRole('button', { name: 'Receive' }).click()
    const credited = rowsOf(page, 'Items of the return')
    for (const [n, price] of ['90.00', '50.00', '149.90'].entries()) await expect(credited.nth(n)).toContainText(price)
    await expect(page.getByText('Your draft is back.')).toHaveCount(0)
  },
)
