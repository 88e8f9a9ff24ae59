import { EXPORT_COLUMNS } from '@backstock/contract/csv-columns.ts'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

test('the name of an export has the day of the company’s time zone', async () => {
  // Between these two it is never the same day.
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
  const streams = await Promise.all(Array.from({ length: 20 }, () => exportStock(undefined)))
  await expect(exportStock(undefined)).rejects.toMatchObject({ status: 503 })
  for (const stream of streams) stream.destroy()
  await expect.poll(running).toBe(0)
  for (let n = 0; n < 3; n++) await (await exportStock(['In Batch'])).toArray()
  await expect.poll(running).toBe(0)
})

test('an export rests when somebody asks for something meanwhile', async () => {
  await stockItems(t.db, shop, 100)
  const rests: number[] = []
  const pace = newPace(async (ms) => void rests.push(ms))
  const file = await stockExports(t.db, pace)(undefined)
  pace.asked()
  await file.toArray()
  expect(rests).not.toEqual([])
})
