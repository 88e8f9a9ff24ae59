import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { putSaleFile } from '../document/sale-file.ts'
import { giveUpSheet, renderSheet } from './files/render-sheet.ts'

// The answers of the server and the rows that it writes, compared with a text. `npm run words` stores them anew.

let tape: Tape
let user: Client
let silent: Client
let shop: Shop
let irish: number
let today: string

beforeAll(async () => {
  tape = await openTape()
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  silent = await tape.t.user()
  irish = await customer('Burke', { company_name: 'Burke Ltd', lang: 'nl', vat_number: 'IE6388047V' })
  today = (await query('select (now() at time zone time_zone)::date::text as day from company'))[0].day
  // The rules of a new installation end on a date.
  await query('delete from reverse_charge_rule')
})
afterAll(() => tape.close())

const query = async (text: string, values: unknown[] = []) => {
  const { rows } = await tape.t.db.pool.query(text, values)
  await tape.forgetChanges()
  return rows
}
async function customer(last_name: string, more: object = {}): Promise<number> {
  const billing_address = { address_1: '1 Street', city: 'Town', postal_code: 'T12', country_code: 'IE' }
  const named = { first_name: 'Bea', last_name, email: `${last_name.toLowerCase()}@example.test`, billing_address }
  return (await silent.post('/api/customer/create', { ...named, ...more })).body.data.id
}
type Sold = { id: number; items: number[] }
async function sold(n: number, options: object = {}, columns: Parameters<typeof stockItems>[3] = {}): Promise<Sold> {
  const items = await stockItems(tape.t.db, shop, n, { vat_id: shop.vat.standard, ...columns })
  const { status, body } = await silent.post('/api/sale/create', {
    stock_items: items.map((id) => ({ id })),
    ...{ customer_id: irish, create_invoice: false, send_email: false, ...options },
  })
  expect([status, body.message]).toEqual([201, expect.any(String)])
  await tape.forgetChanges()
  return { id: body.data.id, items }
}
async function put(id: number, ...statuses: string[]): Promise<void> {
  for (const status of statuses) await silent.post(`/api/sale/${id}/edit`, { status })
  await tape.forgetChanges()
}

testInTurn('sales, their payments, lists and files: the answers and the rows that they leave', async () => {
  await payments()
  await lists()
  await facts()
  await files()
  await papers()
  await expect(tape.text()).toMatchFileSnapshot('record-answers.txt')
})

async function payments(): Promise<void> {
  const pay = (id: number, body: object, headers?: Record<string, string>) =>
    user.post(`/api/sale/${id}/pay`, body, headers)
  const undo = (id: number, payment: number) => user.post(`/api/sale/${id}/payment/${payment}/undo`)
  tape.title('Payments that are refused')
  const one = await sold(1)
  await pay(one.id, {})
  await pay(one.id, { paid_on: 'x', amount: 0, note: 'x'.repeat(256), open_amount: 'x' })
  await pay(one.id, { paid_on: today, amount: 9_999_999_999_999 })
  await pay(one.id, { paid_on: '9999-12-31', amount: 1 })
  await pay(one.id, { paid_on: today, open_amount: 36_901 })
  await pay(one.id, { paid_on: today, amount: -1 })
  await pay(99, { paid_on: today })
  tape.title('A part; then more than is open; a refund that is more than was due; a refund of the rest')
  await pay(one.id, { paid_on: '2001-02-03', amount: '10000', note: ' By card ' })
  await pay(one.id, { paid_on: today, amount: 30_000, open_amount: 26_900 })
  await pay(one.id, { paid_on: today, amount: -5_000 })
  await pay(one.id, { paid_on: today, amount: -35_001 })
  await pay(one.id, { paid_on: today })
  await pay(one.id, { paid_on: today })
  tape.title('Reversed: a payment, a refund; not twice, not a reversal, not if its money has gone back')
  await undo(one.id, 3)
  await undo(one.id, 3)
  await undo(one.id, 5)
  await undo(one.id, 99)
  await undo(99, 1)
  const other = await sold(1)
  await undo(other.id, 1)
  await query(
    'alter table payment disable trigger kept; update payment set paid_on = null where id = 1; alter table payment enable trigger kept',
  )
  await undo(one.id, 1)
  await pay(other.id, { paid_on: today, amount: 500 })
  await pay(other.id, { paid_on: today, amount: -500, note: 'Back' })
  const [{ id: last }] = await query('select max(id) as id from payment')
  await undo(other.id, last - 1)
  tape.title(
    'Paid: a sale that awaits its payment, with a draft of an invoice; one that is dispatched; twice with one key',
  )
  const waiting = await sold(1, { create_invoice: true, send_email: true })
  await put(waiting.id, 'Awaiting Payment')
  await pay(waiting.id, { paid_on: today, amount: 36_900 }, { 'idempotency-key': 'one' })
  await pay(waiting.id, { paid_on: today, amount: 36_900 }, { 'idempotency-key': 'one' })
  await undo(waiting.id, last + 1)
  const removed = await sold(1, { create_invoice: true })
  await query(`update document set status = 'none' where sale_id = $1`, [removed.id])
  await pay(removed.id, { paid_on: today, amount: 100 })
  const sent = await sold(1)
  await put(sent.id, 'Awaiting Dispatch', 'Dispatched')
  await pay(sent.id, { paid_on: today })
}

const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).join(', ')

async function lists(): Promise<void> {
  const bob = await customer('Able', { first_name: 'Bob' })
  const named = async (options: object, prices: number[], columns: object = {}) => {
    const items = await stockItems(tape.t.db, shop, prices.length, { vat_id: shop.vat.standard, ...columns })
    const stock_items = items.map((id, n) => ({ id, sales_price: prices[n] }))
    const body = { create_invoice: false, send_email: false, customer_id: irish, stock_items, ...options }
    return (await silent.post('/api/sale/create', body)).body.data.id as number
  }
  const first = await named({ reference_number: 'A10' }, [20_000], { purchase_price: 30_000 })
  const second = await named({ reference_number: 'A9', customer_id: bob, create_invoice: true }, [50_000, 1_000])
  const third = await named({}, [10_000], { imei: '350000900000034', purchase_price: 100 })
  const fourth = await named({ reference_number: 'A11' }, [40_000], { serial_number: 'SERIAL7', imei: null })
  await put(fourth, 'Voided')
  await put(second, 'Awaiting Dispatch', 'Dispatched')
  await silent.post(
    `/api/sale/${second}/return-item/${(await query('select min(stock_id) as id from sale_item where sale_id = $1', [second]))[0].id}`,
  )
  await silent.post(`/api/sale/${first}/pay`, { paid_on: '2001-01-01', amount: 100 })
  await query(`update sale set due_on = '2001-01-01' where id = $1`, [first])
  const made = (id: number, at: string) =>
    query(`update sale set created_at = $2::timestamp at time zone time_zone from company where sale.id = $1`, [id, at])
  await made(first, '2001-01-07 23:59:59')
  await made(second, '2001-01-08 00:00')
  await made(third, '2001-01-01 00:00')
  await made(fourth, '2001-01-15 00:00')
  const all = [first, second, third, fourth]
  const find = (text: string) => user.get(`/api/sale/find?${text}`)
  tape.title('The list: whole rows, a page, in each order')
  await find(`ids=${all.join(',')}`)
  for (const order of [
    'id_asc',
    'reference_number_asc',
    'reference_number_desc',
    'total_purchase_price_asc',
    'total_sales_price_desc',
    'created_at_asc',
  ])
    tape.line(`${order}: ${ids((await silent.get(`/api/sale/find?ids=${all.join(',')}&order=${order}`)).body.data)}`)
  await find(`ids=${all.join(',')}&order=total_purchase_price_desc&per_page=1&page=2`)
  await find(`customer_id=${bob}&ajax_id=${first}&quick=1`)
  await find(`customer_id=${bob},99&ajax_id=${first}&quick=1&page=2`)
  await find(`ids=&quick=1`)
  await find('order=name_asc&status=Gone&payment=x&week=2001-01-02&from=x&period=x&ids=x')
  tape.title('Filters, with the sums of what they find')
  const some = async (text: string) => {
    tape.line(`${text}: ${ids((await silent.get(`/api/sale/find?${text}&order=id_asc&per_page=100`)).body.data)}`)
    tape.line(`  ${JSON.stringify((await silent.get(`/api/sale/sums?${text}`)).body.data)}`)
  }
  for (const status of ['New', 'Voided', 'Dispatched,New']) await some(`status=${status}`)
  for (const state of ['Open', 'Partly paid', 'Overdue', 'Paid', 'Refund due', 'Nothing due', 'Overdue,Nothing due'])
    await some(`payment=${state}`)
  for (const text of [
    'week=2001-01-01',
    'week=2001-01-08',
    'from=2001-01-08&to=2001-01-14',
    'to=2001-01-07',
    `ids=${all}`,
  ])
    await some(text)
  for (const text of [
    'a1',
    'burke',
    'bob',
    '35000090000003',
    'serial7',
    'iphone',
    'iphone bob',
    'iphone 64',
    `${third}`,
  ])
    await some(`search=${text}&customer_id=${irish},${bob}&to=2001-01-31`)
  await user.get(`/api/sale/sums?ids=${all.join(',')}&search=apple`)
  await user.get(`/api/sale/sums?status=x`)
  tape.title('Named periods: a sale before each, its first one, its last one, and one after it')
  const units = {
    today: 'day',
    'this-week': 'week',
    'this-month': 'month',
    'this-quarter': 'quarter',
    'this-year': 'year',
  }
  const lengths = { day: '1 day', week: '7 days', month: '1 month', quarter: '3 months', year: '1 year' }
  for (const [name, unit] of Object.entries(units))
    for (const isLast of [false, true]) {
      const length = lengths[unit as keyof typeof lengths]
      await query(
        `update sale set created_at = case id when $1 then start - interval '1 ms' when $2 then start
          when $3 then start + $6::interval - interval '1 ms' else start + $6::interval end at time zone time_zone
        from company, lateral (select date_trunc($5, now() at time zone time_zone) - case when $7 then $6::interval
          else '0' end as start) period where sale.id in ($1, $2, $3, $4)`,
        [...all, unit, length, isLast],
      )
      const period = isLast ? (name === 'today' ? 'yesterday' : name.replace('this', 'last')) : name
      tape.line(`${period}: ${ids((await silent.get(`/api/sale/find?ids=${all}&period=${period}`)).body.data)}`)
    }
  tape.line(`two: ${ids((await silent.get(`/api/sale/find?ids=${all}&period=last-year,this-year`)).body.data)}`)
  tape.title('A whole sale that is paid in part, lost an item, and has a spreadsheet, a label and an uploaded invoice')
  await user.get(`/api/sale/find?id=${second}`)
  await user.get('/api/sale/find?id=999')
}

async function facts(): Promise<void> {
  const tell = (body: object) => user.post('/api/sale/tax-facts', body)
  tape.title('The facts that decide the VAT of a draft')
  const category = (
    await query(`insert into category (name, is_reverse_charge_good) values ('T', true) returning id`)
  )[0].id
  const product = (
    await query(
      `insert into product (make_id, category_id, model, display_name) values (1, $1, 'iPad', 'Apple iPad') returning id`,
      [category],
    )
  )[0].id
  const items = await stockItems(tape.t.db, shop, 1, { actual_product_id: product, vat_id: shop.vat.standard })
  const plain = await stockItems(tape.t.db, shop, 1)
  await tell({ items: [...items, ...plain, ...items, 999] })
  await tell({ items: 'x', sale_id: 'x' })
  await query(
    `insert into reverse_charge_rule (country_code, valid_from, valid_to, threshold, resellers_any, series)
    values ('IE', '2001-01-01', '2099-01-01', 500, false, 'RC'), ('NL', '2001-01-01', null, null, false, null)`,
  )
  await query('update company set margin_rate = 2300')
  await tell({ items: `${items[0]},${plain[0]}` })
  tape.title('The facts of the day of a sale, of its dispatch, and of a sale that has not stored them')
  const sale = await sold(1, {}, { actual_product_id: product, purchase_treatment: 'standard' })
  const untyped = await sold(1, {}, { vat_id: null })
  await tell({ items: [], sale_id: sale.id })
  await tell({ items: [], sale_id: untyped.id })
  await query(`update company set vat_number = null, country_code = 'NL', margin_rate = null`)
  await tell({ items: [], sale_id: sale.id })
  await query(`update sale set dispatched_on = '2000-12-31' where id = $1`, [sale.id])
  await tell({ items: [], sale_id: sale.id })
  await query(
    `update sale set treatment_route = jsonb_set(treatment_route, '{seller}', '{"country_code": null, "vat_number": null}') where id = $1`,
    [sale.id],
  )
  await tell({ items: [], sale_id: sale.id })
  await query('update sale set treatment_route = null where id = $1', [sale.id])
  await tell({ items: [], sale_id: sale.id })
  await tell({ items: [], sale_id: 999 })
  await query(`update company set vat_number = 'IE1234567T', country_code = 'IE'`)
  tape.title('What the invoice of a draft lacks')
  const lacks = (body: object) => user.post('/api/sale/invoice-lacks', body)
  const standard = { vat_treatment: 'standard', vat_rate: 23, vat_name: 'High' }
  const none = { vat_treatment: 'none', vat_rate: 0, vat_name: '' }
  await lacks({ lines: [standard] })
  await lacks({ lines: [standard, none], customer_id: irish })
  await lacks({ lines: 'x', customer_id: 'x', customer_country_code: 'XX' })
  await query('update company set iban = null, vat_number = null, address_1 = null, name = $1', ['電話'])
  await lacks({ lines: [{ ...standard, vat_treatment: 'intra_community', vat_rate: 0 }] })
  await lacks({ lines: [none], customer_first_name: '漢', customer_last_name: 'Li', customer_company_name: 'Li' })
  await query(
    `update company set iban = 'IE29AIBK93115212345678', vat_number = 'IE1234567T', address_1 = '1 Quay', name = 'Phones Ltd'`,
  )
  const typed = { customer_first_name: 'Ann', customer_last_name: 'A', customer_address1: '1', customer_address2: '2' }
  const there = {
    customer_city: 'C',
    customer_state: 'S',
    customer_postal_code: 'P',
    customer_vat_number: 'DE136695976',
  }
  await lacks({ lines: [standard], ...typed, ...there, customer_country_code: 'DE', reference_number: 'R' })
  for (const profile of ['xrechnung', 'peppol'] as const)
    await lacks({
      lines: [standard],
      customer_id: await customer(`P${profile}`, { e_invoice_profile: profile }),
      reference_number: '',
    })
}

const PDF = { name: 'own.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF-1.7') }
const onePage = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 72 72]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`

async function files(): Promise<void> {
  const upload = (id: number, parts: { field: string; name: string; content: string }[]) => {
    const written = parts.map(
      ({ field, name, content }) =>
        `--x\r\nContent-Disposition: form-data; name="${field}"; filename="${name}"\r\n\r\n${content}\r\n`,
    )
    const payload = Buffer.from(`${written.join('')}--x--\r\n`)
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    return user.send({ method: 'POST', url: `/api/sale/${id}/pdf`, payload, headers })
  }
  tape.title('Uploads: none, no PDF, no such sale, both files, one without a name')
  const sale = await sold(1)
  await upload(sale.id, [])
  await upload(sale.id, [{ field: 'shipping_label', name: 'a.pdf', content: 'text' }])
  await upload(sale.id, [
    { field: 'invoice', name: 'a.pdf', content: onePage },
    { field: 'shipping_label', name: 'b.pdf', content: 'text' },
  ])
  await upload(sale.id, [{ field: 'other', name: 'a.pdf', content: onePage }])
  await upload(999, [{ field: 'invoice', name: 'a.pdf', content: onePage }])
  await upload(sale.id, [
    { field: 'invoice', name: 'My invoice.pdf', content: onePage },
    { field: 'shipping_label', name: '../label.pdf', content: onePage },
  ])
  await upload(sale.id, [{ field: 'invoice', name: '', content: onePage }])
  tape.title('Downloads: an upload, a label, no spreadsheet; a generated invoice becomes final')
  for (const path of ['invoice', 'label', 'excel']) await user.get(`/api/sale/${sale.id}/${path}`)
  const empty = await sold(1)
  for (const path of ['invoice', 'label']) await user.get(`/api/sale/${empty.id}/${path}`)
  const made = await sold(1, { create_invoice: true })
  await tape.act('the invoice is made', () => ready(made.id))
  await user.get(`/api/sale/${made.id}/invoice`)
  await user.get(`/api/sale/${made.id}/invoice`)
  tape.title(
    'The invoice is generated: for the first time, again, in another language, over an upload, of a voided sale',
  )
  const generate = (id: number, body: object = {}) => user.post(`/api/sale/${id}/invoice/generate`, body)
  await generate(sale.id)
  await generate(sale.id, { lang: 'de' })
  await generate(empty.id, { lang: '' })
  await generate(made.id, { lang: 'fr' })
  await generate(made.id, { lang: 'xx' })
  await generate(999)
  await query(`update customer set last_name = 'Other' where id = $1`, [irish])
  await generate(made.id)
  const voided = await sold(1, { create_invoice: true })
  await put(voided.id, 'Voided')
  await generate(voided.id)
  await put(empty.id, 'Awaiting Payment')
  const plain = await sold(1)
  await put(plain.id, 'Voided')
  await generate(plain.id)
  tape.title('The invoice is deleted: a draft with its email, an upload, none; and generated again')
  const remove = (id: number) => user.delete(`/api/sale/${id}/invoice/delete`)
  const mailed = await sold(1, { create_invoice: true, send_email: true })
  await remove(mailed.id)
  await remove(mailed.id)
  await tape.t.db.write((tx) => putSaleFile(tx, mailed.id, 'invoice', PDF))
  await tape.forgetChanges()
  await remove(mailed.id)
  await remove(999)
  await generate(mailed.id)
  tape.title('The spreadsheet: ordered, made, given up, of a voided sale')
  const sheet = (id: number) => user.post(`/api/sale/${id}/invoice/excel/generate`)
  await sheet(mailed.id)
  await tape.act('it is made', () => renderSheet(tape.t.db, mailed.id, user.id))
  await user.get(`/api/sale/${mailed.id}/excel`)
  await sheet(mailed.id)
  await tape.act('it is given up', () =>
    tape.t.db.write((tx) => giveUpSheet(tx, { sale_id: mailed.id, user_id: user.id })),
  )
  await tape.act('it is given up, but nobody waits for it', () =>
    tape.t.db.write((tx) => giveUpSheet(tx, { sale_id: mailed.id })),
  )
  await sheet(plain.id)
  await sheet(999)
  tape.title('The email is sent again: while it waits, changed, without an invoice, while it is being sent, failed')
  const resend = (id: number, headers?: Record<string, string>) =>
    user.post(`/api/sale/${id}/invoice/resend`, {}, headers)
  await resend(999)
  await resend(plain.id)
  const order = await sold(1)
  await resend(order.id)
  const asked = await sold(1, { send_email: true })
  await resend(asked.id)
  await query(`update customer set email = 'new@example.test' where id = $1`, [irish])
  await resend(asked.id, { 'idempotency-key': 'again' })
  await resend(asked.id, { 'idempotency-key': 'again' })
  await query(`update mail set state = 'sending' where sale_id = $1`, [asked.id])
  await resend(asked.id)
  await query(`update mail set state = 'sent' where sale_id = $1`, [asked.id])
  await resend(mailed.id)
  await tape.act('the invoice is made', () => ready(mailed.id))
  await resend(mailed.id)
  const failed = await sold(1, { create_invoice: true })
  await query(`update document set status = 'failed' where sale_id = $1`, [failed.id])
  await resend(failed.id)
}

/** Stores a file for the newest version of the sale's documents, as the job that makes them does. */
const ready = (saleId: number) =>
  tape.t.db.write(async (tx) => {
    const file = await putSaleFile(tx, saleId, 'label', PDF)
    await tx.deleteFrom('sale_file').where('file_id', '=', file).execute()
    const documents = await tx.selectFrom('document').select('id').where('sale_id', '=', saleId).execute()
    for (const { id } of documents) {
      const { version } = await tx
        .selectFrom('document_version')
        .select('version')
        .where('document_id', '=', id)
        .orderBy('version', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow()
      await tx
        .updateTable('document_version')
        .set({ file_id: file })
        .where('document_id', '=', id)
        .where('version', '=', version)
        .execute()
      await tx.updateTable('document').set({ status: 'ready' }).where('id', '=', id).execute()
    }
  })

async function papers(): Promise<void> {
  tape.title('Pick lists and delivery notes: of a sale, of a basket, of a draft; without items')
  const sale = await sold(2)
  await user.get(`/api/sale/${sale.id}/pick-list`)
  await user.get(`/api/sale/${sale.id}/delivery-note?lang=fr`)
  await user.get(`/api/sale/${sale.id}/delivery-note?lang=xx`)
  await put(sale.id, 'Voided')
  await user.get(`/api/sale/${sale.id}/pick-list`)
  await user.get(`/api/sale/${sale.id}/delivery-note`)
  await user.get('/api/sale/999/pick-list')
  await user.get('/api/sale/999/delivery-note')
  await user.get(`/api/user/${silent.id}/basket/pick-list`)
  await user.get(`/api/user/${user.id}/basket/pick-list`)
  await user.post('/api/stock/pick-list', { items: sale.items })
  await user.post('/api/stock/pick-list', { items: [999] })
}
