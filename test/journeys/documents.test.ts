import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Document } from '@backstock/contract/document.ts'
import { formatMoney } from '@backstock/contract/money.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { afterAll, expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { catchAnswer, expect } from './browser-page.ts'
import { answer, type Found, openShop, rowsOf, toast, unique } from './sample-shop.ts'
import { barriersInBothThemes } from './screen-check.ts'
import { create, first, newItems, newSale } from './shop-records.ts'

const folder = mkdtempSync(path.join(os.tmpdir(), 'backstock-connector-'))
afterAll(() => rmSync(folder, { recursive: true }))
const shop = openShop({ environment: { E_INVOICE_FOLDER: folder } })

test('an invoice that was downloaded and has a wrong price becomes a credit note and a new invoice', async () => {
  const { page, call } = await shop.colleague()
  const items = await newItems(call, 2)
  const { id } = await newSale(call, items)
  const sale = () => first<Sale>(call, `sale/find?id=${id}`)
  await page.goto(`/admin/sale/edit/${id}?tab=summary`)
  const download = page.getByRole('link', { name: 'Download invoice' })
  await expect(download).toBeVisible()
  const before = await sale()
  const old = page.getByRole('region', { name: `Invoice ${before.invoice_number}` })
  const isPdf = async (name: string) => {
    const href = await page.getByRole('link', { name }).getAttribute('href')
    expectValue((await (await page.request.get(href!)).body()).subarray(0, 5).toString()).toBe('%PDF-')
  }
  // Viewing a document does not make it final.
  await isPdf(`View Invoice ${before.invoice_number}`)
  await expect(old).toContainText('Draft')
  await download.click()
  await expect(old).toContainText(/Final since .* \(downloaded by .+\)/)
  // A download does not count as an email: the button does not say 'Resend email'.
  const email = page.getByRole('button', { name: 'Send email', exact: true })
  await expect(email).toBeVisible()
  // Without a mail server, emails are saved. The second one is not taken for the first, sent again.
  for (const sent of ['Saved on the server', '1 earlier email']) {
    await email.click()
    await answer(page, 'Are you sure you want to send the invoice email?', 'Send')
    await expect(page.getByRole('region', { name: 'Email' })).toContainText(sent)
    await expect(email).toBeEnabled()
  }

  await page.getByRole('link', { name: 'Correct', exact: true }).click()
  const price = page.getByRole('textbox', { name: `Price of #${items[0]!.id}` })
  await price.fill('1oo')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('alert')).toContainText(`Must be a price such as 249.90: item #${items[0]!.id}.`)
  // A missing price is marked, and no other one.
  await price.fill('')
  await expect(price).toHaveAccessibleDescription('A price is needed.')
  expectValue(await page.locator('[aria-invalid="true"]').count()).toBe(1)
  await price.fill('100')
  const credited = `A credit note for ${formatMoney(before.total_sales_price_vat)} EUR and a new invoice`
  const does = `Invoice ${before.invoice_number} is final. ${credited}`
  await expect(page.getByText(does)).toBeVisible()
  expectValue(await barriersInBothThemes(page)).toEqual([])
  // A colleague has changed the sale meanwhile. The first try is refused, and the second one counts.
  await call('POST', `sale/${id}/edit`, { courier: 'PostNL' })
  await page.getByRole('button', { name: 'Correct', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'The sale was not corrected' })).toContainText('Changed by')
  await page.getByRole('button', { name: 'Correct', exact: true }).click()

  await page.waitForURL(`**/admin/sale/edit/${id}?tab=summary`)
  const [, note, invoice] = (await sale()).documents
  expectValue(note!.total_gross).toBe(before.total_sales_price_vat)
  expectValue(invoice!.total_net).toBe(before.total_sales_price - 4_990)
  await expect(old).toContainText(`Replaced by ${invoice!.number}`)
  await old.getByRole('button', { name: /^Send/ }).click()
  await answer(page, `${invoice!.number} has replaced it.`, 'Cancel')
  const credit = page.getByRole('region', { name: `Credit note ${note!.number}` })
  await expect(credit).toContainText(`Credits ${before.invoice_number} · Correction`)
  await expect(credit.getByRole('link', { name: 'PDF' })).toBeVisible()
  await expect(download).toBeVisible()
  await isPdf(`PDF of Credit note ${note!.number}`)
  await isPdf('Download invoice')
  expectValue(await barriersInBothThemes(page)).toEqual([])

  await page.getByRole('link', { name: 'Documents', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search Documents' }).fill(note!.number)
  const link = page.getByRole('link', { name: note!.number, exact: true })
  await expect(rowsOf(page, 'Documents').filter({ has: link })).toContainText('Credit note')
  await link.click()
  await page.waitForURL(`**/admin/sale/edit/${id}?tab=summary`)
  await expect(credit).toBeVisible()

  await page.getByRole('combobox', { name: 'Status' }).click()
  await page.getByRole('option', { name: 'Voided', exact: true }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toContainText('All items go back into stock. A voided sale stays voided.')
  const left = `${formatMoney(invoice!.total_gross)} EUR`
  await answer(page, `A credit note for ${left} will be made for invoice ${invoice!.number}.`, 'Void')
  await expect(page.getByRole('region', { name: /^Credit note/ })).toHaveCount(2)
})

testInTurn('an invoice that has a number and no file is found among the documents, and made from there', async () => {
  const { page, call } = await shop.colleague()
  const { id } = await newSale(call, await newItems(call, 1))
  await call('DELETE', `sale/${id}/invoice/delete`)
  const { invoice_number: number } = await first<Sale>(call, `sale/find?id=${id}`)
  await page.goto('/admin/document')
  await page.getByRole('combobox', { name: 'File' }).click()
  await page.getByRole('option', { name: 'Removed' }).click()
  await page.keyboard.press('Escape')
  const link = page.getByRole('link', { name: number!, exact: true })
  const row = rowsOf(page, 'Documents').filter({ has: link })
  await expect(row).toContainText('Removed')
  expectValue(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: `Generate ${number}` }).click()
  await expect(row).toHaveCount(0)
  await page.goto(`/admin/sale/edit/${id}?tab=summary`)
  await expect(page.getByRole('link', { name: 'Download invoice' })).toBeVisible()

  // A download makes it final, in the list, too.
  await page.getByRole('link', { name: 'Documents', exact: true }).click()
  await expect(row).toContainText('Draft')
  await page.getByRole('link', { name: `PDF of ${number}`, exact: true }).click()
  await expect(row).toContainText('Final')
  // While a file is being made, the list is read again by itself.
  await page.route(
    '**/api/document/find?*',
    async (route) => {
      const response = await route.fetch()
      const found = (await response.json()) as Found<Document>
      for (const one of found.data) one.status = 'pending'
      await route.fulfill({ response, json: found })
    },
    { times: 1 },
  )
  await page.goto(`/admin/document?search=${number}`)
  await expect(row).toContainText('Being made…')
  await expect(row).toContainText('Final')
})

testInTurn('an e-invoice goes to the connector once, from its sale or the list, after a question', async () => {
  const { page, call } = await shop.admin()
  await call('POST', 'company/edit', {
    phone: '+353 1',
    contact_name: 'Sales',
    electronic_address: '0088:5000000000012',
  })
  const last_name = unique('Amt')
  const customer = await create(call, 'customer', {
    ...{ first_name: 'Bea', last_name, email: 'amt@example.test', vat_number: 'DE136695976' },
    ...{ e_invoice_profile: 'xrechnung', buyer_reference: '04011000-1234512345-06' },
    billing_address: { address_1: '1 Street', city: 'Town', postal_code: '10115', country_code: 'DE' },
  })
  const sell = async () => {
    const { id } = await newSale(call, await newItems(call, 1), { customer_id: customer.id })
    const { invoice_number } = await first<Sale>(call, `sale/find?id=${id}`)
    return { id, number: invoice_number! }
  }
  const question = ({ number }: { number: string }) =>
    `Invoice ${number} is put into the folder of your e-invoice service, which sends it to Bea ${last_name} as XRechnung. It becomes final, and can be handed over only once.`
  const [one, two] = [await sell(), await sell()]
  await page.goto(`/admin/sale/edit/${one.id}?tab=summary`)
  const invoice = page.getByRole('region', { name: `Invoice ${one.number}` })
  const button = page.getByRole('button', { name: `Hand over Invoice ${one.number}` })
  await button.click()
  await answer(page, question(one), 'Cancel')
  await expect(button).toBeEnabled()
  expectValue(readdirSync(folder)).toEqual([])
  await button.click()
  await answer(page, question(one), 'Hand over')
  await expect(invoice).toContainText(/Handed over .+ by /)
  await expect(invoice).toContainText('Final')
  await expect(button).toHaveCount(0)
  expectValue(readdirSync(folder)).toHaveLength(1)

  await page.goto(`/admin/document?search=${two.number}`)
  await page.getByRole('button', { name: `Hand over ${two.number}` }).click()
  await answer(page, question(two), 'Hand over')
  await expect(page.getByRole('img', { name: /^Handed over .+ by / })).toBeVisible()
  await expect(page.getByRole('button', { name: `Hand over ${two.number}` })).toHaveCount(0)
  expectValue(readdirSync(folder)).toHaveLength(2)
})

testInTurn('a sale leads back to its unfinished correction until that is finished or discarded', async () => {
  const { page, call } = await shop.colleague()
  const [item] = await newItems(call, 1)
  const { id } = await newSale(call, [item!])
  const note = page.getByRole('note').filter({ hasText: 'Your correction of this sale is not finished.' })
  const price = page.getByRole('textbox', { name: `Price of #${item!.id}` })
  const crumb = page.getByRole('link', { name: `Sale #${id}` })
  const correct = page.getByRole('link', { name: 'Correct', exact: true })
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })

  await page.goto(`/admin/sale/correct/${id}`)
  await price.fill('99')
  const tick = page.getByRole('checkbox', { name: 'Use the customer' })
  await tick.check()
  const email = page.getByRole('checkbox', { name: 'Send it by email' })
  await email.check()
  // The link is followed at once, before the pause after which the browser keeps what was typed.
  await crumb.click()
  await expect(heading(`Sale #${id}`)).toBeVisible()
  await expect(note).toBeVisible()
  expectValue(await barriersInBothThemes(page)).toEqual([])
  await page.reload()
  await note.getByRole('link', { name: 'Continue the correction' }).click()
  await expect(price).toHaveValue('99.00')
  await expect(tick).toBeChecked()
  await expect(email).toBeChecked()

  const discard = page.getByRole('button', { name: 'Discard' })
  await discard.click()
  await expect(price).toHaveValue('149.90')
  await expect(tick).not.toBeChecked()
  await toast(page).getByRole('button', { name: 'Undo' }).click()
  await expect(price).toHaveValue('99.00')
  await discard.click()
  await expect(price).toHaveValue('149.90')
  await crumb.click()
  // The link comes with the sale, as the note would.
  await expect(correct).toBeVisible()
  expectValue(await note.count()).toBe(0)

  await correct.click()
  // Without a change, nothing is sent.
  const sent: unknown[] = []
  page.on('request', (request) => request.url().endsWith(`/sale/${id}/correct`) && sent.push(request.postDataJSON()))
  await price.press('Control+Enter')
  await price.fill('98')
  await email.check()
  // A correction in another tab is finished there.
  const other = await page.context().newPage()
  await other.goto(`/admin/sale/edit/${id}`)
  const noteThere = other.getByRole('note').filter({ hasText: 'Your correction of this sale is not finished.' })
  await expect(noteThere).toBeVisible()
  await page.getByRole('button', { name: 'Correct', exact: true }).click()
  await page.waitForURL(`**/admin/sale/edit/${id}?tab=summary`)
  expectValue(sent).toMatchObject([{ send_email: true }])
  await expect(correct).toBeVisible()
  expectValue(await note.count()).toBe(0)
  await expect(noteThere).toHaveCount(0)
})

testInTurn('a credit note is sent again although the sale could not be read after it was sent first', async () => {
  const { page, call } = await shop.colleague()
  const [item] = await newItems(call, 1)
  const { id } = await newSale(call, [item!])
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await call('POST', `sale/${id}/edit`, { status })
  await call('POST', `sale/${id}/allow`, { items: [{ id: item!.id, price: 2_000 }] })
  const documents = async () => (await first<Sale>(call, `sale/find?id=${id}`)).documents
  // The screen then reads the sale only once.
  await expect.poll(async () => (await documents()).map(({ status }) => status)).toEqual(['ready', 'ready'])
  const [, note] = await documents()
  // The file of the credit note could not be made, and a person has it made again.
  let isFailed = true
  await page.route(`**/api/sale/find?id=${id}`, async (route) => {
    const response = await route.fetch()
    const found = (await response.json()) as Found<Sale>
    const shown = found.data[0]?.documents.find((one) => one.id === note!.id)
    if (isFailed && shown) Object.assign(shown, { status: 'failed', error: 'No room.' })
    await route.fulfill({ response, json: found })
  })
  await page.goto(`/admin/sale/edit/${id}?tab=summary`)
  const send = page.getByRole('button', { name: `Send Credit note ${note!.number}` })
  await expect(page.getByRole('region', { name: `Credit note ${note!.number}` })).toContainText('No room.')
  expectValue(await send.isDisabled()).toBe(true)
  const made = await catchAnswer(page, `**/api/document/${note!.id}/generate`)
  isFailed = false
  await page.getByRole('button', { name: `Generate Credit note ${note!.number} again` }).click()
  expectValue((await made()).response.status()).toBe(200)
  await expect(send).toBeEnabled()
  await expect.poll(async () => (await documents()).map(({ status }) => status)).toEqual(['ready', 'ready'])
  const keys: (string | undefined)[] = []
  let isBroken = false
  await page.route('**/api/document/*/send', async (route) => {
    keys.push(route.request().headers()['idempotency-key'])
    const response = await route.fetch()
    isBroken = keys.length === 1
    await route.fulfill({ response })
  })
  let refused = 0
  await page.route(`**/api/sale/find?id=${id}`, async (route) => {
    if (!isBroken) return route.continue()
    await route.fulfill({ status: 409, json: { success: false, message: 'Not now' } })
    refused++
  })
  await send.click()
  await answer(page, `Credit note ${note!.number} goes to`, 'Send')
  await expect.poll(() => refused).toBeGreaterThan(0)
  isBroken = false
  await send.click()
  await answer(page, `Credit note ${note!.number} goes to`, 'Send')
  await expect.poll(() => keys.length).toBe(2)
  expectValue(keys[1]).not.toBe(keys[0])
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

testInTurn('the tick of a correction names whose details have changed, and brings all of them', async () => {
  const { page, call } = await shop.colleague()
  const names = { first_name: 'Rea', last_name: 'Reference', email: 'rea@example.test' }
  const { id: customer_id } = await create(call, 'customer', names)
  const { id } = await newSale(call, await newItems(call, 1), { customer_id, reference_number: 'PO 71' })
  await page.goto(`/admin/sale/edit/${id}?tab=summary`)
  await page.getByRole('link', { name: 'Download invoice' }).click()
  await expect(page.getByText(/Final since .* \(downloaded by .+\)/)).toBeVisible()
  await call('POST', `sale/${id}/edit`, { reference_number: 'PO 17' })

  const tick = page.getByRole('checkbox', { name: /^Use the .* details$/ })
  const refusal = { status: 409, json: { success: false, message: 'Not now.' } }
  await page.route('**/api/sale/tax-facts', (route) => route.fulfill(refusal), { times: 1 })
  await page.goto(`/admin/sale/correct/${id}`)
  await expect(page.getByRole('alert')).toContainText('Not now.')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(tick).toHaveAccessibleName("Use the sale's current details")
  await expect(tick).toHaveAccessibleDescription('Changed since the sale was made: the reference number.')
  await call('POST', `customer/${customer_id}/edit`, { company_name: 'Reference Ltd' })
  await page.reload()
  await expect(tick).toHaveAccessibleName("Use the customer's and the sale's current details")
  await tick.check()
  await page.getByRole('button', { name: 'Correct', exact: true }).click()
  await page.waitForURL(`**/admin/sale/edit/${id}?tab=summary`)
  expectValue((await first<Sale>(call, `sale/find?id=${id}`)).invoice_differs).toEqual([])
})

testInTurn('the effect of the customer’s new data is said line by line before, and no other line changes', async () => {
  const { page, call } = await shop.colleague()
  const vat = await first<{ id: number; rate: number }>(call, 'vat/find?search=Standard')
  const [chosen, phone] = [
    ...(await newItems(call, 1, { vat_type_id: vat.id, purchase_treatment: 'margin' })),
    ...(await newItems(call, 1, { vat_type_id: vat.id, purchase_treatment: 'standard' })),
  ]
  const address = { address_1: 'Damrak 1', city: 'Amsterdam', postal_code: '1012 LG' }
  const names = { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test' }
  const at = (country_code: string) => ({ billing_address: { ...address, country_code } })
  const { id: customer_id } = await create(call, 'customer', { ...names, ...at('NL') })
  const stock_items = [
    { id: chosen!.id, sales_price: 20_000, vat_treatment: 'standard' },
    { id: phone!.id, sales_price: 20_000 },
  ]
  const { id } = await create(call, 'sale', { stock_items, customer_id, send_email: false })
  await call('POST', `customer/${customer_id}/edit`, { vat_number: 'DE136695976', ...at('DE') })

  await page.goto(`/admin/sale/correct/${id}`)
  const rows = rowsOf(page, 'Items to correct')
  const rowOf = (item: { id: number }) =>
    rows.filter({ has: page.getByRole('textbox', { name: `Price of #${item.id}` }) })
  await expect(rowOf(phone!)).not.toContainText('→')
  // One VAT for all items that allow it, and one for an item alone.
  const vatOf = page.getByRole('combobox', { name: `VAT of #${chosen!.id}` })
  const vatForAll = page.getByRole('combobox', { name: 'VAT of all items that allow it' })
  await expect(vatOf).toHaveValue('standard')
  for (const [words, value] of [
    ['Margin scheme', 'margin'],
    ['Undo my choices here', 'standard'],
  ] as const) {
    await vatForAll.selectOption(words)
    await expect(vatOf).toHaveValue(value)
  }
  await vatOf.selectOption('Margin scheme')
  await expect(rowOf(chosen!)).toContainText(`${vat.rate}% → Margin scheme`)
  await vatOf.selectOption('standard')
  await expect(rowOf(chosen!)).not.toContainText('→')
  await page.getByRole('textbox', { name: 'One price for all' }).fill('180')
  await page.getByRole('button', { name: 'Apply' }).click()
  for (const { id: item } of [chosen!, phone!])
    await expect(page.getByRole('textbox', { name: `Price of #${item}` })).toHaveValue('180.00')
  await page.getByRole('checkbox', { name: /^Use the customer/ }).check()
  await expect(rowOf(phone!)).toContainText(`${vat.rate}% → Intra-Community`)
  await expect(rowOf(chosen!)).not.toContainText('→')
  expectValue(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('button', { name: 'Correct', exact: true }).click()
  await page.waitForURL(`**/admin/sale/edit/${id}?tab=summary`)
  const { items } = await first<Sale>(call, `sale/find?id=${id}`)
  expectValue(items.map(({ vat_treatment, vat_rate, sales_price }) => [vat_treatment, vat_rate, sales_price])).toEqual([
    ['standard', vat.rate, 18_000],
    ['intra_community', 0, 18_000],
  ])
})
