import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeFile } from '../../records/file.ts'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { openShop, runSaleJobs, type Shop, stockItems } from '../../testing/shop.ts'
import { saleFigures } from '../sale/figures.ts'
import { handOver } from './handover.ts'
import { giveUpMail, sendMail } from './mail/send-mail.ts'
import { newestFirst } from './newest-first.ts'
import { giveUpDocument, renderDocuments } from './render.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let user: Client
let silent: Client
let shop: Shop
let irish: number
let authority: number
let dataDir: string
let folder: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-answers-'))
  folder = path.join(dataDir, 'connector')
  tape = await openTape({ eInvoiceFolder: folder })
  shop = await openShop(tape.t.db)
  user = await tape.person('Person')
  silent = await tape.t.user()
  irish = await customer('Burke', 'IE', { company_name: 'Burke Ltd', vat_number: 'IE6388047V' })
  authority = await customer('Amt', 'DE', {
    ...{
      vat_number: 'DE136695976',
      e_invoice_profile: 'xrechnung',
      buyer_reference: '04011000-1234512345-06',
      lang: 'de',
    },
  })
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
async function sold(n: number, options: object = {}, columns: Parameters<typeof stockItems>[3] = {}): Promise<Sold> {
  const items = await stockItems(tape.t.db, shop, n, { vat_id: shop.vat.standard, ...columns })
  const { status, body } = await silent.post('/api/sale/create', {
    stock_items: items.map((id) => ({ id })),
    ...{ customer_id: irish, create_invoice: true, send_email: false, ...options },
  })
  expect([status, body.message]).toEqual([201, expect.any(String)])
  await tape.forgetChanges()
  return { id: body.data.id, items, document: body.data.documents[0]?.id }
}
async function put(id: number, ...statuses: string[]): Promise<void> {
  for (const status of statuses) await silent.post(`/api/sale/${id}/edit`, { status })
  await tape.forgetChanges()
}
const run = (title: string) => tape.act(title, () => runSaleJobs(tape.t, dataDir))
/**
 * Does what all jobs do without writing anything down. Real PDFs take long, so documents get an empty file, and only
 * their emails are real.
 */
async function settle(): Promise<void> {
  const pending = await query(`select id, sale_id from document where status = 'pending' order by id`)
  for (const { id } of pending)
    await tape.t.db.write(async (tx) => {
      const file_id = await storeFile(tx, {
        name: `Document ${id}.pdf`,
        mediaType: 'application/pdf',
        content: Buffer.from('%PDF'),
      })
      const newest = sql`(select v.version from document d join document_version v on v.document_id = d.id
        where d.id = ${id} order by ${newestFirst()} limit 1)`
      await sql`update document_version set file_id = ${file_id}
        where document_id = ${id} and version = ${newest} and file_id is null`.execute(tx)
      await tx.updateTable('document').set({ status: 'ready' }).where('id', '=', id).execute()
    })
  await query(
    `select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs where task_identifier = 'invoice_render'`,
  )
  for (const { sale_id } of pending) await renderDocuments(tape.t.db, sale_id, null)
  await runSaleJobs(tape.t, dataDir)
  await tape.forgetChanges()
}
async function figures(): Promise<void> {
  const { rows } = await sql<Record<string, number>>`${saleFigures.select}`.execute(tape.t.db.read)
  tape.line(`  figures: ${JSON.stringify(rows[0])}`)
}
const dispatched = ['Awaiting Dispatch', 'Dispatched']
const credited = async (sale: Sold): Promise<number> => {
  await put(sale.id, ...dispatched)
  const { body } = await silent.post(`/api/sale/${sale.id}/return-item/${sale.items[0]}`)
  await tape.forgetChanges()
  return body.data.documents.at(-1).id
}

test('documents and emails: the answers and the rows that they leave', async () => {
  await making()
  await lists()
  await downloads()
  await printing()
  await sending()
  await handingOver()
  await mails()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

async function making(): Promise<void> {
  tape.title('The jobs make an invoice and save its email, since no mail server is set up')
  const sale = await sold(2, { send_email: true })
  await user.get(`/api/document/${sale.document}/pdf`)
  await run('the jobs run')
  await user.get(`/api/sale/find?id=${sale.id}`)
  tape.title('A credit note, and an invoice whose sale was voided meanwhile')
  const back = await credited(sale)
  const voided = await sold(1, { send_email: true })
  await put(voided.id, 'Voided')
  await run('the jobs run')
  await user.get(`/api/document/find?id=${back}`)
  tape.title('A document that kills its process, with a waiting email; a copy; the others are ordered again')
  const deadly = await sold(1, { send_email: true })
  const giveUp = () => tape.t.db.write((tx) => giveUpDocument(tx, { sale_id: deadly.id, user_id: user.id }))
  await tape.act('it is given up', giveUp)
  await tape.act('nothing is left to give up', giveUp)
  await tape.act('its sale is gone', () => tape.t.db.write((tx) => giveUpDocument(tx, { sale_id: 999 })))
  await settle()
  const both = await sold(2)
  await settle()
  await silent.post(`/api/document/${both.document}/generate`, { lang: 'de' })
  const note = await credited(both)
  await silent.post(`/api/document/${both.document}/generate`, { lang: 'fr' })
  await silent.post(`/api/document/${note}/send`)
  await tape.forgetChanges()
  await tape.act('the copy is given up, and the credit note is ordered again', () =>
    tape.t.db.write((tx) => giveUpDocument(tx, { sale_id: both.id })),
  )
  await settle()
}

const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).join(', ')

async function lists(): Promise<void> {
  tape.title('The list of documents: whole rows, orders and filters')
  const sale = await sold(1, { customer_id: authority, reference_number: 'REF9' })
  await query('alter table document disable trigger kept')
  await query(`update document set issued_on = '2001-01-02', total_gross = 5 where id = $1`, [sale.document])
  await query(`update document set issued_on = '2001-01-03', total_gross = 7 where id = 2`)
  await query(`update document set issued_on = '2001-01-01', total_gross = 6 where id = 1`)
  await query('alter table document enable trigger kept')
  await user.get(`/api/document/find?ids=1,2,${sale.document}&order=issued_on_asc`)
  await user.get('/api/document/find?order=x&kind=x&status=x&handover=x&from=x&to=x&sale_id=x')
  const some = async (text: string) =>
    tape.line(`${text}: ${ids((await silent.get(`/api/document/find?${text}`)).body.data)}`)
  for (const order of ['id_asc', 'issued_on_desc', 'total_gross_asc', 'asked_for_asc', 'asked_for_desc'])
    await some(`ids=1,2,${sale.document}&order=${order}`)
  for (const text of [
    'sale_id=1',
    `customer_id=${authority}`,
    'kind=credit_note',
    'kind=invoice&status=failed',
    'handover=open',
  ])
    await some(text)
  for (const text of [
    'from=2001-01-02&to=2001-01-02',
    'to=2001-01-03',
    'from=2001-01-02&to=2001-01-10',
    'search=ref9',
    'search=iphone amt',
    'search=00001',
  ])
    await some(text)
}

async function downloads(): Promise<void> {
  tape.title('The PDF: looked at as a draft, downloaded, looked at when it is final; the invoice becomes final')
  const sale = await sold(1)
  await user.get(`/api/document/${sale.document}/pdf?view=1`)
  await settle()
  await user.get(`/api/document/${sale.document}/pdf?view`)
  await user.get(`/api/document/${sale.document}/pdf`)
  await user.get(`/api/document/${sale.document}/pdf`)
  await user.get(`/api/document/${sale.document}/pdf?view=`)
  await user.get(`/api/document/find?id=${sale.document}`)
  await user.get('/api/document/999/pdf')
  tape.title('The XML files: of an invoice without a profile, with one, of a credit note, and one that lacks data')
  const plain = await sold(2, {}, { purchase_treatment: 'standard' })
  await user.get(`/api/document/${plain.document}/ubl`)
  await user.get(`/api/document/${plain.document}/xrechnung-ubl`)
  await user.get('/api/document/999/cii')
  await query(`update company set phone = '+353 1', contact_name = 'Sales', electronic_address = '0088:5000000000012'`)
  const german = await sold(1, { customer_id: authority })
  await settle()
  await user.get(`/api/document/${german.document}/cii`)
  await user.get(`/api/document/${german.document}/xrechnung-cii`)
  await user.get(`/api/document/${german.document}/peppol`)
  const note = await credited(german)
  await user.get(`/api/document/${note}/xrechnung-ubl`)
  await query(`update document set status = 'none' where id = $1`, [note])
  await user.get(`/api/document/${note}/ubl`)
  const lacking = await sold(1, { customer_id: await customer('Bare', 'IE', { billing_address: null }) })
  await user.get(`/api/document/${lacking.document}/ubl`)
  await settle()
}

async function printing(): Promise<void> {
  const generate = (id: number, body: object = {}) => user.post(`/api/document/${id}/generate`, body)
  tape.title(
    'Printed again: in the same language, in another one, back in the first, a credit note, a replaced invoice',
  )
  const sale = await sold(2)
  await settle()
  await silent.get(`/api/document/${sale.document}/pdf`)
  await generate(sale.document)
  await run('the jobs run')
  await generate(sale.document, { lang: 'nl' })
  await generate(sale.document, { lang: 'en' })
  await settle()
  await query(`update document set status = 'failed', error = 'why' where id = $1`, [sale.document])
  await generate(sale.document, { lang: 'en' })
  await generate(sale.document, { lang: 'xx' })
  await generate(999)
  const note = await credited(sale)
  await generate(note)
  await silent.post(`/api/sale/${sale.id}/correct`, { items: [{ id: sale.items[1], sales_price: 1_000 }] })
  await tape.forgetChanges()
  await generate(sale.document, { lang: 'pl' })
  await settle()
  tape.title('No more than twenty copies')
  await query(
    `insert into document_version (document_id, version, lang, data, is_copy) select document_id, 100 + n, lang, data, true
    from document_version, generate_series(1, 20) n where document_id = $1 and version = 1`,
    [note],
  )
  await generate(note, { lang: 'de' })
}

async function sending(): Promise<void> {
  const send = (id: number, headers?: Record<string, string>) => user.post(`/api/document/${id}/send`, {}, headers)
  tape.title('A document is sent by email: ready, being made, twice with one key; none, removed, of a voided sale')
  const sale = await sold(2)
  await send(sale.document, { 'idempotency-key': 'a' })
  await send(sale.document, { 'idempotency-key': 'a' })
  await run('the jobs run')
  const note = await credited(sale)
  await send(note)
  await settle()
  await send(note)
  await send(999)
  await query(`update document set status = 'none' where id = $1`, [note])
  await send(note)
  await query(`update document set status = 'failed' where id = $1`, [note])
  await send(note)
  const voided = await sold(1)
  await put(voided.id, 'Voided')
  await send(voided.document)
  await settle()
}

async function handingOver(): Promise<void> {
  const order = (id: number) => user.post(`/api/document/${id}/hand-over`)
  tape.title('Handed over to a connector: no profile, lacking data, removed, of a voided sale, no such document')
  const plain = await sold(1)
  await order(plain.document)
  await order(999)
  const lacking = await sold(1, { customer_id: authority })
  await query(`update company set contact_name = null, phone = null`)
  const less = await sold(1, { customer_id: authority })
  await order(less.document)
  await query(`update company set phone = '+353 1', contact_name = 'Sales'`)
  await query(`update document set status = 'none' where id = $1`, [lacking.document])
  await order(lacking.document)
  const voided = await sold(1, { customer_id: authority })
  await put(voided.id, 'Voided')
  await order(voided.document)
  tape.title('Ordered; the folder does not exist; ordered again and done; not a third time')
  const sale = await sold(1, { customer_id: authority })
  await order(sale.document)
  await order(sale.document)
  await run('the jobs run')
  await mkdir(folder)
  await order(sale.document)
  await run('the jobs run')
  await order(sale.document)
  await tape.act('a job of an order that is done', () => handOver(tape.t, sale.document))
  tape.title('What happened meanwhile: the sale was voided, the document removed, another file, no XML; no folder')
  const late = async (change: (one: Sold) => Promise<unknown>, config = tape.t.config) => {
    const one = await sold(1, { customer_id: authority })
    await silent.post(`/api/document/${one.document}/hand-over`)
    await change(one)
    await tape.forgetChanges()
    await tape.act('the job runs', () => handOver({ db: tape.t.db, config }, one.document))
  }
  await late((one) => put(one.id, 'Voided'))
  await late((one) => query(`update document set status = 'none' where id = $1`, [one.document]))
  await late(async (one) => {
    const [{ file_name }] = await query('select file_name from document_handover where document_id = $1', [
      one.document,
    ])
    await writeFile(path.join(folder, file_name), 'other')
  })
  await late((one) => query('update document_handover set version = null where document_id = $1', [one.document]))
  await late(async () => undefined, { ...tape.t.config, eInvoiceFolder: undefined })
  const some = async (text: string) =>
    tape.line(`${text}: ${ids((await silent.get(`/api/document/find?${text}&order=id_asc&per_page=100`)).body.data)}`)
  for (const text of ['handover=done', 'handover=failed,waiting', 'handover=open']) await some(text)
  await settle()
}

async function withServer(options: SMTPServerOptions, work: (smtpUrl: string) => Promise<void>): Promise<void> {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], logger: false, ...options })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  await work(`smtp://127.0.0.1:${port}`).finally(() => new Promise<void>((resolve) => server.close(resolve)))
}
const refusing = (responseCode: number, message: string): SMTPServerOptions => ({
  onRcptTo: (_address, _session, callback) => callback(Object.assign(new Error(message), { responseCode })),
})
const taking: SMTPServerOptions = {
  onData: (stream, _session, callback) => {
    stream.resume().on('end', () => callback())
  },
}

async function mails(): Promise<void> {
  const mailOf = async (sale: Sold) =>
    (await query('select max(id) as id from mail where sale_id = $1', [sale.id]))[0].id
  const deliver = (title: string, mail: number, smtpUrl?: string) =>
    tape.act(title, () =>
      sendMail({ db: tape.t.db, config: { ...tape.t.config, ...(smtpUrl && { smtpUrl }) }, dataDir }, mail),
    )
  tape.title('A mail server that takes the email, one that is busy, at last; one that refuses it')
  const order = () => sold(1, { create_invoice: false, send_email: true })
  const [first, second] = [await order(), await order()]
  await withServer(taking, async (url) => deliver('it is sent', await mailOf(first), url))
  await figures()
  await withServer(refusing(451, 'Busy'), async (url) => {
    await deliver('it waits', await mailOf(second), url)
    await query('update mail set attempts = 13 where id = $1', [await mailOf(second)])
    await deliver('it has failed', await mailOf(second), url)
  })
  await figures()
  const third = await order()
  await withServer(refusing(550, 'Unknown'), async (url) => deliver('it has failed', await mailOf(third), url))
  await deliver('it is not sent again', await mailOf(third))
  await figures()
  tape.title('Without a sender address; one that was being sent; given up while it waits, and while it was being sent')
  await query('update company set email = null')
  const lost = await order()
  await withServer(taking, async (url) => deliver('without a sender', await mailOf(lost), url))
  await query(`update company set email = 'sales@phones.test', mail_from = 'mails@phones.test'`)
  const unsure = await sold(1, { send_email: true })
  await query(`update mail set state = 'sending', attempts = 1, file_ids = '{1}' where sale_id = $1`, [unsure.id])
  await withServer(taking, async (url) => deliver('it was being sent', await mailOf(unsure), url))
  await figures()
  const waiting = await order()
  await tape.act('given up', async () => {
    const mail = await mailOf(waiting)
    await tape.t.db.write((tx) => giveUpMail(tx, mail, true))
  })
  const sending = await order()
  await query(`update mail set state = 'sending' where sale_id = $1`, [sending.id])
  await tape.act('given up while it was being sent', async () => {
    const mail = await mailOf(sending)
    await tape.t.db.write((tx) => giveUpMail(tx, mail, true))
    await tape.t.db.write((tx) => giveUpMail(tx, mail, true))
    await tape.t.db.write((tx) => giveUpMail(tx, 999, true))
  })
  await figures()
  tape.title('A second try after a change: the invoice was replaced, deleted, or its sale voided')
  const again = async (change: (one: Sold) => Promise<unknown>) => {
    const one = await sold(1, { send_email: true })
    await settle()
    const mail = await mailOf(one)
    await query(`update mail set state = 'waiting', attempts = 1, saved_as = null, sent_at = null where id = $1`, [
      mail,
    ])
    await change(one)
    await query(`update mail set state = 'waiting', error = null where id = $1`, [mail])
    await deliver('it is tried again', mail)
    await settle()
  }
  await again(async () => undefined)
  await again((one) =>
    silent.post(`/api/sale/${one.id}/correct`, { items: [{ id: one.items[0], sales_price: 1_000 }] }),
  )
  await again((one) => silent.delete(`/api/sale/${one.id}/invoice/delete`))
  await again((one) => put(one.id, 'Voided'))
  tape.title('An address that no mail can have, and the address that the customer has when it leaves')
  const moved = await order()
  await query(`update customer set email = 'moved@example.test' where id = $1`, [irish])
  await deliver('it goes to the new address', await mailOf(moved))
  tape.title('The mail server of the company page, without a mail server')
  const admin = await tape.person('Admin', 'ROLE_ADMIN')
  await admin.get('/api/company/mail')
  await admin.post('/api/company/mail/test')
  await user.get('/api/company/mail')
}
