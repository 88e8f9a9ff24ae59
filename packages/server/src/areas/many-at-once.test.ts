import { afterAll, beforeAll, expect } from 'vitest'
import { type Answer, type Client, testApp } from '../testing/app.ts'
import { importCsv } from '../testing/csv-upload.ts'
import { testInTurn } from '../testing/in-turn.ts'
import { watchRows } from '../testing/rows-read.ts'
import { openShop, type Shop, stockItems } from '../testing/shop.ts'

const MANY = 600
/**
 * The most rows that a step of a statement may touch for each item. A step that compares each item with all others
 * would touch 600.
 */
const FOR_EACH = 12

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
let items: number[]
let watch: ReturnType<typeof watchRows>
beforeAll(async () => {
  // All writes use one connection, so that it keeps the query plans that it made for the first of them.
  t = await testApp({}, { writers: 1 })
  watch = watchRows(t.db)
  shop = await openShop(t.db)
  staff = await t.user()
  items = await stockItems(t.db, shop, MANY)
  await t.db.pool.query('analyze')
  // As on a usual day, single items are edited before very many are.
  for (const [n, id] of items.slice(0, 10).entries()) {
    const edit = (fields: object) => staff.post(`/api/stock/${id}/edit`, fields)
    expect((await edit({ sales_price: 40_000 + n })).status).toBe(200)
    expect((await edit({ serial_number: `SN-${n}` })).status).toBe(200)
    expect((await edit({ status: 'Deleted' })).status).toBe(200)
    expect((await edit({ status: 'In Stock' })).status).toBe(200)
  }
})
afterAll(() => t.close())

/** Runs a request about very many items, and checks that each statement reads rows in proportion to the items. */
async function linear(act: () => Promise<Answer>): Promise<Answer> {
  watch.busiest()
  const answer = await act()
  expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBeLessThan(300)
  const { rows, ...where } = watch.busiest()
  expect(rows, JSON.stringify(where)).toBeLessThan(FOR_EACH * MANY)
  expect(rows).toBeGreaterThanOrEqual(MANY)
  return answer
}

const batch = (more: object) => staff.post('/api/batch/create', { name: 'Many', ...more })

testInTurn('a basket of very many items', () => linear(() => staff.put(`/api/user/${staff.id}/basket`, { items })))

testInTurn('a batch of very many items, moved into another, and deleted', async () => {
  const from = (await linear(() => batch({ items }))).body.data.id
  const to = (await batch({})).body.data.id
  await linear(() => staff.post('/api/batch/add-items', { batch_id: to, items, id: from }))
  await linear(() => staff.delete(`/api/batch/${to}/delete`))
})

testInTurn('a sale of very many items out of basket and batch, voided, and another dispatched', async () => {
  const sell = async () => {
    const batch_id = (await batch({ items })).body.data.id
    await staff.put(`/api/user/${staff.id}/basket`, { items })
    const sale = {
      ...{ stock_items: items.map((id) => ({ id })), customer_id: shop.customer, batch_id, delete_batch: true },
      ...{ create_invoice: false, create_excel: false, send_email: false },
    }
    const { id } = (await linear(() => staff.post('/api/sale/create', sale))).body.data
    return (status: string) => linear(() => staff.post(`/api/sale/${id}/edit`, { status }))
  }
  await (await sell())('Voided')
  const move = await sell()
  await move('Awaiting Payment')
  await move('Awaiting Dispatch')
  // The items leave here, so their identifiers move to the index of items that are not in stock.
  await move('Dispatched')
})

testInTurn('an import that updates very many items, and prices written by one statement', async () => {
  const devices = await stockItems(t.db, shop, MANY)
  const { rows } = await t.db.pool.query<{ imei: string }>('select imei from stock where id = any($1)', [devices])
  const csv = ['imei,sales_price,serial_number', ...rows.map(({ imei }, n) => `${imei},${100 + n}.00,NEW-${n}`)]
  await linear(async () => {
    const entry = await importCsv(t, staff, { csv: csv.join('\n'), update_existing: 'true' })
    expect(entry.content.data.successed_rows).toBe(MANY)
    return { status: 200, body: entry, headers: {}, raw: Buffer.alloc(0) }
  })
  await linear(async () => {
    const written = await t.db.pool.query('update stock set sales_price = sales_price + 1 where id = any($1)', [
      devices,
    ])
    expect(written.rowCount).toBe(MANY)
    return { status: 200, body: null, headers: {}, raw: Buffer.alloc(0) }
  })
})
