import type { Company } from '@backstock/contract/company.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import type { Vat } from '@backstock/contract/vat.ts'
import type { Page } from '@playwright/test'
import { expect as expectValue, test } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { atRest, catchAnswer, expect } from './browser-page.ts'
import { type Call, openShop, rowsOf, unique } from './sample-shop.ts'
import { barriersInBothThemes } from './screen-check.ts'
import { create, first, newItems } from './shop-records.ts'

const shop = openShop()

type Item = Pick<StockRow, 'id' | 'imei'>

/** The standard VAT type of the sample shop, which is Dutch and has 21% VAT in its margins. */
async function standardVat(call: Call): Promise<Vat> {
  const { data: company } = await call<{ data: Company }>('GET', 'company')
  expectValue(company.country_code).toBe('NL')
  const { name, time_zone, updated_at, margin_rate } = company
  if (margin_rate !== 21) await call('POST', 'company/edit', { name, time_zone, updated_at, margin_rate: 21 })
  return first<Vat>(call, 'vat/find?search=Standard')
}

/** Creates items that were bought under the margin scheme, which is the default of their supplier. */
async function usedItems(call: Call, n: number, vat: Vat): Promise<StockRow[]> {
  const company_name = unique('Private sellers')
  const supplier = await create(call, 'supplier', { company_name, default_purchase_treatment: 'margin' })
  return newItems(call, n, { supplier_id: supplier.id, vat_type_id: vat.id })
}

async function newCustomer(call: Call, country_code: string, vat_number: string | null): Promise<string> {
  const last_name = unique('Buyer')
  const address = { address_1: 'Street 1', city: 'Town', postal_code: '40212', country_code }
  const addresses = { delivery_address: address, billing_address: address }
  await create(call, 'customer', { first_name: 'Eva', last_name, email: 'eva@shop.test', vat_number, ...addresses })
  return last_name
}

async function openDraft({ page, call, id }: { page: Page; call: Call; id: number }, items: readonly Item[]) {
  await call('PUT', `user/${id}/basket`, { items: items.map((item) => item.id) })
  await page.goto('/admin/sale/create')
  await expect(page.getByRole('button', { name: `Create Sale (${items.length})` })).toBeEnabled()
}

const tab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name }).click()
const vatOf = (page: Page, { id }: Item) => page.getByRole('combobox', { name: `VAT of #${id}`, exact: true })
const line = (page: Page, { imei }: Item) => rowsOf(page, 'Items of the sale').filter({ hasText: imei! })
/** A total by its name, with the name and the amount as its text. */
const figure = (page: Page, name: RegExp) =>
  page.locator('dl > div').filter({ has: page.locator('dt', { hasText: name }) })

async function chooseCustomer(page: Page, name: string) {
  await tab(page, 'Summary')
  await page.getByRole('combobox', { name: 'Customer' }).fill(name)
  await page.getByRole('option', { name: new RegExp(name) }).click()
}

type SentLine = { id: number; sales_price: number; vat_treatment?: Treatment }

/** Makes the sale. Returns the lines that were sent, and the sale that the server has made. */
async function make(page: Page): Promise<{ sent: SentLine[]; sale: Sale }> {
  await page.getByRole('checkbox', { name: 'Send email' }).uncheck()
  const made = await catchAnswer(page, '**/api/sale/create')
  await page.getByRole('button', { name: /^Create Sale/ }).click()
  const { request, response } = await made()
  await page.waitForURL('**/admin/sale/edit/*')
  // The address changes before the screen. The draft has the same tabs and sums as the sale.
  await expect(page.getByRole('heading', { name: /^Sale #\d+$/ })).toBeVisible()
  const form = await new Response(new Uint8Array(request.postDataBuffer()!), {
    headers: { 'content-type': (await request.headerValue('content-type'))! },
  }).formData()
  return { sent: JSON.parse(String(form.get('stock_items'))), sale: (await response.json()).data }
}

test('from a Dutch shop to a German company: no VAT, on screen as in the sale', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await newItems(call, 2, { vat_type_id: (await standardVat(call)).id })
  // The VAT type of the items is not among the newest ten.
  await Promise.all(Array.from({ length: 10 }, () => create(call, 'vat', { name: unique('Abroad'), rate: 20 })))
  const name = await newCustomer(call, 'DE', 'DE136695976')
  await openDraft({ page, call, id }, items)
  await expect(line(page, items[0]!)).toContainText('21%')
  await chooseCustomer(page, name)
  const doubt = page.getByText('has not been checked with VIES')
  await expect(doubt).toContainText('DE136695976')
  // This server may not ask VIES by itself. A person enters what the Commission's page said, without leaving the sale.
  const enter = page.getByRole('button', { name: 'Enter an answer' })
  await expect(enter).toBeVisible()
  expectValue(await page.getByRole('button', { name: 'Ask VIES' }).count()).toBe(0)
  await enter.click()
  const typed = page.getByRole('dialog')
  // A colleague changes the number meanwhile. After the refusal, the sale asks about the present one.
  const { id: customer } = await first(call, `customer/find?search=${encodeURIComponent(name)}`)
  await call('POST', `customer/${customer}/edit`, { vat_number: 'DE811569869' })
  const day = typed.getByRole('textbox', { name: 'Date' })
  const today = await day.inputValue()
  await day.fill('')
  await typed.getByRole('button', { name: 'Save answer' }).click()
  await expect(day).toHaveAccessibleDescription('This field is required.')
  await day.fill(today)
  await typed.getByRole('button', { name: 'Save answer' }).click()
  await expect(typed.getByRole('alert')).toContainText('number is DE811569869 now')
  await typed.getByRole('button', { name: 'Cancel' }).click()
  await expect(doubt).toContainText('DE811569869')
  await enter.click()
  await typed.getByLabel('Reference').fill('WAPIAAAAXh1')
  const [dd = 0, mm = 0, yyyy = 0] = today.split('/').map(Number)
  const before = new Date(Date.UTC(yyyy, mm - 1, dd - 1)).toISOString().slice(0, 10)
  await day.fill(before.split('-').reverse().join('/'))
  await typed.getByLabel('Reference').focus()
  const entered = page.waitForRequest(`**/api/customer/${customer}/vat-check`)
  // Ctrl+Enter would make the sale, but not while a dialog is open.
  await page.keyboard.press('Control+Enter')
  await page.keyboard.press('Enter')
  expectValue((await entered).postDataJSON()).toEqual({
    ...{ vat_number: 'DE811569869', checked_on: before, is_valid: 'true', reference: 'WAPIAAAAXh1' },
  })
  await expect(doubt).toHaveCount(0)
  await expect(figure(page, /^Intra-Community$/)).toContainText('0.00 EUR')
  await expect(figure(page, /^Total sales price \(incl. VAT\)$/)).toContainText('299.80 EUR')
  await tab(page, /^Products/)
  await expect(vatOf(page, items[0]!)).toHaveValue('intra_community')
  await expect(vatOf(page, items[0]!)).toHaveAccessibleDescription(
    /^The goods go to another member state \(destination: Germany\)/,
  )
  await tab(page, 'Summary')

  const { sent, sale } = await make(page)
  expectValue(sent).toEqual(items.map((item) => ({ id: item.id, sales_price: 14_990 })))
  expectValue(sale.vat_totals).toEqual([{ treatment: 'intra_community', rate: 0, net: 29_980, vat: 0 }])
  await expect(figure(page, /^Intra-Community$/)).toContainText('0.00 EUR')
  await expect(page.getByRole('region', { name: 'Check of the VAT number' })).toContainText('reference WAPIAAAAXh1')
  await tab(page, /^Products/)
  await expect(line(page, items[0]!)).toContainText(
    'Intra-Community. The goods go to another member state (destination: Germany)',
  )

  // A server that may ask VIES by itself is asked by a button.
  await page.route('**/vat-checks', async (route) => {
    const response = await route.fetch()
    const { data } = await response.json()
    await route.fulfill({ response, json: { data: { ...data, may_ask: true } } })
  })
  const refusal = { status: 409, json: { success: false, message: 'VIES is away.' } }
  await page.route('**/vat-check/ask', (route) => route.fulfill(refusal))
  await page.route('**/vat-checks', (route) => route.fulfill(refusal), { times: 1 })
  await page.goto(`/admin/customer/edit/${customer}`)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Ask VIES' }).click()
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('VIES is away.')
  await enter.click()
  await typed.getByText('Not valid', { exact: true }).click()
  await typed.getByRole('button', { name: 'Save answer' }).click()
  await expect(page.getByText(/: Not valid on [\d/]+, without a reference$/)).toBeVisible()
})

test('a margin sale at home: no VAT is shown, and the profit is less by what is owed of the margins', async () => {
  const { page, call, id } = await shop.colleague()
  const items = await usedItems(call, 2, await standardVat(call))
  expectValue(items.map((item) => item.purchase_treatment)).toEqual(['margin', 'margin'])
  const name = await newCustomer(call, 'NL', 'NL123456789B01')
  await openDraft({ page, call, id }, items)
  await chooseCustomer(page, name)
  // The VAT in the margins is 21/121 of 49.90, twice.
  const seen = async () => {
    await expect(figure(page, /^Margin scheme$/)).toHaveText('Margin scheme-')
    await expect(figure(page, /^Total sales price \(incl. VAT\)$/)).toContainText('299.80 EUR')
    await expect(figure(page, /^VAT in margins$/)).toContainText('17.32 EUR')
    await expect(figure(page, /^Profit$/).last()).toContainText('82.48 EUR')
  }
  await seen()
  const { sent, sale } = await make(page)
  expectValue(sent.some((one) => one.vat_treatment)).toBe(false)
  expectValue([sale.total_margin_vat, sale.total_profit]).toEqual([1_732, 8_248])
  await seen()
  await tab(page, /^Products/)
  await expect(line(page, items[0]!)).toContainText('Margin scheme. Bought under the margin scheme.')
  await expect(line(page, items[0]!)).toContainText('41.24 EUR')
})

testInTurn('a person sells one used item with VAT, by the line or for all, and only that is sent', async () => {
  const { page, call, id } = await shop.colleague()
  const vat = await standardVat(call)
  const [fresh] = await newItems(call, 1, { vat_type_id: vat.id })
  const [used, other] = await usedItems(call, 2, vat)
  const name = await newCustomer(call, 'NL', null)
  await openDraft({ page, call, id }, [fresh!, used!, other!])
  await expect(vatOf(page, used!)).toHaveValue('margin')
  await atRest(page)
  expectValue(await vatOf(page, fresh!).count()).toBe(0)
  await vatOf(page, used!).focus()
  await page.keyboard.press('V')
  await expect(vatOf(page, used!)).toHaveValue('standard')
  await expect(vatOf(page, other!)).toHaveValue('margin')
  expectValue(await barriersInBothThemes(page)).toEqual([])

  await chooseCustomer(page, name)
  const forAll = page.getByRole('combobox', { name: 'VAT', exact: true })
  await expect(forAll.locator('option:checked')).toHaveText('Not the same for all')
  await forAll.selectOption('With VAT')
  await expect(figure(page, /^VAT 21%$/)).toContainText('94.44 EUR')
  await forAll.selectOption('By the rules')
  await expect(figure(page, /^VAT 21% on 149.90 EUR$/)).toContainText('31.48 EUR')
  await tab(page, /^Products/)
  await vatOf(page, used!).selectOption('VAT 21%')
  // A choice that is taken back is none.
  for (const words of ['VAT 21%', 'Margin scheme']) await vatOf(page, other!).selectOption(words)
  await tab(page, 'Summary')
  await expect(figure(page, /^VAT 21% on 299.80 EUR$/)).toContainText('62.96 EUR')
  await expect(figure(page, /^Margin scheme on 149.90 EUR$/)).toContainText('-')

  const { sent, sale } = await make(page)
  expectValue(sent.filter((one) => one.vat_treatment)).toEqual([
    { id: used!.id, sales_price: 14_990, vat_treatment: 'standard' },
  ])
  expectValue(sale.vat_totals).toEqual([
    { treatment: 'standard', rate: 21, net: 29_980, vat: 6_296 },
    { treatment: 'margin', rate: 0, net: 14_990, vat: 0 },
  ])
  await expect(figure(page, /^VAT 21% on 299.80 EUR$/)).toContainText('62.96 EUR')
  await tab(page, /^Products/)
  await expect(line(page, used!)).toContainText('21%')
})

testInTurn(
  'a rate of 0 is settled, and what cannot be sold so is said before and after the server has refused it',
  async () => {
    const { page, call, id } = await shop.colleague()
    await standardVat(call)
    const called = unique('Marge')
    const vat = await create<Vat>(call, 'vat', { name: called, rate: 0 })
    await page.goto('/admin/vat')
    const notice = page.getByRole('alert').filter({ hasText: 'What do these rates of 0% mean?' })
    await expect(notice).toContainText(`${called}: its name suggests Margin scheme`)
    expectValue(await barriersInBothThemes(page)).toEqual([])
    await notice.getByRole('link', { name: called }).click()
    await page.getByRole('combobox', { name: 'What it means' }).click()
    await page.getByRole('option', { name: 'Margin scheme' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Everything is saved')).toBeVisible()
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'VAT' }).click()
    await expect(rowsOf(page, 'VAT').filter({ hasText: called })).toContainText('Margin scheme')
    await expect(page.getByRole('link', { name: called })).toHaveCount(0)

    const [item] = await newItems(call, 1, { vat_type_id: vat.id, purchase_treatment: 'standard' })
    const name = await newCustomer(call, 'NL', null)
    await openDraft({ page, call, id }, [item!])
    await expect(page.getByText('the VAT chosen for 1 item is not allowed')).toBeVisible()
    const why = 'Margin scheme is not possible because the item was not bought under the margin scheme.'
    await expect(page.getByText(`#${item!.id}: ${why}`)).toBeVisible()
    await expect(line(page, item!)).toContainText('Not possible: the item was not bought under the margin scheme.')
    expectValue(await barriersInBothThemes(page)).toEqual([])
    await chooseCustomer(page, name)
    await page.getByRole('button', { name: 'Create Sale (1)' }).click()
    await expect(page.getByRole('tab', { name: 'Products (1) has errors' })).toHaveAttribute('aria-selected', 'true')
    await expect(page.getByRole('alert').filter({ hasText: `Item #${item!.id}` })).toContainText(why)
  },
)

testInTurn('an administrator writes a rule on reverse charge at home', async () => {
  const { page } = await shop.colleague()
  await page.goto('/admin/reverse-charge-rule')
  await page.getByRole('link', { name: 'Add new' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('combobox', { name: 'Country' })).toHaveAccessibleDescription(/^This field is required/)
  await page.getByRole('combobox', { name: 'Country' }).fill('Port')
  await page.getByRole('option', { name: 'Portugal' }).click()
  await page.getByRole('textbox', { name: 'First day' }).fill('01/01/2027')
  await page.getByRole('textbox', { name: 'Last day' }).fill('31/12/2026')
  await page.getByRole('textbox', { name: 'Threshold', exact: true }).fill('7500')
  await page.getByRole('switch', { name: 'No threshold for resellers' }).check()
  const series = page.getByRole('textbox', { name: 'Series of its own' })
  await series.fill('cn')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(series).toHaveAccessibleDescription(/^Other document numbers begin with this/)
  await series.fill('iva')
  await page.getByRole('button', { name: 'Create' }).click()
  const last = page.getByRole('textbox', { name: 'Last day' })
  await expect(last).toHaveAccessibleDescription(/^Must not be before the first day/)
  await last.fill('')
  await page.getByRole('button', { name: 'Create' }).click()
  const row = rowsOf(page, 'Reverse charge').filter({ hasText: 'Portugal' })
  for (const text of ['01/01/2027', 'no end', '7,500.00 EUR', 'no threshold', 'IVA'])
    await expect(row).toContainText(text)
})
