import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { readSheet } from '../../testing/sheet.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let admin: Client
let user: Client
let silent: Client
let shop: Shop
const vat = { high: 0, exempt: 0 }
const customers = { home: 0, german: 0, nameless: 0 }

beforeAll(async () => {
  tape = await openTape()
  shop = await openShop(tape.t.db)
  admin = await tape.person('Admin', 'ROLE_ADMIN')
  user = await tape.person('Person')
  silent = await tape.t.user('ROLE_ADMIN')
  await silent.post('/api/company/edit', {
    country_code: 'NL',
    postal_code: '1012 AB',
    vat_number: 'NL810433941B01',
    margin_rate: 21,
  })
  vat.high = await idOf('vat', { name: 'High', rate: 21 })
  vat.exempt = await idOf('vat', { name: 'Free', rate: 0, treatment: 'exempt', exemption_text: 'Article 132' })
  const customer = (last_name: string, country_code: string, vat_number: string | null, more: object = {}) =>
    idOf('customer', {
      ...{ first_name: 'Bea', last_name, email: 'bea@example.test', vat_number, ...more },
      billing_address: { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code },
    })
  customers.home = await customer('Łodziński; =1+1', 'NL', null)
  customers.german = await customer('Müller „GmbH“', 'DE', 'DE 136695976', { company_name: '=Müller' })
  customers.nameless = await customer('None', 'DE', 'DE136695977')
  // The documents of this shop are of days and years long ago, so that they are the same on every day.
  await query('alter table document disable trigger kept')
  await tape.forgetChanges()
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => {
  const { rows } = await tape.t.db.pool.query(text, values)
  await tape.forgetChanges()
  return rows
}
async function idOf(area: string, input: object): Promise<number> {
  const { body } = await silent.post(`/api/${area}/create`, input)
  await tape.forgetChanges()
  return body.data.id
}
type Line = {
  price: number
  cost?: number
  vat_id?: number
  purchase?: 'unknown' | 'standard' | 'margin'
  supplier_id?: number
}
type Sold = { id: number; items: number[] }
/** Makes a sale with an invoice, and dates the invoice to this day. */
async function sold(lines: Line[], day: string, customer_id = customers.home, more: object = {}): Promise<Sold> {
  const items: number[] = []
  for (const { cost = 0, vat_id = vat.high, purchase = 'standard', supplier_id = null } of lines)
    items.push(
      ...(await stockItems(tape.t.db, shop, 1, {
        ...{ purchase_price: cost, vat_id, supplier_id },
        ...{ purchase_treatment: purchase, purchase_date: '2001-01-05' },
      })),
    )
  const stock_items = items.map((id, n) => ({ id, sales_price: lines[n]!.price }))
  const { status, body } = await silent.post('/api/sale/create', {
    stock_items,
    customer_id,
    create_invoice: true,
    send_email: false,
    ...more,
  })
  expect(status, body.message).toBe(201)
  await issue(body.data.id, day)
  return { id: body.data.id, items }
}
/** Dates the newest document of a sale to this day and its year. */
const issue = (sale: number, day: string) =>
  query(
    `update document set issued_on = $2::date, year = extract(year from $2::date) where id = (select max(id) from document where sale_id = $1)`,
    [sale, day],
  )
async function returned(sale: Sold, at: number, day: string, price: number | null = null): Promise<void> {
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await silent.post(`/api/sale/${sale.id}/edit`, { status })
  const body = { customer_id: customers.home, items: [{ id: sale.items[at], price }], received: true }
  expect((await silent.post('/api/return/create', body)).status).toBe(201)
  await issue(sale.id, day)
}
const JANUARY = 'from=2001-01-01&to=2001-01-31'
const get = (path: string) => admin.get(`/api/accounting${path}`)
const edit = (body: object) => admin.post('/api/accounting/settings/edit', body)

test('the books: the answers and the rows that they leave', async () => {
  await settings()
  await books()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

async function settings(): Promise<void> {
  tape.title('The settings: read, refused in many ways, by others')
  await get('/settings')
  await user.get('/api/accounting/settings')
  await user.post('/api/accounting/settings/edit', { client_number: 1 })
  await user.get('/api/accounting')
  await edit({
    consultant_number: 1,
    client_number: 0,
    fiscal_month: 13,
    account_length: 9,
    debtor_account: 'x',
    bank_account: -1,
  })
  await edit({
    revenue_accounts: [{ treatment: 'x', rate: 101, account: 'x' }],
    margin_accounts: [{ rate: 0, account: 1 }],
    credit_accounts: [{ treatment: 'x', account: 1 }],
  })
  await edit({
    account_length: 4,
    debtor_account: 123_456,
    creditor_account: 123_456,
    debtor_first: 123_456,
    debtor_last: 12_345,
    bank_account: 12_345,
  })
  await edit({ debtor_first: 20_000 })
  await edit({ debtor_last: 20_000 })
  await edit({
    revenue_accounts: [
      { treatment: 'zero', rate: 5, account: 8400 },
      { treatment: 'standard', rate: 21, account: 84_000 },
    ],
    margin_accounts: [{ rate: 21, account: 84_000 }],
    credit_accounts: [{ treatment: 'margin', account: 84_000 }],
  })
  tape.title('Filled, the same again, one account more and one taken away, a shorter length, stale')
  const { body } = await edit({
    consultant_number: '1001',
    client_number: 7,
    fiscal_month: 4,
    account_length: 5,
    revenue_accounts: [
      { treatment: 'standard', rate: 21, account: 84_000 },
      { treatment: 'standard', rate: 21, account: 84_001 },
      { treatment: 'export', rate: 0, account: 81_200 },
    ],
    margin_accounts: [{ rate: 21, account: 82_000 }],
    credit_accounts: [{ treatment: 'margin', account: 37_000 }],
  })
  await admin.patch('/api/accounting/settings/edit', { client_number: 7, updated_at: body.data.updated_at })
  await edit({
    revenue_accounts: [
      { treatment: 'export', rate: 0, account: null },
      { treatment: 'standard', rate: 23, account: 84_002 },
    ],
    margin_accounts: [
      { rate: 21, account: null },
      { rate: 9, account: 82_001 },
    ],
    credit_accounts: [{ treatment: 'margin', account: null }],
  })
  await edit({ account_length: 4 })
  await edit({ fiscal_month: 1, updated_at: '2001-01-01T00:00:00.000Z' })
  await edit({ debtor_account: '', revenue_accounts: [], fiscal_month: 1 })
}

async function books(): Promise<void> {
  const supplier = await idOf('supplier', { company_name: 'Palettes SA' })
  const margin: Line = { price: 30_000, cost: 20_000, purchase: 'margin', supplier_id: supplier }
  const mixed = await sold([{ price: 10_001 }, { price: 5000, vat_id: vat.exempt }, margin], '2001-01-10')
  await sold([{ price: 20_000 }], '2001-01-31', customers.german)
  const lost = await sold(
    [{ price: 10_000, cost: 15_000, purchase: 'margin' }, margin],
    '2001-01-10',
    customers.german,
    { includeVat: true },
  )
  await sold([{ price: 7000 }], '2001-02-01')
  const abroad = await sold([{ price: 9000 }], '2001-01-20', customers.nameless)
  await query(`update document set buyer_vat_number = null, number = 9 where sale_id = $1`, [abroad.id])
  await returned(mixed, 0, '2001-01-15')
  await returned(mixed, 2, '2001-01-16', 25_000)
  for (const [sale, paid_on, amount] of [
    [mixed.id, '2001-01-12', 20_000],
    [lost.id, '2001-01-11', 100],
    [mixed.id, '2001-01-13', -500],
  ] as const)
    await silent.post(`/api/sale/${sale}/pay`, { paid_on, amount, note: 'Transfer' })
  const [late] = await stockItems(tape.t.db, shop, 1, {
    purchase_date: '2001-01-07',
    purchase_treatment: 'margin',
    purchase_price: 1000,
  })
  await query(`update stock set status = 'Deleted', in_hand = false where id = $1`, [late])
  const columns = { supplier_id: supplier, purchase_treatment: 'margin', purchase_date: '2001-01-05' } as const
  const phones = await stockItems(tape.t.db, shop, 1, { ...columns, vat_id: vat.high })
  const claimed = { supplier_id: supplier, reference: 'RMA=1', items: phones, reason: 'Scratches' }
  const { body } = await silent.post('/api/supplier-claim/create', claimed)
  expect(body.message).toContain('created')
  const claim = body.data.id
  await silent.post(`/api/supplier-claim/${claim}/send`, {})
  const end = { settled_on: '2001-01-25', credit_received: 2000, items_back: true }
  const settled = await silent.post(`/api/supplier-claim/${claim}/settle`, end)
  expect([settled.status, settled.body.message]).toEqual([200, expect.any(String)])
  const stock_items = phones.map((id) => ({ id, sales_price: 33_000 }))
  const resold = await silent.post('/api/sale/create', {
    stock_items,
    customer_id: customers.home,
    create_invoice: true,
    send_email: false,
  })
  await issue(resold.body.data.id, '2001-01-18')
  await silent.post(`/api/supplier-claim/${claim}/edit`, { credit_received: 5000 })
  await query(`alter table supplier_credit disable trigger all; alter table purchase_correction disable trigger all;
    update supplier_credit set booked_on = '2001-01-25'; update purchase_correction set booked_on = '2001-01-25'`)
  // The stock that the shop had long ago. Its days are those of UTC, and the hour of this run decides how far the company's
  // are from them, so no row is of a day beside the end of the month.
  await query(`insert into stock_day (day, status, held, n, cost) values
    ('2001-01-02', 'In Stock', true, 3, 60000), ('2001-01-29', 'Sold', true, 1, 15000),
    ('2001-01-29', 'Inbound', true, 2, 7000)`)

  tape.title('The figures of a month, of another one, and of one that has not begun')
  await get(`?${JANUARY}`)
  await get('?from=2001-02-01&to=2001-02-28')
  await get('?from=9998-01-01&to=9998-01-31')
  await get('?from=2001-01-31&to=2001-01-01')
  await get('?from=x')
  tape.title('The documents of the month')
  await get(`/documents?${JANUARY}&per_page=3`)
  await get(`/documents?${JANUARY}&per_page=3&page=2`)
  tape.title('The files: the documents, suppliers’ credits, an index of the archive, the Excel sheets')
  await get(`/csv?${JANUARY}`)
  await get('/csv?from=2001-01-02&to=2001-01-31')
  await get(`/supplier-credits/csv?${JANUARY}`)
  await get('/zip?from=2001-02-01&to=2001-02-28')
  await user.get(`/api/accounting/csv?${JANUARY}`)
  const { raw } = await get(`/excel?${JANUARY}`)
  for (const nth of [1, 2, 3, 4, 5, 6, 7, 8]) {
    tape.line(headOf(raw, nth))
    for (const row of readSheet(raw, nth).rows.slice(1)) tape.line(`    ${cellsOf(row)}`)
  }
  tape.title('A file for DATEV: what it lacks, then the file, without and with payments and accounts of margins')
  await get(`/datev?${JANUARY}`)
  await edit({ debtor_account: 100_000 })
  const treatments = ['exempt', 'margin', 'intra_community', 'zero', 'reverse_charge', 'export'] as const
  await silent.post('/api/accounting/settings/edit', {
    revenue_accounts: treatments.map((treatment, n) => ({ treatment, rate: 0, account: 81_000 + n })),
  })
  await tape.forgetChanges()
  await get(`/datev?${JANUARY}`)
  await edit({
    creditor_account: 700_000,
    credit_accounts: [
      { treatment: 'margin', account: 37_000 },
      { treatment: 'standard', account: 37_001 },
      { treatment: 'unknown', account: 37_002 },
    ],
  })
  await get(`/datev?${JANUARY}`)
  await silent.post('/api/accounting/settings/edit', {
    bank_account: 12_000,
    margin_accounts: [{ rate: 21, account: 82_000 }],
    debtor_first: 100_001,
    debtor_last: 100_050,
    fiscal_month: 4,
  })
  await tape.forgetChanges()
  await get(`/datev?${JANUARY}`)
  await get('/datev?from=2001-03-01&to=2001-04-30')
  tape.title('The margin of a whole period')
  await silent.post('/api/company/edit', { margin_method: 'period' })
  await tape.forgetChanges()
  const { margin_period, margin: counted } = (await silent.get(`/api/accounting?${JANUARY}`)).body.data
  tape.line(`  ${JSON.stringify({ margin_period, counted })}`)
  tape.line(headOf((await silent.get(`/api/accounting/excel?${JANUARY}`)).raw, 3))
  await get(`/datev?${JANUARY}`)
}

/** The cells of a row. The year of this run, in the number of an invoice, is left out. */
const cellsOf = (row: readonly unknown[]) =>
  row
    .join(' | ')
    .replace(/[ |]+$/, '')
    .replace(/\b20[2-9]\d(?=-\d{5}\b)/g, 'YEAR')

/** The name of a sheet of an Excel file, and the heads of its columns. */
function headOf(xlsx: Buffer, nth: number): string {
  const { name, rows } = readSheet(xlsx, nth)
  return `  ${name}: ${rows[0]!.filter((head) => head !== null).join(' | ')}`
}
