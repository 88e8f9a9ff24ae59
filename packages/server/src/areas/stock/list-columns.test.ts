import { listedName } from '@backstock/contract/name-in-list.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
})
afterAll(() => t.close())

const find = async (query: string) => (await staff.get(`/api/stock/find?${query}`)).body

type Row = {
  id: number
  purchase_date: string | null
  sales_price: number | null
  cost: number
  supplier_name: string | null
  grade_name: string | null
}

test('columns without an index sort too: all items once, those that have none last, names as people read them', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const made = async (area: string, body: object): Promise<number> =>
    (await admin.post(`/api/${area}/create`, body)).body.data.id
  const suppliers = await Promise.all(
    ['Lot 10', 'lot 9', 'Änderung'].map((company_name) => made('supplier', { company_name })),
  )
  const grades: { id: number; name: string; position: number }[] = (await admin.get('/api/grade/find')).body.data
  const pick = <One>(list: readonly One[], n: number) => list[n % (list.length + 1)] ?? null
  for (let n = 0; n < 24; n++)
    await stockItems(t.db, shop, 1, {
      supplier_id: pick(suppliers, n),
      grade_id: pick(
        grades.map(({ id }) => id),
        n,
      ),
      purchase_date: pick(['2026-01-05', '2025-12-31', '2026-01-04'], n),
      sales_price: pick([100, 5000, 50], n * 5),
      purchase_price: 70 * ((n * 7) % 5),
    })
  const all: Row[] = (await find('status=In+Stock&per_page=250')).data
  const names = new Intl.Collator('en', { numeric: true })
  const suppliersInOrder = ['Lot 10', 'lot 9', 'Änderung'].sort(names.compare)
  const place = { supplier: suppliersInOrder, grade: grades.toSorted((a, b) => a.position - b.position) }
  const rank: Record<string, (row: Row) => number | string | null> = {
    purchase_date: (row) => row.purchase_date,
    margin: (row) => (row.sales_price === null ? null : row.sales_price - row.cost),
    supplier: (row) => (row.supplier_name === null ? null : place.supplier.indexOf(row.supplier_name)),
    grade: (row) => (row.grade_name === null ? null : place.grade.findIndex(({ name }) => name === row.grade_name)),
  }
  for (const [column, of] of Object.entries(rank))
    for (const sign of [1, -1]) {
      const order = `${column}_${sign === 1 ? 'asc' : 'desc'}`
      const right = all
        .toSorted((a, b) => {
          const [x, y] = [of(a), of(b)]
          if (x === y) return (a.id - b.id) * sign
          if (x === null || y === null) return x === null ? 1 : -1
          return (x < y ? -1 : 1) * sign
        })
        .map(({ id }) => id)
      const seen: number[] = []
      for (const page of [1, 2, 3, 4]) {
        const body = await find(`status=In+Stock&order_by=${order}&per_page=7&page=${page}`)
        expect(body.total).toBe(all.length)
        seen.push(...body.data.map((row: Row) => row.id))
      }
      expect([order, seen]).toEqual([order, right])
      const searched = await find(`status=In+Stock&search=iphone&order_by=${order}&per_page=250`)
      expect([order, searched.data.map((row: Row) => row.id)]).toEqual([order, right])
    }
})

test('category, VAT and further columns are in a row if they are asked for, and only then', async () => {
  const [id] = await stockItems(t.db, shop, 1, {
    vat_id: shop.vat.standard,
    attributes: JSON.stringify({ 'Box, sealed': 'yes', Screen: 'a' }) as never,
    grading_data: JSON.stringify({ Screen: 'B' }) as never,
  })
  const row = async (query: string) => (await find(`ids=${id}&${query}`)).data[0]
  for (const key of ['category_name', 'vat_name', 'further']) expect(await row('')).not.toHaveProperty(key)
  expect(await row('also=vat,category')).toMatchObject({ category_name: 'Phone', vat_name: 'Standard' })
  const names = ['Box, sealed', 'Screen', 'grading_Screen', 'None']
  expect((await row(`further=${encodeURIComponent(names.map(listedName).join(','))}`)).further).toEqual({
    'Box, sealed': 'yes',
    Screen: 'a',
    grading_Screen: 'B',
    None: null,
  })
  expect((await find('status=In+Stock&also=vat')).data[0]).toHaveProperty('vat_name')
})

test('a list shows the beginning of a long further value, an item all of it', async () => {
  const [fits, long] = ['ü'.repeat(200), '😀'.repeat(201)]
  const attributes = JSON.stringify({ Fits: fits, Long: long }) as never
  const [id] = await stockItems(t.db, shop, 1, { attributes })
  const [row] = (await find(`ids=${id}&further=Fits,Long`)).data
  expect(row.further).toEqual({ Fits: fits, Long: `${'😀'.repeat(199)}…` })
  expect((await find(`id=${id}`)).data[0].attributes).toEqual({ Fits: fits, Long: long })
})

test('an age is counted by the day of the company, as the filter counts it', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const dayIn = (time_zone: string, back: number) => {
    const day = new Date(Date.now() - back * 86_400_000)
    return day.toLocaleDateString('sv-SE', { timeZone: time_zone })
  }
  const bought = dayIn('Pacific/Pago_Pago', 30)
  const [old, made] = [
    ...(await stockItems(t.db, shop, 1, { purchase_date: bought })),
    ...(await stockItems(t.db, shop, 1, { purchase_date: null })),
  ]
  const ages = async () => {
    const { data } = await find(`ids=${old},${made}&also=age&order_by=id_asc`)
    return data.map(({ age }: { age: number }) => age)
  }
  // The second of these two time zones is always a day ahead.
  for (const [time_zone, age, group] of [
    ['Pacific/Pago_Pago', 30, '0-30'],
    ['Pacific/Tongatapu', 31, '31-60'],
  ] as const) {
    await admin.post('/api/company/edit', { time_zone })
    expect(await ages()).toEqual([age, 0])
    expect((await find(`ids=${old}&age=${group}`)).total).toBe(1)
  }
  await t.db.pool.query(`update stock set created_at = now() - interval '2 days' where id = $1`, [made])
  expect(await ages()).toEqual([31, 2])
  expect((await find(`ids=${old}`)).data[0]).not.toHaveProperty('age')
})

test('a column that no list can show is refused by name', async () => {
  for (const query of [
    'also=secret',
    'further=%2500',
    'further=%25',
    `further=${'a,'.repeat(31)}`,
    'order_by=password_asc',
  ]) {
    const answer = await staff.get(`/api/stock/find?${query}`)
    expect([query, answer.status]).toEqual([query, 400])
  }
})

test('everybody may know what the further columns are called', async () => {
  await t.db.pool.query(
    `insert into attribute_name (kind, name) values ('attribute', 'Zone 10'), ('attribute', 'Zone 9'), ('grading', 'Body')`,
  )
  expect((await staff.get('/api/stock/further-columns')).body.data).toEqual(['grading_Body', 'Zone 9', 'Zone 10'])
})
