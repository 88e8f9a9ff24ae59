import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { importCsv } from '../../testing/csv-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { receiptGiveUps } from './render.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let shop: Shop

beforeAll(async () => {
  tape = await openTape({ isBrief: true })
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => (await tape.t.db.pool.query(text, values)).rows
const today = async (days = 0) =>
  (await query('select ((now() at time zone time_zone)::date + $1::int)::text as day from company', [days]))[0].day
const items = (n: number, columns: object = {}) =>
  stockItems(tape.t.db, shop, n, { purchase_treatment: 'margin', ...columns }) as Promise<[number, number, number]>

const ANNA = { name: 'Anna de Vries', address_1: 'Dorpsstraat 1', city: 'Ede', country_code: 'NL' }
const NO_TOKEN = '0'.repeat(64)

test('purchase receipts: the answers and the rows that they leave', async () => {
  await query(`update company set country_code = 'NL', tax_number = 'T1', registration = 'KvK 1', phone = '1'`)
  const supplier = async (fields: object) => (await user.post('/api/supplier/create', fields)).body.data.id
  const counter = await supplier({
    company_name: 'Counter',
    receipt_kind: 'private',
    first_name: 'Jan',
    last_name: 'Smit',
  })
  const dealer = await supplier({
    ...{ company_name: 'Used Phones BV', receipt_kind: 'self_billed', country_code: 'BE', vat_number: 'BE0428759497' },
  })
  const bare = await supplier({ company_name: 'Bare BV', receipt_kind: 'self_billed' })
  const invoicing = await supplier({ company_name: 'Invoicing BV' })

  tape.title('What a receipt of chosen items would say')
  const propose = async (what: string) => (await user.get(`/api/purchase-receipt/proposal?${what}`)).body.data?.token
  const [a, b] = await items(3, { supplier_id: counter, purchase_date: await today(-3), grade_id: 1 })
  const [loose] = await items(1, { serial_number: 'SN-1' })
  const [d, e] = await items(2, { supplier_id: dealer, purchase_price: 12_345, purchase_date: await today(-3) })
  const [other] = await items(1, { supplier_id: dealer, purchase_date: await today(5) })
  const [foreign] = await items(1, { supplier_id: dealer, purchase_currency: 'USD', fx_rate: 1.1 })
  const [plain] = await items(1, { supplier_id: bare })
  const [own] = await items(1, { supplier_id: invoicing })
  const [deleted] = await items(1, { supplier_id: counter, status: 'Deleted', in_hand: false })
  const [free] = await items(1, { supplier_id: counter, purchase_price: 0 })
  const treated = []
  for (const purchase_treatment of ['unknown', 'standard', 'reverse_charge', 'intra_community', 'import'] as const)
    treated.push((await items(1, { supplier_id: counter, purchase_treatment }))[0])
  await tape.forgetChanges()
  await propose('')
  await propose('ids=')
  await propose('ids=999')
  await propose(`ids=${[deleted, free, own, ...treated]}`)
  await propose(`ids=${deleted}&supplier_id=x`)
  const all = [a, b, loose, d, e, other, foreign, plain, own, deleted, free, ...treated]
  await propose(`ids=${all}`)
  await propose(`ids=${all}&supplier_id=${counter}`)
  await propose(`ids=${all}&supplier_id=0`)
  await propose(`ids=${all}&supplier_id=${plain}99`)
  await propose(`ids=${d},${e}`)
  await query('insert into basket (user_id, items) values ($1, $2)', [user.id, [b, loose]])
  await tape.forgetChanges()
  await propose('basket=1')
  await propose('import_id=999')

  tape.title('A receipt: refused')
  const token = await propose(`ids=${a},${b}`)
  const base = { items: [b, a], seller: ANNA, bought_on: await today(-1), paid_by: 'cash', lang: 'nl', token }
  const create = (more: object) => user.post('/api/purchase-receipt/create', { ...base, ...more })
  await user.post('/api/purchase-receipt/create', {})
  await create({
    ...{ items: 'x', bought_on: 'x', paid_by: 'x', lang: 'x', token: 'x' },
    seller: {
      name: '',
      country_code: 'XX',
      postal_code: 'x'.repeat(21),
      vat_number: 1,
      identity_kind: 'x',
      identity_end: 'x'.repeat(9),
    },
  })
  await create({ seller: { ...ANNA, country_code: null, identity_kind: 'passport' } })
  await create({ seller: { ...ANNA, identity_end: '1' } })
  await create({ seller: { ...ANNA, address_1: ' ' } })
  await create({ items: [] })
  await create({ items: [a, 998, 999] })
  await create({ items: [a, deleted, own, ...treated] })
  await create({ items: [a, d] })
  await create({ items: [d, foreign] })
  await create({ token: NO_TOKEN })
  await create({ items: [a] })
  await create({ bought_on: await today(1) })

  tape.title('A receipt of a private person, with a document of identity')
  const first = (
    await create({
      items: [b, a, b],
      seller: {
        ...{ ...ANNA, address_2: 'Floor 2', postal_code: '1234 AB', state: 'Gelderland', vat_number: 'NL000099998B57' },
        ...{ identity_kind: 'passport', identity_end: '77X1' },
      },
    })
  ).body.data.id
  await create({})
  await user.get(`/api/purchase-receipt/find?id=${first}`)
  await user.get('/api/purchase-receipt/find?id=999')
  await user.get(`/api/stock/find?id=${a}`)

  tape.title('A receipt without a supplier, and those of dealers')
  await create({ items: [loose], token: await propose(`ids=${loose}`), paid_by: '', lang: 'en' })
  const own1 = { ...ANNA, name: 'Used Phones BV', postal_code: '1000', city: 'Brussel', country_code: 'BE' }
  const billed = (
    await create({
      ...{ items: [e, d], token: await propose(`ids=${d},${e}`), paid_by: 'transfer', lang: 'fr' },
      seller: { ...own1, vat_number: 'be 0428759497', identity_kind: 'passport', identity_end: '1' },
    })
  ).body.data
  await propose(`ids=${other}`)
  await propose(`ids=${foreign}`)
  await create({
    items: [foreign],
    token: await propose(`ids=${foreign}`),
    seller: { ...own1, vat_number: 'BE0428759497' },
  })
  await create({
    items: [plain],
    token: await propose(`ids=${plain}`),
    seller: { ...own1, vat_number: '' },
    paid_by: undefined,
  })
  await user.get(`/api/log/find?loggable_type=Supplier&loggable_id=${dealer}`)

  tape.title('A supplier that issues invoices meanwhile')
  const [late] = await items(1, { supplier_id: bare })
  await tape.forgetChanges()
  const seen = await propose(`ids=${late}`)
  await user.post(`/api/supplier/${bare}/edit`, { receipt_kind: 'private' })
  await create({ items: [late], token: seen })
  await user.post(`/api/supplier/${bare}/edit`, { receipt_kind: null })
  await create({ items: [late], token: seen })

  tape.title('The items of an import: those that it made')
  const csv = (rows: string[]) => ['imei,make,model,category,purchase_price,supplier,purchase_vat', ...rows].join('\n')
  const imei = newImei()
  const made = await importCsv(tape.t, user, {
    csv: csv([
      `${imei},Apple,iPhone 13,Phone,210,Counter,margin`,
      `${newImei()},Apple,iPhone 13,Phone,0,Counter,margin`,
    ]),
  })
  await propose(`import_id=${made.id}`)
  const changed = await importCsv(tape.t, user, { csv: csv([`${imei},,,,211,,`]), update_existing: '1' })
  await propose(`import_id=${changed.id}`)

  tape.title('A receipt is cancelled, and its items are free')
  const cancel = (id: number, body: object = { reason: 'Came back' }) =>
    user.post(`/api/purchase-receipt/${id}/cancel`, body)
  await cancel(first, {})
  await cancel(999)
  await query('update stock set purchase_price = 1 where id = $1', [a])
  await query(`update stock set purchase_currency = 'USD', fx_rate = 1.2 where id = $1`, [b])
  await tape.forgetChanges()
  const { id: cancelled } = (await cancel(first)).body.data
  await cancel(cancelled)
  await cancel(6)
  await user.get('/api/purchase-receipt/find?id=6')
  await propose(`ids=${a},${b}`)
  await user.get(`/api/log/find?loggable_type=Stock&loggable_id=${a}`)

  tape.title('Copies in other languages, and files that could not be made')
  const print = (id: number, body: object) => user.post(`/api/purchase-receipt/${id}/print`, body)
  await print(first, {})
  await print(first, { lang: 'xx' })
  await print(999, { lang: 'en' })
  await print(first, { lang: 'de' })
  await print(first, { lang: 'de' })
  await tape.act('the job of the copy is given up', () =>
    tape.t.db.write((tx) => receiptGiveUps.receipt_render(tx, { receipt_id: first, lang: 'de' })),
  )
  await tape.act('all jobs of a receipt are given up', () =>
    tape.t.db.write((tx) => receiptGiveUps.receipt_render(tx, { receipt_id: billed.id })),
  )
  await print(first, { lang: 'de' })
  await print(billed.id, { lang: 'fr' })
  await user.get(`/api/purchase-receipt/${first}/pdf`)
  await user.get(`/api/purchase-receipt/${first}/pdf?lang=de&view`)
  await user.get(`/api/purchase-receipt/${first}/pdf?lang=it`)
  await user.get(`/api/purchase-receipt/${first}/pdf?lang=xx`)
  await user.get('/api/purchase-receipt/999/pdf')

  tape.title('The list of receipts')
  // Receipts never change, so the triggers that say so rest meanwhile.
  await query(`
    begin; set local session_replication_role = replica;
    update purchase_receipt set issued_on = issued_on - (id * 7 % 5)::int; commit`)
  await tape.forgetChanges()
  for (const find of [
    '',
    'order_by=issued_on_asc',
    'order_by=total_desc&per_page=2&page=2',
    'kind=self_billed',
    'kind=self_billed,private',
    'kind=public',
    `supplier_id=${counter},${bare}&order=id_asc`,
    `stock_id=${a},${loose}`,
    `from=${await today(-3)}&to=${await today(-2)}`,
    'from=x&to=2001-02-30',
    'search=anna',
    'search=SN-1',
    'search=00003',
    'search=used phones&quick=1',
    'ids=2,1',
    'order_by=number_asc',
  ])
    await user.get(`/api/purchase-receipt/find?${find}`)
  await user.post(`/api/purchase-receipt/${first}/edit`, {})
  await user.delete(`/api/purchase-receipt/${first}/delete`)
  await user.get(`/api/supplier/find?id=${counter}`)
  await user.delete(`/api/supplier/${bare}/delete`)
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
