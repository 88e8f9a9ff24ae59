import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../app.ts'
import { connect } from '../../db/connect.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { makePartner, type PartnerClient, partnerClient } from '../../testing/partner.ts'
import { batchOf, openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let shop: Shop
let partner: PartnerClient
beforeAll(async () => {
  t = await testApp({ mailFrom: 'shop@mails.test' })
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  partner = await makePartner(t.app, admin, shop.customer)
})
afterAll(() => t.close())

const saleCount = async () => (await t.db.pool.query('select count(*)::int as n from sale')).rows[0].n

test('only a living key opens it, and a new one ends the old at once', async () => {
  const other = await makePartner(t.app, admin, shop.customer)
  expect((await other.get('/stock')).status).toBe(200)
  const key = (await admin.post(`/api/partner/${other.id}/generate-token`)).body.data
  const refused = await other.get('/stock')
  expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer realm="Backstock partner API"'])
  expect(refused.body).toMatchObject({ success: false, message: refused.body.error })
  expect((await partnerClient(t.app, other.id, key).get('/stock')).status).toBe(200)
  expect((await partnerClient(t.app, 0, 'bsk_guess').post('/orders', {})).status).toBe(401)
  // A person's session is no key, and a key is no session.
  expect((await admin.get('/api/partner/v1/stock')).status).toBe(401)
  const elsewhere = await t.app.inject({ url: '/api/stock/find', headers: { authorization: `Bearer ${key}` } })
  expect(elsewhere.statusCode).toBe(401)
})

test('a key makes 600 requests a minute, whichever instance answers', async () => {
  const busy = await makePartner(t.app, admin, shop.customer)
  const db = connect(t.connection, { readers: 2, writers: 2 })
  const second = await buildApp(t.config, db)
  const beside = partnerClient(second, busy.id, busy.key)
  await busy.get('/stock')
  await t.db.pool.query(`update throttle set n = 598 where key like 'partner_key:%' and n = 1`)
  const answers = [await beside.get('/stock'), await busy.get('/products'), await beside.get('/stock')]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
  const wait = Number(answers[2]!.headers['retry-after'])
  expect([wait > 50, wait <= 62]).toEqual([true, true])
  await t.db.pool.query('delete from throttle')
  await second.close()
  await db.close()
})

test('stock shows what is for sale, without what it cost or whence it came', async () => {
  const columns = { grading_data: JSON.stringify({ screen: 'A' }), attributes: JSON.stringify({ shelf: '7' }) }
  const [id] = await stockItems(t.db, shop, 1, { ...columns, vat_id: shop.vat.standard, engineer_notes: 'dented' })
  const [inbound] = await stockItems(t.db, shop, 1, { status: 'Inbound' })
  const { items: inBatch } = await batchOf(t.db, shop, admin.id, 1)
  const { body } = await partner.get(`/stock?ids=${[id, inbound, ...inBatch].join(',')}`)
  expect(body).toEqual({
    success: true,
    data: [
      {
        id,
        product_id: shop.product,
        display_name: 'Apple iPhone 13 128 GB',
        make: 'Apple',
        model: 'iPhone 13',
        capacity: 128,
        capacity_unit: 'GB',
        colour: null,
        category: 'Phone',
        imei: expect.stringMatching(/^\d{15}$/),
        serial_number: null,
        ...{ imei2: null, meid: null, eid: null, grade: null, functional: null, battery_health: null },
        grading_data: { screen: 'A' },
        network_locked: false,
        sales_price: 30_000,
        sales_currency: 'EUR',
        vat_rate: 23,
      },
    ],
    next: null,
  })
})

test('stock can be narrowed, and says which part of the address is wrong', async () => {
  const [cheap, dear] = [await stockItems(t.db, shop, 1), await stockItems(t.db, shop, 1, { sales_price: 90_000 })]
  const both = `ids=${[...cheap, ...dear].join(',')}`
  const ids = async (filter: string) =>
    (await partner.get(`/stock?${both}&${filter}`)).body.data.map((item: { id: number }) => item.id)
  expect(await ids('min_price=30001')).toEqual(dear)
  expect(await ids('max_price=30000')).toEqual(cheap)
  expect(await ids('make=Nokia&make=apple&category=phone')).toEqual([...cheap, ...dear])
  expect(await ids('make=Nokia')).toEqual([])
  const { rows: nokias } = await t.db.pool.query<{ id: number }>(
    `with made as (insert into make (name) values ('Nokia') returning id)
     insert into product (make_id, category_id, model, display_name)
     select made.id, category_id, '3310', 'Nokia 3310' from product, made where product.id = $1 returning product.id`,
    [shop.product],
  )
  const nokia = await stockItems(t.db, shop, 1, { actual_product_id: nokias[0]!.id })
  const phones = (await partner.get(`/stock?ids=${[...cheap, ...nokia].join(',')}&make=nokia`)).body.data
  expect(phones).toMatchObject([{ id: nokia[0], make: 'Nokia' }])
  expect(await ids(`product_id=${shop.product + 1}`)).toEqual([])
  // A program that has no ids to ask for wants nothing; an empty name is a field that nobody has filled in.
  expect(await ids('product_id=')).toEqual([])
  expect((await partner.get('/stock?ids=')).body).toMatchObject({ data: [], next: null })
  expect(await ids('make=&colour=&min_price=')).toEqual([...cheap, ...dear])
  expect(await ids('network_locked=true')).toEqual([])
  for (const wrong of ['limit=251', 'after=x', 'min_price=1.5', 'network_locked=maybe']) {
    const answer = await partner.get(`/stock?${wrong}`)
    expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining(wrong.split('=')[0]!)])
  }
})

test('pages miss nothing and repeat nothing while items are sold', async () => {
  const wanted = await stockItems(t.db, shop, 30, { sales_price: 77_700 })
  const seen: number[] = []
  let after: number | null = 0
  while (after !== null) {
    const page: { data: { id: number }[]; next: number | null } = (
      await partner.get(`/stock?limit=10&min_price=77700&max_price=77700&after=${after}`)
    ).body
    seen.push(...page.data.map((item) => item.id))
    after = page.next
    // Between two pages, items of the first page are sold.
    const sold = page.data.slice(0, 5).map(({ id }) => ({ id }))
    expect((await partner.post('/orders', { items: sold })).status).toBe(201)
  }
  expect(seen).toEqual(wanted)
})

test('products come page by page', async () => {
  const { data, next } = (await partner.get('/products?limit=1&make=apple')).body
  expect(data).toMatchObject([{ id: shop.product, make: 'Apple', category: 'Phone', active: true }])
  expect(next).toBeNull()
  expect((await partner.get(`/products?after=${shop.product}&make=Apple`)).body.data).toEqual([])
})

test('an order is a sale to the customer of the partner, at the prices of the items', async () => {
  const items = await stockItems(t.db, shop, 2, { vat_id: shop.vat.standard })
  const placed = await partner.post('/orders', {
    items: [{ id: items[1], sales_price: 30_000 }, { id: items[0] }],
    reference_number: 'PO-1',
  })
  expect(placed.status).toBe(201)
  expect(placed.body.data).toMatchObject({
    status: 'New',
    reference_number: 'PO-1',
    invoice_number: expect.stringMatching(/^\d{4}-\d{5}$/),
    total_items: 2,
    total_sales_price: 60_000,
    total_sales_price_vat: 73_800,
    vat_totals: [{ treatment: 'standard', rate: 23, net: 60_000, vat: 13_800 }],
    items: [
      { id: items[1], sales_price: 30_000, vat_rate: 23, available: true, returned: false },
      { id: items[0], sales_price: 30_000 },
    ],
  })
  expect(JSON.stringify(placed.body)).not.toMatch(/purchase|cost|profit|20000/)
  const { id } = placed.body.data
  const [sale] = (await admin.get(`/api/sale/find?id=${id}`)).body.data
  expect(sale).toMatchObject({ customer_id: shop.customer, created_by: null, invoice_status: 'pending' })
  expect(sale.mail).toMatchObject({ state: 'waiting' })
  const { rows: mails } = await t.db.pool.query(`select sender from mail where sale_id = $1`, [id])
  expect(mails).toEqual([{ sender: { name: 'Phones Ltd', address: 'shop@mails.test' } }])
  expect(sale.logs[0]).toMatchObject({ user_id: null, user_name: 'Shop' })

  await admin.post(`/api/sale/${id}/edit`, { courier: 'DHL', outbound_tracking_number: 'T1' })
  expect((await partner.get(`/orders/${id}`)).body.data).toMatchObject({
    courier: 'DHL',
    outbound_tracking_number: 'T1',
  })
  // An item that came back stays in the order, and was available.
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${id}/edit`, { status })
  const back = { customer_id: shop.customer, items: [{ id: items[0] }], received: true }
  expect((await admin.post('/api/return/create', back)).status).toBe(201)
  expect((await partner.get(`/orders/${id}`)).body.data.items).toMatchObject([
    { id: items[1], available: true, returned: false },
    { id: items[0], available: true, returned: true },
  ])
})

test('an order names the items that cannot be ordered, and then orders nothing', async () => {
  const [good] = await stockItems(t.db, shop, 1)
  const [unpriced] = await stockItems(t.db, shop, 1, { sales_price: null })
  const { items: inBatch } = await batchOf(t.db, shop, admin.id, 1)
  const before = await saleCount()
  const order = (...items: object[]) => partner.post('/orders', { items: [{ id: good }, ...items] })

  const gone = await order({ id: inBatch[0] }, { id: 2_000_000_000 })
  expect([gone.status, gone.body.data.items]).toEqual([409, [inBatch[0], 2_000_000_000]])
  expect(gone.body.message).toBe(`Not available: #${inBatch[0]}, #2000000000.`)
  const noPrice = await order({ id: unpriced })
  expect([noPrice.status, noPrice.body.data.items]).toEqual([422, [unpriced]])
  const twice = await order({ id: good })
  expect([twice.status, twice.body.data.items]).toEqual([422, [good]])
  const otherPrice = await partner.post('/orders', { items: [{ id: good, sales_price: 29_999 }] })
  expect([otherPrice.status, otherPrice.body.data.items]).toEqual([409, [good]])
  const fraction = await partner.post('/orders', { items: [{ id: good, sales_price: 299.99 }] })
  expect([fraction.status, Object.keys(fraction.body.data.errors)]).toEqual([422, ['items.0.sales_price']])
  expect((await partner.post('/orders', { items: [] })).body.data.errors).toHaveProperty('items')
  const homeless = await makePartner(t.app, admin, null)
  const nobody = await homeless.post('/orders', { items: [{ id: good }] })
  expect([nobody.status, Object.keys(nobody.body.data.errors)]).toEqual([422, ['customer']])

  expect(await saleCount()).toBe(before)
  expect((await order()).status).toBe(201)
})

test('an item is sold once, whoever asks first: partners or staff', async () => {
  const items = await stockItems(t.db, shop, 10)
  const rivals = await Promise.all([1, 2].map(() => makePartner(t.app, admin, shop.customer)))
  for (const id of items) {
    const answers = await Promise.all([
      ...rivals.map((rival) => rival.post('/orders', { items: [{ id }] })),
      admin.post('/api/sale/create', { customer_id: shop.customer, stock_items: [{ id, sales_price: 30_000 }] }),
      rivals[0]!.post('/orders', { items: [{ id }] }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409])
  }
  const held = await t.db.pool.query(
    'select count(*)::int as n, count(distinct stock_id)::int as items from sale_item where stock_id = any($1)',
    [items],
  )
  expect(held.rows[0]).toEqual({ n: 10, items: 10 })
})

test('an order with a key is placed once', async () => {
  const items = (await stockItems(t.db, shop, 2)).map((id) => ({ id }))
  const other = await makePartner(t.app, admin, shop.customer)
  const before = await saleCount()
  const key = { 'idempotency-key': 'order-1' }
  const twins = await Promise.all([1, 2, 3].map(() => partner.post('/orders', { items: [items[0]!] }, key)))
  expect(twins.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(twins.map(({ body }) => body.data.id)).size).toBe(1)
  expect((await partner.post('/orders', { items: [items[1]!] }, key)).status).toBe(422)
  // The same idempotency key from another partner is another request.
  expect((await other.post('/orders', { items: [items[1]!] }, key)).status).toBe(201)
  expect(await saleCount()).toBe(before + 2)
})

test('a partner sees its own orders alone', async () => {
  const [mine, yours, ours] = await stockItems(t.db, shop, 3)
  const other = await makePartner(t.app, admin, shop.customer)
  const own = []
  for (const id of [yours, ours]) own.unshift((await other.post('/orders', { items: [{ id }] })).body.data.id)
  const { id } = (await partner.post('/orders', { items: [{ id: mine }] })).body.data
  expect((await other.get(`/orders/${id}`)).status).toBe(404)
  expect((await partner.get(`/orders/${id}`)).status).toBe(200)
  const first = (await other.get('/orders?limit=1')).body
  const second = (await other.get(`/orders?limit=1&after=${first.next}`)).body
  expect([...first.data, ...second.data].map((order: { id: number }) => order.id)).toEqual(own)
  expect(second.next).toBeNull()
})
