import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../testing/app.ts'
import { applyImport, importCsv, uploadCsv } from '../../testing/csv-upload.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { untilSomebodyWaits } from '../../testing/until-waiting.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

const item = async (id: number) => (await t.db.pool.query('select * from stock where id = $1', [id])).rows[0]
const update = (...lines: string[]) => importCsv(t, user, { csv: lines.join('\n'), update_existing: '1' })
const failure = async (...lines: string[]) => {
  const { content } = await update(...lines)
  expect(content.data).toMatchObject({ failed_rows: 1, successed_rows: 0 })
  return content.data.details[0].message
}
const make = async (columns: Parameters<typeof stockItems>[3] = {}) => (await stockItems(t.db, shop, 1, columns))[0]!
const logsOf = async (type: string, id: number, importId: number) =>
  (
    await t.db.pool.query(
      'select content from log where loggable_type = $1 and loggable_id = $2 and import_id = $3 order by id',
      [type, id, importId],
    )
  ).rows.map((row) => row.content)

async function sell(...ids: number[]): Promise<number> {
  const sale = await user.post('/api/sale/create', {
    customer_id: shop.customer,
    stock_items: ids.map((id) => ({ id, sales_price: 30_000 })),
    create_invoice: false,
    send_email: false,
  })
  expect(sale.status).toBe(201)
  return sale.body.data.id
}

test('updates the columns that the file has, by Backstock ID, IMEI in any form, or serial in any case', async () => {
  const [a, b, c] = [
    await make({
      backstock_id: 'BS-1',
      engineer_notes: 'old',
      grading_data: JSON.stringify({ screen: 'A', body: 'B' }),
    }),
    await make(),
    await make({ serial_number: 'sn-Ü1' }),
  ]
  const whole = (await item(b)).imei
  const imei16 = `${whole.slice(0, 14)}99`
  const entry = await update(
    'backstock_id,imei,serial_number,sales_price,engineer_notes,grading_screen,purchase_date',
    'BS-1,,,123.45,,C,2026-01-02',
    `,${imei16},,10,,,`,
    ',,SN-Ü1,20,=new,,03/02/2026',
  )
  expect(entry.content.data).toMatchObject({ successed_rows: 3, failed_rows: 0 })
  expect(entry.content.data.details.map((row: { type: string; id: number }) => [row.type, row.id])).toEqual([
    ['updated', a],
    ['updated', b],
    ['updated', c],
  ])
  expect(await item(a)).toMatchObject({
    sales_price: 12_345,
    engineer_notes: 'old',
    grading_data: { screen: 'C', body: 'B' },
    purchase_date: '2026-01-02',
  })
  expect(await item(b)).toMatchObject({ sales_price: 1000, imei: whole })
  expect(await item(c)).toMatchObject({ engineer_notes: '=new', purchase_date: '2026-02-03', serial_number: 'SN-Ü1' })
  expect((await logsOf('Stock', a, entry.id))[0].data).toEqual([
    { attributeName: 'purchase_date', from: null, to: '2026-01-02' },
    { attributeName: 'sales_price', from: 30_000, to: 12_345 },
    { attributeName: 'grading_data', from: '{"body":"B","screen":"A"}', to: '{"body":"B","screen":"C"}' },
  ])
})

test('the log of an update has the old and the new names of what the item refers to', async () => {
  const admin = await t.user('ROLE_ADMIN')
  for (const name of ['Tidy', 'Worn']) expect((await admin.post('/api/grade/create', { name })).status).toBe(201)
  for (const company_name of ['First', 'Second'])
    expect((await admin.post('/api/supplier/create', { company_name })).status).toBe(201)
  const { items } = await batchOf(t.db, shop, user.id, 1)
  const id = items[0]!
  const { imei } = await item(id)
  const change = async (cells: string) => {
    const entry = await update('imei,make,model,category,supplier,vat,grade,status', `${imei},${cells}`)
    expect(entry.content.data).toMatchObject({ failed_rows: 0 })
    const [{ data }] = await logsOf('Stock', id, entry.id)
    return Object.fromEntries(
      data.map((one: { attributeName: string; from: unknown; to: unknown }) => [one.attributeName, [one.from, one.to]]),
    )
  }
  expect(await change('Nokia,3310,Phone,First,Standard,Tidy,')).toEqual({
    actual_product: ['Apple iPhone 13 128 GB', 'Nokia 3310 128 GB'],
    supplier: [null, 'First'],
    vat: [null, 'Standard'],
    grade: [null, 'Tidy'],
  })
  expect(await change('Nokia,3210,Phone,Second,Zero,Worn,Deleted')).toEqual({
    actual_product: ['Nokia 3310 128 GB', 'Nokia 3210 128 GB'],
    supplier: ['First', 'Second'],
    vat: ['Standard', 'Zero'],
    grade: ['Tidy', 'Worn'],
    status: ['In Batch', 'Deleted'],
    batch: ['Batch of 1', null],
  })
})

test('an export comes back unchanged: nothing is written', async () => {
  const batch = await batchOf(t.db, shop, user.id, 1, true)
  const ids = [
    ...batch.items,
    await make({
      backstock_id: "'=1",
      serial_number: '-7',
      vat_id: shop.vat.standard,
      engineer_notes: 'two\r\n"lines"',
    }),
    await make({ status: 'Deleted', in_hand: false }),
  ]
  await sell(await make())
  const exported = String((await user.get('/api/stock/export/csv')).body)
  const before = (await t.db.pool.query('select * from stock order by id')).rows
  const { rows: logs } = await t.db.pool.query('select count(*) from log')
  const entry = await importCsv(t, user, { csv: exported, update_existing: 'true' })
  expect(entry.content.data).toMatchObject({ failed_rows: 0 })
  expect(entry.content.data.details.map((row: { id: number }) => row.id)).toEqual(expect.arrayContaining(ids))
  expect((await t.db.pool.query('select * from stock order by id')).rows).toEqual(before)
  expect((await t.db.pool.query('select count(*) from log')).rows).toEqual(logs)
})

test('an export comes back whatever its further columns are called, and with all that a shop may have', async () => {
  const long = (n: number) => `${n} `.padEnd(200, 'é')
  const names = Array.from({ length: 990 }, (_, n) => long(n))
  const ids = [
    await make({ attributes: JSON.stringify({ Origin: 'Rome', origin: 'Oslo', [long(7)]: 'x' }) }),
    await make({ grading_data: JSON.stringify({ Screen: '1', screen: '2' }) }),
  ]
  await t.db.pool.query(
    `insert into attribute_name select 'attribute', unnest($1::text[]) union all values
      ('attribute', 'Origin'), ('attribute', 'origin'), ('grading', 'Screen'), ('grading', 'screen')
    on conflict do nothing`,
    [names],
  )
  const csv = (await user.get('/api/stock/export/csv')).raw.toString()
  const entry = await importCsv(t, user, { csv: csv.replace('Oslo', 'Bern'), update_existing: '1' })
  expect(entry.content.data).toMatchObject({ failed_rows: 0 })
  expect(await item(ids[0]!)).toMatchObject({ attributes: { Origin: 'Rome', origin: 'Bern', [long(7)]: 'x' } })
  expect(await item(ids[1]!)).toMatchObject({ grading_data: { Screen: '1', screen: '2' } })
  await t.db.pool.query('delete from attribute_name where name = any($1)', [names])
})

test('a row whose only change is in one column changes that, and its log has nothing else', async () => {
  const { rows: of } = await t.db.pool.query(`
    insert into supplier (company_name) values ('Only'), ('Other') returning company_name, id`)
  const supplier_id = of[0].id
  const admin = await t.user('ROLE_ADMIN')
  for (const name of ['Like new', 'Used']) await admin.post('/api/grade/create', { name })
  const { id: grade_id } = (await admin.get('/api/grade/find?search=Like+new')).body.data[0]
  await t.db.pool.query(
    `insert into attribute_name values ('attribute', 'Box'), ('grading', 'screen') on conflict do nothing`,
  )
  const columns = {
    ...{ supplier_id, grade_id, vat_id: shop.vat.standard, backstock_id: null, location: 'A1', engineer_notes: 'old' },
    ...{ battery_health: 90, purchase_date: '2026-01-01', status: 'In Stock' as const },
    ...{ grading_data: JSON.stringify({ screen: 'A' }), attributes: JSON.stringify({ Box: 'yes' }) },
  }
  const cells: [column: string, cell: string, logged: string][] = [
    ['supplier', 'Other', 'supplier'],
    ['grade', 'Used', 'grade'],
    ['vat', 'Zero', 'vat'],
    ['backstock_id', 'ONLY-1', 'backstock_id'],
    ['location', 'B2', 'location'],
    ['engineer_notes', 'new', 'engineer_notes'],
    ['battery_health', '80', 'battery_health'],
    ['purchase_date', '2026-01-02', 'purchase_date'],
    ['purchase_price', '12', 'purchase_price'],
    ['sales_price', '34', 'sales_price'],
    ['status', 'Deleted', 'status'],
    ['model', 'iPhone 14', 'actual_product'],
    ['grading_screen', 'C', 'grading_data'],
    ['Box', 'no', 'attributes'],
  ]
  const items = await stockItems(t.db, shop, cells.length, columns)
  for (const [n, [column, cell, logged]] of cells.entries()) {
    const id = items[n]!
    const { content, id: importId } = await update(`imei,${column}`, `${(await item(id)).imei},${cell}`)
    expect(content.data.details, column).toMatchObject([{ type: 'updated', id }])
    const [{ data }] = await logsOf('Stock', id, importId)
    expect(data.map((one: { attributeName: string }) => one.attributeName)).toEqual([logged])
  }
})

test('keys that are two items fail the row', async () => {
  const [a, b] = [await make({ backstock_id: 'TWO' }), await make()]
  expect(await failure('backstock_id,imei,sales_price', `TWO,${(await item(b)).imei},1`)).toEqual({
    imei: `This IMEI belongs to item #${b}, but the Backstock ID to item #${a}.`,
  })
})

test('status: the moves of the edit form, Deleted for all that has not left, and the present one', async () => {
  const imeiOf = async (id: number) => (await item(id)).imei
  const moves: [Parameters<typeof stockItems>[3], string, object | RegExp][] = [
    [{ status: 'Inbound' }, 'In Stock', { status: 'In Stock' }],
    [{ status: 'Inbound' }, 'deleted', { status: 'Deleted', in_hand: false }],
    [{ status: 'In Stock' }, 'Inbound', /An item that is In Stock cannot become Inbound\./],
    [{ status: 'In Stock' }, 'In Batch', /cannot become In Batch/],
    [{ status: 'Deleted', in_hand: false }, 'In Stock', { status: 'In Stock', in_hand: true }],
    [{ status: 'Deleted', in_hand: false }, 'Inbound', /An item that is Deleted cannot become Inbound\./],
    [{ status: 'Returned to Supplier', in_hand: false }, 'Returned to Supplier', { status: 'Returned to Supplier' }],
    [{ status: 'Returned to Supplier', in_hand: false }, 'Deleted', /cannot become Deleted/],
    [{ status: 'Inbound' }, 'Lost', /'Lost' is not a status: write Inbound, In Stock/],
  ]
  for (const [columns, status, expected] of moves) {
    const id = await make(columns)
    const file = ['imei,status', `${await imeiOf(id)},${status}`]
    if (expected instanceof RegExp) expect((await failure(...file)).status).toMatch(expected)
    else {
      expect((await update(...file)).content.data.failed_rows).toBe(0)
      expect(await item(id)).toMatchObject(expected)
    }
  }
})

test('a deleted item leaves an open batch, stays in a locked one, and comes back In Batch there', async () => {
  const [open, locked] = [await batchOf(t.db, shop, user.id, 1), await batchOf(t.db, shop, user.id, 1, true)]
  const imeis = [(await item(open.items[0]!)).imei, (await item(locked.items[0]!)).imei]
  const file = (status: string) => ['imei,status,batch', ...imeis.map((imei) => `${imei},${status},Another`)]
  expect((await update(...file('Deleted'))).content.data.failed_rows).toBe(0)
  expect(await item(open.items[0]!)).toMatchObject({ status: 'Deleted', batch_id: null })
  expect(await item(locked.items[0]!)).toMatchObject({ status: 'Deleted', batch_id: locked.id })
  expect((await update(...file('In Stock'))).content.data.failed_rows).toBe(0)
  expect(await item(open.items[0]!)).toMatchObject({ status: 'In Stock', batch_id: null })
  expect(await item(locked.items[0]!)).toMatchObject({ status: 'In Batch', batch_id: locked.id })
})

test('values on which an invoice rests stay on a sold item; others may change', async () => {
  const id = await make({ vat_id: shop.vat.standard })
  await sell(id)
  const { imei } = await item(id)
  const file = (cells: string) => ['imei,model,serial_number,purchase_price,vat,sales_price,status', `${imei},${cells}`]
  const message = `Cannot be changed: item #${id} is Sold.`
  expect(await failure(...file('iPhone 99,NEW,1.00,Zero,2.00,Sold'))).toEqual({
    model: `The product cannot be changed: item #${id} is Sold.`,
    serial_number: message,
    purchase_price: message,
    vat: message,
  })
  expect((await t.db.pool.query(`select from product where model = 'iPhone 99'`)).rowCount).toBe(0)
  expect(await failure('imei,imei2,meid', `${imei},${newImei()},A1000012345678`)).toEqual({
    imei2: message,
    meid: message,
  })
  expect((await update(...file('iphone 13,,200.00,standard,2.00,'))).content.data.failed_rows).toBe(0)
  expect(await item(id)).toMatchObject({ status: 'Sold', sales_price: 200, purchase_price: 20_000 })
})

test('an item of an open sale that is deleted puts the sale to Requires Attention, with logs on both', async () => {
  const [lost, kept] = [await make(), await make()]
  const saleId = await sell(lost, kept)
  const entry = await update('imei,status', `${(await item(lost)).imei},Deleted`)
  expect(entry.content.data.failed_rows).toBe(0)
  expect(await item(lost)).toMatchObject({ status: 'Deleted', sale_id: null, in_hand: false })
  expect(await item(kept)).toMatchObject({ status: 'Sold', sale_id: saleId })
  const sale = (await user.get(`/api/sale/find?id=${saleId}`)).body.data[0]
  expect(sale).toMatchObject({ status: 'Requires Attention', unavailable_items: 1 })
  expect((await user.get('/api/auth')).body.sales_requiring_attention).toBe(1)
  const { rows } = await t.db.pool.query(
    'select stock_id, released from sale_item where sale_id = $1 order by position',
    [saleId],
  )
  expect(rows).toEqual([
    { stock_id: lost, released: 'lost' },
    { stock_id: kept, released: null },
  ])
  expect(await logsOf('Sale', saleId, entry.id)).toEqual([
    { type: 'model_update', data: [{ attributeName: 'status', from: 'New', to: 'Requires Attention' }] },
    {
      type: 'message',
      data: {
        message: `Item #${lost} (Apple iPhone 13 128 GB) was deleted by import #${entry.id} and is no longer available for this sale.`,
      },
    },
  ])
  expect(await logsOf('Stock', lost, entry.id)).toEqual([
    { type: 'model_update', data: [{ attributeName: 'status', from: 'Sold', to: 'Deleted' }] },
    {
      type: 'message',
      data: { message: `Deleted by import #${entry.id} while on sale #${saleId}, which now requires attention.` },
    },
  ])
})

test('a phone that was dispatched may come in again, and cannot be deleted', async () => {
  const id = await make()
  const saleId = await sell(id)
  for (const status of ['Awaiting Dispatch', 'Dispatched'])
    expect((await user.post(`/api/sale/${saleId}/edit`, { status })).status).toBe(200)
  const { imei } = await item(id)
  expect(await failure('imei,status', `${imei},Deleted`)).toEqual({
    status: 'An item that is Sold cannot become Deleted.',
  })
  const entry = await update(
    'imei,make,model,capacity,capacity_unit,purchase_price,status',
    `${imei},Apple,iPhone 13,128,GB,99,In Stock`,
  )
  expect(entry.content.data.details[0]).toMatchObject({ type: 'created' })
  expect(await item(id)).toMatchObject({ status: 'Sold' })
})

test('a row that the database refuses fails alone', async () => {
  const back = await make({ status: 'Deleted', in_hand: false, serial_number: 'CLASH', backstock_id: 'BACK' })
  const holder = await make({ serial_number: 'clash' })
  const good = [newImei(), newImei()]
  const row = (imei: string) => `${imei},,Apple,iPhone 13,128,GB,1,`
  const entry = await update(
    'imei,backstock_id,make,model,capacity,capacity_unit,purchase_price,status',
    row(good[0]!),
    ',BACK,,,,,,In Stock',
    row(good[1]!),
  )
  expect(entry.content.data).toMatchObject({ successed_rows: 2, failed_rows: 1 })
  expect(entry.content.data.details[0]).toMatchObject({
    row: 3,
    backstock_id: 'BACK',
    message: { serial_number: `Item #${holder} already has this serial number.` },
  })
  expect(await item(back)).toMatchObject({ status: 'Deleted' })
})

test('two imports of the same phones at once, and one that staff adds meanwhile: each once', async () => {
  const imeis = Array.from({ length: 1500 }, newImei)
  const rows = (list: string[]) =>
    [
      'imei,make,model,capacity,capacity_unit,purchase_price',
      ...list.map((imei) => `${imei},Apple,iPhone 13,128,GB,1`),
    ].join('\n')
  const ids = await Promise.all(
    [imeis, imeis.toReversed()].map(
      async (list) => (await uploadCsv(await t.user(), { csv: rows(list) })).body.data.import_id as number,
    ),
  )
  const byHand = imeis
    .slice(400, 430)
    .map((imei) => user.post('/api/stock/create', { actual_product_id: shop.product, purchase_price: 1, imei }))
  const answers = await Promise.all([...byHand, ...ids.map((id) => applyImport(t, id))])
  const created = answers.filter((answer) => answer && answer.status === 201).length
  const { rows: stock } = await t.db.pool.query(
    'select count(*) as n, count(distinct imei) as phones from stock where imei = any($1)',
    [imeis],
  )
  expect(stock[0]).toEqual({ n: 1500, phones: 1500 })
  const { rows: imports } = await t.db.pool.query(
    'select sum(succeeded)::int as good, sum(failed)::int as bad from import where id = any($1)',
    [ids],
  )
  expect(imports[0]).toEqual({ good: 1500 - created, bad: 1500 + created })
})

test('an item whose IMEI somebody corrects while a row finds it by the old one stays as it is', async () => {
  const id = await make()
  const { imei, sales_price } = await item(id)
  const csv = `imei,sales_price\n${imei},7`
  const { import_id } = (await uploadCsv(user, { csv, update_existing: '1' })).body.data
  const corrected = newImei()
  const { applied } = await t.db.write(async (tx) => {
    await sql`update stock set imei = ${corrected} where id = ${id}`.execute(tx)
    const applied = applyImport(t, import_id)
    await untilSomebodyWaits(t.db)
    return { applied }
  })
  await applied
  expect(await item(id)).toMatchObject({ imei: corrected, sales_price })
})

test('a duplicate that only the database finds is told in the words of its area', async () => {
  await t.db.pool.query(`
    create function taken() returns trigger language plpgsql as $$ begin
      raise unique_violation using constraint = 'product_identity';
    end $$;
    create trigger taken before insert on product for each row execute function taken()`)
  const answer = await failure('imei,make,model,category,purchase_price', `${newImei()},Apple,Taken,Phone,1`)
  await t.db.pool.query('drop trigger taken on product')
  expect(answer).toEqual({ model: 'There is already a product with this make, model, capacity and colour.' })
})

test('if the database refuses a row, the rows around it are still judged as rows of one file', async () => {
  await t.db.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$;
    create trigger refuse before insert on stock for each row
      when (new.serial_number = 'REFUSED') execute function refuse()`)
  const id = await make()
  const { imei } = await item(id)
  const phone = (serial: string) => `${newImei()},${serial},Apple,iPhone 13,128,GB,1,`
  const entry = await update(
    'imei,serial_number,make,model,capacity,capacity_unit,purchase_price,sales_price',
    `${imei},,,,,,,1`,
    phone('REFUSED'),
    phone(''),
    `${imei},,,,,,,2`,
  )
  await t.db.pool.query('drop trigger refuse on stock; drop function refuse')
  expect(entry.content.data.details).toMatchObject([
    { row: 3, message: { row: 'This row could not be stored.' } },
    { row: 5, message: { imei: 'This IMEI is already in this file, row 2.' } },
    { row: 2, type: 'updated', id },
    { row: 4, type: 'created' },
  ])
  expect(await item(id)).toMatchObject({ sales_price: 100 })
})

test('a phone that was deleted and bought back: its export comes back and changes nothing', async () => {
  const imei = newImei()
  const gone = await make({ imei, backstock_id: 'OLD-1' })
  await user.post(`/api/stock/${gone}/edit`, { status: 'Deleted' })
  const back = await make({ imei, backstock_id: null, engineer_notes: 'bought back' })
  const csv = (await user.get('/api/stock/export/csv')).raw.toString()
  expect(csv.split('\n').filter((line) => line.includes(imei))).toHaveLength(2)
  await importCsv(t, user, { csv, update_existing: '1' })
  expect(await item(back)).toMatchObject({ status: 'In Stock', engineer_notes: 'bought back', backstock_id: null })
  expect(await item(gone)).toMatchObject({ status: 'Deleted', backstock_id: 'OLD-1' })

  expect(await failure('backstock_id,imei,status', `OLD-1,${imei},Deleted`)).toMatchObject({
    imei: `This IMEI belongs to item #${back}, but the Backstock ID to item #${gone}.`,
  })
  expect(await item(back)).toMatchObject({ status: 'In Stock' })
})

test('a row that fails keeps its item from later rows: a bad cell of an export deletes nothing in hand', async () => {
  const imei = newImei()
  const row = (price: string, status: string) => `${imei},,,,,${price},${status}`
  const gone = await make({ imei, status: 'Deleted', in_hand: false })
  const back = await make({ imei })
  const header = 'imei,make,model,capacity,capacity_unit,purchase_price,status'
  const anotherPart = Array.from({ length: 1000 }, () => `${newImei()},Apple,iPhone 13,128,GB,5,`)
  for (const between of [[], anotherPart]) {
    const entry = await update(header, row('abc', ''), ...between, row('9', 'Deleted'), row('8', ''))
    const messages = entry.content.data.details.map(({ message }: { message: unknown }) => message)
    const twice = { imei: 'This IMEI is already in this file, row 2.' }
    expect(messages.slice(0, 3)).toEqual([{ purchase_price: expect.any(String) }, twice, twice])
    expect(entry.content.data.failed_rows).toBe(3)
    expect(await item(back)).toMatchObject({ status: 'In Stock', purchase_price: 20_000 })
    expect(await item(gone)).toMatchObject({ status: 'Deleted', purchase_price: 20_000 })
  }
  expect((await update('imei,purchase_price', `${imei},8`)).content.data.failed_rows).toBe(0)
})

test.each([
  ['capacity', '0', 'Must be a whole number from 1 to 1,000,000.'],
  ['capacity_unit', 'KB', 'Must be MB, GB or TB.'],
  ['sales_price', '1000000.01', 'At most 1,000,000.00.'],
  ['grading_screen', 'x'.repeat(10_001), 'At most 10,000 characters.'],
  ['Box', 'x'.repeat(10_001), 'At most 10,000 characters.'],
])('in the column %s, a cell beyond its limit is refused, and the item stays', async (column, cell, message) => {
  const serial_number = `LIMIT-${column}`
  const before = await item(await make({ serial_number }))
  expect(await failure(`serial_number,make,model,${column}`, `${serial_number},Apple,iPhone 13,${cell}`)).toEqual({
    [column]: message,
  })
  expect(await item(before.id)).toEqual(before)
})

test('a flag is one of the words, not any name that objects have', async () => {
  const id = await make({ serial_number: 'FLAG-1' })
  expect(await failure('serial_number,network_locked', 'FLAG-1,constructor')).toEqual({
    network_locked: 'Must be true or false.',
  })
  expect(await item(id)).toMatchObject({ network_locked: false })
  const upload = await uploadCsv(user, { csv: 'serial_number\nFLAG-1', update_existing: 'constructor' })
  expect(upload).toMatchObject({ status: 422, body: { data: { errors: { update_existing: expect.any(String) } } } })
})
