import { groupItems } from '@backstock/contract/item-groups.ts'
import type { Offer } from '@backstock/contract/offer.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { textOf } from '../../testing/printed-invoice.ts'
import { readSheet } from '../../testing/sheet.ts'
import { batchOf, openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
let grades: { id: number; name: string }[]
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
  grades = (await staff.get('/api/grade/find')).body.data
})
afterAll(() => t.close())

const offer = async (query: string, who = staff): Promise<Offer> => {
  const { status, body } = await who.get(`/api/offer?${query}`)
  expect(status).toBe(200)
  return body.data
}
const product = async (model: string) => {
  const { rows } = await t.db.pool.query(
    `insert into product (make_id, category_id, model, display_name) select make_id, category_id, $1, $1 from product
     where id = $2 returning id`,
    [model, shop.product],
  )
  return rows[0].id as number
}
/** The result of the contract's rule for the same items. */
const grouped = (rows: StockRow[]) =>
  groupItems(rows).map(({ product, grade, items, unpriced, lowest, highest }) => ({
    ...{ product, grade, quantity: items.length, unpriced, lowest, highest },
  }))

test('the items of a filtered stock list are offered by product and grade, as the items themselves say', async () => {
  const other = await product('Zen Phone')
  const [best, next] = grades as [(typeof grades)[0], (typeof grades)[0]]
  await stockItems(t.db, shop, 3, { grade_id: best.id })
  await stockItems(t.db, shop, 2, { grade_id: best.id, sales_price: 25_000 })
  await stockItems(t.db, shop, 1, { grade_id: next.id, sales_price: null })
  await stockItems(t.db, shop, 2, { actual_product_id: other })
  await stockItems(t.db, shop, 4, { status: 'Inbound', grade_id: best.id })
  await stockItems(t.db, shop, 1, { status: 'Inbound' })

  const all = await offer('status=In Stock')
  expect(all).toMatchObject({ seller: 'Phones Ltd', not_sellable: 0 })
  expect(all.date).toMatch(/^\d{4}-\d\d-\d\d$/)
  const { data } = (await staff.get('/api/stock/find?status=In Stock&per_page=250')).body
  const offeredThere = all.groups.map(({ product_id: _, grade_id: __, ...group }) => group)
  // The server orders grades as the shop does, which the contract's rule cannot know.
  const sorted = (groups: object[]) => groups.map((group) => JSON.stringify(group)).toSorted()
  expect(sorted(offeredThere)).toEqual(sorted(grouped(data)))
  expect(all.groups[0]).toEqual({
    ...{ product_id: shop.product, grade_id: best.id, product: 'Apple iPhone 13 128 GB', grade: best.name },
    ...{ quantity: 5, unpriced: 0, lowest: 25_000, highest: 30_000 },
  })

  const narrowed = await offer(`status=In Stock,Inbound&grade_id=${next.id}`)
  expect(narrowed.groups).toMatchObject([{ quantity: 1, unpriced: 1, lowest: null, highest: null }])
  expect((await offer('search=zen')).groups).toMatchObject([{ product: 'Zen Phone', grade: null, quantity: 2 }])
  expect((await offer('status=Inbound')).groups).toEqual([])
  expect((await staff.get('/api/offer?status=Nope')).status).toBe(400)
})

test('a batch and the own basket are offered, and what of them cannot be sold is counted', async () => {
  const batch = await batchOf(t.db, shop, staff.id, 3)
  expect(await offer(`batch_id=${batch.id}`)).toMatchObject({ groups: [{ quantity: 3 }], not_sellable: 0 })
  const [gone] = await stockItems(t.db, shop, 1, { status: 'Inbound' })
  const other = await t.user()
  await other.put(`/api/user/${other.id}/basket`, { items: [...batch.items.slice(1), gone] })
  expect(await offer('basket=1', other)).toMatchObject({ groups: [{ quantity: 2 }], not_sellable: 1 })
  expect(await offer('basket=1')).toMatchObject({ groups: [], not_sellable: 0 })
  const sold = { stock_items: [{ id: batch.items[0] }], customer_id: shop.customer, remove_from_batch: false }
  expect((await staff.post('/api/sale/create', { ...sold, create_invoice: false })).status).toBe(201)
  expect(await offer(`batch_id=${batch.id}`)).toMatchObject({ groups: [{ quantity: 2 }], not_sellable: 1 })
})

test('items that are named by their ids are offered alone, one or several, and none by an empty list', async () => {
  const [one, two, gone] = [
    ...(await stockItems(t.db, shop, 2, { sales_price: 7_000 })),
    ...(await stockItems(t.db, shop, 1, { status: 'Inbound' })),
  ]
  expect(await offer(`id=${one}`)).toMatchObject({ groups: [{ quantity: 1, lowest: 7_000 }], not_sellable: 0 })
  expect(await offer(`ids=${one},${two},${gone}`)).toMatchObject({ groups: [{ quantity: 2 }], not_sellable: 1 })
  expect(await offer(`id=${gone}`)).toMatchObject({ groups: [], not_sellable: 1 })
  expect((await offer('ids=')).groups).toEqual([])
  expect((await offer('id=999999999')).groups).toEqual([])
  expect((await staff.get('/api/offer?id=x')).body.message).toBe('id must be a whole number.')
  const file = (await staff.get(`/api/stock/export/csv?ids=${two},${gone}`)).raw.toString()
  expect(
    file
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => Number(line.split(',')[0]))
      .toSorted(),
  ).toEqual([two, gone])
})

test('as a sheet: prices as numbers, formulas inert, what has no price on request or left out', async () => {
  const evil = await product('=HYPERLINK("http://evil.test")')
  await stockItems(t.db, shop, 2, { actual_product_id: evil, sales_price: 10_000 })
  await stockItems(t.db, shop, 1, { actual_product_id: evil, sales_price: 20_000 })
  await stockItems(t.db, shop, 1, { actual_product_id: evil, sales_price: null })
  const query = `product_id=${evil}&percent=-2.5`
  const { headers, raw } = await staff.get(`/api/offer/xlsx?${query}`)
  expect(headers['content-disposition']).toMatch(/filename="Offer \d{4}-\d\d-\d\d\.xlsx"/)
  const { rows, xml } = readSheet(raw)
  expect(rows[0]!.slice(0, 6)).toEqual(['Product', 'Grade', 'Qty', 'Price, from', 'Price, to', 'price on request'])
  expect(rows[1]!.slice(0, 6)).toEqual(['=HYPERLINK("http://evil.test")', null, 4, 97.5, 195, 1])
  expect(rows.map((row) => row[0])).toContain('All prices in EUR. Subject to prior sale.')
  expect(xml).not.toMatch(/<f[ >]/)

  const left = readSheet((await staff.get(`/api/offer/xlsx?${query}&unpriced=0&lang=de`)).raw).rows
  expect(left[1]!.slice(0, 6)).toEqual(['=HYPERLINK("http://evil.test")', null, 3, 97.5, 195, null])
  expect(left[0]!.slice(0, 4)).toEqual(['Produkt', 'Zustand', 'Menge', 'Preis, von'])
  const bare = readSheet((await staff.get(`/api/offer/xlsx?${query}&prices=false`)).raw).rows
  expect(bare[1]!.slice(0, 5)).toEqual(['=HYPERLINK("http://evil.test")', null, 4, null, null])
  for (const bad of ['percent=x', 'percent=-95', 'lang=xx', 'prices=maybe'])
    expect((await staff.get(`/api/offer/xlsx?${bad}`)).status).toBe(400)
  const { message } = (await staff.get('/api/offer/xlsx?lang=xx')).body
  expect(message).toBe('lang must be one of en, de, fr, nl, es, it, pl.')
})

test('a person who asks for many sheets at once is told to wait, and others get theirs', async () => {
  const sheet = (who: Client) => who.get('/api/offer/xlsx')
  const colleague = await t.user()
  const [theirs, ...own] = await Promise.all([sheet(colleague), ...Array.from({ length: 12 }, () => sheet(staff))])
  const refused = own.filter(({ status }) => status === 503)
  expect(refused.length).toBeGreaterThan(0)
  expect(refused[0]!.body.message).toBe('Too many offers are being made. Please try again in a moment.')
  expect([theirs!.status, own.some(({ status }) => status === 200)]).toEqual([200, true])
  expect((await sheet(staff)).status).toBe(200)
})

test('as a PDF: with the shop, the day and the conditions, in the language asked for', async () => {
  const given = await product('Żółw 7')
  await stockItems(t.db, shop, 2, { actual_product_id: given, sales_price: 123_456 })
  const { headers, raw } = await staff.get(`/api/offer/pdf?product_id=${given}&lang=pl`)
  expect(headers['content-type']).toBe('application/pdf')
  expect(headers['content-disposition']).toContain('Oferta ')
  const [text = ''] = await textOf(raw)
  for (const part of ['Phones Ltd', 'Oferta', 'Żółw 7', '1 234,56', 'Wszystkie ceny w EUR.', 'do wyczerpania zapasów'])
    expect(text).toContain(part)
  const [bare = ''] = await textOf((await staff.get(`/api/offer/pdf?product_id=${given}&prices=0`)).raw)
  expect(bare).toContain('Subject to prior sale.')
  expect(bare).not.toMatch(/EUR|1,234/)
})

test('an offer of more than 5,000 lines is refused in plain words', async () => {
  await t.db.pool.query(
    `with made as (insert into product (make_id, category_id, model, display_name)
       select make_id, category_id, 'Many ' || n, 'Many ' || n from product, generate_series(1, 5001) n
       where id = $1 returning id)
     insert into stock (status, actual_product_id, serial_number, purchase_price)
     select 'In Stock', id, 'MANY' || id, 1 from made`,
    [shop.product],
  )
  const { status, body } = await staff.get('/api/offer?search=many')
  expect(status).toBe(409)
  expect(body.message).toBe('This offer would have more than 5,000 lines. Choose fewer items by a filter.')
})
