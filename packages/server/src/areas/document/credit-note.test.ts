import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Document } from '@backstock/contract/document.ts'
import PostalMime from 'postal-mime'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { storeFile } from '../../records/file.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { untilDecided } from '../../testing/ask-again.ts'
import { openShop, runSaleJobs, type Shop, stockItems } from '../../testing/shop.ts'
import { turns } from '../../testing/turns.ts'
import { untilSomebodyWaits } from '../../testing/until-waiting.ts'
import { loseItems } from '../sale/change/lose-items.ts'
import { renderDraft } from './render.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop
let dataDir: string

beforeAll(async () => {
  t = await testApp()
  client = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'backstock-mail-'))
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
  await rm(dataDir, { recursive: true })
})

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
)

const runJobs = () => runSaleJobs(t, dataDir)
const sale = async (id: number) => (await client.get(`/api/sale/find?id=${id}`)).body.data[0]
const documents = async (id: number): Promise<Document[]> => (await sale(id)).documents
const textOf = async (pdf: Uint8Array) =>
  (await extractText(await getDocumentProxy(new Uint8Array(pdf)), { mergePages: true })).text

async function sell(n: number, options: object = {}): Promise<{ id: number; items: number[]; number: string }> {
  const items = await stockItems(t.db, shop, n, { vat_id: shop.vat.standard })
  const sale = {
    stock_items: items.map((id) => ({ id })),
    customer_id: shop.customer,
    send_email: false,
    ...options,
  }
  const { body } = await untilDecided(() => client.post('/api/sale/create', sale))
  return { id: body.data.id, items, number: body.data.invoice_number }
}

async function dispatch(id: number) {
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await client.post(`/api/sale/${id}/edit`, { status })
}
const download = (id: number) => client.get(`/api/sale/${id}/invoice`)
const standing = async (id: number) =>
  (await documents(id)).find(({ kind, replaced_by_id }) => kind === 'invoice' && replaced_by_id === null)!

/** Deletes an item that is on a sale. An import can do this. */
const loseItem = (saleId: number, id: number) =>
  t.db.write(async (tx) => {
    await tx
      .updateTable('stock')
      .set({ status: 'Deleted', sale_id: null, in_hand: false })
      .where('id', '=', id)
      .execute()
    await loseItems(tx, [{ id, saleId, productName: 'Phone' }], { userId: null })
  })

describe('the kept part of a returned item’s price', () => {
  const giveBack = (items: object[]) =>
    client.post('/api/return/create', { customer_id: shop.customer, received: true, items })
  const totals = async (id: number) =>
    (await documents(id)).map(({ kind, total_gross }) => (kind === 'invoice' ? total_gross : -total_gross))

  test('is on the invoice that stands: on one made afterwards, and on each that takes its place', async () => {
    const { id, items } = await sell(2, { create_invoice: false })
    await dispatch(id)
    await giveBack([{ id: items[0], price: 10_000 }])
    expect(await sale(id)).toMatchObject({ open_amount: 61_500 })
    await client.post(`/api/sale/${id}/invoice/generate`, {})
    expect(await sale(id)).toMatchObject({ open_amount: 61_500 })
    await client.post(`/api/sale/${id}/correct`, { items: [{ id: items[1], sales_price: 20_000 }] })
    expect(await totals(id)).toEqual([49_200])
    await runJobs()
    await download(id)
    await client.post(`/api/sale/${id}/correct`, { items: [{ id: items[1], sales_price: 10_000 }] })
    expect(await totals(id)).toEqual([49_200, -49_200, 36_900])
  })

  test('stays on an invoice that is not final yet, also if nothing was given back', async () => {
    const { id, items } = await sell(2, { create_invoice: false })
    await dispatch(id)
    await client.post(`/api/sale/${id}/invoice/generate`, {})
    await giveBack([{ id: items[0], price: 0 }])
    await client.post(`/api/sale/${id}/invoice/generate`, {})
    expect(await totals(id)).toEqual([73_800])
    expect(await sale(id)).toMatchObject({ open_amount: 73_800 })
    const empty = await sell(1, { create_invoice: false })
    await dispatch(empty.id)
    await giveBack([{ id: empty.items[0] }])
    const refused = await client.post(`/api/sale/${empty.id}/invoice/generate`, {})
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'Every item of this sale was returned: there is nothing to invoice.',
    ])
  })

  test('is on no new invoice if the old one still asks for it, as those of an old release may', async () => {
    const { id, items } = await sell(2)
    await dispatch(id)
    await download(id)
    await giveBack([{ id: items[0], price: 10_000 }])
    const correct = (sales_price: number) =>
      client.post(`/api/sale/${id}/correct`, { items: [{ id: items[1], sales_price }] })
    await correct(20_000)
    expect(await totals(id)).toEqual([73_800, -12_300, -61_500, 49_200])
    const [old] = await documents(id)
    await t.db.pool.query(`alter table document disable trigger kept;
      update document set asks_still = true where id = ${old!.id};
      update document_line set credited = 10000 where document_id = ${old!.id} and stock_id = ${items[0]};
      alter table document enable trigger kept`)
    await correct(10_000)
    expect(await totals(id)).toEqual([73_800, -12_300, -61_500, 12_300])
    // The old invoice does not ask for the other phone any more, so the new one does, also once that phone is back.
    await giveBack([{ id: items[1], price: 0 }])
    expect((await client.post(`/api/sale/${id}/invoice/generate`, {})).status).toBe(200)
    expect(await totals(id)).toEqual([73_800, -12_300, -61_500, 12_300])
    await t.db.pool.query('update document_line set credited = price where document_id = $1', [old!.id])
  })
})

describe('an allowance', () => {
  const allow = (id: number, items: object[], more: object = {}) =>
    client.post(`/api/sale/${id}/allow`, { items, ...more })
  const asked = async (id: number) =>
    (await documents(id)).map(({ kind, total_gross }) => (kind === 'invoice' ? total_gross : -total_gross))

  test('is a credit note over a part of what the buyer keeps, and all that is left is less by it', async () => {
    const { id, items, number } = await sell(2)
    await dispatch(id)
    const before = await sale(id)
    const answer = await allow(id, [{ id: items[0], price: 5000 }], { send_email: true })
    expect([answer.status, answer.body.message]).toEqual([
      200,
      expect.stringMatching(/^Allowance recorded\. Credit note CN-\d{4}-\d{5} is being made\.$/),
    ])
    expect(await asked(id)).toEqual([73_800, -6150])
    const after = await sale(id)
    expect(after).toMatchObject({ open_amount: 67_650, total_profit: before.total_profit - 5000, total_items: 2 })
    expect(after.items.map((item: { allowed_price: number; available: boolean }) => item.allowed_price)).toEqual([
      5000, 0,
    ])
    expect(after.items[0].stock).toMatchObject({ status: 'Sold' })
    await runJobs()
    const note = after.documents[1]
    expect(note).toMatchObject({ kind: 'credit_note', credits_number: number, reason: 'allowance' })
    expect((await sale(id)).mail).toMatchObject({ state: 'sent' })
    expect(await textOf((await client.get(`/api/document/${note.id}/pdf`)).raw)).toContain('Price reduction')

    // The buyer gets a second allowance on both phones. Then one phone comes back for the rest of its price.
    expect(
      (
        await allow(
          id,
          items.map((one) => ({ id: one, price: 1000 })),
        )
      ).status,
    ).toBe(200)
    const found = await client.post('/api/return/look-up', { lines: [after.items[0].imei] })
    expect(found.body.data[0].sale).toMatchObject({ price: 24_000 })
    const back = (price: number | null) =>
      client.post('/api/return/create', {
        customer_id: shop.customer,
        received: true,
        items: [{ id: items[0], price }],
      })
    expect((await back(24_001)).body.data.errors.items).toContain('at most 240.00 EUR')
    const rest = await back(null)
    expect([rest.status, rest.body.data.items[0].price]).toEqual([201, 24_000])
    expect(await asked(id)).toEqual([73_800, -6150, -2460, -29_520])
    expect(await sale(id)).toMatchObject({ open_amount: 35_670 })
  })

  test('is part of the price once the sale is corrected: the new invoice asks for what was agreed in the end', async () => {
    const { id, items } = await sell(2, { includeVat: true })
    await dispatch(id)
    await allow(id, [{ id: items[0], price: 5000 }])
    expect(
      (await client.post(`/api/sale/${id}/correct`, { items: [{ id: items[0], sales_price: 25_000 }] })).status,
    ).toBe(409)
    expect(
      (await client.post(`/api/sale/${id}/correct`, { items: [{ id: items[1], sales_price: 20_000 }] })).status,
    ).toBe(200)
    expect(await asked(id)).toEqual([60_000, -5000, -55_000, 45_000])
    const after = await sale(id)
    expect(after).toMatchObject({ open_amount: 45_000, total_sales_price_vat: 45_000 })
    expect(after.items[0]).toMatchObject({ sales_price_vat: 25_000, allowed_price: 0 })
    // A correction takes the allowance back.
    await client.post(`/api/sale/${id}/correct`, { items: [{ id: items[0], sales_price: 30_000 }] })
    expect(await sale(id)).toMatchObject({ open_amount: 50_000 })
  })

  test('without an invoice makes none, and the invoice that is made later asks for less', async () => {
    const { id, items } = await sell(2, { create_invoice: false })
    await dispatch(id)
    expect((await allow(id, [{ id: items[0], price: 5000 }])).body.message).toBe('Allowance recorded.')
    const { open_amount, logs } = await sale(id)
    expect(open_amount).toBe(67_650)
    expect(logs[0].content.data.message).toBe(`Allowance of 50.00 EUR for item #${items[0]}, which the customer keeps.`)
    const [entry] = (await client.get(`/api/log/find?loggable_type=Stock&loggable_id=${items[0]}`)).body.data
    expect(entry.content.data.message).toBe(`Allowance of 50.00 EUR in sale #${id}.`)
    // No later allowance or return gives back more than is left of the price.
    const above = await allow(id, [{ id: items[0], price: 25_001 }])
    expect(above.body.data.errors.items).toBe(`Item #${items[0]}: at most 250.00 EUR can be credited.`)
    expect((await allow(id, [{ id: items[1], price: 6000 }])).status).toBe(200)
    const back = (price: number | null) =>
      client.post('/api/return/create', {
        customer_id: shop.customer,
        received: true,
        items: [{ id: items[1], price }],
      })
    expect((await back(24_001)).body.data.errors.items).toContain('at most 240.00 EUR')
    expect((await back(null)).body.data.items).toMatchObject([{ sold_price: 24_000, price: 24_000 }])
    await client.post(`/api/sale/${id}/invoice/generate`, {})
    expect(await asked(id)).toEqual([30_750])
  })

  test('is refused before the dispatch, for more than is left, and for what is back; a key counts once', async () => {
    const { id, items } = await sell(2)
    expect((await allow(id, [{ id: items[0], price: 5000 }])).body.message).toContain('Correct the price instead')
    await dispatch(id)
    await client.post(`/api/sale/${id}/return-item/${items[1]}`)
    const errors = async (given: object[]) => (await allow(id, given)).body.data.errors
    expect(await errors([{ id: items[0], price: 30_001 }])).toMatchObject({ items: expect.stringContaining('300.00') })
    expect(await errors([{ id: items[1], price: 1 }])).toMatchObject({
      items: expect.stringContaining('has come back'),
    })
    const twice = [{ id: items[0], price: 1 }, { id: items[0], price: 1 }] // biome-ignore format: one line
    expect(await errors(twice)).toMatchObject({ items: 'List each item only once.' })
    for (const given of [[], [{ id: items[0], price: 0 }], [{ id: items[0], price: -5 }]])
      expect((await allow(id, given)).status).toBe(422)
    expect((await allow(999_999, [{ id: items[0], price: 1 }])).status).toBe(404)
    expect(
      await errors([
        { id: 999_999, price: 1 },
        { id: items[0]!, price: 30_001 },
      ]),
    ).toEqual({
      items: `Item #999999 is not on this sale, or has come back. Item #${items[0]}: at most 300.00 EUR can be credited.`,
    })
    expect(await asked(id)).toEqual([73_800, -36_900])
    const { updated_at } = await sale(id)
    expect((await allow(id, [{ id: items[0], price: 1 }], { updated_at: '2020-01-01T00:00:00.000Z' })).status).toBe(409)
    const headers = { 'idempotency-key': 'allowed-once' }
    for (let n = 0; n < 2; n++)
      expect(
        (await client.post(`/api/sale/${id}/allow`, { items: [{ id: items[0], price: 100 }], updated_at }, headers))
          .status,
      ).toBe(200)
    expect(await asked(id)).toEqual([73_800, -36_900, -123])
  })
})

describe('a final document', () => {
  /** Moves the seller, so that an invoice that is rendered again would have the new city. */
  const moveSeller = (city: string) => t.db.pool.query('update company set city = $1', [city])

  test('before it has left, an invoice is made again with what is so now, and looking at it changes nothing', async () => {
    const { id, number } = await sell(1)
    await runJobs()
    const { id: document } = await standing(id)
    const draft = await client.get(`/api/document/${document}/pdf?view`)
    expect(draft.headers).toMatchObject({ 'content-type': 'application/pdf', 'content-disposition': 'inline' })
    expect((await standing(id)).left_at).toBeNull()
    await moveSeller('Cork')
    await client.post(`/api/sale/${id}/invoice/generate`, {})
    await runJobs()
    expect(await textOf((await download(id)).raw)).toContain('Cork')
    expect(await standing(id)).toMatchObject({ id: document, number, left_at: expect.any(String) })
    await moveSeller('Dublin')
  })

  test('a second look at the same time gets the draft that is being made for the first', async () => {
    const logo = await t.db.write((tx) => storeFile(tx, { name: 'logo.png', mediaType: 'image/png', content: PIXEL }))
    await t.db.pool.query('update company set logo_file_id = $1', [logo])
    const { id } = await sell(1)
    await t.db.pool.query('update company set logo_file_id = null')
    await runJobs()
    const { id: document } = await standing(id)
    // The first draft waits for its logo, whose content nobody can read meanwhile.
    const other = await t.db.pool.connect()
    await other.query('begin; lock table file_chunk')
    const first = client.get(`/api/document/${document}/pdf?view`)
    await untilSomebodyWaits(t.db)
    // The second look asks for the newest version, and then for nothing more.
    let answers = 0
    const counted = t.db.read.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        answers++
        return result
      },
    })
    const second = renderDraft(counted, document, 1)
    await vi.waitFor(() => expect(answers).toBe(1), 60_000)
    await setImmediate()
    await other.query('commit')
    other.release()
    expect((await first).raw.equals(await second)).toBe(true)
    expect(answers).toBe(1)
    // Afterwards nothing of the draft is kept: a later look reads the invoice and its logo again.
    await renderDraft(counted, document, 1)
    expect(answers).toBeGreaterThan(3)
  })

  test.each([
    ['was downloaded', async (id: number) => void (await download(id))],
    [
      'was downloaded as a document',
      async (id: number) => void (await client.get(`/api/document/${(await standing(id)).id}/pdf`)),
    ],
    [
      'went out by mail',
      async (id: number) => {
        await client.post(`/api/sale/${id}/invoice/resend`)
        await runJobs()
      },
    ],
    ['belongs to a sale that was dispatched', dispatch],
  ])('an invoice that %s says the same for ever, in any language', async (_, leave) => {
    const { id, number } = await sell(1)
    await runJobs()
    await leave(id)
    const before = await standing(id)
    expect(before.left_at).not.toBeNull()
    await moveSeller('Cork')
    await client.post(`/api/sale/${id}/invoice/generate`, { lang: 'de' })
    await runJobs()
    const text = await textOf((await download(id)).raw)
    expect(text).toContain('Rechnung')
    expect(text).not.toContain('Cork')
    const after = await standing(id)
    expect(after).toMatchObject({ id: before.id, number, lang: 'de', left_at: before.left_at })
    expect(after.sha256).not.toBe(before.sha256)
    await moveSeller('Dublin')
  })

  test('taken off the sale and generated again, the same file comes back', async () => {
    const { id } = await sell(1)
    await runJobs()
    const before = (await download(id)).raw
    await client.delete(`/api/sale/${id}/invoice/delete`)
    expect((await download(id)).status).toBe(404)
    await client.post(`/api/sale/${id}/invoice/generate`, {})
    expect((await download(id)).raw.equals(before)).toBe(true)
  })

  test('printed again in a language, it is there once; whoever goes back and forth is told that it is enough', async () => {
    const { id } = await sell(1)
    await runJobs()
    const original = (await download(id)).raw
    const print = (lang: string) => client.post(`/api/sale/${id}/invoice/generate`, { lang })
    const copies = async () => {
      const { rows } = await t.db.pool.query(
        `select is_copy, file_id from document_version v join document d on d.id = v.document_id where d.sale_id = $1`,
        [id],
      )
      return rows.filter((version) => version.is_copy).length
    }
    await print('en')
    await print('en')
    await runJobs()
    const copy = (await download(id)).raw
    expect(copy.equals(original)).toBe(false)
    const again = await print('en')
    expect(again).toMatchObject({ status: 200, body: { data: { invoice_status: 'ready' } } })
    expect((await download(id)).raw.equals(copy)).toBe(true)
    expect(await copies()).toBe(1)
    // Its XML is kept with it. A later version of Backstock may write the XML in another way.
    const { rows } = await t.db.pool.query(
      `select version, syntax from document_xml x join document d on d.id = x.document_id where d.sale_id = $1 order by 1, 2`,
      [id],
    )
    expect(rows.map(({ version, syntax }) => `${version} ${syntax}`)).toEqual(['1 cii', '1 ubl', '2 cii', '2 ubl'])

    for (let n = 1; n < 20; n++) expect((await print(n % 2 ? 'de' : 'fr')).status).toBe(200)
    expect(await copies()).toBe(20)
    const refused = await print('fr')
    expect(refused.status).toBe(409)
    expect(refused.body.message).toBe(
      'This document has 20 copies already, and cannot have more. The newest one is in German.',
    )
    expect((await print('de')).status).toBe(200)
    // Each is marked as a copy, even if it was ordered before the previous copy was made.
    expect(await copies()).toBe(20)
    await runJobs()
    expect(await textOf((await download(id)).raw)).toContain('Rechnung Kopie')
  })

  test('a copy that cannot be made leaves the document as it is, and says so; the mail with it does not go out', async () => {
    const { id } = await sell(1)
    await runJobs()
    const original = (await download(id)).raw
    const { id: document, number, sha256 } = await standing(id)
    const wanted = await client.post(`/api/sale/${id}/invoice/generate`, { lang: 'de' })
    expect(wanted.body.data.invoice_status).toBe('pending')
    expect((await client.post(`/api/document/${document}/send`)).status).toBe(200)
    const broken = `data || jsonb_build_object('seller_was', data -> 'seller', 'seller', '{}'::jsonb)`
    await t.db.pool.query(
      `update document_version set data = ${broken} where document_id = $1 and is_copy and file_id is null`,
      [document],
    )
    await runJobs()
    const told = `The copy of Invoice ${number} in German could not be made: `
    const made = await standing(id)
    expect(made).toMatchObject({ status: 'ready', lang: 'en', sha256, error: expect.stringContaining(told) })
    const { mail, logs, invoice_status } = await sale(id)
    expect([invoice_status, mail.state]).toEqual(['ready', 'failed'])
    expect(JSON.stringify(logs)).toContain(told)
    expect((await download(id)).raw.equals(original)).toBe(true)
    expect((await violationsIn(t.connection)).filter(({ what }) => what.includes(number))).toEqual([])
    // The next mail goes out with the file that is there. After another copy is made, the error is gone.
    expect((await client.post(`/api/document/${document}/send`)).status).toBe(200)
    await runJobs()
    const error = `Could not be made, or was deleted: the copy of Invoice ${number}.`
    expect(await sale(id)).toMatchObject({ mail: { state: 'sent' }, earlier_mails: [{ state: 'failed', error }] })
    expect((await client.post(`/api/sale/${id}/invoice/generate`, { lang: 'fr' })).status).toBe(200)
    await runJobs()
    expect(await standing(id)).toMatchObject({ status: 'ready', lang: 'fr', error: null })
    expect(await textOf((await download(id)).raw)).toContain('Facture')
  })

  test('the database refuses to change it, and to delete any', async () => {
    const { id } = await sell(1)
    await runJobs()
    await download(id)
    const { id: document } = await standing(id)
    const refused = (sql: string) =>
      expect(t.db.pool.query(sql)).rejects.toThrow(/left the house|sealed|never (changed or )?deleted/)
    await refused(`update document set total_gross = 1 where id = ${document}`)
    await refused(`update document set left_at = null where id = ${document}`)
    await refused(`update document_version set data = '{}' where document_id = ${document}`)
    await refused(`delete from document_version where document_id = ${document}`)
    await refused(`delete from document where id = ${document}`)
    await refused(`update document_line set net = 1 where document_id = ${document}`)
    await refused(`delete from document_line where document_id = ${document}`)
    await refused(`update document_vat set vat = 1 where document_id = ${document}`)
  })

  test('its XML is there in both syntaxes, and says what the PDF says', async () => {
    const { id, number } = await sell(2)
    await runJobs()
    const { id: document } = await standing(id)
    for (const [syntax, root] of [
      ['ubl', '<Invoice '],
      ['cii', '<rsm:CrossIndustryInvoice '],
    ] as const) {
      const xml = await client.get(`/api/document/${document}/${syntax}`)
      expect(xml.headers).toMatchObject({ 'content-disposition': expect.stringContaining(`${number}.${syntax}.xml`) })
      expect(xml.raw.toString()).toContain(root)
      expect(xml.raw.toString()).toContain(number)
      expect(xml.raw.toString()).toContain('738.00')
    }
    expect((await standing(id)).left_at).not.toBeNull()
    expect((await client.get('/api/document/999999/ubl')).status).toBe(404)
  })

  test('its XML is kept as it left, and sealed', async () => {
    const { id } = await sell(1)
    await runJobs()
    const { id: document } = await standing(id)
    const xml = async (syntax: string) => (await client.get(`/api/document/${document}/${syntax}`)).raw.toString()
    const left = { cii: await xml('cii'), ubl: await xml('ubl') }
    const kept = async () => {
      const { rows } = await t.db.pool.query(
        `select syntax, convert_from(content, 'utf8') as content, sha256 = sha256(content) as sealed from document_xml
          where document_id = $1 order by syntax`,
        [document],
      )
      return rows
    }
    const both = [
      { syntax: 'cii', content: left.cii, sealed: true },
      { syntax: 'ubl', content: left.ubl, sealed: true },
    ]
    expect(await kept()).toEqual(both)
    const change = (sql: string) => t.db.pool.query(sql)
    for (const sql of [`update document_xml set content = '', sha256 = sha256('')`, 'delete from document_xml'])
      await expect(change(`${sql} where document_id = ${document}`)).rejects.toThrow('sealed')

    // Changes the XML as if an older version of Backstock had written it.
    const asOf = (sql: string) =>
      change(`alter table document_xml disable trigger kept; ${sql} where document_id = ${document};
        alter table document_xml enable trigger kept`)
    await asOf(`update document_xml set content = 'then', sha256 = sha256('then')`)
    expect([await xml('cii'), await xml('ubl')]).toEqual(['then', 'then'])
    // If a document became final before Backstock kept XML, the first request stores its XML.
    await asOf('delete from document_xml')
    expect(await xml('ubl')).toBe(left.ubl)
    expect(await kept()).toEqual(both)
  })

  test('XML that leaves before its PDF is made is what stands inside of that', async () => {
    const { id } = await sell(1)
    const { id: document } = await standing(id)
    await client.get(`/api/document/${document}/cii`)
    await t.db.pool.query(`alter table document_xml disable trigger kept;
      update document_xml set content = '<then/>', sha256 = sha256('<then/>') where document_id = ${document};
      alter table document_xml enable trigger kept`)
    await runJobs()
    const { raw } = await client.get(`/api/document/${document}/pdf`)
    const pdf = await getDocumentProxy(new Uint8Array(raw))
    const [name = ''] = (await pdf.getAttachments())?.keys() ?? []
    expect(new TextDecoder().decode((await pdf.getAttachmentContent(name)) ?? undefined)).toBe('<then/>')
    // The test wrote this XML itself. It is deleted, so that the checks after the tests do not find it.
    await t.db.pool.query(`alter table document_xml disable trigger kept; delete from document_xml
      where document_id = ${document}; alter table document_xml enable trigger kept`)
  })

  test('a print in another language after its XML has left is a copy, also if no PDF was there yet', async () => {
    const { id } = await sell(1)
    const { id: document } = await standing(id)
    expect((await client.get(`/api/document/${document}/ubl`)).status).toBe(200)
    await client.post(`/api/sale/${id}/invoice/generate`, { lang: 'de' })
    await runJobs()
    expect(await textOf((await download(id)).raw)).toContain('Rechnung Kopie')
  })
})

describe('credit notes', () => {
  test('a return credits its line, with number, PDF and XML of its own; two of all lines come to the invoice', async () => {
    const { id, items, number } = await sell(2)
    await runJobs()
    await dispatch(id)
    await client.post(`/api/sale/${id}/return-item/${items[0]}`)
    await runJobs()
    const [, credit] = await documents(id)
    expect(credit).toMatchObject({
      kind: 'credit_note',
      number: expect.stringMatching(/^CN-\d{4}-\d{5}$/),
      credits_number: number,
      reason: 'return',
      status: 'ready',
      total_net: 30_000,
      total_gross: 36_900,
      left_at: null,
    })
    const text = await textOf((await client.get(`/api/document/${credit!.id}/pdf`)).raw)
    expect(text).toContain(credit!.number)
    expect(text).toContain('Goods returned')
    expect(text).toContain(number)
    const xml = (await client.get(`/api/document/${credit!.id}/ubl`)).raw.toString()
    expect(xml).toContain('CreditNote')
    expect(xml).toContain(`<cbc:ID>${number}</cbc:ID>`)

    expect(await sale(id)).toMatchObject({ invoiced_total: 36_900, invoice_number: number })
    await client.post(`/api/sale/${id}/return-item/${items[1]}`)
    expect(await sale(id)).toMatchObject({ invoiced_total: 0, total_profit: 0 })
    const totals = (await documents(id)).map(({ total_gross }) => total_gross)
    expect(totals).toEqual([73_800, 36_900, 36_900])
  })

  test('one that could not be made is made again, also in another language, and says the same', async () => {
    const { id } = await sell(1)
    await client.post(`/api/sale/${id}/edit`, { status: 'Voided' })
    const { id: credit, number } = (await documents(id))[1]!
    // The credit note's mail has no invoice, so it is sent at once. The messages that people read name the credit note.
    expect((await client.post(`/api/document/${credit}/send`)).status).toBe(200)
    const version = (data: string) =>
      t.db.pool.query(`update document_version set data = ${data} where document_id = $1`, [credit])
    await version(`data || jsonb_build_object('seller_was', data -> 'seller', 'seller', '{}'::jsonb)`)
    await runJobs()
    const { mail, logs } = await sale(id)
    const gone = `Could not be made, or was deleted: Credit note ${number}.`
    expect(mail).toMatchObject({ state: 'failed', error: gone, subject: expect.stringContaining(number) })
    const told = { type: 'message', data: { message: `The email was not sent. ${gone}`, mail: 'failed' } }
    expect(logs).toContainEqual(expect.objectContaining({ content: told }))
    await version(`data - 'seller_was' || jsonb_build_object('seller', data -> 'seller_was')`)
    expect((await client.post(`/api/document/${credit}/send`)).status).toBe(409)
    expect((await client.post(`/api/document/${credit}/generate`, {})).status).toBe(200)
    await runJobs()
    const german = await client.post(`/api/document/${credit}/generate`, { lang: 'de' })
    expect(german.body.data).toMatchObject({ number, status: 'pending', lang: 'de' })
    await runJobs()
    expect(await textOf((await client.get(`/api/document/${credit}/pdf`)).raw)).toContain('Rechnungskorrektur')
    expect((await client.post('/api/document/999999/generate', {})).status).toBe(404)
  })

  test('voiding credits what is left; a sale without invoice gets no credit note', async () => {
    const { id } = await sell(3)
    const without = await sell(1, { create_invoice: false })
    for (const voided of [id, without.id]) await client.post(`/api/sale/${voided}/edit`, { status: 'Voided' })
    expect(await documents(id)).toMatchObject([{ total_gross: 110_700 }, { total_gross: 110_700, reason: 'void' }])
    expect(await sale(id)).toMatchObject({ invoiced_total: 0, status: 'Voided' })
    expect(await documents(without.id)).toEqual([])
  })

  test('a sale that has lost an item: its invoice is made again, or credited once it has left', async () => {
    for (const isFinal of [false, true]) {
      const { id, items, number } = await sell(2)
      await runJobs()
      if (isFinal) await download(id)
      await loseItem(id, items[0]!)
      await client.post(`/api/sale/${id}/edit`, { status: 'Awaiting Dispatch' })
      const after = await sale(id)
      if (!isFinal) {
        expect(after.documents).toMatchObject([{ number, total_net: 30_000, status: 'pending' }])
        continue
      }
      expect(after.documents).toMatchObject([
        { number, total_net: 60_000, replaced_by_id: after.documents[2].id },
        { kind: 'credit_note', reason: 'resubmission', total_net: 60_000, credits_number: number },
        { kind: 'invoice', total_net: 30_000, replaced_by_id: null },
      ])
      expect(after).toMatchObject({ invoice_number: after.documents[2].number, invoiced_total: 36_900 })
    }
  })

  test('a sale that has lost an item: its final invoice is credited also if its file was taken off the sale', async () => {
    const { id, items, number } = await sell(2)
    await runJobs()
    await download(id)
    await client.delete(`/api/sale/${id}/invoice/delete`)
    await loseItem(id, items[0]!)
    await client.post(`/api/sale/${id}/edit`, { status: 'Awaiting Dispatch' })
    expect(await documents(id)).toMatchObject([
      { number },
      { kind: 'credit_note', reason: 'resubmission', total_net: 60_000, credits_number: number },
      { kind: 'invoice', total_net: 30_000 },
    ])
  })

  test('a mail that waits with an invoice that a resubmission credits does not go out', async () => {
    const { id, items } = await sell(2)
    await runJobs()
    await download(id)
    await client.post(`/api/sale/${id}/invoice/resend`)
    await loseItem(id, items[0]!)
    await client.post(`/api/sale/${id}/edit`, { status: 'Awaiting Dispatch' })
    expect(await sale(id)).toMatchObject({
      mail: { state: 'failed', error: 'A newer invoice took its place.' },
      resend_needed: true,
    })
  })

  test('an email that waits about a sale without invoice tells it as it was resubmitted', async () => {
    const { id, items } = await sell(2, { create_invoice: false, send_email: true })
    await loseItem(id, items[0]!)
    await client.post(`/api/sale/${id}/edit`, { status: 'Awaiting Dispatch' })
    const { rows } = await t.db.pool.query('select state, body from mail where sale_id = $1', [id])
    expect(rows).toEqual([{ state: 'waiting', body: expect.stringMatching(/Devices: 1\n.*369\.00/) }])
    await runJobs()
  })

  test('it goes out by mail, also after the sale was voided', async () => {
    const { id, number } = await sell(1)
    await runJobs()
    await client.post(`/api/sale/${id}/edit`, { status: 'Voided' })
    const [invoice, credit] = (await documents(id)) as [Document, Document]
    const sent = await client.post(`/api/document/${credit.id}/send`)
    expect(sent.body).toMatchObject({ success: true })
    expect((await client.post(`/api/document/${invoice.id}/send`)).status).toBe(409)
    await runJobs()
    const rows = await t.db.read.selectFrom('mail').select('message_id').where('sale_id', '=', id).execute()
    const file = (await readdir(path.join(dataDir, 'mail'))).find((name) =>
      rows[0]!.message_id.includes(name.replace(/\.eml$/, '')),
    )
    const mail = await PostalMime.parse(await readFile(path.join(dataDir, 'mail', file!)))
    expect(mail.subject).toContain(credit.number)
    expect(mail.text).toContain(number)
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([`Credit note ${credit.number}.pdf`])
    expect((await documents(id))[1]!.left_at).not.toBeNull()
    expect(await sale(id)).toMatchObject({ email_sent: false, mail: { state: 'sent' } })
  })

  test('a mail with a credit note that waits is not stopped by what becomes of the sale', async () => {
    const { id, items } = await sell(2)
    await runJobs()
    await download(id)
    await client.post(`/api/sale/${id}/correct`, { items: [{ id: items[0], sales_price: 100 }], send_email: true })
    await client.post(`/api/sale/${id}/edit`, { status: 'Voided' })
    await runJobs()
    const mails = await t.db.read.selectFrom('mail').select(['state', 'file_ids']).where('sale_id', '=', id).execute()
    expect(mails).toMatchObject([{ state: 'sent' }])
    // The three files are the credit note over the first invoice, the second invoice, and the credit note over the
    // second.
    expect(mails[0]!.file_ids).toHaveLength(3)
  })

  test('many at once, some of them failing: no number is missing, and none is there twice', async () => {
    const sales = await Promise.all(Array.from({ length: turns(8, 20) }, () => sell(5)))
    for (const { id } of sales) await dispatch(id)
    const answers = await Promise.all(
      sales.flatMap(({ id, items }, n) =>
        items.map((item, at) => {
          // In every fourth sale, the first item is returned twice.
          const back = n % 4 === 0 && at === 1 ? items[0] : item
          return untilDecided(() => client.post(`/api/sale/${id}/return-item/${back}`))
        }),
      ),
    )
    const counted = Map.groupBy(answers, ({ status }) => status)
    const twice = sales.length / 4
    expect([counted.get(200)?.length, counted.get(409)?.length]).toEqual([sales.length * 5 - twice, twice])
    const { rows } = await t.db.pool.query(
      `select count(*)::int as n, count(distinct number)::int as numbers, max(number) as last from document where series = 'credit_note'`,
    )
    expect(rows[0]).toEqual({ n: rows[0].last, numbers: rows[0].last, last: rows[0].last })
    expect(await violationsIn(t.connection)).toEqual([])
  })
})

test('documents are found by number, buyer, kind, sale and day', async () => {
  const { id, number } = await sell(1)
  await client.post(`/api/sale/${id}/edit`, { status: 'Voided' })
  const found = async (query: string) =>
    (await client.get(`/api/document/find?${query}`)).body.data.map((document: Document) => document.number)
  const numbers = (await documents(id)).map((document) => document.number)
  expect(await found(`sale_id=${id}&order=id_asc`)).toEqual(numbers)
  expect(await found(`sale_id=${id}&order=asked_for_asc`)).toEqual(numbers.toReversed())
  expect(await found(`sale_id=${id}&kind=credit_note`)).toEqual([numbers[1]])
  expect(await found(`search=${number}&kind=invoice`)).toEqual([number])
  expect(await found(`sale_id=${id}&from=2020-01-01&to=2020-01-02`)).toEqual([])
  expect((await found(`search=${encodeURIComponent('Παπαδόπουλος')}`)).length).toBeGreaterThan(2)
})
