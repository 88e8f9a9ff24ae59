import type { SaleRow } from '@backstock/contract/sale.ts'
import { expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { expect } from './browser-page.ts'
import { answer, type Found, openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { create, newItems, newSale } from './shop-records.ts'

const shop = openShop()

testInTurn('a sale shows what comes next as its one filled button, up to dispatch', async () => {
  const { page, call } = await shop.colleague()
  const sale = await newSale(call, await newItems(call, 2))
  await page.goto(`/admin/sale/edit/${sale.id}`)
  const paid = page.getByRole('button', { name: 'Mark paid' })
  await paid.click()
  const dialog = page.getByRole('dialog', { name: 'Mark paid' })
  await expect(dialog.getByText(`Sale #${sale.id} (2 items) will then await dispatch`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('New', { exact: true }).first()).toBeVisible()
  // Text that was typed before is saved with the step.
  await page.getByRole('tab', { name: 'Summary' }).click()
  await page.getByRole('textbox', { name: 'Reference number' }).fill('PO-PAID')
  await paid.click()
  const sum = dialog.getByRole('textbox', { name: 'Amount received' })
  const open = Number(await sum.inputValue())
  const then = `Sale #${sale.id} (2 items) will then await dispatch.`
  await sum.fill((open + 1).toFixed(2))
  await expect(dialog).toContainText(`${then} A refund of 1.00 EUR is due then.`)
  await sum.fill((open - 1).toFixed(2))
  await expect(dialog).toContainText('1.00 EUR remains open.')
  await sum.fill(open.toFixed(2))
  await expect(dialog).toContainText(then)
  const day = dialog.getByRole('textbox', { name: 'Date' })
  await sum.fill('')
  await day.fill('')
  await dialog.getByRole('button', { name: 'Mark paid' }).click()
  await expect(sum).toHaveAccessibleDescription('Enter an amount.')
  await expect(day).toHaveAccessibleDescription('This field is required.')
  await sum.fill(open.toFixed(2))
  await day.fill('1/2/2026')
  await day.blur()
  await expect(day).toHaveValue('01/02/2026')
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Transfer 17')
  await dialog.getByRole('button', { name: 'Mark paid' }).click()
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('Awaiting Dispatch')
  await expect(page.getByText('PO-PAID', { exact: true })).toBeVisible()
  await page.getByRole('textbox', { name: 'Courier' }).fill('PostNL')
  await page.getByRole('button', { name: 'Dispatch', exact: true }).click()
  await answer(page, `Mark the 2 items of sale #${sale.id} as dispatched?`, 'Dispatch')
  await expect(page.getByRole('combobox', { name: 'Status' })).toBeDisabled()
  await expect(page.getByRole('button', { name: /^(Dispatch|Mark paid)$/ })).toHaveCount(0)
  expect(await call('GET', `sale/find?id=${sale.id}`)).toMatchObject({
    data: [
      {
        ...{ status: 'Dispatched', courier: 'PostNL', reference_number: 'PO-PAID' },
        payments: [{ paid_on: '2026-02-01', note: 'Transfer 17', amount: Math.round(open * 100) }],
      },
    ],
  })
})

test('an allowance or a payment that somebody else has recorded meanwhile does not count twice', async () => {
  const { page, call } = await shop.colleague()
  const [item] = await newItems(call, 1)
  const sale = await newSale(call, [item!], { create_invoice: false })
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${sale.id}/edit`, { status })
  // The sheet of this sale is never ready, so the page reads the sale again and again.
  await page.route(`**/api/sale/find?id=${sale.id}`, async (route) => {
    const response = await route.fetch()
    const found = (await response.json()) as Found<{ excel_status: string }>
    for (const row of found.data) row.excel_status = 'pending'
    await route.fulfill({ response, json: found })
  })
  const allow = (price: number) => call('POST', `sale/${sale.id}/allow`, { items: [{ id: item!.id, price }] })
  const pay = (amount: number) =>
    call('POST', `sale/${sale.id}/pay`, { paid_on: new Date().toISOString().slice(0, 10), amount })
  const path = `/admin/sale/edit/${sale.id}`
  await page.goto(path)
  const allowance = page.getByRole('button', { name: `Allowance for #${item!.id}` })
  await allowance.click()
  const dialog = page.getByRole('dialog', { name: `Allowance for item #${item!.id}` })
  const amount = dialog.getByRole('textbox', { name: /^Amount of the allowance/ })
  await amount.fill('20')
  await allow(2_000)
  await expect(page.getByText('-20.00', { exact: true }).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Give allowance' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Changed by')
  expect(await call('GET', `sale/find?id=${sale.id}`)).toMatchObject({ data: [{ items: [{ allowed_price: 2_000 }] }] })
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()

  await page.getByRole('tab', { name: 'Summary' }).click()
  const record = page.getByRole('region', { name: 'Payment' }).getByRole('button', { name: 'Record payment' })
  await record.click()
  const payment = page.getByRole('dialog', { name: 'Record payment' })
  await expect(payment.getByRole('textbox', { name: 'Amount received' })).toHaveValue('129.90')
  // The calendar offers no day after today. It always shows six weeks, so its last day is none of this month.
  await payment.getByRole('button', { name: 'Choose a date' }).click()
  const days = page.getByRole('dialog', { name: 'Choose a date' }).getByRole('button', { name: /^\d+ \w+ \d{4}$/ })
  await expect(days.last()).toBeDisabled()
  await days.first().click()
  await expect(days).toHaveCount(0)
  await pay(2_990)
  await expect(page.getByText('Partly paid').first()).toBeVisible()
  await payment.getByRole('button', { name: 'Record payment' }).click()
  await expect(payment.getByRole('alert')).toContainText('The open amount has changed meanwhile')
  await payment.getByRole('button', { name: 'Cancel', exact: true }).click()
  // The shop owes the customer nothing, so a refund begins without an amount.
  await record.click()
  await payment.getByText('Refund', { exact: true }).click()
  const refund = page.getByRole('dialog', { name: 'Record refund' })
  await expect(refund.getByRole('textbox', { name: 'Amount refunded' })).toHaveValue('')
  await refund.getByText('Payment', { exact: true }).click()
  await expect(payment.getByRole('textbox', { name: 'Amount received' })).toHaveValue('100.00')
  await payment.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(payment).toHaveCount(0)

  // A page that reads the sale only once shows its new state after the refusal, and the second try counts.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.goto(path)
  await expect(allowance).toBeVisible()
  await allow(500)
  await allowance.click()
  await amount.fill('5')
  await dialog.getByRole('button', { name: 'Give allowance' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Changed by')
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(allowance).toHaveText('-25.00')
  await allowance.click()
  await amount.fill('5')
  // A refusal of the amount stands below it.
  const json = { success: false, message: 'Not valid.', data: { errors: { items: 'More than is left of it.' } } }
  await page.route(`**/api/sale/${sale.id}/allow`, (route) => route.fulfill({ status: 422, json }), { times: 1 })
  await dialog.getByRole('button', { name: 'Give allowance' }).click()
  await expect(amount).toHaveAccessibleDescription(/More than is left of it\./)
  await dialog.getByRole('button', { name: 'Give allowance' }).click()
  await expect(allowance).toHaveText('-30.00')

  // If its answer gets lost, the second try tells that the first has counted.
  const loseAnswer = (path: string) =>
    page.route(
      `**/api/sale/${sale.id}/${path}`,
      async (route) => {
        await route.fetch()
        await route.abort('internetdisconnected')
      },
      { times: 1 },
    )
  await loseAnswer('allow')
  await allowance.click()
  await amount.fill('5')
  await dialog.getByRole('button', { name: 'Give allowance' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The server cannot be reached')
  await dialog.getByRole('button', { name: 'Give allowance' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(allowance).toHaveText('-35.00')
  await loseAnswer('pay')
  await page.getByRole('tab', { name: 'Summary' }).click()
  await record.click()
  await payment.getByRole('textbox', { name: 'Amount received' }).fill('7')
  await payment.getByRole('button', { name: 'Record payment' }).click()
  await expect(payment.getByRole('alert')).toContainText('The server cannot be reached')
  await payment.getByRole('button', { name: 'Record payment' }).click()
  await expect(payment).toHaveCount(0)
  expect(await call('GET', `sale/find?id=${sale.id}`)).toMatchObject({
    data: [{ paid_total: 3_690, items: [{ allowed_price: 3_500 }] }],
  })
})

test('a paid sale that falls through is voided before its dispatch, and says what is to be given back', async () => {
  const { page, call } = await shop.colleague()
  const sale = await newSale(call, await newItems(call, 2))
  await page.goto(`/admin/sale/edit/${sale.id}?tab=summary`)
  const voidSale = page.getByRole('button', { name: 'Void sale' })
  await expect(page.getByRole('button', { name: 'Mark paid' })).toBeVisible()
  expectValue(await voidSale.count()).toBe(0)
  await call('POST', `sale/${sale.id}/pay`, { paid_on: new Date().toISOString().slice(0, 10) })
  await page.reload()
  await expect(page.getByText('Has the sale fallen through before dispatch?')).toBeVisible()
  // From now on, the page does not read the sale again by itself.
  await expect(page.getByRole('link', { name: 'Download invoice' })).toBeVisible()
  // The first try is refused, because a colleague has changed the sale. Then the page shows the change.
  await call('POST', `sale/${sale.id}/edit`, { reference_number: 'PO-VOID' })
  await voidSale.click()
  const question = page.getByRole('dialog')
  await expect(question).toContainText('A credit note for 299.80 EUR will be made for invoice')
  await expect(question).toContainText('299.80 EUR was paid and is to be refunded.')
  await answer(page, `All items of sale #${sale.id} go back into stock`, 'Void')
  await expect(toast(page).getByText(/^Changed by/)).toBeVisible()
  await expect(page.getByText('PO-VOID', { exact: true })).toBeVisible()
  await voidSale.click()
  await answer(page, `All items of sale #${sale.id} go back into stock`, 'Void')
  await expect(page.getByRole('combobox', { name: 'Status' })).toHaveValue('Voided')
  const facts = page.getByText('Voided', { exact: true }).first().locator('..')
  await expect(facts).toContainText('Refund due')
  const left = page.getByRole('alert').filter({ hasText: 'is to be refunded' })
  await left.getByRole('button', { name: 'Record refund' }).click()
  const dialog = page.getByRole('dialog', { name: 'Record refund' })
  await dialog.getByRole('button', { name: 'Record refund' }).click()
  await expect(left).toHaveCount(0)
  await expect(facts).not.toContainText('due')
  expect(await call('GET', `sale/find?id=${sale.id}`)).toMatchObject({
    data: [{ status: 'Voided', open_amount: 0, payment_state: 'Nothing due' }],
  })
})

testInTurn('a sale is paid in two parts and sent out from its row, and a wrong payment is reversed', async () => {
  const { page, call } = await shop.colleague()
  const sale = await newSale(call, await newItems(call, 1))
  const name = `sale #${sale.id}`
  await page.goto('/admin/sale?status=')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: `#${sale.id}`, exact: true }) })
  const pay = async (amount?: string) => {
    await row.getByRole('button', { name: `Mark paid: ${name}` }).click()
    const dialog = page.getByRole('dialog', { name: 'Mark paid' })
    if (amount) await dialog.getByRole('textbox', { name: 'Amount received' }).fill(amount)
    await dialog.getByRole('button', { name: 'Mark paid' }).click()
    await expect(dialog).toHaveCount(0)
  }
  await expect(row.getByText('Open', { exact: true })).toBeVisible()
  await pay('1.00')
  await expect(row.getByText('Partly paid')).toBeVisible()
  // A colleague records a payment while the dialog is open. It must not be counted twice.
  await row.getByRole('button', { name: `Mark paid: ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Mark paid' })
  await call('POST', `sale/${sale.id}/pay`, { paid_on: new Date().toISOString().slice(0, 10), amount: 200 })
  await dialog.getByRole('button', { name: 'Mark paid' }).click()
  await expect(dialog.getByRole('alert')).toContainText('The open amount has changed meanwhile')
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await pay()
  await expect(row.getByText('Paid', { exact: true })).toBeVisible()
  const dispatch = async () => {
    await row.getByRole('button', { name: `Dispatch: ${name}` }).click()
    await answer(page, `Mark the 1 item of ${name} as dispatched?`, 'Dispatch')
  }
  // A colleague has changed the sale meanwhile. The row then shows the change, and its button works again.
  await call('POST', `sale/${sale.id}/edit`, { reference_number: 'PO-ROW' })
  await dispatch()
  await expect(toast(page).getByText(/^Changed by/)).toBeVisible()
  await expect(row).toContainText('PO-ROW')
  await dispatch()
  await expect(row.getByText('Dispatched')).toBeVisible()

  await page.goto(`/admin/sale/edit/${sale.id}?tab=summary`)
  const payments = page.getByRole('list', { name: 'Payments' }).getByRole('listitem')
  await payments.first().getByRole('button', { name: 'Reverse' }).click()
  await answer(page, 'The payment of 1.00 EUR was recorded by mistake.', 'Reverse')
  await expect(payments).toHaveCount(4)
  await expect(page.getByText('Partly paid').first()).toBeVisible()
})

testInTurn('rare acts on the documents are in a menu, by keyboard too', async () => {
  const { page, call } = await shop.colleague()
  const sale = await newSale(call, await newItems(call, 1), { create_excel: true })
  await page.goto(`/admin/sale/edit/${sale.id}?tab=summary`)
  await expect(page.getByRole('link', { name: 'Download invoice' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Download Excel' })).toBeVisible()
  const more = page.getByRole('button', { name: 'More about the invoice' })
  await more.press('Enter')
  await expect(page.getByRole('menuitem')).toHaveText(['Generate again', 'Upload PDF', 'Delete invoice'])
  await page.getByRole('menuitem', { name: 'Generate again' }).press('Enter')
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Do not generate again' }).press('Enter')
  await expect(page.getByRole('combobox', { name: 'Language of the invoice' })).toHaveCount(0)
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Generate again', exact: true }).press('Enter')
  const language = page.getByRole('combobox', { name: 'Language of the invoice' })
  await language.selectOption('German')
  const sent = page.waitForRequest(`**/api/sale/${sale.id}/invoice/generate`)
  await page.getByRole('button', { name: 'Generate again' }).click()
  expect((await sent).postDataJSON()).toEqual({ lang: 'de' })
  await expect(language).toHaveCount(0)
  await expect(more).toBeFocused()
  await expect(page.getByRole('link', { name: 'Download invoice' })).toBeVisible()
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete invoice' }).press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'cancel', exact: true }).press('Enter')
  await expect(more).toBeFocused()
  await page.getByRole('button', { name: 'Logs' }).click()
  await expect(page.getByText(/was requested again, in German\.$/)).toBeVisible()
})

testInTurn('a voided sale offers no new documents and no email', async () => {
  const { page, call } = await shop.colleague()
  const sale = await newSale(call, await newItems(call, 1), { create_excel: true })
  await page.goto(`/admin/sale/edit/${sale.id}?tab=summary`)
  await expect(page.getByRole('link', { name: 'Download invoice' })).toBeVisible()
  // The menu of the sheet has only 'Generate again'.
  const offers = page.getByRole('button', { name: /^(Send email|More about the Excel sheet)$/ })
  await expect(offers).toHaveCount(2)
  await call('POST', `sale/${sale.id}/edit`, { status: 'Voided' })
  await page.reload()
  await expect(page.getByRole('link', { name: 'Download invoice' })).toBeVisible()
  expectValue(await offers.count()).toBe(0)
  await page.getByRole('button', { name: 'More about the invoice' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Upload PDF', 'Delete invoice'])
})

testInTurn('sales name the company that buys, and then the person', async () => {
  const { page, call } = await shop.colleague()
  const [company, last] = [unique('Handy GmbH'), unique('Muster')]
  const buyer = { first_name: 'Erika', last_name: last, email: 'erika@example.test', company_name: company }
  const customer = await create(call, 'customer', buyer)
  const sale = await newSale(call, await newItems(call, 1), { customer_id: customer.id })
  const found = await call<Found<SaleRow>>('GET', `sale/find?ids=${sale.id}`)
  expect(found.data[0]).toMatchObject({ customer_name: `Erika ${last}`, customer_company_name: company })
  await page.goto('/admin/sale')
  await expect(page.getByRole('link', { name: `${company} Erika ${last}` })).toBeVisible()
  await page.keyboard.press('Control+k')
  const search = page.getByRole('dialog', { name: 'Quick search' })
  await expect(search.getByRole('combobox')).toBeFocused()
  await page.keyboard.type(last)
  await expect(search).toContainText(`${company} · Erika ${last}`)
  const paid = await newSale(call, await newItems(call, 1), { customer_id: customer.id })
  await call('POST', `sale/${paid.id}/pay`, { paid_on: new Date().toISOString().slice(0, 10) })
  await page.goto(`/admin/sale/edit/${sale.id}`)
  // The open sum leads to the sales that are still due.
  await page.getByRole('link', { name: company }).click()
  await page.getByRole('link', { name: 'Show sales: Open' }).click()
  await expect(rowsOf(page, 'Sales Overview')).toHaveCount(1)
  await expect(page.getByRole('link', { name: `#${sale.id}`, exact: true })).toBeVisible()
})

testInTurn(
  'packing papers are printed from the sale: a pick list for us, a delivery note for the customer',
  async () => {
    const { page, call } = await shop.colleague()
    const sale = await newSale(call, await newItems(call, 1, { location: 'A-12' }))
    await page.goto(`/admin/sale/edit/${sale.id}`)
    for (const name of ['Pick list', 'Delivery note']) {
      await page.getByRole('button', { name: 'Print' }).click()
      const item = page.getByRole('menuitem', { name })
      const paper = await page.request.get((await item.getAttribute('href'))!)
      expectValue((await paper.body()).subarray(0, 5).toString()).toBe('%PDF-')
      await page.keyboard.press('Escape')
      await expect(item).toHaveCount(0)
    }
  },
)
