import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { applyImport } from '../../testing/csv-upload.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { makePartner, type PartnerClient } from '../../testing/partner.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let shop: Shop
let partner: PartnerClient
beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  partner = await makePartner(t.app, admin, shop.customer)
})
afterAll(() => t.close())

const phone = (more: object = {}) => ({
  imei: newImei(),
  status: 'In Stock',
  make: 'Apple',
  model: 'iPhone 13',
  capacity: 128,
  capacity_unit: 'GB',
  purchase_price: 20_050,
  sales_price: 30_000,
  ...more,
})

/** Pushes items, applies them as the worker does, and returns the state of the import that the partner can read. */
async function push(by: PartnerClient, ...items: object[]) {
  const accepted = await by.post('/stock', { items })
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(202)
  const { import_id } = accepted.body.data
  await applyImport(t, import_id)
  return (await by.get(`/imports/${import_id}`)).body.data
}

async function itemWith(imei: string) {
  const { rows } = await t.db.pool.query('select id from stock where imei = $1 order by id desc limit 1', [imei])
  return (await admin.get(`/api/stock/find?id=${rows[0].id}`)).body.data[0]
}

test('a push makes items, changes them, and stands in the history as an API import', async () => {
  const sent = phone({
    grading_screen: 'B',
    warranty: 12,
    supplier: null,
    engineer_notes: "'=quoted",
    colour: 'Mint',
    category: 'Phone',
    purchase_date: '2026-03-01',
  })
  const waiting = await partner.post('/stock', { items: [sent] })
  const { import_id } = waiting.body.data
  expect((await partner.get(`/imports/${import_id}`)).body.data).toMatchObject({ state: 'waiting', progress: 0 })
  await applyImport(t, import_id)
  expect((await partner.get(`/imports/${import_id}`)).body).toMatchObject({
    data: { state: 'done', progress: 100, total_rows: 1, successed_rows: 1, failed_rows: 0, errors: [] },
    next: null,
  })
  const created = await itemWith(sent.imei)
  expect(created).toMatchObject({
    status: 'In Stock',
    product_display_name: 'Apple iPhone 13 128 GB Mint',
    purchase_price: 20_050,
    sales_price: 30_000,
    purchase_date: '2026-03-01',
    engineer_notes: "'=quoted",
    grading_data: { screen: 'B' },
    attributes: { warranty: '12' },
  })
  const { rows } = await t.db.pool.query('select partner_id from stock where id = $1', [created.id])
  expect(rows[0].partner_id).toBe(partner.id)
  const [entry] = (await admin.get(`/api/stock/import/history?type=api_import&id=${import_id}`)).body.data
  expect(entry).toMatchObject({ type: 'api_import', user_id: null, user_name: null, partner_name: 'Shop' })
  expect(entry.content.data).toMatchObject({ processed_rows: 1, details: [{ success: true, id: created.id, row: 1 }] })

  expect(await push(partner, { imei: sent.imei, sales_price: 28_000, colour: null })).toMatchObject({
    successed_rows: 1,
  })
  expect(await itemWith(sent.imei)).toMatchObject({ id: created.id, sales_price: 28_000, engineer_notes: "'=quoted" })
})

test('bad items fail alone, and their rows can be paged', async () => {
  const same = phone()
  const items = [phone(), phone({ imei: '123' }), same, same, { serial_number: 'SN-1', make: 'Apple' }]
  items.push(phone({ purchase_date: '2062-11-28' }))
  const { import_id, ...result } = await push(partner, ...items)
  expect(result).toMatchObject({ processed_rows: 6, successed_rows: 2, failed_rows: 4 })
  expect(result.errors).toEqual([
    { row: 2, errors: { imei: 'An IMEI has 14 to 16 digits; this one has 3.' } },
    { row: 4, errors: { imei: 'This IMEI is already in this call, item 3.' } },
    { row: 5, errors: { model: expect.any(String), purchase_price: expect.any(String) } },
    { row: 6, errors: { purchase_date: 'Must not be in the future.' } },
  ])
  const page = (await partner.get(`/imports/${import_id}?limit=1&after=2`)).body
  expect([page.data.errors.map(({ row }: { row: number }) => row), page.next]).toEqual([[4], 4])
  const other = await makePartner(t.app, admin, shop.customer)
  expect((await other.get(`/imports/${import_id}`)).status).toBe(404)
})

test('a wrong type refuses the whole call under the place of the mistake', async () => {
  const count = async () => (await t.db.pool.query('select count(*)::int as n from import')).rows[0].n
  const before = await count()
  const wrong: [object, string][] = [
    [{ purchase_price: 200.5 }, 'purchase_price'],
    [{ purchase_price: '200' }, 'purchase_price'],
    [{ status: 'Sold' }, 'status'],
    [{ deleted: 'yes' }, 'deleted'],
    [{ Purchase_Price: 200 }, 'Purchase_Price'],
    [{ batch: '7' }, 'batch'],
    [{ warranty: { months: 12 } }, 'warranty'],
    [{ note: 'a\0b' }, 'note'],
    [{ ['a\0b']: 'note' }, 'a\0b'],
  ]
  for (const [field, name] of wrong) {
    const answer = await partner.post('/stock', { items: [phone(), phone(field)] })
    expect([answer.status, Object.keys(answer.body.data?.errors ?? {})]).toEqual([422, [`items.1.${name}`]])
  }
  const many = Object.fromEntries(Array.from({ length: 401 }, (_, n) => [`x${n}`, 'y']))
  expect((await partner.post('/stock', { items: [phone(many)] })).body.data.errors).toHaveProperty('items')
  const tooMany = await partner.post('/stock', { items: Array.from({ length: 10_001 }, () => ({ imei: '1' })) })
  expect([tooMany.status, tooMany.body.data.errors]).toEqual([422, { items: 'At most 10,000 items in one call.' }])
  expect(await count()).toBe(before)
})

testInTurn('10,000 items of one call go in, even if they are long', async () => {
  const items = Array.from({ length: 10_000 }, () => phone({ grading_screen: 'A', remarks: 'x'.repeat(400) }))
  expect(JSON.stringify(items).length).toBeGreaterThan(5 * 1024 * 1024)
  expect(await push(partner, ...items)).toMatchObject({ successed_rows: 10_000, failed_rows: 0 })
})

test('long items are stored and applied in parts of fewer rows', async () => {
  const items = Array.from({ length: 300 }, () => phone({ engineer_notes: 'x'.repeat(10_000) }))
  const done = await push(partner, ...items)
  expect(done).toMatchObject({ total_rows: 300, successed_rows: 300 })
  const parts = 'select lines from import_part where import_id = $1 order by part'
  const { rows } = await t.db.pool.query(parts, [done.import_id])
  expect(rows.length).toBeGreaterThan(1)
  expect(rows.flatMap(({ lines }) => lines)).toEqual(Array.from({ length: 300 }, (_, n) => n + 1))
})

test('a partner changes and takes out only what it pushed itself', async () => {
  const other = await makePartner(t.app, admin, shop.customer)
  const [ours] = await stockItems(t.db, shop, 1)
  const { imei } = (await admin.get(`/api/stock/find?id=${ours}`)).body.data[0]
  const theirs = phone()
  await push(other, theirs)
  const result = await push(
    partner,
    { imei, sales_price: 1 },
    { imei, deleted: true },
    { imei: theirs.imei, sales_price: 1 },
    { imei: theirs.imei, deleted: true },
    phone({ imei: theirs.imei }),
    { imei: newImei(), deleted: true },
  )
  const notYours = { imei: 'An item with this IMEI is in stock, but it is not yours to change.' }
  expect(result.successed_rows).toBe(0)
  expect(result.errors.map(({ errors }: { errors: object }) => errors)).toEqual([
    ...[notYours, notYours, notYours, notYours, notYours],
    { imei: 'You have no such item.' },
  ])
  for (const one of [imei, theirs.imei])
    expect(await itemWith(one)).toMatchObject({ status: 'In Stock', sales_price: 30_000 })
})

test('a row with the identifiers of two items is refused without a word about them, gone ones are free', async () => {
  const [ours] = await stockItems(t.db, shop, 1)
  const { imei } = (await admin.get(`/api/stock/find?id=${ours}`)).body.data[0]
  const own = phone({ backstock_id: 'MINE-1' })
  await push(partner, own)
  const result = await push(partner, { imei, backstock_id: 'MINE-1', sales_price: 1 })
  expect(result.errors).toMatchObject([
    { errors: { backstock_id: 'The identifiers of this row belong to different items.' } },
  ])

  const gone = await stockItems(t.db, shop, 2)
  const [first, second] = await Promise.all(
    gone.map(async (id) => (await admin.get(`/api/stock/find?id=${id}`)).body.data[0]),
  )
  await t.db.pool.query(`update stock set backstock_id = 'THEIRS-1' where id = $1`, [gone[0]])
  const { id } = (await partner.post('/orders', { items: gone.map((item) => ({ id: item })) })).body.data
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${id}/edit`, { status })
  const pushed = await push(partner, phone({ imei: second.imei, backstock_id: 'THEIRS-1' }))
  expect(pushed).toMatchObject({ successed_rows: 1, errors: [] })
  expect([first.id, second.id]).not.toContain((await itemWith(second.imei)).id)
})

test('further fields are as many as an export can bear; new ones beyond fail their row alone', async () => {
  await push(partner, phone({ known_field: 'x' }))
  const { rows } = await t.db.pool.query('select count(*)::int as n from attribute_name')
  await t.db.pool.query(
    `insert into attribute_name (kind, name) select 'attribute', 'filler ' || n from generate_series(1, $1) n`,
    [999 - rows[0].n],
  )
  const result = await push(
    partner,
    phone({ known_field: 'y', last_new: '1' }),
    phone({ grading_one_more: 'A', last_new: '2' }),
    phone({ known_field: 'z' }),
  )
  expect(result).toMatchObject({ successed_rows: 2, failed_rows: 1 })
  expect(result.errors[0].errors).toEqual({
    grading_one_more: 'There are 1,000 further columns already, and this would be one more.',
  })
  const csv = (await admin.get('/api/stock/export/csv')).body
  expect(csv.split('\n')[0]).toContain('last_new')
  expect(csv).toMatch(/,z\b/)
  await t.db.pool.query(`delete from attribute_name where name like 'filler %'`)
})

test('a phone that was bought and has left the house can be pushed back, as an item of its own', async () => {
  const [sold] = await stockItems(t.db, shop, 1)
  const { imei } = (await admin.get(`/api/stock/find?id=${sold}`)).body.data[0]
  const { id } = (await partner.post('/orders', { items: [{ id: sold }] })).body.data
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${id}/edit`, { status })
  expect(await push(partner, phone({ imei, status: undefined }))).toMatchObject({ successed_rows: 1 })
  const back = await itemWith(imei)
  expect([back.id === sold, back.status]).toEqual([false, 'Inbound'])
  const before = (await admin.get(`/api/stock/find?id=${sold}`)).body.data[0]
  expect([before.status, before.related_sale_id]).toEqual(['Sold', id])
})

test('taking out an item that is ordered makes the sale require attention', async () => {
  const [pushed, free] = [phone(), phone()]
  await push(partner, pushed, free)
  const item = await itemWith(pushed.imei)
  const [kept] = await stockItems(t.db, shop, 1)
  const buyer = await makePartner(t.app, admin, shop.customer)
  const { id } = (await buyer.post('/orders', { items: [{ id: item.id }, { id: kept }] })).body.data

  const result = await push(partner, { imei: pushed.imei, deleted: true, sales_price: 5 }, { ...free, deleted: true })
  expect(result).toMatchObject({ successed_rows: 2, failed_rows: 0 })
  expect(await itemWith(pushed.imei)).toMatchObject({ status: 'Deleted', sales_price: 30_000 })
  expect(await itemWith(free.imei)).toMatchObject({ status: 'Deleted' })
  expect((await admin.get('/api/auth')).body.sales_requiring_attention).toBe(1)
  const order = (await buyer.get(`/orders/${id}`)).body.data
  expect(order.status).toBe('Requires Attention')
  expect(order.items.map((line: { available: boolean }) => line.available)).toEqual([false, true])

  // An item can be taken out twice, and it can come back.
  expect(await push(partner, { imei: pushed.imei, deleted: true })).toMatchObject({ successed_rows: 1 })
  expect(await push(partner, { imei: pushed.imei, status: 'In Stock' })).toMatchObject({ successed_rows: 1 })
  expect(await itemWith(pushed.imei)).toMatchObject({ id: item.id, status: 'In Stock' })
})

test('pushes of one partner are applied in the order in which they were sent, whichever is tried first', async () => {
  const own = await makePartner(t.app, admin, shop.customer)
  const offer = phone()
  const sent = async (item: object): Promise<number> =>
    (await own.post('/stock', { items: [item] })).body.data.import_id
  const pushes = [await sent(offer), await sent({ imei: offer.imei, deleted: true })]
  const { rows: jobs } = await t.db.pool.query(
    `select queue_name from graphile_worker.jobs where task_identifier = 'import_apply' order by id desc limit 2`,
  )
  expect(new Set(jobs.map(({ queue_name }) => queue_name)).size).toBe(1)

  await applyImport(t, pushes[1]!)
  expect((await own.get(`/imports/${pushes[1]}`)).body.data).toMatchObject({ state: 'waiting', processed_rows: 0 })
  const other = await makePartner(t.app, admin, shop.customer)
  expect(await push(other, phone())).toMatchObject({ state: 'done', successed_rows: 1 })
  for (const id of pushes) await applyImport(t, id)
  expect((await own.get(`/imports/${pushes[1]}`)).body.data).toMatchObject({ state: 'done', successed_rows: 1 })
  expect(await itemWith(offer.imei)).toMatchObject({ status: 'Deleted' })
})

test('two pushes at once are applied as they came, whichever got the lower number', async () => {
  const own = await makePartner(t.app, admin, shop.customer)
  const sent = async (): Promise<number> => (await own.post('/stock', { items: [phone()] })).body.data.import_id
  const [second, first] = [await sent(), await sent()]
  await t.db.pool.query(`update import set created_at = created_at - interval '1 minute' where id = $1`, [first])
  const stateOf = async (id: number) => (await own.get(`/imports/${id}`)).body.data.state
  await applyImport(t, second)
  expect(await stateOf(second)).toBe('waiting')
  for (const id of [first, second]) {
    await applyImport(t, id)
    expect(await stateOf(id)).toBe('done')
  }
})

test('a push with a key is one import', async () => {
  const own = await makePartner(t.app, admin, shop.customer)
  const body = { items: [phone()] }
  const key = { 'idempotency-key': 'push-1' }
  const twins = await Promise.all([1, 2].map(() => own.post('/stock', body, key)))
  expect(twins.map(({ status }) => status)).toEqual([202, 202])
  expect(twins[0]!.body.data.import_id).toBe(twins[1]!.body.data.import_id)
})
