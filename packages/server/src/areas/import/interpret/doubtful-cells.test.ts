import type { ImportPreview, PreviewRow } from '@backstock/contract/import-preview.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../../testing/app.ts'
import { previewed, replanned } from '../../../testing/preview-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../../testing/shop.ts'

// Tests cells that mean something only together with other cells, with a column's name, or with the shop's records.
let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  user = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const PHONE = 'Apple;iPhone 13 128GB'
const rowsOf = async ({ import_id }: ImportPreview): Promise<PreviewRow[]> =>
  (await user.get(`/api/stock/import/preview/${import_id}/rows?per_page=100`)).body.data
/** The new items of a file, or the errors of its rows. */
const outcomes = async (preview: ImportPreview) =>
  (await rowsOf(preview)).map(({ becomes, errors }) => becomes ?? errors)
const file = (columns: string, ...cells: string[]) =>
  [`Brand;Model;IMEI;${columns}`, ...cells.map((one) => `${PHONE};${newImei()};${one}`)].join('\n')

test('a VAT rate means the only type that has it, but a type that is called so comes first', async () => {
  for (const [name, rate] of [
    ['Books', 7],
    ['Food', 7],
    ['5%', 13],
    ['Five', 5],
  ])
    expect((await user.post('/api/vat/create', { name, rate })).status).toBe(201)
  const cells = ['23%', '0,23', '7%', '5 %', '13', 'five', 'Food (7%)']
  const preview = await previewed(t, user, { csv: file('Price;MwSt.', ...cells.map((cell) => `1;${cell}`)) })
  expect(await outcomes(preview)).toMatchObject([
    { vat: 'Standard' },
    { vat: 'Standard' },
    { vat: 'There is no VAT type called 7%.' },
    { vat: '5%' },
    { vat: '5%' },
    { vat: 'Five' },
    { vat: 'Food' },
  ])
})

test('the sign $ agrees with each currency that is a dollar, and another sign with its own alone', async () => {
  const cells = ['$100;CAD', '100;AUD', '$100;US$', 'US$100;CAD', '$100;GBP', '£100;GBP', '£100;CAD']
  const { import_id } = await previewed(t, user, { csv: file('Price;Currency', ...cells) })
  const rates = ['CAD', 'AUD', 'USD', 'GBP'].map((currency) => ({ currency, rate: '2' }))
  const preview: ImportPreview = await replanned(t, user, import_id, { rates })
  const refused = (cell: string) => ({ purchase_price: expect.stringContaining(`'${cell}' is not a price`) })
  expect(await outcomes(preview)).toMatchObject([
    { purchase_price: 10_000, purchase_currency: 'CAD' },
    { purchase_price: 10_000, purchase_currency: 'AUD' },
    { purchase_price: 10_000, purchase_currency: 'USD' },
    refused('US$100'),
    refused('$100'),
    { purchase_price: 10_000, purchase_currency: 'GBP' },
    refused('£100'),
  ])
})

test('prices of purchase and of sale are written alike: each tells of the other, and both are asked for', async () => {
  const told = await previewed(t, user, { csv: file('Price;Sales price', '1.234;1.499,90') })
  expect(told).toMatchObject({ decimal: ',', asked: [], counts: { new: 1 } })
  const contrary = await previewed(t, user, { csv: file('Price;Sales price', '1,50;2.50', '1,50;1.234') })
  expect(contrary).toMatchObject({ decimal: 'mixed', asked: ['decimal'], counts: { new: 1, failed: 1 } })
  const open = await previewed(t, user, { csv: file('Price;Sales price', '100;1.234') })
  expect(open).toMatchObject({ decimal: null, asked: ['decimal'], counts: { failed: 1 } })
  expect(open.reasons).toMatchObject([{ field: 'sales_price', rows: 1, asks: 'decimal' }])
  const said: ImportPreview = await replanned(t, user, open.import_id, { decimal: ',' })
  expect(await outcomes(said)).toMatchObject([{ purchase_price: 10_000, sales_price: 123_400 }])
})

test('an IMEI that a cell has twice is one phone, and a quantity counts also if its column is left out', async () => {
  const [a, b, c, d] = Array.from({ length: 4 }, newImei)
  const rows = [`${a} / ${a};`, `${b} ${b};2`, `${c} ${d};2`, `${c} ${d};3`].map((cells) => `${PHONE};50;${cells}`)
  const csv = ['Brand;Model;Unit price;IMEI;Qty', ...rows].join('\n')
  const preview: ImportPreview = await previewed(t, user, { csv })
  const expected = [
    { imei: a, imei2: null },
    { imei: 'The quantity is 2, but the cell has one IMEI.' },
    { imei: 'This row has 2 IMEIs: choose whether it is 2 items.' },
    { imei: 'The quantity is 3, but the cell has 2 IMEIs.' },
  ]
  expect(await outcomes(preview)).toMatchObject(expected)
  expect(preview.several).toMatchObject({ rows: 1, items: 2, left_out: ['Qty'] })
  const without: ImportPreview = await replanned(t, user, preview.import_id, { mapping: [{ column: 4, field: null }] })
  expect(await outcomes(without)).toMatchObject(expected)
  // A column that nobody keeps is not left out because of the split.
  expect(without.several).toMatchObject({ rows: 1, items: 2, left_out: [] })
})

test('a value for all rows fills empty cells alone', async () => {
  const supplier = async (company_name: string) =>
    expect((await user.post('/api/supplier/create', { company_name })).status).toBe(201)
  await supplier('Of the row')
  await supplier('Of all')
  const { import_id } = await previewed(t, user, {
    csv: file(
      'Price;Supplier;Status;Purchase date;Purchase VAT;VAT',
      '20;Of the row;In Stock;2024-11-02;margin;Zero',
      '30;;;;;',
      ';;;;;',
    ),
  })
  const defaults = {
    ...{ purchase_price: '10', supplier: 'Of all', status: 'Inbound', purchase_date: '2024-11-01' },
    ...{ purchase_vat: 'standard', vat: 'Standard', purchase_currency: 'GBP' },
  }
  const rates = [{ currency: 'GBP', rate: '0.8' }]
  const others = { supplier: 'Of all', status: 'Inbound', purchase_date: '2024-11-01', purchase_treatment: 'standard' }
  expect(await outcomes(await replanned(t, user, import_id, { defaults, rates }))).toMatchObject([
    {
      ...{
        purchase_price: 2000,
        purchase_currency: 'GBP',
        supplier: 'Of the row',
        status: 'In Stock',
        purchase_date: '2024-11-02',
      },
      ...{ purchase_treatment: 'margin', vat: 'Zero' },
    },
    { purchase_price: 3000, purchase_currency: 'GBP', ...others, vat: 'Standard' },
    // The price for rows without one is in euros.
    { purchase_price: 1000, purchase_currency: 'EUR', fx_rate: null, ...others, vat: 'Standard' },
  ])
})

test('an item bought in euros needs a rate for a price in francs, and one bought in francs keeps its own', async () => {
  const [inEuros] = await stockItems(t.db, shop, 1, { serial_number: 'RATE-1' })
  const [inFrancs] = await stockItems(t.db, shop, 1, {
    ...{ serial_number: 'RATE-2', purchase_price: 40_000, purchase_currency: 'CHF', fx_rate: 0.95 },
  })
  const csv = 'Serial;Price\nRATE-1;410 CHF\nRATE-2;500\n'
  const preview: ImportPreview = await previewed(t, user, { csv, update_existing: 'true' })
  expect(preview).toMatchObject({
    counts: { updated: 1, failed: 1 },
    reasons: [{ field: 'purchase_fx_rate', rows: 1, first_row: 2, asks: 'rate' }],
    currencies: [{ currency: 'CHF', rows: 1, rate: null, proposed: { rate: '0.95' } }],
  })
  const rated = await replanned(t, user, preview.import_id, { rates: [{ currency: 'CHF', rate: '0.9' }] })
  expect(await rowsOf(rated)).toMatchObject([
    {
      id: inEuros,
      changes: [
        { attributeName: 'purchase_price', from: 20_000, to: '410.00 CHF' },
        { attributeName: 'fx_rate', from: null, to: 0.9 },
      ],
    },
    { id: inFrancs, changes: [{ attributeName: 'purchase_price', from: '400.00 CHF', to: '500.00 CHF' }] },
  ])
})
