import { ibanProblem } from '@backstock/contract/iban-check.ts'
import { passesLuhn } from '@backstock/contract/imei.ts'
import { SALE_STATUSES } from '@backstock/contract/sale-status.ts'
import { saleTotals } from '@backstock/contract/sale-total.ts'
import { STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import { vatNumberProblem } from '@backstock/contract/vat-number-check.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ONE_OF_MANY } from '../../areas/document/paper-priority.ts'
import type { Database } from '../../db/connect.ts'
import { PAPER_JOBS } from '../../jobs.ts'
import { logIn, testApp } from '../../testing/app.ts'
import { firstAdministrator } from '../first-administrator.ts'
import { loadSample } from './load-sample.ts'

let t: Awaited<ReturnType<typeof testApp>>
let left: Record<string, number>
let loaded: boolean[]
let login: { email: string; password: string }

beforeAll(async () => {
  t = await testApp()
  login = (await firstAdministrator(t.db, t.config))!
  await expect(loadSample(interrupted(t.db), t.config)).rejects.toThrow('killed')
  left = { stock: await count('stock'), app_user: await count('app_user'), log: await count('log') }
  loaded = await Promise.all([loadSample(t.db, t.config), loadSample(t.db, t.config)])
})
afterAll(() => t.close())

/** The database, but each transaction fails just before its commit, as if the process were killed. */
const interrupted = (db: Database): Database => ({
  ...db,
  write: (work) =>
    db.write(async (tx) => {
      await work(tx)
      throw new Error('killed')
    }),
})

/** The rows of a query for things that must not exist. */
const rowsOf = async (query: ReturnType<typeof sql<Record<string, unknown>>>) => (await query.execute(t.db.read)).rows
const count = async (table: string) =>
  Number((await rowsOf(sql`select count(*)::int as n from ${sql.table(table)}`))[0]!['n'])

test('a start that is killed in the middle leaves nothing behind', () => {
  expect(left).toEqual({ stock: 0, app_user: 1, log: 1 })
})

test('two starts at once load it once, and a later start not again', async () => {
  expect(loaded.toSorted()).toEqual([false, true])
  expect(await loadSample(t.db, t.config)).toBe(false)
  expect(await count('stock')).toBe(400)
})

test('the shop has the promised size', async () => {
  const sizes = { supplier: 6, make: 12, product: 60, stock: 400, batch: 5, customer: 25, sale: 30, app_user: 4 }
  const found = Object.fromEntries(
    await Promise.all(Object.keys(sizes).map(async (table) => [table, await count(table)])),
  )
  expect(found).toEqual(sizes)
  expect(await count('partner')).toBe(2)
  const [countries] = await rowsOf(
    sql`select count(distinct country_code)::int as n from customer c join address a on a.id = c.billing_address_id`,
  )
  expect(countries).toEqual({ n: 10 })
  const [bought] = await rowsOf(sql`select count(distinct date_trunc('week', created_at))::int as n from sale`)
  expect(bought!['n']).toBeGreaterThanOrEqual(9)
})

test('every status is there, and one sale requires attention', async () => {
  const stock = await rowsOf(sql`select distinct status::text from stock`)
  expect(stock.map((row) => row['status']).toSorted()).toEqual([...STOCK_STATUSES].sort())
  const sale = await rowsOf(sql`select distinct status from sale`)
  expect(sale.map((row) => row['status']).toSorted()).toEqual([...SALE_STATUSES].sort())
  const attention = await rowsOf(sql`
    select s.id from sale s join sale_item i on i.sale_id = s.id
    where s.status = 'Requires Attention' and i.released = 'lost'`)
  expect(attention).toHaveLength(1)
  expect(await rowsOf(sql`select id from batch where is_locked`)).toHaveLength(1)
  expect((await rowsOf(sql`select from sale_item where released = 'returned'`)).length).toBeGreaterThan(0)
})

test('every IMEI has its check digit', async () => {
  const imeis = await rowsOf(sql`select imei from stock where imei is not null`)
  expect(imeis.length).toBeGreaterThan(200)
  expect(imeis.filter(({ imei }) => String(imei).length !== 15 || !passesLuhn(String(imei)))).toEqual([])
})

test('every VAT number and the IBAN have their check digits, and customers have terms of their own', async () => {
  const numbers = await rowsOf(sql`
    select vat_number from company union all select vat_number from supplier union all select vat_number from customer`)
  const found = numbers.flatMap(({ vat_number }) => (vat_number === null ? [] : [String(vat_number)]))
  expect(found.length).toBeGreaterThan(25)
  expect(found.flatMap((number) => vatNumberProblem(number) ?? [])).toEqual([])
  const { iban } = await t.db.read.selectFrom('company').select('iban').executeTakeFirstOrThrow()
  expect(ibanProblem(iban)).toBeNull()
  const [terms] = await rowsOf(sql`
    select count(distinct lang)::int as languages, count(distinct payment_days)::int as days from customer`)
  expect(terms).toEqual({ languages: 7, days: 5 })
  const printed = await rowsOf(sql`select distinct lang from document_version`)
  expect(printed.map(({ lang }) => lang)).toEqual(expect.arrayContaining(['nl', 'de', 'fr', 'en', 'pl', 'es', 'it']))
})

test('invoices that left with their goods name that day, and keep their own', async () => {
  const invoices = await rowsOf(sql`
    select d.issued_on::text, v.data, s.dispatched_on::text as dispatched_on
    from document d join sale s on s.id = d.sale_id join lateral (
      select data from document_version where document_id = d.id order by version desc limit 1) v on true
    where d.kind = 'invoice' and d.replaced_by_id is null and s.dispatched_on is not null`)
  expect(invoices.length).toBeGreaterThan(5)
  for (const { issued_on, data, dispatched_on } of invoices)
    expect(data).toMatchObject({ issued_on, supplied_on: dispatched_on })
  expect(invoices.some(({ data }) => Number((data as { paid?: number }).paid) > 0)).toBe(true)
})

test('items agree with the sales and batches that have them', async () => {
  expect(
    await rowsOf(sql`
      select i.sale_id, i.stock_id from sale_item i join stock s on s.id = i.stock_id join sale on sale.id = i.sale_id
      where i.released is null and (s.status <> 'Sold' or s.sale_id <> i.sale_id
        or s.in_hand <> (sale.status <> 'Dispatched'))`),
  ).toEqual([])
  expect(
    await rowsOf(sql`
      select id from stock s where status = 'Sold'
        and not exists (select from sale_item i where i.stock_id = s.id and i.sale_id = s.sale_id and released is null)`),
  ).toEqual([])
  expect(await rowsOf(sql`select id from stock where status = 'In Batch' and batch_id is null`)).toEqual([])
})

test('totals are those of the lines', async () => {
  const sales = await t.db.read.selectFrom('sale').selectAll().execute()
  for (const sale of sales) {
    const lines = await t.db.read
      .selectFrom('sale_item')
      .selectAll()
      .where('sale_id', '=', sale.id)
      .orderBy('position')
      .execute()
    const priced = lines.map((line) => ({
      price: line.sales_price_vat ?? line.sales_price,
      rate: line.vat_rate,
      treatment: line.vat_treatment,
    }))
    const totals = saleTotals(priced, sale.prices_include_vat)
    const returned = lines.filter((line) => line.released === 'returned')
    expect(sale).toMatchObject({
      total_items: lines.length,
      total_purchase_price: lines.reduce((sum, line) => sum + line.cost, 0),
      total_sales_price: totals.total_sales_price,
      total_sales_price_vat: totals.total_sales_price_vat,
      returned_sales: returned.reduce((sum, line) => sum + line.sales_price, 0),
    })
    expect(sale.total_sales_price).toBeGreaterThan(sale.total_purchase_price)
  }
  expect(
    await rowsOf(sql`
      select status from stock_count group by status
      having sum(n) <> (select count(*) from stock s where s.status = stock_count.status)`),
  ).toEqual([])
})

test('the past lies in the past, in order', async () => {
  // The first entry is that of the administrator, who was created today, so it is excluded.
  expect(
    await rowsOf(
      sql`select id from log l where at > now() or at < (select at from log o where o.id = l.id - 1 and o.id > 1)`,
    ),
  ).toHaveLength(0)
  // The history of each item is in order: it came in before it was sold.
  expect(
    await rowsOf(sql`
      select s.id from stock s join sale_item i on i.stock_id = s.id join sale on sale.id = i.sale_id
      where sale.created_at <= s.created_at or s.purchase_date > sale.created_at::date`),
  ).toEqual([])
  expect(
    await rowsOf(sql`
      select i.id from document i join sale s on s.id = i.sale_id join document_version v on v.document_id = i.id
      where v.data ->> 'issued_on' <> i.issued_on::text or case i.kind
        when 'invoice' then i.series <> 'sample' or i.issued_on <> s.created_at::date
        else i.series <> 'sample_credit_note' or i.issued_on <= s.created_at::date end`),
  ).toEqual([])
})

test('no mail is on its way, and the import history shows failures', async () => {
  expect(await count('mail')).toBe(0)
  const imports = await t.db.read.selectFrom('import').selectAll().orderBy('id').execute()
  expect(imports.every((one) => one.state === 'done' && one.succeeded + one.failed === one.total)).toBe(true)
  expect(imports.filter((one) => one.failed > 0).length).toBeGreaterThanOrEqual(3)
  expect(imports.some((one) => one.type === 'api_import' && one.user_id === null)).toBe(true)
})

test('the administrator finds it on every screen', async () => {
  const admin = await logIn(t.app, 1, login.email, login.password)
  const user = (await admin.get('/api/auth')).body
  expect(user.sales_requiring_attention).toBe(1)
  expect(user.user.basket_items.length).toBeGreaterThan(2)
  const listed = await admin.get('/api/sale/find?per_page=250')
  expect(listed.body.total).toBe(30)
  for (const { id } of listed.body.data) {
    const sale = await admin.get(`/api/sale/find?id=${id}`)
    expect(sale.status).toBe(200)
    expect(sale.body.data[0].missing_invoice_data).toEqual([])
  }
  const history = await admin.get('/api/stock/import/history')
  expect(history.body.data[0].content.data.failed_rows).toBe(0)
})

test('the newest papers are made at once, the others bit by bit, and all after those that a person orders', async () => {
  const jobs = await rowsOf(sql`
    select task_identifier as task, priority, round(extract(epoch from run_at - created_at))::int as after
    from graphile_worker.jobs where task_identifier = any(${[...PAPER_JOBS]}::text[]) order by id desc`)
  const byTask = Map.groupBy(jobs, ({ task }) => task)
  expect(byTask.size).toBeGreaterThan(0)
  for (const [, own] of byTask) expect(own.map(({ after }) => after)).toEqual(own.map((_, n) => Math.max(0, n - 4) * 8))
  expect(jobs.every(({ priority }) => Number(priority) >= ONE_OF_MANY)).toBe(true)
})

test('a database in which anything has been done, or that is not embedded, gets no sample data', async () => {
  const other = await testApp()
  /** Whether the sample is loaded after this change, which is then taken back. */
  async function isLoadedAfter(change: string, config = other.config): Promise<boolean> {
    let loaded = true
    const work = other.db.write(async (tx) => {
      await sql.raw(change).execute(tx)
      loaded = await loadSample({ ...other.db, write: (work) => work(tx) }, config)
      throw new Error('taken back')
    })
    await expect(work).rejects.toThrow('taken back')
    return loaded
  }
  try {
    await firstAdministrator(other.db, other.config)
    for (const change of [
      `insert into app_user (name, email, role, password_hash) values ('A', 'a@b.test', 'ROLE_ADMIN', 'x')`,
      `update app_user set role = 'ROLE_USER'`,
      `insert into log (loggable_type, loggable_id, content) values ('User', 1, '{}')`,
      `insert into make (name) values ('Apple')`,
      `insert into colour (name) values ('Red')`,
      `insert into category (name) values ('Phones')`,
      `insert into vat (name, rate) values ('Standard', 2100)`,
      `insert into partner (name) values ('Webshop')`,
    ])
      expect(await isLoadedAfter(change), change).toBe(false)
    const databaseUrl = 'postgresql://elsewhere/shop'
    expect(await isLoadedAfter('select', { ...other.config, databaseUrl })).toBe(false)
  } finally {
    await other.close()
  }
})

test('a start without sample data keeps the shop empty for good', async () => {
  const other = await testApp()
  try {
    await firstAdministrator(other.db, other.config)
    expect(await loadSample(other.db, { ...other.config, sampleData: false })).toBe(false)
    expect(await loadSample(other.db, other.config)).toBe(false)
    expect(await other.db.read.selectFrom('product').selectAll().execute()).toEqual([])
  } finally {
    await other.close()
  }
})
