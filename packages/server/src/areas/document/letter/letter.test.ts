import { mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { CustomerAccount, OpenItem } from '@backstock/contract/letter.ts'
import { MAX_ATTACHED, MAX_ATTACHED_BYTES } from '@backstock/contract/letter-kind.ts'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../../invariants/check.ts'
import { type Client, testApp } from '../../../testing/app.ts'
import { makeDocuments } from '../../../testing/made-documents.ts'
import { textOf } from '../../../testing/printed-invoice.ts'
import { openShop, runSaleJobs, type Shop, stockItems } from '../../../testing/shop.ts'
import { untilSomebodyWaits } from '../../../testing/until-waiting.ts'
import { saleFigures } from '../../sale/figures.ts'
import { whyNotSendLetter } from '../mail/letter-mail.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let admin: Client
let shop: Shop
let dataDir: string

beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-letter-'))
})
afterAll(async () => {
  await t.close()
  await rm(dataDir, { recursive: true })
})

let people = 0
async function customer(fields: object = {}): Promise<number> {
  const { body } = await client.post('/api/customer/create', {
    ...{ first_name: 'Olga', last_name: `Owing ${++people}`, email: `olga${people}@example.test` },
    billing_address: { address_1: '5 Mill Lane', city: 'Cork', postal_code: 'T12', country_code: 'IE' },
    ...fields,
  })
  return body.data.id
}

type Sold = { sale: number; document: number; number: string }
/** Sells items with invoices that have left. `due` is in days from today. */
async function invoiced(customer_id: number, ...wanted: { due: number; price?: number; isSent?: false }[]) {
  const sold: Sold[] = []
  for (const { due, price = 30_000 } of wanted) {
    const [id] = await stockItems(t.db, shop, 1)
    const { body } = await client.post('/api/sale/create', {
      ...{ stock_items: [{ id, sales_price: price }], customer_id, send_email: false, create_invoice: true },
    })
    const [{ id: document, number }] = body.data.documents
    await moveDue(body.data.id, due)
    sold.push({ sale: body.data.id, document, number })
  }
  await runSaleJobs(t, dataDir)
  for (const [n, { document }] of sold.entries())
    if (wanted[n]!.isSent !== false) expect((await client.get(`/api/document/${document}/pdf`)).status).toBe(200)
  return sold as [Sold, Sold, Sold, Sold]
}
const moveDue = (sale: number, days: number) =>
  t.db.pool.query(
    'update sale set due_on = (select (now() at time zone time_zone)::date + $2::int from company) where id = $1',
    [sale, days],
  )
const pay = (sale: number, amount: number) =>
  client.post(`/api/sale/${sale}/pay`, { paid_on: new Date().toISOString().slice(0, 10), amount })
const account = async (id: number): Promise<CustomerAccount> =>
  (await client.get(`/api/open-item/find?id=${id}`)).body.data[0]
const letter = (id: number, body: object, headers?: Record<string, string>) =>
  client.post(`/api/open-item/${id}/letter`, { kind: 'reminder', way: 'email', ...body }, headers)
const sale = async (id: number) => (await client.get(`/api/sale/find?id=${id}`)).body.data[0]
const item = ({ items }: CustomerAccount, document: number): OpenItem =>
  items.find(({ document_id }) => document_id === document)!
const said = ({ logs }: { logs: { content: { data: { message?: string } } }[] }) =>
  logs.map(({ content }) => content.data.message).filter((message) => message !== undefined)
const failedMails = async () =>
  Number((await sql<{ mails_failed: number }>`${saleFigures.select}`.execute(t.db.read)).rows[0]!.mails_failed)
/** Makes all letters and their invoices eight days older. */
const daysLater = () =>
  t.db.pool.query(`alter table letter_line disable trigger kept; alter table letter disable trigger kept;
    update letter_line set made_on = made_on - 8, due_on = due_on - 8; update letter set made_on = made_on - 8;
    alter table letter_line enable trigger kept; alter table letter enable trigger kept`)

/** Runs the due jobs with a mail server, which refuses addresses for which `refuse` has a code. Returns the mails. */
async function withMailServer(refuse?: number): Promise<string[]> {
  const received: string[] = []
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onRcptTo(_address, _session, callback) {
      callback(refuse ? Object.assign(new Error('No such person'), { responseCode: refuse }) : null)
    },
    onData(stream, _session, callback) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        received.push(Buffer.concat(chunks).toString())
        callback()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  try {
    await runSaleJobs({ ...t, config: { ...t.config, smtpUrl: `smtp://127.0.0.1:${port}` } }, dataDir)
  } finally {
    await new Promise<void>((resolve) => server.close(resolve))
  }
  return received
}

test('a reminder goes out with its invoices, is logged on all, and the next one has the next level', async () => {
  const id = await customer({ company_name: 'Owing & Sons', lang: 'de' })
  const [late, later] = await invoiced(id, { due: -12 }, { due: -3, price: 10_000 }, { due: 5 })
  await pay(late.sale, 5_000)
  const before = await account(id)
  expect(before).toMatchObject({ open_total: 65_000, overdue_total: 35_000, credit_total: 0, lang: 'de', letters: [] })
  expect(before.items.map(({ days_overdue }) => days_overdue)).toEqual([12, 3, 0])
  expect(item(before, late.document)).toMatchObject({
    ...{ number: late.number, total: 30_000, paid: 5_000, open: 25_000, is_sent: true, last_level: null },
  })

  const { status, body } = await letter(id, {})
  expect([status, body.message]).toEqual([200, 'The reminder is waiting to be sent.'])
  expect(body.data).toMatchObject({
    ...{ kind: 'reminder', level: 1, total: 35_000, invoices: 2, numbers: [late.number, later.number] },
    ...{ state: 'waiting', made_on: before.today, pay_by: before.pay_by },
  })
  const [mail, ...others] = await withMailServer()
  expect(others).toEqual([])
  expect(mail).toContain(`olga${people}@example.test`)
  expect(mail!.match(/Content-Type: application\/pdf/g)).toHaveLength(3)
  expect(mail).toContain(`${late.number}.pdf`)

  const after = await account(id)
  expect(after.letters).toMatchObject([{ id: body.data.id, state: 'sent', error: null }])
  expect(item(after, late.document)).toMatchObject({ last_level: 1, last_reminded_on: before.today })
  const text = (await textOf((await client.get(`/api/letter/${body.data.id}/pdf`)).raw)).join(' ')
  for (const part of [
    'Zahlungserinnerung',
    'Owing & Sons',
    '5 Mill Lane',
    late.number,
    '250,00',
    '350,00',
    'IE29 AIBK',
  ])
    expect(text).toContain(part)
  const told = `Friendly reminder #${body.data.id} to olga${people}@example.test: sent.`
  expect(said(await sale(late.sale))).toContain(told)
  expect(said((await client.get(`/api/customer/find?id=${id}`)).body.data[0])).toContain(told)
  expect((await sale(late.sale)).reminders).toMatchObject([{ id: body.data.id, level: 1, open: 25_000, state: 'sent' }])
  // Also of a sale of which nothing was paid.
  expect((await sale(later.sale)).reminders).toMatchObject([{ id: body.data.id, level: 1, state: 'sent' }])
  // The letter's mail is not the mail about the sale.
  expect(await sale(late.sale)).toMatchObject({ email_sent: false, mail: null })

  // A second reminder of the same day is refused. Days later it has level 2.
  expect((await letter(id, { level: 2 })).body.message).toBe(
    `A reminder made today already includes ${late.number}, ${later.number}. Send the next one tomorrow or later.`,
  )
  await daysLater()
  expect((await letter(id, { documents: [late.document] })).body.data).toMatchObject({ level: 2, invoices: 1 })
  await withMailServer()
  // No invoice gets a level because another one of its customer has had the one before; and none loses its level.
  await daysLater()
  expect((await letter(id, { way: 'download' })).body.data).toMatchObject({ level: 2, state: 'downloaded' })
  await daysLater()
  await letter(id, { way: 'download', level: 1, documents: [later.document] })
  expect(item(await account(id), later.document)).toMatchObject({ last_level: 2, last_reminded_on: before.today })
  for (const expected of [3, 3]) {
    await daysLater()
    expect((await letter(id, { way: 'download' })).body.data).toMatchObject({ level: expected, invoices: 2 })
  }
  const levels = (await sale(late.sale)).reminders.map(({ level, open }: OpenReminder) => [level, open])
  expect(levels).toEqual([3, 3, 2, 2, 1].map((level) => [level, 25_000]))
})
type OpenReminder = { level: number; open: number }

test('invoices that are paid, not due, unsent, without number or of others are refused, and what changed is', async () => {
  const [id, other] = [await customer(), await customer()]
  const [paid, early, late, unsent] = await invoiced(
    id,
    ...[{ due: -5 }, { due: 0 }, { due: -5 }, { due: -5, isSent: false as const }],
  )
  await pay(paid.sale, 30_000)
  const [theirs] = await invoiced(other, { due: -5 })
  const problem = async (...documents: number[]) => {
    const { status, body } = await letter(id, { documents })
    return [status, body.data.errors.documents]
  }
  expect(await problem(paid.document)).toEqual([
    422,
    `Document #${paid.document} is not an open invoice of this customer.`,
  ])
  expect(await problem(early.document, late.document)).toEqual([422, `${early.number} is not overdue.`])
  expect(await problem(theirs.document)).toEqual([
    422,
    `Document #${theirs.document} is not an open invoice of this customer.`,
  ])
  expect(await problem()).toEqual([422, 'Choose at least one invoice.'])
  expect(await problem(unsent.document)).toEqual([422, `${unsent.number} has not been sent to the customer yet.`])
  expect((await letter(id, { total: 1 })).status).toBe(409)
  expect((await letter(id, { level: 4 })).status).toBe(422)
  expect((await letter(2_000_000_000, {})).status).toBe(404)
  expect((await letter(await customer(), {})).status).toBe(422)
  expect((await letter(await customer(), { kind: 'statement' })).status).toBe(409)
  expect((await account(id)).letters).toEqual([])
  // The mail would lack an invoice, because somebody has removed its PDF.
  await client.delete(`/api/sale/${late.sale}/invoice/delete`)
  expect((await letter(id, {})).body.message).toBe(
    `There is no PDF to attach for ${late.number}. Please generate it first.`,
  )
  await client.post(`/api/document/${late.document}/generate`)
  await runSaleJobs(t, dataDir)
  // Without a choice, a reminder has all invoices that may be in it.
  expect((await letter(id, { total: 30_000 })).body.data).toMatchObject({ numbers: [late.number] })

  await withMailServer()

  // A corrected sale is open once, with the invoice that stands.
  const [item] = (await sale(late.sale)).items
  const corrected = { items: [{ id: item.stock_id, sales_price: 20_000 }] }
  const { invoice } = (await client.post(`/api/sale/${late.sale}/correct`, corrected)).body.data
  const open = (await account(id)).items.filter(({ sale_id }) => sale_id === late.sale)
  expect(open).toMatchObject([{ number: invoice.number, total: 20_000, open: 20_000, last_level: null }])
})

test('two people at once send one reminder, and the same request twice sends one', async () => {
  const id = await customer()
  await invoiced(id, { due: -5 })
  const colleague = await t.user()
  const answers = await Promise.all([
    letter(id, {}),
    colleague.post(`/api/open-item/${id}/letter`, { kind: 'reminder', way: 'email' }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect((await account(id)).letters).toHaveLength(1)
  expect(await withMailServer()).toHaveLength(1)

  const twice = await customer()
  await invoiced(twice, { due: -5 })
  const headers = { 'idempotency-key': `reminder-${twice}` }
  const [first, second] = [await letter(twice, {}, headers), await letter(twice, {}, headers)]
  expect([first.status, second.status, second.body.data.id]).toEqual([200, 200, first.body.data.id])
  expect((await account(twice)).letters).toHaveLength(1)
  expect(await withMailServer()).toHaveLength(1)
})

test('a reminder that waited is not sent once an invoice in it was paid or its day has passed', async () => {
  const before = await failedMails()
  const id = await customer()
  const [one, two] = await invoiced(id, { due: -5 }, { due: -5 })
  await letter(id, { level: 2 })
  await pay(one.sale, 100)
  expect(await withMailServer()).toEqual([])
  const { letters, items } = await account(id)
  const error =
    'An invoice in it was paid or changed in the meantime. If others are still overdue, make a new reminder.'
  expect(letters).toMatchObject([{ state: 'failed', error }])
  expect(items.map(({ last_level }) => last_level)).toEqual([null, null])
  expect((await client.post(`/api/letter/${letters[0]!.id}/send`)).status).toBe(409)
  expect((await letter(id, {})).body.data).toMatchObject({ level: 1, total: 59_900 })
  expect(await withMailServer()).toHaveLength(1)
  expect(said(await sale(two.sale))[0]).toContain('sent.')

  // The new reminder has settled that mail. A reminder whose invoices are paid needs nobody either.
  const other = await customer()
  const [paid] = await invoiced(other, { due: -5 })
  expect(await failedMails()).toBe(before)
  await letter(other, {})
  await pay(paid.sale, 30_000)
  await withMailServer()
  expect((await account(other)).letters).toMatchObject([{ state: 'failed' }])
  expect(await failedMails()).toBe(before)

  const late = await customer()
  const [{ document }] = await invoiced(late, { due: -5 })
  const toBePaid = async (who: number, by: string) => {
    await letter(who, {})
    await t.db.pool.query(`alter table letter disable trigger kept; update letter set pay_by = ${by}
      where customer_id = ${who}; alter table letter enable trigger kept`)
  }
  await toBePaid(late, 'made_on - 1')
  expect(await withMailServer()).toEqual([])
  const passed = await account(late)
  expect(passed.letters).toMatchObject([{ state: 'failed', error: expect.stringContaining('has passed') }])
  expect(item(passed, document).last_level).toBe(null)
  expect(await failedMails()).toBe(before + 1)
  const lastDay = await customer()
  await invoiced(lastDay, { due: -5 })
  await toBePaid(lastDay, 'made_on')
  expect(await withMailServer()).toHaveLength(1)
})

test('nothing is told as sent that was not: no mail server, a refused address, and sending it again', async () => {
  const id = await customer()
  const [{ document, sale: sold }] = await invoiced(id, { due: -5 })
  const made = (await letter(id, {})).body.data
  await runSaleJobs(t, dataDir)
  const saved = await account(id)
  expect(saved).toMatchObject({ sends_mail: false, letters: [{ id: made.id, state: 'saved' }] })
  expect(item(saved, document).last_level).toBe(null)
  expect((await readdir(path.join(dataDir, 'mail'))).length).toBeGreaterThan(0)
  expect(said(await sale(sold))[0]).toContain('not sent, since no mail server is set up. Saved as a file.')

  const send = () => client.post(`/api/letter/${made.id}/send`)
  expect((await send()).body.data).toMatchObject({ state: 'waiting' })
  expect((await send()).status).toBe(409)
  await withMailServer(550)
  const refused = await account(id)
  expect(refused.letters).toMatchObject([{ state: 'failed', error: expect.stringContaining('No such person') }])
  expect(item(refused, document).last_level).toBe(null)
  const { logs } = (await client.get(`/api/customer/find?id=${id}`)).body.data[0]
  expect(logs[0].content.data).toMatchObject({ mail: 'failed', message: expect.stringContaining('not sent') })

  // A letter of another day says sums and days that no longer hold.
  const date = (text: string) =>
    t.db.pool.query(`alter table letter disable trigger kept; update letter set data = data || jsonb_build_object('date', ${text})
      where id = ${made.id}; alter table letter enable trigger kept`)
  await date(`'2001-01-01'`)
  const stale = await send()
  expect([stale.status, stale.body.message]).toEqual([
    409,
    'This letter was made on another day. Please make a new one.',
  ])
  await date('made_on')
  await send()
  const [mail] = await withMailServer()
  expect(mail!.match(/Content-Type: application\/pdf/g)).toHaveLength(2)
  expect(item(await account(id), document).last_level).toBe(1)
  // An attempt whose end nobody knows may have arrived, whatever becomes of the next one.
  await t.db.pool.query(`update mail set state = 'unclear', sent_at = null where letter_id = ${made.id} and state = 'sent'
    and saved_as is null`)
  for (const _ of [1, 2]) {
    expect((await send()).body.data).toMatchObject({ state: 'waiting' })
    await withMailServer(550)
    const unclear = await account(id)
    expect(unclear.letters).toMatchObject([{ state: 'unclear', error: expect.stringContaining('No such person') }])
    expect(item(unclear, document).last_level).toBe(1)
  }
  // An email that is only saved as a file tells nothing about the one before, either.
  await send()
  await runSaleJobs(t, dataDir)
  expect((await account(id)).letters).toMatchObject([{ state: 'unclear' }])
  await send()
  expect(await withMailServer()).toHaveLength(1)
  // The metric of mails that need a person no longer counts this one.
  expect((await t.app.inject('/metrics')).body).toMatch(/backstock_mails_failed 1\n/)
})

test('a statement has open invoices and credits, and no sale without an invoice; a look at it keeps nothing', async () => {
  const id = await customer({ lang: 'fr' })
  const [late, over, unsent] = await invoiced(id, { due: -40 }, { due: 20 }, { due: 20, isSent: false })
  await pay(over.sale, 37_000)
  const [bare] = await stockItems(t.db, shop, 1)
  await client.post('/api/sale/create', {
    ...{ stock_items: [{ id: bare }], customer_id: id, send_email: false, create_invoice: false },
  })
  expect(await account(id)).toMatchObject({
    ...{ open_total: 90_000, overdue_total: 30_000, credit_total: 7_000, without_invoice: 30_000 },
  })
  const looked = await client.post(`/api/open-item/${id}/letter/preview`, { kind: 'statement', way: 'email' })
  expect([looked.status, looked.headers['content-type']]).toEqual([200, 'application/pdf'])
  const text = (await textOf(looked.raw)).join(' ')
  for (const part of ['Relevé de compte', late.number, over.number, '-70,00', '230,00', 'Échu', '300,00', '40'])
    expect(text).toContain(part)
  expect(text).not.toContain(unsent.number)
  expect((await account(id)).letters).toEqual([])

  const { body } = await letter(id, { kind: 'statement', lang: 'en' })
  expect(body.data).toMatchObject({
    kind: 'statement',
    level: null,
    pay_by: null,
    total: 23_000,
    invoices: 2,
    lang: 'en',
  })
  await client.post(`/api/customer/${id}/edit`, { email: 'mended@example.test' })
  const [mail] = await withMailServer()
  expect(mail!.match(/Content-Type: application\/pdf/g)).toHaveLength(1)
  expect(mail).toContain('EUR=C2=A0230.00')
  expect(mail).toContain('mended@example.test')
  expect((await account(id)).letters).toMatchObject([{ state: 'sent' }])

  // A statement locks no sale. If four people send it again at once, one email leaves.
  const again = (await letter(id, { kind: 'statement' })).body.data.id
  await withMailServer(550)
  const sent = await Promise.all([client, admin, client, admin].map((who) => who.post(`/api/letter/${again}/send`)))
  expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
  expect(await withMailServer()).toHaveLength(1)
})

test('a statement to a buyer without a billing address has the other one; a sale without invoice is an order', async () => {
  const delivery_address = { address_1: '7 Dock Road', city: 'Galway', postal_code: 'H91', country_code: 'IE' }
  const id = await customer({ lang: 'en', billing_address: null, delivery_address })
  const [stock] = await stockItems(t.db, shop, 1)
  const { body } = await client.post('/api/sale/create', {
    ...{ stock_items: [{ id: stock, sales_price: 10_000 }], customer_id: id, send_email: false, create_invoice: false },
  })
  await pay(body.data.id, 10_500)
  const looked = await client.post(`/api/open-item/${id}/letter/preview`, { kind: 'statement', way: 'email' })
  const text = (await textOf(looked.raw)).join(' ')
  for (const part of ['7 Dock Road H91 Galway', `Order number ${body.data.id} 100.00 105.00 -5.00`])
    expect(text).toContain(part)
})

test('a statement with more open sales than it takes is refused, and leaves none out', async () => {
  const id = await customer()
  const [stock] = await stockItems(t.db, shop, 1)
  const { body } = await client.post('/api/sale/create', {
    ...{ stock_items: [{ id: stock }], customer_id: id, send_email: false, create_invoice: false },
  })
  const { rows } = await t.db.pool.query(
    `select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
     where table_name = 'sale' and is_generated = 'NEVER' and is_identity = 'NO'`,
  )
  const copies = (n: number) =>
    t.db.pool.query(
      `insert into sale (${rows[0].columns}) select ${rows[0].columns} from sale, generate_series(1, $2) where id = $1`,
      [body.data.id, n],
    )
  await copies(999)
  expect(await account(id)).toMatchObject({ more: 0, open_total: 30_000_000 })
  await copies(1)
  expect(await account(id)).toMatchObject({ more: 1, open_total: 30_030_000 })
  const refused = await letter(id, { kind: 'statement' })
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringMatching(/at most 1,?000/)])
  await t.db.pool.query('delete from sale where customer_id = $1 and id <> $2', [id, body.data.id])
})

test('a reminder takes its invoices along if they are few and small; otherwise it goes alone', async () => {
  /** A customer who owes this many invoices. Their files are empty. */
  const owing = async (n: number) => {
    const id = await customer()
    for (const stock of await stockItems(t.db, shop, n)) {
      const order = { stock_items: [{ id: stock }], customer_id: id, send_email: false, create_invoice: true }
      await moveDue((await client.post('/api/sale/create', order)).body.data.id, -12)
    }
    await makeDocuments(t.db)
    await t.db.pool.query('update document set left_at = now() where customer_id = $1', [id])
    return id
  }
  const [few, large, many] = [await owing(2), await owing(1), await owing(MAX_ATTACHED + 1)]
  const ofLarge = `id = (select v.file_id from document_version v join document d on d.id = v.document_id where d.customer_id = ${large})`
  await t.db.pool.query(`update file set size = ${MAX_ATTACHED_BYTES + 1} where ${ofLarge}`)
  for (const id of [few, large, many]) expect((await letter(id, {})).status).toBe(200)
  const mails = await withMailServer()
  expect(mails.map((mail) => mail.match(/Content-Type: application\/pdf/g)?.length)).toEqual([3, 1, 1])
  // Only five of many invoices are named.
  const [made] = (await account(many)).letters
  expect([made!.invoices, made!.numbers.length]).toEqual([MAX_ATTACHED + 1, 5])
  expect((await letter(many, {})).body.message).toMatch(
    /^A reminder made today already includes (?:[\w-]+, ){5}…\. Send the next one tomorrow or later\.$/,
  )
  const { body } = await letter(many, { documents: [1, 2, 3, 4, 5, 6].map((n) => 2_000_000_000 + n) })
  expect(body.data.errors.documents.match(/is not an open invoice/g)).toHaveLength(5)
  // A customer and a sale have their newest fifty letters.
  const { rows: copies } = await t.db.pool.query<{ sale_id: number; newest: number }>(
    `with copy as (
        insert into letter (customer_id, kind, level, way, lang, made_on, pay_by, total, invoices, data, file_id)
        select customer_id, kind, level, 'download', lang, made_on, pay_by, total, invoices, data, file_id
        from letter, generate_series(1, 50) where id = $1 returning id),
      line as (
        insert into letter_line (letter_id, document_id, sale_id, level, made_on, due_on, open_amount, counts)
        select copy.id, document_id, sale_id, level, made_on, due_on, open_amount, false
        from copy, (select * from letter_line where letter_id = $1 limit 1) one returning sale_id, letter_id)
     select sale_id, max(letter_id) as newest from line group by 1`,
    [made!.id],
  )
  const { sale_id, newest } = copies[0]!
  const fifty = Array.from({ length: 50 }, (_, n) => newest - n)
  expect((await account(many)).letters.map(({ id }) => id)).toEqual(fifty)
  expect((await sale(sale_id)).reminders.map(({ id }: { id: number }) => id)).toEqual(fifty)
  await t.db.pool.query(`alter table letter_line disable trigger kept; alter table letter disable trigger kept;
    delete from letter_line where letter_id > ${made!.id}; delete from letter where id > ${made!.id};
    alter table letter_line enable trigger kept; alter table letter enable trigger kept`)
  await t.db.pool.query(`update file set size = 4 where ${ofLarge}`)
})

test('two people who send a statement at once send one email; a person who has seen it may send another', async () => {
  const id = await customer()
  await invoiced(id, { due: 20 })
  const statement = { kind: 'statement', way: 'email', newest_letter: null }
  const holder = await t.db.pool.connect()
  await holder.query('begin')
  await holder.query('select from customer where id = $1 for update', [id])
  const sending = Promise.all([client, admin].map((who) => who.post(`/api/open-item/${id}/letter`, statement)))
  await untilSomebodyWaits(t.db, 2)
  await holder.query('commit')
  holder.release()
  const answers = await sending
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)!.body.message).toContain(
    'has just sent this customer a statement',
  )
  const [seen, ...others] = (await account(id)).letters
  expect(others).toEqual([])
  expect(await withMailServer()).toHaveLength(1)
  expect((await letter(id, { ...statement, way: 'download' })).status).toBe(200)
  expect((await letter(id, { ...statement, newest_letter: seen!.id })).status).toBe(200)
  expect(await withMailServer()).toHaveLength(1)
})

test('an invoice is overdue, and a reminder out of date, once the day is over in the company’s time zone', async () => {
  const id = await customer({ company_name: 'Elsewhere Ltd' })
  await invoiced(id, { due: -1, price: 5_000 })
  const reminder: number = (await letter(id, { way: 'download' })).body.data.id
  // These two places never have the same day.
  await t.db.pool.query(`
    alter table letter disable trigger kept;
    alter table letter_line disable trigger kept;
    update letter set pay_by = (now() at time zone 'Pacific/Pago_Pago')::date where id = ${reminder};
    update sale set due_on = (now() at time zone 'Pacific/Pago_Pago')::date where customer_id = ${id};
    update letter_line l set due_on = s.due_on from sale s where s.id = l.sale_id and l.letter_id = ${reminder};
    alter table letter enable trigger kept;
    alter table letter_line enable trigger kept`)
  const found: unknown[] = []
  for (const zone of ['Pacific/Pago_Pago', 'Pacific/Kiritimati']) {
    await t.db.pool.query('update company set time_zone = $1', [zone])
    const { overdue_total, items } = await account(id)
    const [listed] = (await client.get('/api/open-item/find?search=elsewhere')).body.data
    const whyNot = await t.db.write((tx) => whyNotSendLetter(tx, reminder))
    found.push([overdue_total, items[0]!.days_overdue > 0, listed.overdue_total, whyNot])
  }
  // No reminder reminds of an invoice on its very day; in the west the day of `due_on` may still be that of the company.
  await t.db.pool.query(`
    update company set time_zone = 'UTC';
    alter table letter_line disable trigger kept;
    update letter_line set due_on = made_on - 1 where letter_id = ${reminder};
    alter table letter_line enable trigger kept`)
  const passed = 'The date by which it asks for payment has passed. Make a new reminder.'
  expect(found).toEqual([
    [0, false, 0, null],
    [5_000, true, 5_000, passed],
  ])
})

test('the list of open items: sums, last reminders, order, search and pages', async () => {
  const [little, much, credit, onTime] = [
    await customer({ company_name: 'Listed Ltd' }),
    await customer({ company_name: 'Listed GmbH' }),
    await customer({ company_name: 'Listed SA' }),
    await customer({ company_name: 'Listed BV' }),
  ]
  await invoiced(little, { due: -2, price: 10_000 })
  await invoiced(much, { due: -30 }, { due: 30 })
  await pay((await invoiced(credit, { due: 10 }))[0].sale, 31_000)
  // A sale that is due today is not overdue.
  await invoiced(onTime, { due: 0, price: 15_000 })
  expect(await account(onTime)).toMatchObject({ open_total: 15_000, overdue_total: 0 })
  expect((await admin.post('/api/company/edit', { reminder_days: 366 })).status).toBe(422)
  await admin.post('/api/company/edit', { reminder_days: 10 })
  const { made_on, pay_by } = (await letter(much, { way: 'download' })).body.data
  expect((Date.parse(pay_by) - Date.parse(made_on)) / 86_400_000).toBe(10)
  const find = async (query: string) => (await client.get(`/api/open-item/find?search=listed${query}`)).body
  expect((await find('')).data).toMatchObject([
    { id: much, open_total: 60_000, overdue_total: 30_000, overdue_sales: 1, last_level: 1 },
    { id: little, open_total: 10_000, overdue_total: 10_000, overdue_sales: 1, last_level: null },
    { id: onTime, open_total: 15_000, overdue_total: 0, overdue_sales: 0 },
    { id: credit, open_total: 0, overdue_total: 0, credit_total: 1_000, oldest_due_on: null },
  ])
  expect((await find('&overdue=1&order=overdue_total_asc')).data.map(({ id }: { id: number }) => id)).toEqual([
    little,
    much,
  ])
  expect(await find('&per_page=1&page=2')).toMatchObject({ total: 4, data: [{ id: little }] })
  expect(await find('&per_page=1&page=9')).toMatchObject({ total: 4, data: [] })
  expect((await find(`&ids=${credit}`)).data).toMatchObject([{ id: credit }])
  for (const [order, ...ids] of [
    ['overdue_total_desc', much, little, onTime, credit],
    ['open_total_asc', credit, little, onTime, much],
    // Somebody who owes nothing has no day, and comes last in both directions.
    ['oldest_due_on_asc', much, little, onTime, credit],
    ['oldest_due_on_desc', onTime, little, much, credit],
    ['full_name_desc', onTime, credit, much, little],
    ['id_asc', little, much, credit, onTime],
  ])
    expect(
      (await find(`&order=${order}`)).data.map(({ id }: { id: number }) => id),
      String(order),
    ).toEqual(ids)
  // A reminder that could not be sent is none.
  const ofMuch = '(select id from letter where customer_id = $1)'
  await t.db.pool.query(`update letter_line set counts = false where letter_id in ${ofMuch}`, [much])
  expect((await find('')).data[0]).toMatchObject({ id: much, last_level: null, last_reminded_on: null })
  expect(await violationsIn(t.connection)).toEqual([])
})
