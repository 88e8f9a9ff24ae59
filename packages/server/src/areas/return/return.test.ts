import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { ReturnLookUpRow } from '@backstock/contract/customer-return.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { untilDecided } from '../../testing/ask-again.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { batchOf, newImei, openShop, runSaleJobs, type Shop, stockItems } from '../../testing/shop.ts'
import { turns } from '../../testing/turns.ts'
import { untilSomebodyWaits } from '../../testing/until-waiting.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
let other: number
let supplier: number

beforeAll(async () => {
  t = await testApp()
  user = await t.user()
  await t.user('ROLE_ADMIN') // check:data wants an administrator
  shop = await openShop(t.db)
  const buyer = { first_name: 'Otto', last_name: 'Other', email: 'otto@example.test', company_name: 'Other GmbH' }
  other = (await user.post('/api/customer/create', buyer)).body.data.id
  supplier = (await user.post('/api/supplier/create', { company_name: 'Palettes SA' })).body.data.id
})
afterAll(() => t.close())

const rows = async (text: string, ...values: unknown[]) => (await t.db.pool.query(text, values)).rows
const stock = async (id: number) => (await user.get(`/api/stock/find?id=${id}`)).body.data[0]
const sale = async (id: number) => (await user.get(`/api/sale/find?id=${id}`)).body.data[0]
const record = async (id: number) => (await user.get(`/api/return/find?id=${id}`)).body.data[0]
const lookUp = async (lines: unknown[]) => (await user.post('/api/return/look-up', { lines })).body
const told = async (type: string, id: number): Promise<string[]> =>
  (await user.get(`/api/log/find?loggable_type=${type}&loggable_id=${id}`)).body.data.flatMap(
    (entry: { content: { data: { message?: string } } }) => entry.content.data.message ?? [],
  )
const create = (body: object) => user.post('/api/return/create', { customer_id: shop.customer, ...body })
const receive = (id: number, body: object = {}) => user.post(`/api/return/${id}/receive`, body)
const some = (...ids: (number | undefined)[]) => ids.map((id) => ({ id }))

async function sell(items: readonly number[], options: object = {}): Promise<number> {
  const sale = {
    ...{ stock_items: items.map((id) => ({ id })), customer_id: shop.customer, send_email: false, create_excel: false },
    ...options,
  }
  const { status, body } = await untilDecided(() => user.post('/api/sale/create', sale))
  expect([status, body.data.errors]).toEqual([201, undefined])
  return body.data.id
}
/** Dispatches sales by SQL, all at once. */
async function dispatch(...ids: number[]): Promise<void> {
  await rows(`update sale set status = 'Dispatched', dispatched_on = current_date where id = any($1)`, ids)
  await rows('update stock set in_hand = false where sale_id = any($1)', ids)
}
/** Makes a dispatched sale of `n` items. */
async function sent(n: number, columns: Parameters<typeof stockItems>[3] = {}, options: object = {}) {
  const items = await stockItems(t.db, shop, n, { vat_id: shop.vat.standard, ...columns })
  const id = await sell(items, options)
  await dispatch(id)
  return { id, items, imeis: await Promise.all(items.map(async (item) => (await stock(item)).imei as string)) }
}

// This test comes first, because it runs all queued jobs.
test('the credit notes go to the customer by mail, one for each sale; a sale without invoice has none', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-returns-'))
  const [one, two] = [await sent(1), await sent(1)]
  const plain = await sent(1, {}, { create_invoice: false })
  const items = [one, two, plain].flatMap((made) => some(made.items[0]))
  const { data, message } = (await create({ items, received: true, send_email: true })).body
  expect(message).toBe(`Return #${data.id} received. 2 credit notes are being made.`)
  expect(data.items.map((item: { credit_id: number | null }) => item.credit_id === null)).toEqual([false, false, true])
  // Documents for several sales have a later turn than those for one sale.
  const waiting = await rows(`
    select priority, count(*) as n from graphile_worker.jobs where task_identifier = 'invoice_render' group by 1 order by 1`)
  expect(waiting).toEqual([
    { priority: 0, n: 2 },
    { priority: 10, n: 4 },
  ])
  await runSaleJobs(t, dataDir)
  const mails = await rows(
    'select sale_id, state, subject, document_ids from mail where sale_id = any($1) order by 1',
    [one.id, two.id, plain.id],
  )
  const [first, second] = data.credit_notes
  expect(mails).toMatchObject([
    { sale_id: one.id, state: 'sent', document_ids: [first.id], subject: expect.stringContaining(first.number) },
    { sale_id: two.id, state: 'sent', document_ids: [second.id] },
  ])
  expect((await record(data.id)).credit_notes).toMatchObject([{ status: 'ready', left_at: expect.any(String) }, {}])
  await rm(dataDir, { recursive: true })
})

describe('looking up', () => {
  test('each line says to whom it was sold, with which invoice, for how much, and from whom it was bought', async () => {
    const bought = { supplier_id: supplier, purchase_date: '2026-09-01', serial_number: `S${randomUUID().slice(0, 8)}` }
    const made = await sent(1, bought)
    const { invoice_number } = await sale(made.id)
    const spaced = made.imeis[0]!.replace(/(\d{6})/, '$1 ')
    const answer = await lookUp(['', spaced, '356000000000001', bought.serial_number.toLowerCase()])
    expect(answer).toMatchObject({
      data: [
        {
          ...{ line: spaced, id: made.items[0], status: 'Sold', returnable: true, why_not: null, return_id: null },
          ...{ supplier_name: 'Palettes SA', purchase_date: '2026-09-01' },
          sale: {
            ...{
              id: made.id,
              status: 'Dispatched',
              customer_id: shop.customer,
              invoice_number,
              price: 30_000,
              noted_at_zero: false,
            },
            ...{ customer_name: 'Zażółć Παπαδόπουλος', prices_include_vat: false },
            ...{ sold_at: expect.any(String), dispatched_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
          },
        },
      ],
      not_found: ['356000000000001'],
      duplicates: [bought.serial_number.toLowerCase()],
      ambiguous: [],
    })
  })

  test('the number on a label is a line, too', async () => {
    const { items, imeis } = await sent(1)
    const answer = await lookUp([`#${items[0]}`, imeis[0]])
    expect(answer).toMatchObject({
      data: [{ line: `#${items[0]}`, id: items[0], returnable: true }],
      duplicates: imeis,
    })
  })

  const whyOf = async (item: number | string) => {
    const line = typeof item === 'string' ? item : ((await stock(item)).imei as string)
    const [row] = (await lookUp([line])).data as ReturnLookUpRow[]
    return [row?.returnable, row?.why_not]
  }

  test('an item that cannot come back says why', async () => {
    const [unsold, waiting] = await stockItems(t.db, shop, 2)
    await sell([waiting!])
    const { id, items } = await sent(3)
    await user.post(`/api/sale/${id}/return-item/${items[0]}`)
    const announced = (await create({ items: some(items[1]) })).body.data
    expect(await whyOf(unsold!)).toEqual([false, 'It is In Stock and has not been sold.'])
    expect(await whyOf(waiting!)).toEqual([false, 'Only items of a dispatched sale can be returned.'])
    expect(await whyOf(items[0]!)).toEqual([false, 'This item has been returned'])
    expect(await whyOf(items[1]!)).toEqual([false, `It is in return #${announced.id} already.`])
    expect(await whyOf(items[2]!)).toEqual([true, null])
    // An item that was sold again, and came back again, is told with its last sale.
    const again = await sell([items[0]!], { customer_id: other })
    await dispatch(again)
    const lastSale = async () => (await lookUp([`#${items[0]}`])).data[0]
    expect(await lastSale()).toMatchObject({ returnable: true, sale: { id: again, customer_name: 'Other GmbH' } })
    await user.post(`/api/sale/${again}/return-item/${items[0]}`)
    expect(await lastSale()).toMatchObject({ why_not: 'This item has been returned', sale: { id: again } })
  })

  test('a phone that was sold twice over the years means the sale that has it now', async () => {
    const imei = newImei()
    const first = await sent(1, { imei })
    const second = await sent(1, { imei }, { customer_id: other })
    expect((await lookUp([imei])).data).toMatchObject([
      { id: second.items[0], returnable: true, sale: { id: second.id, customer_name: 'Other GmbH' } },
    ])
    await user.post(`/api/sale/${second.id}/return-item/${second.items[0]}`)
    const [row] = (await lookUp([imei])).data
    expect(row).toMatchObject({ id: first.items[0], returnable: false, sale: { id: first.id } })
    expect(row.why_not).toContain(`#${second.items[0]}`)
  })

  test('a phone bought again with swapped IMEIs, or with its serial number in capitals, is the same phone', async () => {
    const [imei, imei2] = [newImei(), newImei()]
    const serial = `s${randomUUID().slice(0, 8)}`
    await sent(1, { imei, imei2 })
    await sent(1, { imei: null, serial_number: serial })
    const swapped = await sent(1, { imei: imei2, imei2: imei })
    const capital = await sent(1, { imei: null, serial_number: serial.toUpperCase() })
    for (const [line, { items }] of [
      [imei, swapped],
      [imei2, swapped],
      [serial, capital],
    ] as const)
      expect(await lookUp([line])).toMatchObject({ data: [{ id: items[0], returnable: true }], ambiguous: [] })
  })

  test('a line that may mean two phones means neither, and both are named', async () => {
    const text = `X${randomUUID().slice(0, 8)}`
    const one = await sent(1, { serial_number: text })
    const two = await sent(1, { backstock_id: text })
    const answer = await lookUp([text, text])
    expect(answer.data).toEqual([])
    expect(answer.ambiguous).toEqual([{ line: text, items: expect.arrayContaining([one.items[0], two.items[0]]) }])
    expect(answer.duplicates).toEqual([text])
    expect((await lookUp([`#${one.items[0]}`])).data).toMatchObject([{ id: one.items[0], returnable: true }])
  })

  test('5,000 lines at once, and not one more', async () => {
    const { imeis, items } = await sent(1)
    const made = Array.from({ length: 4_999 }, () => newImei())
    const answer = await lookUp([...made, imeis[0]!])
    expect(answer.data).toMatchObject([{ id: items[0] }])
    expect(answer.not_found).toHaveLength(4_999)
    const tooMany = await user.post('/api/return/look-up', { lines: [...made, ...imeis, newImei()] })
    expect([tooMany.status, tooMany.body.data.errors]).toEqual([422, { lines: 'At most 5000 lines at once.' }])
  })
})

test('announced items change nothing until they come, some of them first; each sale gets its credit note', async () => {
  const [one, two] = [await sent(2), await sent(2)]
  const [a, b, c] = [one.items[0]!, two.items[0]!, two.items[1]!]
  const items = [
    { id: a, reason: 'faulty', condition: 'defective', outcome: 'inbound' },
    { id: b, price: 12_000 },
    { id: c, sale_id: two.id },
  ]
  const made = await create({ note: 'By courier', items })
  expect([made.status, made.body.message]).toEqual([201, expect.stringMatching(/^Return #\d+ created\.$/)])
  const { id } = made.body.data
  expect(made.body.data).toMatchObject({
    ...{ state: 'announced', customer_id: shop.customer, note: 'By courier', created_by_name: expect.any(String) },
    ...{ items_count: 3, items_received: 0, total_credited: 0, received_at: null, credit_notes: [] },
    items: [
      { id: a, sale_id: one.id, reason: 'faulty', condition: 'defective', outcome: 'inbound', price: null },
      { id: b, sale_id: two.id, price: 12_000, sold_price: 30_000, reason: 'not_stated', outcome: 'restock' },
      { id: c, price: null, received_at: null, credit_number: null },
    ],
  })
  for (const item of [a, b, c]) expect(await stock(item)).toMatchObject({ status: 'Sold' })
  expect((await sale(one.id)).documents).toHaveLength(1)

  const first = await receive(id, { items: [{ id: a }, { id: b, condition: 'used' }] })
  const unexpected = await receive(id, { items: some(999_999, a) })
  expect([unexpected.status, unexpected.body.data.errors]).toEqual([
    ...[422, { items: `Return #${id} does not expect item #999999. Return #${id} does not expect item #${a}.` }],
  ])
  const strange = Array.from({ length: 21 }, (_, n) => 999_900 + n)
  const twenty = strange.slice(0, 20).map((one) => `Return #${id} does not expect item #${one}.`)
  expect((await receive(id, { items: some(...strange) })).body.data.errors).toEqual({
    items: `${twenty.join(' ')} And 1 more.`,
  })
  expect(first.status).toBe(200)
  expect(first.body.message).toBe(`Return #${id} received. 2 credit notes are being made.`)
  expect(first.body.data).toMatchObject({
    // 300.00 and 120.00, plus 23% VAT
    ...{ state: 'received', items_received: 2, total_credited: 36_900 + 14_760, received_at: expect.any(String) },
    items: [
      { id: a, status: 'Inbound', price: 30_000, credit_number: expect.stringMatching(/^CN-/) },
      { id: b, status: 'In Stock', price: 12_000, condition: 'used' },
      { id: c, status: 'Sold', received_at: null },
    ],
    credit_notes: [
      { kind: 'credit_note', sale_id: one.id, reason: 'return', total_gross: 36_900 },
      { kind: 'credit_note', sale_id: two.id, reason: 'return', total_gross: 14_760 },
    ],
  })
  expect(await told('Stock', a)).toContain(`Returned from sale #${one.id}.`)
  expect((await told('Sale', two.id)).join()).toContain(`Item #${b} (`)
  expect((await told('Return', id))[0]).toMatch(/^Received: items #\d+, #\d+\. Credited: CN-.* of 369\.00 EUR, CN-/)
  expect(await sale(two.id)).toMatchObject({ items: [{ returned: true }, { returned: false }] })

  const again = await receive(id, { items: some(a) })
  expect([again.status, again.body.message]).toEqual([409, `#${a}: This item has been returned.`])
  await rows(`update customer_return_item set received_at = received_at - interval '1 day' where return_id = $1`, id)
  const rest = await receive(id)
  expect(rest.body.data).toMatchObject({ items_received: 3, total_credited: 2 * 36_900 + 14_760 })
  // The return was received when its last item was.
  const received = rest.body.data.items.map((item: { received_at: string }) => item.received_at)
  expect(rest.body.data.received_at).toBe(received.toSorted().at(-1))
  expect(rest.body.data.credit_notes).toHaveLength(3)
  expect((await receive(id)).body.message).toBe(`Return #${id} expects no more items.`)
  // The limit for bodies allows this, because the items of a large return take as many bytes.
  const settled = await user.post(`/api/return/${id}/edit`, { state: 'settled', filler: 'x'.repeat(300_000) })
  expect(settled.body.data.state).toBe('settled')
  expect((await receive(id)).body.message).toBe(`Return #${id} is settled: it takes no more items. Make a new return.`)
  expect((await receive(id)).body.message).toBe(`Return #${id} is settled: it takes no more items. Make a new return.`)
  for (const state of ['settled', 'received']) {
    await rows('update customer_return set state = $1 where id = $2', state, id)
    const kept = await user.delete(`/api/return/${id}/delete`)
    expect([kept.status, kept.body.message]).toEqual([409, `Return #${id} is ${state} and cannot be deleted.`])
  }
  expect((await told('Return', id)).slice(0, 3)).toEqual([
    expect.stringMatching(/^Received: item #\d+\. Credited: CN-.* of 369\.00 EUR\.$/),
    expect.stringMatching(/^Received: items #\d+, #\d+\. Credited: CN-/),
    `Announced: items #${a}, #${b}, #${c}.`,
  ])
  const changes = (await user.get(`/api/log/find?loggable_type=Return&loggable_id=${id}`)).body.data
    .map((entry: { content: { data: unknown } }) => entry.content.data)
    .filter(Array.isArray)
  expect(changes).toEqual([
    [{ attributeName: 'state', from: 'received', to: 'settled' }],
    [{ attributeName: 'state', from: 'announced', to: 'received' }],
    expect.arrayContaining([
      { attributeName: 'customer', from: null, to: expect.stringContaining('Zażółć') },
      { attributeName: 'note', from: null, to: 'By courier' },
      { attributeName: 'state', from: null, to: 'announced' },
    ]),
  ])
})

test('items move by their outcome; those that are not restocked leave their batch', async () => {
  const [open, second] = [await batchOf(t.db, shop, user.id, 4), await batchOf(t.db, shop, user.id, 1)]
  await rows('update stock set supplier_id = $1 where batch_id = $2', supplier, open.id)
  await dispatch(await sell([...open.items, ...second.items], { remove_from_batch: false }))
  const outcomes = ['restock', 'inbound', 'to_supplier', 'scrap']
  const made = await create({
    items: [
      ...open.items.map((item, n) => ({ id: item, outcome: outcomes[n], reason: 'faulty' })),
      { id: second.items[0], outcome: 'inbound' },
    ],
    received: true,
  })
  expect(made.body.data).toMatchObject({ state: 'received', items_received: 5 })
  expect(await stock(second.items[0]!)).toMatchObject({ status: 'Inbound', batch_id: null })
  const now = await Promise.all(open.items.map(stock))
  expect(now.map(({ status, batch_id }) => [status, batch_id])).toEqual([
    ['In Batch', open.id],
    ['Inbound', null],
    ['Inbound', null],
    ['Deleted', null],
  ])
  expect(await rows('select id from stock where id = any($1) and in_hand', open.items)).toHaveLength(3)
  expect(await told('Batch', open.id)).toContain(
    `Removed: items #${open.items[1]}, #${open.items[2]}, #${open.items[3]}.`,
  )

  const locked = await batchOf(t.db, shop, user.id, 3, true)
  await dispatch(await sell(locked.items, { remove_from_batch: false }))
  const [a, b, c] = locked.items
  const refused = await create({ items: [{ id: a, outcome: 'inbound' }], received: true })
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining(`item #${a} in batch`)])
  expect((await create({ items: [{ id: b, outcome: 'scrap' }, { id: c }], received: true })).status).toBe(201)
  expect(await stock(b!)).toMatchObject({ status: 'Deleted', batch_id: locked.id })
  expect(await stock(c!)).toMatchObject({ status: 'In Batch', batch_id: locked.id })
})

describe('refused', () => {
  const refusal = async (body: object) => {
    const { status, body: answer } = await create(body)
    return [status, answer.data?.errors?.items ?? answer.message]
  }

  test('items of another customer, above their sold price, and never sold', async () => {
    const { id, items } = await sent(2)
    const others = await sent(1, {}, { customer_id: other })
    const [unsold] = await stockItems(t.db, shop, 1)
    expect(await refusal({ items: [...some(items[0]), ...some(others.items[0])] })).toEqual([
      422,
      `Item #${others.items[0]} was sold to Other GmbH in sale #${others.id}.`,
    ])
    const person = { first_name: 'Petra', last_name: 'Private', email: 'petra@example.test' }
    const { id: private_id } = (await user.post('/api/customer/create', person)).body.data
    const hers = await sent(1, {}, { customer_id: private_id })
    expect(await refusal({ items: some(hers.items[0]) })).toEqual([
      422,
      `Item #${hers.items[0]} was sold to Petra Private in sale #${hers.id}.`,
    ])
    expect(await refusal({ items: [{ id: items[0], price: 30_001 }] })).toEqual([
      422,
      `Item #${items[0]}: at most 300.00 EUR can be credited.`,
    ])
    expect(await refusal({ items: [{ id: items[0], price: -1 }] })).toMatchObject([422, expect.anything()])
    expect(await refusal({ items: [{ id: items[0], outcome: 'to_supplier' }] })).toEqual([
      422,
      `Item #${items[0]} has no supplier.`,
    ])
    expect(await refusal({ items: some(unsold) })).toEqual([409, `Item #${unsold} is not sold.`])
    expect(await refusal({ items: [{ id: items[0], sale_id: others.id }] })).toEqual([
      409,
      `Item #${items[0]} is not on sale #${others.id} any more.`,
    ])
    expect(await refusal({ items: some(999_999) })).toEqual([422, 'There is no item #999999.'])
    expect(await refusal({ items: [] })).toEqual([422, 'Choose at least one item.'])
    expect(await refusal({ items: some(items[0], items[0]) })).toEqual([422, 'List each item only once.'])
    expect(await refusal({ items: some(items[0]), customer_id: 999_999 })).toEqual([
      ...[422, 'This record does not exist. Choose another.'],
    ])
    expect((await refusal({ items: [{ id: items[0], outcome: 'burn' }] }))[0]).toBe(422)
    expect((await sale(id)).documents).toHaveLength(1)
  })

  test('items that were not dispatched, are back already, or are in another open return', async () => {
    const [waiting] = await stockItems(t.db, shop, 1)
    await sell([waiting!])
    expect(await refusal({ items: some(waiting), received: true })).toEqual([
      409,
      `#${waiting}: Only items of a dispatched sale can be returned.`,
    ])
    const { items } = await sent(2)
    const { id } = (await create({ items: some(items[0]) })).body.data
    expect(await refusal({ items: some(items[0], items[1]) })).toEqual([
      409,
      `Item #${items[0]} is in return #${id} already.`,
    ])
    await receive(id)
    expect((await refusal({ items: some(items[0]) }))[0]).toBe(409)
  })

  test('an item that came back in this return, and was sold again since', async () => {
    const { items } = await sent(2)
    const { id } = (await create({ items: some(...items) })).body.data
    await receive(id, { items: some(items[0]) })
    await dispatch(await sell([items[0]!]))
    for (const again of [{ id: items[0] }, { id: items[0], price: 100 }]) {
      const { status, body } = await user.post(`/api/return/${id}/edit`, { items: [again, ...some(items[1])] })
      expect([status, body.message]).toEqual([
        409,
        `Item #${items[0]} came back in this return before it was sold again. Make a new return for it.`,
      ])
    }
    expect((await create({ items: some(items[0]), received: true })).status).toBe(201)
  })

  test('a phone that has been bought back meanwhile: it is in hand as another item', async () => {
    const imei = newImei()
    const { items } = await sent(1, { imei })
    const [again] = await stockItems(t.db, shop, 1, { imei })
    const twin = await create({ items: some(items[0]), received: true })
    expect([twin.status, twin.body.message]).toEqual([409, `Item #${again} already has this IMEI.`])
    expect((await create({ items: [{ id: items[0], outcome: 'scrap' }], received: true })).status).toBe(201)
  })

  test('a phone whose IMEI is the serial number of an item in hand', async () => {
    const [imei, serial_number] = [newImei(), `S${randomUUID().slice(0, 8)}`]
    const { items } = await sent(1, { imei, serial_number })
    const [again] = await stockItems(t.db, shop, 1, { imei: null, serial_number: imei })
    const [row] = (await lookUp([serial_number])).data
    const twin = await create({ items: some(items[0]), received: true })
    expect([row.why_not, twin.status, twin.body.message]).toEqual([
      `Item #${again} already has this serial number.`,
      409,
      `Item #${again} already has this serial number.`,
    ])
  })

  test('the same phone twice at once', async () => {
    const imei = newImei()
    const [one, two] = [await sent(1, { imei }), await sent(1, { imei })]
    const both = await create({ items: some(one.items[0], two.items[0]), received: true })
    expect([both.status, both.body.message]).toEqual([409, expect.stringContaining('already has this IMEI')])
  })

  test('an item that leaves the return while it is being received stays with the customer', async () => {
    const { items } = await sent(2)
    const made = (await create({ items: some(...items) })).body.data
    const other = await t.db.pool.connect()
    await other.query('begin')
    await other.query('select from stock where id = $1 for update', [items[0]])
    const receiving = receive(made.id)
    await untilSomebodyWaits(t.db)
    await other.query('delete from customer_return_item where return_id = $1 and stock_id = $2', [made.id, items[1]])
    await other.query('commit')
    other.release()
    const { status, body } = await receiving
    expect([status, body.data.items.map(({ id }: { id: number }) => id)]).toEqual([200, [items[0]]])
    expect(await Promise.all(items.map(async (id) => (await stock(id)).status))).toEqual(['In Stock', 'Sold'])
  })

  test('an item that takes the place of another while the return is being received comes back instead', async () => {
    const { id: saleId, items } = await sent(2)
    const made = (await create({ items: some(items[0]) })).body.data
    const other = await t.db.pool.connect()
    await other.query('begin')
    await other.query('select from stock where id = $1 for update', [items[0]])
    const receiving = receive(made.id)
    await untilSomebodyWaits(t.db)
    await other.query('delete from customer_return_item where return_id = $1', [made.id])
    await other.query(
      `insert into customer_return_item (return_id, sale_id, stock_id, reason, condition, outcome)
      values ($1, $2, $3, 'not_stated', 'not_checked', 'restock')`,
      [made.id, saleId, items[1]],
    )
    await other.query('commit')
    other.release()
    const { status, body } = await receiving
    expect([status, body.data?.items.map(({ id }: { id: number }) => id)]).toEqual([200, [items[1]]])
    expect(await Promise.all(items.map(async (id) => (await stock(id)).status))).toEqual(['Sold', 'In Stock'])
  })

  test('wrong states, and edits of what has changed meanwhile', async () => {
    const { items } = await sent(3)
    const made = (await create({ items: some(items[0]) })).body.data
    const edit = (body: object) => user.post(`/api/return/${made.id}/edit`, body)
    for (const state of ['settled', 'received'])
      expect((await edit({ state })).body.data.errors).toEqual({
        state: `A return that is announced cannot become ${state} by an edit.`,
      })
    expect((await edit({ items: [] })).body.data.errors).toEqual({ items: 'Choose at least one item.' })
    const edited = await edit({ items: [{ id: items[1], price: 100 }, ...some(items[2])], note: 'Two others' })
    expect(edited.body.data).toMatchObject({
      note: 'Two others',
      items: [{ id: items[1], price: 100 }, { id: items[2] }],
    })
    expect((await edit({ note: 'Late', updated_at: made.updated_at })).status).toBe(409)
    expect((await receive(made.id, { updated_at: made.updated_at })).status).toBe(409)
    expect((await receive(made.id, { items: some(items[0]) })).body.data.errors).toEqual({
      items: `Return #${made.id} does not expect item #${items[0]}.`,
    })
    expect((await told('Return', made.id))[0]).toBe(`Announced: items #${items[1]}, #${items[2]}.`)
    expect((await edit({ state: 'refused' })).body.data).toMatchObject({ state: 'refused', items_count: 2 })
    expect((await receive(made.id)).body.message).toBe(
      `Return #${made.id} is refused: it takes no more items. Make a new return.`,
    )
    expect((await edit({ items: some(items[0]) })).body.message).toBe(
      `Return #${made.id} is refused: it takes no more items. Make a new return.`,
    )
    expect((await receive(999_999)).status).toBe(404)
    // If the return is refused, its items may be announced in another one.
    const second = (await create({ items: some(items[1]) })).body.data
    expect((await user.delete(`/api/return/${second.id}/delete`)).status).toBe(200)
    expect(await record(second.id)).toBeUndefined()
    expect(await told('Return', second.id)).toContain(`Return #${second.id} deleted.`)
  })
})

describe("the sale's own way to take an item back", () => {
  test('writes a received return; an announced one receives it', async () => {
    const { id, items } = await sent(2)
    await create({ items: [{ id: items[1], outcome: 'scrap', price: 1 }], note: 'Announced' })
    for (const item of items)
      expect((await user.post(`/api/sale/${id}/return-item/${item}`)).body.message).toBe(`Item #${item} returned.`)
    expect((await told('Sale', id)).toSorted()).toEqual(
      expect.arrayContaining(items.map((item) => expect.stringMatching(`^Item #${item} \\(.+\\) was returned\\.$`))),
    )
    const found = await rows(
      'select r.*, i.* from customer_return r join customer_return_item i on i.return_id = r.id where sale_id = $1 order by stock_id',
      id,
    )
    const back = { state: 'received', outcome: 'restock', price: 30_000, is_open: false, customer_id: shop.customer }
    expect(found).toMatchObject([back, { ...back, note: 'Announced' }])
    for (const item of items) expect(await stock(item)).toMatchObject({ status: 'In Stock' })
  })
})

describe('at once', () => {
  test('two returns of one item: one gets it', async () => {
    for (const received of [true, false]) {
      const { items } = await sent(1)
      const both = await Promise.all([1, 2].map(() => create({ items: some(items[0]), received })))
      expect(both.map(({ status }) => status).toSorted()).toEqual([201, 409])
    }
    const { items } = await sent(1)
    const { id } = (await create({ items: some(items[0]) })).body.data
    const twice = await Promise.all([receive(id), receive(id), create({ items: some(items[0]), received: true })])
    expect(twice.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  })

  test('returns that share their sales crosswise wait for each other, and all go through', async () => {
    const sales = await Promise.all(Array.from({ length: 4 }, () => sent(6)))
    const across = Array.from({ length: 6 }, (_, n) => sales.map(({ items }) => items[n]!))
    const answers = await Promise.all(
      across.map((ids, n) =>
        untilDecided(() => create({ items: some(...(n % 2 ? ids : ids.toReversed())), received: true })),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    for (const { id } of sales) expect((await sale(id)).invoiced_total).toBe(0)
  })

  test('many at once, some of which fail: the numbers of credit notes have neither gap nor double', async () => {
    const items = await stockItems(t.db, shop, turns(40, 100), { vat_id: shop.vat.standard })
    for (let n = 0; n < items.length; n += 5) await dispatch(await sell(items.slice(n, n + 5)))
    const answers = await Promise.all(
      items.map((item, n) =>
        untilDecided(() => create({ items: [{ id: item, price: n % 4 ? 20_000 : 30_001 }], received: true })),
      ),
    )
    const statuses = Map.groupBy(answers, ({ status }) => status)
    expect([...statuses].map(([status, of]) => [status, of.length]).toSorted()).toEqual([
      [201, (items.length * 3) / 4],
      [422, items.length / 4],
    ])
    expect(await violationsIn(t.connection)).toEqual([])
    const [{ last, n }] = await rows(`
      select last, (select count(*)::int from document where series = 'credit_note') as n from number_series
      where series = 'credit_note'`)
    expect(n).toBe(last)
  }, 120_000)

  test('the same request twice takes the items back once', async () => {
    const { items } = await sent(1)
    const { id } = (await create({ items: some(items[0]) })).body.data
    const headers = { 'idempotency-key': randomUUID() }
    const twice = await Promise.all([1, 2].map(() => user.post(`/api/return/${id}/receive`, {}, headers)))
    expect(twice.map(({ status }) => status)).toEqual([200, 200])
    expect(twice[0]!.body).toEqual(twice[1]!.body)
  })
})

test('returns are found by state, customer, note and the IMEI of an item', async () => {
  const { items, imeis } = await sent(1, {}, { customer_id: other })
  const { id } = (await create({ customer_id: other, items: some(items[0]), note: 'Parcel 4711' })).body.data
  const found = async (query: string) =>
    (await user.get(`/api/return/find?${query}`)).body.data.map((row: { id: number }) => row.id)
  for (const query of [`search=${imeis[0]}`, 'search=parcel 4711', 'search=gmbh parcel', `search=${id}`])
    expect([query, await found(query)]).toEqual([query, expect.arrayContaining([id])])
  expect(await found(`customer_id=${other}&state=announced`)).toEqual([id])
  expect(await found(`customer_id=${other}&state=settled,refused`)).toEqual([])
  expect(await found('search=nothing+like+it')).toEqual([])
  expect(await found(`search=parcel nothing`)).toEqual([])
  expect(await found(`customer_id=${shop.customer}&search=parcel 4711`)).toEqual([])
  const serial_number = `S${randomUUID().slice(0, 8)}`
  const [backstock_id, meid, imei2] = [`B${randomUUID().slice(0, 8)}`, 'A1000012345678', newImei()]
  const later = await sent(1, { serial_number, backstock_id, meid, imei2 }, { customer_id: other })
  const next = (await create({ customer_id: other, items: some(later.items[0]), note: 'Parcel 4711' })).body.data.id
  for (const number of [serial_number, backstock_id, meid, imei2])
    expect(await found(`search=${number.toLowerCase()}`)).toEqual([next])
  for (const by of ['id', 'created_at'])
    for (const [direction, right] of [
      ['asc', [id, next]],
      ['desc', [next, id]],
    ] as const)
      expect(await found(`search=parcel 4711&order_by=${by}_${direction}`)).toEqual(right)
})

testInTurn('a thousand items of fifty sales come back in one return', async () => {
  const items = await stockItems(t.db, shop, 1_000)
  const twenty = Array.from({ length: 50 }, (_, n) => items.slice(n * 20, n * 20 + 20))
  for (let n = 0; n < 50; n += 10)
    await dispatch(...(await Promise.all(twenty.slice(n, n + 10).map((some) => sell(some)))))
  const { status, body } = await create({ items: some(...items), received: true })
  expect(status).toBe(201)
  expect(body.data).toMatchObject({ items_received: 1_000, total_credited: 30_000_000 })
  expect(body.data.credit_notes).toHaveLength(50)
})

test('credit notes of many sales are made by the same statements as one, their numbers among the last', async () => {
  const returnOf = async (sales: number) => {
    const sold = await Promise.all(Array.from({ length: sales }, () => sent(2)))
    const asked = vi.spyOn(pg.Client.prototype, 'query')
    const answer = await create({ received: true, items: sold.flatMap(({ items }) => some(items[0])) })
    const statements = asked.mock.calls.map(([query]) => (typeof query === 'string' ? query : JSON.stringify(query)))
    asked.mockRestore()
    expect(answer.status, answer.body.message).toBe(201)
    expect(answer.body.data.items).toHaveLength(sales)
    const afterNumbers = statements.length - statements.findIndex((text) => text.includes('insert into number_series'))
    return { statements: statements.length, afterNumbers }
  }
  const one = await returnOf(1)
  expect(one.afterNumbers).toBeLessThan(20)
  expect(await returnOf(12)).toEqual(one)
})
