import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { importCsv } from '../../testing/csv-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { proposedProducts } from './proposed-products.ts'

// Tests the facts of a device: its grade, whether it works, and its further identifiers.
let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
let admin: Client
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
  admin = await t.user('ROLE_ADMIN')
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

const rows = async (text: string, values: unknown[] = []) => (await t.db.pool.query(text, values)).rows
const gradeCalled = async (name: string): Promise<number> =>
  (await rows('select id from grade where name = $1', [name]))[0].id
const create = (fields: object) =>
  staff.post('/api/stock/create', { actual_product_id: shop.product, purchase_price: 100, ...fields })
const created = async (fields: object): Promise<number> => {
  const answer = await create(fields)
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data.id
}
const edit = (id: number, fields: object) => staff.post(`/api/stock/${id}/edit`, fields)
const load = async (id: number) => (await staff.get(`/api/stock/find?id=${id}`)).body.data[0]
const found = async (query: string): Promise<number[]> =>
  (await staff.get(`/api/stock/find?${query}`)).body.data.map((row: { id: number }) => row.id)
const ordered = async (...lines: string[]): Promise<number[]> =>
  (await staff.post('/api/stock/quick-order-find', lines)).body.data.map((row: { id: number }) => row.id)
const newEid = () => `89049032${String(Math.random()).slice(2, 14).padEnd(12, '0')}${newImei().slice(0, 12)}`

test('a shop starts with five grades, the best first, and new ones stand last', async () => {
  const names = async () =>
    (await staff.get('/api/grade/find')).body.data.map(({ name }: { name: string }) => name) as string[]
  expect(await names()).toEqual(['A+', 'A', 'B', 'C', 'D'])
  const { body } = await admin.post('/api/grade/create', { name: 'Spare parts', description: '' })
  expect(body.data).toMatchObject({ name: 'Spare parts', position: 6, description: null })
  expect((await names()).at(-1)).toBe('Spare parts')
  expect((await admin.post(`/api/grade/${body.data.id}/edit`, { position: 0 })).status).toBe(200)
  expect((await names())[0]).toBe('Spare parts')
  expect((await admin.post(`/api/grade/${body.data.id}/edit`, { position: '' })).body.data.position).toBe(0)
  const wrong = await admin.post('/api/grade/create', { name: 'a+', position: 1001 })
  expect(wrong.body.data.errors).toEqual({ position: 'At most 1,000.' })
  expect((await admin.delete(`/api/grade/${body.data.id}/delete`)).status).toBe(200)
})

test('an item says what it is, its log too, and null clears it', async () => {
  const [imei, imei2, eid] = [newImei(), newImei(), newEid()]
  const grade_id = await gradeCalled('B')
  const device = { functional: 'minor faults', battery_health: 87, location: 'Shelf 4' }
  const id = await created({
    imei,
    imei2: ` ${imei2.slice(0, 8)} ${imei2.slice(8)}`,
    meid: 'a1000012345678',
    eid,
    grade_id,
    ...device,
  })
  const item = await load(id)
  expect(item).toMatchObject({ imei, imei2, meid: 'A1000012345678', eid, grade_name: 'B', ...device })
  expect(item.grade).toEqual({ id: grade_id, name: 'B' })
  expect(item.logs[0].content.data).toEqual(
    expect.arrayContaining([
      { attributeName: 'grade', from: null, to: 'B' },
      { attributeName: 'battery_health', from: null, to: 87 },
      { attributeName: 'imei2', from: null, to: imei2 },
    ]),
  )
  expect((await edit(id, { grade_id: await gradeCalled('C'), functional: '', battery_health: '' })).status).toBe(200)
  const edited = await load(id)
  expect(edited).toMatchObject({ grade_name: 'C', functional: null, battery_health: null, location: 'Shelf 4' })
  expect(edited.logs[0].content.data).toEqual([
    { attributeName: 'grade', from: 'B', to: 'C' },
    { attributeName: 'functional', from: 'minor faults', to: null },
    { attributeName: 'battery_health', from: 87, to: null },
  ])
  expect((await admin.delete(`/api/grade/${await gradeCalled('C')}/delete`)).body.message).toMatch(
    /^Grade #\d+ is used by 1 stock item and cannot be deleted\.$/,
  )
})

test.each([
  ['grade_id', 999_999, 'This record does not exist. Choose another.'],
  ['functional', 'broken', 'Must be one of working, minor faults, faulty, untested.'],
  ['battery_health', 101, 'At most 100.'],
  ['battery_health', -1, 'Must not be negative.'],
  ['imei2', '350000000000001', 'The check digit of IMEI 350000000000001 is wrong: look for a typing mistake.'],
  ['meid', 'A100001234567G', 'An MEID has 14 digits, of which some may be A to F.'],
  ['eid', '8904', 'An EID has 32 digits.'],
  ['location', 'x'.repeat(256), 'At most 255 characters.'],
])('%s cannot be %s', async (field, value, message) => {
  const answer = await create({ imei: newImei(), [field]: value })
  expect([answer.status, answer.body.data.errors]).toEqual([422, { [field]: message }])
})

test('IMEI 2 finds the phone as IMEI does, and MEID and EID do too', async () => {
  const [imei, imei2, eid] = [newImei(), newImei(), newEid()]
  const id = await created({ imei, imei2, meid: 'A1000000000001', eid })
  for (const line of [imei, imei2, imei2.slice(0, 14), `${imei2.slice(0, 14)}07`, 'a1000000000001', eid]) {
    expect(await found(`search=${line}`), line).toEqual([id])
    expect(await ordered(line), line).toEqual([id])
  }
  expect(await ordered(imei, imei2, eid)).toEqual([id])
  const look = await staff.post('/api/return/look-up', { lines: [imei2] })
  expect(look.body.data.map((row: { id: number }) => row.id)).toEqual([id])
})

test('32 digits are found too if they are a serial number', async () => {
  const serial_number = newEid()
  const id = await created({ serial_number })
  for (const search of [serial_number, `${serial_number.slice(0, 16)}-${serial_number.slice(16)}`])
    expect(await found(`search=${search}`)).toEqual([id])
})

test('two items in hand have no IMEI in common, whichever slot it is in; one may have the same twice', async () => {
  const [A, B, C] = [newImei(), newImei(), newImei()]
  const id = await created({ imei: A, imei2: B })
  const taken = (what: string) => `Item #${id} already has this ${what}.`
  expect((await create({ imei: B.slice(0, 14) })).body.data.errors).toEqual({ imei: taken('IMEI') })
  expect((await create({ imei: C, imei2: A })).body.data.errors).toEqual({ imei2: taken('IMEI') })
  expect((await create({ imei: B, imei2: A })).body.data.errors).toEqual({
    imei: taken('IMEI'),
    imei2: taken('IMEI'),
  })
  expect((await edit(id, { imei: B, imei2: A })).status).toBe(200)
  const twice = await created({ imei: C, imei2: C })
  expect(await rows('select kind from stock_identifier where stock_id = $1', [twice])).toEqual([{ kind: 'i' }])
  expect((await edit(twice, { imei2: A })).body.data.errors).toEqual({ imei2: taken('IMEI') })
  const other = await created({ imei: newImei(), meid: 'A1000000000002' })
  expect((await create({ imei: newImei(), meid: 'a1000000000002' })).body.data.errors).toEqual({
    meid: `Item #${other} already has this MEID.`,
  })
  const eid = newEid()
  expect(
    [await create({ imei: newImei(), eid }), await create({ imei: newImei(), eid })].map((one) => one.status),
  ).toEqual([201, 201])
})

test('two requests at once with one phone in different slots make one item', async () => {
  const [A, B] = [newImei(), newImei()]
  const answers = await Promise.all([create({ imei: A, imei2: B }), create({ imei: newImei(), imei2: A })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422])
})

test('the list shows the grades that one asks for', async () => {
  const [A, B] = [await gradeCalled('A'), await gradeCalled('D')]
  const make = (grade_id: number | null) => created({ imei: newImei(), grade_id, status: 'In Stock' })
  const [first, second] = [await make(A), await make(B)]
  await make(null)
  expect(await found(`grade_id=${A}&status=In Stock`)).toEqual([first])
  expect(await found(`grade_id=${A},${B}`)).toEqual([second, first])
  expect((await staff.get('/api/stock/find?grade_id=x')).status).toBe(400)
})

const HEAD = 'imei,make,model,capacity,capacity_unit,purchase_price'
const PHONE = 'Apple,iPhone 13,128,GB,100'

test('files bring it, an unknown grade fails its row, and an export that comes back changes nothing', async () => {
  const [A, B, C, D] = [newImei(), newImei(), newImei(), newImei()]
  const { content } = await importCsv(t, staff, {
    csv: [
      `${HEAD},Grade,Functional,Battery Health,IMEI 2,MEID,EID,Location`,
      `${A},${PHONE},a+,MINOR_FAULTS,93 %,${B},a1000000000003,89049032000000000000000000000001,Box 7`,
      `${C},${PHONE},Grade A,,,,,,`,
      `${D},${PHONE},,,101,${B},,,`,
    ].join('\n'),
  })
  const [wrong, full, made] = content.data.details
  expect(wrong.message).toEqual({ grade: 'There is no grade called Grade A.' })
  expect(full.message).toEqual({
    battery_health: 'Must be a whole number from 0 to 100.',
    imei2: 'This IMEI 2 is already in this file, row 2.',
  })
  const id = made.id
  const said = { grade_name: 'A+', functional: 'minor faults', battery_health: 93, imei2: B, location: 'Box 7' }
  expect(await load(id)).toMatchObject({ ...said, meid: 'A1000000000003', eid: '89049032000000000000000000000001' })

  await t.db.pool.query(`update stock set attributes = '{"grade": "old words", "Location": "cellar"}' where id = $1`, [
    id,
  ])
  await t.db.pool.query(`insert into attribute_name values ('attribute', 'grade'), ('attribute', 'Location')`)
  const file = (await staff.get('/api/stock/export/csv')).raw
  const [header] = parse(file, { bom: true }) as string[][]
  expect(header!.slice(22)).toEqual([
    ...['purchase_fx_rate', 'grade', 'functional', 'battery_health', 'imei2', 'meid', 'eid', 'location'],
    ...['Location', 'grade'],
  ])
  const again = await importCsv(t, staff, { csv: file, update_existing: '1' })
  expect(new Set(again.content.data.details.map(({ type }: { type: string }) => type))).toEqual(new Set(['unchanged']))

  const update = async (...lines: string[]) =>
    (await importCsv(t, staff, { csv: lines.join('\n'), update_existing: '1' })).content.data.details[0]
  expect(await update('imei,imei2', `${B},${A}`)).toMatchObject({ type: 'unchanged', id })
  expect(await update('imei,grade', `${B},c`)).toMatchObject({ type: 'updated', id })
  expect(await load(id)).toMatchObject({ ...said, imei: A, grade_name: 'C', attributes: { grade: 'old words' } })
  await t.db.pool.query('delete from attribute_name')
  await t.db.pool.query(`update stock set attributes = '{}' where id = $1`, [id])
})

test('the shop’s product under a TAC is proposed, by the newest phones of it', async () => {
  const tac = '86543210'
  const imeis = Array.from({ length: 250 }, (_, n) => `${tac}${String(n).padStart(6, '0')}`)
  const other = (
    await rows(
      `insert into product (make_id, category_id, model, display_name) select make_id, category_id, 'Old', 'Apple Old' from product
       where id = $1 returning id`,
      [shop.product],
    )
  )[0].id
  const ask = async (imei: string) => (await staff.get(`/api/stock/proposed-product?imei=${imei}`)).body.data
  expect(await ask(imeis[0]!)).toBeNull()
  await stockItems(t.db, shop, 1, { imei: imeis[0]!, actual_product_id: other })
  await stockItems(t.db, shop, 1, { imei: imeis[1]!, status: 'Deleted', in_hand: false })
  const old = { tac, product_id: other, display_name: 'Apple Old' }
  expect(await ask(imeis[9]!)).toEqual({ ...old, times: 1, phones: 1 })
  await stockItems(t.db, shop, 1, { imei: imeis[2]! })
  const product = { tac, product_id: shop.product, display_name: 'Apple iPhone 13 128 GB' }
  expect(await ask(`${imeis[9]!.slice(0, 4)} ${imeis[9]!.slice(4)}`)).toEqual({ ...product, times: 1, phones: 2 })
  for (const imei of imeis.slice(3)) await stockItems(t.db, shop, 1, { imei })
  expect(await ask(tac)).toEqual({ ...product, times: 200, phones: 200 })
  expect(await proposedProducts(t.db.read, [tac, '12345678', tac])).toEqual(
    new Map([[tac, { ...product, times: 200, phones: 200 }]]),
  )
  for (const bad of ['', '1234567', 'x'.repeat(99), '12345678901234567'])
    expect((await staff.get(`/api/stock/proposed-product?imei=${bad}`)).status).toBe(400)
})

test('a sale keeps the grade that an item had, for its sheet and its invoice', async () => {
  const [B, C] = [await gradeCalled('B'), await gradeCalled('C')]
  const id = await created({ imei: newImei(), grade_id: B, status: 'In Stock' })
  const plain = await created({ imei: newImei(), status: 'In Stock' })
  const sale = await staff.post('/api/sale/create', {
    customer_id: shop.customer,
    stock_items: [id, plain].map((one) => ({ id: one, sales_price: 30_000 })),
    create_invoice: true,
    invoice_lang: 'en',
    send_email: false,
  })
  expect(sale.body.data.items.map((item: { grade: string }) => item.grade)).toEqual(['B', null])
  expect((await edit(id, { grade_id: C })).status).toBe(200)
  const again = (await staff.get(`/api/sale/find?id=${sale.body.data.id}`)).body.data[0]
  expect(again.items[0]).toMatchObject({ grade: 'B', stock: { grade_name: 'C' } })
  const [{ data }] = await rows(
    `select v.data from document_version v join document d on d.id = v.document_id where d.sale_id = $1`,
    [sale.body.data.id],
  )
  expect(data.lines.map((line: { grade?: string }) => line.grade)).toEqual(['B', undefined])
})
