import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'
import { openShop, stockItems } from '../testing/shop.ts'
import { untilSomebodyWaits } from '../testing/until-waiting.ts'
import { buyerOf } from './customer.ts'

let t: Awaited<ReturnType<typeof testApp>>
let staff: Client
beforeAll(async () => {
  t = await testApp()
  staff = await t.user()
})
afterAll(() => t.close())

const person = { first_name: 'Zofia', last_name: 'Żółć', email: 'zofia@customer.test' }
const address = { address_1: 'ul. Prosta 1', city: 'Łódź', postal_code: '90-001', country_code: 'pl' }
const empty = { address_1: '', address_2: '', city: ' ', state: null, postal_code: '', country_code: '' }

const create = async (input: object): Promise<number> => {
  const { status, body } = await staff.post('/api/customer/create', input)
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}
const edit = (id: number, input: object) => staff.post(`/api/customer/${id}/edit`, input)
const load = async (id: number) => (await staff.get(`/api/customer/find?id=${id}`)).body.data[0]
const addressCount = async () => (await t.db.pool.query('select from address')).rowCount

test('addresses are written, replaced and removed with their customer', async () => {
  const id = await create({ ...person, billing_address: address, delivery_address: empty })
  const first = await load(id)
  expect(first).toMatchObject({ full_name: 'Zofia Żółć', delivery_address: null, delivery_address_id: null })
  expect(first.billing_address).toEqual({
    ...{ id: first.billing_address_id, address_2: null, state: null },
    ...{ ...address, country_code: 'PL', country: 'Poland' },
  })
  expect((await staff.get('/api/customer/find?search=zofia')).body.data[0].billing_address.city).toBe('Łódź')

  await edit(id, { billing_address: { ...address, city: 'Kraków' }, delivery_address: { ...address, address_2: 'II' } })
  const both = await load(id)
  expect(both.billing_address).toMatchObject({ id: first.billing_address_id, city: 'Kraków' })
  expect(both.delivery_address).toMatchObject({ address_2: 'II', city: 'Łódź' })
  expect(both.updated_at > first.updated_at).toBe(true)
  expect(await addressCount()).toBe(2)

  await edit(id, { phone: '+48 1' })
  expect((await load(id)).billing_address).toMatchObject({ city: 'Kraków' })
  await edit(id, { billing_address: null, delivery_address: empty })
  expect(await load(id)).toMatchObject({ billing_address: null, delivery_address: null, phone: '+48 1' })
  expect(await addressCount()).toBe(0)

  await edit(id, { delivery_address: address })
  expect((await staff.delete(`/api/customer/${id}/delete`)).status).toBe(200)
  expect(await addressCount()).toBe(0)
})

test('only administrators set or change a debtor number', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const numbered = { ...person, debtor_number: 4711 }
  expect((await staff.post('/api/customer/create', numbered)).status).toBe(403)
  const made = await admin.post('/api/customer/create', numbered)
  expect([made.status, made.body.data.debtor_number]).toEqual([201, 4711])
  const { id } = made.body.data
  for (const debtor_number of [4712, null]) expect((await edit(id, { debtor_number })).status).toBe(403)
  // A form sends the number with all other fields.
  expect((await edit(id, { debtor_number: 4711, phone: '+48 2' })).status).toBe(200)
  expect(await create({ ...person, debtor_number: '' })).toBeGreaterThan(id)
  expect((await admin.post(`/api/customer/${id}/edit`, { debtor_number: 4712 })).status).toBe(200)
  expect(await load(id)).toMatchObject({ debtor_number: 4712, phone: '+48 2' })
})

test('a customer is created once for one key, and again for another', async () => {
  const add = (key: string) => staff.post('/api/customer/create', person, { 'idempotency-key': key })
  const first = await add('one')
  expect(first.status).toBe(201)
  expect(await add('one')).toMatchObject({ status: 201, body: first.body })
  expect((await add('two')).body.data.id).not.toBe(first.body.data.id)
  // Another person may choose the same key.
  const colleague = await t.user()
  const theirs = await colleague.post('/api/customer/create', person, { 'idempotency-key': 'one' })
  expect([theirs.status, theirs.body.data.id === first.body.data.id]).toEqual([201, false])
  const other = await staff.post('/api/customer/create', { ...person, first_name: 'X' }, { 'idempotency-key': 'one' })
  expect(other.status).toBe(422)
})

test('an edit that waits for another leaves the addresses as that one has made them', async () => {
  const id = await create({ ...person, billing_address: address })
  const { billing_address_id } = await load(id)
  const client = await t.db.pool.connect()
  try {
    await client.query('begin')
    await client.query('update customer set phone = $2 where id = $1', [id, '1'])
    await client.query(`update address set city = 'Kraków' where id = $1`, [billing_address_id])
    await client.query(
      `with added as (insert into address (address_1, city, postal_code, country_code)
         values ('Plac 2', 'Gdynia', '81-001', 'PL') returning id)
       update customer set delivery_address_id = added.id from added where customer.id = $1`,
      [id],
    )
    const late = edit(id, { company_name: 'Late GmbH' })
    await untilSomebodyWaits(t.db)
    await client.query('commit')
    expect((await late).status).toBe(200)
  } finally {
    client.release()
  }
  expect(await load(id)).toMatchObject({
    company_name: 'Late GmbH',
    billing_address: { city: 'Kraków' },
    delivery_address: { city: 'Gdynia' },
  })
  await staff.delete(`/api/customer/${id}/delete`)
})

test('half an address is refused field by field and nothing is written', async () => {
  const { status, body } = await staff.post('/api/customer/create', { ...person, billing_address: { city: 'Łódź' } })
  expect(status).toBe(422)
  expect(Object.keys(body.data.errors).sort()).toEqual([
    'billing_address.address_1',
    'billing_address.country_code',
    'billing_address.postal_code',
  ])
  const id = await create({ ...person, billing_address: address })
  const refused = await edit(id, { first_name: 'Anna', billing_address: { ...address, country_code: 'XX' } })
  expect(refused.body.data.errors).toHaveProperty(['billing_address.country_code'])
  expect((await load(id)).first_name).toBe('Zofia')
})

const MALTESE = {
  ...{
    address_1: '4 Quay',
    address_2: 'Dock 5',
    city: 'Sliema',
    state: 'Central',
    postal_code: 'SLM 1',
    country_code: 'MT',
  },
}

test('logs name the parts of addresses, and survive the customer', async () => {
  const id = await create({ ...person, delivery_address: address })
  await edit(id, {
    email: 'new@customer.test',
    billing_address: null,
    delivery_address: { ...address, city: 'Kraków' },
  })
  await edit(id, { delivery_address: null })
  const authors = (await load(id)).logs.map((entry: { user_name: string }) => entry.user_name)
  expect(authors).toEqual(Array(3).fill('Person 1'))
  const data = (await load(id)).logs.map((entry: { content: { data: object } }) => entry.content.data)
  expect(data[1]).toEqual([
    { attributeName: 'email', from: 'zofia@customer.test', to: 'new@customer.test' },
    { attributeName: 'delivery_address city', from: 'Łódź', to: 'Kraków' },
  ])
  expect(data[0]).toContainEqual({ attributeName: 'delivery_address country', from: 'Poland', to: null })
  expect(data[2]).toContainEqual({ attributeName: 'delivery_address postal_code', from: null, to: '90-001' })
  const parts = { address_1: '2 Road', address_2: 'Flat 3', city: 'Cork', state: 'Munster', postal_code: 'X1' }
  await edit(id, { billing_address: { ...parts, country_code: 'IE' }, delivery_address: MALTESE })
  expect((await load(id)).logs[0].content.data).toEqual([
    ...Object.entries({ ...parts, country: 'Ireland' }).map(([name, to]) => ({
      ...{ attributeName: `billing_address ${name}`, from: null, to },
    })),
    ...Object.entries({ ...MALTESE, country_code: undefined, country: 'Malta' }).flatMap(([name, to]) =>
      to === undefined ? [] : [{ attributeName: `delivery_address ${name}`, from: null, to }],
    ),
  ])
  await staff.delete(`/api/customer/${id}/delete`)
  const logs = (await staff.get(`/api/log/find?loggable_type=Customer&loggable_id=${id}`)).body.data
  expect(logs[0].content.data.message).toBe('Customer Zofia Żółć was deleted.')
})

test('full names sort as people read them, and every part is searched', async () => {
  for (const [first_name, last_name, company_name] of [
    ['Émile', 'Sorted', 'Ünit GmbH'],
    ['eve', 'Sorted', null],
    ['Emil', 'Sorted', null],
  ])
    await create({ first_name, last_name, company_name, email: `${last_name}@sort.test`, phone: '+353 86 555' })
  const names = async (query: string) =>
    (await staff.get(`/api/customer/find?${query}`)).body.data.map((row: { full_name: string }) => row.full_name)
  expect(await names('search=sorted&order=full_name_asc')).toEqual(['Emil Sorted', 'Émile Sorted', 'eve Sorted'])
  expect(await names('search=sorted&order=company_name_desc')).toEqual(['Émile Sorted', 'Emil Sorted', 'eve Sorted'])
  expect(await names('search=unit')).toEqual(['Émile Sorted'])
  expect(await names('search=86%20555&order=id_asc')).toHaveLength(3)
  expect(await names('search=emile%20sor')).toEqual(['Émile Sorted'])
  expect(await names('search=so%25')).toEqual([])

  for (const [first_name, last_name, email] of [
    ['Cem', 'Ordering 10', 'b@order.test'],
    ['Ada', 'Ordering 9', 'C@order.test'],
    ['bea', 'ordering 11', 'a@order.test'],
  ])
    await create({ first_name, last_name, email })
  const ordered = (order: string) => names(`search=ordering&order=${order}`)
  expect(await ordered('last_name_asc')).toEqual(['Ada Ordering 9', 'Cem Ordering 10', 'bea ordering 11'])
  expect(await ordered('first_name_desc')).toEqual(['Cem Ordering 10', 'bea ordering 11', 'Ada Ordering 9'])
  expect(await ordered('email_asc')).toEqual(['bea ordering 11', 'Cem Ordering 10', 'Ada Ordering 9'])
})

test('each word is found somewhere in a customer: name, email, phone, company, VAT number, either city', async () => {
  const id = await create({
    ...{ first_name: 'Ömer', last_name: 'Wordsworth', email: 'words@search.test', phone: '+90 212 555 0100' },
    ...{ company_name: 'Çelik Telefon', vat_number: 'TR1234567890' },
    ...{ billing_address: { ...address, city: 'İzmir' }, delivery_address: { ...address, city: 'Gdańsk' } },
  })
  const finds = async (search: string) =>
    (await staff.get(`/api/customer/find?search=${encodeURIComponent(search)}`)).body.data.some(
      (row: { id: number }) => row.id === id,
    )
  for (const search of [
    ...['wordsworth omer', 'telefon words', 'gdansk', 'izmir celik', 'tr12345 worth', '0100 212', 'WORDS@search gda'],
    ...['om wo', 'ce te gd'],
  ])
    expect(await finds(search), search).toBe(true)
  for (const search of ['wordsworth nobody', 'gdansk celik krakow', 'orth lef xyz', 'me wo', 'or'])
    expect(await finds(search), search).toBe(false)
  await edit(id, { delivery_address: null, billing_address: { ...address, city: 'Bursa' } })
  expect([await finds('wordsworth bursa'), await finds('wordsworth gdansk'), await finds('wordsworth izmir')]).toEqual([
    true,
    false,
    false,
  ])
})

test('a buyer is the customer as they are now, with addresses free of ids', async () => {
  const terms = {
    ...{ registration: 'KRS 0000028860', payment_days: 30, e_invoice_profile: 'xrechnung' as const },
    ...{ buyer_reference: 'Dept. 7', electronic_address: '9945:PL5260001246' },
  }
  const id = await create({ ...person, ...terms, vat_number: 'PL1', billing_address: address })
  expect(await buyerOf(t.db.read, id)).toEqual({
    ...{ ...person, full_name: 'Zofia Żółć', company_name: null, phone: null, vat_number: 'PL1', ...terms },
    billing_address: { ...address, country_code: 'PL', address_2: null, state: null },
    delivery_address: null,
  })
  expect(await buyerOf(t.db.read, 999_999)).toBeUndefined()
})

test('registration, language and payment days are kept, logged and bounded', async () => {
  const id = await create({ ...person, registration: 'KRS 0000028860', lang: 'pl', payment_days: '30' })
  expect(await load(id)).toMatchObject({ registration: 'KRS 0000028860', lang: 'pl', payment_days: 30 })
  await edit(id, { lang: '', payment_days: null })
  const { logs, ...customer } = await load(id)
  expect(customer).toMatchObject({ registration: 'KRS 0000028860', lang: null, payment_days: null })
  expect(logs[0].content.data).toEqual([
    { attributeName: 'lang', from: 'pl', to: null },
    { attributeName: 'payment_days', from: 30, to: null },
  ])
  const wrong = await edit(id, { lang: 'xx', payment_days: 366 })
  expect(wrong.status).toBe(422)
  expect(Object.keys(wrong.body.data.errors)).toEqual(['lang', 'payment_days'])
  await expect(t.db.pool.query(`update customer set lang = 'xx' where id = $1`, [id])).rejects.toThrow('lang_check')
})

test('a VAT number with wrong check digits is saved with a warning', async () => {
  const said = 'PL8567346216 does not look like a valid Polish VAT number: its check digits do not match.'
  const made = await staff.post('/api/customer/create', { ...person, vat_number: 'PL 856-734-62-16' })
  const { id } = made.body.data
  expect(made).toMatchObject({ status: 201, body: { type: 'warning', message: `Customer #${id} created. ${said}` } })
  expect((await edit(id, { vat_number: '8567346215', billing_address: address })).body).toMatchObject({
    type: 'warning',
    message: expect.stringContaining('such as PL.'),
    data: { vat_number: '8567346215' },
  })
  expect((await edit(id, { vat_number: 'PL8567346215' })).body.type).toBe('success')
  // The only address is that of the delivery.
  const delivered = { ...person, vat_number: '8567346215', delivery_address: address }
  expect((await staff.post('/api/customer/create', delivered)).body).toMatchObject({
    ...{ type: 'warning', message: expect.stringContaining('such as PL.') },
  })

  const supplier = await staff.post('/api/supplier/create', { company_name: 'Numbers', vat_number: 'DE136695977' })
  expect(supplier.body).toMatchObject({ type: 'warning', message: expect.stringContaining('valid German VAT number') })
  const mended = await staff.post(`/api/supplier/${supplier.body.data.id}/edit`, { vat_number: 'DE136695976' })
  expect(mended.body.type).toBe('success')
})

test('a VAT number is saved in one form and found in each; the same in another form is no change', async () => {
  const id = await create({ ...person, vat_number: 'DK: 13 58-56.28' })
  const one = async () => (await staff.get(`/api/customer/find?id=${id}`)).body.data[0]
  const { vat_number, updated_at } = await one()
  expect(vat_number).toBe('DK13585628')
  await edit(id, { vat_number: 'dk 13585628' })
  expect(await one()).toMatchObject({ vat_number: 'DK13585628', updated_at })
  const supplier = await staff.post('/api/supplier/create', { company_name: 'Danes', vat_number: 'DK: 13585628' })
  expect(supplier.body.data.vat_number).toBe('DK13585628')
  for (const search of ['DK: 13 58-56.28', 'dk 13585628', 'DK13585628', '13585628'])
    expect((await staff.get(`/api/customer/find?search=${encodeURIComponent(search)}`)).body.data).toMatchObject([
      { id },
    ])
  await edit(id, { vat_number: '12-3456789' })
  expect((await one()).vat_number).toBe('12-3456789')
})

test('a stale edit names the person who changed the customer, not one who has checked the VAT number since', async () => {
  const id = await create({ ...person, vat_number: 'DE136695976' })
  const { updated_at } = await load(id)
  const [changer, checker] = [await t.user(), await t.user()]
  const { name } = (await changer.get('/api/auth')).body.user
  expect((await changer.post(`/api/customer/${id}/edit`, { phone: '1' })).status).toBe(200)
  const check = { vat_number: 'DE136695976', checked_on: '2020-01-02', is_valid: true }
  expect((await checker.post(`/api/customer/${id}/vat-check`, check)).status).toBe(200)
  const stale = await edit(id, { phone: '2', updated_at })
  expect([stale.status, stale.body.message]).toEqual([409, expect.stringMatching(`^Changed by ${name} .+ ago$`)])
})

test('a customer carries their newest sales, and a list row does not', async () => {
  const shop = await openShop(t.db)
  const { customer } = shop
  const [first, second] = await stockItems(t.db, shop, 2)
  for (const id of [first, second])
    await staff.post('/api/sale/create', {
      ...{ customer_id: customer, stock_items: [{ id, sales_price: 12_300 }] },
      ...{ create_invoice: false, send_email: false },
    })
  const { sales } = await load(customer)
  expect(sales).toMatchObject([
    { customer_id: customer, status: 'New', total_items: 1, total_sales_price: 12_300 },
    { customer_id: customer },
  ])
  expect(sales[0].id).toBeGreaterThan(sales[1].id)
  await t.db.pool.query(
    `insert into sale (customer_id, buyer, prices_include_vat, total_items, total_purchase_price, total_sales_price,
       total_sales_price_vat) select customer_id, buyer, false, 0, 0, 0, 0 from sale, generate_series(1, 19) where id = $1`,
    [sales[1].id],
  )
  const newest = (await load(customer)).sales.map(({ id }: { id: number }) => id)
  expect([newest.length, newest.at(-1), newest.includes(sales[1].id)]).toEqual([20, sales[0].id, false])
  await t.db.pool.query('delete from sale where customer_id = $1 and total_items = 0', [customer])
  expect((await staff.get(`/api/customer/find?ids=${customer}`)).body.data[0]).not.toHaveProperty('sales')
})

test('a customer asks for a profile of e-invoices, with a reference and an address that its kind allows', async () => {
  const id = await create({ ...person, e_invoice_profile: 'peppol', electronic_address: '0106: KvK 1234 5678' })
  expect(await load(id)).toMatchObject({ e_invoice_profile: 'peppol', electronic_address: '0106:12345678' })
  const wrong = await edit(id, { e_invoice_profile: 'fax', electronic_address: '0208:0202239952' })
  expect([wrong.status, Object.keys(wrong.body.data.errors).sort()]).toEqual([
    422,
    ['e_invoice_profile', 'electronic_address'],
  ])
  const doubted = await edit(id, { buyer_reference: '04011000-1234512345-60' })
  expect([doubted.status, doubted.body.message]).toEqual([200, expect.stringContaining('valid Leitweg-ID')])
  await edit(id, { e_invoice_profile: '', electronic_address: '', buyer_reference: '' })
  expect(await load(id)).toMatchObject({ e_invoice_profile: null, electronic_address: null, buyer_reference: null })
})
