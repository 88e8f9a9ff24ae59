import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import PostalMime from 'postal-mime'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Database } from '../../db/connect.ts'
import { queue } from '../../jobs.ts'
import { type Answer, type Client, testApp } from '../../testing/app.ts'
import { readSheet } from '../../testing/sheet.ts'
import { openShop, runSaleJobs, type Shop, stockItems } from '../../testing/shop.ts'
import { untilSomebodyWaits } from '../../testing/until-waiting.ts'
import { renderSheet } from '../sale/files/render-sheet.ts'
import { generateInvoice } from './invoice.ts'
import { renderDocuments } from './render.ts'
import { putSaleFile } from './sale-file.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop
let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-mail-'))
  t = await testApp({ eInvoiceFolder: path.join(dataDir, 'connector') })
  client = await t.user()
  shop = await openShop(t.db)
})
afterAll(async () => {
  await t.close()
  await rm(dataDir, { recursive: true })
})

const runJobs = () => runSaleJobs(t, dataDir)
const textOf = async (pdf: Uint8Array) =>
  (await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })).text
const sale = async (id: number) => (await client.get(`/api/sale/find?id=${id}`)).body.data[0]

async function sell(n: number, options: object = {}) {
  const ids = await stockItems(t.db, shop, n, { vat_id: shop.vat.standard })
  const { body } = await client.post('/api/sale/create', {
    stock_items: ids.map((id) => ({ id })),
    customer_id: shop.customer,
    ...options,
  })
  return body.data as { id: number; invoice_number: string; items: { imei: string }[] }
}

/** The mails in the folder that belong to this sale, parsed. */
async function mailsOf(saleId: number) {
  const rows = await t.db.read.selectFrom('mail').select('message_id').where('sale_id', '=', saleId).execute()
  const names = await readdir(path.join(dataDir, 'mail'))
  const mine = names.filter((name) => rows.some((row) => row.message_id === `<${name.replace(/\.eml$/, '')}>`))
  return Promise.all(mine.map(async (name) => PostalMime.parse(await readFile(path.join(dataDir, 'mail', name)))))
}

async function upload(id: number, field: string, name: string, content: Uint8Array) {
  const form = new FormData()
  form.append(field, new Blob([new Uint8Array(content)]), name)
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return client.send({
    method: 'POST',
    url: `/api/sale/${id}/pdf`,
    headers: { 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}

test('an invoice says why no VAT is charged, in the words of the rate', async () => {
  const reasonOf = async (vat_id: number) => {
    const [id] = await stockItems(t.db, shop, 1, { vat_id })
    const { body } = await client.post('/api/sale/create', { stock_items: [{ id }], customer_id: shop.customer })
    const { rows } = await t.db.pool.query(
      `select data -> 'lines' -> 0 ->> 'vat_name' as name from document_version v join document i on i.id = v.document_id
        where i.sale_id = $1`,
      [body.data.id],
    )
    return rows[0].name
  }
  const named = async (name: string) => {
    const { rows } = await t.db.pool.query('insert into vat (name, rate) values ($1, 0) returning id', [name])
    return rows[0].id
  }
  expect(await reasonOf(await named('Reverse charge'))).toBe('Reverse charge')
  expect(await reasonOf(await named('0 %'))).toBeNull()
})

test('a sale brings its invoice, its sheet and a mail that carries the invoice', async () => {
  await t.db.pool.query(`update company set address_2 = 'Unit 4', state = 'Leinster'`)
  const made = await sell(25, { invoice_lang: 'en' })
  await t.db.pool.query('update company set address_2 = null, state = null')
  expect((await client.get(`/api/sale/${made.id}/invoice`)).status).toBe(404)
  await runJobs()

  const after = await sale(made.id)
  expect(after).toMatchObject({
    invoice_status: 'ready',
    excel_status: 'ready',
    invoice_excel: `Sale ${made.id}.xlsx`,
    email_sent: true,
    mail: { state: 'sent', recipient: 'buyer@example.test' },
  })
  expect(after.logs[0].content).toMatchObject({ type: 'email_sent', data: { email_body: expect.any(String) } })

  const pdf = await client.get(`/api/sale/${made.id}/invoice`)
  expect(pdf.headers).toMatchObject({
    'content-type': 'application/pdf',
    'x-content-type-options': 'nosniff',
    'content-disposition': `attachment; filename="Invoice ${made.invoice_number}.pdf"; filename*=UTF-8''Invoice%20${made.invoice_number}.pdf`,
  })
  const text = await textOf(pdf.raw)
  for (const { imei } of made.items) expect(text).toContain(imei)
  for (const words of ['Zażółć', 'Παπαδόπουλος', made.invoice_number, 'IE1234567T', '9,225.00', 'Unit 4', 'Leinster'])
    expect(text).toContain(words)

  const sheet = await client.get(`/api/sale/${made.id}/excel`)
  expect(sheet.raw.subarray(0, 2).toString()).toBe('PK')

  const [mail, ...more] = await mailsOf(made.id)
  expect(more).toEqual([])
  expect(mail!.to).toEqual([{ name: 'Zażółć Παπαδόπουλος', address: 'buyer@example.test' }])
  expect(mail!.from!.address).toBe('sales@phones.test')
  expect(Buffer.from(mail!.attachments[0]!.content as ArrayBuffer).equals(pdf.raw)).toBe(true)
})

test('the log says once that an invoice was ordered, and of each time after that in which language', async () => {
  const { id } = await sell(1, { create_invoice: false, send_email: false })
  for (const lang of ['en', 'de', 'pl']) await client.post(`/api/sale/${id}/invoice/generate`, { lang })
  const made = await sale(id)
  const number = made.invoice_number
  const said = made.logs.flatMap(
    (entry: { content: { data: { message?: string } } }) => entry.content.data.message ?? [],
  )
  expect(said.toReversed()).toEqual([
    `Invoice ${number} was requested, in English.`,
    `Invoice ${number} was requested again, in German.`,
    `Invoice ${number} was requested again, in Polish.`,
  ])
})

test('without an invoice the mail goes at once; without mail nothing goes', async () => {
  const plain = await sell(1, { create_invoice: false })
  const silent = await sell(1, { send_email: false })
  await runJobs()
  const [mail] = await mailsOf(plain.id)
  expect(mail!.attachments).toEqual([])
  expect(await sale(silent.id)).toMatchObject({ invoice_status: 'ready', email_sent: false, mail: null })
})

test('jobs that run again make and send nothing twice', async () => {
  const made = await sell(1)
  await runJobs()
  const before = await sale(made.id)
  await t.db.write(async (tx) => {
    await queue(tx, 'invoice_render', { sale_id: made.id })
    await queue(tx, 'mail_send', { mail_id: before.mail.id })
  })
  await runJobs()
  expect(await sale(made.id)).toEqual({ ...before, logs: before.logs.map(() => expect.anything()) })
  expect(await mailsOf(made.id)).toHaveLength(1)
})

/** The queued jobs, in the order in which the worker takes them. */
const waiting = async () =>
  (await t.db.pool.query('select task_identifier as task, priority from graphile_worker.jobs order by priority, id'))
    .rows

test('a mail of what is made waits for no paper, and takes the file along', async () => {
  const made = await sell(1, { send_email: false })
  await runJobs()
  const [document] = (await sale(made.id)).documents
  expect((await client.post(`/api/document/${document.id}/send`)).status).toBe(200)
  expect(await waiting()).toEqual([{ task: 'mail_send', priority: 0 }])
  await runJobs()
  const [mail] = await mailsOf(made.id)
  expect(mail!.attachments).toHaveLength(1)
})

test('a mail goes out once its own document is made, whatever becomes of the others of its sale', async () => {
  const made = await sell(1, { send_email: false })
  await runJobs()
  const [item] = (await sale(made.id)).items
  await t.db.pool.query('update document set left_at = now() where sale_id = $1', [made.id])
  await client.post(`/api/sale/${made.id}/correct`, { items: [{ id: item.stock_id, sales_price: 20_000 }] })
  const note = (await sale(made.id)).documents.find(({ kind }: { kind: string }) => kind === 'credit_note')
  expect((await client.post(`/api/document/${note.id}/send`)).status).toBe(200)
  // Simulates a database that fails while the new invoice is stored.
  await t.db.pool.query(
    `create function refuse_invoice() returns trigger language plpgsql as $$ begin raise exception 'away'; end $$;
     create trigger refuse_invoice before update on document for each row
       when (new.kind = 'invoice' and new.status = 'ready') execute function refuse_invoice()`,
  )
  await runJobs()
  await t.db.pool.query('drop function refuse_invoice() cascade')
  const { rows } = await t.db.pool.query('select state from mail where sale_id = $1', [made.id])
  expect(rows).toEqual([{ state: 'sent' }])
  await t.db.pool.query('select graphile_worker.reschedule_jobs(array_agg(id), now()) from graphile_worker.jobs')
  await runJobs()
  const statuses = (await sale(made.id)).documents.map(({ status }: { status: string }) => status)
  expect(statuses).toEqual(['ready', 'ready', 'ready'])
})

/** A database in which somebody else does `work` just before the first row is written. */
function beforeFirstWrite(work: () => Promise<unknown>): Database {
  let isDone = false
  return {
    ...t.db,
    async write(...given) {
      if (!isDone) {
        isDone = true
        await work()
      }
      return t.db.write(...given)
    },
  }
}

test('an invoice that is ordered anew while its PDF is being made does not get the PDF of before', async () => {
  const made = await sell(1, { send_email: false })
  const changed = beforeFirstWrite(async () => {
    await t.db.pool.query(`update company set city = 'Cork'`)
    expect((await client.post(`/api/sale/${made.id}/invoice/generate`, {})).status).toBe(200)
    await t.db.pool.query(`update company set city = 'Dublin'`)
  })
  await renderDocuments(changed, made.id, null)
  expect(await sale(made.id)).toMatchObject({ invoice_status: 'pending' })
  await runJobs()
  expect(await textOf((await client.get(`/api/sale/${made.id}/invoice`)).raw)).toContain('Cork')
})

test('a sheet whose sale is corrected while it is being made has the new price', async () => {
  const made = await sell(1, { create_excel: true, send_email: false })
  const [item] = (await sale(made.id)).items
  const changed = beforeFirstWrite(async () => {
    const items = [{ id: item.stock_id, sales_price: 12_345 }]
    expect((await client.post(`/api/sale/${made.id}/correct`, { items })).status).toBe(200)
  })
  await renderSheet(changed, made.id, null)
  expect(await sale(made.id)).toMatchObject({ excel_status: 'ready' })
  const { rows } = readSheet((await client.get(`/api/sale/${made.id}/excel`)).raw)
  expect(rows[1]!.slice(9)).toEqual([123.45, 0.23, 151.84])
  await runJobs()
})

test('a sheet has the items in the order of the sale, and none that was taken off it', async () => {
  const items = await stockItems(t.db, shop, 3)
  const order = [items[2]!, items[0]!, items[1]!]
  const { body } = await client.post('/api/sale/create', {
    ...{ stock_items: order.map((id) => ({ id })), customer_id: shop.customer, create_invoice: false },
    ...{ create_excel: true, send_email: false },
  })
  const { id } = body.data
  const imeis = body.data.items.map(({ imei }: { imei: string }) => imei)
  await t.db.pool.query(
    `update sale_item set released = case stock_id when $2 then 'removed' else 'lost' end
    where sale_id = $1 and stock_id = any($3)`,
    [id, order[1], order.slice(1)],
  )
  await renderSheet(t.db, id, null)
  const { rows } = readSheet((await client.get(`/api/sale/${id}/excel`)).raw)
  const cells = rows.flat().filter((cell) => imeis.includes(cell))
  expect(cells).toEqual([imeis[0], imeis[2]])
  await runJobs()
})

test('an invoice that a colleague takes off a sale at this moment is not handed out any more', async () => {
  const made = await sell(1, { create_invoice: false, send_email: false })
  const invoice = { name: 'own.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF-1.7') }
  await t.db.write((tx) => putSaleFile(tx, made.id, 'invoice', invoice))
  const colleague = await t.db.pool.connect()
  await colleague.query('begin')
  await colleague.query('select from sale where id = $1 for update', [made.id])
  const asked = client.get(`/api/sale/${made.id}/invoice`)
  await untilSomebodyWaits(t.db)
  await colleague.query('delete from sale_file where sale_id = $1', [made.id])
  await colleague.query('commit')
  colleague.release()
  expect((await asked).status).toBe(404)
})

test('a sheet that cannot be made is a failure on the sale, and its log says why', async () => {
  const made = await sell(1, { create_excel: true, create_invoice: false, send_email: false })
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(() => {
    throw new Error('The thread has died.')
  })
  await runJobs()
  vi.restoreAllMocks()
  const { excel_status, logs } = await sale(made.id)
  expect([excel_status, logs[0].content.data.message]).toEqual([
    'failed',
    'The Excel sheet could not be made: The thread has died.',
  ])
})

test('papers of few lines come before papers of many, also the sheets', async () => {
  await sell(11, { send_email: false, create_excel: true })
  await sell(1, { send_email: false, create_excel: false })
  expect(await waiting()).toEqual([
    { task: 'invoice_render', priority: 0 },
    { task: 'sheet_render', priority: 1 },
    { task: 'invoice_render', priority: 1 },
  ])
  await runJobs()
})

describe('the invoice by hand', () => {
  test('generate in another language keeps the number; delete keeps it too; earlier versions stay', async () => {
    const made = await sell(1, { send_email: false })
    await runJobs()
    const german = await client.post(`/api/sale/${made.id}/invoice/generate`, { lang: 'de' })
    expect(german.status).toBe(200)
    expect(german.body.data).toMatchObject({ invoice_number: made.invoice_number, invoice_status: 'pending' })
    await runJobs()
    expect(await textOf((await client.get(`/api/sale/${made.id}/invoice`)).raw)).toContain('Rechnung')

    expect((await client.delete(`/api/sale/${made.id}/invoice/delete`)).status).toBe(200)
    expect((await client.get(`/api/sale/${made.id}/invoice`)).status).toBe(404)
    expect((await client.delete(`/api/sale/${made.id}/invoice/delete`)).status).toBe(404)
    expect(await sale(made.id)).toMatchObject({ invoice_status: 'none', invoice_number: made.invoice_number })
    await client.post(`/api/sale/${made.id}/invoice/generate`, {})
    await runJobs()
    expect(await sale(made.id)).toMatchObject({ invoice_status: 'ready', invoice_number: made.invoice_number })
    const files = await t.db.read
      .selectFrom('document_version as v')
      .innerJoin('document as i', 'i.id', 'v.document_id')
      .select(['v.version', 'v.file_id'])
      .where('i.sale_id', '=', made.id)
      .execute()
    expect(files.filter((version) => version.file_id !== null)).toHaveLength(3)
    expect((await client.post(`/api/sale/${made.id}/invoice/generate`, { lang: 'xx' })).status).toBe(422)
  })

  test.each([
    ['of the sale', (sale: number, _: number) => `/api/sale/${sale}/invoice`],
    ['of the document', (_: number, document: number) => `/api/document/${document}/pdf`],
  ])('what is downloaded %s while it is made again is not the paper of before', async (_, url) => {
    const made = await sell(1, { send_email: false })
    await runJobs()
    const [invoice] = (await sale(made.id)).documents
    let download: Promise<Answer> | undefined
    await t.db.write(async (tx) => {
      await generateInvoice(tx, made.id, 'de', { userId: null })
      download = client.get(url(made.id, invoice.id))
      await untilSomebodyWaits(t.db)
    })
    expect((await download!).status).toBe(404)
    expect((await sale(made.id)).documents[0].left_at).toBeNull()
  })

  test('a voided sale without number gets none', async () => {
    const made = await sell(1, { create_invoice: false, send_email: false })
    await client.post(`/api/sale/${made.id}/edit`, { status: 'Voided' })
    expect((await client.post(`/api/sale/${made.id}/invoice/generate`)).status).toBe(409)
  })

  test('the sheet by hand', async () => {
    const made = await sell(1, { create_invoice: false, send_email: false })
    expect((await client.get(`/api/sale/${made.id}/excel`)).status).toBe(404)
    expect((await client.post(`/api/sale/${made.id}/invoice/excel/generate`)).body.data.excel_status).toBe('pending')
    await runJobs()
    expect((await client.get(`/api/sale/${made.id}/excel`)).status).toBe(200)
  })

  test('a sheet that is made again tells the products as they were sold', async () => {
    const made = await sell(1)
    await runJobs()
    await t.db.pool.query(
      `with other as (insert into make (name) values ('Renamed') returning id)
       update product set make_id = other.id, model = 'Something else' from other where product.id = $1`,
      [shop.product],
    )
    await client.post(`/api/sale/${made.id}/invoice/excel/generate`)
    await runJobs()
    const { raw } = await client.get(`/api/sale/${made.id}/excel`)
    const { rows } = readSheet(raw)
    const names = ['Make', 'Model', 'Capacity'].map((heading) => rows[0]!.indexOf(heading))
    expect(names.map((column) => rows[1]![column])).toEqual(['Apple', 'iPhone 13', '128 GB'])
    const text = JSON.stringify(rows)
    expect(text).toContain('iPhone')
    expect(text).not.toMatch(/Renamed|Something else/)
  })

  test('a sheet is made again if the sale is corrected', async () => {
    const made = await sell(1, { create_excel: true })
    await runJobs()
    const [item] = (await sale(made.id)).items
    const { body } = await client.post(`/api/sale/${made.id}/correct`, {
      items: [{ id: item.stock_id, sales_price: 12_345 }],
    })
    expect(body.data.sale.excel_status).toBe('pending')
    await runJobs()
    const { raw } = await client.get(`/api/sale/${made.id}/excel`)
    expect(JSON.stringify(await readSheet(raw))).toContain('123.45')
    const without = await sell(1)
    const [other] = (await sale(without.id)).items
    await client.post(`/api/sale/${without.id}/correct`, { items: [{ id: other.stock_id, sales_price: 12_345 }] })
    expect((await sale(without.id)).excel_status).toBe('none')
    await runJobs()
  })

  test('a mail that carried an older invoice leaves the resend needed', async () => {
    const made = await sell(1)
    await runJobs()
    await client.post(`/api/sale/${made.id}/invoice/resend`)
    // The sale is resubmitted after its mail was queued, so the newer invoice is still being made.
    await t.db.pool.query('update sale set resend_needed = true where id = $1', [made.id])
    await t.db.pool.query(`update document set status = 'pending' where sale_id = $1`, [made.id])
    await t.db.pool.query(`delete from graphile_worker._private_jobs
      where task_id in (select id from graphile_worker._private_tasks where identifier = 'invoice_render')`)
    await runJobs()
    expect(await sale(made.id)).toMatchObject({ mail: { state: 'sent' }, resend_needed: true })
  })

  test('a mail that waits carries the invoice as it is made again: no number goes out with two contents', async () => {
    const made = await sell(1, { send_email: false })
    await runJobs()
    await client.post(`/api/sale/${made.id}/invoice/resend`)
    await t.db.pool.query(`update company set city = 'Cork'`)
    await client.post(`/api/sale/${made.id}/invoice/generate`, { lang: 'de' })
    await t.db.pool.query(`update company set city = 'Dublin'`)
    expect(await sale(made.id)).toMatchObject({ mail: { state: 'waiting' }, resend_needed: false })
    await runJobs()
    expect(await sale(made.id)).toMatchObject({ mail: { state: 'sent' }, resend_needed: false })
    const [mail, ...more] = await mailsOf(made.id)
    expect(more).toEqual([])
    expect(mail!.subject).toContain('Rechnung')
    expect(await textOf(new Uint8Array(mail!.attachments[0]!.content as ArrayBuffer))).toContain('Cork')
  })

  test('a mail that goes out with an older print of what has left says that another is needed', async () => {
    const made = await sell(1)
    await runJobs()
    await client.post(`/api/sale/${made.id}/invoice/resend`)
    await client.post(`/api/sale/${made.id}/invoice/generate`, { lang: 'de' })
    expect(await sale(made.id)).toMatchObject({ mail: { state: 'waiting' }, resend_needed: false })
    await runJobs()
    expect(await sale(made.id)).toMatchObject({ mail: { state: 'sent' }, resend_needed: true })
    await client.post(`/api/sale/${made.id}/invoice/resend`)
    await runJobs()
    expect(await sale(made.id)).toMatchObject({ mail: { state: 'sent' }, resend_needed: false })
  })

  test('a replaced invoice that is sent once more does not ask for the newer one again', async () => {
    const made = await sell(1)
    await runJobs()
    const [item] = (await sale(made.id)).items
    const corrected = { items: [{ id: item.stock_id, sales_price: 20_000 }], send_email: true }
    expect((await client.post(`/api/sale/${made.id}/correct`, corrected)).status).toBe(200)
    await runJobs()
    const { documents, resend_needed } = await sale(made.id)
    expect([documents.length, resend_needed]).toEqual([3, false])
    expect((await client.post(`/api/document/${documents[0].id}/send`)).status).toBe(200)
    await runJobs()
    expect(await sale(made.id)).toMatchObject({ mail: { state: 'sent' }, email_sent: true, resend_needed: false })
  })

  test('a document that cannot be printed is marked and logged, and its mail does not wait', async () => {
    const made = await sell(1)
    await t.db.write((tx) =>
      tx
        .updateTable('document_version')
        .set({ data: JSON.stringify({ number: 'X', logo_file_id: null, seller: {} }) })
        .where('document_id', 'in', tx.selectFrom('document').select('id').where('sale_id', '=', made.id))
        .execute(),
    )
    await runJobs()
    const failed = await sale(made.id)
    expect(failed).toMatchObject({ invoice_status: 'failed', email_sent: false, mail: { state: 'failed' } })
    const messages = failed.logs.map((log: { content: { data: { message?: string } } }) => log.content.data.message)
    expect(messages).toContainEqual(expect.stringContaining('could not be made'))
    const told = failed.logs.find((log: { content: { data: { message?: string } } }) =>
      log.content.data.message?.includes('could not be made'),
    )
    expect(told).toMatchObject({
      user_id: client.id,
      content: { data: { message: expect.stringMatching(/^Invoice /) } },
    })
    // The entry in the log shows it on every screen to the person who ordered the mail.
    expect(failed.logs.map((log: { content: { data: { mail?: string } } }) => log.content.data.mail)).toContain(
      'failed',
    )
    expect((await client.post(`/api/sale/${made.id}/invoice/resend`)).status).toBe(409)
  })
})

describe('uploads', () => {
  test('an uploaded invoice replaces the generated one, a label has its own place', async () => {
    const made = await sell(1, { send_email: false })
    await runJobs()
    const pdf = (await client.get(`/api/sale/${made.id}/invoice`)).raw
    const answer = await upload(made.id, 'shipping_label', '../été\r\n\u202e".pdf', pdf)
    expect(answer.status).toBe(200)
    const label = await client.get(`/api/sale/${made.id}/label`)
    expect(label.raw.equals(pdf)).toBe(true)
    expect(label.headers['content-disposition']).toMatch(
      /^attachment; filename="ete\w*\.pdf"; filename\*=UTF-8''%C3%A9t%C3%A9[%\w]*\.pdf$/,
    )
    const other = await sell(1, { send_email: false, create_invoice: false })
    await upload(other.id, 'invoice', 'mine.pdf', pdf)
    expect(await sale(other.id)).toMatchObject({
      invoice_uploaded: true,
      invoice_status: 'ready',
      invoice_number: null,
    })
    expect((await client.get(`/api/sale/${other.id}/invoice`)).raw.equals(pdf)).toBe(true)
    await client.post(`/api/sale/${other.id}/invoice/resend`)
    await runJobs()
    const [mail] = await mailsOf(other.id)
    expect(mail).toMatchObject({ attachments: [{ filename: 'mine.pdf' }] })
    expect(mail!.text).toContain('Please find our invoice attached.')
  })

  test('only PDF files of at most 20 MB', async () => {
    const made = await sell(1, { create_invoice: false, send_email: false })
    const fake = await upload(made.id, 'invoice', 'x.pdf', Buffer.from('%PDF-1.7 <script>alert(1)</script>'))
    expect(fake.status).toBe(415)
    expect(fake.body.message).toBe('Only PDF files are allowed')
    expect((await upload(made.id, 'invoice', 'x.pdf', Buffer.alloc(19 * 1024 * 1024))).status).toBe(415)
    expect((await upload(made.id, 'invoice', 'x.pdf', Buffer.alloc(20 * 1024 * 1024 + 1))).status).toBe(413)
    expect((await client.post(`/api/sale/${made.id}/pdf`)).status).toBe(422)
    expect(await sale(made.id)).toMatchObject({ invoice_uploaded: false, shipping_label: null })
    expect((await client.get(`/api/sale/${made.id}/label`)).status).toBe(404)
  })
})

describe('resending', () => {
  test('once for each key, with the invoice as it is now', async () => {
    const made = await sell(1)
    await runJobs()
    const headers = { 'idempotency-key': randomUUID() }
    const url = `/api/sale/${made.id}/invoice/resend`
    const answers = await Promise.all([client.post(url, {}, headers), client.post(url, {}, headers)])
    expect(answers.map((answer) => answer.status)).toEqual([200, 200])
    await runJobs()
    const mails = await mailsOf(made.id)
    expect(mails).toHaveLength(2)
    for (const mail of mails) expect(mail.attachments).toHaveLength(1)
  })

  test('there must be something to send', async () => {
    const made = await sell(1, { create_invoice: false, send_email: false })
    expect((await client.post(`/api/sale/${made.id}/invoice/resend`)).status).toBe(409)
    expect((await client.post('/api/sale/999999/invoice/resend')).status).toBe(404)
  })
})

describe('e-invoices in the profile that the customer asks for', () => {
  const address = { address_1: 'Am Markt 1', city: 'Bremen', postal_code: '28195', country_code: 'DE' }
  const asking = async (input: object) => {
    const person = { first_name: 'Jo', last_name: 'Amt', email: 'jo@amt.test', billing_address: address }
    const answer = await client.post('/api/customer/create', { ...person, vat_number: 'DE136695976', ...input })
    return answer.body.data.id as number
  }
  const ofSale = async (id: number) => (await sale(id)).documents
  const download = (id: number, file: string) => client.get(`/api/document/${id}/${file}`)
  const lacks = async (customer_id: number, reference_number?: string) => {
    const lines = [{ vat_treatment: 'standard', vat_rate: 23, vat_name: 'Standard' }]
    return (await client.post('/api/sale/invoice-lacks', { customer_id, reference_number, lines })).body.data.profile
  }

  test('is named on the customer, its lacks are said before the sale, and a correction brings in what was filled', async () => {
    const customer_id = await asking({ e_invoice_profile: 'xrechnung' })
    expect(await lacks(customer_id)).toEqual({
      ...{ profile: 'xrechnung', seller: ['the seller’s phone number'], buyer: ['the buyer’s reference'], items: [] },
    })
    expect((await lacks(customer_id, 'PO 1')).buyer).toEqual([])
    const { id } = await sell(1, { customer_id, send_email: false })
    const [draft] = await ofSale(id)
    expect(draft).toMatchObject({ profile: 'xrechnung', handover: null })
    expect((await sale(id)).missing_profile_data).toEqual(await lacks(customer_id))
    expect((await download(draft.id, 'xrechnung-ubl')).status).toBe(409)
    expect((await ofSale(id))[0].left_at).toBeNull()

    const admin = await t.user('ROLE_ADMIN')
    await admin.post('/api/company/edit', { phone: '+353 1 123', contact_name: 'Anna' })
    const filled = { buyer_reference: '04011000-1234512345-06', electronic_address: '0204: 04011000-1234512345-06' }
    await client.post(`/api/customer/${customer_id}/edit`, filled)
    expect((await sale(id)).invoice_differs).toEqual(['the buyer’s e-invoice settings'])
    await client.post(`/api/sale/${id}/correct`, { customer: true })
    expect((await sale(id)).missing_profile_data).toEqual({ profile: 'xrechnung', seller: [], buyer: [], items: [] })
    await runJobs()
    const [made] = await ofSale(id)
    expect(made).toMatchObject({ id: draft.id, number: draft.number, profile: 'xrechnung', left_at: null })
    const ubl = await download(made.id, 'xrechnung-ubl')
    expect(ubl.headers['content-disposition']).toContain(`${made.number}.xrechnung.ubl.xml`)
    const said = ubl.raw.toString()
    for (const part of ['xrechnung_3.0', '>04011000-1234512345-06<', 'schemeID="0204"', '<cbc:Name>Anna<'])
      expect(said).toContain(part)
    expect((await download(made.id, 'xrechnung-cii')).raw.toString()).toContain('xrechnung_3.0')
    // The plain files and the PDF stay as they are for everybody, and a profile that nobody asked for has no file.
    expect((await download(made.id, 'ubl')).raw.toString()).toContain('CustomizationID>urn:cen.eu:en16931:2017<')
    expect((await download(made.id, 'peppol')).status).toBe(404)
    // The file was stored as it left: a change of the customer does not change it.
    await client.post(`/api/customer/${customer_id}/edit`, { e_invoice_profile: '', buyer_reference: 'Other' })
    await admin.post('/api/company/edit', { contact_name: 'Berta' })
    expect((await download(made.id, 'xrechnung-ubl')).raw.toString()).toBe(said)
    // A credit note has the profile of its invoice.
    const { items } = await sale(id)
    await client.post(`/api/sale/${id}/correct`, { items: [{ id: items[0].stock_id, sales_price: 100 }] })
    const [, credit, next] = await ofSale(id)
    expect([credit.kind, credit.profile, next.profile]).toEqual(['credit_note', 'xrechnung', 'xrechnung'])
    expect((await download(credit.id, 'xrechnung-ubl')).raw.toString()).toContain('<CreditNote')
  })

  test('is handed over by a person, once, as a whole file in the folder of the connector', async () => {
    const folder = path.join(dataDir, 'connector')
    const admin = await t.user('ROLE_ADMIN')
    await admin.post('/api/company/edit', { electronic_address: '9935:IE1234567T' })
    const handOver = (id: number) => client.post(`/api/document/${id}/hand-over`)
    const { id: plain } = await sell(1, { send_email: false })
    expect((await handOver((await ofSale(plain))[0].id)).status).toBe(409)
    const peppol = { e_invoice_profile: 'peppol', electronic_address: '9930:DE136695976' }
    const { id } = await sell(1, { customer_id: await asking(peppol), send_email: false })
    const [lacking] = await ofSale(id)
    expect((await handOver(lacking.id)).body.message).toMatch(/lacks data/)
    await client.post(`/api/sale/${id}/edit`, { reference_number: 'PO 7' })
    await client.post(`/api/sale/${id}/invoice/generate`, {})

    const ordered = await handOver(lacking.id)
    expect(ordered.body.data.handover).toMatchObject({ state: 'waiting', file_name: `${lacking.number}.peppol.xml` })
    expect(ordered.body.data.left_at).not.toBeNull()
    expect((await handOver(lacking.id)).status).toBe(409)
    await runJobs()
    const state = async () => (await ofSale(id))[0].handover
    expect(await state()).toMatchObject({ state: 'failed', error: 'the folder does not exist.' })
    await mkdir(folder)
    expect((await handOver(lacking.id)).status).toBe(200)
    await runJobs()
    const done = await state()
    expect(done).toMatchObject({ state: 'done', error: null, person: expect.stringContaining('Person') })
    expect(Math.abs(Date.parse(done.at) - Date.now())).toBeLessThan(60_000)
    expect(await readdir(folder)).toEqual([done.file_name])
    const file = await readFile(path.join(folder, done.file_name))
    expect(file.equals((await download(lacking.id, 'peppol')).raw)).toBe(true)
    expect(file.toString()).toContain('poacc:billing:3.0')
    const again = await handOver(lacking.id)
    expect([again.status, again.body.message]).toEqual([409, `Invoice ${lacking.number} was handed over already.`])
    const told = (await sale(id)).logs.map((log: { message?: string; data?: { message?: string } }) =>
      JSON.stringify(log),
    )
    for (const part of ['is to be handed over', 'was not handed over: the folder', 'was handed over as'])
      expect(
        told.some((log: string) => log.includes(part)),
        part,
      ).toBe(true)
  })

  describe('and is handed over', () => {
    const folder = () => path.join(dataDir, 'connector')
    const handOver = (id: number) => client.post(`/api/document/${id}/hand-over`)
    /** The XML needs no PDF. */
    const runJobs = () =>
      runSaleJobs(t, dataDir, { invoice_render: async () => undefined, sheet_render: async () => undefined })
    let customer_id = 0
    beforeAll(async () => {
      const admin = await t.user('ROLE_ADMIN')
      await admin.post('/api/company/edit', { electronic_address: '9935:IE1234567T' })
      await mkdir(folder(), { recursive: true })
      const peppol = { e_invoice_profile: 'peppol', electronic_address: '9930:DE136695976', buyer_reference: 'PO 7' }
      customer_id = await asking(peppol)
    })
    const peppolSale = async () => {
      const { id } = await sell(1, { customer_id, send_email: false, invoice_lang: 'en' })
      const [document] = await ofSale(id)
      return { id, document: document.id as number, file: path.join(folder(), `${document.number}.peppol.xml`) }
    }
    const state = async (id: number) => (await ofSale(id))[0].handover

    test('in the version that was ordered, even if a copy is made before its job runs', async () => {
      const { id, document, file } = await peppolSale()
      expect((await handOver(document)).status).toBe(200)
      const english = (await download(document, 'peppol')).raw
      expect((await client.post(`/api/document/${document}/generate`, { lang: 'de' })).status).toBe(200)
      await runJobs()
      expect(await state(id)).toMatchObject({ state: 'done' })
      expect((await readFile(file)).equals(english)).toBe(true)
      expect((await download(document, 'peppol')).raw.equals(english)).toBe(false)
    })

    test('not if its sale was voided, or if it was taken off, before the order or before its job', async () => {
      const voided = (id: number) => client.post(`/api/sale/${id}/edit`, { status: 'Voided' })
      const takenOff = (id: number) => client.delete(`/api/sale/${id}/invoice/delete`)
      for (const [stop, why, refusal] of [
        [voided, 'its sale was voided meanwhile.', /is voided/],
        [takenOff, 'it was removed from its sale meanwhile.', /was removed from its sale/],
      ] as const) {
        const before = await peppolSale()
        expect((await stop(before.id)).status).toBe(200)
        const refused = await handOver(before.document)
        expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(refusal)])
        expect((await ofSale(before.id))[0].is_void).toBe(stop === voided)
        const toHandOver = (await client.get('/api/document/find?handover=open&per_page=250')).body.data
        expect(toHandOver.some((document: { id: number }) => document.id === before.document)).toBe(stop !== voided)
        const after = await peppolSale()
        expect((await handOver(after.document)).status).toBe(200)
        expect((await stop(after.id)).status).toBe(200)
        await runJobs()
        expect(await state(after.id)).toMatchObject({ state: 'failed', error: why })
        await expect(stat(after.file)).rejects.toThrow(/ENOENT/)
      }
    })

    test('not if somebody voids its sale while the order waits for it', async () => {
      const { id, document } = await peppolSale()
      const other = await t.db.pool.connect()
      await other.query('begin')
      await other.query(`update sale set status = 'Voided' where id = $1`, [id])
      const ordered = handOver(document)
      await untilSomebodyWaits(t.db)
      await other.query('commit')
      other.release()
      expect((await ordered).status).toBe(409)
      expect(await state(id)).toBeNull()
    })

    test('once, while somebody works on its sale, and again if noting it fails', async () => {
      const { id, document, file } = await peppolSale()
      expect((await handOver(document)).status).toBe(200)
      const other = await t.db.pool.connect()
      await other.query('begin')
      await other.query('select from sale where id = $1 for update', [id])
      await runJobs()
      await other.query('rollback')
      other.release()
      expect(await state(id)).toMatchObject({ state: 'done' })
      const written = await stat(file)
      // As if the server had died between the file and the note.
      await t.db.pool.query(
        `update document_handover set state = 'waiting', done_at = null where document_id = ${document}`,
      )
      await t.db.write((tx) => queue(tx, 'hand_over', { document_id: document }))
      await runJobs()
      expect(await state(id)).toMatchObject({ state: 'done' })
      expect((await stat(file)).ino).toBe(written.ino)
    })

    test('one document at a time, so that a folder that hangs leaves the other jobs their slots', async () => {
      for (const { document } of [await peppolSale(), await peppolSale()])
        expect((await handOver(document)).status).toBe(200)
      const { rows } = await t.db.pool.query(
        `select queue_name, count(*)::int as jobs from graphile_worker.jobs where task_identifier = 'hand_over' group by 1`,
      )
      expect(rows).toEqual([{ queue_name: expect.any(String), jobs: 2 }])
      await runJobs()
    })

    test('with a reason if its XML is gone, or if the folder has another file of its name', async () => {
      const { id, document, file } = await peppolSale()
      await writeFile(file, 'another shop’s')
      await handOver(document)
      await runJobs()
      expect(await state(id)).toMatchObject({ state: 'failed', error: 'the folder has another file of this name.' })
      expect(await readFile(file, 'utf8')).toBe('another shop’s')
      await handOver(document)
      await t.db.pool.query(`update document_handover set version = null where document_id = ${document}`)
      await runJobs()
      expect(await state(id)).toMatchObject({ state: 'failed', error: 'its XML is not stored.' })
    })

    test('not if a server of the last release, which knows no profile, has made it anew', async () => {
      const { id, document } = await peppolSale()
      await t.db.pool.query(`insert into document_version (document_id, version, lang, data)
        select document_id, version + 1, lang, data - 'profile' from document_version where document_id = ${document}`)
      expect((await ofSale(id))[0].profile).toBeNull()
      expect((await handOver(document)).body.message).toMatch(/has no profile/)
      expect((await download(document, 'peppol')).status).toBe(404)
      // Its credit note there takes the profile from its invoice.
      await t.db.pool.query(`insert into document_version (document_id, version, lang, data)
        select document_id, version + 1, lang, data || '{"profile": "xrechnung"}' from document_version
        where document_id = ${document} order by version desc limit 1`)
      expect((await ofSale(id))[0].profile).toBe('xrechnung')
    })
  })
})
