import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PurchaseReceipt, ReceiptProposal } from '@backstock/contract/purchase-receipt.ts'
import { MAX_RECEIPT_ITEMS } from '@backstock/contract/receipt-kind.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { storeFile } from '../../records/file.ts'
import { type PickList, renderPaper } from '../../render/paper/paper.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { importCsv } from '../../testing/csv-upload.ts'
import { textOf } from '../../testing/printed-invoice.ts'
import { newImei, openShop, runSaleJobs, type Shop, stockItems } from '../../testing/shop.ts'
import { untilSomebodyWaits } from '../../testing/until-waiting.ts'
import { receiptJobs } from './render.ts'

let t: Awaited<ReturnType<typeof testApp>>
let shop: Shop
let staff: Client
let privateId: number
let dealerId: number
let today: string
const dataDir = mkdtempSync(path.join(tmpdir(), 'receipts-'))
beforeAll(async () => {
  t = await testApp()
  shop = await openShop(t.db)
  staff = await t.user()
  await t.user('ROLE_ADMIN')
  privateId = await supplier({ company_name: 'Counter', receipt_kind: 'private' })
  dealerId = await supplier({
    ...{ company_name: 'Used Phones BV', receipt_kind: 'self_billed', country_code: 'NL' },
    ...{ first_name: 'Piet', last_name: 'Baas' },
  })
  const { rows } = await t.db.pool.query(`
    update company set country_code = 'NL' returning (now() at time zone time_zone)::date::text as today`)
  today = rows[0].today
})
afterAll(() => t.close())

async function supplier(fields: object): Promise<number> {
  const { status, body } = await staff.post('/api/supplier/create', fields)
  expect(status).toBe(201)
  return body.data.id
}

const bought = (n: number, columns: object = {}) =>
  stockItems(t.db, shop, n, { purchase_treatment: 'margin', supplier_id: privateId, ...columns })

const ANNA = {
  name: 'Anna de Vries',
  address_1: 'Dorpsstraat 1',
  postal_code: '1234 AB',
  city: 'Ede',
  country_code: 'NL',
}

const NO_TOKEN = '0'.repeat(64)
/** Proves that the person has seen the proposal of these items; if there is none, it proves nothing. */
const seen = async (items: readonly number[]): Promise<string> => (await proposal(`ids=${items}`))?.token ?? NO_TOKEN
const createSeen = (items: readonly number[], token: string, more: object = {}) =>
  staff.post('/api/purchase-receipt/create', {
    ...{ items, seller: ANNA, bought_on: today, paid_by: 'cash', lang: 'nl', token },
    ...more,
  })
const create = async (items: readonly number[], more: object = {}) => createSeen(items, await seen(items), more)

async function made(items: readonly number[], more: object = {}): Promise<PurchaseReceipt> {
  const { status, body } = await create(items, more)
  expect(body.message).toBeDefined()
  expect(status).toBe(201)
  return body.data
}
const recordOf = async (id: number): Promise<PurchaseReceipt> =>
  (await staff.get(`/api/purchase-receipt/find?id=${id}`)).body.data[0]
const lastMessages = async (area: 'stock' | 'supplier', id: number, n: number): Promise<string[]> => {
  const { body } = await staff.get(`/api/${area}/find?id=${id}`)
  return body.data[0].logs
    .slice(0, n)
    .map(({ content }: { content: { data: { message: string } } }) => content.data.message)
}
const proposal = async (query: string): Promise<ReceiptProposal> =>
  (await staff.get(`/api/purchase-receipt/proposal?${query}`)).body.data
const pdf = async (id: number, lang = '') => {
  await runSaleJobs(t, dataDir)
  const { status, headers, raw } = await staff.get(`/api/purchase-receipt/${id}/pdf?view&lang=${lang}`)
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf'])
  return raw
}
const imeiOf = async (id: number) => (await t.db.pool.query('select imei from stock where id = $1', [id])).rows[0].imei
const cancel = (id: number, reason = 'Came back') => staff.post(`/api/purchase-receipt/${id}/cancel`, { reason })

const pickList = (lines: number): PickList => ({
  kind: 'pick list',
  sender: {
    ...{ name: 'Shop', address: null, vat_number: null, tax_number: null, registration: null },
    ...{ email: null, phone: null, logo: null },
  },
  ...{ title: 'Sale #1', note: null, date: today },
  lines: Array.from({ length: lines }, (_, n) => ({
    ...{
      id: n,
      location: 'A',
      product: `Phone ${n}`,
      grade: null,
      imei: null,
      serial_number: null,
      backstock_id: null,
    },
  })),
})

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

test('a receipt of a private person says what an inkoopverklaring must, and its PDF is kept as it was made', async () => {
  const items = await bought(2)
  const logo = await t.db.write((tx) => storeFile(tx, { name: 'logo.png', mediaType: 'image/png', content: PIXEL }))
  await t.db.pool.query('update company set logo_file_id = $1', [logo])
  const receipt = await made(items, {
    seller: { ...ANNA, identity_kind: 'passport', identity_end: '77X1', vat_number: 'NL000099998B57' },
  })
  await t.db.pool.query('update company set logo_file_id = null')
  expect(receipt).toMatchObject({ kind: 'private', total: 40_000, items_count: 2, file_state: 'pending' })
  expect(receipt.number).toMatch(/^PR-20\d\d-00001$/)
  // The thread that makes the first PDF dies, so the PDF is tried once more.
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementationOnce(() => {
    throw new Error('The thread has died.')
  })
  const file = await pdf(receipt.id)
  vi.restoreAllMocks()
  const disposition = async (query: string) =>
    (await staff.get(`/api/purchase-receipt/${receipt.id}/pdf${query}`)).headers['content-disposition']
  expect(await disposition('')).toContain(`attachment; filename="${receipt.number}.pdf"`)
  expect(await disposition('?view')).toMatch(/^inline/)
  const text = (await textOf(file)).join(' ')
  for (const part of [
    ...['Inkoopverklaring', receipt.number, 'Anna de Vries', 'Dorpsstraat 1', '1234 AB Ede', 'Nederland'],
    ...['Paspoort, eindigend op 77X1', 'in het geheel geen btw in aftrek gebracht', 'Apple iPhone 13 128 GB'],
    ...['200,00', 'EUR 400,00', 'Contant', 'handtekening van de verkoper', await imeiOf(items[0]!)],
  ])
    expect(text).toContain(part)
  // It bears the logo that the company had.
  expect(file.includes('/Subtype /Image')).toBe(true)
  // The receipt of a private person has no VAT number, and is no self-billed invoice.
  expect(text).not.toMatch(/NL000099998B57|Factuur uitgereikt/)
  await t.db.pool.query(`update company set name = 'Another Name'`)
  expect((await pdf(receipt.id)).equals(file)).toBe(true)
  const { files } = await recordOf(receipt.id)
  expect(files).toEqual([{ lang: 'nl', state: 'ready', error: null, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }])

  expect((await staff.post(`/api/purchase-receipt/${receipt.id}/print`, { lang: 'de' })).status).toBe(200)
  const copy = (await textOf(await pdf(receipt.id, 'de'))).join(' ')
  for (const part of ['Ankaufsbeleg', 'Reisepass, endend auf 77X1', 'keine Vorsteuer abgezogen', '400,00'])
    expect(copy).toContain(part)
  expect(copy).toMatch(/Kopie|Duplikat|Zweitschrift/)
  expect(copy).not.toContain('Another Name')

  // Each language has a job of its own, which waits for no large document of a person.
  for (const lang of ['fr', 'it'])
    expect((await staff.post(`/api/purchase-receipt/${receipt.id}/print`, { lang })).status).toBe(200)
  const unwanted = new AbortController()
  let isMade = false
  const large = renderPaper(staff.id, unwanted.signal, async () => pickList(6000)).then(
    () => {
      isMade = true
    },
    (reason) => expect(reason.name).toBe('AbortError'),
  )
  await receiptJobs(t).receipt_render({ receipt_id: receipt.id, lang: 'it' }, unwanted.signal)
  expect(isMade).toBe(false)
  unwanted.abort()
  await large
  const states = (await recordOf(receipt.id)).files.map(({ lang, state }) => [lang, state])
  expect(states.slice(2)).toEqual([
    ['fr', 'pending'],
    ['it', 'ready'],
  ])

  const { body } = await staff.get(`/api/stock/find?id=${items[0]}`)
  expect(body.data[0].lacks_receipt).toBe(false)
  expect(body.data[0].purchase_receipt).toEqual({ id: receipt.id, number: receipt.number, still_says: [] })
  expect(body.data[0].logs[0].content.data.message).toBe(`On purchase receipt ${receipt.number}.`)
})

test('a receipt whose PDF cannot be made says so, and somebody may have it made again', async () => {
  const { id, number } = await made(await bought(1))
  const file = () => staff.get(`/api/purchase-receipt/${id}/pdf`)
  expect((await file()).body.message).toBe(`The PDF of ${number} is still being made.`)
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(() => {
    throw new Error('The thread has died.')
  })
  await runSaleJobs(t, dataDir)
  vi.restoreAllMocks()
  expect((await recordOf(id)).files).toMatchObject([
    { state: 'failed', error: 'The PDF in Dutch could not be made: The thread has died.' },
  ])
  const lost = await file()
  expect([lost.status, lost.body.message]).toEqual([404, `The PDF of ${number} does not exist.`])
  expect((await staff.post(`/api/purchase-receipt/${id}/print`, { lang: 'nl' })).status).toBe(200)
  expect(await textOf(await pdf(id))).toEqual([expect.stringContaining(number)])
})

test('a self-billed invoice has the words of article 226 (10a) and (14), and says if a VAT number is missing', async () => {
  const items = await bought(1, { supplier_id: dealerId })
  const { status, body } = await create(items, { seller: { ...ANNA, name: 'Used Phones BV' }, lang: 'de' })
  expect([status, body.message]).toEqual([201, expect.stringContaining('lacks the seller’s VAT number')])
  const text = (await textOf(await pdf(body.data.id))).join(' ')
  // The words are in the language of the paper, and in that of the shop's country.
  expect(text).toContain('Gutschrift / Factuur uitgereikt door afnemer')
  expect(text).toContain('Gebrauchtgegenstände/Sonderregelung / Bijzondere regeling - gebruikte goederen')
  expect(text).not.toMatch(/Vorsteuer|Unterschrift/)
  const next = await made(await bought(1, { supplier_id: dealerId }), {
    seller: {
      ...ANNA,
      ...{ name: 'Used Phones', address_1: 'Nieuwstraat 2', state: 'Gelderland', country_code: 'BE' },
      vat_number: 'NL000099998B57',
      identity_kind: 'passport',
      identity_end: '1',
    },
  })
  expect(next.seller).toMatchObject({ vat_number: 'NL000099998B57', identity_kind: null, identity_end: null })
  // The next proposal knows the dealer's newest address.
  const again = await proposal(`ids=${(await bought(1, { supplier_id: dealerId }))[0]}`)
  const address = { address_1: 'Nieuwstraat 2', city: 'Ede', state: 'Gelderland', country_code: 'BE' }
  expect(again).toMatchObject({ kind: 'self_billed', lang: 'nl', seller: { name: 'Used Phones BV', ...address } })
})

test('the address of a private seller is not proposed for a dealer', async () => {
  const changed = await supplier({
    company_name: 'From counter to dealer',
    receipt_kind: 'private',
    country_code: 'BE',
  })
  const items = await bought(2, { supplier_id: changed })
  await made(items.slice(0, 1))
  expect((await proposal(`ids=${items[1]}`)).seller).toMatchObject({ name: '', address_1: '', country_code: 'BE' })
  expect((await staff.post(`/api/supplier/${changed}/edit`, { receipt_kind: 'self_billed' })).status).toBe(200)
  const seller = { name: 'From counter to dealer', address_1: '', postal_code: '', city: '', country_code: 'BE' }
  expect(await proposal(`ids=${items[1]}`)).toMatchObject({ kind: 'self_billed', seller })
})

test('a proposal takes the items that fit, and says of each other one why not', async () => {
  const own = await supplier({ company_name: 'Wholesale' })
  const fit = await bought(2, { purchase_date: '2026-03-04' })
  const [taxed, theirs, free, deleted] = [
    ...(await bought(1, { purchase_treatment: 'standard' })),
    ...(await bought(1, { supplier_id: own })),
    ...(await bought(1, { purchase_price: 0 })),
    ...(await bought(1, { status: 'Deleted', in_hand: false })),
  ]
  const before = await made(await bought(1))
  const [taken] = before.lines.map(({ stock_id }) => stock_id)
  const nobodys = await bought(1, { supplier_id: null })
  const all = [...fit, taxed, theirs, free, deleted, taken, ...nobodys]
  const proposed = await proposal(`ids=${all}`)
  expect(proposed).toMatchObject({
    kind: 'private',
    supplier_id: privateId,
    total: 40_000,
    bought_on: '2026-03-04',
    further: 0,
  })
  expect(proposed.lines.map(({ stock_id }) => stock_id)).toEqual(fit)
  expect(new Map(proposed.left_out.map(({ stock_id, why }) => [stock_id, why]))).toEqual(
    new Map([
      [taxed, 'It was bought under: With VAT.'],
      [theirs, 'Wholesale issues its own invoices.'],
      [free, 'It has no purchase price.'],
      [deleted, 'It is deleted.'],
      [taken, `It is on ${before.number}.`],
    ]),
  )
  expect(proposed.suppliers).toEqual([
    { id: privateId, name: 'Counter', items: 2 },
    { id: 0, name: null, items: 1 },
  ])
  const [dollars] = await bought(1, { purchase_currency: 'USD', fx_rate: 1.1 })
  expect(await proposal(`ids=${[fit[0], taxed, dollars]}`)).toMatchObject({
    currency: 'EUR',
    left_out: [
      { stock_id: dollars, why: 'It was bought in USD and needs a receipt of its own.' },
      { stock_id: taxed, why: 'It was bought under: With VAT.' },
    ],
    left_out_total: 2,
  })
  expect((await proposal(`ids=${all}&supplier_id=0`)).lines.map(({ stock_id }) => stock_id)).toEqual(nobodys)
  expect((await staff.get(`/api/purchase-receipt/proposal?ids=${taxed}`)).body.message).toContain(
    'bought under: With VAT',
  )
  expect((await staff.get(`/api/purchase-receipt/proposal?ids=${all}&supplier_id=999999`)).body.message).toBe(
    'None of the items of this supplier can be on a purchase receipt.',
  )

  const unpriced = await bought(12, { purchase_price: 0 })
  const { left_out, left_out_total } = await proposal(`ids=${[...fit, ...unpriced]}`)
  expect([left_out.map(({ stock_id }) => stock_id), left_out_total]).toEqual([unpriced, 12])

  // An item without a date of purchase counts as bought today, and several days are no day of purchase.
  const undated = await bought(1, { purchase_date: null })
  expect((await proposal(`ids=${[...fit, ...undated]}`)).bought_on).toBe(today)

  await staff.put(`/api/user/${staff.id}/basket`, { items: fit })
  expect((await proposal('basket=1')).lines).toHaveLength(2)
  const lines = [newImei(), newImei()].map((imei) => `${imei},Apple,iPhone 13,Phone,120,Counter,margin,`)
  const others = await bought(1, { backstock_id: 'RECEIPT-1' })
  const head = 'imei,make,model,category,purchase_price,supplier,purchase_vat,backstock_id'
  const csv = [head, ...lines, ',,,,130,,,RECEIPT-1'].join('\n')
  const { id } = await importCsv(t, staff, { csv, update_existing: '1' })
  const { rows } = await t.db.pool.query('select purchase_price from stock where id = $1', others)
  expect(rows).toEqual([{ purchase_price: 13_000 }])
  expect(await proposal(`import_id=${id}`)).toMatchObject({ supplier_id: privateId, total: 24_000, left_out: [] })
  expect((await staff.get('/api/purchase-receipt/proposal?import_id=999999')).status).toBe(404)
  const prices = await importCsv(t, staff, {
    csv: 'backstock_id,purchase_price\nRECEIPT-1,140',
    update_existing: '1',
  })
  const none = await staff.get(`/api/purchase-receipt/proposal?import_id=${prices.id}`)
  expect([none.status, none.body.message]).toEqual([
    409,
    `Import #${prices.id} created no items. Those that it only changed came with another delivery.`,
  ])
})

test('a receipt of items that cannot be on it is refused as a whole, and takes no number', async () => {
  const [one, two] = await bought(2)
  const [taxed] = await bought(1, { purchase_treatment: 'standard' })
  const [dealers] = await bought(1, { supplier_id: dealerId })
  const [pounds] = await bought(1, { purchase_currency: 'GBP', fx_rate: 0.85 })
  const refused = async (items: readonly (number | undefined)[], more: object = {}) => {
    const { status, body } = await create(items as number[], more)
    return [status, body.data?.errors ?? body.message]
  }
  expect(await refused([one, taxed])).toEqual([
    409,
    { items: expect.stringContaining(`Item #${taxed}: It was bought under`) },
  ])
  expect(await refused([one, dealers])).toEqual([422, { items: expect.stringContaining('one supplier') }])
  expect(await refused([one, pounds])).toEqual([422, { items: expect.stringContaining('one currency') }])
  expect(await refused([one, 999_998, 999_999])).toEqual([422, { items: 'There are no items #999998, #999999.' }])
  expect(await refused([])).toEqual([422, { items: 'Choose at least one item.' }])
  expect(await refused([one], { token: NO_TOKEN })).toEqual([409, expect.stringContaining('has changed meanwhile')])
  expect(await refused([one], { token: undefined })).toEqual([422, { token: expect.stringContaining('required') }])
  expect(await refused([one], { bought_on: '2999-01-01' })).toEqual([422, { bought_on: 'Must not be after today.' }])
  const seller = { ...ANNA, name: '', country_code: null, identity_kind: 'passport' }
  expect(Object.keys((await refused([one], { seller }))[1])).toEqual(
    expect.arrayContaining(['seller.name', 'seller.country_code', 'seller.identity_end']),
  )
  expect((await refused([one], { seller: { ...ANNA, identity_kind: 'passport', identity_end: '12345' } }))[0]).toBe(422)
  const many = Array.from({ length: 501 }, (_, n) => n + 1)
  expect(await refused(many)).toEqual([422, { items: 'At most 500 items on a receipt.' }])
  const first = await made([one!])
  const second = await made([two!])
  expect(Number(second.number.slice(-5))).toBe(Number(first.number.slice(-5)) + 1)
  expect(await refused([one])).toEqual([409, { items: expect.stringContaining(`It is on ${first.number}.`) }])
})

test.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'a receipt may be of today by the clock in %s, not of tomorrow',
  async (zone) => {
    await t.db.pool.query('update company set time_zone = $1', [zone])
    const { rows } = await t.db.pool.query(
      `select day::date::text as day from unnest(array[now(), now() + interval '1 day']) at, lateral (select at at time zone $1 as day) d`,
      [zone],
    )
    const [its, next] = rows.map(({ day }) => day)
    const items = await bought(1)
    const refused = await create(items, { bought_on: next })
    expect([refused.status, refused.body.data.errors]).toEqual([422, { bought_on: 'Must not be after today.' }])
    expect((await create(items, { bought_on: its })).status).toBe(201)
    await t.db.pool.query(`update company set time_zone = 'UTC'`)
  },
)

test('a cancellation has the next number, prints what it takes back, and frees the items once', async () => {
  const items = await bought(2)
  const receipt = await made(items)
  const { status, body } = await cancel(receipt.id)
  const { cancelled_by_id, cancelled_by_number } = body.data as PurchaseReceipt
  const told = `${receipt.number} was cancelled by ${cancelled_by_number}.`
  expect([status, body.message]).toEqual([200, told])
  expect(await lastMessages('supplier', privateId, 2)).toEqual([
    told,
    `Purchase receipt ${receipt.number}: items #${items.join(', #')}.`,
  ])
  expect(await lastMessages('stock', items[1]!, 2)).toEqual([told, `On purchase receipt ${receipt.number}.`])
  expect(cancelled_by_number).not.toBe(receipt.number)
  expect(await recordOf(cancelled_by_id!)).toMatchObject({
    cancels_number: receipt.number,
    reason: 'Came back',
    total: 40_000,
    items_count: 2,
  })
  const text = (await textOf(await pdf(cancelled_by_id!))).join(' ')
  for (const part of ['Annulering', `maakt ${receipt.number} van`, 'Reden: Came back', 'EUR 400,00'])
    expect(text).toContain(part)
  const { body: free } = await staff.get(`/api/stock/find?id=${items[0]}`)
  expect(free.data[0]).toMatchObject({ purchase_receipt: null, lacks_receipt: true })
  // There is no receipt of a phone that cost nothing, or that the shop does not have.
  const [gift, gone] = await bought(2)
  await t.db.pool.query('update stock set purchase_price = 0 where id = $1', [gift])
  await t.db.pool.query(`update stock set status = 'Deleted', in_hand = false where id = $1`, [gone])
  for (const id of [gift, gone])
    expect((await staff.get(`/api/stock/find?id=${id}`)).body.data[0].lacks_receipt).toBe(false)
  expect((await cancel(receipt.id)).body.message).toContain(`was cancelled by ${cancelled_by_number} already`)
  expect((await cancel(cancelled_by_id!)).status).toBe(409)
  expect((await cancel(999_999)).status).toBe(404)
  expect((await cancel(receipt.id, '')).status).toBe(422)
  expect((await made(items)).cancels_id).toBeNull()
})

test('two people who make or cancel a receipt of the same items at once do it once', async () => {
  const items = await bought(3)
  const [all, some] = [await seen(items), await seen(items.slice(1))]
  const answers = await Promise.all([
    createSeen(items, all),
    createSeen(items.toReversed(), all),
    createSeen(items.slice(1), some),
  ])
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2)
  const { id } = answers.find(({ status }) => status === 201)!.body.data
  const cancelled = await Promise.all([cancel(id), cancel(id), cancel(id)])
  expect(cancelled.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await violationsIn(t.connection)).toEqual([])
})

test('a receipt says what the person saw, or is not made', async () => {
  const counter = await supplier({ company_name: 'Second counter', receipt_kind: 'private' })
  const items = await bought(2, { supplier_id: counter })
  const edits: [url: string, changes: object, back: object][] = [
    [`supplier/${counter}`, { receipt_kind: 'self_billed' }, { receipt_kind: 'private' }],
    [`stock/${items[0]}`, { serial_number: 'OTHER-1' }, { serial_number: null }],
    [`stock/${items[1]}`, { purchase_price: 19_999 }, { purchase_price: 20_000 }],
  ]
  const token = await seen(items)
  for (const [url, changes, back] of edits) {
    expect((await staff.post(`/api/${url}/edit`, changes)).status).toBe(200)
    const { status, body } = await createSeen(items, token)
    expect([url, status, body.message]).toEqual([url, 409, expect.stringContaining('has changed meanwhile')])
    expect((await staff.post(`/api/${url}/edit`, back)).status).toBe(200)
  }
  // Another request changes the kind after this one has read the items.
  const other = await t.db.pool.connect()
  try {
    await other.query('begin')
    await other.query('update supplier set receipt_kind = null where id = $1', [counter])
    const late = createSeen(items, token)
    await untilSomebodyWaits(t.db)
    await other.query('commit')
    expect((await late).body.message).toBe('Second counter issues its own invoices.')
  } finally {
    other.release()
  }
  await staff.post(`/api/supplier/${counter}/edit`, { receipt_kind: 'private' })
  expect((await createSeen(items.toReversed(), token)).status).toBe(201)
})

test('a later purchase price changes no receipt, and the answer, the receipt and the item tell it', async () => {
  const [item] = await bought(1)
  const receipt = await made([item!])
  const { body } = await staff.post(`/api/stock/${item}/edit`, { purchase_price: 15_000 })
  expect(body.message).toBe(`Stock item #${item} saved. ${receipt.number} still says EUR 200.00.`)
  expect(await recordOf(receipt.id)).toMatchObject({ total: 20_000, lines: [{ price: 20_000, price_now: 15_000 }] })
  // So does everything else that it prints or that made it possible; one edit after the other.
  const imei = await imeiOf(item!)
  const { rows: products } = await t.db.pool.query(
    `insert into product (make_id, category_id, model, display_name)
     select make_id, category_id, 'SE', 'Apple SE' from product where id = $1 returning id`,
    [shop.product],
  )
  const edits: [changes: object, says: string][] = [
    [{ serial_number: 'S-2' }, 'no serial number'],
    [{ imei: newImei() }, `IMEI ${imei}, no serial number`],
    [{ supplier_id: dealerId }, 'bought from Anna de Vries'],
    [{ grade_id: 1 }, 'Apple iPhone 13 128 GB'],
    [{ actual_product_id: products[0].id }, 'Apple iPhone 13 128 GB'],
    [{ purchase_currency: 'USD', fx_rate: 1.1 }, 'EUR 200.00'],
    [{ purchase_treatment: 'standard' }, 'bought under: Margin scheme'],
  ]
  let says = 'EUR 200.00'
  for (const [changes, more] of edits) {
    const edited = await staff.post(`/api/stock/${item}/edit`, changes)
    says = edited.body.message.replace(/^.* still says (.*)\.$/, '$1')
    expect(says).toContain(more)
  }
  expect((await staff.get(`/api/stock/find?id=${item}`)).body.data[0].purchase_receipt.still_says.join(', ')).toBe(says)
  expect((await staff.post(`/api/stock/${item}/edit`, { location: 'B' })).body.message).toBe(
    `Stock item #${item} saved.`,
  )
  const many = await bought(2)
  const { number } = await made(many)
  const wanted = { items: [...many, ...(await bought(1))], changes: { purchase_treatment: 'standard' } }
  const preview = (await staff.post('/api/stock/bulk/preview', wanted)).body.data
  expect(preview.receipts).toBe(`2 items are on ${number}. This receipt stays as it is.`)
  const edited = (await staff.post('/api/stock/bulk', { ...wanted, token: preview.token })).body
  expect(edited.message).toBe(`Changed 3 items. ${preview.receipts}`)
  // The undo makes the receipt true again.
  const undone = await staff.post(`/api/stock/bulk/${edited.data.bulk_id}/undo`)
  expect(undone.body.data).toEqual({ restored: 3, kept: [] })
  for (const table of [
    'purchase_receipt set total = 1',
    'purchase_receipt_line set price = 1',
    'purchase_receipt_line set is_live = true',
  ])
    await expect(
      t.db.pool.query(`update ${table} where ${table.includes('_line') ? 'receipt_id' : 'id'} = ${receipt.id}`),
    ).rejects.toThrow(/never changed/)
  await expect(t.db.pool.query(`delete from purchase_receipt_line where receipt_id = ${receipt.id}`)).rejects.toThrow(
    /never changed/,
  )
})

test.each([
  ['purchase price', { purchase_price: { set: 15_000 } }],
  ['grade', { grade_id: 2 }],
  ['supplier', { supplier_id: 'private' }],
])('the undo of a bulk edit leaves a %s that a receipt has said since', async (_, wanted) => {
  const changes = 'supplier_id' in wanted ? { supplier_id: privateId } : wanted
  const items = await bought(2, 'supplier_id' in wanted ? { supplier_id: dealerId } : {})
  const { token } = (await staff.post('/api/stock/bulk/preview', { items, changes })).body.data
  const { bulk_id } = (await staff.post('/api/stock/bulk', { items, changes, token })).body.data
  const [said, free] = items as [number, number]
  const { number } = await made([said])
  const { body } = await staff.post(`/api/stock/bulk/${bulk_id}/undo`)
  expect(body.data).toEqual({
    restored: 1,
    kept: [{ id: said, reason: `Purchase receipt ${number} states its present values.` }],
  })
  const one = async (id: number) => (await staff.get(`/api/stock/find?id=${id}`)).body.data[0]
  expect((await one(said)).purchase_receipt.still_says).toEqual([])
  expect((await one(free)).purchase_receipt).toBeNull()
})

test('a receipt is found by its number, its seller and the IMEIs on it, and by supplier, item and period', async () => {
  const [item] = await bought(1, { serial_number: 'ZX-4711-Q', imei: newImei() })
  const { id, number } = await made([item!], { seller: { ...ANNA, name: 'Zoë Überall' } })
  const ids = async (query: string) =>
    (await staff.get(`/api/purchase-receipt/find?${query}`)).body.data.map((row: PurchaseReceipt) => row.id)
  for (const search of [number, 'uberall', await imeiOf(item!), 'ZX-4711-Q', (await imeiOf(item!)).slice(2)])
    expect(await ids(`search=${encodeURIComponent(search)}`)).toEqual([id])
  expect(await ids(`stock_id=${item}`)).toEqual([id])
  expect(await ids(`supplier_id=${privateId}&from=${today}&per_page=1`)).toHaveLength(1)
  expect(await ids('to=2001-01-01')).toEqual([])
  expect((await staff.delete(`/api/supplier/${privateId}/delete`)).body.message).toMatch(
    /purchase receipts? and cannot be deleted/,
  )
  expect((await staff.post(`/api/supplier/${privateId}/edit`, { receipt_kind: 'nobody' })).status).toBe(422)
})

test('a receipt has as many items as it may: the rest is for another, and no answer lacks a line', async () => {
  const items = await bought(MAX_RECEIPT_ITEMS + 1)
  const most = items.slice(0, MAX_RECEIPT_ITEMS)
  const linesOf = ({ lines }: Pick<ReceiptProposal, 'lines'>) => lines.map(({ stock_id }) => stock_id)
  const proposed = await proposal(`ids=${items}`)
  expect([linesOf(proposed), proposed.further]).toEqual([most, 1])
  const receipt = await made(most)
  expect(linesOf(receipt)).toEqual(most)
  expect(linesOf(await recordOf(receipt.id))).toEqual(most)
  const { cancelled_by_id } = (await cancel(receipt.id)).body.data
  expect(linesOf(await recordOf(cancelled_by_id))).toEqual(most)
})
