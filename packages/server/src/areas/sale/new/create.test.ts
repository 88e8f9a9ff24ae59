import { randomUUID } from 'node:crypto'
import { NewCustomer } from '@backstock/contract/sale.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BODY } from '../../../http/read-bodies.ts'
import { type Client, testApp } from '../../../testing/app.ts'
import { untilDecided } from '../../../testing/ask-again.ts'
import { batchOf, openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { createSale } from './create.ts'
import { readNewSale } from './new-sale.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop

beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const create = (body: object, headers?: Record<string, string>) => client.post('/api/sale/create', body, headers)
const createByParts = async (fields: Record<string, string>) => {
  const parts = new FormData()
  for (const [name, value] of Object.entries(fields)) parts.append(name, value)
  const request = new Request('http://localhost', { method: 'POST', body: parts })
  return client.send({
    method: 'POST',
    url: '/api/sale/create',
    headers: { 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}
const quietly = { send_email: false, create_invoice: false }
const stock = (id: number) => t.db.read.selectFrom('stock').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const logs = async (type: string, id: number) =>
  (await client.get(`/api/log/find?loggable_type=${type}&loggable_id=${id}`)).body.data.map(
    (entry: { content: object }) => entry.content,
  )

test('20 sales of one item at once: one is made, the others are told who has it', async () => {
  const [id] = await stockItems(t.db, shop, 1)
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => untilDecided(() => create({ stock_items: [{ id }], customer_id: shop.customer }))),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array(19).fill(409)])
  for (const { body } of answers.filter(({ status }) => status === 409)) {
    expect(body.message).toContain('You can sell only the items with status: In Stock, In Batch')
    expect(body.data.errors.stock_items).toContain(`#${id}`)
  }
  const held = await t.db.read.selectFrom('sale_item').select('sale_id').where('stock_id', '=', id!).execute()
  expect(held).toEqual([{ sale_id: answers.find((answer) => answer.status === 201)!.body.data.id }])
})

test('overlapping sales in opposite orders end without a deadlock reaching anyone', async () => {
  const ids = await stockItems(t.db, shop, 12)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => {
      const some = [...ids.slice(n), ...ids.slice(0, n)].slice(0, 5)
      const sale = { ...quietly, stock_items: some.map((id) => ({ id })), customer_id: shop.customer }
      return untilDecided(() => create(sale))
    }),
  )
  for (const { status } of answers) expect([201, 409]).toContain(status)
  expect(answers.some(({ status }) => status === 201)).toBe(true)
})

test('a double click with one key is one sale and one answer; another body under it is refused', async () => {
  const [id, other] = await stockItems(t.db, shop, 2)
  const headers = { 'idempotency-key': randomUUID() }
  const body = { stock_items: [{ id }], customer_id: shop.customer }
  const answers = await Promise.all(Array.from({ length: 5 }, () => untilDecided(() => create(body, headers))))
  for (const answer of answers) {
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual(answers[0]!.body)
  }
  expect((await create({ ...body, stock_items: [{ id: other }] }, headers)).status).toBe(422)
})

describe('the sold items', () => {
  test('prices without VAT: own price, else the sale’s, else the item’s; VAT per rate on the sum, half up', async () => {
    const grade = (await (await t.user('ROLE_ADMIN')).post('/api/grade/create', { name: 'Grade A' })).body.data
    const described = { grade_id: grade.id, serial_number: 'SOLD-1' }
    const [a] = await stockItems(t.db, shop, 1, { vat_id: shop.vat.standard, ...described })
    const [b] = await stockItems(t.db, shop, 1, { vat_id: shop.vat.standard })
    const [c] = await stockItems(t.db, shop, 1, { vat_id: shop.vat.zero, sales_price: null })
    const { status, body } = await create({
      stock_items: [{ id: a, sales_price: 10_001 }, { id: b }, { id: c, sales_price: 500 }],
      salesPrice: 10_001,
      customer_id: shop.customer,
      reference_number: 'PO-7',
      total_sales_price: 1,
    })
    expect(status).toBe(201)
    // 23% of 200.02 is 46.0046
    expect(body.data).toMatchObject({
      status: 'New',
      reference_number: 'PO-7',
      total_items: 3,
      total_purchase_price: 60_000,
      total_sales_price: 20_502,
      total_sales_price_vat: 25_102,
      total_profit: -39_498,
      invoice_status: 'pending',
      vat_totals: [
        { rate: 23, net: 20_002, vat: 4600 },
        { rate: 0, net: 500, vat: 0 },
      ],
      customer: { full_name: 'Zażółć Παπαδόπουλος' },
      address: { city: 'Łódź', country: 'Poland' },
    })
    expect(body.data.items.map((item: { sales_price: number }) => item.sales_price)).toEqual([10_001, 10_001, 500])
    const { imei } = await stock(a!)
    expect(body.data.items[0]).toMatchObject({
      ...{ stock_id: a, product_name: 'Apple iPhone 13 128 GB', imei, serial_number: 'SOLD-1', grade: 'Grade A' },
      ...{ vat_type_id: shop.vat.standard, vat_name: 'Standard', vat_rate: 23, vat_treatment: 'standard' },
      ...{ why: 'As its VAT type says.', purchase_treatment: 'unknown', purchase_price: 20_000, margin_vat: 0 },
      ...{ sales_price_vat: null, returned: false, returned_price: null, allowed_price: 0, available: true },
    })
    expect(body.data).toMatchObject({ created_by: client.id, created_by_name: expect.any(String), batch_id: null })
    expect(await stock(a!)).toMatchObject({ status: 'Sold', sale_id: body.data.id, sales_price: 30_000, in_hand: true })
    expect(await logs('Stock', a!)).toEqual([
      { type: 'model_update', data: [{ attributeName: 'status', from: 'In Stock', to: 'Sold' }] },
      { type: 'item_sold', data: { sale_id: body.data.id } },
    ])
    expect((await logs('Sale', body.data.id))[0].data).toContainEqual({
      attributeName: 'status',
      from: null,
      to: 'New',
    })
  })

  test('an item at the price 0 is given away, whatever the sale’s and its own price are', async () => {
    // The lines of the sale have the order of the request.
    const [sold, given] = await stockItems(t.db, shop, 2, { vat_id: shop.vat.standard, sales_price: 30_000 })
    const { body } = await create({
      stock_items: [{ id: given, sales_price: 0 }, { id: sold }],
      salesPrice: 5_000,
      customer_id: shop.customer,
    })
    expect(body.data.items.map((item: { sales_price: number }) => item.sales_price)).toEqual([0, 5_000])
  })

  test('prices with VAT: the typed price is kept and the net spread to the cent', async () => {
    const ids = await stockItems(t.db, shop, 3, { vat_id: shop.vat.standard })
    const { body } = await create({
      ...quietly,
      stock_items: JSON.stringify(ids.map((id) => ({ id, sales_price: 10_000 }))),
      includeVat: 'true',
      customer_id: shop.customer,
    })
    // 300.00 × 23 / 123 = 56.0976
    expect(body.data).toMatchObject({
      prices_include_vat: true,
      total_sales_price: 24_390,
      total_sales_price_vat: 30_000,
      vat_totals: [{ rate: 23, net: 24_390, vat: 5610 }],
    })
    expect(body.data.items.map((item: { sales_price: number }) => item.sales_price)).toEqual([8130, 8130, 8130])
    expect(body.data.items[0].sales_price_vat).toBe(10_000)
  })

  test('a form and a multipart form say the same as JSON', async () => {
    const [a, b] = await stockItems(t.db, shop, 2)
    const fields = (id: number) => ({
      stock_items: JSON.stringify([{ id, sales_price: 100 }]),
      customer_id: String(shop.customer),
      includeVat: 'false',
      create_invoice: 'false',
      send_email: '0',
      batch_id: '',
    })
    const form = await client.send({
      method: 'POST',
      url: '/api/sale/create',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields(a!)).toString(),
    })
    for (const { status, body } of [form, await createByParts(fields(b!))]) {
      expect(status).toBe(201)
      expect(body.data).toMatchObject({ total_sales_price: 100, invoice_status: 'none', mail: null })
    }
  })

  test.each([
    ['one field', { stock_items: ' '.repeat(BODY.list + 1) }],
    ['the whole form', { stock_items: ' '.repeat(BODY.list), batch_id: '1' }],
  ])('a multipart form is refused if %s has more text than another body may have', async (_, fields) => {
    expect(await createByParts(fields)).toMatchObject({ status: 413, body: { message: 'The form is too large.' } })
  })

  test('a later edit of customer, VAT rate and item changes no sale', async () => {
    const bought = { vat_id: shop.vat.standard, grade_id: 1, purchase_treatment: 'standard' as const }
    const [id] = await stockItems(t.db, shop, 1, { ...bought, serial_number: 'SN-1' })
    const made = await create({ ...quietly, stock_items: [{ id }], customer_id: shop.customer })
    const [{ imei, grade }] = made.body.data.items
    expect([imei, grade]).toEqual([expect.any(String), expect.any(String)])
    await t.db.pool.query(
      `update stock set imei = null, serial_number = 'SN-2', grade_id = 2, purchase_treatment = 'import', vat_id = null
      where id = $1`,
      [id],
    )
    await client.post(`/api/customer/${shop.customer}/edit`, { phone: '555' })
    await t.db.write((tx) => tx.updateTable('vat').set({ rate: 2400 }).where('id', '=', shop.vat.standard).execute())
    const { body } = await client.get(`/api/sale/find?id=${made.body.data.id}`)
    await t.db.write((tx) => tx.updateTable('vat').set({ rate: 2300 }).where('id', '=', shop.vat.standard).execute())
    expect(body.data[0]).toMatchObject({
      customer: { phone: null },
      items: [
        {
          ...{ vat_rate: 23, vat_type_id: shop.vat.standard, purchase_treatment: 'standard' },
          ...{ imei, grade, serial_number: 'SN-1' },
        },
      ],
    })
  })

  test('a new customer is made with both addresses, in the company’s country', async () => {
    const [id] = await stockItems(t.db, shop, 1)
    const { status, body } = await create({
      ...quietly,
      stock_items: [{ id }],
      customer_first_name: 'Ann',
      customer_last_name: 'New',
      customer_email: 'ann@example.test',
      customer_address1: '2 Road',
      customer_postal_code: 'X1',
      customer_city: 'Cork',
    })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      customer: { full_name: 'Ann New' },
      address: { city: 'Cork', country_code: 'IE' },
      billing_address: { city: 'Cork' },
    })
  })
})

describe('errors under the specification’s names', () => {
  const errorsOf = async (body: object) => {
    const answer = await create(body)
    expect(answer.status).toBe(422)
    return answer.body.data.errors
  }

  test('nothing at all', async () => {
    expect(await errorsOf({})).toEqual({
      stock_items: 'Choose at least one item.',
      customer: 'Choose a customer or enter a new one.',
    })
  })

  test('a half-filled customer', async () => {
    const [id] = await stockItems(t.db, shop, 1)
    const errors = await errorsOf({ stock_items: [{ id }], customer_first_name: 'A', customer_email: 'no' })
    expect(Object.keys(errors).sort()).toEqual([
      'customer_address1',
      'customer_city',
      'customer_email',
      'customer_last_name',
      'customer_postal_code',
    ])
  })

  test('prices: a fraction, a missing one, naming the item among several', async () => {
    const [a, b] = await stockItems(t.db, shop, 2, { sales_price: null })
    const fraction = await errorsOf({
      stock_items: [
        { id: a, sales_price: 1 },
        { id: b, sales_price: 1.5 },
      ],
      customer_id: shop.customer,
    })
    expect(fraction).toEqual({ 'sale_price[]': `Item #${b}: Must be a whole number of cents.` })
    const missing = await errorsOf({ stock_items: [{ id: a, sales_price: 1 }, { id: b }], customer_id: shop.customer })
    expect(missing['sale_price[]']).toContain(`Item #${b}`)
    const single = await errorsOf({ stock_items: [{ id: a }], customer_id: shop.customer })
    expect(single).toEqual({ 'sale_price[]': 'A sales price is required.' })
    expect((await stock(a!)).status).toBe('In Stock')
  })

  test('everything that is wrong at once: the customer’s fields, the items and their prices', async () => {
    const [priced, unpriced, sold, fraction] = [
      ...(await stockItems(t.db, shop, 1)),
      ...(await stockItems(t.db, shop, 1, { sales_price: null })),
      ...(await stockItems(t.db, shop, 1)),
      ...(await stockItems(t.db, shop, 1)),
    ]
    await create({ ...quietly, stock_items: [{ id: sold }], customer_id: shop.customer })
    const blank = Object.fromEntries(Object.keys(NewCustomer.shape).map((name) => [name, '']))
    const stock_items = [{ id: priced }, { id: unpriced }, { id: sold }, { id: fraction, sales_price: 1.5 }]
    const errors = await errorsOf({ ...blank, stock_items, reference_number: 'x'.repeat(256) })
    const required = 'This field is required.'
    expect(errors).toEqual({
      customer: 'Choose a customer or enter a new one.',
      customer_first_name: required,
      customer_last_name: required,
      customer_email: required,
      customer_address1: required,
      customer_postal_code: required,
      customer_city: required,
      stock_items: expect.stringContaining(`Item #${sold}`),
      'sale_price[]': expect.stringMatching(
        new RegExp(`^Item #${fraction}: Must be a whole number of cents. .+: Item #${unpriced} `),
      ),
      reference_number: 'At most 255 characters.',
    })
    expect((await stock(priced!)).status).toBe('In Stock')
  })

  test('two prices that are wrong are both named; so is the country that nobody has said', async () => {
    const [a, b] = await stockItems(t.db, shop, 2)
    const prices = [
      { id: a, sales_price: -1 },
      { id: b, sales_price: 1.5 },
    ]
    await t.db.write((tx) => tx.updateTable('company').set({ country_code: null }).execute())
    const errors = await errorsOf({ stock_items: prices, customer_first_name: 'Ann' })
    await t.db.write((tx) => tx.updateTable('company').set({ country_code: 'IE' }).execute())
    expect(errors['sale_price[]']).toBe(
      `Item #${a}: Must not be negative. Item #${b}: Must be a whole number of cents.`,
    )
    expect(errors).toMatchObject({ customer_city: expect.anything(), customer_country_code: 'This field is required.' })
    expect(errors).not.toHaveProperty('customer')
  })

  test('an item that does not exist, or comes twice', async () => {
    const [id] = await stockItems(t.db, shop, 1)
    expect(await errorsOf({ stock_items: [{ id: 999_999 }], customer_id: shop.customer })).toHaveProperty('stock_items')
    expect(await errorsOf({ stock_items: [{ id }, { id }], customer_id: shop.customer })).toHaveProperty('stock_items')
    expect(await errorsOf({ stock_items: [{ id }], customer_id: 999_999 })).toHaveProperty('customer')
    expect(await errorsOf({ stock_items: [{ id }], customer_id: 'x' })).toHaveProperty('customer')
    expect(await errorsOf({ stock_items: [{ id }], customer_id: shop.customer, batch_id: 999_999 })).toHaveProperty(
      'batch_id',
    )
  })
})

describe('basket and batch', () => {
  test('sold items leave the basket and their batch', async () => {
    const batch = await batchOf(t.db, shop, client.id, 3)
    const [sold, kept] = batch.items
    await client.put(`/api/user/${client.id}/basket`, { items: batch.items })
    const made = await create({
      ...quietly,
      stock_items: [{ id: sold }],
      customer_id: shop.customer,
      batch_id: batch.id,
    })
    expect(made.body).toMatchObject({ success: true, data: { batch_id: batch.id } })
    expect(made.body.message).not.toContain('batch')
    expect((await stock(sold!)).batch_id).toBeNull()
    expect(await stock(kept!)).toMatchObject({ status: 'In Batch', batch_id: batch.id })
    const basket = await client.get(`/api/user/${client.id}/basket`)
    expect(basket.body.data.map((item: { id: number }) => item.id)).toEqual(batch.items.slice(1))
  })

  test('a locked batch keeps its sold items, with a warning, and is not deleted', async () => {
    const batch = await batchOf(t.db, shop, client.id, 2, true)
    const sale = { ...quietly, stock_items: [{ id: batch.items[0] }], customer_id: shop.customer, batch_id: batch.id }
    expect((await create({ ...sale, delete_batch: true })).status).toBe(409)
    const made = await create(sale)
    expect(made.body.type).toBe('warning')
    expect(made.body.message).toContain('stayed in batch')
    expect(await stock(batch.items[0]!)).toMatchObject({ status: 'Sold', batch_id: batch.id })
  })

  test('items of several batches leave each open one, and each locked one is named with its items', async () => {
    const [deleted, open] = [await batchOf(t.db, shop, client.id, 2), await batchOf(t.db, shop, client.id, 2)]
    const [two, one] = [await batchOf(t.db, shop, client.id, 2, true), await batchOf(t.db, shop, client.id, 1, true)]
    const items = [deleted.items[0]!, open.items[0]!, ...two.items, one.items[0]!]
    const sale = { ...quietly, stock_items: items.map((id) => ({ id })), customer_id: shop.customer }
    const { body } = await create({ ...sale, batch_id: deleted.id, delete_batch: true })
    expect(body.message).toMatch(
      new RegExp(
        `2 items stayed in batch #${two.id} \\(.*\\), which is locked\\.` +
          ` 1 item stayed in batch #${one.id} \\(.*\\), which is locked\\.`,
      ),
    )
    const batches = (await Promise.all([...items, open.items[1]!].map(stock))).map(({ batch_id }) => batch_id)
    expect(batches).toEqual([null, null, two.id, two.id, one.id, open.id])
  })

  test('deleting the batch puts its unsold items back', async () => {
    const batch = await batchOf(t.db, shop, client.id, 3)
    const made = await create({
      ...quietly,
      stock_items: [{ id: batch.items[0] }],
      customer_id: shop.customer,
      batch_id: batch.id,
      delete_batch: true,
    })
    expect(made.status).toBe(201)
    expect(made.body.message).toContain(`Batch #${batch.id} (`)
    expect(made.body.message).toContain(') was deleted. 2 unsold items of it went back to In Stock.')
    const rows = await Promise.all(batch.items.map(stock))
    expect(rows.map(({ status, batch_id }) => [status, batch_id])).toEqual([
      ['Sold', null],
      ['In Stock', null],
      ['In Stock', null],
    ])
    expect(await t.db.read.selectFrom('batch').where('id', '=', batch.id).selectAll().execute()).toEqual([])
  })

  test('more than 20 items get a sheet unless told otherwise', async () => {
    const ids = await stockItems(t.db, shop, 42)
    const half = (from: number) => ids.slice(from, from + 21).map((id) => ({ id }))
    const made = await create({ ...quietly, stock_items: half(0), customer_id: shop.customer })
    expect(made.body.data.excel_status).toBe('pending')
    const without = await create({
      ...quietly,
      stock_items: half(21),
      customer_id: shop.customer,
      create_excel: 'false',
    })
    expect(without.body.data.excel_status).toBe('none')
    const stock_items = (await stockItems(t.db, shop, 20)).map((id) => ({ id }))
    const few = await create({ ...quietly, stock_items, customer_id: shop.customer })
    expect(few.body.data.excel_status).toBe('none')
  })
})

test('invoice numbers have neither gaps nor doubles, though some sales fail at the same time', async () => {
  const before = await t.db.read.selectFrom('document').select('number').execute()
  const ids = await stockItems(t.db, shop, 30)
  const answers = await Promise.all(
    // Two requests want each item; one of them fails.
    [...ids, ...ids].map((id) =>
      untilDecided(() => create({ stock_items: [{ id }], customer_id: shop.customer, send_email: false })),
    ),
  )
  const made = answers.filter((answer) => answer.status === 201)
  expect(made).toHaveLength(30)
  const numbers = await t.db.read.selectFrom('document').select('number').orderBy('number').execute()
  expect(numbers.map((row) => row.number)).toEqual(Array.from({ length: before.length + 30 }, (_, n) => n + 1))
  for (const { body } of made) expect(body.data.invoice_number).toMatch(/^\d{4}-\d{5}$/)
})

test('an invoice that lacks data is made all the same; the answer says what is missing', async () => {
  const [id] = await stockItems(t.db, shop, 1)
  await t.db.write((tx) => tx.updateTable('company').set({ vat_number: null }).execute())
  const { status, body } = await create({ stock_items: [{ id }], customer_id: shop.customer })
  await t.db.write((tx) => tx.updateTable('company').set({ vat_number: 'IE1234567T' }).execute())
  expect(status).toBe(201)
  expect(body.type).toBe('warning')
  expect(body.message).toContain('the seller’s VAT number')
  expect(body.data.missing_invoice_data).toEqual(['the seller’s VAT number'])
})

test('letters that no invoice can print are named, as what stands for them is no name', async () => {
  const missingFor = async (full_name: string) => {
    const [id] = await stockItems(t.db, shop, 1)
    const { body } = await create({ stock_items: [{ id }], customer_id: shop.customer })
    await t.db.pool.query(
      `update sale set buyer = buyer || jsonb_build_object('company_name', null, 'full_name', $2::text) where id = $1`,
      [body.data.id, full_name],
    )
    return (await client.get(`/api/sale/find?id=${body.data.id}`)).body.data[0].missing_invoice_data
  }
  expect(await missingFor('Γιώργος Żółć-O’Neill')).toEqual([])
  expect(await missingFor('深圳 Ltd')).toEqual(['the buyer’s name or address in letters that an invoice can print'])
})

test('sample data take their numbers from a series of their own', async () => {
  const [id] = await stockItems(t.db, shop, 1)
  const last = () => t.db.read.selectFrom('number_series').select('last').where('series', '=', 'invoice').execute()
  const before = await last()
  const sample = await t.db.write((tx) =>
    createSale(
      tx,
      readNewSale({ stock_items: [{ id }], customer_id: shop.customer, send_email: false }),
      { userId: client.id },
      { series: 'sample' },
    ),
  )
  const { body } = await client.get(`/api/sale/find?id=${sample.id}`)
  expect(body.data[0].invoice_number).toMatch(/^SAMPLE-\d{4}-00001$/)
  expect(await last()).toEqual(before)
})

test('the list: default filter of the screen, search, order, customer, quick hits', async () => {
  const [id] = await stockItems(t.db, shop, 1)
  const made = await create({
    ...quietly,
    stock_items: [{ id }],
    customer_id: shop.customer,
    reference_number: 'Réf-ÄÖ',
  })
  const saleId = made.body.data.id
  const found = await client.get('/api/sale/find?search=ref-ao&status=New,Requires Attention')
  expect(found.body).toMatchObject({ total: 1, data: [{ id: saleId, customer_name: 'Zażółć Παπαδόπουλος' }] })
  expect(found.body.data[0]).not.toHaveProperty('items')
  const quick = await client.get(`/api/sale/find?search=${saleId}&quick=true&per_page=10`)
  expect(Object.keys(quick.body.data[0]).sort()).toEqual(
    [
      'customer_id',
      'customer_name',
      'customer_company_name',
      'id',
      'invoice_number',
      'reference_number',
      'status',
    ].sort(),
  )
  const ordered = await client.get('/api/sale/find?order_by=total_sales_price_asc&per_page=250')
  const prices = ordered.body.data.map((row: { total_sales_price: number }) => row.total_sales_price)
  expect(prices).toEqual([...prices].sort((a, b) => a - b))
  expect((await client.get('/api/sale/find?customer_id=999999')).body.total).toBe(0)
  expect((await client.get('/api/sale/find?status=Nope')).status).toBe(400)
})

test('each word is found somewhere in a sale: reference, invoice and tracking number, the buyer, their city', async () => {
  const [id] = await stockItems(t.db, shop, 1)
  const made = await create({
    ...{ ...quietly, create_invoice: true, stock_items: [{ id }], reference_number: 'PO 77-Ä' },
    ...{ customer_first_name: 'Ada', customer_last_name: 'Trackwell', customer_email: 'ada@words.test' },
    ...{ customer_phone: '+353 1 555 0199', customer_company_name: 'Wörter AG' },
    ...{ customer_address1: 'Quay 1', customer_postal_code: '1', customer_city: 'Köln', customer_country_code: 'DE' },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const sale = made.body.data
  await client.post(`/api/sale/${sale.id}/edit`, { outbound_tracking_number: 'JD0146000099' })
  const finds = async (search: string) =>
    (await client.get(`/api/sale/find?search=${encodeURIComponent(search)}`)).body.data.some(
      (row: { id: number }) => row.id === sale.id,
    )
  for (const search of [
    ...['trackwell 77-a', 'koln worter', 'jd01460000 ada', '0199 koln', 'words.test po', `${sale.invoice_number} ko`],
    ...['jd0146000099', 'trackwell ada'],
  ])
    expect(await finds(search), search).toBe(true)
  // A search finds the sale by an identifier on it, and by its number: alone, after the word 'sale', or among other
  // words.
  const { imei } = (await client.get(`/api/stock/find?id=${id}`)).body.data[0]
  for (const search of [imei, imei.slice(-6), `sale ${sale.id}`, `Sale #${sale.id}`, `${sale.id} trackwell`])
    expect(await finds(search), search).toBe(true)
  for (const search of [`batch ${sale.id}`, `sale ${sale.id + 1}`, `${sale.id} nobody`])
    expect(await finds(search), search).toBe(false)
  const papers = async (search: string) =>
    (await client.get(`/api/document/find?search=${encodeURIComponent(search)}`)).body.data.map(
      (document: { sale_id: number }) => document.sale_id,
    )
  for (const search of [imei, 'koln', `sale ${sale.id}`]) expect(await papers(search), search).toContain(sale.id)
  expect((await client.get(`/api/sale/sums?search=${imei}`)).body.data.sales).toBe(1)
  const item = async (search: string) =>
    (await client.get(`/api/stock/find?search=${encodeURIComponent(search)}`)).body.data.map(
      (row: { id: number }) => row.id,
    )
  for (const search of [`#${id}`, `item ${id}`, `#${id} ${imei.slice(-6)}`])
    expect(await item(search), search).toContain(id)
  // A search finds sales by the product, alone or with words of the sale. An item that came back still counts. An item
  // that was taken off the sale does not.
  const { rows } = await t.db.pool.query(
    `insert into product (make_id, category_id, model, display_name)
     select make_id, category_id, 'Brick 3310', 'Nökia Brick 3310' from product where id = $1 returning id`,
    [shop.product],
  )
  const bricks = await stockItems(t.db, shop, 2, { actual_product_id: rows[0].id })
  const buyer = { customer_id: made.body.data.customer_id }
  const sold = await create({ ...quietly, ...buyer, create_invoice: true, stock_items: bricks.map((id) => ({ id })) })
  const named = async (search: string) => {
    const { body } = await client.get(`/api/sale/find?search=${encodeURIComponent(search)}`)
    expect((await client.get(`/api/sale/sums?search=${encodeURIComponent(search)}`)).body.data.sales).toBe(body.total)
    return body.data.map((row: { id: number }) => row.id)
  }
  for (const search of ['nokia', 'brick3310', '3310 NOKIA', 'koln brick', 'trackwell nokia 3310'])
    expect([await named(search), await papers(search)], search).toEqual([[sold.body.data.id], [sold.body.data.id]])
  for (const search of ['nokia iphone', 'no', 'nokia nobody']) expect(await named(search), search).toEqual([])
  expect(await named('iphone koln')).toEqual([sale.id])
  await t.db.pool.query(`update product set display_name = 'Nokia Stone', model = 'Stone' where id = $1`, [rows[0].id])
  expect([await named('brick'), await named('stone')]).toEqual([[], [sold.body.data.id]])
  const release = (as: string) =>
    t.db.pool.query('update sale_item set released = $1 where stock_id = any($2)', [as, bricks])
  await release('voided')
  expect(await named('stone')).toEqual([sold.body.data.id])
  await release('removed')
  expect(await named('stone')).toEqual([])
  for (const search of ['trackwell nobody', 'koln jd9999', 'ln ada']) expect(await finds(search), search).toBe(false)
})
