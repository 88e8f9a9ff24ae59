import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Document } from '@backstock/contract/document.ts'
import { formatDate } from '@backstock/contract/format-in-language.ts'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { readCii, readUbl } from '../../testing/e-invoice-read.ts'
import { textOf } from '../../testing/printed-invoice.ts'
import { openShop, runSaleJobs, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let shop: Shop
let dataDir: string

beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-mail-'))
  await seller({ country_code: 'DE', vat_number: 'DE136695976', city: 'Berlin', postal_code: '10115' })
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
  await rm(dataDir, { recursive: true })
})

const runJobs = () => runSaleJobs(t, dataDir)
const seller = async (fields: object) => expect((await admin.post('/api/company/edit', fields)).status).toBe(200)
const sale = async (id: number) => (await admin.get(`/api/sale/find?id=${id}`)).body.data[0]
const invoiceOf = async (id: number): Promise<Document> => (await sale(id)).documents.at(-1)
const edit = async (id: number, fields: object) =>
  expect((await admin.post(`/api/sale/${id}/edit`, fields)).status).toBe(200)

/** Sells a phone for 100.00 plus VAT, with an invoice in German. */
async function sell(options: object = {}): Promise<number> {
  const [id] = await stockItems(t.db, shop, 1, { vat_id: shop.vat.standard })
  const stock_items = [{ id, sales_price: 10_000 }]
  const { body, status } = await admin.post('/api/sale/create', {
    ...{ stock_items, customer_id: shop.customer, invoice_lang: 'de', send_email: false, ...options },
  })
  expect(status, body.message).toBe(201)
  await runJobs()
  return body.data.id
}

/** Moves the day of a sale and its invoice back, so that its dispatch is some days later. */
async function dispatchLater(id: number): Promise<{ issued: string; supplied: string }> {
  await t.db.pool.query(
    `update document set issued_on = issued_on - 3, due_on = due_on - 3 where sale_id = $1 and left_at is null`,
    [id],
  )
  await edit(id, { status: 'Awaiting Dispatch' })
  await edit(id, { status: 'Dispatched' })
  await runJobs()
  const { rows } = await t.db.pool.query(
    'select dispatched_on as supplied, issued_on as issued from sale s join document d on d.sale_id = s.id where s.id = $1',
    [id],
  )
  return rows[0]
}

/** The document in all its forms: the text of the PDF, and the content of both kinds of XML. */
async function papers({ id }: Document) {
  const [pdf, ubl, cii] = await Promise.all(
    ['pdf', 'ubl', 'cii'].map((kind) => admin.get(`/api/document/${id}/${kind}`)),
  )
  expect([pdf!.status, ubl!.status, cii!.status]).toEqual([200, 200, 200])
  const text = (await textOf(pdf!.raw)).join(' ')
  return {
    text,
    ubl: readUbl(ubl!.raw.toString()),
    cii: readCii(cii!.raw.toString()),
    bytes: [pdf!, ubl!, cii!].map(({ raw }) => raw.toString('hex')),
  }
}

const printed = (day: string) => `Lieferdatum ${formatDate(day, 'de')}`

describe('in Germany', () => {
  test('an invoice that leaves with its goods names the day of dispatch, in the mail, PDF, UBL and CII', async () => {
    const id = await sell()
    const draft = await invoiceOf(id)
    expect(draft.left_at).toBeNull()
    const { issued, supplied } = await dispatchLater(id)
    expect(issued < supplied).toBe(true)
    const invoice = await invoiceOf(id)
    expect(invoice).toMatchObject({
      number: draft.number,
      issued_on: issued,
      status: 'ready',
      left_at: expect.anything(),
    })

    expect((await admin.post(`/api/document/${invoice.id}/send`)).status).toBe(200)
    await runJobs()
    const [name] = await readdir(path.join(dataDir, 'mail'))
    const mail = await PostalMime.parse(await readFile(path.join(dataDir, 'mail', name!)))
    const attached = Buffer.from(mail.attachments[0]!.content as ArrayBuffer)
    expect((await textOf(attached)).join(' ')).toContain(printed(supplied))

    const { text, ubl, cii, bytes } = await papers(invoice)
    expect(text).toContain(printed(supplied))
    expect([ubl.delivered_on, cii.delivered_on]).toEqual([supplied, supplied])
    expect([ubl.issued_on, cii.issued_on]).toEqual([issued, issued])
    expect(bytes[0]).toBe(attached.toString('hex'))
  })

  test('a mail that waits with one takes it along as it is after the dispatch', async () => {
    const [id] = await stockItems(t.db, shop, 1, { vat_id: shop.vat.standard })
    const { body } = await admin.post('/api/sale/create', {
      ...{ stock_items: [{ id, sales_price: 10_000 }], customer_id: shop.customer, invoice_lang: 'de' },
    })
    const { supplied } = await dispatchLater(body.data.id)
    const invoice = await invoiceOf(body.data.id)
    const [mailed] = (await t.db.pool.query(`select state, file_ids from mail where sale_id = $1`, [body.data.id])).rows
    const [newest] = (
      await t.db.pool.query(
        `select array[file_id] as file_ids, data ->> 'supplied_on' as supplied from document_version
          where document_id = $1 order by version desc limit 1`,
        [invoice.id],
      )
    ).rows
    expect(newest.supplied).toBe(supplied)
    expect(mailed).toEqual({ state: 'sent', file_ids: newest.file_ids })
  })

  test('one that leaves before its goods names its own day, and stays as it left', async () => {
    const id = await sell()
    const { issued_on } = await invoiceOf(id)
    const left = await papers(await invoiceOf(id))
    expect(left.text).toContain(printed(issued_on))
    expect([left.ubl.delivered_on, left.cii.delivered_on]).toEqual([issued_on, issued_on])
    await dispatchLater(id)
    expect((await papers(await invoiceOf(id))).bytes).toEqual(left.bytes)
  })

  test('one whose goods leave in another month than it names is corrected by one that names that', async () => {
    const id = await sell()
    await papers(await invoiceOf(id))
    await dispatchLater(id)
    expect((await sale(id)).invoice_differs).toEqual([])
    const move = (by: string) =>
      t.db.pool.query('update sale set dispatched_on = (dispatched_on + $2::interval)::date where id = $1', [id, by])
    // The same month of another year is another month.
    for (const [by, differs] of [
      ['1 year', ['the month of the date of supply']],
      ['-1 year', []],
      ['31 days', ['the month of the date of supply']],
    ] as const) {
      await move(by)
      expect((await sale(id)).invoice_differs).toEqual(differs)
    }
    const correct = () => admin.post(`/api/sale/${id}/correct`, { customer: true })
    expect((await correct()).status).toBe(200)
    await runJobs()
    const { rows } = await t.db.pool.query('select dispatched_on as supplied from sale where id = $1', [id])
    expect((await papers(await invoiceOf(id))).ubl.delivered_on).toBe(rows[0].supplied)
    expect((await sale(id)).invoice_differs).toEqual([])
    expect((await correct()).status).toBe(409)
  })

  test('a company that dispatches later leaves the day out until then', async () => {
    await seller({ supply_day: 'dispatch' })
    const id = await sell()
    const { text, ubl } = await papers(await invoiceOf(id))
    expect(text).not.toContain('Lieferdatum')
    expect(ubl.delivered_on).toBeUndefined()
    await seller({ supply_day: 'country' })
  })
})

describe('in the Netherlands', () => {
  beforeAll(() => seller({ country_code: 'NL', vat_number: 'NL810433941B01' }))

  test('an invoice before dispatch names a day only if the company says that it is the same', async () => {
    expect((await papers(await invoiceOf(await sell()))).ubl.delivered_on).toBeUndefined()
    await seller({ supply_day: 'invoice' })
    const invoice = await invoiceOf(await sell())
    expect((await papers(invoice)).cii.delivered_on).toBe(invoice.issued_on)
    await seller({ supply_day: 'country' })
  })

  test('one that was taken off its sale stays off at dispatch, and names the day once it is wanted', async () => {
    const id = await sell()
    expect((await admin.delete(`/api/sale/${id}/invoice/delete`)).status).toBe(200)
    const { supplied } = await dispatchLater(id)
    expect((await sale(id)).invoice_status).toBe('none')
    const found = async (status: string) =>
      (await admin.get(`/api/document/find?status=${status}`)).body.data.map((row: Document) => row.sale_id)
    expect([await found('none'), await found('failed,none'), await found('failed')]).toEqual([[id], [id], []])
    await admin.post(`/api/sale/${id}/invoice/generate`, { lang: 'de' })
    await runJobs()
    expect((await papers(await invoiceOf(id))).text).toContain(printed(supplied))
  })
})

describe('the paid sum', () => {
  const paid = (id: number, amount: number) => admin.post(`/api/sale/${id}/pay`, { paid_on: '2020-01-02', amount })
  const sums = ({ sums: { gross, paid, payable } }: ReturnType<typeof readUbl>) => ({ gross, paid, payable })

  test('before an invoice leaves is on it, with what is open; a later copy says what it said', async () => {
    const id = await sell()
    expect((await paid(id, 4_000)).status).toBe(200)
    await runJobs()
    const left = await papers(await invoiceOf(id))
    for (const read of [left.ubl, left.cii]) expect(sums(read)).toEqual({ gross: 12_300, paid: 4_000, payable: 8_300 })
    expect(left.text).toContain('Bereits gezahlt 40,00')
    expect(left.text).toContain('Noch zu zahlen 83,00')

    await paid(id, 8_300)
    await runJobs()
    expect((await papers(await invoiceOf(id))).bytes).toEqual(left.bytes)
    await admin.post(`/api/sale/${id}/invoice/generate`, { lang: 'de' })
    await runJobs()
    expect((await papers(await invoiceOf(id))).text).toContain('Noch zu zahlen 83,00')
  })

  test('a corrected invoice names the paid sum, and asks for nothing if nothing is open', async () => {
    const id = await sell()
    await papers(await invoiceOf(id))
    await paid(id, 12_300)
    const [item] = (await sale(id)).items
    const items = [{ id: item.stock_id, sales_price: 9_000 }]
    expect((await admin.post(`/api/sale/${id}/correct`, { items })).status).toBe(200)
    await runJobs()
    const invoice = await invoiceOf(id)
    expect(invoice).toMatchObject({ kind: 'invoice', total_gross: 11_070 })
    const { text, ubl, cii } = await papers(invoice)
    for (const read of [ubl, cii]) {
      expect(sums(read)).toEqual({ gross: 11_070, paid: 12_300, payable: -1_230 })
      expect(read).toMatchObject({ due_on: undefined, means: [{ code: '1', iban: undefined }], remittance: undefined })
    }
    expect(text).toContain('Guthaben zu Ihren Gunsten 12,30')
    expect(text).toContain('Diese Rechnung ist bereits bezahlt.')
    for (const asking of ['IBAN', 'Fällig am', 'Mit der Banking-App']) expect(text).not.toContain(asking)
    const note = (await sale(id)).documents.find(({ kind }: Document) => kind === 'credit_note')
    expect(sums((await papers(note)).ubl)).toEqual({ gross: 12_300, paid: undefined, payable: 12_300 })
  })

  test('and was wrong is off the draft again', async () => {
    const id = await sell()
    await paid(id, 4_000)
    const [payment] = (await sale(id)).payments
    expect((await admin.post(`/api/sale/${id}/payment/${payment.id}/undo`)).status).toBe(200)
    await runJobs()
    expect(sums((await papers(await invoiceOf(id))).ubl)).toEqual({ gross: 12_300, paid: undefined, payable: 12_300 })
  })
})
