import type { Dashboard, SalesPeriod } from '@backstock/contract/dashboard.ts'
import { MAX_ID } from '@backstock/contract/fields.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { stockInvariants } from '../../invariants/stock.ts'
import type { JobServices } from '../../jobs.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { batchOf, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { tidyJobs } from '../../worker/tidy.ts'
import { firstSteps } from './first-steps.ts'

// A time zone half a day ahead of UTC, the sessions' zone. If weeks were counted by another clock, they would begin at
// other times.
const ZONE = 'Pacific/Auckland'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop
let before: Dashboard

beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  before = (await client.get('/api/dashboard')).body.data
  shop = await openShop(t.db)
  await t.db.write((tx) => tx.updateTable('company').set({ time_zone: ZONE }).execute())
})
afterAll(() => t.close())

const dashboard = async (): Promise<Dashboard> => (await client.get('/api/dashboard')).body.data
const total = async (url: string): Promise<number> => (await client.get(url)).body.total

async function sell(ids: number[]): Promise<number> {
  const { body } = await client.post('/api/sale/create', {
    stock_items: ids.map((id) => ({ id, sales_price: 31_000 })),
    customer_id: shop.customer,
    send_email: false,
    create_invoice: false,
  })
  return body.data.id
}
const move = (id: number, status: string) => client.post(`/api/sale/${id}/edit`, { status })
/** Moves a sale to a time by the company's clock, counted from the Monday of the present week. */
const made = (id: number, fromMonday: string) =>
  t.db.write((tx) =>
    sql`update sale set created_at = (date_trunc('week', now() at time zone ${ZONE}) + ${fromMonday}::interval) at time zone ${ZONE}
      where id = ${id}`.execute(tx),
  )
const daysOld = (days: number) => ({ purchase_date: sql`(now() at time zone ${ZONE})::date - ${days}::int` as never })

test('an empty database: everything is there and zero', () => {
  expect(before.stock.map(({ status, items }) => [status, items])).toEqual([
    ['Inbound', 0],
    ['In Stock', 0],
    ['In Batch', 0],
  ])
  expect(before.weeks).toHaveLength(12)
  expect(before.weeks.every((week) => week.sales === 0 && week.profit === 0)).toBe(true)
  expect(before.month).toMatchObject({ from: `${before.today.slice(0, 8)}01`, sales: 0, net_sales: 0, profit: 0 })
  expect(before.imports).toEqual([])
})

test('stock by status and by age: what can be sold, and each number is that of the list behind it', async () => {
  for (const days of [-3, 0, 30, 31, 60, 61, 90, 91, 400]) await stockItems(t.db, shop, 1, daysOld(days))
  await stockItems(t.db, shop, 1, { ...daysOld(45), status: 'Inbound' })
  await stockItems(t.db, shop, 1, { ...daysOld(45), sales_price: null })
  const batch = await batchOf(t.db, shop, client.id, 2)
  // If an item has no purchase date, the date of its record counts.
  const old = batch.items[0]!
  await t.db.write((tx) => sql`update stock set created_at = now() - interval '70 days' where id = ${old}`.execute(tx))

  const { stock, ages } = await dashboard()
  expect(ages).toEqual([
    { age: '0-30', items: 4, cost: 80_000, sales: 120_000, unpriced: 0 },
    { age: '31-60', items: 3, cost: 60_000, sales: 60_000, unpriced: 1 },
    { age: '61-90', items: 3, cost: 60_000, sales: 90_000, unpriced: 0 },
    { age: 'over-90', items: 2, cost: 40_000, sales: 60_000, unpriced: 0 },
  ])
  expect(stock).toEqual([
    { status: 'Inbound', items: 1, cost: 20_000, sales: 30_000, unpriced: 0 },
    { status: 'In Stock', items: 10, cost: 200_000, sales: 270_000, unpriced: 1 },
    { status: 'In Batch', items: 2, cost: 40_000, sales: 60_000, unpriced: 0 },
  ])
  for (const { age, items } of ages)
    expect(await total(`/api/stock/find?status=In Stock,In Batch&age=${age}`)).toBe(items)
  expect(await total('/api/stock/find?status=In Batch&age=61-90,over-90&search=iPhone')).toBe(1)
  expect((await client.get('/api/stock/find?age=91')).status).toBe(400)
})

test('sales by week: by the company clock, without voided ones, profit without what came back', async () => {
  const items = await stockItems(t.db, shop, 9)
  const [early, late, before, ancient] = [
    await sell(items.slice(0, 2)),
    await sell(items.slice(2, 3)),
    await sell(items.slice(3, 5)),
    await sell(items.slice(5, 6)),
  ]
  const voided = await sell(items.slice(6, 7))
  await move(voided, 'Voided')
  await move(early, 'Awaiting Dispatch')
  await move(early, 'Dispatched')
  await client.post(`/api/sale/${early}/return-item/${items[0]}`)
  await made(early, '0 seconds')
  await made(late, '6 days 23 hours 59 minutes')
  await made(before, '-1 seconds')
  await made(ancient, '-77 days -1 seconds')
  await made(voided, '1 hour')

  const { weeks } = await dashboard()
  const [previous, present] = weeks.slice(-2) as [SalesPeriod, SalesPeriod]
  expect(present).toMatchObject({ sales: 2, items: 3, net_sales: 62_000, profit: 22_000 })
  expect(previous).toMatchObject({ sales: 1, items: 2, net_sales: 62_000, profit: 22_000 })
  expect(weeks.slice(0, -2).every((week) => week.sales === 0)).toBe(true)
  expect(new Date(present.from).getUTCDay()).toBe(1)

  const unvoided = 'New,Awaiting Payment,Awaiting Dispatch,Requires Attention,Dispatched'
  expect(await total(`/api/sale/find?week=${present.from}&status=${unvoided}`)).toBe(2)
  expect(await total(`/api/sale/find?week=${present.from}`)).toBe(3)
  expect(await total(`/api/sale/find?week=${previous.from}`)).toBe(1)
  expect(await total('/api/sale/find?week=')).toBe(5)
  const tuesday = new Date(Date.parse(present.from) + 86_400_000).toISOString().slice(0, 10)
  expect((await client.get(`/api/sale/find?week=${tuesday}`)).status).toBe(400)
})

test('open sales with the longest waiting first, and what an attention is about', async () => {
  const open = [...(await stockItems(t.db, shop, 7))]
  const sales: number[] = []
  const [gone] = await stockItems(t.db, shop, 1)
  for (const id of open) sales.push(await sell(id === open[6] ? [id, gone!] : [id]))
  for (const id of sales.slice(0, 6)) await move(id, id % 2 ? 'Awaiting Payment' : 'Awaiting Dispatch')
  const lost = sales[6]!
  const lose = (item: number) =>
    t.db.write(async (tx) => {
      await sql`update stock set status = 'Deleted', sale_id = null, in_hand = false where id = ${item}`.execute(tx)
      await sql`update sale_item set released = 'lost' where stock_id = ${item}`.execute(tx)
      await sql`update sale set status = 'Requires Attention', buyer = buyer || '{"company_name": "Buyer Ltd"}'
        where id = ${lost}`.execute(tx)
    })
  // The sale loses an item, is resubmitted without it, and loses another.
  await lose(gone!)
  expect((await move(lost, 'Awaiting Dispatch')).status).toBe(200)
  await lose(open[6]!)

  const { open_sales, attention, awaiting } = await dashboard()
  expect(attention).toMatchObject([
    {
      ...{ id: lost, unavailable_items: 1, total_items: 1, customer_id: shop.customer },
      ...{ customer_name: 'Zażółć Παπαδόπουλος', customer_company_name: 'Buyer Ltd' },
    },
  ])
  expect(awaiting.map(({ id }) => id)).toEqual(sales.slice(0, 5))
  for (const { status, sales, oldest_at } of open_sales) {
    const { total, data } = (await client.get(`/api/sale/find?status=${status}`)).body
    expect([total, data.map((sale: Sale) => sale.created_at).toSorted()[0] ?? null]).toEqual([sales, oldest_at])
  }
  expect(open_sales.map(({ status, sales }) => [status, sales])).toContainEqual(['Awaiting Payment', 3])
})

test('the five newest imports, with what failed', async () => {
  await t.db.write((tx) =>
    tx
      .insertInto('import')
      .values(
        Array.from({ length: 6 }, (_, n) => ({
          type: 'csv_import' as const,
          user_id: client.id,
          partner_id: null,
          file_name: `${n}.csv`,
          state: 'done' as const,
          total: 10,
          succeeded: 10 - n,
          failed: n,
        })),
      )
      .execute(),
  )
  // A preview becomes an import only when somebody starts it.
  await t.db.pool.query(
    `insert into import (type, user_id, file_name, state)
     values ('csv_import', $1, 'read.csv', 'previewing'), ('csv_import', $2, 'seen.csv', 'previewed')`,
    [client.id, (await t.user()).id],
  )
  const { imports } = await dashboard()
  expect(imports.map(({ file_name }) => file_name)).toEqual(['5.csv', '4.csv', '3.csv', '2.csv', '1.csv'])
  expect(imports[0]).toMatchObject({ processed_rows: 10, failed_rows: 5, user_id: client.id, user_name: 'Person 1' })
  expect(await total(`/api/stock/import/history?id=${imports[0]!.id}`)).toBe(1)
})

test('the month: from its first midnight by the company clock', async () => {
  const before = (await dashboard()).month
  const [first, last] = [await sell(await stockItems(t.db, shop, 1)), await sell(await stockItems(t.db, shop, 1))]
  const at = (id: number, fromFirst: string) =>
    t.db.write((tx) =>
      sql`update sale set created_at = (date_trunc('month', now() at time zone ${ZONE}) + ${fromFirst}::interval) at time zone ${ZONE}
        where id = ${id}`.execute(tx),
    )
  await at(first, '0 seconds')
  await at(last, '-1 seconds')
  const { month, today } = await dashboard()
  expect(month.from).toBe(`${today.slice(0, 8)}01`)
  expect(month.sales - before.sales).toBe(1)
  expect([month.net_sales - before.net_sales, month.profit - before.profit]).toEqual([31_000, 11_000])
})

test('the counters follow every change of an item, even once they are folded', async () => {
  const changes = [
    `update stock set sales_price = null where id = (select max(id) from stock where status = 'In Stock')`,
    `update stock set purchase_price = purchase_price + 7 where status = 'In Stock'`,
    `update stock set purchase_date = '2026-01-02' where id in (select id from stock where status = 'In Stock' limit 2)`,
    `update stock set purchase_date = null, created_at = '2026-03-29 00:59:59.999Z' where status = 'In Stock'`,
    `update stock set network_locked = not network_locked, grade_id = 1, supplier_id = null where id % 2 = 0`,
    `update stock set status = 'Deleted', in_hand = false where id = (select min(id) from stock where status = 'In Stock')`,
    `delete from stock where id = (select max(id) from stock where status = 'Inbound')`,
  ]
  for (const change of changes) {
    await t.db.pool.query(change)
    expect(await differences(), change).toEqual([])
  }
  const seen = await dashboard()
  // An older server leaves this column out.
  await t.db.pool.query(`update stock_age set newest = default where status = 'In Stock'`)
  await tidyJobs({ db: t.db } as JobServices).tidy({}, new AbortController().signal)
  expect((await t.db.pool.query('select from stock_age where newest = $1', [MAX_ID])).rowCount).toBe(0)
  expect(await differences()).toEqual([])
  expect(await dashboard()).toEqual(seen)
  for (const [counter, columns] of [
    ['stock_age', 'status, bought, made'],
    ['product_count', 'status, product_id, network_locked'],
    ['supplier_count', 'status, supplier_id, grade_id'],
  ]) {
    const { rows } = await t.db.pool.query(
      `select from ${counter} group by ${columns} having count(*) > 1 or sum(n) = 0`,
    )
    expect([counter, rows]).toEqual([counter, []])
  }
})

const COUNTERS = [
  'unsold items are counted by their age',
  'the newest item of each age is known',
  'items are counted by product and by lock',
  'items are counted by supplier and by grade',
]
const differences = async () => {
  const rules = stockInvariants.filter(({ name }) => COUNTERS.includes(name))
  expect(rules.length).toBe(COUNTERS.length)
  return (await Promise.all(rules.map(({ violations }) => t.db.pool.query(violations)))).flatMap(({ rows }) => rows)
}

test('the rule on reverse charge of the shop’s country is named for 30 days before it ends and after', async () => {
  const u = await testApp()
  const admin = await u.user('ROLE_ADMIN')
  const ending = async () => ((await admin.get('/api/dashboard')).body.data as Dashboard).ending_rule
  const find = async (country: string) =>
    (await admin.get(`/api/reverse-charge-rule/find?search=${country}`)).body.data[0]
  const [dutch, german] = [await find('NL'), await find('DE')]
  const edit = async (rule: { id: number }, fields: object) =>
    expect((await admin.post(`/api/reverse-charge-rule/${rule.id}/edit`, fields)).status).toBe(200)
  await edit(german, { valid_to: null })
  // These two time zones never have the same date.
  for (const time_zone of ['Pacific/Kiritimati', 'Etc/GMT+12']) {
    await u.db.pool.query(`update company set country_code = 'NL', time_zone = $1`, [time_zone])
    const dayIn = async (days: number): Promise<string> =>
      (await u.db.pool.query('select ((now() at time zone $1)::date + $2::int)::text as day', [time_zone, days]))
        .rows[0].day
    for (const [days_left, isSaid] of [
      ...[31, -31].map((days) => [days, false] as const),
      ...[30, 1, 0, -1, -30].map((days) => [days, true] as const),
    ]) {
      const last_day = await dayIn(days_left)
      await edit(dutch, { valid_to: last_day })
      expect(await ending(), `${days_left} days`).toEqual(
        isSaid ? { country: 'Netherlands', last_day, days_left } : null,
      )
    }
    await edit(dutch, { valid_to: await dayIn(10) })
    const after = { country_code: 'NL', valid_to: null }
    const create = async (days: number) =>
      (await admin.post('/api/reverse-charge-rule/create', { ...after, valid_from: await dayIn(days) })).body.data
    const late = await create(12)
    expect(await ending(), 'a day lies between').toMatchObject({ days_left: 10 })
    await edit(late, { valid_from: await dayIn(11) })
    expect(await ending(), 'another goes on').toBeNull()
    await edit(dutch, { valid_to: await dayIn(-10) })
    expect(await ending(), 'the other has not begun').toMatchObject({ days_left: -10 })
    await edit(late, { valid_from: await dayIn(-3) })
    expect(await ending(), 'another is in force again').toBeNull()
    expect((await admin.delete(`/api/reverse-charge-rule/${late.id}/delete`)).status).toBe(200)
  }
  await u.db.pool.query(`update company set country_code = 'DE'`)
  expect(await ending(), 'another country’s').toBeNull()
  await u.db.pool.query('update company set country_code = null')
  expect(await ending(), 'no country').toBeNull()
  await u.close()
})

test('first steps tick themselves off; each person puts them away for themselves', async () => {
  const u = await testApp()
  const [ann, bob] = [await u.user('ROLE_ADMIN'), await u.user()]
  const of = async (who: Client): Promise<Dashboard> => (await who.get('/api/dashboard')).body.data
  const done = async () => (await of(ann)).first_steps.flatMap(({ step, done }) => (done ? [step] : []))
  expect(await of(ann)).toMatchObject({ is_sample: false, put_away: [] })
  expect(await done()).toEqual([])
  await ann.post('/api/vat/create', { name: 'Ordinary', rate: 21 })
  expect(await done()).toEqual(['vat'])
  await ann.post('/api/supplier/create', { company_name: 'Pallets' })
  const address = { address_1: 'Damrak 1', city: 'Amsterdam', postal_code: '1012 LG', country_code: 'NL' }
  await ann.post('/api/company/edit', { name: 'Phones BV', ...address })
  expect(await done(), 'nobody to send mails').toEqual(['vat', 'supplier'])
  expect((await firstSteps(u.db.read, true))[0], 'a sender in the settings').toEqual({ step: 'company', done: true })
  await ann.post('/api/company/edit', { mail_from: 'shop@phones.test' })
  expect(await done(), 'small traders have no VAT number').toEqual(['company', 'vat', 'supplier'])
  const there = await openShop(u.db)
  const [item] = await stockItems(u.db, there, 1)
  expect(await done()).toEqual(['company', 'vat', 'supplier', 'stock'])
  await ann.post('/api/sale/create', {
    stock_items: [{ id: item, sales_price: 31_000 }],
    customer_id: there.customer,
    send_email: true,
  })
  expect(await done()).toEqual(['company', 'vat', 'supplier', 'stock', 'sale'])
  await u.db.pool.query(`update mail set state = 'sent', sent_at = now(), saved_as = '1.eml'`)
  expect(await done(), 'a file was mailed to nobody').toHaveLength(5)
  await u.db.pool.query('update mail set saved_as = null')
  expect(await done()).toHaveLength(6)

  const put = (who: Client, put_away: boolean) => who.post('/api/dashboard/put-away', { what: 'first steps', put_away })
  for (const _ of [1, 2]) expect((await put(ann, true)).status).toBe(200)
  expect([(await of(ann)).put_away, (await of(bob)).put_away]).toEqual([['first steps'], []])
  await put(ann, false)
  expect((await of(ann)).put_away).toEqual([])
  expect((await ann.post('/api/dashboard/put-away', { what: 'stock', put_away: true })).status).toBe(422)
  await u.close()
})
