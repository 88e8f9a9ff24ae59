import { mkdtemp, rm } from 'node:fs/promises'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fromBufferPromise } from 'yauzl'
import { type Client, PASSWORD, testApp } from '../../testing/app.ts'
import { openShop, runSaleJobs, type Shop, stockItems } from '../../testing/shop.ts'
import { untilSomebodyWaits } from '../../testing/until-waiting.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let shop: Shop
let dataDir: string
/** The whole year, so that a test at midnight finds its documents. */
let year = ''
beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-zip-'))
  const { rows } = await t.db.pool.query(
    'select extract(year from now() at time zone time_zone)::int as year from company',
  )
  year = `from=${rows[0].year}-01-01&to=${rows[0].year + 1}-01-01`
})
afterAll(async () => {
  await t.close()
  await rm(dataDir, { recursive: true })
})

async function sell(n: number, vat_id: number | null = shop.vat.standard) {
  const items = await stockItems(t.db, shop, n, { vat_id })
  const stock_items = items.map((id) => ({ id }))
  const { body } = await admin.post('/api/sale/create', { stock_items, customer_id: shop.customer, send_email: false })
  return { id: body.data.id as number, number: body.data.invoice_number as string, items }
}
const documents = async (sale: { id: number }) =>
  (await admin.get(`/api/sale/find?id=${sale.id}`)).body.data[0].documents as { id: number; number: string }[]
const single = async (id: number, kind: 'pdf' | 'ubl') => (await admin.get(`/api/document/${id}/${kind}`)).raw

/** The cookies of a session of the administrator, for requests over the network. */
async function loggedIn(address: string): Promise<string> {
  const jar = (response: Response) => response.headers.getSetCookie().map((one) => one.split(';')[0] ?? '')
  const first = jar(await fetch(`${address}/api/auth`))
  const token = decodeURIComponent(first.find((one) => one.startsWith('XSRF-TOKEN='))?.slice(11) ?? '')
  const response = await fetch(`${address}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-xsrf-token': token, cookie: first.join('; ') },
    body: JSON.stringify({ username: admin.email, password: PASSWORD }),
  })
  expect(response.status).toBe(200)
  return jar(response).join('; ')
}

/** The files of a ZIP by name. */
async function unzipped(zip: Buffer): Promise<Map<string, Buffer>> {
  const file = await fromBufferPromise(zip)
  const found = new Map<string, Buffer>()
  for await (const entry of file.eachEntry())
    found.set(entry.fileName, await buffer(await file.openReadStreamPromise(entry)))
  return found
}
const rowsOf = (index: Buffer | undefined) => (index ?? '').toString().split('\r\n')

test('the ZIP of a period: PDF and UBL of each final document as single downloads give them, and an index', async () => {
  const [whole, draft, plain, off] = [await sell(2), await sell(1), await sell(1, shop.vat.zero), await sell(1)]
  await runSaleJobs(t, dataDir)
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${whole.id}/edit`, { status })
  await admin.post(`/api/sale/${whole.id}/return-item/${whole.items[0]}`)
  await runSaleJobs(t, dataDir)
  for (const { id } of [plain, off]) await admin.get(`/api/sale/${id}/invoice`)
  expect((await admin.delete(`/api/sale/${off.id}/invoice/delete`)).status).toBe(200)
  const [invoice, note] = (await documents(whole)) as [{ id: number; number: string }, { id: number; number: string }]
  // The dispatch made these two final. The PDF of one is still being made, and the other one's could not be made.
  const [waiting, broken] = [await sell(1), await sell(1)]
  for (const { id } of [waiting, broken])
    for (const status of ['Awaiting Dispatch', 'Dispatched']) await admin.post(`/api/sale/${id}/edit`, { status })
  await t.db.pool.query("update document set status = 'failed' where sale_id = $1", [broken.id])
  // Backstock has the XML of no document, as if an older version had made them, which stored none.
  await t.db.pool.query('alter table document_xml disable trigger all; delete from document_xml')
  await single(note.id, 'pdf')

  // Somebody works on the sales meanwhile.
  const other = await t.db.pool.connect()
  await other.query('begin')
  await other.query('select from sale where id = any($1) for update', [[whole.id, plain.id]])
  const { status, headers, raw } = await admin.get(`/api/accounting/zip?${year}`)
  await other.query('rollback')
  other.release()
  expect([status, headers['content-type']]).toEqual([200, 'application/zip'])
  expect(headers['content-disposition']).toMatch(/^attachment; filename="documents-\d{4}-01-01-to-\d{4}-01-01.zip"$/)
  const files = await unzipped(raw)
  expect([...files.keys()]).toEqual([
    ...[`${invoice.number}.pdf`, `${invoice.number}.xml`, `${plain.number}.pdf`],
    ...[`${note.number}.pdf`, `${note.number}.xml`, `${waiting.number}.xml`, `${broken.number}.xml`, 'index.csv'],
  ])
  for (const { id, number } of [invoice, note]) {
    expect(files.get(`${number}.pdf`)?.equals(await single(id, 'pdf'))).toBe(true)
    expect(files.get(`${number}.xml`)?.equals(await single(id, 'ubl'))).toBe(true)
  }
  const [heading, ...rows] = rowsOf(files.get('index.csv'))
  expect(heading).toBe('\uFEFFdocument,of,number,kind,date,buyer,gross,pdf,xml,missing')
  const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/)
  const index = rows.map((row) => row.split(/,(?! )/))
  const row = (nth: number, { number }: { number: string }, kind: string, gross: string, ...rest: string[]) => [
    ...[String(nth), '7', number, kind, date, 'Zażółć Παπαδόπουλος', gross, ...rest],
  ]
  const both = ({ number }: { number: string }) => [`${number}.pdf`, `${number}.xml`, '']
  expect(index).toEqual([
    row(1, whole, 'Invoice', '738.00', ...both(whole)),
    row(2, draft, 'Invoice', '369.00', '', '', expect.stringContaining('Not final') as never),
    row(
      3,
      plain,
      'Invoice',
      '300.00',
      `${plain.number}.pdf`,
      '',
      'No XML: it lacks each item’s VAT type and what it means.',
    ),
    row(4, off, 'Invoice', '369.00', '', '', 'It was removed from its sale.'),
    row(5, note, 'Credit note', '-369.00', ...both(note)),
    row(6, waiting, 'Invoice', '369.00', '', `${waiting.number}.xml`, 'No PDF: it is being made.'),
    row(7, broken, 'Invoice', '369.00', '', `${broken.number}.xml`, 'No PDF: it could not be made.'),
    [''],
  ])
  // The draft is still a draft.
  const { rows: left } = await t.db.pool.query('select left_at from document where sale_id = $1', [draft.id])
  expect(left).toEqual([{ left_at: null }])

  const empty = await unzipped((await admin.get('/api/accounting/zip?from=2001-01-01&to=2001-01-31')).raw)
  expect([...empty.keys()]).toEqual(['index.csv'])
  expect(rowsOf(empty.get('index.csv'))).toEqual([heading, ''])
})

test('two ZIPs run at once, and leave the other exports their places', async () => {
  const other = await t.db.pool.connect()
  await other.query('begin; lock table file_chunk')
  const zip = () => admin.get(`/api/accounting/zip?${year}`)
  const zips = [zip(), zip()]
  await untilSomebodyWaits(t.db, 2)
  const statuses = async (path: string, n: number) =>
    (await Promise.all(Array.from({ length: n }, () => admin.get(`/api/accounting/${path}?${year}`)))).map(
      ({ status }) => status,
    )
  expect(await statuses('csv', 4)).toEqual([200, 200, 200, 200])
  expect(await statuses('zip', 1)).toEqual([503])
  await other.query('rollback')
  other.release()
  for (const answer of await Promise.all(zips)) expect((await unzipped(answer.raw)).has('index.csv')).toBe(true)
})

test('four exports run at once, and a fifth is told to come again', async () => {
  const other = await t.db.pool.connect()
  await other.query('begin; lock table document')
  const exported = () => admin.get(`/api/accounting/csv?${year}`)
  const running = [exported(), exported(), exported(), exported()]
  await untilSomebodyWaits(t.db, 4)
  const fifth = exported()
  // The server refuses it at once. If it did not, five would wait.
  await Promise.race([fifth, untilSomebodyWaits(t.db, 5)])
  await other.query('rollback')
  other.release()
  const { status, headers, body } = await fifth
  expect([status, headers['retry-after'], body.message]).toEqual([
    ...[503, '10', 'Too many exports are running. Please try again in a moment.'],
  ])
  expect((await Promise.all(running)).map((answer) => answer.status)).toEqual([200, 200, 200, 200])
})

test('people who leave end it, and a file that is short tears the ZIP', async () => {
  const sale = await sell(1)
  await runSaleJobs(t, dataDir)
  await admin.get(`/api/sale/${sale.id}/invoice`)
  await t.app.listen({ port: 0, host: '127.0.0.1' })
  const address = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`
  const cookie = await loggedIn(address)
  const url = `${address}/api/accounting/zip?${year}`
  /** Asks for a ZIP, and leaves with its first bytes. Returns the status of the answer. */
  const leave = () =>
    new Promise<number | undefined>((resolve) => {
      const request = get(url, { headers: { cookie }, agent: false }, (response) => {
        request.once('close', () => resolve(response.statusCode))
        response.once('data', () => request.destroy())
      })
      request.on('error', () => {})
    })
  // Two ZIPs may run at once. A third is refused until the server knows that a client has left. If one went on after its
  // client has left, all others would be refused.
  for (let left = 0; left < 6; ) if ((await leave()) === 200) left++
  const fetched = async (): Promise<Response> => {
    const response = await fetch(url, { headers: { cookie } })
    if (response.status !== 503) return response
    await response.body?.cancel()
    return fetched()
  }
  expect((await unzipped(Buffer.from(await (await fetched()).arrayBuffer()))).has('index.csv')).toBe(true)

  await t.db.pool.query(`update file_chunk set data = substring(data from 2) where file_id = (select v.file_id from
    document_version v join document d on d.id = v.document_id where d.sale_id = ${sale.id} limit 1)`)
  await expect(fetched().then((response) => response.arrayBuffer())).rejects.toThrow()
})
