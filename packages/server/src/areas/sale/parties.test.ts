import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const customer = async (country_code: string | null, fields: object = {}): Promise<number> => {
  const address = country_code && { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code }
  const { body } = await client.post('/api/customer/create', {
    ...{ first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test', billing_address: address, ...fields },
  })
  return body.data.id
}
const sell = async (options: object) => {
  const [id] = await stockItems(t.db, shop, 1, { vat_id: shop.vat.standard })
  const { status, body } = await client.post('/api/sale/create', { stock_items: [{ id }], ...options })
  expect([status, body.data.errors]).toEqual([201, undefined])
  return body
}
const versions = async (saleId: number) => {
  const { rows } = await t.db.pool.query(
    `select v.lang, v.data from document_version v join document i on i.id = v.document_id
      where i.sale_id = $1 order by v.version`,
    [saleId],
  )
  return rows as {
    lang: string
    data: { seller: { payment_days: number; tax_number: string | null }; buyer: { registration: string | null } }
  }[]
}
const languages = async (saleId: number) => (await versions(saleId)).map(({ lang }) => lang)

test.each([
  ['that was set for the customer', 'DE', { lang: 'fr' }, {}, 'fr'],
  ['English where none was set', 'DE', {}, {}, 'en'],
  ['that is chosen for this invoice', 'DE', { lang: 'fr' }, { invoice_lang: 'it' }, 'it'],
])('an invoice and its mail are in the language %s', async (_, country, fields, options, lang) => {
  const { data } = await sell({ customer_id: await customer(country, fields), ...options })
  expect(await languages(data.id)).toEqual([lang])
})

test('generate without a language takes that which was set for the customer, else English', async () => {
  const set = await customer('DE', { lang: 'nl' })
  const plain = await customer('DE')
  for (const [customer_id, lang, usual] of [
    [set, 'nl', 'nl'],
    [plain, 'en', 'en'],
  ]) {
    const { data } = await sell({ customer_id, create_invoice: false, send_email: false })
    expect(data.usual_lang).toBe(usual)
    await client.post(`/api/sale/${data.id}/invoice/generate`)
    await client.post(`/api/sale/${data.id}/invoice/generate`, { lang: 'es' })
    expect(await languages(data.id)).toEqual([lang, 'es'])
  }
})

test('an invoice is due as was agreed with the customer when the sale was made, else as the company says', async () => {
  const agreed = await customer('DE', { payment_days: 0, registration: 'HRB 1' })
  const first = await sell({ customer_id: agreed })
  await client.post(`/api/customer/${agreed}/edit`, { payment_days: 60 })
  await client.post(`/api/sale/${first.data.id}/invoice/generate`)
  const usual = await sell({ customer_id: await customer('DE') })
  expect((await versions(first.data.id))[0]!.data.buyer.registration).toBe('HRB 1')
  const dueAfter = async (id: number) => (await versions(id)).map(({ data }) => data.seller.payment_days)
  expect(await dueAfter(first.data.id)).toEqual([0, 0])
  expect(await dueAfter(usual.data.id)).toEqual([14])
})

test('the buyer’s country on a document is that of the billing address, else that of the delivery address', async () => {
  const delivery_address = { address_1: 'Rue 1', city: 'Lille', postal_code: '59000', country_code: 'FR' }
  for (const [country, printed] of [
    ['DE', 'DE'],
    [null, 'FR'],
  ] as const) {
    const { data } = await sell({ customer_id: await customer(country, { delivery_address }), send_email: false })
    expect(data.documents).toMatchObject([{ buyer_country: printed }])
  }
})

test('the VAT number of a customer typed on the sale decides of the VAT, and a wrong one is told', async () => {
  const typed = {
    ...{ customer_first_name: 'Jan', customer_last_name: 'Kowalski', customer_email: 'jan@example.test' },
    ...{ customer_address1: 'Prosta 1', customer_postal_code: '00-001', customer_city: 'Warszawa' },
    ...{ customer_country_code: 'PL', send_email: false },
  }
  const right = await sell({ ...typed, customer_vat_number: 'pl 856-734-62-15' })
  expect(right.data).toMatchObject({
    customer: { vat_number: 'PL8567346215' },
    items: [{ vat_treatment: 'intra_community' }],
  })
  expect(right.message).not.toContain('does not look like')
  const wrong = await sell({ ...typed, customer_vat_number: 'PL8567346216' })
  expect(wrong.data.items).toMatchObject([{ vat_treatment: 'intra_community' }])
  expect(wrong.message).toContain('The buyer’s VAT number PL8567346216 does not look like a valid Polish VAT number')
  expect((await sell(typed)).data.items).toMatchObject([{ vat_treatment: 'standard' }])
})

test('the lacks of an invoice are known before the sale is made, and the sale has the same after it', async () => {
  const lacks = async (body: object) => {
    const lines = [{ vat_treatment: 'standard', vat_rate: 23, vat_name: 'Standard' }]
    const answer = await client.post('/api/sale/invoice-lacks', { lines, ...body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.data
  }
  const nothing = { seller: [], buyer: [], items: [] }
  const shy = await customer(null, { company_name: 'Shy GmbH' })
  expect(await lacks({})).toEqual({ invoice: nothing, xml: nothing, profile: null })
  expect(await lacks({ customer_id: await customer('DE') })).toEqual({ invoice: nothing, xml: nothing, profile: null })
  expect(await lacks({ customer_id: shy })).toEqual({
    invoice: { ...nothing, buyer: ['the buyer’s address', 'the buyer’s VAT number'] },
    xml: nothing,
    profile: null,
  })
  const typed = { customer_first_name: '張', customer_company_name: 'Zhang', customer_country_code: 'de' }
  const typedLacks = ['the buyer’s VAT number', 'the buyer’s name or address in letters that an invoice can print']
  expect((await lacks(typed)).invoice.buyer).toEqual(typedLacks)
  expect((await lacks({ ...typed, customer_vat_number: 'DE136695976', customer_first_name: 'Li' })).invoice).toEqual(
    nothing,
  )
  // A person needs no company, and each part of the address may be in letters that no invoice can print.
  const person = { customer_first_name: 'Li', customer_last_name: 'Wei' }
  expect(await lacks(person)).toEqual({ invoice: nothing, xml: nothing, profile: null })
  const printed = ['first_name', 'last_name', 'company_name', 'address1', 'address2', 'city', 'state', 'postal_code']
  for (const part of printed) {
    const { invoice } = await lacks({ ...person, customer_vat_number: 'DE136695976', [`customer_${part}`]: '張' })
    expect([part, invoice.buyer]).toEqual([part, [typedLacks[1]]])
  }
  // So may each part of the seller's address, and a delivery address alone.
  for (const part of ['name', 'address_1', 'address_2', 'city', 'state', 'postal_code', 'tax_number']) {
    const { rows } = await t.db.pool.query(`update company set ${part} = '張' returning old.${part} as old`)
    const { invoice } = await lacks({})
    await t.db.pool.query(`update company set ${part} = $1`, [rows[0].old])
    expect([part, invoice.seller]).toEqual([
      part,
      ['the seller’s name or address in letters that an invoice can print'],
    ])
  }
  const delivery_address = { address_1: '張', city: 'Town', postal_code: '1000', country_code: 'DE' }
  const elsewhere = await customer('DE', { delivery_address })
  expect((await lacks({ customer_id: elsewhere })).invoice.buyer).toEqual([typedLacks[1]])
  const abroad = [{ vat_treatment: 'intra_community', vat_rate: 0, vat_name: 'Standard' }]
  const prefixed = ['the buyer’s VAT number with its country prefix']
  for (const [customer_vat_number, lacking] of [
    [undefined, prefixed],
    ['136695976', prefixed],
    ['de136695976', []],
  ])
    expect((await lacks({ ...person, customer_vat_number, lines: abroad })).xml.buyer).toEqual(lacking)
  // A company's number is named once, and the number of nobody is not asked for.
  expect(await lacks({ customer_company_name: 'Li', lines: abroad })).toMatchObject({
    invoice: { buyer: ['the buyer’s VAT number'] },
    xml: nothing,
  })
  expect(await lacks({ reference_number: 'R', lines: abroad })).toMatchObject({ invoice: nothing, xml: nothing })
  // The sale's own reference takes the place of the customer's.
  const office = await customer('DE', { e_invoice_profile: 'xrechnung' })
  for (const [reference_number, lacking] of [
    ['', ['the buyer’s reference']],
    ['04011000-12345-67', []],
  ])
    expect((await lacks({ customer_id: office, reference_number })).profile.buyer).toEqual(lacking)
  const unnamed = [{ vat_treatment: 'none', vat_rate: 0, vat_name: null }]
  expect((await lacks({ lines: unnamed })).xml.items).toEqual(['each item’s VAT type and what it means'])
  const exempt = [{ vat_treatment: 'exempt', vat_rate: 0, vat_name: 'Small business' }]
  expect((await lacks({ lines: exempt })).xml.items).toEqual([])

  const admin = await t.user('ROLE_ADMIN')
  const before = { vat_number: 'IE1234567T', iban: 'IE29AIBK93115212345678' }
  await admin.post('/api/company/edit', { vat_number: null, iban: null })
  const sold = await sell({ customer_id: shy, send_email: false })
  const { invoice, xml } = await lacks({ customer_id: shy })
  expect(invoice.seller).toEqual(['the seller’s VAT number', 'the seller’s bank account'])
  expect(xml.seller).toEqual([])
  // The profile names what it asks for besides.
  expect((await lacks({ customer_id: office })).profile.seller).toEqual(['the seller’s phone number'])
  expect(Object.values(invoice).flat()).toEqual(sold.data.missing_invoice_data)
  // The tax office's number can take the place of the VAT number. The invoice prints it.
  await admin.post('/api/company/edit', {
    ...before,
    vat_number: null,
    tax_number: '29/815/08157',
    registration: 'HRB 1',
  })
  const withTaxNumber = await sell({ customer_id: await customer('IE') })
  expect([withTaxNumber.data.missing_invoice_data, withTaxNumber.data.missing_xml_data]).toEqual([[], []])
  expect((await versions(withTaxNumber.data.id))[0]!.data.seller.tax_number).toBe('29/815/08157')
  await admin.post('/api/company/edit', { ...before, tax_number: '', registration: '' })
  expect((await client.post('/api/sale/invoice-lacks', {})).status).toBe(422)
})
