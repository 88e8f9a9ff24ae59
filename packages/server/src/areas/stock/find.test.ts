import { STOCK_STATUSES, type StockStatus } from '@backstock/contract/stock-status.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
type Item = { id: number; status: StockStatus; purchase_price: number; sales_price: number | null }
let items: Item[]
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
  const statuses = ['Inbound', 'In Stock', 'In Stock', 'Deleted', 'Returned to Supplier'] as const
  items = []
  for (let n = 0; n < 60; n++) {
    const status = statuses[n % 5]!
    const purchase_price = 100 * ((n * 7) % 11)
    const sales_price = n % 3 === 0 ? null : 100 * ((n * 5) % 13)
    const in_hand = status === 'Inbound' || status === 'In Stock'
    const [id] = await stockItems(t.db, shop, 1, { status, in_hand, purchase_price, sales_price })
    items.push({ id: id!, status, purchase_price, sales_price })
  }
})
afterAll(() => t.close())

const find = async (query: string) => (await staff.get(`/api/stock/find?${query}`)).body
const ids = async (query: string): Promise<number[]> => (await find(query)).data.map((row: Item) => row.id)

/**
 * The ids of a list in this order, computed in the test. Equal items are sorted by id, but by descending id within a
 * status.
 */
function expected(statuses: readonly string[], column: keyof Item, direction: 'asc' | 'desc'): number[] {
  const sign = direction === 'asc' ? 1 : -1
  const rank = (item: Item) =>
    (column === 'status' ? STOCK_STATUSES.indexOf(item.status) : item[column]) as number | null
  return items
    .filter((item) => statuses.includes(item.status))
    .sort((a, b) => {
      const [x, y] = [rank(a), rank(b)]
      if (x === y)
        return (
          (a.id - b.id) *
          (column === 'status' || (x === null && direction === 'desc') ? -1 : 1) *
          (column === 'status' || x !== null ? sign : 1)
        )
      if (x === null || y === null) return x === null ? 1 : -1
      return (x - y) * sign
    })
    .map((item) => item.id)
}

test.each(
  (['id', 'status', 'purchase_price', 'sales_price'] as const).flatMap((column) =>
    (['asc', 'desc'] as const).map((direction) => [column, direction] as const),
  ),
)('pages by %s %s follow each other through every item once, with exact totals', async (column, direction) => {
  for (const statuses of [['In Stock'], ['In Stock', 'Deleted'], STOCK_STATUSES]) {
    const right = expected(statuses, column, direction)
    const seen: number[] = []
    for (let page = 1; page <= 10; page++) {
      const body = await find(`status=${statuses.join(',')}&order_by=${column}_${direction}&per_page=7&page=${page}`)
      expect(body.total).toBe(right.length)
      seen.push(...body.data.map((row: Item) => row.id))
    }
    expect(seen).toEqual(right)
    const narrowed = await ids(
      `status=${statuses.join(',')}&product_id=${shop.product}&order_by=${column}_${direction}&per_page=250`,
    )
    expect(narrowed).toEqual(right)
    expect(
      await ids(`status=${statuses.join(',')}&search=iphone&order_by=${column}_${direction}&per_page=250`),
    ).toEqual(right)
  }
})

test('an IMEI is found by any part, in each of its forms, and with spaces and dashes', async () => {
  const [id] = await stockItems(t.db, shop, 1, {
    imei: '356938035643809',
    serial_number: 'F2-Xy_9',
    backstock_id: 'BS%7',
  })
  for (const search of [
    '356938035643809',
    '35693803564380',
    '3569380356438042',
    '35-693803-564380-9',
    '35693803',
    '643809',
    '35 69 38 03',
    'f2-xy_9',
    'xy_',
    'F2',
    'bs%7',
    `${id}`,
    `%23${id}`,
  ])
    expect(
      await ids(`search=${encodeURIComponent(decodeURIComponent(search.replace(/%(?!23)/g, '%25')))}&per_page=250`),
      search,
    ).toContain(id)
  // With a wrong check digit, its first 14 digits could be another phone's.
  for (const search of ['43', 'xy%9', 'x_9', '99999999', '356938035643808'])
    expect(await ids(`search=${encodeURIComponent(search)}&per_page=250`), search).not.toContain(id)
})

test('a product name finds its items, whatever the case, counted once and within the other filters', async () => {
  const stocked = items.filter((item) => item.status === 'In Stock').length
  const body = await find('search=IPHONE 13&status=In Stock&per_page=5&page=2')
  expect([body.total >= stocked, body.data.length]).toEqual([true, 5])
  expect((await find('search=iphone 13&status=Inbound&page=900')).total).toBe(12)
  // The search also finds items that have the name in an identifier. An item that has it in both counts once.
  const [other] = (
    await t.db.pool.query(
      `insert into product (make_id, category_id, model, display_name)
       select make_id, category_id, 'Case', 'Case' from product where id = $1 returning id`,
      [shop.product],
    )
  ).rows
  const [both] = await stockItems(t.db, shop, 1, { serial_number: 'iphone 13-A', status: 'Inbound' })
  const [named] = await stockItems(t.db, shop, 1, {
    serial_number: 'IPHONE 13-B',
    status: 'Inbound',
    actual_product_id: other.id,
  })
  const inbound = items.filter((item) => item.status === 'Inbound').map((item) => item.id)
  const right = [named, both, ...inbound.toReversed()]
  const pages = [1, 2, 3].map((n) => find(`search=iphone 13&status=Inbound&per_page=5&page=${n}`))
  for (const page of await Promise.all(pages)) expect(page.total).toBe(right.length)
  expect((await Promise.all(pages)).flatMap(({ data }) => data.map((row: Item) => row.id))).toEqual(right)
  await t.db.pool.query('delete from stock where id = any($1)', [[both, named]])
})

test('ids page like any find, an empty list finds nothing, what a select shows comes first outside the total', async () => {
  const some = items.slice(0, 12).map((item) => item.id)
  const body = await find(`ids=${some.join(',')}&per_page=5&page=3`)
  expect([body.total, body.data.length, body.last_page]).toEqual([12, 2, 3])
  expect((await find('ids=')).total).toBe(0)
  const [shown] = items.filter((item) => item.status === 'Deleted').map((item) => item.id)
  const inStock = await find('status=In Stock&per_page=3')
  const select = await find(`status=In Stock&per_page=3&ajax_id=${shown}`)
  expect([select.total, select.data.map((row: Item) => row.id)]).toEqual([
    inStock.total,
    [shown, ...inStock.data.map((row: Item) => row.id)],
  ])
  const own = inStock.data[0].id
  expect((await find(`status=In Stock&ajax_id=${own}`)).total).toBe(inStock.total - 1)
  const quick = `quick=true&status=In Stock&search=iphone&per_page=3`
  expect((await ids(`${quick}&ajax_id=${shown}`)).slice(0, 2)).toEqual([shown, (await ids(quick))[0]])
})

test('each projection shows what it should and no more; bad values are named', async () => {
  const [row] = (await find('per_page=1')).data
  expect(row).not.toHaveProperty('logs')
  expect(row).not.toHaveProperty('attributes')
  expect(Object.keys((await find('quick=true&per_page=1')).data[0]).sort()).toEqual(
    ['grade_name', 'id', 'imei', 'imei2', 'product_display_name', 'serial_number', 'status'].sort(),
  )
  const [whole] = (await find(`id=${row.id}`)).data
  expect(whole).toMatchObject({ logs: [], attributes: {}, actual_product: { display_name: 'Apple iPhone 13 128 GB' } })
  for (const [query, name] of [
    ['status=Nope', 'status'],
    ['order_by=imei_desc', 'order_by'],
    ['per_page=251', 'per_page'],
  ]) {
    const refused = await staff.get(`/api/stock/find?${query}`)
    expect([refused.status, refused.body.message]).toMatchObject([400, new RegExp(`^${name} `)])
  }
})

test('each word of a search is found in product, supplier or identifiers; short ones begin a word', async () => {
  const product = async (name: string, model: string) =>
    (
      await t.db.pool.query<{ id: number }>(
        `insert into product (make_id, category_id, model, display_name)
         select make_id, category_id, $2, $1 from product where id = $3 returning id`,
        [name, model, shop.product],
      )
    ).rows[0]!.id
  const item = async (actual_product_id: number, columns: object) =>
    (await stockItems(t.db, shop, 1, { status: 'Inbound', actual_product_id, ...columns }))[0]!
  const midnight = await product('Apple iPhone 13 128 GB Midnight', 'iPhone 13')
  const twelve = await product('Apple iPhone 12 128 GB Midnight', 'iPhone 12')
  const galaxy = await product('Samsung Galaxy S21 5G 256 GB Zümrüt', 'Galaxy S21 5G')
  const a = await item(midnight, { imei: '350131300000009', serial_number: 'AB-7', backstock_id: null })
  const b = await item(twelve, { imei: '350131300000017', serial_number: 'Crate 13', backstock_id: null })
  const c = await item(galaxy, { imei: '350131300000025', serial_number: 'XK-4711', backstock_id: 'PALLET-9' })
  // The suppliers have the ids of two products, and these must not be mixed up.
  const supplier = async (id: number, company: string, last: string) =>
    (
      await t.db.pool.query<{ id: number }>(
        `insert into supplier (id, company_name, first_name, last_name)
         overriding system value values ($1, $2, 'Zoé', $3) returning id`,
        [id, company, last],
      )
    ).rows[0]!.id
  const aachen = await supplier(midnight, 'Aachener Händler 99', 'Contact')
  const apple = await supplier(twelve, 'Big Apple Crate Parts', 'Contact')
  const d = await item(galaxy, { imei: '350131300000033', supplier_id: aachen, serial_number: null })
  const e = await item(twelve, { imei: '350131300000041', supplier_id: aachen, serial_number: null })
  const f = await item(galaxy, { imei: '350131300000058', supplier_id: apple, serial_number: 'AACHEN-1' })
  const made = [a, b, c, d, e, f]
  for (const [search, right] of [
    ['iphone 13 midnight', [a, b]], // `b` is found by its serial number
    ['MIDNIGHT 13', [a, b]],
    ['apple 28 night', []],
    ['apple 128 night', [a, b, e]],
    ['iphone13', [a]],
    ['iphone13 midnight', [a]],
    ['iphone12 128gb', [b, e]],
    ['apple iphone12', [b, e]],
    ['galaxys21', [c, d, f]],
    ['s21 zumrut', [c, d, f]],
    ['21 galaxy', []],
    ['5g s21', [c, d, f]],
    ['31280', []],
    ['midnight 0009', [a]],
    ['0017 crate apple', [b]],
    ['pallet 4711', [c]],
    ['pallet 4711 apple', []],
    ['pallet - 4711', [c]],
    ['xk nope', []],
    ['13 128 ip', [a, b]],
    ['midnight midnight 13', [a, b]],
    ['3501313 000 0002', [c]],
    // The company of the supplier finds items: alone, with the product, and with an identifier.
    ['aachener', [d, e]],
    ['HANDLER', [d, e]],
    ['aachen', [d, e, f]], // `f` because of its serial number
    ['aachener 99', [d, e]],
    ['galaxy aachener', [d]],
    ['galaxy 99', []], // a number alone finds no supplier
    ['galaxy aachen', [d, f]],
    ['apple midnight handler', [e]],
    ['parts 0058', [f]],
    ['parts 0033', []],
    ['apple galaxy', [f]], // 'apple' is in the supplier's name, 'galaxy' in the product's
    ['apple s21 zumrut aachener', []],
    ['crate', [b, f]], // `b` because of its serial number; it has no supplier
    ['contact', []],
    ['aa', [f]], // because of its serial number: two letters find no suppliers
  ] as const) {
    const body = await find(`search=${encodeURIComponent(search)}&status=Inbound&per_page=250`)
    const hits = body.data.map((row: Item) => row.id).filter((id: number) => made.includes(id))
    expect([search, hits.toSorted()]).toEqual([search, right])
    if (hits.length === body.data.length) expect(body.total).toBe(right.length)
  }
  await t.db.pool.query('delete from stock where id = any($1)', [made])
})

test('hits in other statuses are counted up to 20, within the other filters', async () => {
  const { rows } = await t.db.pool.query(
    `insert into product (make_id, category_id, model, display_name)
     select make_id, category_id, 'Elsewhere 1', 'Elsewhere 1' from product where id = $1 returning id`,
    [shop.product],
  )
  const columns = { actual_product_id: rows[0].id }
  await stockItems(t.db, shop, 2, columns)
  await stockItems(t.db, shop, 3, { ...columns, status: 'Inbound' })
  // An item that is found in two ways counts once.
  const both = { ...columns, status: 'Deleted' as const, in_hand: false }
  await stockItems(t.db, shop, 1, { ...both, serial_number: 'ELSEWHERE-7', sales_price: null })
  const elsewhere = async (query: string) => (await staff.get(`/api/stock/elsewhere?${query}`)).body.data
  expect(await elsewhere('search=elsewhere&status=In Stock')).toEqual({ count: 4, is_more: false })
  expect(await elsewhere('search=elsewhere&status=Inbound,Deleted')).toEqual({ count: 2, is_more: false })
  expect(await elsewhere('search=elsewhere&status=In Stock&unpriced=1')).toEqual({ count: 1, is_more: false })
  expect(await elsewhere('search=elsewhere-7&status=Deleted')).toEqual({ count: 0, is_more: false })
  expect(await elsewhere('search=elsewhere')).toEqual({ count: 0, is_more: false })
  await stockItems(t.db, shop, 16, { ...columns, status: 'Inbound' })
  expect(await elsewhere('search=elsewhere&status=In Stock')).toEqual({ count: 20, is_more: false })
  await stockItems(t.db, shop, 1, { ...columns, status: 'Inbound' })
  expect(await elsewhere('search=elsewhere&status=In Stock')).toEqual({ count: 20, is_more: true })
  expect((await staff.get('/api/stock/elsewhere?status=Nope')).status).toBe(400)
})
