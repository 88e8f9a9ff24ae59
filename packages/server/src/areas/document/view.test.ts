import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, runSaleJobs, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop

beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

test('a look leaves a document a draft; a download makes it final, and the document and the log say who did', async () => {
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
  expect(await document()).toMatchObject({ left_at: null, downloaded_by: null })
  expect(await get('pdf')).toEqual([200, 'attachment'])
  const { name } = (await client.get('/api/auth')).body.user
  const { number, ...made } = await document()
  expect(made).toMatchObject({ left_at: expect.any(String), downloaded_by: name })
  const colleague = await t.user()
  await colleague.get(`/api/sale/${sale.id}/invoice`)
  expect(await document()).toMatchObject({ left_at: made.left_at, downloaded_by: name })
  const { logs } = (await client.get(`/api/sale/find?id=${sale.id}`)).body.data[0]
  const said = logs.filter(({ content }: { content: { data: { message?: string } } }) =>
    content.data.message?.includes('was downloaded'),
  )
  expect(said).toMatchObject([
    { user_name: name, content: { data: { message: `Invoice ${number} was downloaded and is final now.` } } },
  ])
  expect(await get('pdf?view')).toEqual([200, 'inline'])
})

test('a download of the sale’s invoice names who downloaded it; a dispatch makes it final without such a name', async () => {
  const ids = await stockItems(t.db, shop, 2, { vat_id: shop.vat.standard })
  const sell = async (id: number | undefined) =>
    (await client.post('/api/sale/create', { stock_items: [{ id }], customer_id: shop.customer, send_email: false }))
      .body.data.id
  const [downloaded, dispatched] = [await sell(ids[0]), await sell(ids[1])]
  await runSaleJobs(t, '')
  await client.get(`/api/sale/${downloaded}/invoice`)
  for (const status of ['Awaiting Dispatch', 'Dispatched'])
    await client.post(`/api/sale/${dispatched}/edit`, { status })
  const by = async (id: number) => (await client.get(`/api/document/find?sale_id=${id}`)).body.data
  const { name } = (await client.get('/api/auth')).body.user
  expect(await by(downloaded)).toMatchObject([{ left_at: expect.any(String), downloaded_by: name }])
  expect(await by(dispatched)).toMatchObject([{ left_at: expect.any(String), downloaded_by: null }])
})
