import type { ImportDetail } from '@backstock/contract/import.ts'
import type { ImportPreview, PreviewRow } from '@backstock/contract/import-preview.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../../testing/app.ts'
import { importCsv } from '../../../testing/csv-upload.ts'
import { committed, previewed, replanned } from '../../../testing/preview-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../../testing/shop.ts'

// Tests files that could not be imported at all in earlier versions.
let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  user = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const imeis = (n: number) => Array.from({ length: n }, newImei)
const base = '/api/stock/import/preview'
const itemsOf = async (numbers: readonly string[]) =>
  (
    await t.db.pool.query(
      `select s.*, s.fx_rate::float as rate, p.display_name from stock s join product p on p.id = actual_product_id
       where imei = any($1) order by s.id`,
      [numbers],
    )
  ).rows
const rowsOf = async (id: number, query = ''): Promise<PreviewRow[]> =>
  (await user.get(`${base}/${id}/rows?per_page=100${query}`)).body.data
const aSupplier = async (company_name: string): Promise<number> =>
  (await user.post('/api/supplier/create', { company_name })).body.data.id

test('prices in another currency: its rate is asked once, and remembered for the supplier with its day', async () => {
  const supplier = await aSupplier('Telefony Polska')
  const numbers = imeis(4)
  const csv = (cells: readonly string[]) =>
    ['Marka;Model;IMEI;Cena', ...cells.map((cell, n) => `Apple;iPhone 13 128GB;${numbers[n]};${cell}`)].join('\n')
  const prices = ['850,50 zł', '425 PLN', '£ 80.00', '90,00']
  const preview: ImportPreview = await previewed(t, user, { csv: csv(prices), supplier_id: String(supplier) })
  expect(preview.counts).toMatchObject({ new: 1, failed: 3 })
  expect(preview.currencies).toEqual([
    { currency: 'PLN', rows: 2, rate: null, remembered: null, proposed: null },
    { currency: 'GBP', rows: 1, rate: null, remembered: null, proposed: null },
  ])
  const rates = 'This field is required: how many units of each currency one EUR was.'
  const reason = { field: 'purchase_fx_rate', message: rates, rows: 3, first_row: 2, asks: 'rate' }
  expect(preview.reasons).toEqual([reason])
  const id = preview.import_id
  const refused = await user.patch(`${base}/${id}`, {
    rates: [
      { currency: 'PLN', rate: 'x' },
      { currency: 'EUR', rate: '1' },
    ],
    defaults: { purchase_currency: 'zł?' },
  })
  expect(Object.keys(refused.body.data.errors).sort()).toEqual([
    'defaults.purchase_currency',
    'rates.0.rate',
    'rates.1.currency',
  ])
  const said = { rates: [{ currency: 'PLN', rate: '4,25' }], defaults: { purchase_currency: 'GBP' } }
  expect(await replanned(t, user, id, said)).toMatchObject({ counts: { new: 2, failed: 2 } })
  const whole: ImportPreview = await replanned(t, user, id, { rates: [{ currency: 'GBP', rate: '0.8' }] })
  expect(whole.counts).toMatchObject({ new: 4, failed: 0 })
  await committed(t, user, id)
  const made = await itemsOf(numbers)
  expect(made.map((item) => [item.purchase_price, item.purchase_currency, item.rate])).toEqual([
    [85_050, 'PLN', 4.25],
    [42_500, 'PLN', 4.25],
    [8000, 'GBP', 0.8],
    [9000, 'GBP', 0.8],
  ])

  // The supplier's next file comes a month later. The remembered rate is still that of the first day.
  await t.db.pool.query(`update import_remembered set said_at = '2026-10-18T10:00Z' where supplier_id = $1`, [supplier])
  const [a, b] = imeis(2)
  const rows = [`Apple;iPhone 13 128GB;${a};850,50 zł`, `Apple;iPhone 13 128GB;${b};90,00`]
  const next: ImportPreview = await previewed(t, user, {
    csv: ['Marka;Model;IMEI;Cena', ...rows].join('\n'),
    supplier_id: String(supplier),
  })
  expect(next).toMatchObject({ counts: { new: 2, failed: 0 }, defaults: { purchase_currency: 'GBP' } })
  expect(next.currencies.find(({ currency }) => currency === 'PLN')).toMatchObject({
    ...{ rate: '4.25', proposed: { rate: '4.25' } },
    remembered: { at: '2026-10-18T10:00:00.000Z' },
  })
  await committed(t, user, next.import_id)
  const kept = await t.db.pool.query(`select means, said_at from import_remembered where field_of = 'purchase_fx_rate'`)
  expect(kept.rows.map(({ means }) => means).sort()).toEqual(['0.8', '4.25'])
  expect(kept.rows.every(({ said_at }) => String(said_at).startsWith('2026-10-18'))).toBe(true)
  const memory = (await user.get(`/api/import-memory/find?supplier_id=${supplier}`)).body.data
  expect(memory).toContainEqual(expect.objectContaining({ field: 'purchase_fx_rate', name: 'PLN', means: '4.25' }))

  // For another supplier's file in zł, nothing is remembered. The preview proposes the rate of the last purchase.
  const [c] = imeis(1)
  const other: ImportPreview = await previewed(t, user, {
    csv: `Brand;Model;IMEI;Price\nApple;iPhone 13 128GB;${c};1 zł`,
  })
  expect(other.currencies).toMatchObject([
    {
      currency: 'PLN',
      rate: null,
      remembered: null,
      proposed: { rate: '4.25', date: expect.stringMatching(/^\d{4}-/) },
    },
  ])
  // A proposed rate has the day of its purchase.
  const day = '2025-12-31'
  await stockItems(t.db, shop, 1, { purchase_currency: 'HUF', fx_rate: 400, purchase_date: day })
  const forint = await previewed(t, user, { csv: `Brand;Model;IMEI;Price\nApple;iPhone 13 128GB;${c};99 HUF` })
  expect(forint.currencies).toMatchObject([{ currency: 'HUF', proposed: { rate: '400', date: day } }])
  // A rate that a person says stays if the supplier changes. A remembered one goes with its supplier.
  const zloty = async (one: number, changes: object) => {
    const { currencies }: ImportPreview = await replanned(t, user, one, changes)
    return currencies.find(({ currency }) => currency === 'PLN')
  }
  const own = { rate: '4.4', remembered: null }
  const third: ImportPreview = await previewed(t, user, {
    csv: `Brand;Model;IMEI;Price\nApple;iPhone 13 128GB;${c};1 zł`,
  })
  expect(await zloty(third.import_id, { rates: [{ currency: 'PLN', rate: '4,4' }] })).toMatchObject(own)
  expect(await zloty(third.import_id, { supplier_id: supplier })).toMatchObject(own)
  const last: ImportPreview = await previewed(t, user, {
    csv: `Brand;Model;IMEI;Price\nApple;iPhone 13 128GB;${c};1 zł`,
    supplier_id: String(supplier),
  })
  expect(await zloty(last.import_id, { supplier_id: null })).toMatchObject({ rate: null, remembered: null })
  expect(await zloty(last.import_id, { supplier_id: supplier })).toMatchObject({ rate: '4.25' })
  expect(await zloty(last.import_id, { rates: [{ currency: 'PLN', rate: '4.5' }] })).toMatchObject({
    ...{ rate: '4.5', remembered: null },
  })
})

test('an item keeps the rate of its day; a price without a currency stays as its item has it', async () => {
  const [imei] = imeis(1)
  const csv = (price: string) => `Brand;Model;IMEI;Price;Grade\nApple;iPhone 13 128GB;${imei};${price};A`
  const first: ImportPreview = await previewed(t, user, { csv: csv('400 CHF') })
  await replanned(t, user, first.import_id, { rates: [{ currency: 'CHF', rate: '0.95' }] })
  await committed(t, user, first.import_id)
  const again: ImportPreview = await previewed(t, user, { csv: csv('410 CHF'), update_existing: 'true' })
  expect(again).toMatchObject({ counts: { updated: 1, failed: 0 }, currencies: [] })
  const rated: ImportPreview = await replanned(t, user, again.import_id, { rates: [{ currency: 'CHF', rate: '0.9' }] })
  expect(rated.counts).toMatchObject({ updated: 1 })
  await committed(t, user, again.import_id)
  expect(await itemsOf([imei!])).toMatchObject([{ purchase_price: 41_000, purchase_currency: 'CHF', rate: 0.95 }])
  // If a list has no prices, a default currency changes nothing.
  const plain: ImportPreview = await previewed(t, user, { csv: `IMEI;Grade\n${imei};B`, update_existing: 'true' })
  const planned = await replanned(t, user, plain.import_id, { defaults: { purchase_currency: 'USD' } })
  expect(planned.counts).toMatchObject({ updated: 1, failed: 0 })
  await committed(t, user, plain.import_id)
  expect(await itemsOf([imei!])).toMatchObject([{ purchase_price: 41_000, purchase_currency: 'CHF', rate: 0.95 }])
})

test('the name of the price’s column says its currency', async () => {
  const [imei] = imeis(1)
  const csv = `Brand;Model;IMEI;Unit cost GBP\nApple;iPhone 13 128GB;${imei};90.00`
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(preview).toMatchObject({ defaults: { purchase_currency: 'GBP' }, currencies: [{ currency: 'GBP', rows: 1 }] })
  expect(preview.counts).toMatchObject({ failed: 1 })
  expect((await rowsOf(preview.import_id))[0]!.errors).toEqual({
    purchase_fx_rate: 'This field is required: how many GBP one EUR was.',
  })
  expect(shop.product).toBeGreaterThan(0)
})

test('the title lines propose currency and date; a bare $ is told, may mean other dollars, and is remembered', async () => {
  const supplier = await aSupplier('Maple Phones')
  const csv = (price: string, titles: string[] = []) =>
    [
      ...titles.map((title) => `${title};;;;`),
      'Brand;Model;Category;IMEI;Price',
      `Apple;iPhone 13;Phones;${newImei()};${price}`,
    ].join('\n')
  const titled: ImportPreview = await previewed(t, user, {
    csv: csv('10', ['Lieferschein 2026-1187, Datum: 24.11.2026', 'Alle Preise in CHF, netto']),
  })
  expect(titled.proposed).toEqual({ purchase_currency: 'CHF', purchase_date: '2026-11-24' })
  expect([titled.defaults, titled.dollar]).toEqual([{}, null])
  const two = csv('10', ['Order of 24.11.2026 in CHF', 'Shipped 25.11.2026, duties in GBP'])
  expect((await previewed(t, user, { csv: two })).proposed).toEqual({})
  // A date that may mean two days, and a sign that may mean several currencies.
  const either = csv('10', ['Date: 11/05/2026', 'All prices in $'])
  const { import_id: open, proposed }: ImportPreview = await previewed(t, user, { csv: either })
  expect(proposed).toEqual({})
  for (const [dates, purchase_date] of [
    ['day', '2026-05-11'],
    ['month', '2026-11-05'],
  ] as const)
    expect((await replanned(t, user, open, { dates, dollar: 'AUD' })).proposed).toEqual({
      ...{ purchase_date, purchase_currency: 'AUD' },
    })

  const file = { csv: csv('$412.00'), supplier_id: String(supplier) }
  const preview: ImportPreview = await previewed(t, user, file)
  const said = { rows: 1, remembered: null }
  expect([preview.dollar, preview.currencies[0]!.currency]).toEqual([{ ...said, means: 'USD' }, 'USD'])
  const rates = [{ currency: 'CAD', rate: '1.6' }]
  const canadian: ImportPreview = await replanned(t, user, preview.import_id, { dollar: 'CAD', rates })
  expect(canadian).toMatchObject({ dollar: { ...said, means: 'CAD' }, counts: { new: 1 } })
  const [row] = await rowsOf(preview.import_id)
  expect(row!.becomes).toMatchObject({ purchase_price: 41_200, purchase_currency: 'CAD' })
  await committed(t, user, preview.import_id)
  const again: ImportPreview = await previewed(t, user, { ...file, csv: csv('$10') })
  const remembered = { by: expect.any(String), at: expect.stringMatching(/^2\d{3}-/) }
  expect(again).toMatchObject({ dollar: { means: 'CAD', remembered }, counts: { new: 1 } })
  const other: ImportPreview = await replanned(t, user, again.import_id, { dollar: 'USD' })
  expect(other.dollar).toEqual({ ...said, means: 'USD' })
  // The choice holds for that supplier alone. A price in US$ needs no choice.
  expect((await previewed(t, user, { csv: csv('$10') })).dollar).toEqual({ ...said, means: 'USD' })
  expect((await previewed(t, user, { ...file, csv: csv('US$10') })).dollar).toBeNull()
})

test('a bare $ is the dollar of the column’s name or of all rows; a $ in that name is told like one in a cell', async () => {
  const csv = (name: string, price: string) =>
    `Brand;Model;Category;IMEI;${name}\nApple;iPhone 13;Phones;${newImei()};${price}`
  const said = { rows: 1, remembered: null }
  const becomes = async ({ import_id }: ImportPreview) => {
    const rates = ['USD', 'CAD', 'AUD', 'GBP'].map((currency) => ({ currency, rate: '2' }))
    await replanned(t, user, import_id, { rates })
    return (await rowsOf(import_id)).map((row) => row.becomes?.purchase_currency)
  }
  const named: ImportPreview = await previewed(t, user, { csv: csv('Price (CAD)', '$412.00') })
  expect([named.dollar, await becomes(named)]).toEqual([{ ...said, means: 'CAD' }, ['CAD']])
  const { import_id: id }: ImportPreview = await previewed(t, user, { csv: csv('Price', '$412.00') })
  const chosen: ImportPreview = await replanned(t, user, id, { defaults: { purchase_currency: 'AUD' } })
  expect([chosen.dollar, await becomes(chosen)]).toEqual([{ ...said, means: 'AUD' }, ['AUD']])

  const asked: ImportPreview = await previewed(t, user, { csv: csv('Price ($)', '412.00') })
  expect(asked.columns[4]).toMatchObject({ field: 'purchase_price' })
  expect([asked.defaults, asked.dollar, await becomes(asked)]).toEqual([{}, { ...said, means: 'USD' }, ['USD']])
  await replanned(t, user, asked.import_id, { dollar: 'CAD' })
  expect(await becomes(asked)).toEqual(['CAD'])
  // A person who says a currency that is no dollar is right.
  const pounds: ImportPreview = await replanned(t, user, asked.import_id, { defaults: { purchase_currency: 'GBP' } })
  expect([pounds.dollar, await becomes(pounds)]).toEqual([null, ['GBP']])
  for (const [name, currency] of [
    ['Price US$', 'USD'],
    ['Price (A$)', 'AUD'],
  ] as const)
    expect((await previewed(t, user, { csv: csv(name, '1') })).defaults).toEqual({ purchase_currency: currency })
})

test('a model that the catalogue lacks is made with its capacity, and shown as it will be made', async () => {
  const [a, b] = imeis(2)
  await user.post('/api/colour/create', { name: 'Blue' })
  const head = 'Brand;Model;Kleur;Category;IMEI;Cost'
  const csv = [
    head,
    `Apple;Apple iPhone 77 Pro 256GB;Blauw;phones;${a};100`,
    `Apple;iPhone 77 Pro 1 TB;;phones;${b};100`,
  ]
  const preview: ImportPreview = await previewed(t, user, { csv: csv.join('\n') })
  expect(preview.unknown.find(({ field }) => field === 'colour')).toMatchObject({
    ...{ seen: 'Blauw', nearest: [{ name: 'Blue' }] },
  })
  const fields = preview.unknown.map(({ field }) => field)
  expect(fields).toEqual([...fields].sort((x, y) => Number(x === 'product') - Number(y === 'product')))
  const rows = await rowsOf(preview.import_id)
  expect(rows.map(({ product }) => product)).toEqual(['Apple iPhone 77 Pro 256 GB Blauw', 'Apple iPhone 77 Pro 1 TB'])
  await committed(t, user, preview.import_id)
  expect((await itemsOf([a!, b!])).map((item) => item.display_name)).toEqual(rows.map(({ product }) => product))
})

test('the reasons of failed rows are grouped by kind, even if each names another item; the way out is named', async () => {
  const numbers = imeis(4)
  const csv = (rows: readonly string[]) =>
    ['Brand;Model;IMEI;Price', ...rows.map((imei) => `Apple;iPhone 13 128GB;${imei};100`)].join('\n')
  await committed(t, user, (await previewed(t, user, { csv: csv(numbers.slice(0, 3)) })).import_id)
  const preview: ImportPreview = await previewed(t, user, { csv: csv([...numbers, numbers[3]!]) })
  const twice = 'This IMEI is already in this file, row 5.'
  expect(preview.reasons).toEqual([
    { field: 'imei', message: 'This IMEI is in stock already.', rows: 3, first_row: 2, asks: 'update' },
    { field: 'imei', message: twice, rows: 1, first_row: 6, asks: null },
  ])
  const updating: ImportPreview = await replanned(t, user, preview.import_id, { update_existing: true })
  expect(updating.reasons).toMatchObject([{ message: twice }])
})

const unknownOf = ({ unknown }: ImportPreview, field: string) => unknown.filter((name) => name.field === field)

test('a whole name is taken apart by the model that the catalogue has; the rest is its capacity and colour', async () => {
  const known = `make;model;capacity;capacity_unit;colour;category;imei;purchase_price
Apple;iPhone 12 Pro;64;GB;Space Black;Phones;${newImei()};1
Apple;iPhone 12 Pro;64;GB;;Phones;${newImei()};1`
  await committed(t, user, (await previewed(t, user, { csv: known })).import_id)
  const names = {
    'Apple iPhone 12 Pro 64GB Space Black': 'Apple iPhone 12 Pro 64 GB Space Black',
    'APPLE iPhone 12 Pro 64 gb space black': 'Apple iPhone 12 Pro 64 GB Space Black',
    'Apple iPhone 12 Pro 64GB': 'Apple iPhone 12 Pro 64 GB',
    // Another capacity, another colour, no capacity, no make.
    'Apple iPhone 12 Pro 128GB Space Black': 'Apple iPhone 12 Pro 128 GB Space Black',
    'Apple iPhone 12 Pro 64GB Pacific Blue': 'Apple iPhone 12 Pro 64 GB Pacific Blue',
    'Apple iPhone 12 Pro Space Black': 'Apple iPhone 12 Pro Space Black',
    'iPhone 12 Pro 256GB Lilas': 'Apple iPhone 12 Pro 256 GB Lilas',
    'iPhone 12 Pro 256GB Seltsam': 'Apple iPhone 12 Pro 256 GB Seltsam',
    // A new model of a known make: its name is taken apart only if a capacity and a known colour end it.
    'Apple iPhone 77 64GB Rot': 'Apple iPhone 77 64 GB Rot',
    'Apple iPhone 77 64GB Moonstone': 'Apple iPhone 77 64GB Moonstone',
    'Apple iPhone 55 64GB Moonstone': 'Apple iPhone 55 64GB Moonstone',
    // Words that are not known as a colour stay in the name, and so do words of a model in front of one.
    'Apple iPhone 12 Pro 64GB Moonstone': 'Apple iPhone 12 Pro 64GB Moonstone',
    'Apple iPhone 12 Pro 64GB Unlocked': 'Apple iPhone 12 Pro 64GB Unlocked',
    'Apple iPhone 12 Pro 64GB Vodafone': 'Apple iPhone 12 Pro 64GB Vodafone',
    'Apple iPhone 12 Pro Max': 'Apple iPhone 12 Pro Max',
    'Apple iPhone 12 Pro Max Silver': 'Apple iPhone 12 Pro Max Silver',
    'Apple iPhone 12 Pro Air Silver': 'Apple iPhone 12 Pro Air Silver',
  }
  // A colour that only this shop knows.
  await user.post('/api/colour/create', { name: 'Seltsam' })
  const csv = ['Product;Category;IMEI;Price', ...Object.keys(names).map((name) => `${name};Phones;${newImei()};100`)]
  const preview: ImportPreview = await previewed(t, user, { csv: csv.join('\n') })
  const products = async () => (await rowsOf(preview.import_id)).map(({ product }) => product)
  expect(await products()).toEqual(Object.values(names))
  expect(unknownOf(preview, 'colour').map(({ seen }) => seen)).toEqual(['Pacific Blue', 'Lilas', 'Rot'])
  // A phone of another model, colour or capacity is never the first proposal.
  const nearest = unknownOf(preview, 'product').map((one) => [one.seen, one.nearest[0]?.name])
  expect(Object.fromEntries(nearest)).toMatchObject({
    'Apple iPhone 12 Pro 128 GB Space Black': undefined,
    'Apple iPhone 12 Pro 64 GB Pacific Blue': 'Apple iPhone 12 Pro 64 GB',
    'Apple iPhone 12 Pro Space Black': 'Apple iPhone 12 Pro 64 GB Space Black',
    'Apple iPhone 12 Pro Max': 'Apple iPhone 12 Pro 64 GB',
    'Apple iPhone 55 64GB Moonstone': undefined,
  })
  await replanned(t, user, preview.import_id, { values: [{ field: 'colour', seen: 'Rot', means: 'Red' }] })
  expect(await products()).toContain('Apple iPhone 77 64 GB Red')
})

test('a new product is never said to be a product of another model number', async () => {
  const product = (make: string, model: string) => `${make};${model};128;GB;Phones;${newImei()};1`
  const header = 'make;model;capacity;capacity_unit;category;imei;purchase_price'
  const known = ['Galaxy S22', 'Galaxy S20 FE', 'Galaxy A52'].map((model) => product('Samsung', model))
  const csv = [header, ...known, product('Google', 'Pixel 6')].join('\n')
  await committed(t, user, (await previewed(t, user, { csv })).import_id)
  const proposed = {
    'Samsung Galaxy S20': ['Samsung Galaxy S20 FE 128 GB'],
    'Samsung Galaxy S22 Ultra': ['Samsung Galaxy S22 128 GB'],
    'Samsung Galaxy S 22': ['Samsung Galaxy S22 128 GB'],
    'Samsung Galaxy S21': [],
    'Samsung Galaxy A52 5G': ['Samsung Galaxy A52 128 GB'],
    'Samsung Galaxy A52s': [],
    'Google Pixel 6 Pro': ['Google Pixel 6 128 GB'],
    'Google Pixel 6a': [],
  }
  const rows = Object.keys(proposed).map((name) => product(name.split(' ')[0]!, name.replace(/^\w+ /, '')))
  const preview: ImportPreview = await previewed(t, user, { csv: [header, ...rows].join('\n') })
  const nearest = unknownOf(preview, 'product').map((one) => [one.seen, one.nearest.map(({ name }) => name)])
  expect(Object.fromEntries(nearest)).toEqual(
    Object.fromEntries(Object.entries(proposed).map(([name, near]) => [`${name} 128 GB`, near])),
  )
})

test('a colour word means the shop’s colour, or offers the English one; nothing unlike is proposed', async () => {
  for (const name of ['Graphite', 'Blue', 'Sierra Blue', 'Czarny', 'Tablets'])
    await user.post(name === 'Tablets' ? '/api/category/create' : '/api/colour/create', { name })
  const seen = ['Weiß', 'Blau', 'Schwarz', 'White', 'Space Blue', 'Grafit', 'Niebieski']
  const csv = ['Marke;Modell;Farbe;Kategorie;IMEI;Preis', ...seen.map((one) => `Apple;X;${one};Uhren;${newImei()};1`)]
  const preview: ImportPreview = await previewed(t, user, { csv: csv.join('\n') })
  const { import_id: id } = preview
  const offered = (field: string) =>
    Object.fromEntries(
      unknownOf(preview, field).map(({ seen, word, nearest }) => [seen, [word, nearest.map(({ name }) => name)]]),
    )
  expect(offered('colour')).toEqual({
    Weiß: [{ name: 'White', is_new: true }, []],
    Blau: [{ name: 'Blue', is_new: false }, ['Blue', 'Blauw', 'Sierra Blue']],
    Niebieski: [{ name: 'Blue', is_new: false }, ['Blue', 'Blauw', 'Sierra Blue']],
    // 'Czarny' is a name of the shop's own language for the same colour.
    Schwarz: [{ name: 'Czarny', is_new: false }, ['Czarny', 'Space Black']],
    White: [undefined, []],
    'Space Blue': [undefined, ['Blue', 'Blauw']],
    Grafit: [undefined, []],
  })
  expect(offered('category')).toEqual({ Uhren: [{ name: 'Watches', is_new: true }, []] })
  // Products wait for the answers about their parts, and propose products of their make alone.
  const products = unknownOf(preview, 'product')
  expect(products.map(({ waits }) => waits)).toEqual(products.map(() => true))
  for (const { nearest } of products) for (const { name } of nearest) expect(name).toMatch(/^Apple /)

  // Nobody is asked again about a name that the answers have made.
  const values = [
    ...['Weiß', 'White'].map((seen) => ({ field: 'colour', seen, means: 'White' })),
    { field: 'category', seen: 'Uhren', means: 'Watches' },
    ...['Blau', 'Niebieski'].map((seen) => ({ field: 'colour', seen, means: 'Blue' })),
  ]
  const said: ImportPreview = await replanned(t, user, id, { values })
  expect(unknownOf(said, 'category')).toEqual([])
  expect(unknownOf(said, 'colour').map((one) => one.seen)).toEqual(['Schwarz', 'Space Blue', 'Grafit'])
  const open = unknownOf(said, 'product').filter(({ waits }) => !waits)
  expect(open.map(({ seen }) => seen).sort()).toEqual(['Apple X Blue', 'Apple X White'])
})

test('a list without makes: the catalogue tells the make, or each model is asked once, and remembered', async () => {
  const supplier = await aSupplier('Ohne Marke GmbH')
  const numbers = imeis(6)
  const models = [
    'iPhone 13 128GB',
    'Samsung Galaxy Z9 64 GB',
    'Pixel 99 128GB',
    'Pixel 99 256GB',
    'Nord 77',
    'iPhone 13',
  ]
  await user.post('/api/make/create', { name: 'Samsung' })
  const csv = ['Modell;Warengruppe;IMEI;Preis', ...models.map((model, n) => `${model};Phones;${numbers[n]};100`)]
  const form = { csv: csv.join('\n'), supplier_id: String(supplier) }
  const preview: ImportPreview = await previewed(t, user, form)
  expect(preview.counts).toMatchObject({ new: 3, failed: 3 })
  expect(preview.notes).toEqual([{ kind: 'makes', count: 2, where: ['iPhone 13 (Apple)'] }])
  const asked = unknownOf(preview, 'make_of_model')
  expect(asked.map(({ seen, rows, is_made }) => [seen, rows, is_made])).toEqual([
    ['Pixel 99', 2, false],
    ['Nord 77', 1, false],
  ])
  expect(asked[0]!.nearest.map(({ name }) => name)).toContain('Apple')
  const values = [
    { field: 'make_of_model', seen: 'Pixel 99', means: 'Google' },
    { field: 'make_of_model', seen: 'Nord 77', means: 'OnePlus' },
  ]
  const said: ImportPreview = await replanned(t, user, preview.import_id, { values })
  expect([said.counts, unknownOf(said, 'make_of_model')]).toMatchObject([{ new: 6, failed: 0 }, []])
  expect(said.meanings).toMatchObject(values)
  const rows = await rowsOf(preview.import_id)
  expect(rows.map(({ product }) => product)).toEqual([
    'Apple iPhone 13 128 GB',
    'Samsung Galaxy Z9 64 GB',
    'Google Pixel 99 128 GB',
    'Google Pixel 99 256 GB',
    'OnePlus Nord 77',
    'Apple iPhone 13',
  ])
  await committed(t, user, preview.import_id)
  expect((await itemsOf(numbers)).map((item) => item.display_name)).toEqual(rows.map(({ product }) => product))
  const next = csv.map((line, n) => (n === 0 ? line : line.replace(numbers[n - 1]!, newImei())))
  const again: ImportPreview = await previewed(t, user, { ...form, csv: next.join('\n') })
  expect(again.counts).toMatchObject({ new: 6, failed: 0 })

  // Two makes have the model now, so the make is not guessed.
  await user.post('/api/make/create', { name: 'Nothing' })
  const two = (make: string) => `Brand;Model;Category;IMEI;Price\n${make};Phone 3;Phones;${newImei()};1`
  for (const make of ['Nothing', 'Fairphone'])
    await committed(t, user, (await previewed(t, user, { csv: two(make) })).import_id)
  const both: ImportPreview = await previewed(t, user, { csv: `Model;IMEI;Price\nPhone 3;${newImei()};1` })
  expect(unknownOf(both, 'make_of_model')).toMatchObject([{ seen: 'Phone 3', rows: 1 }])
  expect(
    unknownOf(both, 'make_of_model')[0]!
      .nearest.map(({ name }) => name)
      .slice(0, 2)
      .sort(),
  ).toEqual(['Fairphone', 'Nothing'])

  // If no model is like it, the makes with the most products are proposed.
  const many = Array.from({ length: 60 }, (_, n) => `Nokia;Dome ${n};Phones;${newImei()};1`)
  const csvOfMany = ['Brand;Model;Category;IMEI;Price', ...many].join('\n')
  await committed(t, user, (await previewed(t, user, { csv: csvOfMany })).import_id)
  const unlike: ImportPreview = await previewed(t, user, { csv: `Model;IMEI;Price\nXyzzy;${newImei()};1` })
  expect(unknownOf(unlike, 'make_of_model')[0]?.nearest[0]).toMatchObject({ name: 'Nokia' })
})

test('colours and categories of rows without a make are asked about beside the make', async () => {
  const csv = `Model;Kleur;Categorie;IMEI;Prijs\nNord 88;Paars;Horloges;${newImei()};100`
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(preview.unknown.map(({ field, seen, word }) => [field, seen, word?.name])).toEqual([
    ['make_of_model', 'Nord 88', undefined],
    ['category', 'Horloges', 'Watches'],
    ['colour', 'Paars', 'Purple'],
  ])
})

const PHONE = 'Apple;iPhone 13 128GB'

test('IMEIs, MEIDs, EIDs and serial numbers in one column go to their fields, and are counted', async () => {
  for (const name of ['IMEI / Serial', 'Device ID', 'Column 9']) {
    const [imei, other] = imeis(2)
    const serial = `C39${newImei().slice(-8)}X`
    const meid = `A1${newImei().slice(-12)}`
    const cells = [imei, other, serial, meid, `${newImei().slice(0, 14)}1`, '']
    // Only one of the ten last digits gives a right IMEI.
    cells[4] = Array.from({ length: 10 }, (_, n) => `${imei!.slice(0, 14)}${n}`).find((one) => one !== imei)!
    const csv = [`Brand;Model;${name};Price`, ...cells.map((cell) => `${PHONE};${cell};1`)].join('\n')
    const preview: ImportPreview = await previewed(t, user, { csv })
    expect([name, preview.columns[2]!.field, preview.counts]).toMatchObject([name, 'imei', { new: 4, failed: 2 }])
    expect(preview.notes).toEqual([{ kind: 'identifiers', count: 5, where: ['3 IMEIs', '1 MEID', '1 serial number'] }])
    const rows = await rowsOf(preview.import_id)
    const none = { imei: null, meid: null, serial_number: null }
    expect(rows.map(({ becomes, errors }) => becomes ?? errors)).toMatchObject([
      { ...none, imei },
      { ...none, imei: other },
      { ...none, serial_number: serial },
      { ...none, meid, serial_number: meid },
      { imei: expect.stringContaining('check digit') },
      { imei: 'An IMEI or a serial number is needed.' },
    ])
  }
  const eid = `89${'0'.repeat(14)}${newImei()}0`
  const csv = `Brand;Model;IMEI or EID;SN;Price\n${PHONE};${eid};F17X${newImei().slice(-8)};1\n${PHONE};${newImei()};;1`
  const preview: ImportPreview = await previewed(t, user, { csv })
  const mapping = [{ column: 2, field: 'imei' }]
  expect(await replanned(t, user, preview.import_id, { mapping })).toMatchObject({ counts: { new: 2, failed: 0 } })
  expect((await rowsOf(preview.import_id))[0]!.becomes).toMatchObject({ imei: null, eid })
})

test('several IMEIs in a cell: one phone, an item each once a person says so, or a reason; nothing by itself', async () => {
  const [a, b, c, d, e, f, g, h, i] = imeis(9)
  const rows = [
    `${PHONE};${a};1;10`,
    `${PHONE};${b} / ${c};1;20`,
    `${PHONE};"${d}\n${e}\n${f}";3;30`,
    `${PHONE};${g},${h};3;40`,
    `${PHONE};${i};;50`,
  ]
  const csv = ['Brand;Model;IMEI;Qty;Unit price', ...rows].join('\n')
  const preview: ImportPreview = await previewed(t, user, { csv })
  const { import_id: id } = preview
  expect(preview).toMatchObject({
    ...{
      counts: { new: 3, failed: 2 },
      total_rows: 5,
      several: { rows: 1, items: 3, means: null, left_out: ['Qty'], is_total: false },
    },
    notes: [{ kind: 'two_imeis', count: 1 }],
  })
  expect(preview.reasons.map(({ message, asks }) => [message, asks])).toEqual([
    ['This row has 3 IMEIs: choose whether it is 3 items.', 'several'],
    ['The quantity is 3, but the cell has 2 IMEIs.', null],
  ])
  const split: ImportPreview = await replanned(t, user, id, { several: 'items' })
  expect(split).toMatchObject({
    counts: { new: 6, failed: 1 },
    total_rows: 7,
    several: { rows: 1, items: 3, means: 'items' },
  })
  const shown = (await rowsOf(id, '&kind=new')).map(({ row, of_row, becomes }) => [row, of_row, becomes!.imei])
  expect(shown).toEqual([
    [2, null, a],
    [3, null, b],
    [4, null, d],
    [7, 4, e],
    [8, 4, f],
    [6, null, i],
  ])
  // The answer can be taken back and given again.
  const back: ImportPreview = await replanned(t, user, id, { several: 'phone' })
  expect(back).toMatchObject({ counts: { new: 3, failed: 2 }, total_rows: 5 })
  expect(back.reasons.map(({ message }) => message)).toContain('A device has at most two IMEIs, and this cell has 3.')
  expect((await rowsOf(id))[2]!.cells).toEqual(['Apple', 'iPhone 13 128GB', `${d}\n${e}\n${f}`, '3', '30'])
  await replanned(t, user, id, { several: 'items', cells: [{ row: 5, column: 3, value: '2' }] })
  const planned = await rowsOf(id)
  expect(planned.map(({ kind }) => kind)).toEqual(Array(8).fill('new'))
  // Meanwhile, one of the three phones of row 4 is bought elsewhere. So its row fails in the import.
  await stockItems(t.db, shop, 1, { imei: String(f) })
  await committed(t, user, id)
  const entry = `/api/stock/import/history/${id}`
  const details: ImportDetail[] = (await user.get(`${entry}/details`)).body.data
  expect(details.map(({ row, of_row }) => [row, of_row])).toEqual([
    [8, 4],
    [2, null],
    [3, null],
    [4, null],
    [7, 4],
    [5, null],
    [9, 5],
    [6, null],
  ])
  expect((await user.get('/api/stock/import/history?per_page=1')).body.data[0].content.data.details).toEqual(details)
  const { errors } = (await user.get('/api/stock/import/csv/status')).body.data
  expect(errors).toEqual([expect.stringMatching(/^Row 4: .+ already has this IMEI\.$/)])
  const failed = String((await user.get(`${entry}/csv?only=failed`)).body).split('\r\n')
  expect(failed[1]).toMatch(/^4,failed,,.+ already has this IMEI\./)
  const made = await itemsOf([a, b, d, e, g, h, i].map(String))
  expect(made.map((item) => [item.imei, item.imei2, item.purchase_price, item.attributes])).toEqual([
    [a, null, 1000, { Qty: '1' }],
    [b, c, 2000, { Qty: '1' }],
    ...[d, e].map((imei) => [imei, null, 3000, {}]),
    ...[g, h].map((imei) => [imei, null, 4000, {}]),
    [i, null, 5000, {}],
  ])
  const named = ({ kind, row, of_row, ...one }: PreviewRow) => [one.becomes!.imei, one.becomes!.imei2, one.product]
  expect(planned.filter(({ row }) => row !== 8).map(named)).toEqual(
    made.map((item) => [item.imei, item.imei2, item.display_name]),
  )
})

test('a cell with two IMEIs fails beside a second IMEI in a column of its own, also as one phone, and says so', async () => {
  const [a, b, c, d, e, f, g, h] = imeis(8)
  const rows = [`"${a} ${b}";${c};1`, `"${d} ${e}";${f};2`, `"${g} ${h}";;1`].map((row) => `${PHONE};10;${row}`)
  const csv = ['Brand;Model;Unit price;IMEI;IMEI 2;Qty', ...rows].join('\n')
  const { import_id: id }: ImportPreview = await previewed(t, user, { csv })
  await replanned(t, user, id, { several: 'phone' })
  const twice = { imei: 'The cell has two IMEIs, and the second IMEI has a column of its own.' }
  expect((await rowsOf(id)).map(({ becomes, errors }) => becomes ?? errors)).toMatchObject([
    twice,
    twice,
    { imei: g, imei2: h },
  ])
})

test('the price of a row with several IMEIs is divided if a person says so; no item has the total of its row', async () => {
  const [a, b, c, d, e] = imeis(5)
  const rows = [`${PHONE};"${a} ${b} ${c}";3;£100,00;x`, `${PHONE};"${d} ${e} ${a}";3;£50,01;y`]
  const csv = ['Brand;Model;IMEIs;Qty;Amount;Remark 9', ...rows].join('\n')
  const { import_id: id, several }: ImportPreview = await previewed(t, user, { csv })
  expect(several).toEqual({ rows: 2, items: 6, means: null, left_out: ['Qty'], is_total: true })
  const changes = { several: 'divided', rates: [{ currency: 'GBP', rate: '0.5' }] }
  const divided: ImportPreview = await replanned(t, user, id, changes)
  // A repeated IMEI names the row of the file.
  const twice = { field: 'imei', message: 'This IMEI is already in this file, row 2.', rows: 1, first_row: 3 }
  expect([divided.counts, divided.reasons]).toMatchObject([{ new: 5, failed: 1 }, [twice]])
  const prices = async () => (await rowsOf(id, '&kind=new')).map(({ becomes }) => becomes!.purchase_price)
  expect(await prices()).toEqual([3334, 3333, 3333, 1667, 1667])
  // Each item gets the whole price, and then its share again: the sum of the shares is the price in the file.
  await replanned(t, user, id, { several: 'items' })
  expect(await prices()).toEqual([10_000, 10_000, 10_000, 5001, 5001])
  await replanned(t, user, id, { several: 'divided' })
  expect(await prices()).toEqual([3334, 3333, 3333, 1667, 1667])
  // A correction in one of these rows stays with its IMEI, however the rows are split again.
  const third = (await rowsOf(id, '&kind=new'))[2]!
  const cells = [
    { row: third.row, column: 5, value: 'scratched' },
    { row: third.row, column: 4, value: '£30,00' },
    { row: 2, column: 5, value: 'first' },
  ]
  await replanned(t, user, id, { cells })
  const remarks = async () =>
    (await rowsOf(id, '&kind=new')).map(({ row, becomes, cells }) => [row, becomes!.purchase_price, cells[5]])
  const shares = await remarks()
  expect(shares.slice(0, 3)).toEqual([
    [2, 3334, 'first'],
    [expect.any(Number), 3333, 'x'],
    [third.row, 3000, 'scratched'],
  ])
  await replanned(t, user, id, { several: 'items' })
  expect((await remarks()).map(([, ...one]) => one)).toEqual([
    ...[
      [10_000, 'first'],
      [10_000, 'x'],
      [3000, 'scratched'],
      [5001, 'y'],
      [5001, 'y'],
    ],
  ])
  await replanned(t, user, id, { several: 'phone' })
  await replanned(t, user, id, { several: 'divided' })
  expect((await remarks()).find(([row]) => row === third.row)).toEqual([third.row, 3000, 'scratched'])

  // The price is divided again if its mark or its column changes.
  const whole = csv.replace('£100,00', '1,250').replace('£50,01', '1,250').replace(';x', ';900').replace(';y', ';90')
  const marked: ImportPreview = await previewed(t, user, { csv: whole })
  await replanned(t, user, marked.import_id, { several: 'divided' })
  await replanned(t, user, marked.import_id, { decimal: '.' })
  const of = async (one: number) => (await rowsOf(one, '&kind=new')).map(({ becomes }) => becomes!.purchase_price)
  expect(await of(marked.import_id)).toEqual([41_667, 41_667, 41_666, 41_667, 41_667])
  await replanned(t, user, marked.import_id, { decimal: ',' })
  expect((await of(marked.import_id)).slice(0, 3)).toEqual([42, 42, 41])
  await replanned(t, user, marked.import_id, { mapping: [{ column: 5, field: 'purchase_price' }] })
  expect((await of(marked.import_id)).slice(0, 3)).toEqual([30_000, 30_000, 30_000])
  const other = csv.replace(';Amount;', ';Unit price;').replace(';Remark 9', ';Line total')
  const priced: ImportPreview = await previewed(t, user, { csv: other.replace(';x', ';900').replace(';y', ';90') })
  expect(priced.several).toMatchObject({ left_out: ['Qty', 'Line total'], is_total: false })
  await replanned(t, user, priced.import_id, { several: 'items' })
  const total = [{ column: 5, field: 'purchase_price' }]
  await replanned(t, user, priced.import_id, { several: 'divided', mapping: total })
  expect(await of(priced.import_id)).toEqual([30_000, 30_000, 30_000, 3000, 3000])
})

test('a quantity beside one IMEI or serial number makes one item, and that is said of the row and counted', async () => {
  const [a, b, c, d] = imeis(4)
  const serial = `F17X${newImei().slice(-8)}`
  const rows = [`${a};;3`, `;${serial};2,00`, `${b};;1`, `${c};;0`, `${d};;`, `35;;4`].map(
    (row) => `${PHONE};50;${row}`,
  )
  const csv = ['Brand;Model;Unit price;IMEI;Serial no;Menge', ...rows].join('\n')
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(preview.counts).toMatchObject({ new: 5, failed: 1 })
  expect(preview.notes).toEqual([{ kind: 'quantity', count: 3, where: ['2', '3', '5'] }])
  expect((await rowsOf(preview.import_id)).map(({ note }) => note)).toEqual([
    'The quantity is 3, but the row has one IMEI: it becomes one item.',
    'The quantity is 2, but the row has one serial number: it becomes one item.',
    null,
    'The quantity is 0, but the row has one IMEI: it becomes one item.',
    null,
    null,
  ])
  // A row with only a serial number counts too.
  const without = `Brand;Model;Unit price;Serial no;Menge\n${PHONE};50;F17Y${newImei().slice(-8)};2`
  expect((await previewed(t, user, { csv: without })).notes).toEqual([{ kind: 'quantity', count: 1, where: ['2'] }])
})

test('working memory and a capacity without a unit in names: the right capacity, or plainly none', async () => {
  const cases = [
    ['Apple', 'iPhone 33 Pro 8/256GB', 'Apple iPhone 33 Pro 256 GB'],
    ['Apple', 'iPhone 33 Pro 512', 'Apple iPhone 33 Pro 512 GB'],
    // The catalogue has the first model with another capacity; it does not have the second one.
    ['Apple', 'iPhone 13 64', 'Apple iPhone 13 64 GB'],
    ['Apple', 'iPhone XR 64', 'Apple iPhone XR 64'],
    ['', 'Apple iPhone 33 256', 'Apple iPhone 33 256 GB'],
    ['', 'iPhone 13 32', 'Apple iPhone 13 32 GB'],
    ['', 'Apple iPhone 32', 'Apple iPhone 32'],
    ['Apple', 'iPhone 32', 'Apple iPhone 32'],
    ['Apple', 'iPhone 33 64/128GB', 'Apple iPhone 33 64/128GB'],
    // A capacity of less than 16 GB counts only if the catalogue has it.
    ['Apple', 'iPhone 33 8GB', 'Apple iPhone 33 8GB'],
    ['', 'Apple iPhone 33 12 GB', 'Apple iPhone 33 12 GB'],
    ['', 'iPhone 13 6GB', 'Apple iPhone 13 6GB'],
    ['Apple', 'iPhone 4 8GB', 'Apple iPhone 4 8 GB'],
  ]
  const old = `make,model,capacity,capacity_unit,category,imei,purchase_price\nApple,iPhone 4,8,GB,Phones,${newImei()},1\n`
  await importCsv(t, user, { csv: old })
  const rows = cases.map(([make, model]) => `${make};${model};Phones;${newImei()};50`)
  const csv = ['Brand;Model;Category;IMEI;Unit price', ...rows].join('\n')
  const { import_id: id, reasons, notes }: ImportPreview = await previewed(t, user, { csv })
  expect(reasons).toEqual([])
  expect(notes).toContainEqual({ kind: 'memories', count: 3, where: expect.arrayContaining(['iPhone 33 8GB']) })
  expect((await rowsOf(id)).map(({ product }) => product)).toEqual(cases.map(([, , product]) => product))
})

test('each missing field names its way out, and a price for all rows is that of new items alone', async () => {
  const known = newImei()
  const head = 'imei,make,model,category,purchase_price\n'
  await importCsv(t, user, { csv: `${head}${known},Apple,iPhone 13,Phones,77\n` })
  const asks = ({ reasons }: ImportPreview) =>
    Object.fromEntries(reasons.map(({ field, asks }) => [field, asks] as const))
  const bare: ImportPreview = await previewed(t, user, { csv: 'Colour,Category\nBlack,Phones\n' })
  expect(asks(bare)).toEqual({ make: 'make', model: 'column', purchase_price: 'price', imei: 'column' })
  const csv = `IMEI;Brand;Model;Preis;Farbe\n;;;1;Black\n${newImei()};;;1;Black`
  expect(asks(await previewed(t, user, { csv }))).toMatchObject({ make: 'make', model: null, imei: null })

  const headless = `${newImei()};Apple;iPhone 13;100,00`
  const nameless = { make: 'column', model: 'column', purchase_price: 'column' }
  expect(asks(await previewed(t, user, { csv: headless }))).toEqual(nameless)

  // A delivery note without prices.
  const note = `IMEI;Brand;Model;Farbe\n${known};Apple;iPhone 13;Grün\n${newImei()};Apple;iPhone 13;`
  const form = { csv: note, update_existing: 'true' }
  const { import_id: id, counts }: ImportPreview = await previewed(t, user, form)
  expect(counts).toMatchObject({ updated: 1, failed: 1 })
  for (const [purchase_price, message] of [
    ['1.234,5', 'Must be a price such as 249.90, at most 1,000,000.00.'],
    ['-1', 'Must not be negative.'],
    ['1000000.01', 'Must be a price such as 249.90, at most 1,000,000.00.'],
  ] as const)
    expect((await user.patch(`${base}/${id}`, { defaults: { purchase_price } })).body.data.errors).toEqual({
      'defaults.purchase_price': message,
    })
  const given: ImportPreview = await replanned(t, user, id, { defaults: { purchase_price: '49,9' } })
  expect([given.counts, given.defaults]).toMatchObject([{ new: 1, updated: 1 }, { purchase_price: '49.90' }])
  expect(await rowsOf(id)).toMatchObject([
    { kind: 'updated', changes: [expect.objectContaining({ attributeName: 'actual_product' })] },
    { kind: 'new', becomes: { purchase_price: 4990 } },
  ])
  await committed(t, user, id)
  const supplier = await aSupplier('Lieferschein GmbH')
  const again: ImportPreview = await previewed(t, user, { csv: note, supplier_id: String(supplier) })
  expect(again.defaults).not.toHaveProperty('purchase_price')
})

test('the right name is proposed, also if the shop has more names than are compared at a time', async () => {
  await t.db.pool.query(`insert into make (name) select 'Zooming ' || n from generate_series(1, 1000) n`)
  await t.db.pool.query(`insert into make (name) values ('Zoomphone')`)
  const csv = `make;model;category;imei;purchase_price\nZoom-Phone;5;Phones;${newImei()};1`
  const preview: ImportPreview = await previewed(t, user, { csv })
  expect(unknownOf(preview, 'make').map(({ seen, nearest }) => [seen, nearest[0]?.name])).toEqual([
    ['Zoom-Phone', 'Zoomphone'],
  ])
  await t.db.pool.query(`delete from make where name like 'Zooming %' or name = 'Zoomphone'`)
})
