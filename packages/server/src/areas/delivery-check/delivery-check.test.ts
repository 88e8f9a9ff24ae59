import type { DeliveryCounts, ScannedLine } from '@backstock/contract/delivery-check.ts'
import { imeiKey, luhnCheckDigit } from '@backstock/contract/imei.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { untilDecided } from '../../testing/ask-again.ts'
import { applyUndo, importCsv } from '../../testing/csv-upload.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { untilSomebodyWaits } from '../../testing/until-waiting.ts'

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
const act = (id: number, verb: string, body: object = {}, client = user) =>
  client.post(`/api/stock/check/${id}/${verb}`, body)
const checkOf = async (id: number, query = '') => (await user.get(`/api/stock/check/${id}${query}`)).body.data
const counts = async (id: number): Promise<DeliveryCounts> => (await checkOf(id)).counts
const scan = async (id: number, codes: string[], client = user): Promise<ScannedLine[]> => {
  const { status, body } = await untilDecided(() => act(id, 'scan', { codes }, client))
  expect([status, body.message]).toEqual([200, expect.any(String)])
  return body.data.lines
}
const imeisOf = async (ids: number[]) =>
  (await rows('select imei from stock where id = any($1) order by id', ids)).map((row) => row.imei as string)
const statusesOf = async (ids: number[]) =>
  (await rows('select status from stock where id = any($1) order by id', ids)).map((row) => row.status as string)

async function newSupplier(company_name: string): Promise<number> {
  return (await user.post('/api/supplier/create', { company_name })).body.data.id
}
let deliveries = 0
/** Makes a check of `n` Inbound items of a new supplier. */
async function checked(n: number, columns: Parameters<typeof stockItems>[3] = {}) {
  const supplier = await newSupplier(`Deliverer ${++deliveries}`)
  const items = await stockItems(t.db, shop, n, { status: 'Inbound', supplier_id: supplier, ...columns })
  const made = await user.post('/api/stock/check', { filter: { supplier_id: supplier } })
  expect(made.status).toBe(201)
  return { id: made.body.data.id as number, supplier, items, imeis: await imeisOf(items) }
}

test('a delivery is scanned, received and received no more; each list has what belongs there', async () => {
  const { id, supplier, items, imeis } = await checked(5)
  expect(await checkOf(id)).toMatchObject({
    ...{ name: `Deliverer ${deliveries}`, state: 'open', supplier_id: supplier, expected_count: 5, scanned_count: 0 },
    counts: { expected: 5, matched: 0, missing: 5, unexpected: 0, twice: 0, received: 0, receivable: 0 },
  })
  const toCome = (await checkOf(id, '?show=missing&per_page=3&page=2')).lines
  expect([toCome.total, toCome.rows.map((row: { item: { id: number } }) => row.item.id)]).toEqual([5, items.slice(3)])
  const [elsewhere] = await stockItems(t.db, shop, 1)
  await user.post(`/api/stock/${items[3]}/edit`, { status: 'In Stock' })
  const unknown = newImei()
  const lines = await scan(id, [
    imeis[0]!,
    imeis[1]!.slice(0, 14),
    `${imeis[0]!.slice(0, 14)}07`,
    '',
    ` ]C1${imeis[2]!.replace(/^(..)(.{6})/, '$1-$2 ')}`,
    imeis[3]!,
    `#${elsewhere}`,
    unknown,
    '4006381333931',
    '8'.repeat(32),
  ])
  expect(lines.map(({ result, n, message, item }) => [result, n, message, item?.id ?? null])).toEqual([
    ['matched', 1, 'Matched.', items[0]],
    ['matched', 1, 'Matched.', items[1]],
    ['matched', 2, 'Matched.', items[0]],
    ['matched', 1, 'Matched.', items[2]],
    ['received', 1, 'In the delivery, and In Stock already.', items[3]],
    ['unexpected', 1, `Not in this delivery: item #${elsewhere} is In Stock.`, elsewhere],
    ['unknown', 1, 'Unknown: no item has this code.', null],
    ['hint', 1, expect.stringMatching(/^That is the EAN of the box/), null],
    ['hint', 1, expect.stringMatching(/^That is the EID/), null],
  ])
  const sums = { expected: 5, matched: 3, missing: 1, unexpected: 2, twice: 1, received: 1, receivable: 3 }
  expect(await counts(id)).toEqual(sums)
  const listed = async (show: string) => {
    const { lines } = await checkOf(id, `?show=${show}`)
    return [lines.total, lines.rows.map((row: { item: { id: number } | null }) => row.item?.id ?? null)]
  }
  expect(await listed('matched')).toEqual([3, [items[2], items[1], items[0]]])
  expect(await listed('missing')).toEqual([1, [items[4]]])
  expect(await listed('unexpected')).toEqual([2, [null, elsewhere]])
  expect(await listed('twice')).toEqual([1, [items[0]]])
  expect(await listed('received')).toEqual([1, [items[3]]])
  const paged = await checkOf(id, '?show=matched&per_page=2&page=2')
  expect(paged.lines).toMatchObject({ rows: [{ item: { id: items[0] }, n: 2, user_name: 'Person 2' }], last_page: 2 })

  const received = await act(id, 'receive')
  expect(received.body).toMatchObject({ message: 'Received 3 items.', data: { received: 3, kept: [], left: 0 } })
  expect(await statusesOf(items)).toEqual(['In Stock', 'In Stock', 'In Stock', 'In Stock', 'Inbound'])
  expect(await counts(id)).toEqual({ ...sums, receivable: 0 })
  expect((await act(id, 'receive')).status).toBe(409)
  expect(await scan(id, [imeis[4]!])).toMatchObject([{ result: 'matched', n: 1 }])
  expect((await act(id, 'receive')).body.data).toMatchObject({ received: 1, kept: [] })
  const { undoable } = await checkOf(id)
  expect(undoable).toMatchObject([{ items_count: 1 }, { items_count: 3, check_id: id }])

  expect((await user.post(`/api/stock/bulk/${undoable[1].id}/undo`)).body.data).toEqual({ restored: 3, kept: [] })
  expect(await statusesOf(items)).toEqual(['Inbound', 'Inbound', 'Inbound', 'In Stock', 'In Stock'])
  expect(await counts(id)).toMatchObject({ matched: 4, missing: 0, receivable: 3 })
  expect((await act(id, 'receive')).body.data).toMatchObject({ received: 3 })
  // The item was In Stock when it was scanned, and became Inbound later. The next scan counts it as expected.
  await rows(`update stock set status = 'Inbound' where id = $1`, items[3])
  expect(await scan(id, [imeis[3]!])).toMatchObject([{ result: 'matched', n: 2 }])
})

test('20 people scan the same 200 codes at once: each is matched once; of many who receive one does', async () => {
  const { id, items, imeis } = await checked(200)
  const people = [user, ...(await Promise.all(Array.from({ length: 4 }, () => t.user())))]
  const shuffled = (by: number) => imeis.map((_, n) => imeis[(n * 7 + by * 13) % imeis.length]!)
  const told = await Promise.all(
    Array.from({ length: 20 }, async (_, by) => {
      const codes = shuffled(by)
      const first = await scan(id, codes.slice(0, 120), people[by % people.length])
      return [...first, ...(await scan(id, codes.slice(120), people[by % people.length]))]
    }),
  )
  for (const lines of told) expect(lines.every(({ result }) => result === 'matched')).toBe(true)
  const firsts = told.flat().filter(({ n }) => n === 1)
  expect(firsts).toHaveLength(200)
  expect(new Set(firsts.map(({ item }) => item!.id)).size).toBe(200)
  expect(await counts(id)).toMatchObject({ expected: 200, matched: 200, missing: 0, unexpected: 0, twice: 200 })
  expect(await rows('select distinct n from delivery_scan where check_id = $1', id)).toEqual([{ n: 20 }])

  const answers = await Promise.all(people.map((person) => act(id, 'receive', {}, person)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  expect(await rows('select cardinality(items) as n from bulk_edit where check_id = $1', id)).toEqual([{ n: 200 }])
  expect(new Set(await statusesOf(items))).toEqual(new Set(['In Stock']))
})

test('an item that was sold, deleted or batched between scan and receipt stays, and is named', async () => {
  const { id, items, imeis } = await checked(4)
  await scan(id, imeis)
  const [sold, deleted, batched] = items
  for (const item of [sold, batched]) await user.post(`/api/stock/${item}/edit`, { status: 'In Stock' })
  const sale = { customer_id: shop.customer, stock_items: [{ id: sold, sales_price: 30_000 }] }
  expect((await user.post('/api/sale/create', sale)).status).toBe(201)
  await user.post(`/api/stock/${deleted}/edit`, { status: 'Deleted' })
  expect((await user.post('/api/batch/create', { name: 'Mixed', items: [batched] })).status).toBe(201)
  const { data, type, message } = (await act(id, 'receive')).body
  expect([type, message]).toEqual(['warning', 'Received 1 item. Left as they are: 3 items.'])
  expect(data).toMatchObject({ received: 1 })
  expect(data.kept.toSorted((a: { id: number }, b: { id: number }) => a.id - b.id)).toEqual([
    { id: sold, reason: 'It is Sold already.' },
    { id: deleted, reason: 'It is Deleted already.' },
    { id: batched, reason: 'It is In Batch already.' },
  ])
  expect(await statusesOf(items)).toEqual(['Sold', 'Deleted', 'In Batch', 'In Stock'])
})

test('the answer to a scan warns unless each code is an expected item', async () => {
  const { id, imeis } = await checked(2)
  const told = async (codes: string[]) => {
    const { type, message } = (await act(id, 'scan', { codes })).body
    return [type, message]
  }
  expect(await told([imeis[0]!])).toEqual(['success', 'Matched.'])
  expect(await told(imeis)).toEqual(['success', '2 codes scanned.'])
  expect(await told([...imeis, newImei()])).toEqual(['warning', '3 codes scanned. Not matched: 1.'])
  expect(await told([newImei()])).toEqual(['warning', 'Unknown: no item has this code.'])
})

test('a code never silently means another phone', async () => {
  const { id, items, imeis } = await checked(2)
  const key = imeiKey(imeis[0]!)
  const wrong = key + ((Number(luhnCheckDigit(key)) + 1) % 10)
  expect(await scan(id, [wrong])).toMatchObject([{ result: 'hint', message: expect.stringContaining('check digit') }])

  // The serial number of one item is the Backstock ID of the other.
  const [one] = await stockItems(t.db, shop, 1, { imei: null, serial_number: 'TWIN-77' })
  const [other] = await stockItems(t.db, shop, 1, { imei: null, serial_number: 'OTHER', backstock_id: 'twin-77' })
  expect(await scan(id, ['Twin-77'])).toMatchObject([
    { result: 'hint', message: expect.stringContaining(`several items: #${one}, #${other}`) },
  ])
  // The S in front of Apple's serial numbers is taken off if only the rest finds an item. If both texts find one, the
  // answer names both.
  const [bare] = await stockItems(t.db, shop, 1, { imei: null, serial_number: 'F2LXQ1ABCD' })
  expect(await scan(id, ['SF2LXQ1ABCD'])).toMatchObject([{ result: 'unexpected', item: { id: bare } }])
  await stockItems(t.db, shop, 1, { imei: null, serial_number: 'SF2LXQ1ABCD' })
  expect(await scan(id, ['SF2LXQ1ABCD'])).toMatchObject([{ result: 'hint' }])
  // A number with the form of an EAN may still be a serial number.
  const [eight] = await stockItems(t.db, shop, 1, { imei: null, serial_number: '40170725' })
  expect(await scan(id, ['40170725', '40170726'])).toMatchObject([
    { result: 'unexpected', item: { id: eight } },
    { result: 'hint' },
  ])
  // A phone may have been here several times. Its code then means the item that is here now, or the newest item if none
  // is here.
  await stockItems(t.db, shop, 1, { imei: imeis[1]!, status: 'Deleted', in_hand: false })
  expect(await scan(id, [imeis[1]!])).toMatchObject([{ result: 'matched', item: { id: items[1] } }])
  const again = newImei()
  const left = [1, 2].map(() => stockItems(t.db, shop, 1, { imei: again, status: 'Deleted', in_hand: false }))
  const newest = Math.max(...(await Promise.all(left)).flat())
  expect(await scan(id, [again])).toMatchObject([
    { result: 'unexpected', message: `Not in this delivery: item #${newest} is Deleted.` },
  ])
  expect(await scan(id, ['#999999999'])).toMatchObject([{ result: 'hint', message: 'There is no item #999999999.' }])
})

test('an unknown code is an item once it has been added and scanned again; a repeated request counts once', async () => {
  const { id } = await checked(1)
  const imei = newImei()
  const send = (key: string) => user.post(`/api/stock/check/${id}/scan`, { codes: [imei] }, { 'idempotency-key': key })
  expect((await send('a')).body).toEqual((await send('a')).body)
  expect(await rows('select n, result from delivery_scan where check_id = $1', id)).toEqual([
    { n: 1, result: 'unknown' },
  ])
  // So do a check of a filter, and a receipt.
  const { supplier, id: known, imeis } = await checked(1)
  const begin = () =>
    user.post('/api/stock/check', { filter: { supplier_id: supplier } }, { 'idempotency-key': 'begin' })
  expect((await begin()).body).toEqual((await begin()).body)
  expect((await user.get(`/api/stock/check/find?supplier_id=${supplier}`)).body.total).toBe(2)
  await scan(known, imeis)
  const receive = () => user.post(`/api/stock/check/${known}/receive`, {}, { 'idempotency-key': 'receive' })
  for (const answer of [await receive(), await receive()])
    expect([answer.status, answer.body.message]).toEqual([200, 'Received 1 item.'])
  // A scanner may read an IMEI with its check digit or without.
  expect(await scan(id, [imei.slice(0, 14)])).toMatchObject([{ result: 'unknown', n: 2 }])
  const [added] = await stockItems(t.db, shop, 1, { imei, status: 'Inbound' })
  expect((await send('b')).body.data.lines).toMatchObject([{ result: 'unexpected', n: 1, item: { id: added } }])
  expect(await counts(id)).toMatchObject({ unexpected: 1, twice: 0 })
})

test('the claim list has what is missing and what came instead, without formulas and without other prices', async () => {
  const { id, items } = await checked(3, { purchase_date: '2026-11-02' })
  // Somebody has received this item without scanning it.
  await user.post(`/api/stock/${items[2]}/edit`, { status: 'In Stock' })
  const [elsewhere] = await stockItems(t.db, shop, 1)
  const [first, second] = await imeisOf(items)
  const [known] = await imeisOf([elsewhere!])
  await scan(id, [first!, '=HYPERLINK("http://x")', known!])
  const answer = await user.get(`/api/stock/check/${id}/csv`)
  expect(answer.headers['content-disposition']).toBe(`attachment; filename="delivery-check-${id}.csv"`)
  expect(answer.body).toBe(
    `\uFEFF${[
      'what,imei,serial_number,scanned,product,purchase_date,purchase_price,purchase_currency',
      `Missing,${second},,,Apple iPhone 13 128 GB,2026-11-02,200.00,EUR`,
      `Not in the delivery,,,"'=HYPERLINK(""http://x"")",,,,`,
      `Not in the delivery,${known},,${known},Apple iPhone 13 128 GB,,,`,
    ]
      .map((line) => `${line}\n`)
      .join('')}`,
  )
})

test('a phone that a customer has sent back is not claimed as missing, nor received or expected again', async () => {
  const { id, items, imeis, supplier } = await checked(2)
  const [, missing] = await imeisOf(items)
  await user.post(`/api/stock/${items[0]}/edit`, { status: 'In Stock' })
  const sale = await user.post('/api/sale/create', {
    ...{ customer_id: shop.customer, stock_items: [{ id: items[0] }], create_invoice: false, send_email: false },
  })
  for (const status of ['Awaiting Dispatch', 'Dispatched'])
    expect((await user.post(`/api/sale/${sale.body.data.id}/edit`, { status })).status).toBe(200)
  const back = await user.post('/api/return/create', {
    ...{ customer_id: shop.customer, items: [{ id: items[0], outcome: 'to_supplier' }], received: true },
  })
  expect([back.status, await statusesOf(items)]).toEqual([201, ['Inbound', 'Inbound']])
  const lines = (await user.get(`/api/stock/check/${id}/csv`)).body.trim().split('\n').slice(1)
  expect(lines.map((line: string) => line.split(',').slice(0, 2))).toEqual([['Missing', missing]])

  // It has come once, so an open check counts it as received, and does not put it in stock.
  expect(await scan(id, imeis)).toMatchObject([
    { result: 'received', message: 'In the delivery, but a customer has sent it back.' },
    { result: 'matched' },
  ])
  expect((await checkOf(id)).counts).toMatchObject({ matched: 1, received: 1, receivable: 1 })
  expect((await act(id, 'receive')).body.data).toMatchObject({ received: 1, kept: [] })
  expect(await statusesOf(items)).toEqual(['Inbound', 'In Stock'])
  const more = await stockItems(t.db, shop, 1, { status: 'Inbound', supplier_id: supplier })
  const next = await user.post('/api/stock/check', { filter: { supplier_id: supplier } })
  expect((await rows('select expected from delivery_check where id = $1', next.body.data.id))[0].expected).toEqual(more)
})

test('an import has one open check; a closed one takes no scans until it is opened again', async () => {
  const lines = Array.from({ length: 3 }, () => `${newImei()},Apple,iPhone 13,128,GB,Phone,249.90`)
  const header = 'imei,make,model,capacity,capacity_unit,category,purchase_price'
  const file = { csv: [header, ...lines].join('\n'), name: 'pallet.csv' }
  const { id: import_id } = await importCsv(t, user, file)
  const other = await t.user()
  const made = await Promise.all([user, other, user, other].map((one) => one.post('/api/stock/check', { import_id })))
  expect(made.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201])
  const ids = new Set(made.map(({ body }) => body.data.id))
  expect(ids.size).toBe(1)
  const [id] = ids
  expect(await checkOf(id)).toMatchObject({ name: 'pallet.csv', import_id, expected_count: 3, supplier_id: null })
  const found = async (query: string) =>
    (await user.get(`/api/stock/check/find?${query}`)).body.data.map((row: { id: number }) => row.id)
  expect(await found(`import_id=${import_id}&state=open`)).toEqual([id])
  expect(await found('search=PALLET')).toEqual([id])

  expect((await act(id, 'close')).body).toMatchObject({
    message: `Delivery check #${id} is closed.`,
    data: { state: 'closed', closed_at: expect.any(String) },
  })
  expect((await act(id, 'close')).status).toBe(200)
  for (const verb of ['scan', 'receive'])
    expect(await act(id, verb, { codes: ['a'] })).toMatchObject({
      status: 409,
      body: { message: expect.stringMatching(/is closed/) },
    })
  const { body: second } = await user.post('/api/stock/check', { import_id })
  expect(second.data.id).not.toBe(id)
  expect((await act(id, 'reopen')).body.message).toBe(
    `Import #${import_id} is being checked by delivery check #${second.data.id}.`,
  )
  await act(second.data.id, 'close')
  expect((await act(id, 'reopen')).body.data).toMatchObject({ state: 'open', closed_at: null })
  const { logs } = await checkOf(id)
  expect(logs.map((entry: { content: { data: object } }) => entry.content.data)).toMatchObject([
    [{ attributeName: 'state', from: 'closed', to: 'open' }],
    [{ attributeName: 'state', from: 'open', to: 'closed' }],
    [
      { attributeName: 'name' },
      { attributeName: 'state' },
      { attributeName: 'import' },
      { attributeName: 'expected_items' },
    ],
  ])
  // If a check has received items of an import, the import offers to undo that, too.
  await scan(id, [lines[0]!.split(',')[0]!])
  await act(id, 'receive')
  expect((await user.get(`/api/stock/bulk/receivable?import_id=${import_id}`)).body.data).toMatchObject({
    inbound: 2,
    undoable: [{ check_id: id }],
  })
})

test('a delivery that cannot be checked is refused, with the reason', async () => {
  const refused = async (body: object) => {
    const { status, body: answer } = await user.post('/api/stock/check', body)
    return [status, answer.data?.errors ?? answer.message]
  }
  expect(await refused({})).toEqual([422, { import_id: 'Either an import or a filter is needed.' }])
  expect(await refused({ import_id: 1, filter: {} })).toEqual([422, expect.anything()])
  expect((await refused({ import_id: 999_999 }))[0]).toBe(404)
  const empty = await newSupplier('Sends nothing')
  const used = await checked(1)
  for (const filter of [{ supplier_id: empty }, { ids: [] }, { ids: '' }])
    expect(await refused({ filter })).toEqual([422, { filter: 'No Inbound item matches.' }])
  expect((await user.get(`/api/stock/check/find?supplier_id=${used.supplier}`)).body.total).toBe(1)
  expect((await act(999_999, 'scan', { codes: ['a'] })).status).toBe(404)
  expect((await user.get('/api/stock/check/999999')).status).toBe(404)
  expect((await user.get('/api/stock/check/999999/csv')).status).toBe(404)
  expect((await user.get(`/api/stock/check/${used.id}?show=other`)).status).toBe(400)
  const many = Array.from({ length: 5001 }, (_, n) => `X${n}`)
  expect((await act(used.id, 'scan', { codes: many })).status).toBe(422)
  expect(await scan(used.id, [...many.slice(1), '', ' '])).toHaveLength(5000)
  expect(await counts(used.id)).toMatchObject({ unexpected: 5000 })
  const strange = ['\u0000', '\ud800', "'; drop table stock --", 'x'.repeat(3000), '\u202e123', '#0', '{}', '"', '\\']
  expect(await scan(used.id, strange)).toHaveLength(8)
  const deleted = await user.delete(`/api/supplier/${used.supplier}/delete`)
  expect([deleted.status, deleted.body.message]).toEqual([409, expect.stringContaining('1 delivery check')])
})

testInTurn('a check never silently expects only some of the items: more than 10,000 are refused', async () => {
  const supplier = await newSupplier('Container')
  await rows(
    `insert into stock (status, actual_product_id, supplier_id, serial_number, purchase_price)
     select 'Inbound', $1, $2, 'CONTAINER-' || n, 100 from generate_series(1, 10001) n`,
    shop.product,
    supplier,
  )
  const begin = () => user.post('/api/stock/check', { filter: { supplier_id: supplier } })
  const refused = await begin()
  expect([refused.status, refused.body.data.errors]).toEqual([
    ...[422, { filter: 'At most 10,000 items are checked at once.' }],
  ])
  await rows(`delete from stock where serial_number = 'CONTAINER-1'`)
  expect((await begin()).body.data).toMatchObject({ expected_count: 10_000 })
})

test('many people scan one delivery at once: nobody waits for the scan of another', async () => {
  const { id, imeis } = await checked(1)
  const other = await t.db.pool.connect()
  await other.query('begin')
  await other.query('select from delivery_check where id = $1 for share', [id])
  const { status } = await act(id, 'scan', { codes: imeis })
  await other.query('commit')
  other.release()
  expect(status).toBe(200)
})

test('nobody removes an item while a scan of it is being stored', async () => {
  const { id, items, imeis } = await checked(1)
  const other = await t.db.pool.connect()
  await other.query('begin')
  await other.query('select from delivery_check where id = $1 for update', [id])
  const scanning = act(id, 'scan', { codes: imeis })
  await untilSomebodyWaits(t.db)
  const taking = rows('select from stock where id = any($1) for update nowait', items)
  const [taken] = await Promise.allSettled([taking])
  await other.query('commit')
  other.release()
  expect(taken).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('lock') } })
  expect((await scanning).status).toBe(200)
})

test('items that are no more, since their import was undone, count neither as expected nor as missing', async () => {
  const { id, items, imeis } = await checked(3)
  await scan(id, [imeis[0]!])
  await rows('delete from stock where id = any($1)', items.slice(0, 2))
  expect(await counts(id)).toEqual({
    ...{ expected: 1, matched: 0, missing: 1, unexpected: 0, twice: 0, received: 0, receivable: 0 },
  })
  expect((await checkOf(id, '?show=matched')).lines).toMatchObject({ rows: [], total: 0 })
})

test('a phone that has gone twice is one phone, whichever of its IMEIs stood first', async () => {
  const { id } = await checked(1)
  const [A, B] = [newImei(), newImei()]
  const gone = { status: 'Deleted', in_hand: false } as const
  await stockItems(t.db, shop, 1, { imei: A, imei2: B, ...gone })
  const [newest] = await stockItems(t.db, shop, 1, { imei: B, imei2: A, ...gone })
  for (const code of [A, B])
    expect(await scan(id, [code])).toMatchObject([{ result: 'unexpected', item: { id: newest } }])
})

test('a check of which the undo of its import has left nothing takes no more scans; the next has its own', async () => {
  const [imei, other] = [newImei(), newImei()]
  const csv = [imei, other].map((one) => `${one},Apple,iPhone 13,Phone,200`)
  const bring = () => importCsv(t, user, { csv: ['imei,make,model,category,purchase_price', ...csv].join('\n') })
  const checkImport = async (import_id: number): Promise<number> =>
    (await user.post('/api/stock/check', { import_id })).body.data.id
  const wrong = await bring()
  const emptied = await checkImport(wrong.id)
  await scan(emptied, [imei])
  await user.post(`/api/stock/import/history/${wrong.id}/undo`)
  await applyUndo(t, wrong.id)
  const id = await checkImport((await bring()).id)
  const refused = await act(emptied, 'scan', { codes: [imei] })
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('its import was undone')])
  expect(await scan(id, [imei])).toMatchObject([{ result: 'matched' }])
})
