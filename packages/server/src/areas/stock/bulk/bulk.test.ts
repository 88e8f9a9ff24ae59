import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../../invariants/check.ts'
import { lock } from '../../../records/lock.ts'
import { type Client, testApp } from '../../../testing/app.ts'
import { applyUndo, importCsv } from '../../../testing/csv-upload.ts'
import { testInTurn } from '../../../testing/in-turn.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { NEW_ITEM, type StockColumns, stockColumns } from '../columns.ts'
import { undoBulk } from './undo.ts'
import { type Act, writeMany } from './write-many.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  await t.user('ROLE_ADMIN')
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

const rows = async (sql: string, ...values: unknown[]) => (await t.db.pool.query(sql, values)).rows
const stockOf = async (id: number) => (await user.get(`/api/stock/find?id=${id}`)).body.data[0]
const receive = (import_id: number, client = user, key?: string) =>
  client.post('/api/stock/bulk/receive', { import_id }, key ? { 'idempotency-key': key } : {})
const undo = (id: number, client = user) => client.post(`/api/stock/bulk/${id}/undo`)
const receivable = async (id: number) => (await user.get(`/api/stock/bulk/receivable?import_id=${id}`)).body.data

/** Imports `n` Inbound items, and returns the import with their ids. */
async function delivered(n: number, more: string[] = []) {
  const lines = Array.from({ length: n }, () => `${newImei()},Apple,iPhone 13,128,GB,Phone,249.90,Inbound`)
  const header = 'imei,make,model,capacity,capacity_unit,category,purchase_price,status'
  const entry = await importCsv(t, user, { csv: [header, ...lines, ...more].join('\n') })
  const [part] = await rows(
    'select array_remove(stock_ids, null) as ids from import_part where import_id = $1',
    entry.id,
  )
  return { id: entry.id as number, items: (part.ids as number[]).toSorted((a, b) => a - b) }
}

test("an import's Inbound items are received in one act, which one message tells and one undo takes back", async () => {
  const { id, items } = await delivered(30)
  await user.post(`/api/stock/${items[0]}/edit`, { status: 'In Stock' })
  expect(await receivable(id)).toEqual({ inbound: 29, undoable: [] })
  const before = await rows('select * from stock where id = any($1) order by id', items)

  const answer = await receive(id)
  expect([answer.status, answer.body.message]).toEqual([200, 'Received 29 items.'])
  expect(answer.body.data).toMatchObject({ received: 29, left: 0, kept: [] })
  const bulk: number = answer.body.data.bulk_id
  expect(await rows('select distinct status from stock where id = any($1)', items)).toEqual([{ status: 'In Stock' }])
  const [entry] = (await stockOf(items[7]!)).logs
  expect(entry.content).toEqual({
    type: 'model_update',
    data: [{ attributeName: 'status', from: 'Inbound', to: 'In Stock' }],
  })
  expect(await rows('select count(*)::int as n from log where bulk_id = $1 and of_many', bulk)).toEqual([{ n: 29 }])
  const { recent_logs } = (await user.get('/api/auth')).body.user
  expect(recent_logs[0]).toMatchObject({
    ...{ loggable_type: 'Bulk edit', loggable_id: bulk },
    content: { type: 'message', data: { message: 'Received 29 items.' } },
  })
  expect(recent_logs.filter((one: { loggable_type: string }) => one.loggable_type === 'Stock')).toHaveLength(1)
  expect((await user.get(`/api/stock/bulk/find?import_id=${id}`)).body.data).toMatchObject([
    {
      ...{ id: bulk, kind: 'receive', items_count: 29, import_id: id, check_id: null, user_name: 'Person 2' },
      ...{ undone_at: null, kept_count: null, can_undo: true, changes: { status: 'In Stock' } },
    },
  ])
  expect(await receivable(id)).toMatchObject({ inbound: 0, undoable: [{ id: bulk }] })
  expect(await receive(id)).toMatchObject({ status: 409 })

  const undone = await undo(bulk)
  expect(undone.body).toMatchObject({
    title: 'Undone',
    message: '29 items restored.',
    data: { restored: 29, kept: [] },
  })
  const after = await rows('select * from stock where id = any($1) order by id', items)
  const known = (all: { updated_at: Date }[]) => all.map(({ updated_at: _, ...row }) => row)
  expect(known(after)).toEqual(known(before))
  expect(await receivable(id)).toEqual({ inbound: 29, undoable: [] })
  expect(await undo(bulk)).toMatchObject({ status: 409, body: { message: 'This has been undone already.' } })
  expect((await user.get(`/api/stock/bulk/find?id=${bulk}`)).body.data).toMatchObject([
    { undone_by_name: 'Person 2', kept_count: 0, can_undo: false },
  ])
  expect((await stockOf(items[7]!)).logs).toHaveLength(3)
})

testInTurn('an import with more Inbound items than one act takes says how many are left', async () => {
  const { id } = await delivered(1)
  await rows(
    `with made as (
       insert into stock (status, actual_product_id, serial_number, purchase_price)
       select 'Inbound', $2, 'LARGE-' || n, 100 from generate_series(1, 10000) n returning id)
     update import_part set stock_ids = stock_ids || (select array_agg(id) from made),
       actions = actions || array_fill('created'::text, array[10000]) where import_id = $1`,
    id,
    shop.product,
  )
  const { body } = await receive(id)
  expect(body.data).toMatchObject({ received: 10_000, left: 1 })
  expect(body.message).toMatch(/1 .*left to receive: press again\.$/)
  expect(await receivable(id)).toMatchObject({ inbound: 1 })
  await rows('update import_part set stock_ids = stock_ids[1:1], actions = actions[1:1] where import_id = $1', id)
})

test('only what an import made is received, and nothing once it is undone', async () => {
  const { id, items } = await delivered(2)
  const imeis = await rows('select imei from stock where id = any($1) order by id', items)
  // A price list of the same supplier has these items, and one more.
  const made = `${newImei()},Apple,iPhone 13,128,GB,Phone,200,Inbound`
  const list = await importCsv(t, user, {
    csv: [
      'imei,make,model,capacity,capacity_unit,category,purchase_price,status',
      `${imeis[0].imei},,,,,,230,`,
      made,
    ].join('\n'),
    update_existing: '1',
  })
  expect(await stockOf(items[0]!)).toMatchObject({ purchase_price: 23_000, status: 'Inbound' })
  expect(await receivable(list.id)).toMatchObject({ inbound: 1 })
  const check = (await user.post('/api/stock/check', { import_id: list.id })).body.data
  expect((await user.get(`/api/stock/check/${check.id}`)).body.data).toMatchObject({ expected_count: 1 })
  expect((await receive(list.id)).body.data).toMatchObject({ received: 1, kept: [], left: 0 })
  expect((await stockOf(items[0]!)).status).toBe('Inbound')
  expect(await receivable(id)).toMatchObject({ inbound: 2 })

  await user.post(`/api/stock/${items[1]}/edit`, { location: 'Shelf 4' })
  expect((await user.post(`/api/stock/import/history/${id}/undo`)).status).toBe(202)
  await applyUndo(t, id)
  expect((await stockOf(items[1]!)).status).toBe('Inbound')
  expect(await receivable(id)).toMatchObject({ inbound: 0 })
  expect(await receive(id)).toMatchObject({ status: 409 })
})

test('a phone that a customer has sent back is not received with the rest of its delivery', async () => {
  const { id, items } = await delivered(2)
  const [faulty, late] = [items[0]!, items[1]!]
  await user.post(`/api/stock/${faulty}/edit`, { status: 'In Stock' })
  const sale = await user.post('/api/sale/create', {
    ...{ customer_id: shop.customer, stock_items: [{ id: faulty, sales_price: 30_000 }] },
    ...{ create_invoice: false, send_email: false },
  })
  for (const status of ['Awaiting Dispatch', 'Dispatched'])
    expect((await user.post(`/api/sale/${sale.body.data.id}/edit`, { status })).status).toBe(200)
  const back = await user.post('/api/return/create', {
    ...{ customer_id: shop.customer, items: [{ id: faulty, reason: 'faulty', outcome: 'inbound' }], received: true },
  })
  expect([back.status, (await stockOf(faulty)).status]).toEqual([201, 'Inbound'])

  expect(await receivable(id)).toMatchObject({ inbound: 1 })
  expect((await receive(id)).body.data).toMatchObject({ received: 1, kept: [], left: 0 })
  expect([(await stockOf(faulty)).status, (await stockOf(late)).status]).toEqual(['Inbound', 'In Stock'])
  expect((await receive(id)).status).toBe(409)
  expect((await user.post('/api/stock/check', { import_id: id })).status).toBe(409)
})

test('an item that somebody has changed since stays, and is named with that person', async () => {
  const { id, items } = await delivered(6)
  const bulk: number = (await receive(id)).body.data.bulk_id
  const other = await t.user()
  const [sold, deleted, batched, noted, ...untouched] = items
  const sale = { customer_id: shop.customer, stock_items: [{ id: sold, sales_price: 30_000 }] }
  expect((await other.post('/api/sale/create', sale)).status).toBe(201)
  await other.post(`/api/stock/${deleted}/edit`, { status: 'Deleted' })
  await other.post('/api/batch/create', { name: 'Mixed', items: [batched] })
  await user.post(`/api/stock/${noted}/edit`, { engineer_notes: 'Scratched' })
  const { body } = await undo(bulk)
  expect(body).toMatchObject({ type: 'warning', message: '2 items restored. Left as they are now: 4 items.' })
  const name = 'Person 3'
  expect(body.data.kept.toSorted((a: { id: number }, b: { id: number }) => a.id - b.id)).toEqual([
    { id: sold, reason: `${name} changed it since; it is Sold.` },
    { id: deleted, reason: `${name} changed it since; it is Deleted.` },
    { id: batched, reason: `${name} changed it since; it is In Batch.` },
    { id: noted, reason: 'Person 2 changed it since; it is In Stock.' },
  ])
  for (const item of untouched) expect(await stockOf(item)).toMatchObject({ status: 'Inbound' })
  expect((await user.get(`/api/stock/bulk/find?id=${bulk}`)).body.data).toMatchObject([{ kept_count: 4 }])
})

test('an item that somebody is about to sell stays for sale', async () => {
  const { id, items } = await delivered(3)
  const bulk: number = (await receive(id)).body.data.bulk_id
  const seller = await t.user()
  expect((await seller.put(`/api/user/${seller.id}/basket`, { items: [items[1]] })).status).toBe(200)
  const { body } = await undo(bulk)
  const { name } = (await seller.get('/api/auth')).body.user
  expect(body.data).toEqual({ restored: 2, kept: [{ id: items[1], reason: `It is in the basket of ${name}.` }] })
  expect(await stockOf(items[1]!)).toMatchObject({ status: 'In Stock' })
})

test('two who receive the same import at once receive each item once; a repeated request is one', async () => {
  const { id } = await delivered(40)
  const other = await t.user()
  const answers = await Promise.all([receive(id), receive(id, other), receive(id), receive(id, other)])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  expect(await rows('select cardinality(items) as n from bulk_edit where import_id = $1', id)).toEqual([{ n: 40 }])
  const bulk: number = answers.find(({ status }) => status === 200)!.body.data.bulk_id
  const both = await Promise.all([undo(bulk), undo(bulk, other)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const again = await Promise.all([receive(id, user, 'one'), receive(id, user, 'one')])
  expect(again[0]!.body).toEqual(again[1]!.body)
})

test('it is undone within 30 days, and an import that has not ended is not received', async () => {
  const { id } = await delivered(1)
  const bulk: number = (await receive(id)).body.data.bulk_id
  await rows(`update bulk_edit set created_at = now() - interval '29 days 20 hours' where id = $1`, bulk)
  expect(await receivable(id)).toMatchObject({ inbound: 0, undoable: [{ id: bulk }] })
  await rows(`update bulk_edit set created_at = now() - interval '30 days 1 minute' where id = $1`, bulk)
  expect(await undo(bulk)).toMatchObject({ status: 409, body: { message: expect.stringContaining('30 days') } })
  expect(await receivable(id)).toEqual({ inbound: 0, undoable: [] })
  expect((await undo(999_999)).status).toBe(404)
  expect((await receive(999_999)).status).toBe(404)
  expect((await user.post('/api/stock/bulk/receive', {})).body.data.errors).toEqual({
    import_id: 'This field is required.',
  })
  const [{ id: waiting }] = await rows(
    `insert into import (type, user_id) values ('csv_import', $1) returning id`,
    user.id,
  )
  expect(await receive(waiting)).toMatchObject({ status: 409, body: { message: expect.stringContaining('not ended') } })
  await rows('delete from import where id = $1', waiting)
})

test('an import can be undone whole once what was received of it has been undone', async () => {
  const { id, items } = await delivered(3)
  const bulk: number = (await receive(id)).body.data.bulk_id
  await undo(bulk)
  expect((await user.post(`/api/stock/import/history/${id}/undo`)).status).toBe(202)
  const setTo = (columns: string) => rows(`update import set ${columns} where id = $1`, id)
  for (const undo of ['waiting', 'undoing']) {
    await setTo(`undo = '${undo}'`)
    expect(await receive(id)).toMatchObject({ status: 409, body: { message: `Import #${id} is being undone.` } })
  }
  // An import that broke off, and whose undo did too, has brought its items.
  await setTo(`undo = 'failed', state = 'failed'`)
  expect(await receivable(id)).toMatchObject({ inbound: 3 })
  await setTo(`undo = 'waiting', state = 'done'`)
  await applyUndo(t, id)
  expect(await rows('select id from stock where id = any($1)', items)).toEqual([])
  expect(await receivable(id)).toEqual({ inbound: 0, undoable: [] })
})

/** Makes a bulk edit with any change. It calls the functions behind the route, and not the route. */
async function edit(ids: readonly number[], change: Partial<StockColumns>): Promise<number> {
  const act: Act = { userId: user.id, kind: 'edit', changes: change, message: `Edited ${ids.length} items.` }
  return t.db.write(async (tx) => {
    const { stock } = await lock(tx, { stock: ids })
    const edits = [...stock.values()].map((row) => ({
      row,
      after: { ...stockColumns(row), in_hand: row.in_hand, ...change },
    }))
    return writeMany(tx, act, edits)
  })
}
const takeBack = (bulk: number) => t.db.write((tx) => undoBulk(tx, user.id, bulk))

test('any column is written and taken back; the log names what items refer to', async () => {
  const supplier: number = (await user.post('/api/supplier/create', { company_name: 'Pallets "Ltd", \\o/' })).body.data
    .id
  const { id: batch } = await batchOf(t.db, shop, user.id, 1)
  const items = await stockItems(t.db, shop, 3, {
    engineer_notes: 'a "b" \\c',
    purchase_currency: 'PLN',
    fx_rate: 4.25,
  })
  const before = await rows('select * from stock where id = any($1) order by id', items)
  const change: Partial<StockColumns> = {
    ...{ status: 'In Batch', batch_id: batch, supplier_id: supplier, vat_id: shop.vat.zero, sales_price: 29_999 },
    ...{ engineer_notes: 'Line 1\nLine "2", {x}', purchase_currency: 'EUR', fx_rate: null, network_locked: true },
    ...{ purchase_date: '2026-11-02', purchase_treatment: 'margin' },
  }
  expect(Object.keys(NEW_ITEM)).toEqual(expect.arrayContaining(Object.keys(change)))
  const bulk = await edit(items, change)
  const { updated_at: _, ...item } = await stockOf(items[1]!)
  expect(item).toMatchObject({
    ...{ status: 'In Batch', batch_id: batch, supplier_id: supplier, vat_type_id: shop.vat.zero, sales_price: 29_999 },
    ...{ engineer_notes: change.engineer_notes, fx_rate: null, network_locked: true, purchase_date: '2026-11-02' },
  })
  expect(item.logs[0].content.data).toContainEqual({ attributeName: 'supplier', from: null, to: 'Pallets "Ltd", \\o/' })
  expect(await takeBack(bulk)).toEqual({ restored: 3, kept: [] })
  const known = (all: { updated_at: Date }[]) => all.map(({ updated_at: _, ...row }) => row)
  expect(known(await rows('select * from stock where id = any($1) order by id', items))).toEqual(known(before))
})

test('an undo puts no item into a batch that is locked or gone, nor a deleted supplier or VAT type back', async () => {
  const { id: locked, items: inLocked } = await batchOf(t.db, shop, user.id, 2)
  const { id: gone, items: inGone } = await batchOf(t.db, shop, user.id, 2)
  const supplier: number = (await user.post('/api/supplier/create', { company_name: 'Short-lived' })).body.data.id
  const [supplied] = await stockItems(t.db, shop, 1, { supplier_id: supplier })
  const out = await edit([...inLocked, ...inGone], { status: 'In Stock', batch_id: null })
  const without = await edit([supplied!], { supplier_id: null })
  const admin = await t.user('ROLE_ADMIN')
  const vat: number = (await admin.post('/api/vat/create', { name: 'Short-lived', rate: 7 })).body.data.id
  const [taxed] = await stockItems(t.db, shop, 1, { vat_id: vat })
  const otherwise = await edit([taxed!], { vat_id: shop.vat.standard })
  await user.post(`/api/batch/${locked}/edit`, { is_locked: true })
  expect((await user.delete(`/api/batch/${gone}/delete`)).status).toBe(200)
  expect((await user.delete(`/api/supplier/${supplier}/delete`)).status).toBe(200)
  expect((await admin.delete(`/api/vat/${vat}/delete`)).status).toBe(200)
  const isLocked = inLocked.map((id) => `#${id}: Batch #${locked} is locked.`)
  const isGone = inGone.map((id) => `#${id}: Batch #${gone} no longer exists.`)
  const refused = (reason: string) => ({ status: 409, body: { message: `No item can be restored now. ${reason}` } })
  expect(await undo(out)).toMatchObject(refused([...isLocked, ...isGone].join(' ')))
  expect(await undo(without)).toMatchObject(refused(`#${supplied}: Its supplier #${supplier} no longer exists.`))
  expect(await undo(otherwise)).toMatchObject(refused(`#${taxed}: Its VAT type #${vat} no longer exists.`))

  // Once a reason is gone, the undo restores what it can.
  await user.post(`/api/batch/${locked}/edit`, { is_locked: false })
  expect((await takeBack(out)).restored).toBe(2)
})

test('the first of two acts on an item can be undone once the second has been', async () => {
  const [item] = await stockItems(t.db, shop, 1, { sales_price: 10_000 })
  const first = await edit([item!], { sales_price: 20_000 })
  const second = await edit([item!], { sales_price: 30_000 })
  const third = await edit([item!], { sales_price: 40_000 })
  await takeBack(third)
  await takeBack(second)
  expect(await takeBack(first)).toEqual({ restored: 1, kept: [] })
  expect(await stockOf(item!)).toMatchObject({ sales_price: 10_000 })
})

testInTurn('10,000 items at once are written and taken back', async () => {
  const ids: number[] = []
  for (let n = 0; n < 10; n++) ids.push(...(await stockItems(t.db, shop, 1000)))
  const bulk = await edit(ids, { sales_price: 12_345 })
  expect(await takeBack(bulk)).toEqual({ restored: 10_000, kept: [] })
  expect(await rows('select distinct sales_price from stock where id = any($1)', ids)).toEqual([
    { sales_price: 30_000 },
  ])
})
