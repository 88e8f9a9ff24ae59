import type { ImportPreview, PreviewRow } from '@backstock/contract/import-preview.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../../testing/app.ts'
import { encoded } from '../../../testing/encoded.ts'
import { committed, planPreview, previewed, replanned, uploadPreview } from '../../../testing/preview-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { xlsxOf } from '../../../testing/xlsx.ts'
import { tidyJobs } from '../../../worker/tidy.ts'
import { importJobs } from '../jobs.ts'

// Tests how a preview reads its file, and how people change that.
let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const base = '/api/stock/import/preview'
const rows = async (sql: string, params: unknown[] = []) => (await t.db.pool.query(sql, params)).rows
const rowsOf = async (id: number): Promise<PreviewRow[]> =>
  (await user.get(`${base}/${id}/rows?per_page=100`)).body.data
const errorsOf = async (id: number, changes: object) => (await user.patch(`${base}/${id}`, changes)).body.data.errors
const HEAD = 'imei,make,model,capacity,capacity_unit,purchase_price'
const PHONE = 'Apple,iPhone 13,128,GB'
const fieldOf = ({ columns }: ImportPreview, name: string) => columns.find((column) => column.name === name)?.field

test('a column is what a person says it is, and takes the field from the one that had it', async () => {
  const [first] = [newImei()]
  const csv = `Code,Old price,New price,make,model,capacity,capacity_unit,What\n${first},10,20,${PHONE},x`
  const { import_id: id } = await previewed(t, user, { csv })
  const mapped = await replanned(t, user, id, {
    mapping: [
      { column: 0, field: 'imei' },
      { column: 1, field: 'purchase_price' },
      { column: 7, field: 'further' },
    ],
  })
  expect(mapped.counts).toMatchObject({ new: 1 })
  const moved = await replanned(t, user, id, { mapping: [{ column: 2, field: 'purchase_price' }] })
  expect([fieldOf(moved, 'Old price'), fieldOf(moved, 'New price')]).toEqual([null, 'purchase_price'])
  await committed(t, user, id)
  expect(await rows('select purchase_price, attributes from stock where imei = $1', [first])).toEqual([
    { purchase_price: 2000, attributes: { What: 'x' } },
  ])
})

test('an impossible choice is refused under its field, and changes nothing', async () => {
  const csv = `imei,make,model,purchase_price,sales_price,,Box,Box\n${newImei()},Apple,iPhone 13,1,2,,a,b`
  const { import_id: id } = await previewed(t, user, { csv })
  // An older version of Backstock left the second of two columns with the same name out.
  const older = `header = jsonb_set(header, '{7}', '"Box"'), preview = jsonb_set(preview, '{columns,7,field}', 'null')`
  await rows(`update import set ${older} where id = $1`, [id])
  const before = await rows('select * from import where id = $1', [id])
  expect(
    await errorsOf(id, {
      mapping: [
        { column: 99, field: 'imei' },
        { column: 5, field: 'further' },
        { column: 4, field: 'further' },
        { column: 6, field: 'further' },
        { column: 7, field: 'further' },
        { column: 1, field: 'model' },
        { column: 2, field: 'model' },
      ],
      cells: [
        { row: 99, column: 0, value: '' },
        { row: 2, column: 99, value: '' },
        { row: 2, column: 1, value: 'a\u0000' },
      ],
      defaults: { make: 'a\u0007' },
      values: [{ field: 'make', seen: 'x', means: '' }],
    }),
  ).toEqual({
    'mapping.0.column': 'There is no such column.',
    'mapping.1.field': 'This column has no name under which it could be kept.',
    'mapping.2.field': 'A further column cannot have this name.',
    'mapping.4.field': 'The column Box is there twice.',
    'mapping.6.field': 'Another column has this meaning already.',
    'cells.0.row': 'There is no such row.',
    'cells.1.column': 'There is no such column.',
    'cells.2.value': expect.stringContaining('control character'),
    'defaults.make': expect.stringContaining('control character'),
    'values.0.means': 'This field is required.',
  })
  expect(await errorsOf(id, { supplier_id: 999_999 })).toEqual({
    supplier_id: 'This record does not exist. Choose another.',
  })
  expect(await errorsOf(id, { encoding: 'utf-16le' })).toHaveProperty('encoding')
  const named = (n: number) => ({ field: 'make', seen: `Seen ${n}`, means: 'Apple' })
  // No single request may bring so many names.
  await rows(`update import set preview = jsonb_set(preview, '{meanings}', $2) where id = $1`, [
    id,
    JSON.stringify(Array.from({ length: 5000 }, (_, n) => ({ ...named(n), isChosen: true }))),
  ])
  expect(await errorsOf(id, { values: [named(5000)] })).toEqual({ values: 'At most 5,000 names.' })
  expect(await errorsOf(id, { values: [named(4999), { ...named(4998), means: '' }] })).toEqual({
    'values.1.means': 'This field is required.',
  })
  await rows(`update import set preview = jsonb_set(preview, '{meanings}', '[]') where id = $1`, [id])
  expect(await rows('select * from import where id = $1', [id])).toEqual(before)
  for (const supplier_id of ['999999', '9999999999'])
    expect((await uploadPreview(user, { csv, supplier_id })).body.data.errors).toEqual({
      supplier_id: 'This record does not exist. Choose another.',
    })
  expect((await uploadPreview(user, { csv: 'imei,make\n' })).body.data.errors).toEqual({
    csv: 'This file has a header and no rows.',
  })
  expect(await rows('select id from import where id = $1', [id])).toHaveLength(1)
})

test('a workbook has no encoding to choose', async () => {
  const csv = xlsxOf([HEAD.split(','), [newImei(), ...PHONE.split(','), 1]])
  const { import_id: id, encoding } = await previewed(t, user, { csv, name: 'stock.xlsx' })
  expect(encoding).toBeNull()
  expect(await errorsOf(id, { encoding: 'windows-1250' })).toEqual({
    encoding: 'An Excel file has no encoding to choose.',
  })
})

test('an encoding is changed without sending the file again', async () => {
  const text = `${HEAD},Notiz\n${newImei()},${PHONE},1,Łódź\n`
  const bytes = Buffer.from([...text].map((c) => ({ Ł: 0xa3, ó: 0xf3, ź: 0x9f })[c] ?? c.charCodeAt(0)))
  const { import_id: id, encoding } = await previewed(t, user, { csv: bytes, encoding: 'windows-1252' })
  expect(encoding).toBe('windows-1252')
  expect((await rowsOf(id))[0]!.cells.at(-1)).toBe('£ódŸ')
  for (const [to, cell] of [
    ['windows-1250', 'Łódź'],
    ['windows-1252', '£ódŸ'],
    ['windows-1250', 'Łódź'],
  ]) {
    const changed = await replanned(t, user, id, { encoding: to })
    expect([changed.encoding, changed.columns.at(-1).samples]).toEqual([to, [cell]])
    expect((await rowsOf(id))[0]!.cells.at(-1)).toBe(cell)
  }
})

test('typed cells stay as typed in every encoding, and so do choices', async () => {
  const file = [
    'IMEI;Marka;Pamięć;Kolor;Model;Cena zakupu;Uwagi',
    ...[1, 2].map(() => `${newImei()};Apple;128 GB;Żółty;iPhone 13;10;Łódź`),
  ].join('\n')
  const csv = encoded(file, 'windows-1250')
  const { import_id: id, ...wrong } = await previewed(t, user, { csv, encoding: 'windows-1252' })
  expect(fieldOf(wrong, 'Pamiêæ')).toBe('further')
  await replanned(t, user, id, {
    mapping: [{ column: 6, field: 'engineer_notes' }],
    cells: [
      { row: 2, column: 3, value: 'Grün' },
      { row: 2, column: 6, value: 'Łódź £ód' },
    ],
  })
  const right = await replanned(t, user, id, { encoding: 'windows-1250' })
  // With the right encoding, the name of a column is readable, and the column is recognised. Chosen columns keep their
  // field.
  expect([fieldOf(right, 'Pamięć'), fieldOf(right, 'Uwagi')]).toEqual(['capacity', 'engineer_notes'])
  const seen = async () => (await rowsOf(id)).map(({ cells }) => [cells[3], cells[6]])
  const wanted = [
    ['Grün', 'Łódź £ód'],
    ['Żółty', 'Łódź'],
  ]
  expect(await seen()).toEqual(wanted)
  for (const encoding of ['utf-8', 'windows-1253', 'windows-1250']) await replanned(t, user, id, { encoding })
  expect(await seen()).toEqual(wanted)
  // A field that was chosen for another column is not given twice.
  const other = await previewed(t, user, { csv, encoding: 'windows-1252' })
  await replanned(t, user, other.import_id, { mapping: [{ column: 6, field: 'capacity' }] })
  const once = await replanned(t, user, other.import_id, { encoding: 'windows-1250' })
  expect([fieldOf(once, 'Pamięć'), fieldOf(once, 'Uwagi')]).toEqual(['further', 'capacity'])
})

test('prices that can be read in two ways are asked for, and read as a person says', async () => {
  const csv = (...prices: string[]) =>
    [
      `imei;make;model;capacity;capacity_unit;purchase_price`,
      ...prices.map((price) => `${newImei()};${PHONE.replaceAll(',', ';')};${price}`),
    ].join('\n')
  const known = await previewed(t, user, { csv: csv('1.234', '1.249,90') })
  expect(known).toMatchObject({ decimal: ',', counts: { new: 2 } })
  const unknown = await previewed(t, user, { csv: csv('1.234') })
  expect(unknown).toMatchObject({ decimal: null, counts: { failed: 1 } })
  const mixed = await previewed(t, user, { csv: csv('1.234', '1.249,90', '1,249.90') })
  expect(mixed).toMatchObject({ decimal: 'mixed', counts: { new: 2, failed: 1 } })
  expect(await replanned(t, user, mixed.import_id, { decimal: ',' })).toMatchObject({
    decimal: ',',
    counts: { new: 3 },
  })
  await committed(t, user, mixed.import_id)
  const written = await rows('select purchase_price from stock order by id desc limit 3')
  expect(written.map(({ purchase_price }) => purchase_price)).toEqual([124_990, 124_990, 123_400])
})

test('defaults fill empty cells, and names mean others; a supplier’s file is read so again', async () => {
  const supplier = (await user.post('/api/supplier/create', { company_name: 'Remembered' })).body.data.id
  const file = () =>
    [
      'imei,model,capacity,capacity_unit,purchase_price,make,vat',
      `${newImei()},iPhone 13,128,GB,1,,`,
      `${newImei()},iPhone 13,128,GB,1,appel,`,
    ].join('\n')
  const form = { supplier_id: String(supplier) }
  // As long as two makes have the model, the catalogue does not show which one is meant.
  await rows(`with twin as (insert into make (name) values ('Twin') returning id)
    insert into product (make_id, category_id, model, display_name)
    select twin.id, p.category_id, p.model, 'Twin iPhone 13' from twin, product p where p.id = ${shop.product}`)
  const { import_id: id, counts } = await previewed(t, user, { csv: file(), ...form })
  expect(counts).toMatchObject({ failed: 2 })
  const future = await user.patch(`/api/stock/import/preview/${id}`, { defaults: { purchase_date: '2062-11-28' } })
  const refused = { 'defaults.purchase_date': 'Must not be in the future.' }
  expect([future.status, future.body.data.errors]).toEqual([422, refused])
  const said = await replanned(t, user, id, {
    defaults: { make: ' Apple ', purchase_date: '2026-11-20', status: 'In Stock' },
    values: [{ field: 'make', seen: 'appel', means: 'Apple' }],
  })
  expect(said).toMatchObject({
    counts: { new: 2 },
    defaults: { supplier: 'Remembered', make: 'Apple', purchase_date: '2026-11-20', status: 'In Stock' },
    meanings: [{ field: 'make', seen: 'appel', means: 'Apple' }],
  })
  await committed(t, user, id)
  expect(
    await rows('select distinct actual_product_id, status, purchase_date from stock where supplier_id = $1', [
      supplier,
    ]),
  ).toEqual([{ actual_product_id: shop.product, status: 'In Stock', purchase_date: '2026-11-20' }])
  const again = await previewed(t, user, { csv: file(), ...form })
  expect(again).toMatchObject({ counts: { new: 2 }, meanings: [{ field: 'make', means: 'Apple' }] })
  expect(again.defaults).toEqual({ supplier: 'Remembered', make: 'Apple' })
  const other = await replanned(t, user, again.import_id, { supplier_id: null })
  expect(other).toMatchObject({ supplier: null, defaults: {}, counts: { failed: 2 }, meanings: [] })
  const back = await replanned(t, user, again.import_id, {
    supplier_id: supplier,
    values: [{ field: 'make', seen: 'appel', means: null }],
  })
  expect(back).toMatchObject({ supplier: { id: supplier }, meanings: [] })
  await committed(t, user, again.import_id)
  expect(await previewed(t, user, { csv: file(), ...form })).toMatchObject({ meanings: [] })
  await rows(`delete from product where display_name = 'Twin iPhone 13'`)
  await rows(`delete from make where name = 'Twin'`)
})

test('names that are new stand beside those that are like them, and a product may mean another', async () => {
  await user.post('/api/category/create', { name: 'Smartphones' })
  const numbers = [newImei(), newImei()]
  const csv = [
    'imei,make,model,category,purchase_price',
    ...numbers.map((imei) => `${imei},Aple,iPhone 13 128 GB neu,Smartphone,1`),
  ].join('\n')
  const preview = await previewed(t, user, { csv })
  const unknown = Object.fromEntries(preview.unknown.map((one: { field: string }) => [one.field, one]))
  expect(unknown).toMatchObject({
    product: { seen: 'Aple iPhone 13 128 GB neu', rows: 2, is_made: true, nearest: [{ id: shop.product }] },
    make: { seen: 'Aple', is_made: true, nearest: [{ name: 'Apple' }] },
    category: { seen: 'Smartphone', rows: 2, is_made: true },
  })
  expect(unknown['category'].nearest[0].name).toBe('Smartphones')
  const meant = await replanned(t, user, preview.import_id, {
    values: [{ field: 'product', seen: 'Aple iPhone 13 128 GB neu', means: String(shop.product) }],
  })
  expect(meant).toMatchObject({ unknown: [], counts: { new: 2 } })
  await committed(t, user, preview.import_id)
  expect(await rows('select distinct actual_product_id as id from stock where imei = any($1)', [numbers])).toEqual([
    { id: shop.product },
  ])
  expect(await rows(`select from make where name = 'Aple'`)).toEqual([])
})

test('a name that several suppliers have is asked about, but not for an item that has one of them', async () => {
  const [twin] = await Promise.all(
    [1, 2].map(async () => (await user.post('/api/supplier/create', { company_name: 'Twins Ltd' })).body.data.id),
  )
  const [id] = await stockItems(t.db, shop, 1, { supplier_id: twin })
  const [{ imei }] = await rows('select imei from stock where id = $1', [id])
  const asked = async (...lines: string[]) => {
    const csv = ['imei,make,model,capacity,capacity_unit,purchase_price,supplier', ...lines].join('\n')
    const { counts, unknown }: ImportPreview = await previewed(t, user, { csv, update_existing: 'true' })
    return [counts.failed, unknown.map(({ field, is_ambiguous }) => [field, is_ambiguous])]
  }
  expect(await asked(`${imei},,,,,7,Twins Ltd`)).toEqual([0, []])
  expect(await asked(`${newImei()},${PHONE},7,Twins Ltd`)).toEqual([1, [['supplier', true]]])
})

test('phones whose rows say no product: what the shop has had under their TAC is proposed, for new ones', async () => {
  const [known] = await stockItems(t.db, shop, 3)
  const { imei } = (await rows('select imei from stock where id = $1', [known]))[0]
  const [{ id: other }] = await rows(
    `insert into product (make_id, category_id, model, display_name)
     select make_id, category_id, 'Other', 'Apple Other' from product where id = $1 returning id`,
    [shop.product],
  )
  await rows('update stock set actual_product_id = $2 where id = $1', [known, other])
  const fresh = newImei()
  const csv = `imei,purchase_price,sales_price\n${fresh},1,\n${imei},,77`
  const preview = await previewed(t, user, { csv, update_existing: 'true' })
  const tac = fresh.slice(0, 8)
  expect(preview).toMatchObject({
    counts: { updated: 1, failed: 1 },
    unknown: [{ field: 'product', seen: tac, rows: 1, is_made: false, is_tac: true, nearest: [{ id: shop.product }] }],
  })
  const taken = await replanned(t, user, preview.import_id, {
    values: [{ field: 'product', seen: tac, means: String(shop.product) }],
  })
  expect(taken).toMatchObject({ counts: { new: 1, updated: 1 }, unknown: [] })
  await committed(t, user, preview.import_id)
  expect(
    await rows('select actual_product_id as p, sales_price from stock where imei = any($1) order by id', [
      [imei, fresh],
    ]),
  ).toEqual([
    { p: other, sales_price: 7700 },
    { p: shop.product, sales_price: null },
  ])
})

test('a change while the plan is made: the older plan is given up, and writes nothing more', async () => {
  const csv = `${HEAD}\n${newImei()},${PHONE},1`
  const id = (await uploadPreview(user, { csv })).body.data.import_id
  const plan = async (plan_no: number) => {
    const { import_plan } = importJobs({ db: t.db, config: t.config, dataDir: '', log: t.app.log }, t.app.pace)
    await import_plan({ import_id: id, plan_no }, new AbortController().signal)
  }
  const part = async () => (await rows('select plan_no, plan from import_part where import_id = $1', [id]))[0]
  const changed = await user.patch(`${base}/${id}`, { cells: [{ row: 2, column: 5, value: 'dear' }] })
  expect(changed.body.data).toMatchObject({ state: 'previewing', progress: 0, counts: { new: 0, failed: 0 } })
  await plan(1)
  expect(await part()).toEqual({ plan_no: 2, plan: null })
  // Runs the plan with the number 1, which is older than the change of the cells. It must not store its result.
  await rows('update import set plan_no = 1 where id = $1', [id])
  await plan(1)
  expect(await part()).toEqual({ plan_no: 2, plan: null })
  await rows(`update import set plan_no = 2, state = 'previewing' where id = $1`, [id])
  await plan(2)
  expect((await user.get(`${base}/${id}`)).body.data).toMatchObject({ state: 'previewed', counts: { failed: 1 } })
  await plan(1)
  expect(await part()).toMatchObject({ plan_no: 2, plan: [{ kind: 'failed' }] })
})

test('a plan that breaks off says so, and a change has it made again', async () => {
  const csv = `${HEAD}\n${newImei()},${PHONE},1`
  const id = (await uploadPreview(user, { csv })).body.data.import_id
  await rows(`update import set preview = jsonb_set(preview, '{columns}', '7') where id = $1`, [id])
  await planPreview(t, id)
  const broken = (await rows('select state, error from import where id = $1', [id]))[0]
  expect(broken).toEqual({ state: 'previewed', error: expect.stringContaining('Nothing was imported.') })
  expect((await user.post(`${base}/${id}/commit`)).status).toBe(409)
  expect((await user.delete(`${base}/${id}`)).status).toBe(200)
})

test('a file without this person’s touch is forgotten after a day', async () => {
  const csv = `${HEAD}\n${newImei()},${PHONE},1`
  const { import_id: id, expires_at } = await previewed(t, user, { csv })
  const isNew = (expires: string) => Date.parse(expires) - Date.now() > 23.9 * 3_600_000
  expect(isNew(expires_at)).toBe(true)
  const { tidy } = tidyJobs({ db: t.db, config: t.config, dataDir: '', log: t.app.log })
  const aged = async (time: string) => {
    await t.db.pool.query(`update import set touched_at = now() - $2::interval where id = $1`, [id, time])
    await tidy({}, new AbortController().signal)
    return (await user.get(`${base}/${id}`)).status
  }
  expect(await aged('23 hours')).toBe(200)
  // A change is a touch, too.
  expect(isNew((await replanned(t, user, id, {})).expires_at)).toBe(true)
  expect(await aged('25 hours')).toBe(404)
  expect(await rows('select from import_part where import_id = $1', [id])).toEqual([])
  expect(await stockItems(t.db, shop, 1)).toHaveLength(1)
})

test('cells are mended in their rows, also beyond a row’s end, and all other cells stay as they are', async () => {
  const numbers = Array.from({ length: 1003 }, newImei)
  const csv = `${HEAD},Note\n${numbers.map((imei) => `${imei},${PHONE},9,"a ""b"" \\ ü"`).join('\n')}\n1,Apple`
  const { import_id: id } = await previewed(t, user, { csv })
  const before = await rows('select lines, cells from import_part where import_id = $1 order by part', [id])
  await replanned(t, user, id, {
    cells: [
      { row: 2, column: 5, value: 'x' },
      { row: 2, column: 5, value: '10' },
      { row: 1004, column: 6, value: 'c "d" \\ ß 😀' },
      { row: 1005, column: 6, value: 'late' },
    ],
  })
  before[0].cells[0][5] = '10'
  before[1].cells[2][6] = 'c "d" \\ ß 😀'
  before[1].cells[3].push('', '', '', '', 'late')
  expect(await rows('select lines, cells from import_part where import_id = $1 order by part', [id])).toEqual(before)
})

test('a page of rows with a hundred long notes each shows the beginnings of these', async () => {
  const notes = Array.from({ length: 100 }, (_, n) => `N${n}`)
  const long = notes.map(() => 'ü'.repeat(9000)).join(',')
  const csv = `${HEAD},${notes.join(',')}\n${Array.from({ length: 8 }, () => `${newImei()},${PHONE},9,${long}`).join('\n')}`
  const { import_id: id } = await previewed(t, user, { csv })
  const found = await rowsOf(id)
  expect(found).toHaveLength(8)
  expect(found[0]!.cells.slice(1, 6)).toEqual([...PHONE.split(','), '9'])
  expect(found[0]!.cells[7]).toMatch(/^ü{100,1000}…$/)
  expect(JSON.stringify(found).length).toBeLessThan(1_000_000)
})
