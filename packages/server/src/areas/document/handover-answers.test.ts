import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import type { Client } from '../../testing/app.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { makeDocuments } from '../../testing/made-documents.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { handOver } from './handover.ts'

// The answers of the server and the rows that it writes, compared with `handover-answers.txt`. `npm run words` stores
// them anew.

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
  irish = await customer('Burke', 'IE', { vat_number: 'IE6388047V' })
  const xrechnung = { e_invoice_profile: 'xrechnung', buyer_reference: '04011000-1234512345-06' }
  authority = await customer('Amt', 'DE', { ...xrechnung, vat_number: 'DE136695976', lang: 'de' })
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
async function sold(n: number, customer_id: number): Promise<Sold> {
  const items = await stockItems(tape.t.db, shop, n, { vat_id: shop.vat.standard, purchase_treatment: 'standard' })
  const stock_items = items.map((id) => ({ id }))
  const { body } = await silent.post('/api/sale/create', {
    ...{ stock_items, customer_id, create_invoice: true, send_email: false },
  })
  await tape.forgetChanges()
  return { id: body.data.id, items, document: body.data.documents[0].id }
}
async function put(id: number, ...statuses: string[]): Promise<void> {
  for (const status of statuses) await silent.post(`/api/sale/${id}/edit`, { status })
  await tape.forgetChanges()
}
const setStatus = (id: number, status: string) => query('update document set status = $2 where id = $1', [id, status])

testInTurn('e-invoices and connectors: the answers and the rows that they leave', async () => {
  await xmlFiles()
  await handingOver()
  await expect(tape.text()).toMatchFileSnapshot('handover-answers.txt')
})

async function xmlFiles(): Promise<void> {
  const xml = (id: number, file: string) => user.get(`/api/document/${id}/${file}`)
  tape.title('The XML of a document that is not made yet: it is stored, and the document becomes final')
  const plain = await sold(2, irish)
  await xml(plain.document, 'ubl')
  tape.title('The other syntax is there now; a profile is not; no such document, no such file')
  const cii = await silent.get(`/api/document/${plain.document}/cii`)
  tape.note('the other syntax', [cii.status, cii.headers['content-disposition']])
  await xml(plain.document, 'xrechnung-ubl')
  await xml(999, 'cii')
  await xml(plain.document, 'xml')
  tape.title('An invoice that lacks data; one of a buyer with a profile; taken off its sale')
  const lacking = await sold(1, await customer('Bare', 'IE', { billing_address: null }))
  await xml(lacking.document, 'cii')
  await query(`update company set phone = '+353 1', contact_name = 'Sales', electronic_address = '0088:5000000000012'`)
  const bare = await sold(1, authority)
  await xml(bare.document, 'cii')
  await setStatus(bare.document, 'none')
  await xml(bare.document, 'cii')
  tape.title('A credit note of a buyer with a profile; the profile of another one')
  const german = await sold(1, authority)
  await makeDocuments(tape.t.db)
  await put(german.id, 'Awaiting Dispatch', 'Dispatched')
  const { body } = await silent.post(`/api/sale/${german.id}/return-item/${german.items[0]}`)
  await tape.forgetChanges()
  const note = body.data.documents.at(-1).id
  await xml(note, 'xrechnung-cii')
  await xml(note, 'peppol')
  await user.get(`/api/document/find?id=${note}`)
}

async function handingOver(): Promise<void> {
  const order = (id: number) => user.post(`/api/document/${id}/hand-over`)
  tape.title('What is not handed over: no document, no profile, lacking data, taken off its sale, of a voided sale')
  await order(999)
  await order(1)
  await query(`update company set contact_name = null, phone = null`)
  const lacking = await sold(1, authority)
  await order(lacking.document)
  await query(`update company set phone = '+353 1', contact_name = 'Sales'`)
  const sale = await sold(1, authority)
  await setStatus(sale.document, 'none')
  await order(sale.document)
  await setStatus(sale.document, 'pending')
  await put(lacking.id, 'Voided')
  await order(lacking.document)
  tape.title('Ordered, twice; the folder does not exist')
  await order(sale.document)
  await order(sale.document)
  const job = (title: string, config = tape.t.config) =>
    tape.act(title, () => handOver({ db: tape.t.db, config }, sale.document))
  await job('the folder does not exist')
  await job('there is nothing to do')
  await mkdir(folder)
  /** Orders it again without writing it down, because it failed before. */
  const again = async () => {
    await silent.post(`/api/document/${sale.document}/hand-over`)
    await tape.forgetChanges()
  }
  tape.title('Something has changed before the job runs')
  await again()
  await setStatus(sale.document, 'none')
  await job('it was taken off its sale')
  await setStatus(sale.document, 'ready')
  await again()
  await query('update document_handover set version = null where document_id = $1', [sale.document])
  await job('its XML is gone')
  await again()
  const [{ file_name }] = await query('select file_name from document_handover where document_id = $1', [sale.document])
  await writeFile(path.join(folder, file_name), 'other')
  await job('the folder has another file of this name')
  await rm(path.join(folder, file_name))
  await again()
  const { eInvoiceFolder: _, ...without } = tape.t.config
  await job('the server has no folder', { ...without, eInvoiceFolder: undefined })
  await user.get(`/api/document/find?id=${sale.document}`)
  tape.title('Ordered again, and done; the same file is there already; not once more')
  await order(sale.document)
  await job('it is done')
  await query(`update document_handover set state = 'waiting', done_at = null where document_id = $1`, [sale.document])
  await job('the file is there already')
  tape.note('the folder', await readdir(folder))
  await order(sale.document)
  await user.get(`/api/document/find?id=${sale.document}`)
  tape.title('Its sale is voided before the job runs; the credit note is handed over')
  const late = await sold(1, authority)
  await silent.post(`/api/document/${late.document}/hand-over`)
  await put(late.id, 'Voided')
  await tape.act('the job runs', () => handOver({ db: tape.t.db, config: tape.t.config }, late.document))
  await order(late.document + 1)
  tape.title('The documents by state')
  for (const states of ['open', 'waiting', 'done', 'failed', 'open,waiting']) {
    const { data } = (await silent.get(`/api/document/find?handover=${states}&order=id_asc`)).body
    tape.line(`${states}: ${data.map(({ id }: { id: number }) => id).join(', ')}`)
  }
}
