import { StockQuery } from '@backstock/contract/stock.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { idsMatching } from './find.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client

const STATUSES = ['In Stock', 'Inbound', 'Deleted'] as const
type Item = {
  id: number
  status: (typeof STATUSES)[number]
  supplier_id: number | null
  actual_product_id: number
  make_id: number
  grade_id: number | null
  sales_price: number | null
  purchase_price: number
  network_locked: boolean
  /** The number of days since the item's purchase. */
  days: number
}
const items: Item[] = []
const insert = async (statement: string, values: unknown[]) =>
  (await t.db.pool.query<{ id: number }>(`${statement} returning id`, values)).rows[0]!.id

beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
  const suppliers = [
    await insert(`insert into supplier (company_name) values ($1)`, ['ReFone']),
    await insert(`insert into supplier (company_name) values ($1)`, ['Kringloop']),
    null,
  ]
  const makes: number[] = []
  const products: number[] = []
  for (const make of ['Samsung', 'Nokia']) {
    makes.push(await insert(`insert into make (name) values ($1)`, [make]))
    products.push(
      await insert(
        `insert into product (make_id, category_id, model, display_name)
         select $1, category_id, 'X', $2 || ' X' from product where id = ${shop.product}`,
        [makes.at(-1), make],
      ),
    )
  }
  // The periods have no common divisor, so that each value of a column meets each value of the others.
  for (let n = 0; n < 120; n++) {
    const columns = {
      status: STATUSES[n % 3]!,
      supplier_id: suppliers[Math.floor(n / 3) % 3]!,
      actual_product_id: products[n % 2]!,
      grade_id: [1, 2, 3, 4, null][n % 5]!,
      sales_price: n % 7 === 0 ? null : 1000 * (n % 11),
      purchase_price: 100 * ((n * 7) % 13),
      network_locked: n % 4 === 0,
    }
    const days = [0, 30, 31, 60, 90, 91, 400][n % 7]!
    const [id] = await stockItems(t.db, shop, 1, { ...columns, in_hand: columns.status !== 'Deleted' })
    items.push({ id: id!, ...columns, make_id: makes[n % 2]!, days })
  }
  await t.db.pool.query(
    `update stock set purchase_date = (now() at time zone time_zone)::date - days
     from company, unnest($1::int[], $2::int[]) as given (item, days) where stock.id = item`,
    [items.map(({ id }) => id), items.map(({ days }) => days)],
  )
})
afterAll(() => t.close())

const found = async (query: string) => {
  const { status, body } = await staff.get(`/api/stock/find?per_page=250&${query}`)
  expect([query, status]).toEqual([query, 200])
  expect(body.total).toBe(body.data.length)
  return body.data.map(({ id }: { id: number }) => id)
}
const newest = (isMeant: (item: Item) => boolean) =>
  items
    .filter(isMeant)
    .map(({ id }) => id)
    .toReversed()

type Case = [query: () => string, isMeant: (item: Item) => boolean]
const supplier = (nth: number) => items[nth * 3]!.supplier_id
const inRange = (from: number, to: number) => (item: Item) =>
  item.sales_price !== null && item.sales_price >= from && item.sales_price <= to
const FILTERS: Record<string, Case> = {
  supplier: [() => `supplier_id=${supplier(0)}`, (item) => item.supplier_id === supplier(0)],
  'two suppliers': [() => `supplier_id=${supplier(0)},${supplier(1)}`, (item) => item.supplier_id !== null],
  product: [
    () => `product_id=${items[0]!.actual_product_id}`,
    (item) => item.actual_product_id === items[0]!.actual_product_id,
  ],
  make: [() => `make_id=${items[1]!.make_id}`, (item) => item.make_id === items[1]!.make_id],
  'a make without items': [() => 'make_id=999999', () => false],
  grade: [() => 'grade_id=2', (item) => item.grade_id === 2],
  'two grades': [() => 'grade_id=1,2', (item) => item.grade_id === 1 || item.grade_id === 2],
  'the youngest': [() => 'age=0-30', (item) => item.days <= 30],
  'the oldest': [() => 'age=over-90', (item) => item.days > 90],
  unpriced: [() => 'unpriced=true', (item) => item.sales_price === null],
  priced: [() => 'unpriced=0', (item) => item.sales_price !== null],
  'a price from': [() => 'price_from=5000', inRange(5000, Infinity)],
  'a price to': [() => 'price_to=5000', inRange(0, 5000)],
  'a price between': [() => 'price_from=3000&price_to=6000', inRange(3000, 6000)],
  'a range without prices': [() => 'price_from=6000&price_to=3000', () => false],
  locked: [() => 'network_locked=1', (item) => item.network_locked],
  'not locked': [() => 'network_locked=false', (item) => !item.network_locked],
}
const SOME = ['two suppliers', 'make', 'two grades', 'a price from', 'not locked', 'the oldest'] as const

test.each(Object.entries(FILTERS))('%s: alone, and of one status', async (_, [query, isMeant]) => {
  expect(await found(query())).toEqual(newest(isMeant))
  expect(await found(`${query()}&status=In Stock`)).toEqual(
    newest((item) => item.status === 'In Stock' && isMeant(item)),
  )
})

test('filters that are combined must all hold, whatever their order, and with a search', async () => {
  for (let chosen = 1; chosen < 2 ** SOME.length; chosen++) {
    const cases = SOME.filter((_, n) => chosen & (1 << n)).map((name) => FILTERS[name]!)
    const query = cases.map(([query]) => query()).join('&')
    const right = newest((item) => item.status !== 'Deleted' && cases.every(([, isMeant]) => isMeant(item)))
    expect(await found(`status=In Stock,Inbound&${query}`), query).toEqual(right)
    if (chosen % 8 === 0)
      expect(await found(`status=In Stock,Inbound&search=nokia&${query}`), query).toEqual(
        right.filter((id) => items.find((item) => item.id === id)!.make_id === items[1]!.make_id),
      )
  }
  expect(await found('batch_id=999&supplier_id=1')).toEqual([])
})

test('a narrowed list is sorted as the whole one is, also by what several currencies came to', async () => {
  const dear = items.find(({ status, purchase_price }) => status === 'In Stock' && purchase_price > 0)!.id
  await t.db.pool.query(
    `update stock set purchase_currency = 'USD', fx_rate = 1.25, purchase_price = 90000 where id = $1`,
    [dear],
  )
  const [cheaper] = await stockItems(t.db, shop, 1, {
    actual_product_id: items[0]!.actual_product_id,
    purchase_price: 80_000,
  })
  const whole = await found('status=In Stock&order_by=purchase_price_desc')
  expect(whole.slice(0, 2)).toEqual([cheaper, dear])
  const makes = [...new Set(items.map(({ make_id }) => make_id))]
  expect(await found(`status=In Stock&order_by=purchase_price_desc&make_id=${makes}`)).toEqual(whole)
  await t.db.pool.query('delete from stock where id = $1', [cheaper])
})

test('the ids of what matches are those of the list', async () => {
  const query = { page: 1, per_page: 10, order: { column: 'id', direction: 'desc' } } as const
  const ids = await idsMatching(
    t.db.read,
    { ...query, price_from: 3000, network_locked: false, make_id: [items[0]!.make_id] },
    500,
  )
  expect(ids.toReversed()).toEqual(await found(`price_from=3000&network_locked=0&make_id=${items[0]!.make_id}`))
})

test('bad values are refused by their name, in a list and in an export', async () => {
  for (const [query, name] of [
    ['price_from=-1', 'price_from'],
    ['price_from=100000001', 'price_from'],
    ['price_to=1.50', 'price_to'],
    ['price_to=cheap', 'price_to'],
    ['unpriced=maybe', 'unpriced'],
    ['network_locked=2', 'network_locked'],
    ['make_id=Apple', 'make_id'],
    ['supplier_id=1,x', 'supplier_id'],
    ['age=old', 'age'],
  ])
    for (const path of ['find', 'export/csv']) {
      const refused = await staff.get(`/api/stock/${path}?${query}`)
      expect([refused.status, refused.body.message], query).toMatchObject([400, new RegExp(`^${name} `)])
    }
})

test('an empty filter is one that is not there', async () => {
  const empty = 'supplier_id=&make_id=&grade_id=&age=&unpriced=&price_from=&price_to=&network_locked='
  expect(await found(empty)).toEqual(newest(() => true))
})

test('a list of more than a thousand items has the total of its counters, and the newest of them on its pages', async () => {
  const { rows } = await t.db.pool.query<{ id: number }>(
    `insert into stock (status, actual_product_id, supplier_id, grade_id, serial_number, purchase_price, sales_price,
       network_locked, purchase_date)
     select case when n % 5 = 0 then 'Inbound' else 'In Stock' end::stock_status, $1, $2,
       case when n % 4 > 0 then 1 end, 'MANY' || n, 100, case when n % 3 = 0 then 100 end, n % 8 > 0,
       current_date - case when n % 6 > 0 then 100 else 1 end
     from generate_series(1, 3000) n returning id`,
    [items[0]!.actual_product_id, items[0]!.supplier_id],
  )
  const made = rows.map(({ id }) => id)
  try {
    // The counters have changed since they were last added up.
    await t.db.pool.query(`update stock set network_locked = true, grade_id = 1 where id = any($1::int[])`, [
      made.filter((_, n) => n % 16 === 7),
    ])
    // The newest item, bought yesterday, and one bought long ago exchange their days. This changes no number and no sum.
    const swapped = await t.db.pool.query(
      `update stock set purchase_date = other.purchase_date from stock other
       where (stock.id = $1 and other.id = $2) or (stock.id = $2 and other.id = $1)
       returning stock.status, stock.sales_price`,
      [made[14], made[2999]],
    )
    expect(swapped.rows).toEqual(Array.from({ length: 2 }, () => ({ status: 'Inbound', sales_price: 100 })))
    const { make_id, actual_product_id, supplier_id } = items[0]!
    const queries = [
      ...[`make_id=${make_id}`, `product_id=${actual_product_id}`, 'network_locked=true'],
      ...[`make_id=${make_id}&network_locked=true`, `supplier_id=${supplier_id}`, 'grade_id=1'],
      ...[`supplier_id=${supplier_id}&grade_id=1`, 'age=over-90', 'age=over-90,0-30&unpriced=true', 'unpriced=false'],
    ]
    for (const filter of queries)
      for (const status of ['In Stock', 'Inbound,In Stock', 'Inbound,In Stock,Deleted']) {
        const query = `${filter}&status=${encodeURIComponent(status)}`
        const ids = await exported(query)
        const newestFirst = ids.toReversed()
        for (const [order, page, expected] of [
          ['id_desc', 1, newestFirst.slice(0, 25)],
          ['id_desc', 40, newestFirst.slice(975, 1000)],
          ['id_desc', 1000, []],
          ['id_asc', 3, ids.slice(50, 75)],
        ] as const) {
          const { body } = await staff.get(`/api/stock/find?${query}&per_page=25&page=${page}&order_by=${order}`)
          expect([query, page, body.total]).toEqual([query, page, ids.length])
          expect(body.data.map(({ id }: { id: number }) => id)).toEqual(expected)
        }
      }
  } finally {
    await t.db.pool.query('delete from stock where id = any($1::int[])', [made])
  }
  expect(await found('grade_id=1')).toEqual(newest((item) => item.grade_id === 1))
})

/** The ids of all items that match, in ascending order: those of the list's export, which no counter is part of. */
async function exported(query: string): Promise<number[]> {
  const parsed = StockQuery.parse(Object.fromEntries(new URLSearchParams(query)))
  return idsMatching(t.db.read, parsed, 10_000)
}
