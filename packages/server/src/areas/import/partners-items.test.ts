import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { applyImport } from '../../testing/csv-upload.ts'
import { makePartner, type PartnerClient } from '../../testing/partner.ts'
import { newImei, openShop, type Shop } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let shop: Shop
let partner: PartnerClient
beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  partner = await makePartner(t.app, admin, shop.customer)
})
afterAll(() => t.close())

async function push(item: object) {
  const { import_id } = (await partner.post('/stock', { items: [item] })).body.data
  await applyImport(t, import_id)
  return (await partner.get(`/imports/${import_id}`)).body.data
}

const itemsWith = async (imei: string) =>
  (await t.db.pool.query('select id, status, in_hand, sales_price from stock where imei = $1 order by id', [imei])).rows

test('an own item that was taken out comes back by In Stock, and is a new one if it is pushed afresh', async () => {
  for (const status of [undefined, null, 'Inbound']) {
    const phone = { imei: newImei(), make: 'Apple', model: 'iPhone 13', capacity: 128, capacity_unit: 'GB' }
    const offer = { ...phone, purchase_price: 20_000, sales_price: 30_000, status }
    await push(offer)
    await push({ imei: phone.imei, deleted: true })
    expect(await push(offer)).toMatchObject({ successed_rows: 1, failed_rows: 0 })
    const [old, fresh] = await itemsWith(phone.imei)
    expect(old).toMatchObject({ status: 'Deleted', in_hand: false })
    expect(fresh).toMatchObject({ status: 'Inbound', in_hand: true })

    expect(await push({ imei: phone.imei, sales_price: 28_000 })).toMatchObject({ successed_rows: 1 })
    expect(await itemsWith(phone.imei)).toMatchObject([old, { id: fresh.id, sales_price: 28_000 }])

    await push({ imei: phone.imei, deleted: true })
    expect((await push({ imei: phone.imei, sales_price: 27_000 })).errors).toMatchObject([
      { errors: { make: expect.any(String) } },
    ])
    expect(await push({ imei: phone.imei, status: 'In Stock' })).toMatchObject({ successed_rows: 1 })
    expect(await itemsWith(phone.imei)).toMatchObject([old, { id: fresh.id, status: 'In Stock', sales_price: 28_000 }])
  }
})

test('a row never means two phones of a partner, and what stands for nothing is no serial number', async () => {
  const phone = { imei: newImei(), make: 'Apple', model: 'iPhone 13', capacity: 128, capacity_unit: 'GB' }
  await push({ ...phone, backstock_id: 'OWN-1', purchase_price: 1 })
  await push({ imei: phone.imei, deleted: true })
  await push({ ...phone, backstock_id: 'OWN-2', purchase_price: 2 })
  expect((await push({ imei: phone.imei, backstock_id: 'OWN-1', sales_price: 3 })).errors).toEqual([
    { row: 1, errors: { backstock_id: 'The identifiers of this row belong to different items.' } },
  ])
  const [, back] = await itemsWith(phone.imei)
  const { rows } = await t.db.pool.query('select backstock_id, sales_price from stock where id = $1', [back.id])
  expect(rows).toEqual([{ backstock_id: 'OWN-2', sales_price: null }])

  const others = [newImei(), newImei()]
  for (const imei of others)
    expect(await push({ ...phone, imei, serial_number: 'N/A', purchase_price: 1 })).toMatchObject({ successed_rows: 1 })
  const made = await t.db.pool.query('select serial_number from stock where imei = any($1)', [others])
  expect(made.rows).toEqual([{ serial_number: null }, { serial_number: null }])
})

test('a name of a further field has no blanks around it: an import of the export would not know it again', async () => {
  for (const name of [' imei', 'warranty ', '\tbox', ' ']) {
    const answer = await partner.post('/stock', { items: [{ imei: newImei(), [name]: 'x' }] })
    expect([answer.status, answer.body.data.errors]).toEqual([
      422,
      { [`items.0.${name}`]: 'Is not a valid name for a field.' },
    ])
  }
})

test('an item that comes back says nothing of another that has one of its identifiers, not even its number', async () => {
  const [imei, imei2] = [newImei(), newImei()]
  const phone = { imei, imei2, make: 'Apple', model: 'iPhone 13', capacity: 128, capacity_unit: 'GB' }
  await push({ ...phone, backstock_id: 'BACK-1', purchase_price: 1 })
  await push({ imei, deleted: true })
  for (const taken of [{ imei: imei2 }, { imei: newImei(), backstock_id: 'BACK-1' }])
    await admin.post('/api/stock/create', { actual_product_id: shop.product, purchase_price: 1, ...taken })
  expect((await push({ imei, status: 'In Stock' })).errors).toEqual([
    {
      row: 1,
      errors: {
        imei2: 'Another item already has this IMEI.',
        backstock_id: 'Another item already has this Backstock ID.',
      },
    },
  ])
})

test('an own item comes back although a phone with its IMEI, which others had, has left since', async () => {
  const imei = newImei()
  const phone = { imei, make: 'Apple', model: 'iPhone 13', capacity: 128, capacity_unit: 'GB' }
  await push({ ...phone, backstock_id: 'MINE-1', purchase_price: 1 })
  await push({ imei, deleted: true })
  const bought = { actual_product_id: shop.product, purchase_price: 1, imei }
  const { id } = (await admin.post('/api/stock/create', bought)).body.data
  expect((await admin.post(`/api/stock/${id}/edit`, { status: 'Deleted' })).status).toBe(200)
  expect(await push({ imei, backstock_id: 'MINE-1', status: 'In Stock' })).toMatchObject({ successed_rows: 1 })
  expect(await itemsWith(imei)).toMatchObject([{ status: 'In Stock' }, { id, status: 'Deleted' }])
})
