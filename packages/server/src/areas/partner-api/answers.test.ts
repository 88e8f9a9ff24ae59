import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { applyImport } from '../../testing/csv-upload.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let admin: Client
let shop: Shop
const BASE = '/api/partner/v1'
const LONG_AGO = '2001-01-01T00:00:00.000Z'

beforeAll(async () => {
  tape = await openTape({ isBrief: true })
  shop = await openShop(tape.t.db)
  admin = await tape.person('Admin', 'ROLE_ADMIN')
  user = await tape.person('Person')
})
afterAll(() => tape.close())

const query = (text: string, values: unknown[] = []) => tape.t.db.pool.query(text, values)
const imeiOf = async (id: number) => (await query('select imei from stock where id = $1', [id])).rows[0].imei

test('partners and their API: the answers and the rows that they leave', async () => {
  tape.title('Only administrators see partners')
  await user.get('/api/partner/find')
  await user.post('/api/partner/create', { name: 'Mine' })
  await user.post('/api/partner/1/generate-token')

  tape.title('Partners: made, edited, found and deleted')
  await admin.post('/api/partner/create', { name: '', customer_id: 'x' })
  await admin.post('/api/partner/create', { name: 'Nobody', customer_id: 999 })
  const one = (await admin.post('/api/partner/create', { name: 'Web 10', customer_id: shop.customer })).body.data
  const other = (await admin.post('/api/partner/create', { name: 'Web 9' })).body.data
  const third = (await admin.put('/api/partner/create', { name: 'app' })).body.data
  await admin.post('/api/partner/create', { name: 'Web 9' })
  await admin.patch(`/api/partner/${third.id}/edit`, { name: 'App', customer_id: shop.customer })
  await admin.post(`/api/partner/${third.id}/edit`, { name: 'App' })
  await admin.post(`/api/partner/${third.id}/edit`, { customer_id: null, updated_at: LONG_AGO })
  await admin.post(`/api/partner/${third.id}/edit`, { customer_id: null })
  await admin.post(`/api/partner/${third.id}/edit`, { name: '' })
  await admin.post('/api/partner/999/edit', { name: 'Nobody' })
  await admin.get('/api/partner/find?order_by=name_asc')
  await admin.get('/api/partner/find?search=web&order_by=name_desc&per_page=1')
  await admin.get('/api/partner/find?quick=1&search=10')
  await admin.get(`/api/partner/find?id=${one.id}`)
  await admin.get('/api/partner/find?id=999')
  await admin.get('/api/partner/find?order_by=customer_asc')

  tape.title('Keys: a new one revokes the older one')
  const first = (await admin.post(`/api/partner/${one.id}/generate-token`)).body.data
  const key = (await admin.post(`/api/partner/${one.id}/generate-token`)).body.data
  const otherKey = (await admin.post(`/api/partner/${other.id}/generate-token`)).body.data
  await admin.post('/api/partner/999/generate-token')
  await admin.post(`/api/partner/${third.id}/generate-token`)
  await admin.post(`/api/partner/${third.id}/revoke-token`)
  await admin.post(`/api/partner/${third.id}/revoke-token`)
  await admin.post('/api/partner/999/revoke-token')
  await admin.delete(`/api/partner/${third.id}/delete`)
  await admin.delete(`/api/partner/${third.id}/delete`)
  await tape.caller('Without a key').get(`${BASE}/stock`)
  await tape.caller('With another scheme', { authorization: `Basic ${key}` }).get(`${BASE}/stock`)
  await tape.caller('With a revoked key', { authorization: `Bearer ${first}` }).get(`${BASE}/stock`)
  await tape.caller('In another case', { authorization: `bearer   ${key}` }).get(`${BASE}/orders`)
  await user.get(`${BASE}/orders`)
  const web = tape.caller('Partner', { authorization: `Bearer ${key}` })
  const rival = tape.caller('Rival', { authorization: `Bearer ${otherKey}` })

  tape.title('The catalogue and the items for sale')
  const { rows: made } = await query(`
    with m as (insert into make (name) values ('Samsung') returning id),
      g as (insert into category (name) values ('Tablet') returning id),
      c as (insert into colour (name) values ('Black') returning id)
    insert into product (make_id, category_id, colour_id, model, display_name, active)
    select m.id, g.id, c.id, 'Tab S9', 'Samsung Tab S9 Black', false from m, g, c returning id`)
  const tab = made[0].id as number
  const [dear, plain] = await stockItems(tape.t.db, shop, 2, { vat_id: shop.vat.standard })
  const [cheap] = await stockItems(tape.t.db, shop, 1, {
    actual_product_id: tab,
    sales_price: 9_900,
    vat_id: shop.vat.zero,
  })
  const [unpriced] = await stockItems(tape.t.db, shop, 1, { actual_product_id: tab, sales_price: null })
  const inbound = await stockItems(tape.t.db, shop, 1, { status: 'Inbound' })
  const held = await batchOf(tape.t.db, shop, user.id, 1)
  await query(
    `update stock set sales_price = 45050, network_locked = true, functional = 'working', battery_health = 88, grade_id = 1,
      serial_number = 'SN1', imei2 = $2, meid = 'A0000012345678', eid = $3, grading_data = '{"screen": "B"}',
      engineer_notes = 'secret' where id = $1`,
    [dear, newImei(), '8'.repeat(32)],
  )
  await query(`update stock set meid = 'A0000012345679', eid = $2, grade_id = 1 where id = $1`, [cheap, '9'.repeat(32)])
  await tape.forgetChanges()
  await web.get(`${BASE}/products`)
  await web.get(`${BASE}/products?limit=1`)
  await web.get(`${BASE}/products?after=${shop.product}&limit=1`)
  await web.get(`${BASE}/products?make=SAMSUNG&make=Nokia&category=tablet&colour=black`)
  await web.get(`${BASE}/products?colour=Pink`)
  await web.get(`${BASE}/stock`)
  for (const filter of [
    `ids=${cheap},${dear},${inbound},999`,
    'ids=',
    `product_id=${tab}`,
    `product_id=${tab},${shop.product}&limit=2`,
    'make=apple&limit=1',
    `make=apple&after=${dear}`,
    'category=Tablet&colour=BLACK',
    'min_price=45050',
    'max_price=9900',
    'min_price=30000&max_price=30000',
    'network_locked=true',
    'network_locked=false&limit=2',
    'limit=0',
    'limit=251&after=x&min_price=-1&max_price=100000001&network_locked=maybe',
  ])
    await web.get(`${BASE}/stock?${filter}`)

  tape.title('Orders: refused')
  await rival.post(`${BASE}/orders`, { items: [{ id: dear }] })
  await web.post(`${BASE}/orders`, {})
  await web.post(`${BASE}/orders`, { items: [] })
  await web.post(`${BASE}/orders`, {
    items: [
      { id: 'x', sales_price: -1 },
      { id: dear, sales_price: 1.5 },
    ],
  })
  await web.post(`${BASE}/orders`, { items: [{ id: dear }, { id: plain }, { id: dear }] })
  await web.post(`${BASE}/orders`, { items: [{ id: dear }, { id: 999 }, { id: inbound[0] }, { id: held.items[0] }] })
  await web.post(`${BASE}/orders`, { items: [{ id: dear }, { id: unpriced }] })
  await web.post(`${BASE}/orders`, {
    items: [
      { id: plain, sales_price: 30_000 },
      { id: dear, sales_price: 45_049 },
    ],
  })

  tape.title('Orders: placed once, listed, shown to their partner alone')
  const order = { items: [{ id: plain, sales_price: 30_000 }, { id: cheap }], reference_number: 'W-1' }
  await web.post(`${BASE}/orders`, order, { 'idempotency-key': 'one' })
  await web.post(`${BASE}/orders`, order, { 'idempotency-key': 'one' })
  await web.post(`${BASE}/orders`, { ...order, reference_number: 'W-2' }, { 'idempotency-key': 'one' })
  await web.post(`${BASE}/orders`, order, { 'idempotency-key': 'two' })
  await web.post(`${BASE}/orders`, { items: [{ id: dear }] })
  await web.get(`${BASE}/orders`)
  await web.get(`${BASE}/orders?limit=1`)
  await web.get(`${BASE}/orders?after=2`)
  await web.get(`${BASE}/orders?limit=x&after=-1`)
  await rival.get(`${BASE}/orders`)
  await rival.get(`${BASE}/orders/1`)
  await web.get(`${BASE}/orders/1`)
  await web.get(`${BASE}/orders/x`)
  await user.get('/api/log/find?loggable_type=Sale&loggable_id=1')

  tape.title('A push: new items, and each field')
  await query(`insert into supplier (company_name) values ('Foxway')`)
  await tape.forgetChanges()
  const [a, b, c, d] = [newImei(), newImei(), newImei(), newImei()]
  const push = (items: object[], who = web, headers = {}) => who.post(`${BASE}/stock`, { items }, headers)
  const pushed = async (items: object[], who = web) => {
    const id = (await push(items, who)).body.data.import_id
    await tape.act(`import #${id} runs`, () => applyImport(tape.t, id))
    await who.get(`${BASE}/imports/${id}`)
    return id
  }
  const phone = { make: 'Apple', model: 'iPhone 13', capacity: 128, capacity_unit: 'GB', purchase_price: 15_000 }
  const whole = {
    ...{ backstock_id: 'P-1', imei: a, serial_number: 'PSN1', status: 'In Stock', make: 'Zeta', model: 'Z1' },
    ...{ capacity: 64, capacity_unit: 'GB', colour: 'Green', category: 'Phone', supplier: 'foxway' },
    ...{ purchase_price: 12_345, purchase_currency: 'EUR', purchase_date: '2001-02-03', sales_price: 20_000 },
    ...{ sales_currency: 'EUR', vat: 'Standard', network_locked: true, engineer_notes: '=1+1', grade: 'a' },
    ...{
      battery_health: 91,
      imei2: d,
      meid: 'A0000087654321',
      location: 'Shelf 1',
      grading_screen: 'A',
      Box: true,
      Weight: 174.5,
    },
  }
  await web.get(`${BASE}/imports/1`)
  const key1 = (
    await push([whole, { ...phone, imei: b }, { ...phone, imei: c, status: null, Box: 'no' }], web, {
      'idempotency-key': 'p',
    })
  ).body.data.import_id
  await push([whole, { ...phone, imei: b }, { ...phone, imei: c, status: null, Box: 'no' }], web, {
    'idempotency-key': 'p',
  })
  await web.get(`${BASE}/imports/${key1}`)
  await rival.get(`${BASE}/imports/${key1}`)
  await tape.act(`import #${key1} runs`, () => applyImport(tape.t, key1))
  await web.get(`${BASE}/imports/${key1}`)
  await user.get(`/api/stock/import/history?type=api_import`)
  const { rows: items } = await query('select id from stock where partner_id is not null order by id')
  await user.get(`/api/log/find?loggable_type=Stock&loggable_id=${items[0].id}`)

  tape.title('A push: changes, items taken out and brought back')
  await pushed([
    { backstock_id: 'P-1', sales_price: 21_000, Box: false, location: null },
    { imei: b, status: 'In Stock' },
    { imei: c, purchase_price: 15_000 },
  ])
  await pushed([
    { imei: b, deleted: true, sales_price: 1 },
    { serial_number: 'PSN1', deleted: true },
  ])
  await pushed([
    { imei: b, status: 'In Stock' },
    { imei: a, ...phone },
    { imei: a, deleted: true },
  ])

  tape.title('A push: rows that fail, page by page')
  const [lone] = await stockItems(tape.t.db, shop, 1)
  const taken = await imeiOf(lone!)
  await tape.forgetChanges()
  const failed = await pushed([
    { imei: taken, sales_price: 1 },
    { imei: taken, deleted: true },
    { imei: newImei(), deleted: true },
    { serial_number: 'PSN1', imei: c },
    { imei: '123', ...phone },
    { imei: newImei(), ...phone, purchase_price: null },
    { imei: newImei(), ...phone, vat: 'None', grade: 'None', supplier: 'None' },
    { imei: newImei(), ...phone, purchase_date: '2999-01-01', battery_health: 'full', functional: 'Maybe' },
    { imei: newImei(), make: 'Zeta', model: 'New', purchase_price: 1 },
    { ...phone },
    { imei: c, sales_price: 5 },
    { imei: c, sales_price: 6 },
  ])
  await web.get(`${BASE}/imports/${failed}?limit=2`)
  await web.get(`${BASE}/imports/${failed}?after=7&limit=3`)
  await web.get(`${BASE}/imports/999`)
  await web.get(`${BASE}/imports/${failed}?limit=0&after=x`)

  tape.title('A push: refused as a whole')
  await web.post(`${BASE}/stock`, {})
  await push([])
  await push([
    { imei: 1, deleted: 'x', status: 'Sold', capacity: 0, capacity_unit: 'KB', purchase_price: -1, sales_price: 1.5 },
    {
      network_locked: 'x',
      battery_health: true,
      purchase_currency: 'X',
      purchase_date: 'x',
      Make: 'x',
      ' a': 'x',
      Deep: {},
    },
    { status: 'Inbound', capacity: 1_000_001, sales_price: 100_000_001, grading___proto__: 'x', '': 'x' },
  ])
  await push([{ imei: c, Make: 'x', ' a': 'x', batch: 'x', grading_: 'x' }])
  await push([Object.fromEntries(Array.from({ length: 401 }, (_, n) => [`f${n}`, 'x']))])

  tape.title('A partner takes out an item that is ordered')
  const [mine] = (await query('select id, imei from stock where partner_id is not null and imei = $1 and in_hand', [b]))
    .rows
  await query('update stock set sales_price = 19000 where id = $1', [mine.id])
  await tape.forgetChanges()
  await web.post(`${BASE}/orders`, { items: [{ id: mine.id }] })
  await pushed([{ imei: b, deleted: true }])
  await web.get(`${BASE}/orders/3`)
  await user.get('/api/log/find?loggable_type=Sale&loggable_id=3')

  tape.title('The description: its head, and the page that shows the rest')
  const { paths, ...head } = (await tape.t.app.inject(`${BASE}/openapi.json`)).json()
  tape.note('of all calls', { ...head, paths: Object.keys(paths) })
  await tape.caller('Visitor').get(`${BASE}/docs`)

  tape.title('A partner with sales, items and imports cannot be deleted')
  await admin.delete(`/api/partner/${one.id}/delete`)
  await admin.delete(`/api/partner/${other.id}/delete`)
  await rival.get(`${BASE}/stock`)
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
