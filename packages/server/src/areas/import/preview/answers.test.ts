import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../../testing/answers.ts'
import type { Client } from '../../../testing/app.ts'
import { applyImport, uploadCsv } from '../../../testing/csv-upload.ts'
import { testInTurn } from '../../../testing/in-turn.ts'
import { type PreviewForm, planPreview, uploadPreview } from '../../../testing/preview-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { BROKEN_OFF, endPlan, importGiveUps } from '../broken-off.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let other: Client
let shop: Shop
const BASE = '/api/stock/import/preview'

beforeAll(async () => {
  tape = await openTape({ isBrief: true })
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  other = await tape.person('Colleague')
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => (await tape.t.db.pool.query(text, values)).rows
const imeis = (n: number) => Array.from({ length: n }, newImei)
const fileOf = (...lines: string[]) => lines.join('\n')

async function preview(form: PreviewForm, who = user): Promise<number> {
  const id = (await uploadPreview(who, form)).body.data.import_id
  await tape.act('the file is planned', () => planPreview(tape.t, id))
  await who.get(`${BASE}/${id}`)
  return id
}
async function change(id: number, changes: object): Promise<void> {
  const { status } = await user.patch(`${BASE}/${id}`, changes)
  if (status !== 200) return
  await tape.act('the file is planned again', () => planPreview(tape.t, id))
  await user.get(`${BASE}/${id}`)
}
async function commit(id: number, body = {}): Promise<void> {
  const { status } = await user.post(`${BASE}/${id}/commit`, body)
  if (status !== 202) return
  await tape.act('the planned import runs', () => applyImport(tape.t, id))
  await user.get(`/api/stock/import/history?id=${id}`)
}

testInTurn('previews of suppliers’ files: the answers and the rows that they leave', async () => {
  const [foxway, twin] = (
    await query(`
      insert into supplier (company_name, default_purchase_treatment) values ('Foxway', 'margin'), ('Twin', 'unknown'),
        ('Twin', 'unknown') returning id`)
  ).map(({ id }) => id)
  await query(`insert into colour (name) values ('Black'), ('Blue')`)
  await tape.forgetChanges()

  tape.title('No preview; files that are refused')
  await user.get(BASE)
  await user.get(`${BASE}/1`)
  await user.get(`${BASE}/1/rows`)
  await user.delete(`${BASE}/1`)
  await user.post(`${BASE}/1/commit`)
  await user.patch(`${BASE}/1`, {})
  await user.post(BASE, {})
  for (const form of [
    { csv: '' },
    { csv: 'imei,model' },
    { csv: '%PDF-1' },
    { csv: Buffer.from([0xd0, 0xcf, 0x11, 0xe0]) },
    { csv: Buffer.from([0x1f, 0x8b]) },
    { csv: Buffer.from('\u0089PNG', 'latin1') },
    { csv: '<html><body><table>', name: 'list.xls' },
    { csv: '<?xml version="1.0"?><Workbook/>' },
    { csv: 'imei\n1', supplier_id: 'x' },
    { csv: 'imei\n1', supplier_id: '999' },
    { csv: 'imei\n1', update_existing: 'x' },
    { csv: 'imei\n1', encoding: 'x' },
    { csv: 'imei\n1', delimeter: 'x' },
    { csv: 'imei\n1', header_row: '9' },
    { csv: 'imei,model\n1,"x' },
  ])
    await uploadPreview(user, form)

  tape.title('A file with titles, strange headers, foreign prices and names that nobody knows')
  const [a, b, c, d, e, f] = imeis(6) as [string, string, string, string, string, string]
  const [held] = await stockItems(tape.t.db, shop, 1)
  const heldImei = (await query('select imei from stock where id = $1', [held]))[0].imei
  await tape.forgetChanges()
  const first = await preview({
    name: 'offer 47.csv',
    supplier_id: String(foxway),
    csv: fileOf(
      'Offer 47;;USD;;;;;;;;;',
      'IMEI / Serial;Marke;Modell;Speicher;Farbe;Kategorie;Einkaufspreis;Grade;MwSt;SIM lock;Qty;Note',
      `${a};Apple;iPhone 13 128GB;;Schwarz;Phone;$ 1.234,50;A;23%;no;1;x`,
      `${b};Zeta;Z9;64 GB;Blau;Handy;99,00;AA;21%;;1;`,
      `${c};Zeta;Z9;64 GB;Blau;Handy;99,00;AA;;;3;`,
      `C02XK1ZJJG5H;Apple;iPhone 13;128;;;£ 50,00;;;yes;;`,
      `${heldImei};Apple;iPhone 13;128;;;1,00;;;;;`,
      `${d} ${e};Apple;iPhone 13;128;;;200,00;;;;2;`,
      `123;Apple;iPhone 13;128;;;1;;;;;`,
      `${f};Apple;;128;;;#N/A;;;;;#N/A`,
      'Sum;;;;;;1.700,00;;;;;',
      'Thank you for your order;;;;;;;;;;;',
    ),
  })
  await user.get(`${BASE}/${first}/rows`)
  await user.get(`${BASE}/${first}/rows?kind=new&per_page=2&page=2`)
  await user.get(`${BASE}/${first}/rows?kind=failed&order=id_desc&per_page=3`)
  await user.get(`${BASE}/${first}/rows?kind=lost`)
  await user.get(`${BASE}/999/rows`)
  await other.get(`${BASE}/${first}`)
  await other.get(`${BASE}/${first}/rows`)
  await other.delete(`${BASE}/${first}`)
  await other.post(`${BASE}/${first}/commit`)

  tape.title('Choices that are refused under their fields')
  await user.patch(`${BASE}/${first}`, {
    mapping: [{ column: -1, field: 'x' }],
    decimal: 'x',
    dates: 'x',
    several: 'x',
  })
  await change(first, {
    mapping: [
      { column: 99, field: null },
      { column: 10, field: 'imei' },
      { column: 11, field: 'imei' },
    ],
    defaults: { purchase_currency: 'XXX', purchase_price: 'x', purchase_date: '2999-01-01', make: 'a\u0000b' },
    rates: [
      { currency: 'EUR', rate: '1' },
      { currency: 'USD', rate: 'x' },
    ],
    values: [
      { field: 'grade', seen: 'AA', means: ' ' },
      { field: 'grade', seen: 'a\u0000', means: 'A' },
    ],
    cells: [
      { row: 999, column: 0, value: 'x' },
      { row: 3, column: 99, value: 'x' },
      { row: 3, column: 0, value: 'a\u0000' },
    ],
  })
  await change(first, { supplier_id: 999 })
  await change(first, { encoding: 'x' })
  await change(first, { defaults: { purchase_price: '100000000' } })

  tape.title('Choices: columns, rates, meanings, defaults, cells, the sign of dollars, several IMEIs')
  await change(first, {
    mapping: [
      { column: 10, field: 'further' },
      { column: 11, field: 'engineer_notes' },
    ],
    rates: [
      { currency: 'USD', rate: '1.25' },
      { currency: 'GBP', rate: '0,8' },
    ],
    values: [
      { field: 'grade', seen: 'aa', means: 'A' },
      { field: 'colour', seen: 'Schwarz', means: 'Black' },
      { field: 'colour', seen: 'Blau', means: 'Blue' },
      { field: 'category', seen: 'Handy', means: 'Phone' },
      { field: 'vat', seen: '21%', means: 'Standard' },
    ],
    defaults: { category: 'Phone', status: 'In Stock', purchase_price: '5' },
  })
  await change(first, { several: 'divided', update_existing: true, decimal: ',', dollar: 'CAD' })
  await change(first, {
    rates: [{ currency: 'CAD', rate: '1.5' }],
    values: [{ field: 'product', seen: 'Zeta Z9 64 GB Blue', means: String(shop.product) }],
    cells: [
      { row: 9, column: 0, value: newImei() },
      { row: 10, column: 2, value: 'iPhone 13' },
      { row: 10, column: 6, value: '10' },
    ],
  })
  await user.get(`${BASE}/${first}/rows?per_page=20`)
  await change(first, {
    several: 'phone',
    defaults: { status: null },
    values: [{ field: 'product', seen: 'Zeta Z9 64 GB Blue', means: null }],
  })
  await change(first, { several: 'items' })

  tape.title('A plan that is out of date, and the import')
  await user.post(`${BASE}/${first}/commit`, { plan_no: 1 })
  await user.post(`${BASE}/${first}/commit`, { plan_no: 'x' })
  await user.post(`/api/stock/${held}/edit`, { location: 'Moved' })
  await user.get(`${BASE}/${first}`)
  await query('update stock set sales_price = 1 where id = $1', [held])
  await tape.forgetChanges()
  await commit(first)
  await user.post(`${BASE}/${first}/commit`)
  await user.patch(`${BASE}/${first}`, { decimal: '.' })
  await user.get(BASE)
  await user.get(`/api/stock/import/history/${first}/csv`)

  tape.title('What is remembered')
  await user.get('/api/import-memory/find?order=id_asc&per_page=50')
  await user.get(`/api/import-memory/find?supplier_id=${foxway}&order_by=name_asc&per_page=3`)
  await user.get('/api/import-memory/find?search=blau')
  await other.get('/api/import-memory/find?order_by=used_at_asc&per_page=1')
  const next = fileOf(
    'IMEI / Serial;Marke;Modell;Speicher;Farbe;Einkaufspreis;Grade;Qty;Note',
    `${newImei()};Zeta;Z9;64 GB;Blau;$ 10,00;AA;1;y`,
  )
  const second = await preview({ csv: next, supplier_id: String(foxway) })
  await change(second, { supplier_id: null })
  await change(second, { supplier_id: twin })
  await change(second, { supplier_id: foxway, mapping: [{ column: 8, field: null }] })
  await commit(second, { plan_no: 4 })

  tape.title('A file without a supplier: only columns are remembered, for this person alone')
  const third = await preview({ csv: fileOf('imei,Foo,Preis', `${newImei()},iPhone 13,20`) })
  await change(third, {
    mapping: [{ column: 1, field: 'model' }],
    values: [{ field: 'make_of_model', seen: 'iPhone 13', means: 'Apple' }],
    defaults: { category: 'Phone' },
  })
  await commit(third)
  await user.get('/api/import-memory/find?search=foo')
  await other.get('/api/import-memory/find?search=foo')
  const own = (await query(`select id from import_remembered where name = 'Foo'`))[0].id
  await user.get(`/api/import-memory/find?id=${own}`)
  await other.delete(`/api/import-memory/${own}/delete`)
  await user.delete(`/api/import-memory/${own}/delete`)
  await user.delete(`/api/import-memory/${own}/delete`)

  tape.title('Dates and amounts that a person must decide')
  const asked = await preview({
    csv: fileOf(
      'imei,make,model,category,purchase_price,purchase_date',
      `${newImei()},Apple,iPhone 13,Phone,1.234,01/02/2001`,
    ),
  })
  await user.post(`${BASE}/${asked}/commit`)
  await change(asked, { dates: 'month', decimal: ',' })
  await change(asked, { dates: 'day' })
  await user.get(`${BASE}/${asked}/rows`)
  await user.delete(`${BASE}/${asked}`)
  await user.get(BASE)

  tape.title('A file without a header, in another encoding')
  const greek = await preview({
    csv: Buffer.from(`${newImei()};Apple;iPhone 13;10;caf\xe9\n${newImei()};Apple;iPhone 13;11;th\xe9\n`, 'latin1'),
    header_row: 'none',
  })
  await change(greek, { encoding: 'windows-1253' })
  await change(greek, { encoding: 'utf-16le' })
  await change(greek, {
    mapping: [
      { column: 3, field: 'purchase_price' },
      { column: 4, field: 'further' },
    ],
    defaults: { category: 'Phone', make: 'Apple', supplier: 'Twin' },
  })
  await change(greek, { values: [{ field: 'supplier', seen: 'Twin', means: `Twin #${twin}` }] })
  await commit(greek)

  tape.title('Phones that name no product: that of their TAC is proposed')
  const known = (await query(`select left(imei, 8) as tac from stock where imei is not null order by id limit 1`))[0]
    .tac
  const tac = await preview({ csv: fileOf('imei,purchase_price', `${newImei()},10`) })
  await change(tac, { values: [{ field: 'product', seen: known, means: String(shop.product) }] })
  await user.get(`${BASE}/${tac}/rows`)

  tape.title('Other imports and a preview that waits meanwhile; a plan that breaks off')
  await uploadPreview(other, { csv: fileOf('imei', newImei()) })
  const theirs = await uploadCsv(other, {
    csv: fileOf('imei,make,model,category,purchase_price', `${newImei()},Apple,iPhone 13,Phone,1`),
  })
  await tape.act('the other import runs', () => applyImport(tape.t, theirs.body.data.import_id))
  await user.get(BASE)
  await user.patch(`${BASE}/${tac}`, { update_existing: false })
  await user.post(`${BASE}/${tac}/commit`)
  const plan = async () => ({
    import_id: tac,
    plan_no: (await query('select plan_no from import where id = $1', [tac]))[0].plan_no,
  })
  const stopped = await plan()
  await tape.act('an older plan is given up', () =>
    tape.t.db.write((tx) => endPlan(tx, { ...stopped, plan_no: 1 }, BROKEN_OFF.plan)),
  )
  await tape.act('the plan is given up', () => tape.t.db.write((tx) => importGiveUps.import_plan(tx, stopped)))
  await user.get(BASE)
  await user.post(`${BASE}/${tac}/commit`)

  tape.title('Columns that tick, say the opposite, hold shares or several kinds of identifiers')
  const ticks = await preview({
    csv: fileOf(
      'IMEI or Serial No;Make;Model;Category;Price;Unlocked;Battery;Defekt;Datum;Location',
      `${newImei()};Apple;iPhone 13 128GB;Phone;10,00;x;1;no;13.02.2001;A`,
      `${newImei()};Apple;iPhone 13 128GB;Phone;11,00;;0,87;yes;14.02.2001;B`,
      'A0000087654321;Apple;iPhone 13 128GB;Phone;12,00;x;;;;',
      `${'8'.repeat(32)};Apple;iPhone 13 8GB;Phone;12,00;x;;;;`,
      'C02XK1ZJJG5H;;iPhone 13;Phone;€ 12,00;x;;;;',
    ),
  })
  await user.get(`${BASE}/${ticks}/rows`)
  await tape.act('a plan that has been made is given up', () =>
    tape.t.db.write((tx) => importGiveUps.import_plan(tx, { import_id: ticks, plan_no: 1 })),
  )
  await tape.act('the preview is a day old', () =>
    query(`update import set touched_at = now() - interval '25 hours' where id = $1`, [ticks]),
  )
  await user.get(BASE)
  await user.get(`${BASE}/${ticks}`)
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
