import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'
import { applyImport, importCsv } from '../testing/csv-upload.ts'
import { makePartner, type PartnerClient } from '../testing/partner.ts'
import { newImei, openShop, type Shop, stockItems } from '../testing/shop.ts'
import { columnJobs } from './further-column.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let partner: PartnerClient
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  partner = await makePartner(t.app, admin, shop.customer)
})
afterAll(() => t.close())

const head = 'imei,make,model,category,purchase_price'
const cells = (imei = newImei()) => `${imei},Apple,iPhone 13,Phones,100`
const importing = (columns: string, ...rows: string[]) =>
  importCsv(t, admin, { csv: [`${head},${columns}`, ...rows].join('\n') })

type Column = { id: number; name: string; partner_name: string | null }
const columns = async (search = ''): Promise<Column[]> =>
  (await admin.get(`/api/further-column/find?per_page=250&search=${encodeURIComponent(search)}`)).body.data
const idOf = async (name: string) => (await columns(name)).find((column) => column.name === name)?.id
const counts = async () => (await admin.get('/api/further-column/counts')).body.data as Record<string, number>
const itemWith = async (imei: string) => {
  const { rows } = await t.db.pool.query('select id from stock where imei = $1', [imei])
  return (await admin.get(`/api/stock/find?id=${rows[0].id}`)).body.data[0]
}
const exported = async () => String((await admin.get('/api/stock/export/csv')).body).split('\n')[0]!

/** Runs the jobs that remove columns, as if each server stopped after one part of the work. */
async function runRemovals(): Promise<number> {
  const { column_remove } = columnJobs({ db: t.db, config: t.config, dataDir: '', log: t.app.log })
  for (let runs = 0; ; runs++) {
    const { rows } = await t.db.pool.query(
      `delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
       where t.id = j.task_id and t.identifier = 'column_remove' returning j.payload`,
    )
    if (rows.length === 0) return runs
    for (const { payload } of rows) {
      let parts = 0
      const stopping = { ...new AbortController().signal, aborted: false }
      Object.defineProperty(stopping, 'aborted', { get: () => ++parts > 1 })
      await column_remove(payload, stopping)
    }
  }
}

test('an administrator sees the further columns with how many items have each, and removes one', async () => {
  const [first, second] = [newImei(), newImei()]
  await importing('Shelf,grading_screen', `${cells(first)},A1,B`, `${cells(second)},A2,`)
  const [shelf, screen] = [await idOf('Shelf'), await idOf('grading_screen')]
  expect(await counts()).toMatchObject({ [shelf!]: 2, [screen!]: 1 })

  const user = await t.user()
  expect((await user.get('/api/further-column/find')).status).toBe(403)
  expect((await user.delete(`/api/further-column/${shelf}/delete`)).status).toBe(403)

  const answer = await admin.delete(`/api/further-column/${shelf}/delete`)
  expect(answer).toMatchObject({
    status: 200,
    body: { message: "Removed the column 'Shelf', which 2 items had.", data: { id: shelf, items: 2 } },
  })
  expect(await idOf('Shelf')).toBe(undefined)
  expect(await exported()).not.toContain('Shelf')
  await runRemovals()
  const item = await itemWith(first)
  expect(item).toMatchObject({ attributes: {}, grading_data: { screen: 'B' } })
  expect(item.logs[0].content.data).toEqual([{ attributeName: 'Shelf', from: 'A1', to: null }])
  expect((await admin.delete(`/api/further-column/${shelf}/delete`)).status).toBe(404)

  await admin.delete(`/api/further-column/${screen}/delete`)
  await runRemovals()
  expect((await itemWith(first)).grading_data).toEqual({})
  // A single entry tells of the removal; the entries about items stay with the items.
  const { recent_logs } = (await admin.get('/api/auth')).body.user
  expect(recent_logs.map((entry: { content: { data: unknown } }) => entry.content.data)).toEqual([
    { message: "Removed the further column 'grading_screen', which 1 item had." },
    { message: "Removed the further column 'Shelf', which 2 items had." },
  ])
})

test('a column is removed from all of its items, also if they are more than one part of the work', async () => {
  await importing('Many', `${cells()},x`)
  await stockItems(t.db, shop, 1000, { attributes: JSON.stringify({ Many: 'x' }) })
  const answer = await admin.delete(`/api/further-column/${await idOf('Many')}/delete`)
  expect(answer.body.message).toBe("Removed the column 'Many', which 1,001 items had.")
  expect(await runRemovals()).toBeGreaterThan(1)
  const having = await t.db.pool.query(`select from stock where attributes ? 'Many'`)
  expect(having.rowCount).toBe(0)
  const said = await t.db.pool.query(
    `select from log where loggable_type = 'Stock' and content::text like '%"to": null%' and content::text like '%"Many"%'`,
  )
  expect(said.rowCount).toBe(1001)
})

test('a removed column may come again, and a removal that was broken off goes on', async () => {
  const rows = Array.from({ length: 2500 }, () => `${cells()},x`)
  await importing('Lot', ...rows)
  const { items } = (await admin.delete(`/api/further-column/${await idOf('Lot')}/delete`)).body.data
  expect(items).toBe(2500)
  expect(await runRemovals()).toBeGreaterThan(2)
  const left = await t.db.pool.query(`select count(*)::int as n from stock where attributes ? 'Lot'`)
  expect(left.rows[0].n).toBe(0)
  const imei = newImei()
  await importing('Lot', `${cells(imei)},again`)
  expect((await itemWith(imei)).attributes).toEqual({ Lot: 'again' })
  expect(await counts()).toMatchObject({ [(await idOf('Lot'))!]: 1 })
})

test('an import beside a removal brings back what its cells say, and that is not taken', async () => {
  const [first, second] = [newImei(), newImei()]
  await importing('Crate', `${cells(first)},A1`)
  await admin.delete(`/api/further-column/${await idOf('Crate')}/delete`)
  // The import changes an item that still has the value, and does not mention the removed column.
  await importCsv(t, admin, { csv: `imei,purchase_price,Rack\n${first},90,R1`, update_existing: '1' })
  expect([await idOf('Crate'), typeof (await idOf('Rack'))]).toEqual([undefined, 'number'])

  const entry = await importing('Crate', `${cells(second)},B1`)
  expect(entry.content.data).toMatchObject({ successed_rows: 1 })
  await runRemovals()
  expect((await itemWith(second)).attributes).toEqual({ Crate: 'B1' })
  // The values that the job had not removed yet belong to the column again. The next removal takes them too.
  expect((await itemWith(first)).attributes).toEqual({ Crate: 'A1', Rack: 'R1' })
  expect((await admin.delete(`/api/further-column/${await idOf('Crate')}/delete`)).body.data.items).toBe(2)
  await runRemovals()
  expect((await itemWith(first)).attributes).toEqual({ Rack: 'R1' })
  expect((await itemWith(second)).attributes).toEqual({})
})

async function push(by: PartnerClient, ...items: object[]) {
  const accepted = await by.post('/stock', { items })
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(202)
  await applyImport(t, accepted.body.data.import_id)
  return (await by.get(`/imports/${accepted.body.data.import_id}`)).body.data
}
const phone = (more: object = {}) => ({
  ...{ imei: newImei(), make: 'Apple', model: 'iPhone 13', category: 'Phones', purchase_price: 10_000 },
  ...more,
})
const fields = (from: number, n: number) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`field ${from + i}`, 'x']))

test("a partner's share of new columns is 200; those that are there it may fill, and others bring theirs", async () => {
  await importing('Known', `${cells()},x`)
  expect(await push(partner, phone(fields(0, 150)), phone({ ...fields(100, 100), Known: 'y' }))).toMatchObject({
    successed_rows: 2,
  })
  const result = await push(partner, phone({ Known: 'z', 'field 199': 'y' }), phone({ one_more: 'x' }))
  expect(result).toMatchObject({ successed_rows: 1, failed_rows: 1 })
  expect(result.errors[0].errors).toEqual({
    one_more: 'You have added 200 further columns already, and this would be one more.',
  })
  expect((await columns('field 7')).map((column) => column.partner_name)).toContain(
    (await admin.get(`/api/partner/find?id=${partner.id}`)).body.data[0].name,
  )

  const other = await makePartner(t.app, admin, null)
  expect(await push(other, phone({ one_more: 'x' }))).toMatchObject({ successed_rows: 1 })
  // If an administrator removes a column, the partner can bring another one.
  await admin.delete(`/api/further-column/${await idOf('field 3')}/delete`)
  expect(await push(partner, phone({ another: 'x' }))).toMatchObject({ successed_rows: 1 })
})

test('names that every JavaScript record has are columns like others; the one that would be hidden is refused', async () => {
  const imei = newImei()
  const entry = await importing('constructor,toString,grading_valueOf', `${cells(imei)},a,b,c`)
  expect(entry.content.data.details).toMatchObject([{ success: true }])
  expect(await itemWith(imei)).toMatchObject({
    attributes: { constructor: 'a', toString: 'b' },
    grading_data: { valueOf: 'c' },
  })
  const pushed = newImei()
  await push(await makePartner(t.app, admin, null), phone({ imei: pushed, hasOwnProperty: 'd' }))
  expect((await itemWith(pushed)).attributes).toEqual({ hasOwnProperty: 'd' })

  for (const [name, status] of [
    ['__proto__', 400], // no JSON body may have this field
    ['grading___proto__', 422],
  ] as const) {
    const entry = await importing(name, `${cells()},a`)
    expect(entry.content.data.details).toMatchObject([
      { success: false, message: { csv: "A column cannot be called '__proto__'." } },
    ])
    const item = JSON.parse(`{"${name}": "x"}`)
    const refused = await partner.post('/stock', { items: [{ ...phone(), ...item }] })
    expect([name, refused.status]).toEqual([name, status])
  }
  expect((await columns('__proto__')).length).toBe(0)
})

test('a column that has become a field is taken over if the field is empty, in one act with its undo', async () => {
  expect((await admin.post('/api/grade/create', { name: 'Top' })).status).toBe(201)
  const imeis = Array.from({ length: 5 }, () => newImei())
  const said = ['top', 'TOP ', 'Scratched', 'Top', '']
  await importing('Old grade', ...imeis.map((imei, n) => `${cells(imei)},${said[n]}`))
  const id = await idOf('Old grade')
  const items = await Promise.all(imeis.map(itemWith))
  const { rows } = await t.db.pool.query(`select id from grade where name = 'Top'`)
  const [grade] = rows
  await admin.post('/api/grade/create', { name: 'Other' })
  const other = (await t.db.pool.query(`select id from grade where name = 'Other'`)).rows[0].id
  expect((await admin.patch(`/api/stock/${items[3].id}/edit`, { grade_id: other })).status).toBe(200)

  const url = `/api/further-column/${id}/take-over`
  expect((await admin.get(`${url}?field=grade`)).body.data).toEqual({
    ...{ field: 'grade', fits: 2, own: 1, gone: 0, wrong: 1 },
    values: [{ value: 'Scratched', items: 1, reason: 'There is no grade of this name.' }],
  })
  expect((await admin.get(`${url}?field=battery_health`)).body.data).toMatchObject({ fits: 0, wrong: 4 })
  expect((await admin.get(`${url}?field=imei`)).status).toBe(400)
  const taken = await admin.post(url, { field: 'grade' })
  expect([taken.status, taken.body.message]).toEqual([200, `Copied 'Old grade' into Grade of 2 items.`])
  expect(taken.body.data).toMatchObject({ taken: 2, left: 0 })
  const grades = async () => (await Promise.all(imeis.map(itemWith))).map(({ grade_id }) => grade_id)
  expect(await grades()).toEqual([grade.id, grade.id, null, other, null])
  expect((await itemWith(imeis[0]!)).attributes).toMatchObject({ 'Old grade': 'top' })
  expect((await admin.post(url, { field: 'grade' })).status).toBe(409)
  expect((await admin.post(`/api/stock/bulk/${taken.body.data.bulk_id}/undo`)).body.data).toEqual({
    restored: 2,
    kept: [],
  })
  expect(await grades()).toEqual([null, null, null, other, null])

  await importing('Old battery', `${cells()},87%`, `${cells()},89`, `${cells()},130`)
  const battery = `/api/further-column/${await idOf('Old battery')}/take-over`
  expect((await admin.post(battery, { field: 'battery_health' })).body.data).toMatchObject({ taken: 2, left: 0 })
  // An item that has left has a grade, but no location.
  const [here, deleted, sold] = [newImei(), newImei(), newImei()]
  await importing('Old shelf', ...[here, deleted, sold].map((imei) => `${cells(imei)},Top`))
  const gone = await itemWith(deleted)
  for (const { id } of [gone, await itemWith(sold)])
    expect((await admin.patch(`/api/stock/${id}/edit`, { status: 'Deleted' })).status).toBe(200)
  const shelf = `/api/further-column/${await idOf('Old shelf')}/take-over`
  expect((await admin.get(`${shelf}?field=grade`)).body.data).toMatchObject({ fits: 3, gone: 0 })
  expect((await admin.get(`${shelf}?field=location`)).body.data).toMatchObject({ fits: 1, gone: 2, own: 0, wrong: 0 })
  const placed = await admin.post(shelf, { field: 'location' })
  expect(placed.body.message).toBe(
    `Copied 'Old shelf' into Location of 1 item. 2 items are no longer here, and left out.`,
  )
  expect(placed.body.data).toMatchObject({ taken: 1, left: 0 })
  const locationOf = async (id: number) => (await admin.get(`/api/stock/find?id=${id}&status=`)).body.data[0].location
  expect([(await itemWith(here)).location, await locationOf(gone.id)]).toEqual(['Top', null])
  expect((await admin.post(shelf, { field: 'location' })).status).toBe(409)
  // One act takes 10,000 items, the oldest first; the person is asked to press again for the others.
  await importing('Second shelf', `${cells()},R1`)
  await t.db.pool.query(
    `insert into stock (status, actual_product_id, purchase_price, serial_number, attributes)
     select 'In Stock', $1, 1, 'RACK' || n, '{"Second shelf": "R2"}' from generate_series(1, 10000) n`,
    [shop.product],
  )
  const second = `/api/further-column/${await idOf('Second shelf')}/take-over`
  const pressed = [await admin.post(second, { field: 'location' }), await admin.post(second, { field: 'location' })]
  expect(pressed.map(({ body }) => [body.message, body.data.taken, body.data.left])).toEqual([
    ["Copied 'Second shelf' into Location of 10,000 items. 1 item can still be copied: press again.", 10_000, 1],
    ["Copied 'Second shelf' into Location of 1 item.", 1, 0],
  ])
  const user = await t.user()
  expect((await user.get(`${battery}?field=location`)).status).toBe(403)
  expect((await admin.post('/api/further-column/999999/take-over', { field: 'grade' })).status).toBe(404)
})
