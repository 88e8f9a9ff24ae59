import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '../testing/app.ts'
import { applyImport } from '../testing/csv-upload.ts'
import { makePartner, partnerClient } from '../testing/partner.ts'
import { openShop, stockItems } from '../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const keys = async (partner: number) =>
  (await t.db.pool.query('select hash, revoked_at from partner_key where partner_id = $1 order by id', [partner])).rows
const sha256 = (key: string) => createHash('sha256').update(key).digest()

test('a key is answered once, kept only as its hash, and ends the one before', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const { id, has_key } = (await admin.post('/api/partner/create', { name: 'Shop' })).body.data
  expect(has_key).toBe(false)
  const generate = () => admin.post(`/api/partner/${id}/generate-token`)
  const first = (await generate()).body.data
  const second = (await generate()).body.data
  expect(first).toMatch(/^bsk_[\w-]{43}$/)
  expect(second).not.toBe(first)
  expect(await keys(id)).toEqual([
    { hash: sha256(first), revoked_at: expect.any(String) },
    { hash: sha256(second), revoked_at: null },
  ])
  const read = await admin.get(`/api/partner/find?id=${id}`)
  expect(read.body.data[0].has_key).toBe(true)
  expect(JSON.stringify(read.body)).not.toMatch(/bsk_|hash/)

  const together = await Promise.all([generate(), generate(), generate()])
  expect(together.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await keys(id)).filter((key) => key.revoked_at === null)).toHaveLength(1)

  expect((await admin.post('/api/partner/999999/generate-token')).status).toBe(404)
  expect((await (await t.user()).post(`/api/partner/${id}/generate-token`)).status).toBe(403)
  expect((await admin.delete(`/api/partner/${id}/delete`)).status).toBe(200)
  expect(await keys(id)).toEqual([])
})

test('a key can be ended without a new one, by administrators alone', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const partner = await makePartner(t.app, admin, null)
  const revoke = (client = admin, id = partner.id) => client.post(`/api/partner/${id}/revoke-token`)
  expect((await partner.get('/products')).status).toBe(200)
  expect((await revoke(await t.user())).status).toBe(403)
  expect((await partner.get('/products')).status).toBe(200)
  expect(await revoke()).toMatchObject({
    status: 200,
    body: {
      ...{ success: true, message: `Partner #${partner.id} has no key any more.` },
      data: { id: partner.id, has_key: false },
    },
  })
  expect((await partner.get('/products')).status).toBe(401)
  expect((await revoke()).status).toBe(200)
  expect((await revoke(admin, 999_999)).status).toBe(404)
  const next = (await admin.post(`/api/partner/${partner.id}/generate-token`)).body.data
  expect((await partnerClient(t.app, partner.id, next).get('/products')).status).toBe(200)
})

test('a partner that has pushed or ordered stays; the key of one that has not ends with it', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const shop = await openShop(t.db)
  const [item] = await stockItems(t.db, shop, 1)
  const [pushes, orders, neither] = [
    await makePartner(t.app, admin, null),
    await makePartner(t.app, admin, shop.customer),
    await makePartner(t.app, admin, null),
  ]
  const phone = {
    serial_number: 'F2LXK1',
    make: 'Apple',
    model: 'iPhone 13',
    capacity: 128,
    capacity_unit: 'GB',
    purchase_price: 1,
  }
  const pushed = await pushes.post('/stock', { items: [phone] })
  expect((await orders.post('/orders', { items: [{ id: item }] })).status).toBe(201)
  const remove = async (id: number) => {
    const { status, body } = await admin.delete(`/api/partner/${id}/delete`)
    return [status, body.message]
  }
  const used = (id: number, by: string) => [
    409,
    `Partner #${id} is used by ${by} and cannot be deleted. To end its access, revoke its key.`,
  ]
  expect(await remove(pushes.id)).toEqual(used(pushes.id, '1 import'))
  await applyImport(t, pushed.body.data.import_id)
  expect(await remove(pushes.id)).toEqual(used(pushes.id, '1 stock item and 1 import'))
  expect(await remove(orders.id)).toEqual(used(orders.id, '1 sale'))
  expect((await pushes.get('/products')).status).toBe(200)
  expect((await remove(neither.id))[0]).toBe(200)
  expect((await neither.get('/products')).status).toBe(401)
})

test('a partner names its customer, who must exist', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const input = { first_name: 'Ada', last_name: 'Byron', email: 'ada@customer.test' }
  const customer_id = (await admin.post('/api/customer/create', input)).body.data.id
  const created = await admin.post('/api/partner/create', { name: 'Engines', customer_id: String(customer_id) })
  expect(created.body.data).toMatchObject({ customer_id, customer_name: 'Ada Byron' })
  const refused = await admin.post(`/api/partner/${created.body.data.id}/edit`, { customer_id: 999_999 })
  expect([refused.status, refused.body.data.errors]).toEqual([
    422,
    { customer_id: 'This record does not exist. Choose another.' },
  ])
})
