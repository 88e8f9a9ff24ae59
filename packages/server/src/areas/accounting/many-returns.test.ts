import { afterAll, beforeAll, expect } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { watchRows } from '../../testing/rows-read.ts'
import { openShop, stockItems } from '../../testing/shop.ts'

const MANY = 2000
/**
 * The most rows that a step of a statement may touch for each return. A step that compares each return with all others
 * would touch 2,000.
 */
const FOR_EACH = 12

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let watch: ReturnType<typeof watchRows>
beforeAll(async () => {
  t = await testApp()
  watch = watchRows(t.db)
  admin = await t.user('ROLE_ADMIN')
  await admin.post('/api/company/edit', { country_code: 'IE', margin_rate: 23 })
})
afterAll(() => t.close())

testInTurn('the books of very many single returns of one invoice of margin goods read in proportion', async () => {
  const shop = await openShop(t.db)
  const items = await stockItems(t.db, shop, MANY, { purchase_treatment: 'margin' })
  const { body } = await admin.post('/api/sale/create', {
    ...{ stock_items: items.map((id) => ({ id })), customer_id: shop.customer, create_invoice: true },
    ...{ create_excel: false, send_email: false },
  })
  const sale: number = body.data.id
  const { rows } = await t.db.pool.query<{ id: number }>('select id from document where sale_id = $1', [sale])
  const invoice = rows[0]!.id
  // Each item comes back in two credit notes: the first credits 60.00, the second the rest of 300.00.
  await t.db.pool.query(
    `with note as (
       insert into document (series, year, number, kind, sale_id, credits_id, reason, status, issued_on, due_on, customer_id,
         buyer_name, total_net, total_gross)
       select 'credit_note', 2030, n, 'credit_note', $1, $2, 'return', 'pending', date '2030-05-01' + n % 2 * 31, '2030-06-30',
         $3, 'Bea', 0, 0 from generate_series(0, 2 * $4 - 1) n returning id, number)
     insert into document_line (document_id, stock_id, position, net, price, treatment, rate, cost, margin_rate,
       credit_kind)
     select id, ($5::int[])[number / 2 + 1], 1, p, p, 'margin', 0, number % 2 * 20000, 2300,
       case number % 2 when 0 then 'allowance' else 'return' end
     from note, lateral (select case number % 2 when 0 then 6000 else 24000 end as p) price`,
    [sale, invoice, shop.customer, MANY, items],
  )
  await t.db.pool.query('analyze document, document_line')

  const books = async (month: string) => {
    watch.busiest()
    const { status, body } = await admin.get(`/api/accounting?from=2030-${month}-01&to=2030-${month}-28`)
    expect(status, body.message).toBe(200)
    const { rows: read, ...where } = watch.busiest()
    expect(read, JSON.stringify(where)).toBeLessThan(FOR_EACH * MANY)
    expect(read).toBeGreaterThanOrEqual(MANY)
    return body.data.margin
  }
  expect(await books('05')).toEqual([
    { rate: 23, sales: -6000 * MANY, purchases: 0, margin: -6000 * MANY, losses: 0, vat: 0 },
  ])
  expect(await books('06')).toEqual([
    { rate: 23, sales: -24_000 * MANY, purchases: -20_000 * MANY, margin: -4000 * MANY, losses: 0, vat: 0 },
  ])
})
