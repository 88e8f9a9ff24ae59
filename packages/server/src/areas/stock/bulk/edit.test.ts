import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../../invariants/check.ts'
import { type Client, testApp } from '../../../testing/app.ts'
import { testInTurn } from '../../../testing/in-turn.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { untilSomebodyWaits } from '../../../testing/until-waiting.ts'
import { previewOf } from './plan-edit.ts'

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
const whole = (ids: readonly number[]) =>
  rows(`select to_jsonb(s) - 'updated_at' as row from stock s where id = any($1) order by id`, ids)
const pricesOf = async (ids: readonly number[]) =>
  (await rows('select sales_price from stock where id = any($1) order by id', ids)).map((row) => row.sales_price)
const preview = (which: object, changes: object, client = user) =>
  client.post('/api/stock/bulk/preview', { ...which, changes })
const apply = (which: object, changes: object, token: string, client = user, key?: string) =>
  client.post('/api/stock/bulk', { ...which, changes, token }, key ? { 'idempotency-key': key } : {})
const tokenOf = async (which: object, changes: object) => (await preview(which, changes)).body.data.token as string
/** Previews a bulk edit and carries it out. */
const edit = async (which: object, changes: object, client = user) =>
  apply(which, changes, await tokenOf(which, changes), client)
const undo = (id: number) => user.post(`/api/stock/bulk/${id}/undo`)

test('prices of many: what the preview shows is done, logged for each, told once and undone', async () => {
  const items = await stockItems(t.db, shop, 60)
  await rows('update stock set sales_price = null where id = $1', items[3])
  await rows('update stock set sales_price = 31499 where id = $1', items[4])
  const before = await whole(items)
  const changes = { sales_price: { percent: 5, of: 'sales_price', round: '.99' } }
  const { status, body } = await preview({ items }, changes)
  expect(status).toBe(200)
  const { rows: shown, token, ...counts } = body.data
  expect(counts).toEqual({
    ...{ pasted: null, receipts: null },
    ...{ matched: 60, will_change: 59, unchanged: 0 },
    refused: [{ reason: 'It has no sales price.', count: 1, ids: [items[3]] }],
  })
  expect(shown).toHaveLength(50)
  expect(shown[0]).toEqual({
    ...{ id: items[0], status: 'In Stock', imei: expect.any(String), imei2: null, serial_number: null },
    ...{ grade_name: null, product_display_name: 'Apple iPhone 13 128 GB' },
    changes: [{ attributeName: 'sales_price', from: 30_000, to: 31_499 }],
  })
  expect(await whole(items)).toEqual(before)

  const done = await apply({ items }, changes, token)
  expect(done.body).toMatchObject({
    message: 'Changed 59 items. Left unchanged for the reasons in the preview: 1 item.',
  })
  const { bulk_id } = done.body.data
  expect(done.body.data).toEqual({ bulk_id, changed: 59, left_out: 1 })
  const after = await pricesOf(items)
  expect([after[0], after[3], after[4]]).toEqual([31_499, null, 33_099])
  const { recent_logs } = (await user.get('/api/auth')).body.user
  expect(recent_logs[0]).toMatchObject({
    ...{ loggable_type: 'Bulk edit', loggable_id: bulk_id },
    content: { data: { message: 'Edited 59 items: sales price +5%, rounded to .99.' } },
  })
  expect(await rows('select count(*)::int as n from log where bulk_id = $1 and of_many', bulk_id)).toEqual([{ n: 59 }])
  const listed = (await user.get(`/api/stock/bulk/find?id=${bulk_id}`)).body.data
  expect(listed).toMatchObject([
    {
      kind: 'edit',
      items_count: 59,
      can_undo: true,
      changes,
      message: 'Edited 59 items: sales price +5%, rounded to .99.',
    },
  ])

  expect((await undo(bulk_id)).body.data).toEqual({ restored: 59, kept: [] })
  expect(await whole(items)).toEqual(before)
})

test('every field is written, and taken back', async () => {
  const [first, second] = await stockItems(t.db, shop, 2, { engineer_notes: 'Scratched', status: 'Inbound' })
  const items = [first!, second!]
  const supplier: number = (await user.post('/api/supplier/create', { company_name: 'Pallets' })).body.data.id
  const { id: batch } = await batchOf(t.db, shop, user.id, 1)
  const [grade] = await rows('select id, name from grade order by id limit 1')
  const before = await whole(items)
  const changes = {
    ...{ status: 'In Stock', supplier_id: supplier, vat_type_id: shop.vat.standard, purchase_treatment: 'margin' },
    ...{ batch_id: batch, grade_id: grade.id, functional: 'working', location: 'Shelf 3', network_locked: true },
    ...{ note: 'Counted', purchase_price: { add: 1000 }, sales_price: { percent: 35, of: 'purchase_price' } },
  }
  const { body } = await edit({ items }, changes)
  expect(body.message).toBe('Changed 2 items.')
  expect((await user.get(`/api/stock/find?id=${first}`)).body.data[0]).toMatchObject({
    ...{ status: 'In Batch', supplier_id: supplier, vat_type_id: shop.vat.standard, purchase_treatment: 'margin' },
    ...{ batch_id: batch, grade_id: grade.id, functional: 'working', location: 'Shelf 3', network_locked: true },
    // The sales price is a percentage of the purchase price, so it follows the new one.
    ...{ engineer_notes: 'Scratched\nCounted', purchase_price: 21_000, sales_price: 28_350 },
  })
  const [{ message }] = await rows(
    `select content->'data'->>'message' as message from log where loggable_type = 'Bulk edit' and loggable_id = $1`,
    body.data.bulk_id,
  )
  expect(message).toBe(
    `Edited 2 items: status In Stock; supplier Pallets; VAT Standard; batch Batch of 1; grade ${grade.name}; ` +
      'bought under Margin scheme; function Working; location Shelf 3; network locked; a note; ' +
      'purchase price +10.00; sales price = cost +35%.',
  )
  expect((await undo(body.data.bulk_id)).body.data).toEqual({ restored: 2, kept: [] })
  expect(await whole(items)).toEqual(before)

  const cleared = { supplier_id: null, grade_id: '', functional: null, location: '', sales_price: { set: null } }
  const again = await edit({ items }, cleared)
  expect(again.body.data.changed).toBe(2)
  expect(await pricesOf(items)).toEqual([null, null])
})

test('an item that is no longer here takes no location, and one that cost nothing no percentage', async () => {
  const [free, sold, sent, deleted] = await stockItems(t.db, shop, 4, { location: 'Old' })
  for (const [id, ...statuses] of [[sold], [sent, 'Awaiting Dispatch', 'Dispatched']] as const) {
    const sale = { customer_id: shop.customer, stock_items: [{ id }], send_email: false, create_invoice: false }
    const made = await user.post('/api/sale/create', sale)
    for (const status of statuses) await user.post(`/api/sale/${made.body.data.id}/edit`, { status })
  }
  await user.post(`/api/stock/${deleted}/edit`, { status: 'Deleted' })
  const items = [free, sold, sent, deleted]
  const moved = await edit({ items }, { location: 'New' })
  expect(moved.body.data).toMatchObject({ changed: 2, left_out: 2 })
  const { refused } = (await preview({ items }, { location: 'Other' })).body.data
  expect(refused.map(Object.values)).toEqual([
    ['It is Sold and no longer here, so its location stays as it is.', 1, [sent]],
    ['It is Deleted and no longer here, so its location stays as it is.', 1, [deleted]],
  ])
  const places = await rows('select location from stock where id = any($1) order by id', items)
  expect(places.map(({ location }) => location)).toEqual(['New', 'New', 'Old', 'Old'])
  // An item that is gone keeps the location that it has.
  const same = (await preview({ items: [sent, deleted] }, { location: 'Old' })).body.data
  expect(same).toMatchObject({ will_change: 0, unchanged: 2, refused: [] })
  // A deleted item that comes back can get a location, and the location of an item that is gone can be cleared.
  expect((await preview({ items: [deleted] }, { status: 'In Stock', location: 'New' })).body.data.will_change).toBe(1)
  expect((await preview({ items }, { location: null })).body.data.will_change).toBe(4)

  await rows('update stock set purchase_price = 0 where id = $1', free)
  const priced = (await preview({ items }, { sales_price: { percent: 35, of: 'purchase_price' } })).body.data
  expect(priced).toMatchObject({ will_change: 3, refused: [{ reason: 'It has no cost.', count: 1, ids: [free] }] })
})

test('the rules of a single edit hold: what is sold, in a locked batch or elsewhere is refused, and why', async () => {
  const [sold, back, free, inbound] = await stockItems(t.db, shop, 4)
  const sale = { customer_id: shop.customer, stock_items: [{ id: sold }], send_email: false, create_invoice: false }
  expect((await user.post('/api/sale/create', sale)).status).toBe(201)
  await rows(`update stock set status = 'Inbound' where id = $1`, inbound)
  await user.post(`/api/stock/${back}/edit`, { status: 'Deleted' })
  const locked = await batchOf(t.db, shop, user.id, 2, true)
  const open = await batchOf(t.db, shop, user.id, 1)
  const items = [sold!, back!, free!, inbound!, ...locked.items, ...open.items, 999_999]
  const reasons = async (changes: object) => {
    const { data } = (await preview({ items }, changes)).body
    expect(
      data.will_change + data.unchanged + data.refused.reduce((n: number, r: { count: number }) => n + r.count, 0),
    ).toBe(data.matched)
    return [data.will_change, data.unchanged, ...data.refused.map((r: object) => Object.values(r))]
  }
  const gone = ['It does not exist.', 1, [999_999]]
  expect(await reasons({ status: 'In Stock' })).toEqual([
    ...[2, 1, ['An item that is In Batch cannot become In Stock.', 3, [...locked.items, ...open.items]]],
    ...[['An item that is Sold cannot become In Stock.', 1, [sold]], gone],
  ])
  expect(await reasons({ purchase_price: { set: 5 } })).toEqual([
    ...[6, 0, ['Cannot be changed: the item is Sold.', 1, [sold]], gone],
  ])
  const message = `Batch #${locked.id} is locked: items can be neither added nor removed.`
  expect(await reasons({ batch_id: open.id })).toEqual([
    ...[1, 1, [message, 2, locked.items]],
    ...[['Only In Stock items can join a batch; this one is Sold.', 1, [sold]]],
    ...[['Only In Stock items can join a batch; this one is Deleted.', 1, [back]]],
    ...[['Only In Stock items can join a batch; this one is Inbound.', 1, [inbound]], gone],
  ])
  expect(await reasons({ batch_id: locked.id })).toEqual([
    ...[0, 2, [message, 5, [sold, back, free, inbound, ...open.items]], gone],
  ])
  const { body } = await edit({ items }, { location: 'B4' })
  expect(body.data).toMatchObject({ changed: 6, left_out: 2 })
})

test('an item that comes back into hand brings no identifier of another', async () => {
  const imei = newImei()
  const deleted = { status: 'Deleted', in_hand: false } as const
  const [here] = await stockItems(t.db, shop, 1)
  const [{ imei: taken }] = await rows('select imei from stock where id = $1', here)
  const items = [
    ...(await stockItems(t.db, shop, 1, { ...deleted, imei })),
    ...(await stockItems(t.db, shop, 1, { ...deleted, imei2: imei })),
    ...(await stockItems(t.db, shop, 1, { ...deleted, imei: taken })),
    ...(await stockItems(t.db, shop, 1, deleted)),
    ...(await stockItems(t.db, shop, 1, { ...deleted, imei: null, serial_number: taken })),
  ]
  const { data } = (await preview({ items }, { status: 'In Stock' })).body
  expect([data.will_change, data.refused]).toEqual([
    1,
    [{ reason: 'Another item already has this IMEI.', count: 4, ids: [items[2], items[4], items[0], items[1]] }],
  ])
  expect((await edit({ items }, { status: 'In Stock' })).body.data).toMatchObject({ changed: 1, left_out: 4 })

  await stockItems(t.db, shop, 1, { backstock_id: 'BACK-1', meid: 'A1000000000077' })
  const twins = [
    ...(await stockItems(t.db, shop, 1, { ...deleted, backstock_id: 'back-1' })),
    ...(await stockItems(t.db, shop, 1, { ...deleted, meid: 'A1000000000077' })),
  ]
  const { refused } = (await preview({ items: twins }, { status: 'In Stock' })).body.data
  expect(refused).toEqual([
    { reason: 'Another item already has this Backstock ID.', count: 1, ids: [twins[0]] },
    { reason: 'Another item already has this MEID.', count: 1, ids: [twins[1]] },
  ])
})

test('a price in another currency changes by a percentage of itself alone', async () => {
  const items = await stockItems(t.db, shop, 1, { purchase_currency: 'PLN', fx_rate: 4, purchase_price: 40_000 })
  const set = await preview({ items }, { purchase_price: { set: 100 } })
  expect(set.body.data).toMatchObject({
    will_change: 0,
    refused: [{ reason: expect.stringContaining('not bought in EUR') }],
  })
  const changes = {
    purchase_price: { percent: 10, of: 'purchase_price' },
    sales_price: { percent: -50, of: 'purchase_price', never_below_cost: true },
  }
  expect((await edit({ items }, changes)).body.data.changed).toBe(1)
  expect(await rows('select purchase_price, cost, sales_price from stock where id = any($1)', items)).toEqual([
    { purchase_price: 44_000, cost: 11_000, sales_price: 11_000 },
  ])
})

test('all that match a filter are changed, as the list finds them', async () => {
  const supplier: number = (await user.post('/api/supplier/create', { company_name: 'Filtered' })).body.data.id
  const items = await stockItems(t.db, shop, 5, { supplier_id: supplier, status: 'Inbound' })
  await rows(`update stock set status = 'In Stock' where id = $1`, items[0])
  const filter = { supplier_id: String(supplier), status: 'Inbound', page: '2', per_page: 10, order_by: 'id_asc' }
  const { data } = (await preview({ filter }, { status: 'In Stock' })).body
  expect([data.matched, data.will_change]).toEqual([4, 4])
  expect((await apply({ filter }, { status: 'In Stock' }, data.token)).body.data).toMatchObject({ changed: 4 })
  // After the edit, no item matches the filter any more.
  expect((await preview({ filter }, { status: 'In Stock' })).body.data).toMatchObject({ matched: 0, rows: [] })
  const named = { supplier_id: [supplier], search: 'iphone', status: ['In Stock', 'Sold'] }
  expect((await preview({ filter: named }, { location: 'A' })).body.data).toMatchObject({ matched: 5, will_change: 5 })
})

test('pasted prices: each line means one of the items, or is named', async () => {
  const items = await stockItems(t.db, shop, 5)
  const imeis = (await rows('select imei from stock where id = any($1) order by id', items)).map(({ imei }) => imei)
  await rows(`update stock set serial_number = 'SN-77', imei2 = $2 where id = $1`, items[3], newImei())
  const [other] = await rows('select imei from stock where id <> all($1) and imei is not null limit 1', items)
  const pasted = [
    ...['IMEI\tPrice', `${imeis[0]}\t249,90`, `${imeis[1].slice(0, 14)}\t199.00`, '', `${imeis[2]};10`],
    ...[`${imeis[2]}\t10`, 'sn-77\t150 EUR', `${other.imei}\t5`, `${imeis[4]}\t1.234,50`],
  ]
  const changes = { sales_price: { pasted, never_below_cost: true } }
  const { data } = (await preview({ items }, changes)).body
  expect(data).toMatchObject({ matched: 5, will_change: 3, unchanged: 2 })
  expect(data.pasted).toEqual({
    ...{ right: 3, wrong: 5 },
    lines: [
      { line: 1, text: 'IMEI Price', problem: 'It does not end in a price such as 249.90.' },
      { line: 5, text: `${imeis[2]};10`, problem: `Item #${items[2]} appears 2 times.` },
      { line: 6, text: `${imeis[2]} 10`, problem: `Item #${items[2]} appears 2 times.` },
      { line: 8, text: `${other.imei} 5`, problem: 'None of these items has this identifier.' },
      { line: 9, text: `${imeis[4]} 1.234,50`, problem: 'It does not end in a price such as 249.90.' },
    ],
  })
  const done = await apply({ items }, changes, data.token)
  expect(done.body.data).toMatchObject({ changed: 3, left_out: 0 })
  // Two of the pasted prices are below cost, so their items get their cost as the price.
  expect(await pricesOf(items)).toEqual([24_990, 20_000, 30_000, 20_000, 30_000])
  const { data: acts } = (await user.get(`/api/stock/bulk/find?id=${done.body.data.bulk_id}`)).body
  expect(acts[0].changes).toEqual({ sales_price: { pasted: true, never_below_cost: true } })
})

test('a mistyped IMEI among pasted prices means no other phone', async () => {
  const items = await stockItems(t.db, shop, 2)
  const [{ imei }] = await rows('select imei from stock where id = $1', items[0])
  const mistyped = imei.slice(0, 14) + ((Number(imei[14]) + 1) % 10)
  const changes = { sales_price: { pasted: [`${mistyped}\t5`] } }
  const { data } = (await preview({ items }, changes)).body
  const problem = `The check digit of IMEI ${mistyped} is wrong: look for a typing mistake.`
  expect([data.will_change, data.pasted.lines]).toEqual([0, [{ line: 1, text: `${mistyped} 5`, problem }]])
  // The mistyped IMEI may still be a serial number.
  await rows('update stock set serial_number = $2 where id = $1', items[1], mistyped)
  const found = (await preview({ items }, changes)).body.data
  expect(found.rows.map(({ id }: { id: number }) => id)).toEqual([items[1]])
  // If it means two of the items, neither gets the price.
  await rows('update stock set backstock_id = $2 where id = $1', items[0], mistyped)
  const several = (await preview({ items }, changes)).body.data
  expect([several.will_change, several.pasted.lines]).toEqual([
    0,
    [{ line: 1, text: `${mistyped} 5`, problem: 'Several of these items have this identifier.' }],
  ])
})

test('prices alone go by the order of the items, and are as many', async () => {
  const items = await stockItems(t.db, shop, 3)
  const [a, b, c] = items
  const ordered = [c, a, b]
  expect((await edit({ items: ordered }, { sales_price: { pasted: ['1', '2', '3.50', ''] } })).status).toBe(200)
  expect(await pricesOf(items)).toEqual([200, 350, 100])
  const wrong = await preview({ items: ordered }, { sales_price: { pasted: ['1', '2'] } })
  expect([wrong.status, wrong.body.data.errors]).toEqual([
    422,
    { 'changes.sales_price.pasted': expect.stringContaining('2 lines for 3 items') },
  ])
  // In each column, one line is empty and the last line is a sum. There are as many prices as items, but no item may
  // get its neighbour's price.
  for (const [pasted, line] of [
    [['1', '', '3', '4'], 2],
    [['', '1', '2', '3'], 1],
  ] as const) {
    const { status, body } = await preview({ items: ordered }, { sales_price: { pasted } })
    expect([status, body.data.errors]).toEqual([
      422,
      {
        'changes.sales_price.pasted': `Line ${line} is empty, so it is not clear to which items the prices below it belong.`,
      },
    ])
  }
  // A line that cannot be read must not move prices to other items.
  const { data } = (await preview({ items: ordered }, { sales_price: { pasted: ['1', 'x', '3'] } })).body
  expect(data).toMatchObject({ will_change: 0, pasted: { right: 0, wrong: 1 } })
  const filtered = await preview({ filter: { ids: items } }, { sales_price: { pasted: ['1', '2', '3'] } })
  expect(filtered.body.data.errors['changes.sales_price.pasted']).toContain('needs an identifier')
})

test.each([
  [{ shape: 'round' }, `The stock list has no filter called 'shape'.`],
  [{ id: 5 }, `The stock list has no filter called 'id'.`],
  [{ 'a\u0007': '1' }, 'The stock list has no filter called that.'],
  [{ search: 'a\u0007b' }, /^search: Has a control character \(U\+0007\)/],
  [{ status: 'Lost' }, /^status must be one of/],
  [{ supplier_id: 'x' }, /^supplier_id must be a whole number/],
])('the filter %j is refused', async (filter, message) => {
  const { status, body } = await preview({ filter }, { location: 'A' })
  expect([status, body.message]).toEqual([400, expect.stringMatching(message)])
})

test.each([
  [{ items: [1] }, {}, { changes: 'Choose what to change.' }],
  [{ items: [] }, { location: 'A' }, { items: 'Choose at least one item.' }],
  [{}, { location: 'A' }, { items: 'Either items or a filter is needed.' }],
  [{ items: [1], filter: {} }, { location: 'A' }, { items: 'Either items or a filter is needed.' }],
  [{ items: Array(10_001).fill(1) }, { location: 'A' }, { items: 'At most 10,000 items at once.' }],
  [{ items: [1] }, { status: 'Sold' }, { 'changes.status': 'Must be one of In Stock, Deleted.' }],
  [{ items: [1] }, { supplier_id: 999 }, { 'changes.supplier_id': 'This record does not exist. Choose another.' }],
  [{ items: [1] }, { note: ' ' }, { 'changes.note': 'This field is required.' }],
  [{ items: [1] }, { location: 'a\u0000' }, { 'changes.location': expect.stringContaining('U+0000') }],
  [{ items: [1] }, { imei: '1' }, { changes: expect.stringContaining('imei') }],
  [
    { items: [1] },
    { sales_price: { set: 5, add: 5 } },
    { 'changes.sales_price': expect.stringContaining('Give one of') },
  ],
  [{ items: [1] }, { sales_price: { percent: 5 } }, { 'changes.sales_price': expect.stringContaining('Give one of') }],
  [
    { items: [1] },
    { sales_price: { percent: 5.123, of: 'sales_price' } },
    { 'changes.sales_price.percent': 'At most two decimals.' },
  ],
  [
    { items: [1] },
    { sales_price: { percent: -101, of: 'sales_price' } },
    { 'changes.sales_price.percent': 'Must be from -100 to 1000.' },
  ],
  [
    { items: [1] },
    { purchase_price: { set: null } },
    { 'changes.purchase_price': expect.stringContaining('Give one of') },
  ],
])('%j with %j is refused', async (which, changes, errors) => {
  const { status, body } = await preview(which, changes)
  expect([status, body.data.errors]).toEqual([422, errors])
})

test('more notes than an act can keep are refused, before anything is written', async () => {
  const items = await stockItems(t.db, shop, 1001)
  const changes = { note: 'x'.repeat(10_000) }
  const { status, body } = await preview({ items }, changes)
  expect([status, body.data.errors]).toEqual([422, { 'changes.note': expect.stringContaining('choose fewer items.') }])
  expect((await preview({ items: items.slice(1) }, changes)).body.data.will_change).toBe(1000)
})

test('a preview has the 50 commonest reasons, each with five items, and one line for the others', async () => {
  const each = (n: number) => Array.from({ length: n === 51 ? 7 : 1 }, (_, k) => [100 * n + k, `Reason ${n}.`] as const)
  const refused = new Map(Array.from({ length: 53 }, (_, n) => each(n)).flat())
  const wrong = Array.from({ length: 60 }, (_, n) => ({ line: n + 1, text: 'x', problem: 'No price.' }))
  const { refused: reasons, pasted } = await previewOf(t.db.read, {
    edits: [],
    unchanged: 0,
    refused,
    pasted: { prices: new Map([[1, 100]]), wrong },
    token: 'x',
  })
  // It shows the first 50 lines that it cannot read, and tells how many there are.
  expect(pasted).toEqual({ right: 1, wrong: 60, lines: wrong.slice(0, 50) })
  expect(reasons).toHaveLength(51)
  expect(reasons.slice(0, 2)).toEqual([
    { reason: 'Reason 51.', count: 7, ids: [5100, 5101, 5102, 5103, 5104] },
    { reason: 'Reason 0.', count: 1, ids: [0] },
  ])
  expect(reasons.at(-1)).toEqual({ reason: 'For other reasons.', count: 3, ids: [4900] })
})

test('a token that is none is refused plainly, and one of another preview with what would happen now', async () => {
  const items = await stockItems(t.db, shop, 3)
  const changes = { sales_price: { add: 100 } }
  for (const token of ['', 'x', 'A'.repeat(64)])
    expect((await apply({ items }, changes, token)).body.data.errors).toEqual({
      token: 'Must be the token of a preview.',
    })
  const token = await tokenOf({ items }, changes)
  expect((await user.post(`/api/stock/${items[1]}/edit`, { sales_price: 40_000 })).status).toBe(200)
  const refused = await apply({ items }, changes, token)
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('nothing was changed')])
  const now = refused.body.data.preview
  expect(now).toMatchObject({ matched: 3, will_change: 3 })
  expect(now.rows[1].changes).toEqual([{ attributeName: 'sales_price', from: 40_000, to: 40_100 }])
  expect(await pricesOf(items)).toEqual([30_000, 40_000, 30_000])
  expect((await apply({ items }, changes, now.token)).status).toBe(200)
  // A change of another field does not matter, because the preview's token covers only the fields that the edit
  // changes.
  const next = await tokenOf({ items }, changes)
  await user.post(`/api/stock/${items[1]}/edit`, { location: 'Elsewhere' })
  expect((await apply({ items }, changes, next)).status).toBe(200)
  const none = { location: 'Elsewhere' }
  expect(await apply({ items: [items[1]] }, none, await tokenOf({ items: [items[1]] }, none))).toMatchObject({
    ...{ status: 409, body: { message: 'There is nothing to change.' } },
  })
})

test('a repeated request is one, with the same answer', async () => {
  const items = await stockItems(t.db, shop, 2)
  const changes = { sales_price: { add: 100 } }
  const token = await tokenOf({ items }, changes)
  const answers = await Promise.all([1, 2].map(() => apply({ items }, changes, token, user, 'one-edit')))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]!.body).toEqual(answers[1]!.body)
  expect(await pricesOf(items)).toEqual([30_100, 30_100])
  // An item that a request names twice is one.
  const twice = (await preview({ items: [...items, ...items] }, changes)).body.data
  expect(twice).toMatchObject({ matched: 2, will_change: 2 })
})

test('two people edit the same items at once: one does, the other sees the result', async () => {
  const other = await t.user()
  for (let turn = 0; turn < 5; turn++) {
    const items = await stockItems(t.db, shop, 20)
    const [mine, theirs] = [{ sales_price: { percent: 10, of: 'sales_price' } }, { sales_price: { add: 1000 } }]
    const tokens = [await tokenOf({ items }, mine), await tokenOf({ items: items.toReversed() }, theirs)]
    const [one, two] = await Promise.all([
      apply({ items }, mine, tokens[0]!),
      apply({ items: items.toReversed() }, theirs, tokens[1]!, other),
    ])
    expect([one!.status, two!.status].toSorted()).toEqual([200, 409])
    expect(new Set(await pricesOf(items))).toEqual(new Set([one!.status === 200 ? 33_000 : 31_000]))
  }
})

test('an edit against a sale, a batch that is locked and a deletion: nothing half', async () => {
  const other = await t.user()
  for (let turn = 0; turn < 5; turn++) {
    const { id: batch } = await batchOf(t.db, shop, user.id, 1)
    const items = await stockItems(t.db, shop, 12)
    const changes = { batch_id: batch, vat_type_id: shop.vat.standard }
    const token = await tokenOf({ items }, changes)
    const before = await whole(items)
    const sale = {
      customer_id: shop.customer,
      stock_items: [{ id: items[5] }],
      send_email: false,
      create_invoice: false,
    }
    const [edited, ...others] = await Promise.all([
      apply({ items }, changes, token),
      other.post('/api/sale/create', sale),
      other.post(`/api/batch/${batch}/edit`, { is_locked: true }),
      other.post(`/api/stock/${items[2]}/edit`, { status: 'Deleted' }),
    ])
    expect([200, 409]).toContain(edited!.status)
    for (const { status } of others) expect([200, 201, 409, 422]).toContain(status)
    const after = await whole(items)
    const joined = after.filter(({ row }) => row.batch_id === batch).length
    if (edited!.status === 200) expect(joined).toBeGreaterThanOrEqual(11)
    else
      expect([joined, after.filter((row, n) => JSON.stringify(row) === JSON.stringify(before[n])).length]).toEqual([
        0,
        expect.toBeOneOf([10, 11, 12]),
      ])
  }
})

test('an item that stops to match while the edit waits for it is left out', async () => {
  const supplier: number = (await user.post('/api/supplier/create', { company_name: 'Leaving' })).body.data.id
  const items = await stockItems(t.db, shop, 3, { supplier_id: supplier })
  const filter = { supplier_id: supplier }
  const changes = { location: 'Shelf' }
  const token = await tokenOf({ filter }, changes)
  const holder = await t.db.pool.connect()
  await holder.query('begin')
  await holder.query('update stock set supplier_id = null where id = $1', [items[1]])
  const edited = apply({ filter }, changes, token)
  await untilSomebodyWaits(t.db)
  await holder.query('commit')
  holder.release()
  const { status, body } = await edited
  expect([status, body.data.preview.matched]).toEqual([409, 2])
  expect(await rows('select distinct location from stock where id = any($1)', items)).toEqual([{ location: null }])
})

testInTurn('10,000 at once, by a filter too; more are refused', async () => {
  const supplier: number = (await user.post('/api/supplier/create', { company_name: 'Large' })).body.data.id
  const items: number[] = []
  for (let n = 0; n < 10; n++) items.push(...(await stockItems(t.db, shop, 1000, { supplier_id: supplier })))
  const filter = { supplier_id: supplier }
  const { body } = await edit({ filter }, { sales_price: { percent: 5, of: 'sales_price', round: '.99' } })
  expect(body.data).toMatchObject({ changed: 10_000, left_out: 0 })
  expect((await edit({ items }, { note: 'Counted "all", {every} one\\' })).body.data).toMatchObject({ changed: 10_000 })
  expect((await undo(body.data.bulk_id)).status).toBe(409)
  await stockItems(t.db, shop, 1, { supplier_id: supplier })
  const { status, body: refused } = await preview({ filter }, { location: 'A' })
  expect([status, refused.data.errors.filter]).toEqual([422, 'More than 10,000 items match: narrow the list down.'])
})
