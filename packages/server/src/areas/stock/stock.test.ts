import { allowedStockStatuses, STOCK_STATUSES, type StockStatus } from '@backstock/contract/stock-status.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { untilDecided } from '../../testing/ask-again.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { untilSomebodyWaits } from '../../testing/until-waiting.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
let other: Client
let sale: number
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
  other = await t.user()
  const { rows } = await t.db.pool.query(
    `insert into sale (customer_id, buyer, prices_include_vat, total_items, total_purchase_price, total_sales_price, total_sales_price_vat)
     values ($1, '{}', false, 0, 0, 0, 0) returning id`,
    [shop.customer],
  )
  sale = rows[0].id
})
afterAll(() => t.close())

const load = async (id: number) => (await staff.get(`/api/stock/find?id=${id}`)).body.data[0]
const edit = (id: number, input: object, as = staff) => as.post(`/api/stock/${id}/edit`, input)
const create = (input: object, as = staff) =>
  as.post('/api/stock/create', { actual_product_id: shop.product, purchase_price: 1000, ...input })

const emptyBatch = async (): Promise<{ id: number }> =>
  (await t.db.pool.query(`insert into batch (user_id, name) values ($1, 'Empty') returning id`, [staff.id])).rows[0]

/** Makes an item with this status, in the state in which the server leaves such an item. */
async function itemIn(status: StockStatus): Promise<number> {
  if (status === 'In Batch') return (await batchOf(t.db, shop, staff.id, 1)).items[0]!
  const held = status === 'Sold' ? { sale_id: sale } : {}
  const gone = status === 'Deleted' || status === 'Returned to Supplier' ? { in_hand: false } : {}
  return (await stockItems(t.db, shop, 1, { status, ...held, ...gone }))[0]!
}

test.each(STOCK_STATUSES.flatMap((from) => STOCK_STATUSES.map((to) => [from, to] as const)))(
  'on edit, %s to %s follows the table of moves',
  async (from, to) => {
    const id = await itemIn(from)
    const { status, body } = await edit(id, { status: to })
    const allowed = allowedStockStatuses(from).includes(to)
    expect([status, body.data.errors && Object.keys(body.data.errors)]).toEqual(
      allowed ? [200, undefined] : [422, ['status']],
    )
    expect((await load(id)).status).toBe(allowed ? to : from)
  },
)

test('a new item is Inbound unless told In Stock, and no other status is taken', async () => {
  const inbound = await create({ imei: newImei() })
  expect([inbound.status, inbound.body.data.status]).toEqual([201, 'Inbound'])
  expect((await create({ imei: newImei(), status: 'In Stock' })).body.data.status).toBe('In Stock')
  for (const status of ['In Batch', 'Sold', 'Returned to Supplier', 'Deleted'])
    expect((await create({ imei: newImei(), status })).body.data.errors).toHaveProperty('status')
})

test('a new item is told everything that is wrong with it at once, the missing identifier too', async () => {
  const wrong = async (input: object) => (await staff.post('/api/stock/create', input)).body.data.errors
  const message = 'An IMEI or a serial number is needed.'
  expect(await wrong({ imei: '', purchase_price: '' })).toEqual({
    actual_product_id: 'This field is required.',
    purchase_price: 'This field is required.',
    imei: message,
    serial_number: message,
  })
  for (const body of ['null', '"text"', '[1]']) {
    const headers = { 'content-type': 'application/json' }
    const { status } = await staff.send({ method: 'POST', url: '/api/stock/create', payload: body, headers })
    expect([400, 422], body).toContain(status)
  }
  // An identifier that was typed wrongly is not reported as missing.
  expect(Object.keys(await wrong({ imei: '123' })).sort()).toEqual(['actual_product_id', 'imei', 'purchase_price'])
  expect(Object.keys(await wrong({ serial_number: 'S1S1' })).sort()).toEqual(['actual_product_id', 'purchase_price'])
})

test('an identifier that is no text is refused under its field', async () => {
  const wrong = { actual_product_id: shop.product, purchase_price: 100, imei: [35], serial_number: [null] }
  const answer = await staff.post('/api/stock/create', wrong)
  expect(answer.status).toBe(422)
  expect(Object.keys(answer.body.data.errors)).toEqual(expect.arrayContaining(['imei', 'serial_number']))
})

test('gaining a batch makes an In Stock item In Batch, leaving it In Stock again; other statuses cannot join', async () => {
  const [a, b] = [await emptyBatch(), await emptyBatch()]
  const id = await itemIn('In Stock')
  expect((await edit(id, { status: 'In Stock', batch_id: a.id })).body.data).toMatchObject({
    status: 'In Batch',
    batch: { id: a.id, is_locked: false },
  })
  expect((await edit(id, { status: 'In Batch', batch_id: b.id })).body.data.batch_id).toBe(b.id)
  expect((await edit(id, { batch_id: null })).body.data).toMatchObject({ status: 'In Stock', batch_id: null })
  for (const status of ['Inbound', 'Sold', 'Returned to Supplier', 'Deleted'] as const) {
    const refused = await edit(await itemIn(status), { batch_id: a.id })
    expect([refused.status, Object.keys(refused.body.data.errors)]).toEqual([409, ['batch_id']])
  }
  expect((await edit(id, { batch_id: 2_000_000 })).body.data.errors).toEqual({
    batch_id: 'This record does not exist. Choose another.',
  })
  expect((await create({ imei: newImei(), status: 'In Stock', batch_id: a.id })).body.data.status).toBe('In Batch')
})

test('a locked batch neither gains nor loses items by an edit', async () => {
  const locked = await batchOf(t.db, shop, staff.id, 2, true)
  const open = await batchOf(t.db, shop, staff.id, 1)
  const id = await itemIn('In Stock')
  const answers = [
    await edit(id, { batch_id: locked.id }),
    await edit(locked.items[0]!, { batch_id: null }),
    await edit(locked.items[0]!, { batch_id: open.id }),
    await edit(open.items[0]!, { batch_id: locked.id }),
    await create({ imei: newImei(), status: 'In Stock', batch_id: locked.id }),
  ]
  for (const answer of answers)
    expect([answer.status, answer.body.data.errors]).toMatchObject([409, { batch_id: expect.stringMatching(/./) }])
  expect((await edit(locked.items[0]!, { engineer_notes: 'Still editable', batch_id: locked.id })).status).toBe(200)
  const { rows } = await t.db.pool.query('select count(*)::int as n from stock where batch_id = $1', [locked.id])
  expect(rows[0].n).toBe(2)
})

test('an item undeleted is In Batch if it still has a batch, and in hand again', async () => {
  const batch = await batchOf(t.db, shop, staff.id, 1, true)
  const id = batch.items[0]!
  await t.db.pool.query(`update stock set status = 'Deleted', in_hand = false where id = $1`, [id])
  const imei = (await load(id)).imei
  expect((await create({ imei, status: 'In Stock' })).status).toBe(201)
  const taken = await edit(id, { status: 'In Stock' })
  expect([taken.status, taken.body.data.errors.imei]).toMatchObject([
    422,
    expect.stringMatching(/^Item #\d+ already has this IMEI\.$/),
  ])
  const free = await edit(id, { status: 'In Stock', imei: newImei() })
  expect(free.body.data).toMatchObject({ status: 'In Batch', batch_id: batch.id })
  expect((await create({ imei: free.body.data.imei })).status).toBe(422)
})

test('fields on which an invoice rests stay on items sold or returned; the rest may be edited', async () => {
  for (const status of ['Sold', 'Returned to Supplier'] as const) {
    const id = await itemIn(status)
    const { imei, serial_number, ...before } = await load(id)
    const settled = {
      imei: newImei(),
      imei2: newImei(),
      serial_number: 'NEW',
      backstock_id: 'NEW',
      meid: 'A1000012345678',
      eid: '89049032000000000000000000000001',
      purchase_price: 1,
      vat_type_id: shop.vat.standard,
    }
    const refused = await edit(id, { ...settled, sales_price: 5 })
    expect([refused.status, Object.keys(refused.body.data.errors).sort()]).toEqual([422, Object.keys(settled).sort()])
    const whole = { ...before, imei, serial_number, sales_price: 5, engineer_notes: 'Scratched' }
    expect((await edit(id, whole)).body.data).toMatchObject({ sales_price: 5, engineer_notes: 'Scratched', imei })
  }
})

test('identifiers in hand are unique in all their forms, and the message names the item that has one', async () => {
  const imei = newImei()
  const first = (await create({ imei, serial_number: 'Abc-1', backstock_id: 'BS-1' })).body.data.id
  const again = (input: object) => create(input).then(({ status, body }) => [status, body.data.errors])
  for (const form of [imei, imei.slice(0, 14), `${imei.slice(0, 14)}42`, imei.replace(/(\d{5})/g, '$1 ')])
    expect(await again({ imei: form })).toEqual([422, { imei: `Item #${first} already has this IMEI.` }])
  expect(await again({ serial_number: 'aBC-1', backstock_id: 'bs-1' })).toEqual([
    422,
    {
      serial_number: `Item #${first} already has this serial number.`,
      backstock_id: `Item #${first} already has this Backstock ID.`,
    },
  ])
  const second = (await create({ serial_number: 'BS-1' })).body.data.id
  expect((await edit(second, { imei })).body.data.errors).toEqual({ imei: `Item #${first} already has this IMEI.` })
  expect((await edit(first, { status: 'Deleted' })).status).toBe(200)
  expect((await edit(second, { imei })).status).toBe(200)
})

test('an IMEI is one phone’s, also in the field of the serial number', async () => {
  const [imei, numbered] = [newImei(), newImei()]
  const phone = (await create({ imei })).body.data.id
  const odd = (await create({ serial_number: numbered })).body.data.id
  const refused = (answer: { status: number; body: { data: { errors: object } } }) => [
    answer.status,
    answer.body.data.errors,
  ]
  const isImei = [422, { serial_number: `Item #${phone} already has this IMEI.` }]
  for (const form of [imei, imei.replace(/(\d{5})/g, '$1 '), `'${imei}`])
    expect(refused(await create({ serial_number: form })), form).toEqual(isImei)
  expect(refused(await edit(odd, { serial_number: imei }))).toEqual(isImei)

  const isSerial = `Item #${odd} already has this serial number.`
  for (const form of [numbered, numbered.slice(0, 14)])
    expect(refused(await create({ imei: form })), form).toEqual([422, { imei: isSerial }])
  expect(refused(await create({ imei: newImei(), imei2: numbered }))).toEqual([422, { imei2: isSerial }])
  expect(refused(await edit(phone, { imei2: numbered }))).toEqual([422, { imei2: isSerial }])

  // The phone itself may have its IMEI in both fields, and a phone that has left is in nobody's way.
  expect((await edit(phone, { serial_number: imei, location: 'B2' })).status).toBe(200)
  expect((await edit(phone, { serial_number: null, status: 'Deleted' })).status).toBe(200)
  expect((await edit(odd, { serial_number: imei })).status).toBe(200)
  expect(refused(await edit(phone, { status: 'In Stock' }))).toEqual([422, { imei: isSerial }])
})

test('nothing was bought in the future; the day after today may have begun elsewhere', async () => {
  const { rows } = await t.db.pool.query(
    `select (today + 1)::text as tomorrow, (today + 2)::text as later
     from (select (now() at time zone time_zone)::date as today from company) days`,
  )
  const [{ tomorrow, later }] = rows
  const refused = [422, { purchase_date: 'Must not be in the future.' }]
  const made = await create({ imei: newImei(), purchase_date: tomorrow })
  expect(made.status).toBe(201)
  const early = await create({ imei: newImei(), purchase_date: later })
  expect([early.status, early.body.data.errors]).toEqual(refused)
  const { id } = made.body.data
  const moved = await edit(id, { purchase_date: later })
  expect([moved.status, moved.body.data.errors]).toEqual(refused)

  // An item keeps an old date, whatever is edited.
  await t.db.pool.query('update stock set purchase_date = $2 where id = $1', [id, later])
  expect((await edit(id, { purchase_date: later, location: 'B2' })).status).toBe(200)
})

test('one of several rivals creates a phone, and each other is told who', async () => {
  const imei = newImei()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => untilDecided(() => create({ imei }, n % 2 ? staff : other))),
  )
  const won = answers.filter((answer) => answer.status === 201)
  expect(won).toHaveLength(1)
  const message = `Item #${won[0]!.body.data.id} already has this IMEI.`
  for (const lost of answers.filter((answer) => answer !== won[0]))
    expect([lost.status, lost.body.data.errors]).toEqual([422, { imei: message }])
})

test('an item keeps at least one of IMEI and serial number, and relations that exist', async () => {
  const id = await itemIn('In Stock')
  const needed = { imei: expect.any(String), serial_number: expect.any(String) }
  expect((await edit(id, { imei: null })).body.data.errors).toEqual(needed)
  expect((await edit(id, { imei: '', serial_number: 'S-77' })).status).toBe(200)
  // A short number can stand beside an IMEI, and is too little alone.
  const weak = (await create({ imei: newImei(), serial_number: '7' })).body.data.id
  expect(Object.keys((await edit(weak, { imei: null })).body.data.errors)).toEqual(['serial_number'])
  expect((await create({})).body.data.errors).toEqual(needed)
  expect((await edit(id, { vat_type_id: 999, supplier_id: 999 })).body.data.errors).toEqual({
    vat_type_id: 'This record does not exist. Choose another.',
    supplier_id: 'This record does not exist. Choose another.',
  })
  expect((await edit(2_000_000, {})).status).toBe(404)
})

test('all that is wrong with a new item is told at once', async () => {
  const errorsOf = async (input: object) => (await staff.post('/api/stock/create', input)).body.data.errors
  const required = { actual_product_id: 'This field is required.', purchase_price: 'This field is required.' }
  const needed = 'An IMEI or a serial number is needed.'
  expect(await errorsOf({})).toEqual({ ...required, imei: needed, serial_number: needed })
  expect(await errorsOf({ imei: ' ', status: 'Lost', purchase_date: 'x' })).toEqual({
    ...required,
    imei: needed,
    serial_number: needed,
    status: 'A new item is Inbound or In Stock.',
    purchase_date: expect.any(String),
  })
  expect(await errorsOf({ imei: '123' })).toEqual({ ...required, imei: expect.stringContaining('has 3') })
  const imei = newImei()
  const id = (await create({ imei })).body.data.id
  expect((await create({ imei, vat_type_id: 999 })).body.data.errors).toEqual({
    vat_type_id: 'This record does not exist. Choose another.',
    imei: `Item #${id} already has this IMEI.`,
  })
})

test('a VAT type that somebody deletes at this moment is told under its field', async () => {
  const { rows } = await t.db.pool.query(`insert into vat (name, rate) values ('Old', 1900) returning id`)
  const rival = await t.db.pool.connect()
  await rival.query('begin')
  await rival.query('delete from vat where id = $1', [rows[0].id])
  const answer = create({ imei: newImei(), vat_type_id: rows[0].id })
  await untilSomebodyWaits(t.db)
  await rival.query('commit')
  rival.release()
  expect((await answer).body.data.errors).toEqual({ vat_type_id: 'This record does not exist. Choose another.' })
})

test('every change is logged with names; an edit that changes nothing leaves no trace', async () => {
  const created = (await create({ imei: newImei(), vat_type_id: shop.vat.standard })).body.data
  const entries = (item: { logs: { content: { data: unknown[] } }[] }) => item.logs.map((log) => log.content.data)
  expect(entries(created)[0]).toEqual(
    expect.arrayContaining([
      { attributeName: 'status', from: null, to: 'Inbound' },
      { attributeName: 'actual_product', from: null, to: 'Apple iPhone 13 128 GB' },
      { attributeName: 'purchase_price', from: null, to: 1000 },
    ]),
  )
  const same = await edit(created.id, created)
  expect(same.body.data).toEqual({ ...created, logs: [expect.objectContaining({ id: created.logs[0].id })] })
  const changed = await edit(created.id, { status: 'In Stock', vat_type_id: null, purchase_price: 900 }, other)
  expect(entries(changed.body.data)[0]).toEqual([
    { attributeName: 'status', from: 'Inbound', to: 'In Stock' },
    { attributeName: 'vat', from: 'Standard', to: null },
    { attributeName: 'purchase_price', from: 1000, to: 900 },
  ])
  expect(changed.body.data.logs[0]).toMatchObject({ user_id: other.id, user_name: 'Person 2', loggable_type: 'Stock' })
})

test('a stale edit is refused and says who changed the item', async () => {
  const id = await itemIn('In Stock')
  const { updated_at } = await load(id)
  expect((await edit(id, { sales_price: 1, updated_at }, other)).status).toBe(200)
  const stale = await edit(id, { sales_price: 2, updated_at })
  expect([stale.status, stale.body.message]).toMatchObject([409, expect.stringMatching(/^Changed by Person 2 .+ ago$/)])
  expect((await load(id)).sales_price).toBe(1)
})

test('edits of one item at once: of forms loaded together one is saved, and no item lands in two places', async () => {
  const batches = await Promise.all(Array.from({ length: 6 }, emptyBatch))
  const id = await itemIn('In Stock')
  const { updated_at } = await load(id)
  const answers = await Promise.all(
    batches.map((batch) => untilDecided(() => edit(id, { batch_id: batch.id, updated_at }))),
  )
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409])
  const saved = batches[answers.findIndex((answer) => answer.status === 200)]!
  const item = await load(id)
  expect([item.batch_id, item.logs.length]).toEqual([saved.id, 1])

  const fields = await Promise.all([edit(id, { sales_price: 77 }), edit(id, { engineer_notes: 'Both stay' }, other)])
  expect(fields.map((answer) => answer.status)).toEqual([200, 200])
  expect(await load(id)).toMatchObject({ sales_price: 77, engineer_notes: 'Both stay', batch_id: saved.id })
})

test('prices edited at once: each log begins with another’s end, and each answer shows its own edit', async () => {
  const id = await itemIn('In Stock')
  await edit(id, { sales_price: 1 })
  const prices = Array.from({ length: 20 }, (_, n) => 100 + n)
  const answers = await Promise.all(
    prices.map((price, n) => untilDecided(() => edit(id, { sales_price: price }, n % 2 ? staff : other))),
  )
  for (const [n, { status, body }] of answers.entries()) {
    expect([status, body.data.sales_price]).toEqual([200, prices[n]])
    expect(body.data.logs[0]).toMatchObject({
      content: { data: [{ attributeName: 'sales_price', to: prices[n] }] },
      user_id: n % 2 ? staff.id : other.id,
    })
  }
  const item = await load(id)
  const told = item.logs.map(({ content }: { content: { data: object[] } }) => content.data[0]) as {
    from: number
    to: number
  }[]
  expect(told[0]!.to).toBe(item.sales_price)
  expect(told).toHaveLength(20)
  for (const [n, { from }] of told.slice(0, -1).entries()) expect(from).toBe(told[n + 1]!.to)
  expect(told.map(({ to }) => to).sort()).toEqual(prices)
})
