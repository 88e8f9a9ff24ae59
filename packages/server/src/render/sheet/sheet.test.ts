import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { saleTotals } from '@backstock/contract/sale-total.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readSheet } from '../../testing/sheet.ts'
import { renderSaleSheet, type SheetLine } from './sheet.ts'
import { renderWorkbook, slice } from './workbook.ts'

const line = (changes: Partial<SheetLine> = {}): SheetLine => ({
  position: 1,
  product: 'Apple iPhone 13 128 GB',
  make: 'Apple',
  model: 'iPhone 13',
  capacity: '128 GB',
  colour: null,
  imei: '035693803564380',
  serial_number: null,
  grade: 'A+',
  net: 24_990,
  price: 24_990,
  vat_rate: 2300,
  ...changes,
})

test('each item is a row: identifiers as text, prices and rates as numbers, then the totals', async () => {
  const lines = [line(), line({ position: 2, imei: null, serial_number: '3.56E+14', net: 5, vat_rate: 550 })]
  const xlsx = await renderSaleSheet({
    sale_id: 7,
    prices_include_vat: false,
    lines,
    total_net: 24_995,
    total_gross: 30_743,
  })
  const { name, rows, xml, styles } = readSheet(xlsx)
  expect(rows).toHaveLength(4)
  expect(rows[0]).toEqual([
    ...['No.', 'Product', 'IMEI', 'Serial number', 'Make', 'Model', 'Capacity', 'Colour'],
    ...['Grade', 'Net price (EUR)', 'VAT rate', 'Gross price (EUR)'],
  ])
  expect(rows[1]).toEqual([
    ...[1, 'Apple iPhone 13 128 GB', '035693803564380', null, 'Apple', 'iPhone 13', '128 GB', null],
    ...['A+', 249.9, 0.23, 307.38],
  ])
  expect(rows[2]!.slice(2, 4)).toEqual([null, '3.56E+14'])
  expect(rows[2]!.slice(8)).toEqual(['A+', 0.05, 0.055, 0.05])
  expect(rows[3]).toEqual([null, 'Total', null, null, null, null, null, null, null, 249.95, null, 307.43])
  expect(xml).toContain('state="frozen"')
  expect(name).toBe('Sale 7')
  expect([...xml.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([
    ...[7, 44, 19, 22, 14, 26, 11, 16, 9, 16, 10, 18],
  ])
  expect([...styles.matchAll(/formatCode="([^"]*)"/g)].map(([, code]) => code)).toEqual(['#,##0.00', '0.00%'])
})

test('formulas stay text, endless text is cut, and what XML cannot hold is left out', async () => {
  const lines = [
    line({ product: '=HYPERLINK("http://evil.test")', make: 'x'.repeat(40_000), model: 'a\u0000\u0008b\ud800<&>' }),
  ]
  const { rows, xml } = readSheet(
    await renderSaleSheet({ sale_id: 7, prices_include_vat: false, lines, total_net: 0, total_gross: 0 }),
  )
  expect(rows[1]![1]).toBe('=HYPERLINK("http://evil.test")')
  expect(xml).not.toMatch(/<f[ >]/)
  expect(rows[1]![4]).toHaveLength(32_767)
  expect(rows[1]![5]).toMatch(/^ab.*<&>$/)
})

test('the gross prices add up to the sale’s total, whatever the prices', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(100_000_000), fc.constantFrom(0, 550, 1900, 2300)), { minLength: 1, maxLength: 20 }),
      fc.boolean(),
      async (prices, includeVat) => {
        const totals = saleTotals(
          prices.map(([price, rate]) => ({ price, rate, treatment: 'standard' })),
          includeVat,
        )
        const lines = prices.map(([price, vat_rate], index) =>
          line({ price, vat_rate, net: totals.lines[index]!.sales_price }),
        )
        const { rows } = readSheet(
          await renderSaleSheet({
            sale_id: 7,
            prices_include_vat: includeVat,
            lines,
            total_net: totals.total_sales_price,
            total_gross: totals.total_sales_price_vat,
          }),
        )
        const cents = (cell: unknown) => Math.round(Number(cell) * 100)
        const sum = rows.slice(1, -1).reduce((total, row) => total + cents(row[11]), 0)
        expect(sum).toBe(totals.total_sales_price_vat)
        expect(cents(rows.at(-1)![11])).toBe(sum)
      },
    ),
    { numRuns: 40 },
  )
})

test('a workbook has its sheets and slices in their order, and each value as its column says', async () => {
  const columns = [
    { heading: 'Name', width: 20 },
    { heading: 'Sum', width: 12, kind: 'money' as const },
    { heading: 'Rate', width: 9, kind: 'percent' as const },
    { heading: 'Items', width: 8, kind: 'number' as const },
    { heading: 'Day', width: 11, kind: 'day' as const },
  ]
  const xlsx = await renderWorkbook([
    {
      name: 'First',
      columns,
      slices: [slice([['=1+1', 12_345, 7.7, 3, '2030-07-01']]), slice([['', -5, 0, 0, null]])],
    },
    { name: 'Second', columns: columns.slice(0, 1), slices: [] },
  ])
  const { name, rows, xml, styles } = readSheet(xlsx)
  const shown = (row: (string | number | null)[]) => row.slice(0, 5)
  expect([name, rows.map(shown)]).toEqual([
    'First',
    [
      ['Name', 'Sum', 'Rate', 'Items', 'Day'],
      ['=1+1', 123.45, 0.077, 3, 47_665],
      [null, -0.05, 0, 0, null],
    ],
  ])
  expect(xml).toContain('state="frozen"')
  expect(xml).not.toMatch(/<f[ >]/)
  expect([...xml.matchAll(/<col [^>]*width="(\d+)"/g)].map(([, width]) => Number(width))).toEqual([20, 12, 9, 8, 11])
  expect([...styles.matchAll(/formatCode="([^"]*)"/g)].map(([, code]) => code)).toEqual([
    ...['#,##0.00', '0.00%', 'yyyy-mm-dd'],
  ])
  // Headings are above their values: figures at the right, all else at the left.
  const aligned = [...styles.matchAll(/<alignment horizontal="(\w+)"/g)].map(([, side]) => side)
  const headings = [...xml.matchAll(/<c r="[A-E]1"[^>]* s="(\d+)"/g)].map(([, style]) => style)
  expect(aligned.toSorted()).toEqual(['left', 'right'])
  expect(headings.map((style) => style === headings[0])).toEqual([true, false, false, false, true])
  expect(readSheet(xlsx, 2)).toMatchObject({ name: 'Second', rows: [['Name', ...Array(10).fill(null)]] })
})

test('a day is the same day in a server’s workbook, in whatever time zone the server runs', async () => {
  const script = `
    import { renderWorkbook, slice } from '${new URL('./workbook.ts', import.meta.url)}'
    const columns = [{ heading: 'Date', width: 12, kind: 'day' }]
    const workbook = await renderWorkbook([{ name: 'Days', columns, slices: [slice([['2030-07-01'], ['2030-01-01']])] }])
    process.stdout.write(workbook.toString('base64'))`
  const inZone = async (TZ: string) => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', script], { env: { ...process.env, TZ } })
    return readSheet(Buffer.from(stdout, 'base64')).rows.map(([cell]) => cell)
  }
  // A spreadsheet counts days from the end of 1899.
  const days = ['Date', 47_665, 47_484]
  expect(await Promise.all(['America/New_York', 'Pacific/Kiritimati'].map(inZone))).toEqual([days, days])
})
