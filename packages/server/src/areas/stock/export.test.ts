import { EXPORT_COLUMNS } from '@backstock/contract/csv-columns.ts'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/connect.ts'
import { newPace } from '../../http/pace.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { guardCell, unguardCell } from './csv-cell.ts'
import { stockExports } from './export.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
})
afterAll(() => t.close())

const texts = [
  '=1+1',
  "'=1+1",
  '+49 30',
  '-',
  '@x',
  '＝cmd',
  "'",
  "it's",
  'a,b;"c"',
  'two\r\nlines',
  '\\.',
  'Łódź',
  '=a\nb',
  'x;=1+1',
  'tab\t@1',
]

test('the export has every column with prices in currency units, texts quoted and formulas inert', async () => {
  const batch = (
    await t.db.pool.query(`insert into batch (user_id, name) values ($1, '=Batch') returning id`, [staff.id])
  ).rows[0]
  await t.db.pool.query(
    `insert into attribute_name values ('grading', 'Screen'), ('attribute', '=Box "A", B'), ('attribute', $1)`,
    [`x${'é'.repeat(80)}`],
  )
  for (const [n, text] of texts.entries())
    await stockItems(t.db, shop, 1, {
      ...(n === 0 ? { status: 'In Batch' as const, batch_id: batch.id } : {}),
      serial_number: `${text}${n}`,
      backstock_id: `${text}B${n}`,
      engineer_notes: text,
      vat_id: shop.vat.standard,
      purchase_price: [5, 24990, 100_000_000][n % 3]!,
      sales_price: n % 2 ? null : 100,
      purchase_date: '2026-02-28',
      network_locked: n === 1,
      grading_data: JSON.stringify({ Screen: text }),
      attributes: JSON.stringify({ '=Box "A", B': text }),
    })
  const { status, headers, raw } = await staff.get('/api/stock/export/csv')
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
  expect(raw.toString().startsWith('\uFEFFbackstock_item,backstock_id,')).toBe(true)
  expect(headers['content-disposition']).toMatch(/^attachment; filename="stock-\d{4}-\d\d-\d\d\.csv"$/)
  const [header, ...rows] = parse(raw, { bom: true }) as string[][]
  expect(header).toEqual([...EXPORT_COLUMNS, 'grading_Screen', `'=Box "A", B`, `x${'é'.repeat(80)}`])
  expect(rows).toHaveLength(texts.length)
  rows.sort((a, b) => Number(/\d+$/.exec(a[1]!)![0]) - Number(/\d+$/.exec(b[1]!)![0]))
  for (const [n, text] of texts.entries()) {
    const cells = Object.fromEntries(header!.map((name, i) => [unguardCell(name), rows[n]![i]!]))
    expect(cells).toMatchObject({
      backstock_id: guardCell(`${text}B${n}`),
      serial_number: guardCell(`${text}${n}`),
      engineer_notes: guardCell(text),
      status: n === 0 ? 'In Batch' : 'In Stock',
      make: 'Apple',
      model: 'iPhone 13',
      capacity: '128',
      capacity_unit: 'GB',
      colour: '',
      supplier: '',
      vat: 'Standard',
      purchase_price: ['0.05', '249.90', '1000000.00'][n % 3],
      sales_price: n % 2 ? '' : '1.00',
      purchase_date: '2026-02-28',
      network_locked: String(n === 1),
      batch: n === 0 ? "'=Batch" : '',
      grading_Screen: guardCell(text),
      '=Box "A", B': guardCell(text),
    })
  }
})

test('a status exports only its items and names the file; an unknown one is refused', async () => {
  const { headers, raw } = await staff.get('/api/stock/export/csv?status=In Batch')
  expect(headers['content-disposition']).toContain('stock-in-batch-')
  expect((parse(raw) as string[][]).slice(1).map((row) => row[4])).toEqual(['In Batch'])
  expect((await staff.get('/api/stock/export/csv?status=Nope')).status).toBe(400)
})

test('an export has what a list with the same search and filters shows, and its name says so', async () => {
  const [costly] = await stockItems(t.db, shop, 1, { serial_number: "o'neil $1 {a,b}", sales_price: 55_555 })
  const exported = async (query: string) => {
    const { headers, raw } = await staff.get(`/api/stock/export/csv?${query}`)
    const rows = (parse(raw, { bom: true }) as string[][]).slice(1).map(([id]) => Number(id))
    return { rows: rows.sort((a, b) => a - b), name: headers['content-disposition'] }
  }
  const shown = async (query: string) => {
    const { body } = await staff.get(`/api/stock/find?per_page=250&order_by=id_asc&${query}`)
    return body.data.map(({ id }: { id: number }) => id)
  }
  for (const query of [
    'price_from=55555&price_to=55555',
    'status=In Stock&unpriced=1',
    'unpriced=0',
    'network_locked=true&status=In Stock,Sold',
    `search=${encodeURIComponent("o'neil $1")}`,
    'search=iphone 13 128&status=In Batch',
    'search=it',
    `age=0-30&product_id=${shop.product}&search=${costly}`,
    'supplier_id=5,6&grade_id=1&make_id=1&import=1&batch_id=1',
  ]) {
    const { rows, name } = await exported(query)
    expect(rows, query).toEqual(await shown(query))
    expect(name, query).toContain('-filtered-')
  }
  expect((await exported('price_from=55555&price_to=55555')).rows).toEqual([costly])
  expect((await exported('unpriced=1')).rows.length).toBeGreaterThan(1)
  await t.db.pool.query('delete from stock where id = $1', [costly])
})

test('an export of the columns of a list has these, in their order, with what they say', async () => {
  await staff.post('/api/supplier/create', { company_name: '=Seen' })
  const { rows: suppliers } = await t.db.pool.query(`select id from supplier where company_name = '=Seen'`)
  const of = { supplier_id: suppliers[0].id, status: 'In Stock' as const, location: 'Shelf 9' }
  const [first] = await stockItems(t.db, shop, 1, {
    ...of,
    serial_number: 'SEEN-1',
    purchase_price: 10_000,
    sales_price: 8_000,
    purchase_date: '2026-02-01',
    network_locked: true,
    attributes: JSON.stringify({ 'Box, "A"': '=1' }),
    grading_data: JSON.stringify({ Age: 'old' }),
  })
  const [second] = await stockItems(t.db, shop, 1, { ...of, serial_number: 'SEEN-2', sales_price: null })
  const columns = [
    ...['product', 'id', 'supplier', 'purchase_price', 'margin', 'margin_percent', 'sales_price', 'age', 'location'],
    ...[
      'network_locked',
      'vat',
      'created_at',
      `attr:${encodeURIComponent('Box, "A"')}`,
      'attr:Age',
      'attr:grading_Age',
    ],
  ]
  const query = `supplier_id=${of.supplier_id}&columns=${encodeURIComponent(columns.join(','))}`
  const { status, headers, raw } = await staff.get(`/api/stock/export/csv?${query}`)
  expect(status).toBe(200)
  expect(headers['content-disposition']).toContain('stock-filtered-')
  const [head, ...lines] = parse(raw, { bom: true }) as string[][]
  expect(head).toEqual([
    ...['Product', '#', 'Supplier', 'Purchase Price', 'Purchase Currency', 'Margin', 'Margin %', 'Sales Price', 'Age'],
    ...['Location', 'Locked', 'VAT', 'Created', 'Box, "A"', 'Age (import)', 'grading_Age'],
  ])
  expect(lines.map((line) => Number(line[1]))).toEqual([second, first])
  const age = (await staff.get(`/api/stock/find?ids=${first}&also=age`)).body.data[0].age
  expect(lines[1]!.slice(2, 11)).toEqual([
    "'=Seen",
    '100.00',
    'EUR',
    '-20.00',
    '-25.0',
    '80.00',
    String(age),
    'Shelf 9',
    'true',
  ])
  expect(lines[1]!.slice(13)).toEqual(["'=1", '', 'old'])
  expect(lines[0]!.slice(5, 8)).toEqual(['', '', ''])
  expect(lines[1]![12]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
  // The moment is told by the company's clock.
  await t.db.pool.query(`update stock set created_at = '2026-02-01 22:30:05Z' where id = $1`, [first])
  for (const [zone, moment] of [
    ['Europe/Warsaw', '2026-02-01 23:30:05'],
    ['UTC', '2026-02-01 22:30:05'],
  ]) {
    await t.db.pool.query('update company set time_zone = $1', [zone])
    const file = await staff.get(`/api/stock/export/csv?ids=${first}&columns=created_at`)
    expect((parse(file.raw, { bom: true }) as string[][])[1]).toEqual([moment])
  }

  const all = `/api/stock/export/csv?supplier_id=${of.supplier_id}`
  const [specified] = parse((await staff.get(`${all}&columns=`)).raw, { bom: true }) as string[][]
  expect(specified!.slice(0, EXPORT_COLUMNS.length)).toEqual([...EXPORT_COLUMNS])
  for (const bad of [
    'password',
    'id,attr:',
    `${'attr:%2500'}`,
    Array.from({ length: 31 }, (_, n) => `attr:${n}`).join(),
  ]) {
    const refused = await staff.get(`${all}&columns=${bad}`)
    expect([bad, refused.status, refused.body.message]).toEqual([bad, 400, expect.stringMatching(/^columns /)])
  }
})

test('the name of an export has the day of the company’s time zone', async () => {
  // These two time zones never have the same date.
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await t.db.write((tx) => tx.updateTable('company').set({ time_zone: zone }).execute())
    const { headers } = await staff.get('/api/stock/export/csv?status=In Stock,Sold')
    const today = new Date().toLocaleDateString('sv', { timeZone: zone })
    expect(headers['content-disposition']).toBe(`attachment; filename="stock-in-stock-sold-${today}.csv"`)
  }
})

test('exports leave no connection behind, whether read to the end or given up, and only so many run at once', async () => {
  await t.db.pool.query(
    `insert into stock (status, actual_product_id, serial_number, purchase_price, engineer_notes)
     select 'In Stock', $1, 'S' || n, 1, repeat('x', 200) from generate_series(1, 20000) n`,
    [shop.product],
  )
  const exportStock = stockExports(t.db, t.app.pace)
  const running = async () =>
    (
      await t.db.pool.query(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and query ~* '^copy'`,
      )
    ).rows[0].n
  const streams = await Promise.all(Array.from({ length: 20 }, () => exportStock({})))
  await expect(exportStock({})).rejects.toMatchObject({
    ...{ status: 503, retryAfter: 10, message: 'Too many exports are running. Please try again in a moment.' },
  })
  for (const stream of streams) stream.destroy()
  await expect.poll(running).toBe(0)
  for (let n = 0; n < 3; n++) await (await exportStock({ status: ['In Batch'] })).toArray()
  await expect.poll(running).toBe(0)
})

test('exports that fail take no place of others', async () => {
  let isAway = true
  const db: Database = {
    ...t.db,
    client(settings) {
      const client = t.db.client(settings)
      if (isAway) client.connect = () => Promise.reject(new Error('away'))
      return client
    },
  }
  const exportStock = stockExports(db, t.app.pace)
  for (let n = 0; n < 21; n++) await expect(exportStock({})).rejects.toThrow('away')
  isAway = false
  expect(await (await exportStock({ status: ['In Batch'] })).toArray()).not.toEqual([])
})

test('an export rests when somebody asks for something meanwhile', async () => {
  await stockItems(t.db, shop, 100)
  const rests: number[] = []
  const pace = newPace(async (ms) => void rests.push(ms))
  const file = await stockExports(t.db, pace)({})
  pace.asked()
  await file.toArray()
  expect(rests).not.toEqual([])
})
