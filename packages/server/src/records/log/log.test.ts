import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { importCsv } from '../../testing/csv-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { record } from './write.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

test('the logs of some records by type and id, several of each; ids beyond all bounds match nothing', async () => {
  const supplier = (await user.post('/api/supplier/create', { company_name: 'Pallets' })).body.data.id
  const other = (await user.post('/api/supplier/create', { company_name: 'Crates' })).body.data.id
  await user.post('/api/batch/create', { name: 'Mixed' })
  const found = async (query: string) =>
    (await user.get(`/api/log/find?${query}`)).body.data.map(
      (log: { loggable_type: string; loggable_id: number }) => `${log.loggable_type} ${log.loggable_id}`,
    )
  expect(await found(`loggable_type=Supplier&loggable_id=${supplier}`)).toEqual([`Supplier ${supplier}`])
  expect(await found(`loggable_type=Supplier&loggable_id=${supplier},${other}`)).toHaveLength(2)
  expect(await found('loggable_type=Supplier,Batch')).toHaveLength(3)
  expect(await found('loggable_id=99999999999')).toEqual([])
  expect(await found('ids=')).toEqual([])
  expect(await user.get('/api/log/find?loggable_type=Nope')).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^loggable_type must be one of/) },
  })
})

type Entry = {
  loggable_type: string
  loggable_id: number
  is_deleted?: boolean
  content: { type: string; data: { attributeName: string; to: unknown }[] & { message?: string; is_deleted?: boolean } }
}
const notifications = async (of: Client): Promise<Entry[]> => (await of.get('/api/auth')).body.user.recent_logs
const said = ({ loggable_type, content }: Entry) => [
  loggable_type,
  content.data.message ?? Object.fromEntries(content.data.map(({ attributeName, to }) => [attributeName, to])),
]

test('an act on many items is one notification with their number; each item has its own entry', async () => {
  const seller = await t.user()
  const items = await stockItems(t.db, shop, 25)
  const sold = await seller.post('/api/sale/create', {
    ...{ stock_items: items.map((id) => ({ id })), customer_id: shop.customer },
    ...{ create_invoice: false, create_excel: false, send_email: false },
  })
  expect(sold.status).toBe(201)
  const { id } = sold.body.data
  await seller.post(`/api/sale/${id}/edit`, { status: 'Voided' })
  const batch = (await seller.post('/api/batch/create', { name: 'Back', items })).body.data.id
  const told = (await notifications(seller)).map(said).toReversed()
  expect(told).toEqual([
    ['Sale', expect.objectContaining({ status: 'New', total_items: 25 })],
    ['Sale', { status: 'Voided', items_back_in_stock: 25 }],
    ['Batch', { name: 'Back', priority: 0, is_locked: false }],
    ['Batch', expect.stringMatching(/^Added: items #\d+.* and 5 more\.$/)],
  ])
  const { logs } = (await seller.get(`/api/stock/find?id=${items[0]}`)).body.data[0]
  expect(logs.map((entry: Entry) => entry.content.type)).toEqual([
    ...['model_update', 'model_update', 'model_update', 'item_sold'],
  ])
  await seller.post(`/api/batch/${batch}/remove-item/${items[0]}`)
  expect((await notifications(seller)).slice(0, 2).map(said)).toEqual([
    ['Batch', `Removed: item #${items[0]}.`],
    ['Stock', { status: 'In Stock', batch: null }],
  ])
})

test('an entry says if its record, or the sale that it leads to, is no more', async () => {
  const seller = await t.user()
  const [item] = await stockItems(t.db, shop, 1)
  const batch = (await seller.post('/api/batch/create', { name: 'Gone soon', items: [item] })).body.data.id
  expect((await notifications(seller)).map((entry) => entry.is_deleted)).toEqual([false, false, false])
  await seller.delete(`/api/batch/${batch}/delete`)
  const entries = await notifications(seller)
  const gone = entries.filter((entry) => entry.loggable_type === 'Batch')
  expect(gone.length).toBeGreaterThan(2)
  expect(gone.every((entry) => entry.is_deleted)).toBe(true)
  expect(entries.filter((entry) => entry.loggable_type === 'Stock').some((entry) => entry.is_deleted)).toBe(false)

  const { id } = (
    await seller.post('/api/sale/create', {
      ...{ stock_items: [{ id: item }], customer_id: shop.customer },
      ...{ create_invoice: false, send_email: false },
    })
  ).body.data
  const itemSold = async () => {
    const { logs } = (await seller.get(`/api/stock/find?id=${item}`)).body.data[0]
    return logs.find((entry: Entry) => entry.content.type === 'item_sold').content.data
  }
  expect(await itemSold()).toEqual({ sale_id: id })
  await seller.post(`/api/sale/${id}/edit`, { status: 'Voided' })
  expect((await seller.delete(`/api/sale/${id}/delete`)).status).toBe(200)
  expect(await itemSold()).toEqual({ sale_id: id, is_deleted: true })
})

test('a hidden entry is shown nowhere: not on its record, not among the logs, and to nobody as news', async () => {
  const seller = await t.user()
  const [item] = await stockItems(t.db, shop, 1)
  await seller.post(`/api/stock/${item}/edit`, { engineer_notes: 'Seen' })
  await t.db.write((tx) =>
    record(tx, { userId: seller.id }, [
      { type: 'Stock', id: item!, content: { type: 'message', data: { message: 'Unseen' } }, hidden: true },
    ]),
  )
  const shown = [
    (await seller.get(`/api/stock/find?id=${item}`)).body.data[0].logs,
    // This answer reads the log in the same statement that writes the entries of the edit.
    (await seller.post(`/api/stock/${item}/edit`, { engineer_notes: 'Again' })).body.data.logs,
    (await seller.get(`/api/log/find?loggable_type=Stock&loggable_id=${item}`)).body.data,
    await notifications(seller),
  ]
  for (const logs of shown) {
    expect(JSON.stringify(logs)).toContain('Seen')
    expect(JSON.stringify(logs)).not.toContain('Unseen')
  }
})

test('notifications leave out imports and the texts of mails; they are the newest 20, like a record’s log', async () => {
  const seller = await t.user()
  await importCsv(t, seller, {
    csv: `imei,make,model,category,purchase_price\n${newImei()},Apple,iPhone 13,Phone,1`,
  })
  const { rows } = await t.db.pool.query('select from log where user_id = $1 and import_id is not null', [seller.id])
  expect(rows.length).toBeGreaterThan(0)
  expect(await notifications(seller)).toEqual([])

  const write = (content: Parameters<typeof record>[2][number]['content']) =>
    t.db.write((tx) => record(tx, { userId: seller.id }, [{ type: 'Customer', id: shop.customer, content }]))
  const ofCustomer = async () => (await seller.get(`/api/customer/find?id=${shop.customer}`)).body.data[0].logs
  const mail = { type: 'email_sent' as const, data: { message: 'Sent.', email_body: 'Dear Ann' } }
  await write(mail)
  expect((await notifications(seller)).map(({ content }) => content)).toEqual([
    { type: 'email_sent', data: { message: 'Sent.' } },
  ])
  expect((await ofCustomer())[0].content).toEqual(mail)
  for (let n = 1; n <= 21; n++) await write({ type: 'message', data: { message: `Call ${n}` } })
  const newest = Array.from({ length: 20 }, (_, n) => `Call ${21 - n}`)
  for (const logs of [await notifications(seller), await ofCustomer()])
    expect(logs.map(({ content }: Entry) => content.data.message)).toEqual(newest)
})
