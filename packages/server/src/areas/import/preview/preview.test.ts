import type { ImportPreview, PreviewRow } from '@backstock/contract/import-preview.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../../testing/app.ts'
import { untilDecided } from '../../../testing/ask-again.ts'
import { applyImport, applyUndo, importCsv, uploadCsv } from '../../../testing/csv-upload.ts'
import {
  committed,
  cutPreview,
  planPreview,
  previewed,
  replanned,
  uploadPreview,
} from '../../../testing/preview-upload.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../../testing/shop.ts'

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
const stockCount = async () => (await rows('select count(*)::int as n from stock'))[0].n
const rowsOf = async (id: number, query = ''): Promise<PreviewRow[]> =>
  (await user.get(`${base}/${id}/rows?per_page=100${query}`)).body.data
const targets = ({ columns }: ImportPreview) =>
  Object.fromEntries(columns.map(({ name, field, how }) => [name, [field, how]]))
const imeis = (n: number) => Array.from({ length: n }, newImei)

/** A German supplier's file: it has a title, other names of columns, and German prices and dates. */
const german = (numbers: readonly string[]) =>
  [
    'Foxway AB - Liste 47;;;;;',
    'Hersteller;Modell;IMEI-Nr;EK Preis;Kaufdatum;Lagerort',
    ...numbers.map((imei, n) => `Apple;iPhone 13 128GB;${imei};1.2${n}9,90;18.11.2026;A${n}`),
  ].join('\r\n')

test('a supplier’s file: recognised, planned, written as planned', async () => {
  const numbers = imeis(3)
  const before = await stockCount()
  const supplier = (await user.post('/api/supplier/create', { company_name: 'Foxway' })).body.data.id
  const preview = await previewed(t, user, { csv: german(numbers), supplier_id: String(supplier) })
  expect(preview).toMatchObject({
    ...{ file_name: 'stock.csv', format: 'csv', state: 'previewed', error: null, progress: 100, total_rows: 3 },
    ...{ delimiter: ';', encoding: 'utf-8', decimal: ',', header_row: 2, update_existing: false },
    supplier: { id: supplier, name: 'Foxway' },
    defaults: { supplier: 'Foxway' },
    counts: { new: 3, updated: 0, unchanged: 0, failed: 0 },
    reasons: [],
    unknown: [],
  })
  expect(targets(preview)).toEqual({
    Hersteller: ['make', 'alias'],
    Modell: ['model', 'alias'],
    'IMEI-Nr': ['imei', 'alias'],
    'EK Preis': ['purchase_price', 'alias'],
    Kaufdatum: ['purchase_date', 'alias'],
    Lagerort: [expect.anything(), expect.anything()],
  })
  expect(await rowsOf(preview.import_id)).toMatchObject(
    numbers.map((imei, n) => ({
      row: n + 3,
      kind: 'new',
      id: null,
      product: 'Apple iPhone 13 128 GB',
      cells: ['Apple', 'iPhone 13 128GB', imei, `1.2${n}9,90`, '18.11.2026', `A${n}`],
    })),
  )
  expect(await stockCount()).toBe(before)

  const { content } = await committed(t, user, preview.import_id)
  expect(content.data).toMatchObject({ processed_rows: 3, successed_rows: 3, failed_rows: 0 })
  const made = await rows('select * from stock where imei = any($1) order by id', [numbers])
  expect(made).toMatchObject(
    numbers.map((imei, n) => ({
      ...{
        imei,
        purchase_price: 100_000 + 20_000 + n * 1000 + 990,
        purchase_date: '2026-11-18',
        supplier_id: supplier,
      },
      actual_product_id: shop.product,
    })),
  )
  expect((await user.get(base)).body.data).toBeNull()
})

test('a row shows its changes as the log will have them, and a failed row its reason', async () => {
  const attributes = JSON.stringify({ Box: 'old', Case: 'red' })
  const [a, b] = await stockItems(t.db, shop, 2, { sales_price: 11_000, attributes })
  const [first, second] = await rows('select imei from stock where id = any($1) order by id', [[a, b]])
  const csv = [
    'imei,make,model,capacity,capacity_unit,purchase_price,sales_price,supplier,Box',
    `${first.imei},,,,,,120.00,,new`,
    `${second.imei},,,,,,110.00,,old`,
    `${newImei()},Apple,iPhone 13,128,GB,99,,Nobody,`,
    `${newImei()},Apple,iPhone 13,128,GB,99,,nobody,`,
    `${newImei()},Zeta,Near,,,99,,,`,
  ].join('\n')
  const preview = await previewed(t, user, { csv, update_existing: 'true' })
  expect(preview).toMatchObject({
    counts: { new: 0, updated: 1, unchanged: 1, failed: 3 },
    reasons: [
      { field: 'supplier', message: 'There is no supplier called Nobody.', rows: 1, first_row: 4 },
      { field: 'supplier', message: 'There is no supplier called nobody.', rows: 1, first_row: 5 },
      { field: 'category', message: 'A new product needs a category.', rows: 1, first_row: 6, asks: 'category' },
    ],
  })
  expect(preview.unknown).toMatchObject([
    { field: 'make', seen: 'Zeta', rows: 1, is_made: false },
    { field: 'supplier', seen: 'Nobody', rows: 2, is_made: false },
    { field: 'product', seen: 'Zeta Near', rows: 1, is_made: false },
  ])
  const id = preview.import_id
  expect(await rowsOf(id, '&kind=updated,unchanged')).toMatchObject([
    {
      ...{ row: 2, kind: 'updated', id: a },
      changes: [
        { attributeName: 'sales_price', from: 11_000, to: 12_000 },
        { attributeName: 'attributes', from: '{"Box":"old"}', to: '{"Box":"new"}' },
      ],
    },
    { row: 3, kind: 'unchanged', id: b, changes: [], errors: {} },
  ])
  const last = (await user.get(`${base}/${id}/rows?kind=failed&per_page=2&page=2`)).body
  expect(last).toMatchObject({ total: 3, data: [{ row: 6, errors: { category: 'A new product needs a category.' } }] })
  const backwards = (await user.get(`${base}/${id}/rows?kind=failed&per_page=2&order=id_desc`)).body
  expect(backwards).toMatchObject({ total: 3, data: [{ row: 6 }, { row: 5 }] })

  const supplier = (await user.post('/api/supplier/create', { company_name: 'Somebody' })).body.data.id
  const mended = await replanned(t, user, id, {
    values: [{ field: 'supplier', seen: 'Nobody', means: 'Somebody' }],
    cells: [
      { row: 6, column: 1, value: 'Apple' },
      { row: 6, column: 2, value: 'iPhone 13 128GB' },
    ],
  })
  expect(mended).toMatchObject({
    counts: { new: 3, updated: 1, unchanged: 1, failed: 0 },
    meanings: [{ field: 'supplier', seen: 'Nobody', means: 'Somebody' }],
    unknown: [],
  })
  const { content } = await committed(t, user, id)
  expect(content.data).toMatchObject({ successed_rows: 5, failed_rows: 0 })
  expect(await rows('select count(*)::int as n from stock where supplier_id = $1', [supplier])).toEqual([{ n: 2 }])
})

test('each page of a preview has its rows, also behind the first part of a long file', async () => {
  const numbers = imeis(9)
  // Two rows at the end fail.
  const lines = numbers.map((imei, n) => `Apple,iPhone 13,128,GB,Phone,${imei},${n < 7 ? 100 : 'x'}`)
  const csv = ['make,model,capacity,capacity_unit,category,imei,purchase_price', ...lines].join('\n')
  const { import_id: id } = await previewed(t, user, { csv })
  await cutPreview(t, id, 2)
  await replanned(t, user, id, {})
  const pages = async (query: string) => {
    const each = [1, 2, 3].map(async (page) => {
      const { body } = await user.get(`${base}/${id}/rows?per_page=4&page=${page}&${query}`)
      return body.data.map(({ row }: PreviewRow) => row)
    })
    return Promise.all(each)
  }
  expect(await pages('')).toEqual([[2, 3, 4, 5], [6, 7, 8, 9], [10]])
  expect(await pages('order_by=id_desc')).toEqual([[10, 9, 8, 7], [6, 5, 4, 3], [2]])
  expect(await pages('kind=failed')).toEqual([[9, 10], [], []])
  // The progress while only some parts are planned, and while all are, but the plan has not ended.
  const progressWith = async (planned: number) => {
    await rows(`update import set state = 'previewing' where id = $1`, [id])
    await rows('update import_part set plan = null where import_id = $1 and part >= $2', [id, planned])
    return (await user.get(`${base}/${id}`)).body.data.progress
  }
  expect([await progressWith(5), await progressWith(2)]).toEqual([99, 40])
})

test('rows whose items changed since the preview are not written, and say so; all others are', async () => {
  const ids = await stockItems(t.db, shop, 3, { sales_price: 11_000 })
  const items = await rows('select id, imei from stock where id = any($1) order by id', [ids])
  const [taken, free] = imeis(2)
  const csv = [
    'imei,make,model,capacity,capacity_unit,purchase_price,sales_price',
    ...items.map(({ imei }) => `${imei},,,,,,150.00`),
    ...[taken, free].map((imei) => `${imei},Apple,iPhone 13,128,GB,99,`),
    `${newImei()},Apple,iPhone 13,128,GB,none,`,
  ].join('\n')
  const { import_id: id } = await previewed(t, user, { csv, update_existing: '1' })
  await rows('update stock set sales_price = 12000 where id = $1', [ids[0]])
  await rows(`update stock set engineer_notes = 'x' where id = $1`, [ids[1]])
  await rows('update stock set imei = null, serial_number = $2 where id = $1', [ids[2], 'MOVED'])
  const [holder] = await stockItems(t.db, shop, 1, { imei: taken! })
  const { content } = await committed(t, user, id)
  const failed = content.data.details.filter(({ success }: { success: boolean }) => !success)
  expect(failed).toMatchObject([
    { row: 2, message: { row: 'Changed since the preview: sales price is 120.00, it was 110.00. Not imported.' } },
    { row: 4, message: { row: expect.stringContaining('Changed since the preview:') } },
    {
      row: 5,
      message: {
        row: `Changed since the preview: item #${holder} has been added since, and this row was new. Not imported.`,
      },
    },
    { row: 7, message: { purchase_price: expect.anything() } },
  ])
  expect(await rows('select sales_price from stock where id = any($1) order by id', [ids])).toEqual([
    { sales_price: 12_000 },
    { sales_price: 15_000 },
    { sales_price: 11_000 },
  ])
  expect(await rows('select count(*)::int as n from stock where imei = $1', [free])).toEqual([{ n: 1 }])
})

test('a row that now means another item, or says another thing of its item, is not written', async () => {
  const [same, spelt] = await Promise.all(
    ['Same Ltd', 'Spelt Ltd'].map(
      async (company_name): Promise<number> => (await user.post('/api/supplier/create', { company_name })).body.data.id,
    ),
  )
  const ids = [...(await stockItems(t.db, shop, 2, { supplier_id: same! })), ...(await stockItems(t.db, shop, 2))]
  const items = await rows('select imei from stock where id = any($1) order by id', [ids])
  const [moved, unchanged, respelt] = items.map(({ imei }) => imei)
  const csv = ['imei,supplier,sales_price', `${moved},,150`, `${unchanged},Same Ltd,`, `${respelt},spelt ltd,`].join(
    '\n',
  )
  const { import_id: id, counts } = await previewed(t, user, { csv, update_existing: '1' })
  expect(counts).toMatchObject({ updated: 2, unchanged: 1, failed: 0 })
  await rows('update stock set imei = null, serial_number = $2 where id = $1', [ids[0], 'MOVED-2'])
  await rows('update stock set imei = $2 where id = $1', [ids[3], moved])
  await rows(`update supplier set company_name = 'Another Ltd' where id = $1`, [same])
  await rows(`update supplier set company_name = 'SPELT Ltd' where id = $1`, [spelt])
  const { content } = await committed(t, user, id)
  const since = (how: string) => `Changed since the preview: ${how}. Not imported.`
  expect(content.data.details.map(({ message }: { message: object }) => message)).toEqual([
    { row: since(`this row no longer means item #${ids[0]}`) },
    { row: since('this row was to be left unchanged'), supplier: expect.stringContaining('Same Ltd') },
    { row: since('supplier would become SPELT Ltd, and not Spelt Ltd') },
  ])
})

test('a row that is not written says what its item is now and was, in the words and the form of each column', async () => {
  const ids = await stockItems(t.db, shop, 7, { sales_price: 11_000 })
  for (const [n, id] of ids.entries())
    await rows('update stock set backstock_id = $2 where id = $1', [id, `WORDS-${n}`])
  const [product] = await rows('select make_id, category_id from product where id = $1', [shop.product])
  const of128 = { ...product, capacity: 128, capacity_unit: 'GB' }
  const other = (await user.post('/api/product/create', { ...of128, model: 'iPhone 66' })).body.data.id
  const [before, given, since] = imeis(3)
  await rows('update stock set imei = $2 where id = $1', [ids[0], before])
  const csv = [
    'backstock_id,imei,make,model,location,sales_price,battery_health',
    `WORDS-0,${given},,,,,`,
    'WORDS-1,,Apple,iPhone 66,,,',
    'WORDS-2,,,,Shelf,,',
    'WORDS-3,,,,,110.00,',
    'WORDS-4,,,,,150.00,',
    'WORDS-5,,,,,,90',
    'WORDS-6,,Apple,iPhone 66,,,',
  ].join('\n')
  const { import_id: id, counts } = await previewed(t, user, { csv, update_existing: '1' })
  expect(counts).toMatchObject({ updated: 6, unchanged: 1, failed: 0 })
  const third = (await user.post('/api/product/create', { ...of128, model: 'iPhone 67' })).body.data.id
  await rows('update stock set imei = $2 where id = $1', [ids[0], since])
  await rows('update stock set actual_product_id = $2 where id = $1', [ids[1], third])
  await rows(`update stock set location = 'Box' where id = $1`, [ids[2]])
  await rows('update stock set sales_price = null where id = $1', [ids[3]])
  await rows('update stock set sales_price = 15000 where id = $1', [ids[4]])
  await rows('update stock set battery_health = 80 where id = $1', [ids[5]])
  await rows('update stock set actual_product_id = $2 where id = $1', [ids[6], other])
  const { content } = await committed(t, user, id)
  expect(content.data.details.map(({ message }: { message: object }) => message)).toEqual(
    [
      `IMEI is ${since}, it was ${before}`,
      'product is Apple iPhone 67 128 GB, it was Apple iPhone 13 128 GB',
      'location is Box, it was empty',
      'sales price is empty, it was 110.00',
      'sales price is 150.00, it was 110.00',
      'battery health is 80, it was empty',
      'product is Apple iPhone 66 128 GB, it was Apple iPhone 13 128 GB',
    ].map((how) => ({ row: `Changed since the preview: ${how}. Not imported.` })),
  )
})

test('a deleted item leaves its open batch, and stays in a locked one: the preview says so, and writes it', async () => {
  const [open, locked] = [await batchOf(t.db, shop, user.id, 1), await batchOf(t.db, shop, user.id, 1, true)]
  const ids = [...open.items, ...locked.items]
  const items = await rows('select imei from stock where id = any($1) order by id', [ids])
  const csv = ['imei,status', ...items.map(({ imei }) => `${imei},Deleted`)].join('\n')
  const { import_id: id } = await previewed(t, user, { csv, update_existing: '1' })
  const status = { attributeName: 'status', from: 'In Batch', to: 'Deleted' }
  expect((await rowsOf(id)).map(({ changes }) => changes)).toEqual([
    [status, { attributeName: 'batch', from: expect.anything(), to: null }],
    [status],
  ])
  expect((await committed(t, user, id)).content.data).toMatchObject({ successed_rows: 2, failed_rows: 0 })
  expect(await rows('select status, batch_id from stock where id = any($1) order by id', [ids])).toEqual([
    { status: 'Deleted', batch_id: null },
    { status: 'Deleted', batch_id: locked.id },
  ])
})

test('a column of an export that has grading data brings grading data, and no further column of that name', async () => {
  const imei = newImei()
  const csv = `imei,make,model,category,purchase_price,grading_screen,Screen\n${imei},Apple,iPhone 13,Phone,1,A,bright`
  const { import_id: id, columns } = await previewed(t, user, { csv })
  expect(columns.slice(-2)).toMatchObject([{ name: 'grading_screen', field: 'further' }, { field: 'further' }])
  await committed(t, user, id)
  expect(await rows('select grading_data, attributes from stock where imei = $1', [imei])).toEqual([
    { grading_data: { screen: 'A' }, attributes: { Screen: 'bright' } },
  ])
})

test('a new item that would be another than the one shown is not written', async () => {
  const suppliers: number[] = []
  for (const company_name of ['Renamed', 'Retreated', 'Settled'])
    suppliers.push((await user.post('/api/supplier/create', { company_name })).body.data.id)
  const [renamed, retreated, settled] = suppliers
  const numbers = imeis(3)
  const csv = [
    'imei,category,make,model,purchase_price,supplier',
    `${numbers[0]},Phone,Apple,iPhone 77,99,Renamed`,
    `${numbers[1]},Phone,Apple,iPhone 77,99,Retreated`,
    `${numbers[2]},Phone,Apple,iPhone 77,99,Settled`,
  ].join('\n')
  const preview = await previewed(t, user, { csv })
  expect(preview).toMatchObject({ counts: { new: 3, failed: 0 } })

  await rows(`update supplier set company_name = 'Renamed before' where id = $1`, [renamed])
  expect((await user.post('/api/supplier/create', { company_name: 'Renamed' })).status).toBe(201)
  await rows(`update supplier set default_purchase_treatment = 'margin' where id = $1`, [retreated])
  // The plan still holds: neither a supplier's telephone number nor the case of a product's name changes an item.
  await rows(`update supplier set phone_number = '1' where id = $1`, [settled])
  const [ids] = await rows('select make_id, category_id from product where id = $1', [shop.product])
  expect((await user.post('/api/product/create', { ...ids, model: 'iPHONE 77' })).status).toBe(201)

  const { content } = await committed(t, user, preview.import_id)
  const another = 'Changed since the preview: the new item would differ from the one shown. Not imported.'
  expect(content.data).toMatchObject({
    ...{ successed_rows: 1, failed_rows: 2 },
    details: [
      { row: 2, success: false, message: { row: another } },
      { row: 3, success: false, message: { row: another } },
      { row: 4, success: true },
    ],
  })
  expect(await rows('select imei, supplier_id from stock where imei = any($1)', [numbers])).toEqual([
    { imei: numbers[2], supplier_id: settled },
  ])
})

test('a preview is its maker’s alone, shows nowhere else, and a new file takes its place', async () => {
  const other = await t.user()
  const csv = `imei,make,model,capacity,capacity_unit,purchase_price\n${newImei()},Apple,iPhone 13,128,GB,x`
  const { import_id: id } = await previewed(t, user, { csv })
  for (const answer of [
    await other.get(`${base}/${id}`),
    await other.get(`${base}/${id}/rows`),
    await other.patch(`${base}/${id}`, {}),
    await other.post(`${base}/${id}/commit`),
    await other.delete(`${base}/${id}`),
    await user.get(`/api/stock/import/history/${id}/details`),
    await user.get(`/api/stock/import/history/${id}/csv`),
  ])
    expect(answer.status).toBe(404)
  expect((await other.get(base)).body).toEqual({ success: true, data: null })
  expect((await user.get('/api/stock/import/csv/status')).body.data.import_id).not.toBe(id)
  expect((await user.get(`/api/stock/import/history?id=${id}`)).body.total).toBe(0)
  expect((await user.get('/api/dashboard')).body.data.imports.map((one: { id: number }) => one.id)).not.toContain(id)
  expect(await rows('select * from import_error where import_id = $1', [id])).toEqual([])

  const next = await uploadPreview(user, { csv })
  expect((await user.get(`${base}/${id}`)).status).toBe(404)
  const open = (await user.get(base)).body.data
  expect(open).toMatchObject({ import_id: next.body.data.import_id, state: 'previewing', progress: 0 })
  expect((await user.post(`${base}/${open.import_id}/commit`)).body.message).toBe('The preview is not ready yet.')
  await planPreview(t, open.import_id)
  const key = { 'idempotency-key': 'once' }
  const started = await user.post(`${base}/${open.import_id}/commit`, {}, key)
  expect((await user.post(`${base}/${open.import_id}/commit`, {}, key)).body).toEqual(started.body)
  expect((await user.post(`${base}/${open.import_id}/commit`)).status).toBe(409)
  expect((await user.get('/api/stock/import/csv/status')).body.data).toMatchObject({
    import_id: open.import_id,
    state: 'waiting',
  })
  await applyImport(t, open.import_id)
  expect(await rows('select count(*)::int as n from import_error where import_id = $1', [open.import_id])).toEqual([
    { n: 1 },
  ])
})

test('an import starts only by the plan that its person has seen; who names none starts the latest', async () => {
  const csv = `imei,make,model,capacity,capacity_unit,purchase_price\n${newImei()},Apple,iPhone 13,128,GB,9`
  const seen: ImportPreview = await previewed(t, user, { csv })
  const { import_id: id, plan_no } = seen
  const url = `${base}/${id}/commit`
  const key = { 'idempotency-key': `plan-${id}` }
  // Another window changes the preview, and its plan is ready before this one imports.
  const latest: ImportPreview = await replanned(t, user, id, { cells: [{ row: 2, column: 0, value: 'none' }] })
  expect([seen.counts, latest.counts]).toMatchObject([{ new: 1 }, { failed: 1 }])
  expect(latest.plan_no).toBeGreaterThan(plan_no)
  const refused = await user.post(url, { plan_no }, key)
  const told = 'This preview has changed meanwhile, perhaps in another window. Check it again, then press Import.'
  expect([refused.status, refused.body.message]).toEqual([409, told])
  expect((await user.get(`${base}/${id}`)).body.data).toEqual({ ...latest, expires_at: expect.any(String) })
  expect((await user.post(url, { plan_no: 'one' })).body.data.errors).toEqual({
    plan_no: 'Must be the number of a plan.',
  })
  const started = await user.post(url, { plan_no: latest.plan_no }, key)
  expect(started.status).toBe(202)
  // A server of an earlier release has the request without its number.
  expect((await user.send({ method: 'POST', url, headers: key })).body).toEqual(started.body)
  await applyImport(t, id)

  const { import_id: next } = await previewed(t, user, { csv })
  expect((await user.send({ method: 'POST', url: `${base}/${next}/commit` })).status).toBe(202)
  await applyImport(t, next)
})

test('files that one person sends at the same moment: one of them is the preview, none is a fault', async () => {
  const person = await t.user()
  const csv = `imei,make,model,capacity,capacity_unit,purchase_price\n${newImei()},Apple,iPhone 13,128,GB,9`
  const answers = await Promise.all(Array.from({ length: 4 }, () => untilDecided(() => uploadPreview(person, { csv }))))
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202])
  const open = (await person.get(base)).body.data
  expect(answers.map(({ body }) => body.data.import_id)).toContain(open.import_id)
})

test('an import that was planned is no work for a version that knows no plans', async () => {
  const csv = `Artikel,IMEI-Nr,EK Preis\nApple,${newImei()},9`
  const { import_id: id } = await previewed(t, user, { csv })
  await user.post(`${base}/${id}/commit`)
  const names = await rows(
    `select t.identifier from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     where (j.payload ->> 'import_id')::int = $1 and t.identifier like 'import_apply%'`,
    [id],
  )
  expect(names).toEqual([{ identifier: 'import_apply_planned' }])
  await applyImport(t, id)
})

test('a plan says what has changed stock or its items since, and holds again once it is made anew', async () => {
  const [imei] = imeis(1)
  const file = (price: number) => `imei,make,model,category,purchase_price\n${imei},Apple,iPhone 13,Phone,${price}\n`
  const first = await importCsv(t, user, { csv: file(200), name: 'first.csv' })
  const { import_id: id, stale, counts } = await previewed(t, user, { csv: file(210) })
  expect([stale, counts.failed]).toEqual([null, 1])
  const staleNow = async () => (await user.get(`${base}/${id}`)).body.data.stale
  const undo = { by: 'undo', import_id: first.id, file_name: 'first.csv' }
  await user.post(`/api/stock/import/history/${first.id}/undo`)
  expect(await staleNow()).toEqual({ ...undo, is_over: false })
  await applyUndo(t, first.id)
  expect(await staleNow()).toEqual({ ...undo, is_over: true })
  expect(await replanned(t, user, id, {})).toMatchObject({ stale: null, counts: { new: 1, failed: 0 } })
  const other = await t.user()
  // An import that brings nothing changes nothing, and a push is told by its items alone.
  await importCsv(t, other, { csv: 'imei,make\nbad,Apple' })
  const pushes = await rows(`insert into import (type, state, ended_at, succeeded)
    values ('api_import', 'waiting', null, 0), ('api_import', 'done', now() + interval '1 hour', 1) returning id`)
  expect(await staleNow()).toBeNull()
  await rows('delete from import where id = any($1)', [pushes.map(({ id }) => id)])
  // One that is under way comes before one that is over.
  const third = await uploadCsv(await t.user(), { csv: file(230), name: 'third.csv' })
  const second = await importCsv(t, other, { csv: file(220), name: 'second.csv' })
  const { import_id } = third.body.data
  expect(await staleNow()).toEqual({ by: 'import', import_id, file_name: 'third.csv', is_over: false })
  await applyImport(t, import_id)
  expect(await staleNow()).toEqual({ by: 'import', import_id: second.id, file_name: 'second.csv', is_over: true })

  // Other changes of items make a plan stale, too: an edit, a sale, and a new item that a person makes.
  const head = 'imei,make,model,category,purchase_price\n'
  const numbers = imeis(3)
  const old = await importCsv(t, user, { csv: `${head}${numbers[0]},Apple,iPhone 13,Phone,1\n` })
  const [{ id: item }] = (await user.get(`/api/stock/import/history/${old.id}/details`)).body.data
  const list = `${head}${numbers.map((one) => `${one},Apple,iPhone 13,Phone,2`).join('\n')}\n`
  const plan = await previewed(t, user, { csv: list, update_existing: 'true' })
  const changed = async () => (await user.get(`${base}/${plan.import_id}`)).body.data.stale
  const [stranger, sold] = await stockItems(t.db, shop, 2)
  await user.patch(`/api/stock/${stranger}/edit`, { location: 'A1' })
  expect(await changed()).toBeNull()
  const items = (n: number) => ({ by: 'items', import_id: null, file_name: null, is_over: true, items: n })
  await user.patch(`/api/stock/${item}/edit`, { location: 'A1' })
  expect(await changed()).toEqual(items(1))
  const made = { actual_product_id: shop.product, purchase_price: 1, imei: numbers[1] }
  await user.post('/api/stock/create', made)
  expect(await changed()).toEqual(items(2))
  expect(await replanned(t, user, plan.import_id, {})).toMatchObject({ stale: null, counts: { new: 1, updated: 2 } })
  const [{ imei: inTheWay }] = await rows('select imei from stock where id = $1', [sold])
  const held = await previewed(t, user, { csv: `${head}${inTheWay},Apple,iPhone 13,Phone,2\n` })
  expect(held.counts.failed).toBe(1)
  const stock_items = [{ id: sold, sales_price: 30_000 }]
  await user.post('/api/sale/create', { customer_id: shop.customer, stock_items, send_email: false })
  const { stale: after } = (await user.get(`${base}/${held.import_id}`)).body.data
  expect(after).toEqual(items(1))
  // A plan that makes one item is wrong once its IMEI has come in another way.
  const [late] = imeis(1)
  const [gone] = await stockItems(t.db, shop, 1, { imei: late!, status: 'Deleted', in_hand: false })
  const one = await previewed(t, user, { csv: `${head}${late},Apple,iPhone 13,Phone,2\n` })
  const oneNow = async () => (await user.get(`${base}/${one.import_id}`)).body.data.stale
  // An item that has left does not stand in the way, whatever becomes of it.
  expect((await user.patch(`/api/stock/${gone}/edit`, { location: 'A1' })).status).toBe(200)
  expect(await oneNow()).toBeNull()
  await user.post('/api/stock/create', { ...made, imei: late })
  expect(await oneNow()).toEqual(items(1))
})
