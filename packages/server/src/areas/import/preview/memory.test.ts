import type { ImportPreview } from '@backstock/contract/import-preview.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Client, testApp } from '../../../testing/app.ts'
import { committed, previewed, replanned } from '../../../testing/preview-upload.ts'
import { newImei, openShop } from '../../../testing/shop.ts'

// Tests for whom the memory of previews holds, and how an entry is deleted.
let t: Awaited<ReturnType<typeof testApp>>
let anna: Client
let bert: Client
beforeAll(async () => {
  t = await testApp()
  await openShop(t.db)
})
afterAll(() => t.close())
beforeEach(async () => {
  await t.db.pool.query('delete from import_remembered')
  anna = await t.user()
  bert = await t.user()
})

const base = '/api/stock/import/preview'
const HEAD = 'imei,make,model,capacity,capacity_unit,purchase_price'
const file = (names: string, cells: string) => `${HEAD},${names}\n${newImei()},Apple,iPhone 13,128,GB,10,${cells}`
const supplierCalled = async (company_name: string): Promise<number> =>
  (await anna.post('/api/supplier/create', { company_name })).body.data.id
const column = ({ columns }: ImportPreview, name: string) => columns.find((one) => one.name === name)
const list = async (client: Client, query = ''): Promise<{ id: number; name: string }[]> =>
  (await client.get(`/api/import-memory/find?order=id_asc${query}`)).body.data
/** Imports a file. Before, the person chooses the fields of the columns after the usual six. */
async function taught(client: Client, form: Parameters<typeof previewed>[2], ...fields: (string | null)[]) {
  const { import_id } = await previewed(t, client, form)
  const mapping = fields.map((field, n) => ({ column: n + 6, field }))
  await replanned(t, client, import_id, { mapping })
  await committed(t, client, import_id)
}

test('a choice without a supplier holds for its person’s own files alone', async () => {
  await taught(anna, { csv: file('Cond', 'x') }, 'engineer_notes')
  const own = await previewed(t, anna, { csv: file('Cond', 'y') })
  const by = (await anna.get('/api/auth')).body.user?.name ?? expect.any(String)
  expect(column(own, 'Cond')).toMatchObject({ field: 'engineer_notes', how: 'remembered', last: { by } })
  const other = await previewed(t, bert, { csv: file('Cond', 'y') })
  expect(column(other, 'Cond')).toMatchObject({ field: 'further', how: 'none', last: null })
  const supplier_id = String(await supplierCalled('Nobody’s'))
  expect(column(await previewed(t, anna, { csv: file('Cond', 'y'), supplier_id }), 'Cond')).toMatchObject({
    how: 'none',
  })
  expect([await list(anna), await list(bert)]).toMatchObject([[{ name: 'Cond', supplier_id: null }], []])
})

test('a supplier’s files are read by what anybody said of them; a name comes first, what was said is shown', async () => {
  const supplier_id = String(await supplierCalled('Foxway'))
  await taught(anna, { csv: file('Cond,Sale price', 'x,20'), supplier_id }, 'engineer_notes', null)
  const next = await previewed(t, bert, { csv: file('Cond,Sale price', 'y,20'), supplier_id })
  const said = { by: expect.any(String), at: expect.any(String) }
  expect(column(next, 'Cond')).toMatchObject({ field: 'engineer_notes', how: 'remembered', last: said })
  // Somebody left the column out, perhaps by mistake. The preview shows that, and a person decides.
  expect(column(next, 'Sale price')).toMatchObject({
    field: 'sales_price',
    how: 'alias',
    last: { field: null, ...said },
  })
  // A column with the exact name of a field cannot become a further column.
  const wrong = taught(anna, { csv: file('sales_price', '7'), supplier_id }, 'further')
  await expect(wrong).rejects.toThrow('A further column cannot have this name.')
})

test('names and what a file lacks are remembered for a supplier, with who said so, until it is forgotten', async () => {
  const id = await supplierCalled('Namer')
  const supplier_id = String(id)
  const csv = () => `imei,make,model,capacity,capacity_unit,purchase_price\n${newImei()},Aple,iPhone 13,128,GB,1`
  const first = await previewed(t, anna, { csv: csv(), supplier_id })
  const values = [{ field: 'make', seen: 'Aple', means: 'Apple' }]
  await replanned(t, anna, first.import_id, { values, defaults: { purchase_vat: 'Intra-Community' } })
  await committed(t, anna, first.import_id)
  const second = await previewed(t, bert, { csv: csv(), supplier_id })
  const by = expect.any(String)
  expect(second).toMatchObject({
    meanings: [{ field: 'make', seen: 'aple', means: 'Apple', remembered: { by } }],
    remembered_defaults: { purchase_vat: { by } },
  })
  // A value that a person says now is not what somebody said before.
  const said = await replanned(t, bert, second.import_id, { defaults: { purchase_vat: 'Margin scheme' } })
  expect([said.defaults.purchase_vat, said.remembered_defaults]).toEqual(['Margin scheme', {}])
  const entries = await list(bert, `&supplier_id=${id}`)
  expect(entries).toMatchObject([
    { kind: 'default', field: 'purchase_vat', name: '', means: 'Intra-Community' },
    { kind: 'value', field: 'make', name: 'Aple', means: 'Apple', supplier_name: 'Namer', said_by_name: by },
  ])
  expect(await list(bert, '&search=aple')).toHaveLength(1)
  for (const entry of entries) expect((await bert.delete(`/api/import-memory/${entry.id}/delete`)).status).toBe(200)
  expect(await previewed(t, anna, { csv: csv(), supplier_id })).toMatchObject({ meanings: [], remembered_defaults: {} })
})

test('an import counts as the last use of the entries alone that its file uses', async () => {
  const supplier_id = String(await supplierCalled('Seldom'))
  const csv = (make: string) =>
    `imei,make,model,capacity,capacity_unit,purchase_price\n${newImei()},${make},iPhone 13,128,GB,1`
  const first = await previewed(t, anna, { csv: csv('Aple'), supplier_id })
  await replanned(t, anna, first.import_id, { values: [{ field: 'make', seen: 'Aple', means: 'Apple' }] })
  await committed(t, anna, first.import_id)
  await t.db.pool.query(`update import_remembered set used_at = '2001-02-03T12:00:00Z'`)
  const isUsed = async (make: string) => {
    await committed(t, bert, (await previewed(t, bert, { csv: csv(make), supplier_id })).import_id)
    const { rows } = await t.db.pool.query(`select used_at > '2001-02-04' as used from import_remembered`)
    return rows.map(({ used }) => used)
  }
  expect([await isUsed('Apple'), await isUsed('Aple')]).toEqual([[false], [true]])
})

test('nobody forgets or sees another’s own entries; they go with the person', async () => {
  await taught(anna, { csv: file('Cond', 'x') }, 'engineer_notes')
  const [{ id } = { id: 0 }] = await list(anna)
  expect((await bert.delete(`/api/import-memory/${id}/delete`)).status).toBe(404)
  expect((await bert.get(`/api/import-memory/find?id=${id}`)).body.data).toEqual([])
  const admin = await t.user('ROLE_ADMIN')
  expect((await admin.delete(`/api/user/${anna.id}/delete`)).status).toBe(200)
  expect((await t.db.pool.query('select from import_remembered')).rows).toEqual([])
})

test('a change of the supplier, or of the encoding, reads by the memory of the other', async () => {
  const supplier_id = await supplierCalled('Later')
  await taught(anna, { csv: file('Cond', 'x'), supplier_id: String(supplier_id) }, 'engineer_notes')
  const open = await previewed(t, bert, { csv: file('Cond', 'y') })
  expect(column(await replanned(t, bert, open.import_id, { supplier_id }), 'Cond')).toMatchObject({ how: 'remembered' })
  const back = await replanned(t, bert, open.import_id, { supplier_id: null })
  expect(column(back, 'Cond')).toMatchObject({ how: 'none', last: null })
  expect((await bert.delete(`${base}/${open.import_id}`)).status).toBe(200)
})

test('a name that a person has chosen stays if the supplier whose memory has another for it is set', async () => {
  const supplier_id = await supplierCalled('Spelling')
  const csv = file('Cond', 'x').replace('Apple', 'Aple')
  const open = await previewed(t, anna, { csv, supplier_id: String(supplier_id) })
  await replanned(t, anna, open.import_id, { values: [{ field: 'make', seen: 'Aple', means: 'Maple' }] })
  await committed(t, anna, open.import_id)
  const { import_id } = await previewed(t, bert, { csv: csv.replace(/\d{15}/, newImei()) })
  const chosen = { field: 'make', seen: 'Aple', means: 'Apple' }
  const defaults = { category: 'Phone', supplier: 'Typed' }
  await replanned(t, bert, import_id, { values: [chosen], defaults })
  const set = await replanned(t, bert, import_id, { supplier_id })
  expect(set).toMatchObject({ meanings: [expect.objectContaining(chosen)], defaults })
})

test('columns without names are remembered for a supplier alone', async () => {
  const supplier_id = String(await supplierCalled('Nameless'))
  const fields = ['imei', 'make', 'model', 'capacity', 'capacity_unit', 'purchase_price', 'engineer_notes']
  const next = async (form: Record<string, string>) => {
    const file = () => ({ csv: `${newImei()},Apple,iPhone 13,128,GB,10,x`, header_row: 'none', ...form })
    const { import_id } = await previewed(t, anna, file())
    await replanned(t, anna, import_id, { mapping: fields.map((field, column) => ({ column, field })) })
    await committed(t, anna, import_id)
    const { columns }: ImportPreview = await previewed(t, anna, file())
    return columns.map(({ how }) => how).filter((how) => how === 'remembered')
  }
  expect(await next({ supplier_id })).toHaveLength(fields.length)
  expect(await next({})).toEqual([])
})

test('a name keeps the capitals in which a person has seen it, and the person who said its meaning', async () => {
  const id = await supplierCalled('Capitals')
  const bring = async (client: Client, make: string, changes: object) => {
    const csv = `${HEAD}\n${newImei()},${make},iPhone 13,128,GB,10`
    const { import_id } = await previewed(t, client, { csv, supplier_id: String(id) })
    await replanned(t, client, import_id, changes)
    await committed(t, client, import_id)
    return (await anna.get(`/api/import-memory/find?supplier_id=${id}`)).body.data[0]
  }
  const values = (seen: string, means: string) => ({ values: [{ field: 'make', seen, means }] })
  const first = await bring(anna, 'APLE', values('APLE', 'Apple'))
  expect(first).toMatchObject({ name: 'APLE', means: 'Apple' })
  expect(await bring(bert, 'aple', {})).toMatchObject({ name: 'APLE', said_by_name: first.said_by_name })
  const last = await bring(bert, 'aple', values('Aple', 'Apel'))
  expect(last).toMatchObject({ name: 'Aple', means: 'Apel' })
  expect(last.said_by_name).not.toBe(first.said_by_name)
})

test('a product that a name means is shown by its name, and by its number once it is gone', async () => {
  const id = await supplierCalled('Products')
  const { rows } = await t.db.pool.query(`
    insert into product (make_id, category_id, model, display_name)
    select make_id, category_id, 'Gone', 'Apple Gone' from product limit 1 returning id`)
  const product = rows[0].id
  const csv = `${HEAD}\n${newImei()},Apple,Going,128,GB,10`
  const { import_id } = await previewed(t, anna, { csv, supplier_id: String(id) })
  const values = [{ field: 'product', seen: 'Apple Going 128 GB', means: String(product) }]
  await replanned(t, anna, import_id, { values })
  await committed(t, anna, import_id)
  const means = async () => (await anna.get(`/api/import-memory/find?supplier_id=${id}`)).body.data[0].means
  expect(await means()).toBe('Apple Gone')
  await t.db.pool.query('delete from stock where actual_product_id = $1', [product])
  await t.db.pool.query('delete from product where id = $1', [product])
  expect(await means()).toBe(`#${product}`)
})
