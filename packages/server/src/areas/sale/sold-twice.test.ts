import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { loseItems } from './change/lose-items.ts'

// Items that were sold, came back and are sold again, on one sale with others. An act on one of the two sales changes no
// row of the other.
let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
let supplier: number

beforeAll(async () => {
  t = await testApp()
  user = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  await user.post('/api/company/edit', { country_code: 'IE', margin_rate: 23 })
  const made = await user.post('/api/supplier/create', { company_name: 'Foxway', default_purchase_treatment: 'margin' })
  supplier = made.body.data.id
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

const done = async (address: string, body: object = {}) => {
  const answer = await user.post(address, body)
  expect([address, answer.status, answer.body.data?.errors]).toEqual([address, expect.toBeOneOf([200, 201]), undefined])
  return answer.body.data
}
const some = (prices: Record<number, number>) =>
  Object.entries(prices).map(([id, price]) => ({ id: Number(id), price }))

/** All rows that belong to a sale: its lines, documents, returns and entries of its log. */
async function rowsOf(saleId: number): Promise<unknown> {
  const tables = {
    sale: 'x.id = $1',
    sale_item: 'x.sale_id = $1',
    sale_vat: 'x.sale_id = $1',
    document: 'x.sale_id = $1',
    document_line: 'x.document_id in (select id from document where sale_id = $1)',
    document_vat: 'x.document_id in (select id from document where sale_id = $1)',
    document_version: 'x.document_id in (select id from document where sale_id = $1)',
    purchase_correction: 'x.document_id in (select id from document where sale_id = $1)',
    customer_return_item: 'x.sale_id = $1',
    log: `x.loggable_type = 'Sale' and x.loggable_id = $1`,
  }
  const all = Object.entries(tables).map(
    ([table, isOfSale]) => `(select json_agg(x order by x::text) from ${table} x where ${isOfSale}) as ${table}`,
  )
  return (await t.db.pool.query(`select ${all.join(', ')}`, [saleId])).rows[0]
}
/** Does something, and checks that it has changed the one sale and not the other. */
async function changesOnly(one: number, other: number, act: () => Promise<unknown>): Promise<void> {
  const [before, rest] = [await rowsOf(one), await rowsOf(other)]
  await act()
  expect(await rowsOf(one)).not.toEqual(before)
  expect(await rowsOf(other)).toEqual(rest)
}

async function sell(prices: Record<number, number>): Promise<number> {
  const stock_items = Object.entries(prices).map(([id, sales_price]) => ({ id: Number(id), sales_price }))
  return (await done('/api/sale/create', { customer_id: shop.customer, send_email: false, stock_items })).id
}
async function dispatch(id: number): Promise<void> {
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await done(`/api/sale/${id}/edit`, { status })
}
/** Deletes an item that is on a sale. An import can do this. */
const lose = (saleId: number, id: number) =>
  t.db.write(async (tx) => {
    await tx
      .updateTable('stock')
      .set({ status: 'Deleted', sale_id: null, in_hand: false })
      .where('id', '=', id)
      .execute()
    await loseItems(tx, [{ id, saleId, productName: 'Phone' }], { userId: null })
  })
const announce = (prices: Record<number, number>) =>
  done('/api/return/create', { customer_id: shop.customer, items: some(prices) })
const receive = (id: number) => done(`/api/return/${id}/receive`, { send_email: false })

let a: number
let b: number
let c: number
let first: number
let second: number

/** An allowance for `a`, then all three come back: of `a` and `b` the shop keeps a part. Then they are sold again. */
beforeEach(async () => {
  const items = await stockItems(t.db, shop, 3, {
    ...{ vat_id: shop.vat.standard, supplier_id: supplier, purchase_treatment: 'margin' },
  })
  ;[a, b, c] = items as [number, number, number]
  first = await sell({ [a]: 30_000, [b]: 31_000, [c]: 32_000 })
  await dispatch(first)
  await done(`/api/sale/${first}/allow`, { items: some({ [a]: 1000 }), send_email: false })
  const { id } = await announce({ [a]: 20_000, [b]: 30_000, [c]: 32_000 })
  await receive(id)
  second = await sell({ [a]: 25_000, [b]: 26_000, [c]: 27_000 })
})

test('corrections, allowances and returns of the second sale leave the first', async () => {
  const changes = (act: () => Promise<unknown>) => changesOnly(second, first, act)
  await changes(() => done(`/api/sale/${second}/correct`, { items: [{ id: a, sales_price: 24_000 }] }))
  await changes(() => done(`/api/sale/${second}/correct`, { items: [{ id: b, vat_treatment: 'standard' }] }))
  await changes(() => dispatch(second))
  await changes(() => done(`/api/sale/${second}/allow`, { items: some({ [a]: 700 }), send_email: false }))
  await changes(() => done(`/api/sale/${second}/correct`, { items: [{ id: c, sales_price: 26_000 }] }))

  const announced = await announce({ [a]: 100, [b]: 200 })
  await changes(() => done(`/api/return/${announced.id}/edit`, { items: some({ [b]: 300 }) }))
  await changes(() => receive(announced.id))
  const refused = await announce({ [c]: 100 })
  await changes(() => done(`/api/return/${refused.id}/edit`, { state: 'refused' }))
  await changes(() => done(`/api/sale/${second}/return-item/${c}`))
  await changes(() => done(`/api/sale/${second}/invoice/generate`, {}))
})

test('items that are lost, or come off the second sale, leave the first', async () => {
  const changes = (act: () => Promise<unknown>) => changesOnly(second, first, act)
  await changes(() => lose(second, a))
  await changes(() => lose(second, b))
  // `b` is there again. Its serial number and its purchase treatment were wrong.
  const again = `
    update stock set status = 'In Stock', in_hand = true, serial_number = 'SN-' || id, purchase_treatment = 'standard'
    where id = $1`
  await t.db.pool.query(again, [b])
  await changes(() => done(`/api/sale/${second}/edit`, { status: 'Awaiting Dispatch' }))
  await changes(() => done(`/api/sale/${second}/cancel`))
})

test('a supplier’s credit for what is sold again lowers the cost on the sale that has it', async () => {
  await done(`/api/sale/${second}/edit`, { status: 'Voided' })
  const claim = (items: number[]) =>
    done('/api/supplier-claim/create', { supplier_id: supplier, items, reason: 'Faulty' })
  const other = await claim([c])
  const { id } = await claim([a, b])
  await done(`/api/supplier-claim/${other.id}/send`)
  await done(`/api/supplier-claim/${id}/send`)
  const itemsOf = async (claimId: number) =>
    (await t.db.pool.query('select * from supplier_claim_item where claim_id = $1 order by stock_id', [claimId])).rows
  const before = await itemsOf(other.id)
  await done(`/api/supplier-claim/${id}/settle`, { settled_on: '2026-01-02', credit_received: 0, items_back: true })
  expect(await itemsOf(other.id)).toEqual(before)
  const third = await sell({ [a]: 25_000, [b]: 26_000 })
  await changesOnly(third, first, async () => {
    await changesOnly(third, second, () => done(`/api/supplier-claim/${id}/edit`, { credit_received: 6000 }))
  })
  await dispatch(third)
  await changesOnly(third, second, () => done(`/api/supplier-claim/${id}/edit`, { credit_received: 5000 }))
})
