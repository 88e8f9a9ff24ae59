import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import type { Socket } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../../../testing/app.ts'
import { openShop, runSaleJobs, type Shop, stockItems } from '../../../testing/shop.ts'
import { saleFigures } from '../../sale/figures.ts'
import { giveUpMail } from './send-mail.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop
let dataDir: string

beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  shop = await openShop(t.db)
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-mail-'))
})
afterAll(async () => {
  await t.close()
  await rm(dataDir, { recursive: true })
})

const sale = async (id: number) => (await client.get(`/api/sale/find?id=${id}`)).body.data[0]

async function sell({ create_invoice = false } = {}): Promise<number> {
  const [id] = await stockItems(t.db, shop, 1)
  const { body } = await client.post('/api/sale/create', {
    stock_items: [{ id }],
    customer_id: shop.customer,
    create_invoice,
  })
  return body.data.id
}

/** Uploads an invoice of the trader's own to a sale. */
async function upload(id: number, pdf: Uint8Array) {
  const form = new FormData()
  form.append('invoice', new Blob([new Uint8Array(pdf)]), 'own.pdf')
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return client.send({
    method: 'POST',
    url: `/api/sale/${id}/pdf`,
    headers: { 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}

let breakOff: () => void

/**
 * Runs the due jobs with a real mail server that these options configure. Meanwhile `breakOff` cuts all connections to
 * it.
 */
async function withServer(options: SMTPServerOptions, work: (runJobs: () => Promise<void>) => Promise<void>) {
  const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS'], logger: false, ...options })
  server.on('error', () => undefined)
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  breakOff = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  const config = { ...t.config, smtpUrl: `smtp://127.0.0.1:${port}` }
  try {
    await work(() => runSaleJobs({ ...t, config }, dataDir))
  } finally {
    await new Promise<void>((resolve) => server.close(resolve))
  }
}

const collect = (received: string[]): SMTPServerOptions => ({
  onData(stream, _session, callback) {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      received.push(Buffer.concat(chunks).toString())
      callback()
    })
  },
})

test('a mail server that takes it: sent, with the log entry', async () => {
  const id = await sell()
  const received: string[] = []
  await withServer(collect(received), (runJobs) => runJobs())
  expect(received).toHaveLength(1)
  expect(received[0]).toContain('buyer@example.test')
  expect(await sale(id)).toMatchObject({ email_sent: true, mail: { state: 'sent', error: null } })
  // If its job is given up afterwards, it has still been sent.
  const [mail] = (await t.db.pool.query('select id from mail where sale_id = $1', [id])).rows
  await t.db.write((tx) => giveUpMail(tx, mail.id, true))
  expect((await sale(id)).mail).toMatchObject({ state: 'sent', error: null })
})

test('a mail comes from the company’s sender, or else from its own address', async () => {
  const sender = async (mail_from: string | null) => {
    await t.db.pool.query(`update company set email = 'shop@phones.test', mail_from = $1, name = 'Phones'`, [mail_from])
    const { rows } = await t.db.pool.query('select sender from mail where sale_id = $1', [await sell()])
    return rows[0].sender
  }
  expect(await sender('mails@phones.test')).toEqual({ name: 'Phones', address: 'mails@phones.test' })
  expect(await sender(null)).toEqual({ name: 'Phones', address: 'shop@phones.test' })
  await withServer(collect([]), (runJobs) => runJobs())
})

test('a mail that waits goes to the address that the customer has when it leaves', async () => {
  const id = await sell()
  const moveTo = (email: string) => client.post(`/api/customer/${shop.customer}/edit`, { email })
  expect((await moveTo('mended@example.test')).status).toBe(200)
  const received: string[] = []
  await withServer(collect(received), (runJobs) => runJobs())
  await moveTo('buyer@example.test')
  expect(received).toEqual([expect.stringContaining('mended@example.test')])
  expect(received[0]).not.toContain('buyer@example.test')
  expect((await sale(id)).mail).toMatchObject({ state: 'sent', recipient: 'mended@example.test' })
})

test('a server that says later is tried again later; one that refuses is a failure on the sale', async () => {
  const id = await sell()
  /** Tries to send the mail, and returns the seconds until the next try. */
  const busy = async (): Promise<number> => {
    await withServer(
      {
        onRcptTo(_address, _session, callback) {
          callback(Object.assign(new Error('Busy'), { responseCode: 451 }))
        },
      },
      (runJobs) => runJobs(),
    )
    expect(await sale(id)).toMatchObject({ email_sent: false, mail: { state: 'waiting' } })
    const { rows } = await t.db.pool.query(
      'select extract(epoch from run_at - now())::int as s from graphile_worker.jobs',
    )
    expect(rows).toHaveLength(1)
    return rows[0].s
  }
  const first = await busy()
  expect(first).toBeGreaterThan(20)
  expect(first).toBeLessThanOrEqual(30)
  // The pause doubles, but it never becomes longer than an hour.
  await t.db.pool.query('update mail set attempts = 12 where sale_id = $1', [id])
  await t.db.pool.query('update graphile_worker._private_jobs set run_at = now()')
  const later = await busy()
  expect(later).toBeGreaterThan(3000)
  expect(later).toBeLessThanOrEqual(3600)

  // A mail with an older invoice, or to an address that was corrected since, is not sent any more.
  await t.db.pool.query(`update customer set email = 'mended@example.test' where id = $1`, [shop.customer])
  await client.post(`/api/sale/${id}/invoice/resend`)
  const mails = await t.db.pool.query(
    `select state, error, recipient ->> 'address' as "to" from mail where sale_id = $1 order by id`,
    [id],
  )
  expect(mails.rows).toEqual([
    { state: 'failed', error: 'A newer email took its place.', to: 'buyer@example.test' },
    { state: 'waiting', error: null, to: 'mended@example.test' },
  ])
  await withServer(
    {
      onRcptTo(_address, _session, callback) {
        callback(Object.assign(new Error('No such person'), { responseCode: 550 }))
      },
    },
    (runJobs) => runJobs(),
  )
  const failed = await sale(id)
  expect(failed).toMatchObject({ email_sent: false, mail: { state: 'failed' } })
  expect(failed.mail.error).toContain('No such person')
  expect(failed.logs[0].content.data.message).toMatch(
    /^The email to mended@example\.test \(Your order .*\) failed: .*No such person/,
  )
  expect(failed.logs[0].content.data.mail).toBe('failed')
  await t.db.pool.query(`update customer set email = 'buyer@example.test' where id = $1`, [shop.customer])
})

test('a mail that still waits when its sale is voided, or its invoice deleted, does not go out', async () => {
  const voided = await sell()
  await client.post(`/api/sale/${voided}/edit`, { status: 'Voided' })
  const without = await sell({ create_invoice: true })
  await client.delete(`/api/sale/${without}/invoice/delete`)
  const received: string[] = []
  await withServer(collect(received), (runJobs) => runJobs())
  expect(received).toEqual([])
  for (const [id, error] of [
    [voided, 'The sale was voided.'],
    [without, 'The invoice was deleted.'],
  ] as const)
    expect(await sale(id)).toMatchObject({ email_sent: false, mail: { state: 'failed', error } })
})

test('a sale has its newest email, and the twenty before it, the newest first', async () => {
  const id = await sell()
  await t.db.pool.query(
    `insert into mail (sale_id, message_id, sender, recipient, subject, body, state)
     select sale_id, 'earlier ' || n, sender, recipient, 'Email ' || n, body, 'sent' from mail, generate_series(2, 22) n
     where sale_id = $1 order by n`,
    [id],
  )
  const { mail, earlier_mails } = await sale(id)
  const subjects = [mail, ...earlier_mails].map(({ subject }: { subject: string }) => subject)
  expect(subjects).toEqual(Array.from({ length: 21 }, (_, n) => `Email ${22 - n}`))
  await t.db.pool.query(`update mail set state = 'sent' where sale_id = $1`, [id])
})

test('the metric of failed emails leaves out those of voided sales, but no unclear one and no credit note', async () => {
  const figure = async (name: 'mails_failed' | 'mails_unclear') =>
    Number((await sql<Record<typeof name, number>>`${saleFigures.select}`.execute(t.db.read)).rows[0]![name])
  const failedMails = () => figure('mails_failed')
  const refusing = (responseCode: number): SMTPServerOptions => ({
    onRcptTo: (_address, _session, callback) => callback(Object.assign(new Error('No'), { responseCode })),
  })
  const voidSale = (id: number) => client.post(`/api/sale/${id}/edit`, { status: 'Voided' })
  const before = await failedMails()
  const failed = await sell()
  await withServer(refusing(550), (runJobs) => runJobs())
  expect(await failedMails()).toBe(before + 1)
  const waiting = await sell()
  await voidSale(failed)
  await voidSale(waiting)
  await withServer(collect([]), (runJobs) => runJobs())
  for (const id of [failed, waiting]) expect(await sale(id)).toMatchObject({ mail: { state: 'failed' } })
  expect(await failedMails()).toBe(before)
  // This one may have arrived, so the customer should get the credit note, too.
  const unclear = await figure('mails_unclear')
  await t.db.pool.query(`update mail set state = 'unclear' where sale_id = $1`, [failed])
  expect(await figure('mails_unclear')).toBe(unclear + 1)

  const credited = await sell({ create_invoice: true })
  await withServer(collect([]), (runJobs) => runJobs())
  await voidSale(credited)
  const note = (await sale(credited)).documents.find(({ kind }: { kind: string }) => kind === 'credit_note')
  expect((await client.post(`/api/document/${note.id}/send`)).status).toBe(200)
  await withServer(refusing(550), (runJobs) => runJobs())
  expect(await failedMails()).toBe(before + 1)
})

test('a server that breaks off after the message: unclear, sent again only by a person', async () => {
  const id = await sell()
  let given = 0
  await withServer(
    {
      onData(stream) {
        stream.resume()
        stream.on('end', () => {
          given++
          breakOff()
        })
      },
    },
    async (runJobs) => {
      await runJobs()
      await runJobs()
    },
  )
  expect(given).toBe(1)
  const lost = await sale(id)
  expect(lost).toMatchObject({ email_sent: false, mail: { state: 'unclear' } })
  expect(lost.logs[0].content.data).toMatchObject({
    ...{ mail: 'unclear', message: expect.stringMatching(/^Email to buyer@example\.test \(.*\): It is not known/) },
  })

  const received: string[] = []
  expect((await client.post(`/api/sale/${id}/invoice/resend`)).status).toBe(200)
  await withServer(collect(received), (runJobs) => runJobs())
  expect(received).toHaveLength(1)
  expect(await sale(id)).toMatchObject({ email_sent: true, mail: { state: 'sent' } })
})

test('without a mail server nothing is called sent: the sale and its log name the file', async () => {
  const id = await sell()
  const folder = path.join(dataDir, 'without-server')
  await runSaleJobs(t, folder)
  const { mail, logs, email_sent } = await sale(id)
  expect(mail).toMatchObject({ state: 'sent', saved_as: expect.stringMatching(/\.eml$/) })
  expect(await readdir(path.join(folder, 'mail'))).toContain(mail.saved_as)
  const told = logs.find(({ content }: { content: { type: string } }) => content.type === 'email_sent')
  expect(told.content.data.message).toMatch(
    /^Email saved as a file, since no mail server is set up\. To \S+@\S+: Your order/,
  )
  expect(email_sent).toBe(true)

  const other = await sell()
  await withServer(collect([]), (runJobs) => runJobs())
  expect((await sale(other)).mail).toMatchObject({ state: 'sent', saved_as: null })
})

/** A mail in the state in which a worker leaves it if it is killed while it sends the mail. */
async function abandoned(options?: { create_invoice: boolean }): Promise<number> {
  const id = await sell(options)
  await t.db.write((tx) =>
    tx
      .updateTable('mail')
      .set({ state: 'sending', attempts: 1, sending_since: new Date().toISOString() })
      .where('sale_id', '=', id)
      .execute(),
  )
  return id
}

test('a file that cannot be written is tried again, and at last it is a failure on the sale', async () => {
  const id = await sell()
  const noFolder = path.join(dataDir, 'no-folder')
  await writeFile(noFolder, '')
  await runSaleJobs(t, noFolder)
  expect(await sale(id)).toMatchObject({ email_sent: false, mail: { state: 'waiting' } })
  await t.db.pool.query('update mail set attempts = 13 where sale_id = $1', [id])
  await t.db.pool.query('update graphile_worker._private_jobs set run_at = now()')
  await runSaleJobs(t, noFolder)
  expect(await sale(id)).toMatchObject({
    email_sent: false,
    mail: { state: 'failed', error: expect.stringContaining('ENOTDIR') },
  })
})

test('found in the hands of a dead worker: unclear for a mail server, the same file again for a folder', async () => {
  const bySmtp = await abandoned()
  const received: string[] = []
  await withServer(collect(received), (runJobs) => runJobs())
  expect(received).toEqual([])
  expect((await sale(bySmtp)).mail.state).toBe('unclear')

  const byFile = await abandoned()
  await runSaleJobs(t, dataDir)
  expect(await sale(byFile)).toMatchObject({ email_sent: true, mail: { state: 'sent' } })
  expect(await readdir(path.join(dataDir, 'mail'))).toHaveLength(1)
})

test('an invoice whose mail is being sent has been sent: a correction credits it', async () => {
  const papers = async (id: number, sales_price = 100) => {
    const { items } = await sale(id)
    const { body } = await client.post(`/api/sale/${id}/correct`, { items: [{ id: items[0].stock_id, sales_price }] })
    return body.data
  }
  expect(await papers(await abandoned({ create_invoice: true }))).toMatchObject({
    credit_note: { total_net: 30_000 },
    invoice: { total_net: 100 },
  })
  // A mail that still waits can be called back. So its invoice is not final yet, and no credit note is needed.
  expect(await papers(await sell({ create_invoice: true }))).toMatchObject({
    credit_note: null,
    invoice: { total_net: 100 },
  })
  // A mail with the credit note alone does not send the new invoice.
  const id = await sell({ create_invoice: true })
  await t.db.pool.query('update document set left_at = now() where sale_id = $1', [id])
  const { credit_note } = await papers(id)
  const setMails = (state: string) => t.db.pool.query('update mail set state = $2 where sale_id = $1', [id, state])
  await setMails('failed')
  expect((await client.post(`/api/document/${credit_note.id}/send`)).status).toBe(200)
  await t.db.pool.query(`update mail set state = 'sending' where sale_id = $1 and state = 'waiting'`, [id])
  expect(await papers(id, 200)).toMatchObject({ credit_note: null, invoice: { total_net: 200 } })
  await setMails('failed')
})

test('a mail is not tried again if its sale is corrected or voided, or its invoice deleted, during an attempt', async () => {
  const correct = async (id: number) => {
    const { items } = await sale(id)
    return client.post(`/api/sale/${id}/correct`, { items: [{ id: items[0].stock_id, sales_price: 100 }] })
  }
  const replace = async (id: number) => {
    const { raw } = await client.get(`/api/sale/${id}/invoice`)
    await client.delete(`/api/sale/${id}/invoice/delete`)
    return upload(id, raw)
  }
  // Sends the mails that earlier tests have left.
  await withServer(collect([]), (runJobs) => runJobs())
  for (const [change, error] of [
    [correct, 'A newer invoice took its place.'],
    [(id: number) => client.post(`/api/sale/${id}/edit`, { status: 'Voided' }), 'The sale was voided.'],
    [(id: number) => client.delete(`/api/sale/${id}/invoice/delete`), 'The invoice was deleted.'],
    [replace, 'The invoice was deleted.'],
    [async () => ({ status: 200 }), null],
  ] as const) {
    const id = await sell({ create_invoice: true })
    const answers: number[] = []
    await withServer(
      {
        onRcptTo(_address, _session, callback) {
          void change(id).then(({ status }) => {
            answers.push(status)
            callback(Object.assign(new Error('Busy'), { responseCode: 451 }))
          })
        },
      },
      (runJobs) => runJobs(),
    )
    expect(answers).toEqual([200])
    await t.db.pool.query(`update graphile_worker._private_jobs set run_at = now()`)
    const received: string[] = []
    await withServer(collect(received), (runJobs) => runJobs())
    const [mail] = (await t.db.pool.query('select state, error from mail where sale_id = $1', [id])).rows
    expect(mail).toEqual({ state: error ? 'failed' : 'sent', error })
    expect(received).toHaveLength(error ? 0 : 1)
  }
})

test('an uploaded invoice in place of a deleted one is tried again, like any other', async () => {
  const id = await sell({ create_invoice: true })
  await withServer(collect([]), (runJobs) => runJobs())
  const { raw } = await client.get(`/api/sale/${id}/invoice`)
  await client.delete(`/api/sale/${id}/invoice/delete`)
  expect((await upload(id, raw)).status).toBe(200)
  expect((await client.post(`/api/sale/${id}/invoice/resend`)).status).toBe(200)
  await withServer(
    {
      onRcptTo(_address, _session, callback) {
        callback(Object.assign(new Error('Greylisted'), { responseCode: 451 }))
      },
    },
    (runJobs) => runJobs(),
  )
  expect((await sale(id)).mail).toMatchObject({ state: 'waiting' })
  await t.db.pool.query(`update graphile_worker._private_jobs set run_at = now()`)
  const received: string[] = []
  await withServer(collect(received), (runJobs) => runJobs())
  expect(received).toEqual([expect.stringContaining('own.pdf')])
  expect((await sale(id)).mail).toMatchObject({ state: 'sent', error: null })
})

test('an attempt that ends after another worker has given it up changes nothing, unless the mail went out', async () => {
  for (const [responseCode, state] of [
    [451, 'unclear'],
    [250, 'sent'],
  ] as const) {
    const id = await sell()
    await withServer(
      {
        onRcptTo(_address, _session, callback) {
          void t.db.pool
            .query(`update mail set state = 'unclear' where sale_id = $1`, [id])
            .then(() => callback(responseCode === 250 ? null : Object.assign(new Error('Busy'), { responseCode })))
        },
        onData: collect([]).onData!,
      },
      (runJobs) => runJobs(),
    )
    expect((await sale(id)).mail.state).toBe(state)
  }
})

test('a mail of a deleted sale is done with', async () => {
  const id = await sell()
  const { rows } = await t.db.pool.query('update mail set state = $2, file_ids = $3 where sale_id = $1 returning id', [
    ...[id, 'failed', [999_999]],
  ])
  await runSaleJobs(t, dataDir)
  const left = await t.db.pool.query(
    `select from graphile_worker._private_jobs where payload ->> 'mail_id' = $1::text`,
    [rows[0].id],
  )
  expect(left.rowCount).toBe(0)
})

test('without any sender the mail server is not asked; the sale says what is missing', async () => {
  await t.db.write((tx) => tx.updateTable('company').set({ email: null, mail_from: null }).execute())
  const id = await sell()
  const received: string[] = []
  await withServer(collect(received), (runJobs) => runJobs())
  expect(received).toEqual([])
  const { mail } = await sale(id)
  expect(mail.state).toBe('failed')
  expect(mail.error).toContain('mail sender')
})

test.each([
  ['smtp://mail.test', 'mail.test:587'],
  ['smtps://mail.test', 'mail.test:465'],
])('the administrator is told the usual port of %s', async (smtpUrl, server) => {
  const u = await testApp({ smtpUrl })
  const told = await (await u.user('ROLE_ADMIN')).get('/api/company/mail')
  await u.close()
  expect(told.body.data).toEqual({ server })
})

test('a test email goes to the administrator who asks, or the reason is told', async () => {
  const admin = await t.user('ROLE_ADMIN')
  expect((await admin.get('/api/company/mail')).body.data).toEqual({ server: null })
  const refused = await admin.post('/api/company/mail/test')
  expect([refused.status, refused.body.message]).toEqual([409, expect.stringContaining('No mail server is set up')])

  const received: string[] = []
  const senders: string[] = []
  let isFull = false
  const server = new SMTPServer({
    ...{ disabledCommands: ['STARTTLS'], allowInsecureAuth: true, logger: false },
    ...collect(received),
    onAuth: ({ username }, _session, callback) => callback(null, { user: username }),
    onMailFrom({ address }, _session, callback) {
      senders.push(address)
      callback()
    },
    onRcptTo(_address, _session, callback) {
      callback(isFull ? Object.assign(new Error('Mailbox full'), { responseCode: 552 }) : null)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  const u = await testApp({ smtpUrl: `smtp://ann:secret@127.0.0.1:${port}`, mailFrom: 'shop@phones.test' })
  try {
    const ann = await u.user('ROLE_ADMIN')
    expect((await ann.get('/api/company/mail')).body.data).toEqual({ server: `127.0.0.1:${port}` })
    // It has the sender of all mails, so that the mail server judges this one.
    const profile = { name: 'Phones Ltd', email: 'own@phones.test', mail_from: 'mails@phones.test' }
    expect((await ann.post('/api/company/edit', profile)).status).toBe(200)
    const { status, body } = await ann.post('/api/company/mail/test')
    expect([status, body.message]).toEqual([200, `The mail server accepted a test email to ${ann.email}.`])
    expect(received).toEqual([expect.stringContaining('Subject: Test email')])
    expect(received[0]).toMatch(/^From: "?Phones Ltd"? <shop@phones\.test>\r$/m)
    expect(received[0]).toMatch(new RegExp(`^To: <?${ann.email}>?\\r$`, 'm'))
    expect(senders).toEqual(['shop@phones.test'])
    isFull = true
    const full = await ann.post('/api/company/mail/test')
    expect([full.status, full.body.message]).toEqual([409, expect.stringContaining('Mailbox full')])
  } finally {
    await u.close()
    await new Promise<void>((resolve) => server.close(resolve))
  }
})
