import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../../testing/answers.ts'
import type { Client } from '../../../testing/app.ts'
import { testInTurn } from '../../../testing/in-turn.ts'
import { makeDocuments } from '../../../testing/made-documents.ts'
import { openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { saleFigures } from '../../sale/figures.ts'
import { putSaleFile, removeSaleFile } from '../sale-file.ts'
import { giveUpMail, sendMail } from './send-mail.ts'

// The answers of the server and the rows that it writes, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let silent: Client
let shop: Shop
let dataDir: string
let server: SMTPServer
/** The answer of the mail server to a recipient; undefined if it takes the mail. */
let refusal: { responseCode: number; message: string } | undefined

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-answers-'))
  server = new SMTPServer({ ...ANSWERS, authOptional: true, disabledCommands: ['STARTTLS'], logger: false })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  tape = await openTape({ smtpUrl: `smtp://127.0.0.1:${port}` })
  shop = await openShop(tape.t.db)
  silent = await tape.t.user()
  await tape.forgetChanges()
})
afterAll(async () => {
  await tape.close()
  await new Promise<void>((resolve) => server.close(resolve))
  await rm(dataDir, { recursive: true })
})

const ANSWERS: SMTPServerOptions = {
  onRcptTo: (_address, _session, callback) =>
    callback(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.responseCode })),
  onData: (stream, { envelope }, callback) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', async () => {
      const { from, to, subject, text, attachments } = await PostalMime.parse(Buffer.concat(chunks))
      const files = attachments.map(({ filename, mimeType }) => `${filename} (${mimeType})`)
      const addresses = { for: envelope.rcptTo.map(({ address }) => address), from, to }
      tape.note('the mail server takes an email', { ...addresses, subject, ...textOf(subject, text), files })
      callback()
    })
  },
}

/** The lines of a mail, whose words are those of its row. No row has the words of a test email. */
const textOf = (subject: string | undefined, text: string | undefined) =>
  subject === 'Test email' ? { text } : { lines: text?.split('\n').length }

const query = async (text: string, values: unknown[] = []) => {
  const { rows } = await tape.t.db.pool.query(text, values)
  await tape.forgetChanges()
  return rows
}
type Sold = { id: number; items: number[]; document: number }
/** Makes a sale with a mail, without writing it down. */
async function sold(n: number, create_invoice = false): Promise<Sold> {
  const items = await stockItems(tape.t.db, shop, n, { vat_id: shop.vat.standard })
  const stock_items = items.map((id) => ({ id }))
  const wanted = { stock_items, customer_id: shop.customer, create_invoice, send_email: true }
  const { body } = await silent.post('/api/sale/create', wanted)
  await tape.forgetChanges()
  return { id: body.data.id, items, document: body.data.documents[0]?.id }
}
const newestMail = async (): Promise<number> => (await query('select max(id) as id from mail'))[0].id
const deliver = (title: string, mail: number) => tape.act(title, () => sendMail({ ...tape.t, dataDir }, mail))
/** Delivers a mail as a server does that has no mail server. */
const save = (title: string, mail: number) =>
  tape.act(title, () => sendMail({ db: tape.t.db, config: { ...tape.t.config, smtpUrl: undefined }, dataDir }, mail))
const giveUp = (title: string, mail: number, bySmtp: boolean) =>
  tape.act(title, () => tape.t.db.write((tx) => giveUpMail(tx, mail, bySmtp)))
/** Puts a mail back, without writing it down. */
const back = (id: number, attempts: number, state = 'waiting') =>
  query(`update mail set state = $3, attempts = $2, error = null, saved_as = null, sent_at = null where id = $1`, [
    ...[id, attempts, state],
  ])
/** Does something without writing it down. */
async function quietly<T>(work: Promise<T>): Promise<T> {
  const done = await work
  await tape.forgetChanges()
  return done
}
async function figures(): Promise<void> {
  const { rows } = await sql<Record<string, number>>`${saleFigures.select}`.execute(tape.t.db.read)
  tape.line(`  figures: ${JSON.stringify(rows[0])}`)
}

testInTurn('emails: the rows that their attempts leave', async () => {
  await attempts()
  await invoices()
  await secondTries()
  await testMails()
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})

async function attempts(): Promise<void> {
  tape.title('A mail server that is busy, at last for the fourteenth time; one that refuses; no more attempts')
  await sold(1)
  const mail = await newestMail()
  await figures()
  refusal = { responseCode: 451, message: 'Busy' }
  await deliver('it waits', mail)
  await back(mail, 12)
  await deliver('it waits for the last time', mail)
  await deliver('it has failed', mail)
  await figures()
  await back(mail, 0)
  refusal = { responseCode: 550, message: 'Unknown' }
  await deliver('it has failed', mail)
  refusal = undefined
  await deliver('it is not sent any more', mail)
  await deliver('there is no such email', 999)
  tape.title('Without a sender; one that was being sent; an address that no email can have')
  await back(mail, 0)
  await query(`update mail set sender = sender || '{"address": ""}'`)
  await deliver('without a sender', mail)
  await back(mail, 0)
  await save('without a sender, it is saved as a file', mail)
  await query(`update mail set sender = sender || '{"address": "sales@phones.test"}'`)
  await back(mail, 1, 'sending')
  await deliver('it was being sent', mail)
  await figures()
  await back(mail, 1, 'sending')
  await save('it was being saved', mail)
  await query(`update customer set email = 'no@dress@here' where id = $1`, [shop.customer])
  await back(mail, 0)
  await deliver('to no address', mail)
  tape.title('Given up: while it waits, while it is being sent or saved, when it is sent, and one that is not there')
  await back(mail, 0)
  await giveUp('it waits', mail, true)
  await back(mail, 1, 'sending')
  await giveUp('it is being sent', mail, true)
  await back(mail, 1, 'sending')
  await giveUp('it is being saved', mail, false)
  await back(mail, 1, 'sent')
  await giveUp('it is sent', mail, true)
  await giveUp('it is not there', 999, true)
  tape.title('The mail server takes it, for the address that the customer has by now')
  await query(`update customer set email = 'moved@example.test' where id = $1`, [shop.customer])
  await back(mail, 3)
  await deliver('it is sent', mail)
  await figures()
}

async function invoices(): Promise<void> {
  tape.title('An email with an invoice waits for its PDF; then it makes the invoice final')
  const sale = await sold(1, true)
  const mail = await newestMail()
  await deliver('it waits for the PDF', mail)
  await giveUp('nothing is given up', mail, true)
  await tape.act('the PDF is made', () => makeDocuments(tape.t.db))
  await back(mail, 1, 'sending')
  await deliver('it was being sent', mail)
  await back(mail, 0)
  await deliver('it is sent', mail)
  tape.title('An invoice is uploaded while an email with another one waits, and sent in place of it')
  await quietly(silent.post(`/api/document/${sale.document}/send`))
  const old = await newestMail()
  const upload = { name: 'own.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF own') }
  await quietly(tape.t.db.write((tx) => putSaleFile(tx, sale.id, 'invoice', upload)))
  await deliver('the old one is sent', old)
  await quietly(silent.post(`/api/document/${sale.document}/send`))
  await deliver('the uploaded one is sent', await newestMail())
  await quietly(tape.t.db.write((tx) => removeSaleFile(tx, sale.id, 'invoice')))
}

async function secondTries(): Promise<void> {
  tape.title('A second attempt: nothing has changed; the invoice was replaced; it was deleted; its sale was voided')
  const sale = await sold(1, true)
  const path = `/api/sale/${sale.id}`
  await quietly(makeDocuments(tape.t.db))
  const first = await newestMail()
  await back(first, 1)
  await save('nothing has changed', first)
  const item = { id: sale.items[0], sales_price: 1_000 }
  await quietly(silent.post(`${path}/correct`, { items: [item] }))
  await back(first, 1)
  await deliver('it was replaced', first)
  await query(`update company set mail_from = 'mails@phones.test'`)
  const newestOf = async (kind: string): Promise<number> =>
    (await silent.get(`/api/document/find?sale_id=${sale.id}&kind=${kind}&order=id_desc`)).body.data[0].id
  await quietly(makeDocuments(tape.t.db))
  const newer = await newestOf('invoice')
  await quietly(silent.post(`/api/document/${newer}/send`))
  const second = await newestMail()
  await back(second, 1)
  await deliver('it is the new one', second)
  await quietly(silent.delete(`${path}/invoice/delete`))
  await back(second, 1)
  await deliver('it was deleted', second)
  await quietly(silent.post(`${path}/invoice/generate`))
  await quietly(silent.post(`${path}/edit`, { status: 'Voided' }))
  await back(second, 1)
  await deliver('its sale was voided', second)
  await quietly(makeDocuments(tape.t.db))
  await quietly(silent.post(`/api/document/${await newestOf('credit_note')}/send`))
  const note = await newestMail()
  await back(note, 1)
  await deliver('it has the credit note', note)
  const [found] = (await silent.get(`/api/sale/find?id=${sale.id}`)).body.data
  const { status, email_sent, resend_needed, mail } = found
  tape.note('the sale', { status, email_sent, resend_needed, mail })
}

async function testMails(): Promise<void> {
  tape.title('Test emails: taken, refused, without a sender, with a wrong one')
  const admin = await tape.t.user('ROLE_ADMIN')
  const ask = async () => {
    const { status, body } = await admin.post('/api/company/mail/test')
    tape.note('the answer', { status, message: body.message })
    await tape.act('nothing is stored', async () => undefined)
  }
  await tape.forgetChanges()
  await ask()
  refusal = { responseCode: 550, message: 'Unknown' }
  await ask()
  await query(`update company set mail_from = null, email = null`)
  await ask()
  await query(`update company set email = 'no address'`)
  await ask()
}
