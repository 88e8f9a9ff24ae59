import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../../invariants/check.ts'
import { type Client, testApp } from '../../../testing/app.ts'
import { makePartner } from '../../../testing/partner.ts'
import { newImei, openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { untilSomebodyWaits } from '../../../testing/until-waiting.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

/** Previews a bulk edit, carries it out, and returns its id. */
async function edit(items: readonly number[], changes: object): Promise<number> {
  const { token } = (await user.post('/api/stock/bulk/preview', { items, changes })).body.data
  const { body } = await user.post('/api/stock/bulk', { items, changes, token })
  expect(body.data).toMatchObject({ changed: items.length, left_out: 0 })
  return body.data.bulk_id
}
const undo = (id: number) => user.post(`/api/stock/bulk/${id}/undo`)
const supplierCalled = async (company_name: string): Promise<number> =>
  (await user.post('/api/supplier/create', { company_name })).body.data.id
const claimOf = async (supplier_id: number, items: number[]): Promise<number> => {
  const claim = await user.post('/api/supplier-claim/create', { supplier_id, items, reason: 'Faulty' })
  expect(claim.status).toBe(201)
  return claim.body.data.id
}
const send = (claim: number) => user.post(`/api/supplier-claim/${claim}/send`)

test('an item in a supplier claim stays as it can be sent', async () => {
  const [supplier, other] = [await supplierCalled('Pallets'), await supplierCalled('Crates')]
  const gone = { status: 'Deleted', in_hand: false, supplier_id: supplier } as const
  const [claimed, free] = (await stockItems(t.db, shop, 2, gone)) as [number, number]
  const back = await edit([claimed, free], { status: 'In Stock', location: 'Shelf' })
  const first = await claimOf(supplier, [claimed])
  expect((await undo(back)).body.data).toEqual({
    restored: 1,
    kept: [{ id: claimed, reason: `It is in supplier claim #${first}.` }],
  })
  expect((await send(first)).status).toBe(200)

  const [bought, sold] = (await stockItems(t.db, shop, 2, { supplier_id: other })) as [number, number]
  const moved = await edit([bought, sold], { supplier_id: supplier })
  const second = await claimOf(supplier, [bought])
  expect((await undo(moved)).body.data).toEqual({
    restored: 1,
    kept: [{ id: bought, reason: `It is in supplier claim #${second}.` }],
  })
  expect((await send(second)).status).toBe(200)
})

test('a change that a supplier claim allows either way is undone, and so is one of an item that left a claim', async () => {
  const supplier = await supplierCalled('Boxes')
  const [priced, inbound] = [
    await stockItems(t.db, shop, 1, { supplier_id: supplier }),
    await stockItems(t.db, shop, 1, { supplier_id: supplier, status: 'Inbound' }),
  ]
  const acts = [await edit(priced, { sales_price: { add: 100 } }), await edit(inbound, { status: 'In Stock' })]
  const claim = await claimOf(supplier, [...priced, ...inbound])
  for (const act of acts) expect((await undo(act)).body.data).toEqual({ restored: 1, kept: [] })
  expect((await send(claim)).status).toBe(200)

  const again = await stockItems(t.db, shop, 1, { status: 'Deleted', in_hand: false, supplier_id: supplier })
  const back = await edit(again, { status: 'In Stock' })
  const left = await claimOf(supplier, again)
  expect((await user.post(`/api/supplier-claim/${left}/remove-items`, { items: again })).status).toBe(200)
  expect((await undo(back)).body.data).toEqual({ restored: 1, kept: [] })
})

test('an item stays that changed since, and is not said to be changed by anybody if no person did it', async () => {
  const [changed, other] = (await stockItems(t.db, shop, 2)) as [number, number]
  const act = await edit([changed, other], { location: 'Shelf' })
  await t.db.pool.query(`update stock set location = 'Box' where id = $1`, [changed])
  await t.db.pool.query(`insert into log (loggable_type, loggable_id, content) values ('Stock', $1, $2)`, [
    changed,
    { type: 'message', data: { message: 'Moved' } },
  ])
  expect((await undo(act)).body.data).toEqual({
    restored: 1,
    kept: [{ id: changed, reason: 'It was changed since; it is In Stock.' }],
  })
})

test('an item stays that a partner has changed since, and the partner is named', async () => {
  const [changed, other] = (await stockItems(t.db, shop, 2)) as [number, number]
  const act = await edit([changed, other], { location: 'Shelf' })
  const partner = await makePartner(t.app, admin, shop.customer)
  // The newest entry is about a batch that had the item's number.
  const said = (message: string) => ({ type: 'message', data: { message } })
  await t.db.pool.query(`update stock set location = 'Box' where id = $1`, [changed])
  await t.db.pool.query(
    `insert into log (user_id, partner_id, loggable_type, loggable_id, content)
     values ($1, null, 'Stock', $3, $4), (null, $2, 'Stock', $3, $4), ($1, null, 'Batch', $3, $5)`,
    [user.id, partner.id, changed, said('Moved'), said('Batch "A" deleted.')],
  )
  expect((await undo(act)).body.data).toEqual({
    restored: 1,
    kept: [{ id: changed, reason: 'Shop changed it since; it is In Stock.' }],
  })
})

test('an undo that waits for the deletion of a grade keeps the item without it, and gives back the others', async () => {
  const { rows: grades } = await t.db.pool.query<{ id: number }>(
    `insert into grade (name, position) values ('Short-lived', 99) returning id`,
  )
  const grade_id = grades[0]!.id
  const [graded] = (await stockItems(t.db, shop, 1, { grade_id })) as [number]
  const [plain] = (await stockItems(t.db, shop, 1)) as [number]
  const act = await edit([graded, plain], { location: 'Shelf', grade_id: 1 })
  const rival = await t.db.pool.connect()
  await rival.query('begin')
  await rival.query('delete from grade where id = $1', [grade_id])
  const undone = undo(act)
  await untilSomebodyWaits(t.db)
  await rival.query('commit')
  rival.release()
  expect((await undone).body.data).toEqual({
    restored: 1,
    kept: [{ id: graded, reason: `Its grade #${grade_id} no longer exists.` }],
  })
})

test('an undo keeps an item whose IMEI another item in hand has as its serial number', async () => {
  const imei = newImei()
  const [one, other] = [await stockItems(t.db, shop, 1, { imei }), await stockItems(t.db, shop, 1)]
  const act = await edit([...one, ...other], { status: 'Deleted' })
  const [odd] = await stockItems(t.db, shop, 1, { imei: null, serial_number: imei })
  expect((await undo(act)).body.data).toEqual({
    restored: 1,
    kept: [{ id: one[0], reason: `Item #${odd} already has this serial number.` }],
  })
})

test('an undo that loses the race for an identifier keeps the item, and gives back the others', async () => {
  const imei = newImei()
  const [one, other] = [await stockItems(t.db, shop, 1, { imei }), await stockItems(t.db, shop, 1)]
  const act = await edit([...one, ...other], { status: 'Deleted' })
  const rival = await t.db.pool.connect()
  await rival.query('begin')
  const { rows } = await rival.query(
    `insert into stock (status, actual_product_id, imei, purchase_price) values ('In Stock', $1, $2, 1) returning id`,
    [shop.product, imei],
  )
  const undone = undo(act)
  await untilSomebodyWaits(t.db)
  await rival.query('commit')
  rival.release()
  const { status, body } = await undone
  expect([status, body.data]).toEqual([
    200,
    { restored: 1, kept: [{ id: one[0], reason: `Item #${rows[0].id} already has this IMEI.` }] },
  ])
})
