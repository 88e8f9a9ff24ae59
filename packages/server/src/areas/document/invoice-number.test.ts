import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { openShop, stockItems } from '../../testing/shop.ts'
import { isOfEarlierMonth } from './final.ts'

/** Makes a sale in a shop whose clock shows `first` until a number is taken, and `then` from that moment on. */
async function soldAt(first: string, then: string, timeZone: string) {
  const t = await testApp()
  const admin = await t.user('ROLE_ADMIN')
  const shop = await openShop(t.db)
  const items = await stockItems(t.db, shop, 1)
  await t.db.pool.query(`
    create schema clock;
    create sequence clock.turned;
    create function clock.clock_timestamp() returns timestamptz volatile language plpgsql as $$ begin
      -- A sequence keeps its value when a rollback takes rows from tables.
      if exists (select from number_series) then perform nextval('clock.turned'); end if;
      return (select case when is_called then '${then}' else '${first}' end from clock.turned);
    end $$;
    update company set time_zone = '${timeZone}'`)
  t.db.pool.options.options = `${t.db.pool.options.options} -c search_path=clock,public,pg_catalog`
  // Connections that are open already have the real clock, so they are closed.
  await Promise.all([...Array(t.db.figures().write.total)].map(async () => (await t.db.pool.connect()).release(true)))
  const body = { stock_items: items.map((id) => ({ id })), customer_id: shop.customer, send_email: false }
  const answer = await admin.post('/api/sale/create', body, { 'idempotency-key': randomUUID() })
  const { rows: series } = await t.db.readers.query('select year, last from number_series order by year')
  const { rows: invoices } = await t.db.readers.query('select year, number, issued_on::text from document')
  await t.close()
  return { number: answer.body.data?.invoice_number, invoices, series }
}

test.each([
  ['in one year', '2030-06-01T12:00Z', '2030-06-01T12:00Z', 'UTC', 2030, '2030-06-01'],
  ['as the year ends in between', '2030-12-31T23:59:59.999Z', '2031-01-01T00:00Z', 'UTC', 2031, '2031-01-01'],
  ['in its own time zone', '2030-12-31T22:59:59Z', '2030-12-31T23:00Z', 'Europe/Dublin', 2030, '2030-12-31'],
  ['where it ends earlier', '2030-12-31T22:59:59Z', '2030-12-31T23:00Z', 'Europe/Berlin', 2031, '2031-01-01'],
])('an invoice is dated in the year of its number, %s', async (_, first, then, timeZone, year, issued_on) => {
  expect(await soldAt(first, then, timeZone)).toEqual({
    number: `${year}-00001`,
    invoices: [{ year, number: 1, issued_on }],
    // The rollback gave the number of the old year back.
    series: [{ year, last: 1 }],
  })
})

test('a month is over for the books at midnight in the company’s time zone', async () => {
  const t = await testApp()
  const found: unknown[] = []
  const work = t.db.write(async (tx) => {
    await sql
      .raw(`
      create schema clock;
      create function clock.now() returns timestamptz return '2030-07-01T02:00Z'::timestamptz;
      set local search_path = clock, public, pg_catalog`)
      .execute(tx)
    for (const timeZone of ['UTC', 'America/New_York']) {
      await sql`update company set time_zone = ${timeZone}`.execute(tx)
      found.push(...(await sql`select ${isOfEarlierMonth(sql`date '2030-06-30'`)} as is_over`.execute(tx)).rows)
    }
    throw new Error('taken back')
  })
  await expect(work).rejects.toThrow('taken back')
  await t.close()
  expect(found).toEqual([{ is_over: true }, { is_over: false }])
})
