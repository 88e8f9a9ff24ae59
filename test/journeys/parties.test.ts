import type { Company } from '@backstock/contract/company.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { expect as expectValue } from 'vitest'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { catchAnswer, expect } from './browser-page.ts'
import { openShop, paste, unique } from './sample-shop.ts'
import { barriersInBothThemes } from './screen-check.ts'
import { create, newItems, newSale } from './shop-records.ts'

const shop = openShop()

testInTurn('a new buyer is typed with a VAT number, and the invoice’s lacks and language are seen before', async () => {
  const { page, call, id } = await shop.colleague()
  const { data: company } = await call<{ data: Company }>('GET', 'company')
  await call('POST', 'company/edit', { name: company.name, iban: null })
  const vat = await create(call, 'vat', { name: unique('Standard'), rate: 21 })
  const [item] = await newItems(call, 1, { vat_type_id: vat.id, purchase_treatment: 'standard' })
  await call('PUT', `user/${id}/basket`, { items: [item!.id] })
  await page.goto('/admin/sale/create')
  await page.getByRole('tab', { name: 'Summary' }).click()
  const lang = page.getByRole('combobox', { name: 'Language of the invoice' })
  await expect(lang.locator('option:checked')).toHaveText('Same as customer')
  await expect(page.getByText('Missing from the invoice: the seller’s bank account.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Company page' })).toHaveAttribute('href', '/admin/company')

  await page.getByText('New customer', { exact: true }).click()
  const name = unique('Kowalski')
  const fields = {
    'First name': 'Jan',
    'Last name': name,
    Email: 'jan@shop.test',
    Company: 'Komórki',
  }
  for (const [label, text] of Object.entries(fields)) await page.getByRole('textbox', { name: label }).fill(text)
  await paste(page.getByRole('textbox', { name: 'Address line 1' }), 'Building C\nProsta 1\n00-001 Warszawa')
  await page.getByRole('combobox', { name: 'Country' }).fill('Pola')
  await page.getByRole('option', { name: 'Poland' }).click()
  await expect(lang.locator('option:checked')).toHaveText('Same as customer (English)')
  // A look at the customers of the list loses nothing.
  for (const which of ['Existing customer', 'New customer']) await page.getByText(which, { exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'First name' })).toHaveValue('Jan')
  // The draft is still there after following the link to the company's page.
  await page.getByRole('link', { name: 'Company page' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Company' })).toBeVisible()
  await page.goBack()
  await expect(page.getByText('Your draft is back. It is kept in this browser')).toBeVisible()
  await page.getByRole('tab', { name: 'Summary' }).click()
  await expect(page.getByRole('textbox', { name: 'Last name' })).toHaveValue(name)

  const lack = page.getByText('Missing from the invoice: the buyer’s VAT number.')
  await expect(lack).toBeVisible()
  const number = page.getByRole('textbox', { name: 'VAT number' })
  await number.fill('PL 856-734-62-16')
  await number.press('Tab')
  await lang.selectOption('German')
  await expect(number).toHaveAccessibleDescription(
    'This does not look like a valid Polish VAT number: its check digits do not match.',
  )
  await expect(page.getByText('has not been checked with VIES')).toBeVisible()
  await expect(lack).toHaveCount(0)
  expectValue(await barriersInBothThemes(page)).toEqual([])
  await page.getByRole('checkbox', { name: 'Send email' }).uncheck()
  const made = await catchAnswer(page, '**/api/sale/create')
  await page.getByRole('button', { name: /^Create Sale/ }).click()
  const { data } = (await (await made()).response.json()) as { data: Sale }
  expectValue(data.customer).toMatchObject({ last_name: name, vat_number: 'PL8567346216' })
  const address = { address_1: 'Prosta 1', address_2: 'Building C', postal_code: '00-001', city: 'Warszawa' }
  expectValue(data.address).toMatchObject({ ...address, country_code: 'PL' })
  expectValue(data.items[0]!.vat_treatment).toBe('intra_community')
  expectValue(data.documents.map((one) => one.lang)).toEqual(['de'])
  await call('POST', 'company/edit', { name: company.name, iban: company.iban })
})

testInTurn(
  'facts that an invoice lacks are filled in from its sale, and each form leads back to the sale',
  async () => {
    const { page, call } = await shop.colleague()
    const { data: company } = await call<{ data: Company }>('GET', 'company')
    await call('POST', 'company/edit', { name: company.name, iban: null })
    const buyer = { first_name: 'Ann', last_name: unique('Other'), email: 'ann@shop.test', company_name: 'Other' }
    const customer = await create(call, 'customer', buyer)
    const { id } = await newSale(call, await newItems(call, 1), { customer_id: customer.id })
    const path = `/admin/sale/edit/${id}?tab=summary`
    await page.goto(path)
    const lack = page.getByText(/^Missing from the invoice: /)
    await expect(lack).toHaveText(
      'Missing from the invoice: the seller’s bank account, the buyer’s address, the buyer’s VAT number.',
    )
    expectValue(await barriersInBothThemes(page)).toEqual([])

    await page.getByRole('link', { name: 'Company page' }).click()
    await page.getByRole('textbox', { name: 'IBAN' }).fill(company.iban!)
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(`**${path}`)
    await expect(lack).toHaveText('Missing from the invoice: the buyer’s address, the buyer’s VAT number.')
    await expect(page.getByRole('link', { name: 'Company page' })).toHaveCount(0)

    await page.getByRole('link', { name: 'Customer page' }).click()
    await page.getByRole('textbox', { name: 'VAT number' }).fill('IE6388047V')
    await page.keyboard.press('Control+Enter')
    await page.waitForURL(`**${path}`)
    await expect(page.getByRole('alert').filter({ hasText: 'Since the sale was made' })).toHaveText(
      'Since the sale was made, the buyer’s VAT number has changed. The invoice has the old details: correct it.',
    )
    await page.getByRole('link', { name: 'correct it' }).click()
    await page.getByRole('button', { name: 'Correct', exact: true }).click()
    await page.waitForURL(`**${path}`)
    await expect(lack).toHaveText('Missing from the invoice: the buyer’s address.')
  },
)

testInTurn('the only fact that the customer’s profile of e-invoices demands and the sale lacks is named', async () => {
  const { page, call } = await shop.colleague()
  const customer = await create(call, 'customer', {
    ...{ first_name: 'Jo', last_name: unique('Amt'), email: 'jo@amt.test', vat_number: 'DE136695976' },
    billing_address: { address_1: 'Am Markt 1', postal_code: '28195', city: 'Bremen', country_code: 'DE' },
    ...{ e_invoice_profile: 'xrechnung', electronic_address: '0204: 04011000-1234512345-06' },
  })
  const { id } = await newSale(call, await newItems(call, 1), { customer_id: customer.id })
  await page.goto(`/admin/sale/edit/${id}?tab=summary`)
  await expect(page.getByText(/^Missing for XRechnung: /)).toHaveText('Missing for XRechnung: the buyer’s reference.')
  await expect(page.getByRole('link', { name: 'Customer page' })).toHaveAttribute(
    'href',
    `/admin/customer/edit/${customer.id}`,
  )
})
