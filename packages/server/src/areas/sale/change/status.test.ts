import { formatMoney } from '@backstock/contract/money.ts'
import { allowedSaleStatuses, SALE_STATUSES, type SaleStatus } from '@backstock/contract/sale-status.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, testApp } from '../../../testing/app.ts'
import { untilDecided } from '../../../testing/ask-again.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { putSaleFile } from '../../document/sale-file.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop

beforeAll(async () => {
  t = await testApp()
  client = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

async function sell(ids: number[], options: object = {}): Promise<number> {
  const { status, body } = await client.post('/api/sale/create', {
    stock_items: ids.map((id) => ({ id })),
    customer_id: shop.customer,
    send_email: false,
    create_invoice: false,
    ...options,
  })
  if (status !== 201) throw new Error(body.message)
  return body.data.id
}

const edit = (id: number, body: object) => client.post(`/api/sale/${id}/edit`, body)
const stock = (id: number) => t.db.read.selectFrom('stock').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const sale = async (id: number) => (await client.get(`/api/sale/find?id=${id}`)).body.data[0]

/**
 * Deletes an item that is on a sale, as an import does: the sale's line is released, and the sale requires attention.
 */
const loseItem = (saleId: number, id: number) =>
  t.db.write(async (tx) => {
    await tx
      .updateTable('stock')
      .set({ status: 'Deleted', sale_id: null, in_hand: false })
      .where('id', '=', id)
      .execute()
    await tx
      .updateTable('sale_item')
      .set({ released: 'lost' })
      .where('sale_id', '=', saleId)
      .where('stock_id', '=', id)
      .execute()
    await tx.updateTable('sale').set({ status: 'Requires Attention' }).where('id', '=', saleId).execute()
  })

/** Makes a sale of two items, and brings it to a status by the steps that a person would take. */
async function saleIn(status: SaleStatus): Promise<{ id: number; items: number[] }> {
  const items = await stockItems(t.db, shop, 2)
  const id = await sell(items)
  const ways: Record<SaleStatus, SaleStatus[]> = {
    New: [],
    'Awaiting Payment': ['Awaiting Payment'],
    'Awaiting Dispatch': ['Awaiting Dispatch'],
    'Requires Attention': [],
    Dispatched: ['Awaiting Dispatch', 'Dispatched'],
    Voided: ['Voided'],
  }
  for (const step of ways[status]) expect((await edit(id, { status: step })).status).toBe(200)
  if (status === 'Requires Attention') await loseItem(id, items[0]!)
  return { id, items }
}

const VOID_INSTEAD = 'A sale that awaits dispatch is voided with ‘Void sale’, under General Info.'
const ONLY: Record<SaleStatus, string> = {
  New: 'A sale with the status New can only become Awaiting Payment, Awaiting Dispatch or Voided.',
  'Awaiting Payment': 'A sale with the status Awaiting Payment can only become Awaiting Dispatch or Voided.',
  'Awaiting Dispatch': 'A sale with the status Awaiting Dispatch can only become Dispatched.',
  'Requires Attention': 'A sale with the status Requires Attention can only become Voided or Awaiting Dispatch.',
  Dispatched: 'A sale with the status Dispatched keeps it.',
  Voided: 'A sale with the status Voided keeps it.',
}

describe.each(SALE_STATUSES)('from %s', (from) => {
  test.each(SALE_STATUSES)('to %s', async (to) => {
    const { id } = await saleIn(from)
    const answer = await edit(id, { status: to, outbound_tracking_number: 'TRACK' })
    const allowed = from === to || allowedSaleStatuses(from).includes(to)
    expect(answer.status).toBe(allowed ? 200 : 422)
    const instead = `${from}${to}` === 'Awaiting DispatchVoided' ? VOID_INSTEAD : ONLY[from]
    if (!allowed) expect(answer.body.data.errors).toEqual({ status: instead })
    expect(await sale(id)).toMatchObject({
      status: allowed ? to : from,
      outbound_tracking_number: allowed ? 'TRACK' : null,
    })
  })
})

test('a reference is on the invoice and in its email, also if it is typed in the same step as the dispatch', async () => {
  const id = await sell(await stockItems(t.db, shop, 1), { create_invoice: true, send_email: true })
  const named = async () => {
    const { rows } = await t.db.pool.query(
      `select data ->> 'reference_number' as invoice, m.body as email
       from document d join document_version v on v.document_id = d.id join mail m on m.sale_id = d.sale_id
       where d.sale_id = $1 order by v.version desc limit 1`,
      [id],
    )
    return rows[0]
  }
  expect((await edit(id, { reference_number: 'PO-1' })).status).toBe(200)
  expect(await named()).toEqual({ invoice: 'PO-1', email: expect.stringContaining('PO-1') })
  expect((await edit(id, { status: 'Awaiting Dispatch' })).status).toBe(200)
  expect((await edit(id, { status: 'Dispatched', reference_number: 'PO-2' })).status).toBe(200)
  expect(await named()).toEqual({ invoice: 'PO-2', email: expect.stringContaining('PO-2') })
  // The invoice is final now.
  expect((await edit(id, { reference_number: 'PO-3' })).status).toBe(200)
  expect(await named()).toMatchObject({ invoice: 'PO-2' })
})

test('a forbidden status racing an allowed one: the table holds', async () => {
  const { id } = await saleIn('New')
  const answers = await Promise.all(
    ['Voided', 'Awaiting Dispatch', 'Voided', 'Awaiting Dispatch'].map((status) =>
      untilDecided(() => edit(id, { status })),
    ),
  )
  const done = await sale(id)
  expect(['Voided', 'Awaiting Dispatch']).toContain(done.status)
  for (const [index, answer] of answers.entries())
    expect(answer.status).toBe((index % 2 === 0) === (done.status === 'Voided') ? 200 : 422)
})

test('a paid sale is voided before its dispatch: credit note, items in stock, money to be given back', async () => {
  const batch = await batchOf(t.db, shop, client.id, 1)
  const [loose] = await stockItems(t.db, shop, 1)
  const items = [batch.items[0]!, loose!]
  const id = await sell(items, { create_invoice: true, remove_from_batch: false })
  const { open_amount: owed, updated_at: early } = await sale(id)
  expect((await client.post(`/api/sale/${id}/pay`, { paid_on: '2026-01-05' })).status).toBe(200)
  expect((await sale(id)).status).toBe('Awaiting Dispatch')
  // The status cannot be changed to Voided by an edit.
  expect((await edit(id, { status: 'Voided' })).status).toBe(422)
  expect((await client.post(`/api/sale/${id}/cancel`, { updated_at: early })).status).toBe(409)
  const { updated_at } = await sale(id)
  const answer = await client.post(`/api/sale/${id}/cancel`, { updated_at })
  expect([answer.status, answer.body.type], answer.body.message).toEqual([200, 'warning'])
  expect(answer.body.data).toMatchObject({ status: 'Voided', open_amount: -owed, payment_state: 'Refund due' })
  const [, note] = answer.body.data.documents
  expect(note).toMatchObject({ kind: 'credit_note', total_gross: owed })
  expect(answer.body.message).toBe(
    `Sale #${id} voided: 2 items are back in stock. Credit note ${note.number} is being made. ` +
      `${formatMoney(owed)} EUR is to be refunded.`,
  )
  expect(await stock(items[0]!)).toMatchObject({ status: 'In Batch', sale_id: null, in_hand: true })
  expect(await stock(items[1]!)).toMatchObject({ status: 'In Stock', sale_id: null, in_hand: true })
  const refund = await client.post(`/api/sale/${id}/pay`, { paid_on: '2026-01-07' })
  expect(refund.body).toMatchObject({ data: { open_amount: 0, paid_total: 0, status: 'Voided' } })
  const told = (await client.get(`/api/log/find?loggable_type=Sale&loggable_id=${id}`)).body.data as {
    content: { data: { attributeName: string; from: string; to: string }[] }
  }[]
  const moves = told.flatMap(({ content: { data } }) => (Array.isArray(data) ? data : []))
  expect(moves.filter(({ attributeName }) => attributeName === 'status').toReversed()).toMatchObject([
    { to: 'New' },
    { from: 'New', to: 'Awaiting Dispatch' },
    { from: 'Awaiting Dispatch', to: 'Requires Attention' },
    { from: 'Requires Attention', to: 'Voided' },
  ])
  await sell(items)
})

test.each(SALE_STATUSES.filter((status) => status !== 'Awaiting Dispatch'))(
  'a sale that is %s is not voided in this way, and is told what to do instead',
  async (status) => {
    const { id } = await saleIn(status)
    const { status: code, body } = await client.post(`/api/sale/${id}/cancel`, {})
    const instead =
      {
        Dispatched: `The items of sale #${id} have been dispatched, so it cannot be voided. They can only be returned.`,
        Voided: `Sale #${id} is voided already.`,
      }[status as string] ?? `Sale #${id} has the status ${status}. To void it, set its status to Voided.`
    expect([code, body.message]).toEqual([409, instead])
    expect((await sale(id)).status).toBe(status)
  },
)

test('one of a dispatch and a void at once succeeds', async () => {
  for (let race = 0; race < 4; race++) {
    const { id, items } = await saleIn('Awaiting Dispatch')
    const both = [() => edit(id, { status: 'Dispatched' }), () => client.post(`/api/sale/${id}/cancel`, {})]
    const answers = await Promise.all((race % 2 ? both : both.toReversed()).map((ask) => untilDecided(ask)))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, expect.toBeOneOf([409, 422])])
    const { status } = await sale(id)
    expect((await stock(items[0]!)).status).toBe(status === 'Voided' ? 'In Stock' : 'Sold')
  }
})

test('a stale edit is refused and names who changed the sale', async () => {
  const { id } = await saleIn('New')
  const { updated_at } = await sale(id)
  await edit(id, { courier: 'DHL', updated_at })
  const stale = await edit(id, { courier: 'UPS', updated_at })
  expect(stale.status).toBe(409)
  expect(stale.body.message).toMatch(/^Changed by Person 1 a few seconds ago$/)
  expect((await sale(id)).courier).toBe('DHL')
  expect((await edit(id, { courier: 'UPS', total_sales_price: 1 })).status).toBe(200)
})

test('Voided gives the items back: In Batch if they still have a batch, else In Stock', async () => {
  const batch = await batchOf(t.db, shop, client.id, 1)
  const [loose] = await stockItems(t.db, shop, 1)
  const id = await sell([batch.items[0]!, loose!], { remove_from_batch: false })
  expect((await edit(id, { status: 'Voided' })).status).toBe(200)
  expect(await stock(batch.items[0]!)).toMatchObject({ status: 'In Batch', sale_id: null })
  expect(await stock(loose!)).toMatchObject({ status: 'In Stock', sale_id: null, in_hand: true })
  expect((await sale(id)).items.map((item: { available: boolean }) => item.available)).toEqual([false, false])
  await sell([batch.items[0]!, loose!])
})

test('a voided sale gets no new documents and no emails', async () => {
  const [id] = await stockItems(t.db, shop, 1)
  const sale = (await client.post('/api/sale/create', { stock_items: [{ id }], customer_id: shop.customer })).body.data
  expect((await client.post(`/api/sale/${sale.id}/edit`, { status: 'Voided' })).status).toBe(200)
  const mails = await t.db.read.selectFrom('mail').selectAll().where('sale_id', '=', sale.id).execute()
  for (const path of ['invoice/generate', 'invoice/excel/generate', 'invoice/resend']) {
    const { status, body } = await client.post(`/api/sale/${sale.id}/${path}`, {})
    expect([path, status, body.message]).toEqual([path, 409, expect.stringContaining(`Sale #${sale.id} is voided`)])
  }
  const found = (await client.get(`/api/sale/find?id=${sale.id}`)).body.data[0]
  expect([found.excel_status, found.invoice_number]).toEqual(['none', sale.invoice_number])
  expect(await t.db.read.selectFrom('mail').selectAll().where('sale_id', '=', sale.id).execute()).toEqual(mails)

  // The books need a document for every number, so a deleted file can be made again.
  expect((await client.delete(`/api/sale/${sale.id}/invoice/delete`)).status).toBe(200)
  const again = await client.post(`/api/sale/${sale.id}/invoice/generate`, { lang: 'de' })
  expect([again.status, again.body.data.invoice_number]).toEqual([200, sale.invoice_number])
  expect(again.body.data.logs[0].content.data.message).toBe(`Invoice ${sale.invoice_number} was requested, in German.`)
})

test('Dispatched takes the items out of hand, so that one may be bought back', async () => {
  const imei = newImei()
  const [[other], [item]] = [await stockItems(t.db, shop, 1), await stockItems(t.db, shop, 1, { imei })]
  const id = await sell([other!, item!])
  await edit(id, { status: 'Awaiting Dispatch' })
  await edit(id, { status: 'Dispatched' })
  for (const sold of [other!, item!])
    expect(await stock(sold)).toMatchObject({ status: 'Sold', in_hand: false, sale_id: id })
  const [again] = await stockItems(t.db, shop, 1, { imei })

  const refused = await client.post(`/api/sale/${id}/return-item/${item}`)
  expect(refused.status).toBe(409)
  expect(refused.body.message).toContain(`#${again}`)
  expect(await stock(item!)).toMatchObject({ status: 'Sold', in_hand: false })
})

test('a sale that lacks an item is not dispatched, whatever its status says', async () => {
  const { id, items } = await saleIn('Requires Attention')
  await t.db.pool.query(`update sale set status = 'Awaiting Dispatch' where id = $1`, [id])
  const { status, body } = await edit(id, { status: 'Dispatched' })
  expect([status, body.message]).toEqual([409, `No longer available: #${items[0]}.`])
})

describe('returning an item', () => {
  test('it is in hand again and profit counts it out; totals stay', async () => {
    const { id, items } = await saleIn('Dispatched')
    const before = await sale(id)
    const answer = await client.post(`/api/sale/${id}/return-item/${items[0]}`)
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({
      status: 'Dispatched',
      total_sales_price: before.total_sales_price,
      total_profit: before.total_profit - 10_000,
      items: [{ returned: true }, { returned: false }],
    })
    expect(await stock(items[0]!)).toMatchObject({ status: 'In Stock', in_hand: true, sale_id: null })
    const logs = (await client.get(`/api/log/find?loggable_type=Stock&loggable_id=${items[0]}`)).body.data
    expect(logs[0].content.data.message).toBe(`Returned from sale #${id}.`)
    expect(answer.body.data.logs[0].content.data.message).toContain(`Item #${items[0]}`)
    expect((await client.post(`/api/sale/${id}/return-item/${items[0]}`)).status).toBe(409)
    await sell([items[0]!])
  })

  test('only from a dispatched sale that has it', async () => {
    const open = await saleIn('New')
    expect((await client.post(`/api/sale/${open.id}/return-item/${open.items[0]}`)).status).toBe(409)
    const sent = await saleIn('Dispatched')
    expect((await client.post(`/api/sale/${sent.id}/return-item/${open.items[0]}`)).status).toBe(404)
    expect((await client.post(`/api/sale/999999/return-item/1`)).status).toBe(404)
  })
})

describe('resubmitting', () => {
  test('drops what is lost, works the totals out again and remakes the invoice under its number', async () => {
    const items = await stockItems(t.db, shop, 3, { vat_id: shop.vat.standard })
    const id = await sell(items, { create_invoice: true, includeVat: true })
    const before = await sale(id)
    await loseItem(id, items[0]!)
    expect(await sale(id)).toMatchObject({ status: 'Requires Attention', unavailable_items: 1, total_items: 3 })

    const { body } = await edit(id, { status: 'Awaiting Dispatch' })
    expect([body.type, body.message]).toEqual([
      'warning',
      `Sale #${id} resubmitted. Invoice ${before.invoice_number} is being made. ` +
        `Removed from the sale: item #${items[0]}. The total is now 600.00 EUR instead of 900.00 EUR.`,
    ])
    // 600.00 × 23 / 123 = 112.1951
    expect(body.data).toMatchObject({
      status: 'Awaiting Dispatch',
      unavailable_items: 0,
      total_items: 2,
      total_purchase_price: 40_000,
      total_sales_price: 48_780,
      total_sales_price_vat: 60_000,
      vat_totals: [{ rate: 23, net: 48_780, vat: 11_220 }],
      invoice_number: before.invoice_number,
      invoice_status: 'pending',
      resend_needed: true,
    })
    expect(body.data.items.map((item: { available: boolean }) => item.available)).toEqual([true, true])
    const versions = await t.db.read
      .selectFrom('document_version as v')
      .innerJoin('document as i', 'i.id', 'v.document_id')
      .select(['v.version', 'v.data'])
      .where('i.sale_id', '=', id)
      .orderBy('v.version')
      .execute()
    expect(versions.map(({ data }) => (data as { lines: object[] }).lines.length)).toEqual([3, 2])
    expect((await edit(id, { status: 'Dispatched' })).status).toBe(200)
    expect((await stock(items[0]!)).status).toBe('Deleted')
  })

  test.each([false, true])(
    'remakes an invoice whose file was deleted: no document asks for what is gone (final: %s)',
    async (isFinal) => {
      const items = await stockItems(t.db, shop, 2)
      const id = await sell(items, { create_invoice: true, invoice_lang: 'de' })
      const [{ id: document, number }] = (await sale(id)).documents
      if (isFinal) await t.db.pool.query('update document set left_at = now() where id = $1', [document])
      expect((await client.delete(`/api/sale/${id}/invoice/delete`)).status).toBe(200)
      await loseItem(id, items[0]!)
      const { status, body } = await edit(id, { status: 'Awaiting Dispatch' })
      expect([status, body.data.total_sales_price_vat]).toEqual([200, 30_000])
      expect(body.data).toMatchObject({ invoiced_total: 30_000, open_amount: 30_000, invoice_status: 'pending' })
      expect(body.data.invoice_number === number).toBe(!isFinal)
      expect(body.data.documents.map(({ lang }: { lang: string }) => lang)).toEqual(
        isFinal ? ['de', 'de', 'de'] : ['de'],
      )
      expect((await client.delete(`/api/sale/${id}/invoice/delete`)).status).toBe(200)
      const cheaper = { items: [{ id: items[1], sales_price: 20_000 }] }
      const corrected = await client.post(`/api/sale/${id}/correct`, cheaper)
      expect(corrected.body.data.sale).toMatchObject({ invoiced_total: 20_000, invoice_status: 'pending' })
      expect(corrected.body.data.sale.documents.at(-1).lang).toBe('de')
    },
  )

  test('needs no second email if the first one still waits, with the new invoice', async () => {
    const items = await stockItems(t.db, shop, 2)
    const id = await sell(items, { create_invoice: true, send_email: true })
    await loseItem(id, items[0]!)
    const { body } = await edit(id, { status: 'Awaiting Dispatch' })
    expect(body.data).toMatchObject({ resend_needed: false, mail: { state: 'waiting' } })
  })

  test('needs another email if the first one failed, or waits without the invoice', async () => {
    const items = await stockItems(t.db, shop, 4)
    const failed = await sell(items.slice(0, 2), { create_invoice: true, send_email: true })
    await t.db.pool.query(`update mail set state = 'failed', error = 'Refused.' where sale_id = $1`, [failed])
    const ordered = await sell(items.slice(2), { send_email: true })
    expect((await client.post(`/api/sale/${ordered}/invoice/generate`)).status).toBe(200)
    for (const [id, item, state] of [
      [failed, items[0]!, 'failed'],
      [ordered, items[2]!, 'waiting'],
    ] as const) {
      await loseItem(id, item)
      const { body } = await edit(id, { status: 'Awaiting Dispatch' })
      expect(body.data).toMatchObject({ resend_needed: true, mail: { state } })
    }
  })

  test('leaves an uploaded invoice, and says in the log that it is that of before', async () => {
    const items = await stockItems(t.db, shop, 2)
    const id = await sell(items)
    const invoice = { name: 'mine.pdf', mediaType: 'application/pdf', content: Buffer.from('%PDF-1.7') }
    await t.db.write((tx) => putSaleFile(tx, id, 'invoice', invoice))
    await loseItem(id, items[0]!)
    const { body } = await edit(id, { status: 'Awaiting Dispatch' })
    expect(body.data).toMatchObject({ total_items: 1, invoice_uploaded: true, invoice_number: null })
    expect([body.type, body.message]).toEqual([
      'warning',
      expect.stringContaining('The uploaded invoice is still the old one: upload a new one.'),
    ])
    expect(body.data.logs.map((log: { content: { data: object } }) => log.content.data)).toContainEqual({
      message: 'The uploaded invoice is still the old one: upload a new one.',
    })
  })

  test('takes an item back that has come back, unless another sale has it', async () => {
    const items = (await stockItems(t.db, shop, 4)) as [number, number, number, number]
    const [back, too, elsewhere, gone] = items
    const id = await sell(items)
    for (const item of items) await loseItem(id, item)
    await t.db.write((tx) =>
      tx
        .updateTable('stock')
        .set({ status: 'In Stock', in_hand: true })
        .where('id', 'in', [back, too, elsewhere])
        .execute(),
    )
    await sell([elsewhere])
    const { body } = await edit(id, { status: 'Awaiting Dispatch' })
    expect(body.message).toContain(`Removed from the sale: items #${elsewhere}, #${gone}.`)
    expect(body.data).toMatchObject({
      ...{ total_items: 2, total_sales_price: 60_000, resend_needed: false },
      items: [{ stock_id: back }, { stock_id: too }],
    })
    const told = ({ logs }: { logs: { content: { data: { message?: string } } }[] }) =>
      logs.map(({ content }) => content.data.message)
    expect(told(body.data)).toContain(`Removed from the sale: item #${elsewhere}, item #${gone}.`)
    for (const item of [back, too]) expect(await stock(item)).toMatchObject({ status: 'Sold', sale_id: id })
    expect((await stock(elsewhere)).sale_id).not.toBe(id)
    for (const item of [elsewhere, gone])
      expect(told((await client.get(`/api/stock/find?id=${item}`)).body.data[0])).toContain(
        `Removed from sale #${id}, which was resubmitted without it.`,
      )
  })

  test('an item that was corrected meanwhile is sold again as what it is now', async () => {
    const [item, other] = await stockItems(t.db, shop, 2)
    const id = await sell([item!, other!], { create_invoice: true })
    await loseItem(id, item!)
    await t.db.write((tx) =>
      tx.updateTable('stock').set({ status: 'In Stock', in_hand: true }).where('id', '=', item!).execute(),
    )
    const imei = newImei()
    const { rows: made } = await t.db.pool.query(
      `with colour as (insert into colour (name) values ('Blue') returning id),
         make as (insert into make (name) values ('Samsung') returning id)
       insert into product (make_id, category_id, colour_id, model, capacity, capacity_unit, display_name)
       select make.id, category_id, colour.id, 'S21', 1, 'TB', 'Samsung S21 1 TB Blue' from product, colour, make
       where product.id = $1 returning id`,
      [shop.product],
    )
    const { rows: grades } = await t.db.pool.query(`select id from grade where name = 'B'`)
    const corrected = { imei, purchase_price: 12_345, serial_number: 'SN-B', grade_id: grades[0].id }
    const { status } = await client.post(`/api/stock/${item}/edit`, { ...corrected, actual_product_id: made[0].id })
    expect(status).toBe(200)
    const { body } = await edit(id, { status: 'Awaiting Dispatch' })
    const { rows: lines } = await t.db.pool.query(
      `select product_id, product_name, make, model, capacity, colour, grade, imei, serial_number from sale_item
       where sale_id = $1 and stock_id = $2`,
      [id, item],
    )
    expect(lines).toEqual([
      {
        ...{ product_id: made[0].id, product_name: 'Samsung S21 1 TB Blue', make: 'Samsung', model: 'S21' },
        ...{ capacity: '1 TB', colour: 'Blue', grade: 'B', imei, serial_number: 'SN-B' },
      },
    ])
    expect(body.data).toMatchObject({ total_items: 2, total_purchase_price: 32_345, total_sales_price: 60_000 })
    const { rows } = await t.db.pool.query(
      'select v.data from document_version v join document i on i.id = document_id where sale_id = $1 order by version desc',
      [id],
    )
    expect(JSON.stringify(rows[0].data)).toContain(imei)
  })

  test('with nothing left it can only be voided', async () => {
    const [item] = await stockItems(t.db, shop, 1)
    const id = await sell([item!])
    await loseItem(id, item!)
    expect((await edit(id, { status: 'Awaiting Dispatch' })).status).toBe(409)
    expect((await edit(id, { status: 'Voided' })).status).toBe(200)
    expect((await stock(item!)).status).toBe('Deleted')
  })
})

describe('deleting a sale', () => {
  test('only a voided one that never had an invoice number', async () => {
    const open = await saleIn('New')
    expect((await client.delete(`/api/sale/${open.id}/delete`)).status).toBe(409)
    const numbered = await sell(await stockItems(t.db, shop, 1), { create_invoice: true })
    await edit(numbered, { status: 'Voided' })
    expect((await client.delete(`/api/sale/${numbered}/delete`)).status).toBe(409)
    const voided = await saleIn('Voided')
    expect((await client.delete(`/api/sale/${voided.id}/delete`)).status).toBe(200)
    expect(await sale(voided.id)).toBeUndefined()
    expect((await client.delete(`/api/sale/${voided.id}/delete`)).status).toBe(404)
  })
})
