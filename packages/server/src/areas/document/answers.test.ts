import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { makeDocuments } from '../../testing/made-documents.ts'
import { openShop, runSaleJobs, type Shop, stockItems } from '../../testing/shop.ts'
import { sendMail } from './mail/send-mail.ts'
import { giveUpDocument } from './render.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let silent: Client
let shop: Shop
let irish: number
let german: number
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-answers-'))
  tape = await openTape({ isBrief: true, mailFrom: 'shop@mails.test' })
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  silent = await tape.t.user()
  irish = await customer('Burke', 'IE', { company_name: 'Burke Ltd', vat_number: 'IE6388047V' })
  german = await customer('Amt', 'DE', { e_invoice_profile: 'xrechnung', buyer_reference: 'R-1', lang: 'de' })
  await tape.forgetChanges()
})
afterAll(async () => {
  await tape.close()
  await rm(dataDir, { recursive: true })
})

const query = async (text: string, values: unknown[] = []) => {
  const { rows } = await tape.t.db.pool.query(text, values)
  await tape.forgetChanges()
  return rows
}
async function customer(last_name: string, country_code: string, more: object = {}): Promise<number> {
  const billing_address = { address_1: '1 Street', city: 'Town', postal_code: '10115', country_code }
  const named = { first_name: 'Bea', last_name, email: `${last_name.toLowerCase()}@example.test`, billing_address }
  return (await silent.post('/api/customer/create', { ...named, ...more })).body.data.id
}
type Sold = { id: number; items: number[]; document: number }
/** Sells items with an invoice, without writing it down. */
async function sold(n: number, options: object = {}): Promise<Sold> {
  const items = await stockItems(tape.t.db, shop, n, { vat_id: shop.vat.standard })
  const stock_items = items.map((id) => ({ id }))
  const wanted = { stock_items, customer_id: irish, create_invoice: true, send_email: false, ...options }
  const { body } = await silent.post('/api/sale/create', wanted)
  await tape.forgetChanges()
  return { id: body.data.id, items, document: body.data.documents[0].id }
}
async function put(id: number, ...statuses: string[]): Promise<void> {
  for (const status of statuses) await silent.post(`/api/sale/${id}/edit`, { status })
  await tape.forgetChanges()
}
/** Takes the first item of a sale back, without writing it down. Returns the id of the credit note. */
async function returned(sale: Sold): Promise<number> {
  await put(sale.id, 'Awaiting Dispatch', 'Dispatched')
  const { body } = await silent.post(`/api/sale/${sale.id}/return-item/${sale.items[0]}`)
  await tape.forgetChanges()
  return body.data.documents.at(-1).id
}
async function voided(sale: Sold): Promise<number> {
  await put(sale.id, 'Voided')
  return (await silent.get(`/api/document/find?sale_id=${sale.id}&kind=credit_note`)).body.data[0]?.id
}
const made = (title: string) => tape.act(title, () => makeDocuments(tape.t.db))
async function makeQuietly(): Promise<void> {
  await makeDocuments(tape.t.db)
  await tape.forgetChanges()
}
const pdf = (id: number, view = '') => user.get(`/api/document/${id}/pdf${view}`)
const find = (id: number) => user.get(`/api/document/find?id=${id}`)
const generate = (id: number, body: object = {}) => user.post(`/api/document/${id}/generate`, body)
const send = (id: number, headers?: Record<string, string>) => user.post(`/api/document/${id}/send`, {}, headers)
const giveUp = (title: string, sale_id: number, user_id?: number) =>
  tape.act(title, () => tape.t.db.write((tx) => giveUpDocument(tx, { sale_id, ...(user_id && { user_id }) })))

testInTurn('documents: the answers and the rows that they leave', async () => {
  const first = await making()
  const copied = await copies()
  await replacing(first, copied)
  await sending()
  await withoutSetting()
  await lists()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

async function making(): Promise<Sold> {
  tape.title('The jobs make an invoice and save its email, since no mail server is set up')
  const sale = await sold(2, { send_email: true })
  await pdf(sale.document)
  await pdf(sale.document, '?view=1')
  await tape.act('the jobs run', () => runSaleJobs(tape.t, dataDir))
  await pdf(sale.document, '?view=1')
  await pdf(sale.document)
  await find(sale.document)
  tape.title('Given up, with an email that waits; nothing is left to give up; printed again')
  const deadly = await sold(1, { send_email: true })
  await giveUp('it is given up', deadly.id, user.id)
  await giveUp('nothing is left', deadly.id)
  await giveUp('there is no such sale', 999)
  await pdf(deadly.document)
  await generate(deadly.document)
  await made('it is made')
  return sale
}

/** Copies of an invoice that a download has made final. */
async function copies(): Promise<Sold> {
  tape.title('Looked at as a draft, printed in another language, downloaded: then it is final')
  const sale = await sold(2)
  const { document } = sale
  await makeQuietly()
  await pdf(document, '?view')
  await generate(document, { lang: 'fr' })
  await makeQuietly()
  await pdf(document)
  await pdf(document)
  await find(document)
  await pdf(999)
  await query(`update document set status = 'failed', error = 'why' where id = $1`, [document])
  await generate(document)
  tape.title('A copy in another language is given up, and the email with it')
  await generate(document, { lang: 'de' })
  await generate(document, { lang: 'de' })
  await send(document)
  await giveUp('it is given up', sale.id, user.id)
  await find(document)
  tape.title('A copy is made, asked for again, and asked for in the first language')
  await generate(document, { lang: 'de' })
  await made('it is made')
  await generate(document, { lang: 'de' })
  await generate(document, { lang: 'fr' })
  tape.title('It is given up, but the credit note beside it is ordered again')
  const note = await returned(sale)
  await giveUp('it is given up', sale.id)
  await generate(note)
  await made('the credit note is made')
  await tape.act('somebody else downloads it', () => silent.get(`/api/document/${note}/pdf`))
  await find(note)
  tape.title('Printed again after it was taken off the sale, and after it had failed')
  await query(`update document set status = 'none' where id = $1`, [document])
  await pdf(document)
  await generate(document)
  await query(`update document set status = 'failed', error = 'why' where id = $1`, [document])
  await generate(document, { lang: 'de' })
  tape.title('What cannot be printed: an unknown language, no document, more than twenty copies')
  await generate(document, { lang: 'xx' })
  await generate(999)
  await query(
    `insert into document_version (document_id, version, lang, data, is_copy) select document_id, 100 + n, lang, data, true
    from document_version, generate_series(1, 20) n where document_id = $1 and version = 1`,
    [note],
  )
  await generate(note, { lang: 'nl' })
  return sale
}

async function replacing(first: Sold, copied: Sold): Promise<void> {
  tape.title('A replaced invoice is printed again and sent; so is a credit note')
  await silent.post(`/api/sale/${first.id}/correct`, { items: [{ id: first.items[1], sales_price: 1_000 }] })
  await makeQuietly()
  await generate(first.document, { lang: 'pl' })
  await made('it is made')
  await send(first.document)
  tape.title('The invoice of a voided sale is neither printed nor sent; a replaced one and its credit note are')
  const note = await voided(first)
  await generate((await standing(first)).id)
  await send((await standing(first)).id)
  await send(first.document)
  await send(note)
  await made('the credit note is made')
  await find(note)
  await find(copied.document)
}
const standing = async ({ id }: Sold): Promise<{ id: number }> =>
  (await silent.get(`/api/document/find?sale_id=${id}&kind=invoice&order=id_desc`)).body.data[0]

async function sending(): Promise<void> {
  const deliver = async (title: string) => {
    const [{ id }] = await query('select max(id) as id from mail')
    await tape.act(title, () => sendMail({ ...tape.t, dataDir }, id))
  }
  tape.title('Sent while it is being made, twice with one key; a credit note; one that is ready')
  const sale = await sold(2)
  await send(sale.document, { 'idempotency-key': 'a' })
  await send(sale.document, { 'idempotency-key': 'a' })
  await deliver('its email waits for it')
  await made('it is made')
  await deliver('its email is sent')
  const note = await returned(sale)
  await send(note)
  await made('it is made')
  await deliver('its email is sent')
  await send(note)
  tape.title('What cannot be sent: no document, one that was taken off its sale, one that failed')
  await send(999)
  await query(`update document set status = 'none' where id = $1`, [note])
  await send(note)
  await query(`update document set status = 'failed' where id = $1`, [note])
  await send(note)
}

async function withoutSetting(): Promise<void> {
  tape.title('Without a folder for a connector, and without a mail server')
  await user.post('/api/document/1/hand-over')
  const admin = await tape.person('Admin', 'ROLE_ADMIN')
  await admin.get('/api/company/mail')
  await admin.post('/api/company/mail/test')
  await user.get('/api/company/mail')
  await user.post('/api/company/mail/test')
}

async function lists(): Promise<void> {
  tape.title('The list of documents: whole rows, orders and filters')
  const sale = await sold(1, { customer_id: german, reference_number: 'REF9' })
  const [{ id: note }] = await query(`select id from document where kind = 'credit_note' order by id limit 1`)
  await query('alter table document disable trigger kept')
  for (const [id, day, total] of [
    [1, '2001-01-01', 6],
    [sale.document, '2001-01-02', 5],
    [note, '2001-01-03', 7],
  ])
    await query('update document set issued_on = $2, total_gross = $3 where id = $1', [id, day, total])
  await query('alter table document enable trigger kept')
  await user.get(`/api/document/find?ids=1,${sale.document},${note}&order=issued_on_asc`)
  await user.get('/api/document/find?order=x&kind=x&status=x&handover=x&from=x&to=x&sale_id=x&customer_id=x')
  const some = async (text: string) => {
    const { data, total } = (await silent.get(`/api/document/find?${text}`)).body
    tape.line(`${text}: ${data.map(({ id }: { id: number }) => id).join(', ')} (${total})`)
  }
  for (const order of ['', 'id_asc', 'issued_on_desc', 'total_gross_asc', 'asked_for_asc', 'asked_for_desc'])
    await some(`to=2001-12-31&order=${order}`)
  for (const text of [
    'sale_id=1',
    'sale_id=1,2',
    `customer_id=${german}`,
    `customer_id=${german},2&per_page=4`,
    'kind=credit_note',
    'kind=invoice&per_page=2',
    'kind=credit_note,invoice&per_page=4',
  ])
    await some(text)
  for (const status of ['none', 'pending', 'failed', 'none,failed']) await some(`status=${status}`)
  for (const state of ['open', 'waiting,done,failed']) await some(`handover=${state}`)
  for (const text of ['from=2001-01-02&to=2001-01-02', 'to=2001-01-02', 'from=2001-01-02&to=2001-12-31'])
    await some(text)
  for (const text of ['ref9', 'iphone amt', '00002', 'burke', 'nothing']) await some(`search=${text}`)
}
