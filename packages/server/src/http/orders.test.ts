import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'
import { openShop, type Shop, stockItems } from '../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let admin: Client
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  admin = await t.user('ROLE_ADMIN')
})
afterAll(() => t.close())

/** In the order in which the records are made. People expect 8, 9, 10. */
const NAMES = ['Crate 10', 'crate 9', 'Crate 8'] as const

const made = async (area: string, body: object): Promise<number> => {
  const answer = await admin.post(`/api/${area}/create`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data.id
}
const row = async (statement: string, ...values: unknown[]): Promise<number> =>
  (await t.db.pool.query(`${statement} returning id`, values)).rows[0].id

const mailed = (name: string) => `${name.replace(' ', '')}@backstock.test`
const customer = (name: string) => ({ first_name: 'Ann', last_name: 'Lee', email: mailed(name) })
async function product(model: string, more = {}): Promise<number> {
  const { make_id, category_id } = (await admin.get(`/api/product/find?id=${shop.product}`)).body.data[0]
  return made('product', { make_id, category_id, model, ...more })
}

type Make = (name: string) => Promise<number>
/** For each order by a text, how a record with this text is made. */
const ORDERS: [area: string, order: string, make: Make][] = [
  ...['make', 'colour', 'category', 'grade', 'batch', 'partner'].map((area): [string, string, Make] => [
    area,
    'name',
    (name) => made(area, { name }),
  ]),
  ['vat', 'name', (name) => made('vat', { name, rate: 5 })],
  ...['company_name', 'first_name', 'last_name'].map((field): [string, string, Make] => [
    'supplier',
    field,
    (name) => made('supplier', { company_name: 'X', [field]: name }),
  ]),
  ['supplier', 'email_address', (name) => made('supplier', { company_name: 'X', email_address: mailed(name) })],
  ...['first_name', 'last_name', 'company_name', 'email'].map((field): [string, string, Make] => [
    'customer',
    field,
    (name) => made('customer', { ...customer(name), ...(field !== 'email' && { [field]: name }) }),
  ]),
  ['customer', 'full_name', (name) => made('customer', { ...customer(name), first_name: name })],
  ['product', 'model', (model) => product(model)],
  ['product', 'display_name', (model) => product(model, { capacity: 64, capacity_unit: 'GB' })],
  ['user', 'name', (name) => made('user', { name, email: mailed(name), password: 'a-long-word-1', role: 'ROLE_USER' })],
  ['view', 'name', (name) => made('view', { area: 'stock', address: 'status=Sold', name })],
  ['further-column', 'name', (name) => row(`insert into attribute_name (kind, name) values ('attribute', $1)`, name)],
  [
    'import-memory',
    'name',
    (name) =>
      row(
        `insert into import_remembered (user_id, kind, field_of, seen, name, said_by) values ($1, 'column', '', $2, $2, $1)`,
        admin.id,
        name,
      ),
  ],
  [
    'sale',
    'reference_number',
    async (reference_number) =>
      made('sale', {
        stock_items: (await stockItems(t.db, shop, 1)).map((id) => ({ id, sales_price: 100 })),
        customer_id: shop.customer,
        reference_number,
      }),
  ],
]

test.each(ORDERS)('%s by %s: crate 9 comes before Crate 10', async (area, order, make) => {
  const ids: number[] = []
  for (const name of NAMES) ids.push(await make(name))
  const ordered = async (direction: string) => {
    const { status, body } = await admin.get(
      `/api/${area}/find?order=${order}_${direction}&ids=${ids.join()}&per_page=250`,
    )
    expect(status, JSON.stringify(body)).toBe(200)
    return body.data.map(({ id }: { id: number }) => id).filter((id: number) => ids.includes(id))
  }
  expect(await ordered('asc')).toEqual(ids.toReversed())
  expect(await ordered('desc')).toEqual(ids)
})
