import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, runSaleJobs, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client

beforeAll(async () => {
  t = await testApp()
  client = await t.user()
})
afterAll(() => t.close())

test('a document is shown to who looks at it, before and after it has left, and saved by who downloads it', async () => {
  const shop = await openShop(t.db)
  const [id] = await stockItems(t.db, shop, 1, { vat_id: shop.vat.standard })
  const input = { stock_items: [{ id }], customer_id: shop.customer, send_email: false }
  const sale = (await client.post('/api/sale/create', input)).body.data
  await runSaleJobs(t, '')
  const document = async () => (await client.get(`/api/sale/find?id=${sale.id}`)).body.data[0].documents[0]
  const get = async (path: string) => {
    const { status, headers } = await client.get(`/api/document/${sale.documents[0].id}/${path}`)
    return [status, String(headers['content-disposition']).split(';')[0]]
  }
  expect(await get('pdf?view')).toEqual([200, 'inline'])
  expect((await document()).left_at).toBeNull()
  expect(await get('pdf')).toEqual([200, 'attachment'])
  expect((await document()).left_at).not.toBeNull()
  expect(await get('pdf?view')).toEqual([200, 'inline'])
})
