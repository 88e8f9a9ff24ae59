import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { importCsv } from '../../testing/csv-upload.ts'
import { makePartner } from '../../testing/partner.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let plain: Client

beforeAll(async () => {
  tape = await openTape({ isBrief: true })
  user = await tape.person('Person')
  plain = await tape.t.user()
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => (await tape.t.db.pool.query(text, values)).rows
const day = async (days: number) =>
  (await query('select ((now() at time zone time_zone)::date + $1::int)::text as day from company', [days]))[0].day

/** Writes down the dashboard. The days on which its weeks and its month begin depend on the day of the run. */
async function dashboard(title: string): Promise<void> {
  const { body } = await plain.get('/api/dashboard')
  const { weeks, month, ...data } = body.data
  const told = weeks.flatMap(({ from: _, ...week }: { from: string; sales: number }, place: number) =>
    week.sales === 0 ? [] : { place, ...week },
  )
  await tape.note(title, { ...data, number_of_weeks: weeks.length, weeks: told, month: { ...month, from: null } })
}

test('the dashboard and the log: the answers and the rows that they leave', async () => {
  await dashboard('The dashboard of an empty shop')
  await query(`update company set email = null, mail_from = null`)
  const shop: Shop = await openShop(tape.t.db)
  await query(`update company set email = null`)
  await tape.forgetChanges()

  tape.title('Parts that are put away')
  await user.post('/api/dashboard/put-away', { what: 'sample', put_away: true })
  await user.post('/api/dashboard/put-away', { what: 'sample', put_away: true })
  await user.post('/api/dashboard/put-away', { what: 'first steps', put_away: true })
  await plain.post('/api/dashboard/put-away', { what: 'sample', put_away: true })
  await tape.forgetChanges()
  await user.post('/api/dashboard/put-away', { what: 'sample', put_away: false })
  await user.post('/api/dashboard/put-away', { what: 'x', put_away: 'x' })
  await tape.note(
    'put away by the person',
    (await query('select what from put_away where user_id = $1', [user.id])).map(({ what }) => what),
  )
  await dashboard('Steps: there are VAT types, and the company has no address for mails')

  const items = (n: number, columns: object = {}) =>
    stockItems(tape.t.db, shop, n, columns) as Promise<[number, number]>
  await query(`insert into supplier (company_name) values ('Foxway')`)
  await query(`update company set mail_from = 'shop@phones.test'`)
  for (const [days, price] of [
    [0, 100],
    [29, 200],
    [30, 300],
    [60, 500],
    [90, 700],
    [180, 1100],
  ] as const)
    await items(1, {
      purchase_date: await day(-days),
      purchase_price: price,
      sales_price: days === 60 ? null : price * 2,
    })
  await items(2, { status: 'Inbound', purchase_price: 1300 })
  await items(1, { status: 'Deleted', in_hand: false })
  await batchOf(tape.t.db, shop, user.id, 1)
  await dashboard('Items by status and age')

  const sell = async (price: number, fields: object = {}) => {
    const [id] = await items(1, { purchase_price: 1700 })
    const { body } = await plain.post('/api/sale/create', {
      ...{ customer_id: shop.customer, stock_items: [{ id, sales_price: price }], ...fields },
    })
    return { id: body.data.id as number, item: id }
  }
  const weeksAgo = (id: number, weeks: number, seconds: number) =>
    query(
      `update sale set created_at = (date_trunc('week', now() at time zone c.time_zone) - $2 * interval '7 days'
          + $3 * interval '1 second') at time zone c.time_zone
        from company c where sale.id = $1`,
      [id, weeks, seconds],
    )
  await sell(1900)
  for (const [price, weeks, seconds] of [
    [2300, 6, 0],
    [2900, 6, -1],
    [3100, 11, 0],
    [3700, 11, -1],
  ] as const)
    await weeksAgo((await sell(price)).id, weeks, seconds)
  const voided = await sell(4100)
  await plain.post(`/api/sale/${voided.id}/void`)
  await plain.post(`/api/sale/${voided.id}/edit`, { status: 'Voided' })
  for (const status of ['Awaiting Payment', 'Awaiting Dispatch', 'Dispatched', 'Awaiting Payment', 'Awaiting Dispatch'])
    await plain.post(`/api/sale/${(await sell(4300, { reference_number: status })).id}/edit`, { status })
  for (let n = 0; n < 4; n++)
    await plain.post(`/api/sale/${(await sell(4700)).id}/edit`, { status: 'Awaiting Dispatch' })
  const lacking = await sell(5300)
  await plain.post(`/api/stock/${lacking.item}/edit`, { status: 'Deleted' })
  const lost = await sell(5900)
  const csv = `imei,status\n${(await query('select imei from stock where id = $1', [lost.item]))[0].imei},Deleted`
  await importCsv(tape.t, plain, { csv, update_existing: '1' })
  const paid = await sell(6100)
  await plain.post(`/api/sale/${paid.id}/payments/create`, {
    amount: 7000,
    paid_on: await day(0),
    method: 'bank_transfer',
  })
  await query('update sale set paid_total = 7000 where id = $1 and paid_total = 0', [paid.id])
  await query('update sale set due_on = $2 where id = $1', [paid.id - 1, await day(-1)])
  await dashboard('Sales by week, by status, and by what is owed')

  const admin = await tape.t.user('ROLE_ADMIN')
  const partner = await makePartner(tape.t.app, admin, shop.customer)
  const HEADER = 'imei,make,model,category,purchase_price'
  for (let n = 0; n < 4; n++)
    await importCsv(tape.t, plain, { csv: [HEADER, `${newImei()},Apple,iPhone 13,Phone,${n}`, '1'].join('\n') })
  await partner.post('/stock', { items: [{ imei: newImei() }] })
  await query(`update mail set state = 'sent', sent_at = now() where id = 1`)
  await dashboard('The newest imports; a mail was sent')

  const rules = (...days: [from: number, to: number | null, country?: string][]) =>
    query(
      `insert into reverse_charge_rule (country_code, valid_from, valid_to)
        select coalesce(r.country, c.country_code), d.today + r.first, d.today + r.last
        from company c, lateral (select (now() at time zone c.time_zone)::date as today) d,
          json_to_recordset($1) as r (first int, last int, country text)`,
      [JSON.stringify(days.map(([first, last, country]) => ({ first, last, country })))],
    )
  for (const [title, ...days] of [
    ['a rule that ends today', [-100, 0]],
    ['a rule that ends at the last day of the warning', [-100, 30]],
    ['a rule that ends a day later', [-100, 31]],
    ['a rule that ended long ago', [-400, -30]],
    ['a rule that ended a day before that', [-400, -31]],
    ['a rule without an end', [-100, null]],
    ['a rule that another follows', [-100, 5], [6, null]],
    ['a rule that another follows a day too late', [-100, 5], [7, null]],
    ['a rule that ended, and another holds today', [-100, -5], [-4, 300]],
    ['two rules that end', [-100, 5], [-50, 9]],
    ['a rule of another country', [-100, 5, 'NL']],
  ] as [string, ...[number, number | null, string?][]][]) {
    await query('delete from reverse_charge_rule')
    await rules(...days)
    await tape.note(title, (await plain.get('/api/dashboard')).body.data.ending_rule ?? 'none')
  }
  await query(`
    update sale set total_margin_vat = 7, returned_margin_vat = 3, returned_sales = 100, returned_cost = 50
    where id = (select min(id) from sale)`)
  const { month } = (await plain.get('/api/dashboard')).body.data
  await tape.note('goods that came back, and VAT in margins', { ...month, from: null })
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
