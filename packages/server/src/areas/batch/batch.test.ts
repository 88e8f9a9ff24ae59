import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { batchOf, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { untilSomebodyWaits } from '../../testing/until-waiting.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
})
afterAll(() => t.close())

const load = async (id: number) => (await staff.get(`/api/batch/find?id=${id}`)).body.data[0]
const addItems = (batch_id: number, items: number[], from?: number) =>
  staff.post('/api/batch/add-items', { batch_id, items: items.join(','), ...(from ? { id: from } : {}) })
const emptyBatch = async (): Promise<{ id: number }> =>
  (await t.db.pool.query(`insert into batch (user_id, name) values ($1, 'Empty') returning id`, [staff.id])).rows[0]
const itemsOf = async (id: number): Promise<number[]> =>
  (await t.db.pool.query('select id from stock where batch_id = $1 order by id', [id])).rows.map((row) => row.id)

test('a batch counts and sums its items but the Deleted ones, in the list as on its page', async () => {
  const batch = await batchOf(t.db, shop, staff.id, 3)
  await t.db.pool.query(`update stock set sales_price = null where id = $1`, [batch.items[0]])
  await t.db.pool.query(`update stock set status = 'Deleted', in_hand = false where id = $1`, [batch.items[2]])
  const totals = { total_purchase_price: 40_000, total_sales_price: 30_000, margin: -10_000 }
  const sums = { ...totals, items_count: 2, unpriced_items: 1 }
  const page = await load(batch.id)
  expect(page).toMatchObject({ ...sums, user_name: 'Person 1' })
  expect(page.items.map((item: { id: number }) => item.id)).toEqual([...batch.items].reverse())
  const { body } = await staff.get('/api/batch/find?search=batch of 3&user_id=me&is_locked=false')
  expect(body.data[0]).toMatchObject({ id: batch.id, ...sums })
  expect(body.data[0]).not.toHaveProperty('items')
  const unpriced = await batchOf(t.db, shop, staff.id, 1)
  await t.db.pool.query('update stock set sales_price = null where id = $1', unpriced.items)
  expect(await load(unpriced.id)).toMatchObject({ total_sales_price: 0, margin: -20_000, unpriced_items: 1 })
  const select = (await staff.get(`/api/batch/find?user_id=${staff.id + 1000}&ajax_id=${batch.id}`)).body
  expect([select.data.map((row: { id: number }) => row.id), select.total]).toEqual([[batch.id], 0])
})

test('a new batch takes its items, also by moving them, and may be locked from the start', async () => {
  const items = await stockItems(t.db, shop, 2)
  const made = await staff.post('/api/batch/create', { name: 'First', priority: 5, items })
  expect([made.status, made.body.data.items_count, made.body.data.user_id]).toEqual([201, 2, staff.id])
  const moved = await staff.post('/api/batch/create', {
    name: 'Second',
    is_locked: true,
    items: items.join(),
    id: made.body.data.id,
  })
  expect(moved.body.data).toMatchObject({ items_count: 2, is_locked: true })
  expect(await itemsOf(made.body.data.id)).toEqual([])
  const item = (await staff.get(`/api/stock/find?id=${items[0]}`)).body.data[0]
  expect(item.logs[0].content.data).toEqual([{ attributeName: 'batch', from: 'First', to: 'Second' }])
  const listed = `items #${items[0]}, #${items[1]}.`
  const told = async (id: number) =>
    (await load(id)).logs.map((entry: { content: { data: { message?: string } } }) => entry.content.data.message)
  const [first, second] = [made.body.data, moved.body.data]
  expect(await told(first.id)).toEqual([`Moved to batch #${second.id}: ${listed}`, `Added: ${listed}`, undefined])
  expect(await told(second.id)).toEqual([`Moved from batch #${first.id}: ${listed}`, undefined])
  expect(second.logs.at(-1).content.data).toEqual(
    expect.arrayContaining([
      { attributeName: 'name', from: null, to: 'Second' },
      { attributeName: 'is_locked', from: null, to: true },
    ]),
  )
  const here = await addItems(first.id, items, first.id)
  expect([here.status, here.body.data.errors]).toEqual([422, { batch_id: 'The items are in this batch already.' }])
})

test('batches are sorted by priority or by name, as people read them; a quick search has only their names', async () => {
  for (const [name, priority] of [
    ['Sorted 10', 2],
    ['sorted 9', 3],
    ['Sorted 11', 1],
  ] as const)
    expect((await staff.post('/api/batch/create', { name, priority })).status).toBe(201)
  const names = async (query: string) =>
    (await staff.get(`/api/batch/find?search=sorted&${query}`)).body.data.map((row: { name: string }) => row.name)
  const byName = ['sorted 9', 'Sorted 10', 'Sorted 11']
  expect(await names('order_by=name_asc')).toEqual(byName)
  expect(await names('order_by=priority_asc')).toEqual(['Sorted 11', 'Sorted 10', 'sorted 9'])
  expect(await names('order_by=id_desc')).toEqual(['Sorted 11', 'sorted 9', 'Sorted 10'])
  expect(await names('is_locked=true')).toEqual([])
  const [hit] = (await staff.get('/api/batch/find?quick=true&search=sorted 9')).body.data
  expect(hit).toEqual({ id: expect.any(Number), name: 'sorted 9' })
})

test('adding and moving are all or nothing, and name the items that cannot join', async () => {
  const [to, from] = [await emptyBatch(), await batchOf(t.db, shop, staff.id, 2)]
  const [free, inbound] = [
    (await stockItems(t.db, shop, 1))[0]!,
    (await stockItems(t.db, shop, 1, { status: 'Inbound' }))[0]!,
  ]
  const other = await batchOf(t.db, shop, staff.id, 1)
  const deleted = (await stockItems(t.db, shop, 1, { status: 'Deleted', in_hand: false, batch_id: from.id }))[0]!
  for (const [items, source, stuck, why] of [
    [[free, inbound], undefined, inbound, 'not In Stock'],
    [[free, from.items[0]!], undefined, from.items[0], 'not In Stock'],
    [[from.items[0]!, free], from.id, free, `not in batch #${from.id}`],
    [[from.items[0]!, other.items[0]!], from.id, other.items[0], `not in batch #${from.id}`],
    [[from.items[0]!, deleted], from.id, deleted, `not in batch #${from.id}`],
  ] as const) {
    const refused = await addItems(to.id, [...items], source)
    const message = `Cannot join the batch: item #${stuck} (${why}).`
    expect([refused.status, refused.body.message, refused.body.data.errors]).toEqual([409, message, { items: message }])
  }
  const unknown = await addItems(to.id, [free, 1_999_999_999])
  expect([unknown.status, unknown.body.message]).toEqual([422, 'There is no item #1999999999.'])
  const nothing = await addItems(to.id, [])
  expect([nothing.status, nothing.body.data.errors]).toEqual([422, { items: expect.stringContaining('at least one') }])
  const nowhere = await addItems(2_000_000, [free])
  expect([nowhere.status, nowhere.body.message]).toEqual([404, 'Batch #2000000 does not exist.'])
  expect((await addItems(to.id, [free], 2_000_000)).body.data.errors).toEqual({
    id: 'This record does not exist. Choose another.',
  })
  expect(await itemsOf(to.id)).toEqual([])
  const added = await addItems(to.id, from.items, from.id)
  expect([added.status, added.body.message]).toEqual([200, `Items added to batch #${to.id}.`])
  expect(await Promise.all([to, from, other].map(({ id }) => itemsOf(id)))).toEqual([
    from.items,
    [deleted],
    other.items,
  ])
  expect((await addItems(to.id, [free, free])).body.message).toBe(`Item added to batch #${to.id}.`)
})

const basketOf = async () => {
  const { body, headers } = await staff.get(`/api/user/${staff.id}/basket`)
  return { items: body.data.map((item: { id: number }) => item.id), etag: headers['etag'] as string }
}
const fillBasket = (items: number[], headers = {}) => staff.put(`/api/user/${staff.id}/basket`, { items }, headers)

test('an item that joins a batch leaves the basket; one that stays out or is moved stays in it', async () => {
  const [a, b, c, d] = (await stockItems(t.db, shop, 4)) as [number, number, number, number]
  await fillBasket([a, b, c, d])
  const made = await staff.post('/api/batch/create', { name: 'From the basket', items: [a, c] })
  expect((await basketOf()).items).toEqual([b, d])
  expect((await addItems((await emptyBatch()).id, [d])).status).toBe(200)
  expect((await basketOf()).items).toEqual([b])

  await fillBasket([a, b])
  const moved = await staff.post('/api/batch/create', { name: 'Moved', items: [a], id: made.body.data.id })
  expect([moved.status, (await basketOf()).items]).toEqual([201, [a, b]])
})

test('a batch that is refused leaves the basket; another window that did not know of the batch loses nothing', async () => {
  const [a, b] = (await stockItems(t.db, shop, 2)) as [number, number]
  const [inbound] = (await stockItems(t.db, shop, 1, { status: 'Inbound' })) as [number]
  await fillBasket([a, inbound])
  expect((await staff.post('/api/batch/create', { name: 'No', items: [a, inbound] })).status).toBe(409)
  expect((await staff.post('/api/batch/create', { name: '', items: [a] })).status).toBe(422)
  const { items, etag } = await basketOf()
  expect(items).toEqual([a, inbound])

  expect((await staff.post('/api/batch/create', { name: 'Yes', items: [a] })).status).toBe(201)
  expect((await fillBasket([a, inbound, b], { 'if-match': etag })).status).toBe(412)
  expect((await basketOf()).items).toEqual([inbound])
})

test('a locked batch neither gains nor loses items, and is not deleted', async () => {
  const locked = await batchOf(t.db, shop, staff.id, 2, true)
  const open = await batchOf(t.db, shop, staff.id, 1)
  const answers = [
    await addItems(locked.id, await stockItems(t.db, shop, 1)),
    await addItems(locked.id, open.items, open.id),
    await addItems(open.id, locked.items, locked.id),
    await staff.post('/api/batch/create', { name: 'New', items: locked.items, id: locked.id }),
    await staff.post(`/api/batch/${locked.id}/remove-item/${locked.items[0]}`),
    await staff.delete(`/api/batch/${locked.id}/delete`),
  ]
  const fixed = `Batch #${locked.id} is locked: items can be neither added nor removed.`
  expect(answers.map(({ status, body }) => [status, body.message])).toEqual([
    ...Array(5).fill([409, fixed]),
    [409, `Batch #${locked.id} is locked and cannot be deleted.`],
  ])
  expect([await itemsOf(locked.id), await itemsOf(open.id)]).toEqual([locked.items, open.items])
})

test('removing an item puts it back In Stock; one of another batch is not there', async () => {
  const [batch, other] = [await batchOf(t.db, shop, staff.id, 2), await batchOf(t.db, shop, staff.id, 1)]
  const removed = await staff.post(`/api/batch/${batch.id}/remove-item/${batch.items[0]}`)
  expect([removed.status, removed.body.data.items_count, removed.body.message]).toEqual([
    ...[200, 1, `Item #${batch.items[0]} removed from batch #${batch.id}.`],
  ])
  expect(removed.body.data.logs[0].content.data.message).toBe(`Removed: item #${batch.items[0]}.`)
  const elsewhere = await staff.post(`/api/batch/${batch.id}/remove-item/${other.items[0]}`)
  expect([elsewhere.status, elsewhere.body.message]).toEqual([
    ...[404, `Item #${other.items[0]} in batch #${batch.id} does not exist.`],
  ])
  const item = (await staff.get(`/api/stock/find?id=${batch.items[0]}`)).body.data[0]
  expect([item.status, item.logs[0].content.data[0]]).toEqual([
    'In Stock',
    { attributeName: 'status', from: 'In Batch', to: 'In Stock' },
  ])
})

test('deleting a batch puts its unsold items back In Stock; sold ones merely lose it', async () => {
  const batch = await batchOf(t.db, shop, staff.id, 3)
  const [sold, deleted, unsold] = batch.items
  await t.db.pool.query(
    `with s as (insert into sale (customer_id, buyer, prices_include_vat, total_items, total_purchase_price, total_sales_price,
       total_sales_price_vat) values ($1, '{}', false, 0, 0, 0, 0) returning id)
     update stock set status = 'Sold', sale_id = s.id from s where stock.id = $2`,
    [shop.customer, sold],
  )
  await t.db.pool.query(`update stock set status = 'Deleted', in_hand = false where id = $1`, [deleted])
  expect((await staff.delete(`/api/batch/${batch.id}/delete`)).status).toBe(200)
  const { rows } = await t.db.pool.query('select status, batch_id from stock where id = any($1) order by id', [
    batch.items,
  ])
  expect(rows).toEqual(['Sold', 'Deleted', 'In Stock'].map((status) => ({ status, batch_id: null })))
  expect(unsold).toBeDefined()
  const { body } = await staff.get(`/api/log/find?loggable_type=Batch&loggable_id=${batch.id}`)
  expect(body.data[0].content.data.message).toBe('Batch "Batch of 3" deleted.')
  const logged = await staff.get(`/api/log/find?loggable_type=Stock&loggable_id=${sold}`)
  expect(logged.body.data[0].content.data).toEqual([{ attributeName: 'batch', from: 'Batch of 3', to: null }])
})

test.each(['deleted', 'sold from and deleted'])(
  'an item that joins a batch while it is %s is taken out, too',
  async (how) => {
    const batch = await batchOf(t.db, shop, staff.id, 1)
    const [joining] = await stockItems(t.db, shop, 1)
    const other = await t.db.pool.connect()
    await other.query('begin')
    await other.query('select from batch where id = $1 for update', [batch.id])
    const answer =
      how === 'deleted'
        ? staff.delete(`/api/batch/${batch.id}/delete`)
        : staff.post('/api/sale/create', {
            ...{ stock_items: [{ id: batch.items[0] }], customer_id: shop.customer, send_email: false },
            ...{ create_invoice: false, batch_id: batch.id, delete_batch: true },
          })
    await untilSomebodyWaits(t.db)
    await other.query(`update stock set status = 'In Batch', batch_id = $1 where id = $2`, [batch.id, joining])
    await other.query('commit')
    other.release()
    expect((await answer).body).toMatchObject({ success: true })
    const { rows } = await t.db.pool.query('select status, batch_id from stock where id = $1', [joining])
    expect(rows).toEqual([{ status: 'In Stock', batch_id: null }])
  },
)

test('an edit is logged, a stale one refused', async () => {
  const { id } = await emptyBatch()
  const { updated_at } = await load(id)
  const edited = await staff.post(`/api/batch/${id}/edit`, { name: 'Renamed', is_locked: 'true', updated_at })
  expect(edited.body.data).toMatchObject({ name: 'Renamed', is_locked: true, priority: 0 })
  expect(
    edited.body.data.logs[0].content.data.map((change: { attributeName: string }) => change.attributeName),
  ).toEqual(['name', 'is_locked'])
  // Log entries that are added later change nothing about a stale edit.
  await t.db.pool.query(`insert into log (loggable_type, loggable_id, content, at)
    select 'Batch', ${id}, '{"type": "message", "data": {"message": "Added"}}', clock_timestamp() + interval '1 minute'`)
  const late = await staff.post(`/api/batch/${id}/edit`, { name: 'Late', updated_at })
  expect(late.status).toBe(409)
  expect(late.body.message).toMatch(/^Changed by Person 1 /)
})

test('locking, adding, moving, deleting and stock edits at once: no deadlock, no locked batch changed', async () => {
  for (let turn = 0; turn < 12; turn++) {
    const [a, b] = [await batchOf(t.db, shop, staff.id, 3), await batchOf(t.db, shop, staff.id, 3)]
    const free = await stockItems(t.db, shop, 3)
    const [lock, ...others] = await Promise.all([
      staff.post(`/api/batch/${a.id}/edit`, { is_locked: true }),
      addItems(a.id, free),
      addItems(b.id, [...free].reverse()),
      addItems(b.id, a.items, a.id),
      addItems(a.id, [...b.items].reverse(), b.id),
      staff.delete(`/api/batch/${b.id}/delete`),
      staff.post(`/api/stock/${a.items[1]}/edit`, { batch_id: b.id }),
      staff.post(`/api/stock/${free[1]}/edit`, { batch_id: a.id }),
      staff.post(`/api/batch/${a.id}/remove-item/${a.items[2]}`),
    ])
    expect(lock!.status).toBe(200)
    for (const { status, body } of others) expect([200, 404, 409, 422], JSON.stringify(body)).toContain(status)
    // Requests after the lock were refused, so the lock is the last entry in the batch's log.
    const { body } = await staff.get(`/api/log/find?loggable_type=Batch&loggable_id=${a.id}&per_page=50`)
    expect(body.data[0].content).toMatchObject({ type: 'model_update', data: [{ attributeName: 'is_locked' }] })
    const { rows } = await t.db.pool.query(
      `select status, count(*)::int as n, (select sum(c.n)::int from stock_count c where c.status = s.status) as counted
       from stock s group by status`,
    )
    for (const row of rows) expect(row.counted).toBe(row.n)
  }
})
