import type { Document } from '@backstock/contract/document.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { turns } from '../../testing/turns.ts'
import { loseItems } from '../sale/change/lose-items.ts'

let t: Awaited<ReturnType<typeof testApp>>
let admin: Client
let shop: Shop
let ruleId: number
/** The customers of a Spanish shop: a business in Spain, and a consumer. */
const customers = { business: 0, consumer: 0 }

beforeAll(async () => {
  t = await testApp()
  admin = await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
  await admin.post('/api/company/edit', { country_code: 'ES', vat_number: 'ESB83834234', margin_rate: 21 })
  await t.db.pool.query('update category set is_reverse_charge_good = true')
  const { body } = await admin.get('/api/reverse-charge-rule/find?search=ES')
  ruleId = body.data[0].id
  await admin.post(`/api/reverse-charge-rule/${ruleId}/edit`, { valid_to: null, threshold: 50_000 })
  const customer = async (vat_number: string | null) => {
    const billing_address = { address_1: 'Calle 1', city: 'Madrid', postal_code: '28001', country_code: 'ES' }
    const names = { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test' }
    return (await admin.post('/api/customer/create', { ...names, vat_number, billing_address })).body.data.id
  }
  customers.business = await customer('ESA28015865')
  customers.consumer = await customer(null)
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

type Columns = Parameters<typeof stockItems>[3]
async function sell(customer: number, kinds: readonly Columns[], options: object = {}) {
  const items: number[] = []
  for (const kind of kinds) items.push(...(await stockItems(t.db, shop, 1, { vat_id: shop.vat.standard, ...kind })))
  const stock_items = items.map((id) => ({ id, sales_price: 60_000 }))
  const answer = await admin.post('/api/sale/create', {
    ...{ customer_id: customer, send_email: false, stock_items, ...options },
  })
  expect(answer.status, answer.body.message).toBe(201)
  return { id: answer.body.data.id as number, items, message: answer.body.message as string }
}
const sale = async (id: number) => (await admin.get(`/api/sale/find?id=${id}`)).body.data[0]
const documents = async (id: number): Promise<Document[]> => (await sale(id)).documents
const numbers = async (id: number) => (await documents(id)).map(({ number }) => number.replace(/\d{4}-/, ''))
const edit = (id: number, fields: object) => admin.post(`/api/sale/${id}/edit`, fields)
const PHONE = {}
const MARGIN = { purchase_treatment: 'margin' } as const

test('an invoice of reverse charge alone takes its number from the rule’s series, all others from their own', async () => {
  const first = await sell(customers.business, [PHONE, PHONE])
  const consumer = await sell(customers.consumer, [PHONE])
  const mixed = await sell(customers.business, [PHONE, MARGIN])
  const second = await sell(customers.business, [PHONE])
  expect(await Promise.all([first, consumer, mixed, second].map(({ id }) => numbers(id)))).toEqual([
    ['ISP-00001'],
    ['00001'],
    ['00002'],
    ['ISP-00002'],
  ])
  expect(mixed.message).toContain('Reverse charge needs invoices of its own (ISP)')
  expect([first.message, consumer.message].join()).not.toContain('ISP')

  const [{ number, id }] = (await documents(first.id)) as [Document]
  expect((await sale(first.id)).invoice_number).toBe(number)
  expect((await admin.get(`/api/sale/find?search=${number}`)).body.data).toMatchObject([{ id: first.id }])
  const found = (await admin.get(`/api/document/find?search=isp-`)).body.data
  expect(found).toHaveLength(2)
  expect(found).toEqual(expect.arrayContaining([expect.objectContaining({ id, kind: 'invoice' })]))
  const { body } = await admin.get(`/api/accounting?from=${number.slice(4, 8)}-01-01&to=${number.slice(4, 8)}-12-31`)
  expect(body.data.numbers).toMatchObject([
    { series: 'ISP', first: number, documents: 2, missing: [] },
    { series: 'invoice', documents: 2, missing: [] },
  ])
})

test('a correction of an invoice of a rule’s series has the numbers of credit notes', async () => {
  const { id, items } = await sell(customers.business, [PHONE, PHONE])
  for (const status of ['Awaiting Dispatch', 'Dispatched']) await edit(id, { status })
  await admin.post(`/api/sale/${id}/return-item/${items[0]}`)
  const [invoice, credit] = await documents(id)
  expect(invoice!.number).toMatch(/^ISP-\d{4}-\d{5}$/)
  expect(credit).toMatchObject({ kind: 'credit_note', credits_number: invoice!.number, total_gross: 60_000 })
  expect(credit!.number).toMatch(/^CN-\d{4}-\d{5}$/)
})

test('an invoice that belongs in another series once it is corrected is credited, even if it is not final', async () => {
  const { id, items } = await sell(customers.business, [PHONE, PHONE], { send_email: true })
  const before = await numbers(id)
  expect(before).toEqual([expect.stringMatching(/^ISP-/)])
  // If only a price changes, the invoice keeps its series and its number.
  await admin.post(`/api/sale/${id}/correct`, { items: [{ id: items[0], sales_price: 50_000 }] })
  expect(await numbers(id)).toEqual(before)
  // The new prices are below the threshold of the rule.
  const { status } = await admin.post(`/api/sale/${id}/correct`, {
    items: items.map((item) => ({ id: item, sales_price: 10_000, vat_treatment: 'standard' })),
  })
  expect(status).toBe(200)
  const [old, credit, now] = await documents(id)
  expect(old).toMatchObject({ replaced_by_id: now!.id, left_at: expect.any(String) })
  expect(credit).toMatchObject({ kind: 'credit_note', credits_number: old!.number, total_gross: 110_000 })
  expect(now!.number).toMatch(/^\d{4}-\d{5}$/)
  // The waiting mail with the first invoice is replaced by one mail with both documents.
  const waiting = "select document_ids from mail where sale_id = $1 and state = 'waiting'"
  expect((await t.db.pool.query(waiting, [id])).rows).toEqual([{ document_ids: [credit!.id, now!.id] }])
})

test('a mixed sale that loses its other lines goes over to the rule’s series', async () => {
  const { id, items } = await sell(customers.business, [PHONE, MARGIN])
  expect(await numbers(id)).toEqual([expect.stringMatching(/^\d{5}$/)])
  const lost = items[1]!
  await t.db.write(async (tx) => {
    const gone = { status: 'Deleted', sale_id: null, in_hand: false } as const
    await tx.updateTable('stock').set(gone).where('id', '=', lost).execute()
    await loseItems(tx, [{ id: lost, saleId: id, productName: 'Phone' }], { userId: null })
  })
  expect((await edit(id, { status: 'Awaiting Dispatch' })).status).toBe(200)
  const [mixed, credit, now] = await documents(id)
  expect([mixed!.replaced_by_id, credit!.reason]).toEqual([now!.id, 'resubmission'])
  expect(now).toMatchObject({ number: expect.stringMatching(/^ISP-/), total_gross: 60_000 })
})

test('many at once, some of which fail: no gap and no double in any series', async () => {
  const series = async () =>
    (
      await t.db.pool.query(`select series, last, (select count(*)::int from document d where d.series = s.series) as made
        from number_series s`)
    ).rows
  const before = (await series()).reduce((sum, { made }) => sum + made, 0)
  const items = await stockItems(t.db, shop, turns(36, 90), { vat_id: shop.vat.standard })
  const twice = [...items, ...items.slice(0, items.length / 9)]
  const answers = await Promise.all(
    twice.map((id, n) =>
      admin.post('/api/sale/create', {
        ...{ customer_id: n % 3 ? customers.business : customers.consumer, send_email: false },
        stock_items: [{ id, sales_price: 60_000 }],
      }),
    ),
  )
  const made = answers.filter(({ status }) => status === 201).length
  expect(made).toBeLessThan(twice.length)
  const after = await series()
  for (const { last, ...one } of after) expect({ ...one, made: last }).toEqual(one)
  expect(after.reduce((sum, one) => sum + one.made, 0)).toBe(before + made)
})

test('a sale keeps the series of the rule that it was made under, and a rule without one has none', async () => {
  const url = `/api/reverse-charge-rule/${ruleId}/edit`
  const { id } = await sell(customers.business, [PHONE], { create_invoice: false })
  const refused = async (series: unknown) => (await admin.post(url, { series })).body.data.errors?.series
  for (const series of ['9A', 'A-1', 'ABCDEFGHI', 'Ñ']) expect(await refused(series)).toMatch(/8 letters and digits/)
  for (const series of ['cn', 'SAMPLE'])
    expect(await refused(series)).toBe('Other document numbers begin with this. Choose other letters.')
  expect(await refused(7)).toBe('Must be text.')
  expect((await admin.post(url, { series: ' rc1 ' })).status).toBe(200)
  expect((await admin.get(`/api/reverse-charge-rule/find?id=${ruleId}`)).body.data[0].series).toBe('RC1')
  expect((await admin.post(url, { note: 'Kept.' })).status).toBe(200)
  expect(await numbers((await sell(customers.business, [PHONE])).id)).toEqual(['RC1-00001'])
  await admin.post(`/api/sale/${id}/invoice/generate`, {})
  expect(await numbers(id)).toEqual([expect.stringMatching(/^ISP-/)])
  expect((await admin.post(url, { series: '' })).status).toBe(200)
  expect((await admin.get(`/api/reverse-charge-rule/find?id=${ruleId}`)).body.data[0].series).toBeNull()
  const plain = await sell(customers.business, [PHONE, MARGIN])
  expect(plain.message).not.toContain('invoices of its own')
  expect(await numbers(plain.id)).toEqual([expect.stringMatching(/^\d{5}$/)])
})

test('a rule that has the series of purchase receipts since before shares its numbers with them', async () => {
  const year = new Date().getFullYear()
  const url = `/api/reverse-charge-rule/${ruleId}/edit`
  expect((await admin.post(url, { series: 'PR' })).body.data.errors.series).toBe(
    'Other document numbers begin with this. Choose other letters.',
  )
  await t.db.pool.query(`update reverse_charge_rule set series = 'PR' where id = $1`, [ruleId])
  const invoice = async () => (await numbers((await sell(customers.business, [PHONE])).id))[0]
  const receipt = async () => {
    const items = await stockItems(t.db, shop, 1, { ...MARGIN, supplier_id: null })
    const { token } = (await admin.get(`/api/purchase-receipt/proposal?ids=${items}`)).body.data
    const seller = { name: 'Ana', address_1: 'Calle 2', city: 'Madrid', country_code: 'ES' }
    const bought = { items, seller, bought_on: `${year - 1}-01-02`, lang: 'es', token }
    const { body } = await admin.post('/api/purchase-receipt/create', bought)
    return body.data.number.replace(/\d{4}-/, '')
  }
  const given = [await invoice(), await receipt(), await receipt(), await invoice(), await receipt()]
  expect(given).toEqual([1, 2, 3, 4, 5].map((n) => `PR-0000${n}`))
  const { body } = await admin.get(`/api/accounting?from=${year - 1}-01-01&to=${year + 1}-12-31`)
  expect(body.data.numbers).toContainEqual(expect.objectContaining({ series: 'PR', documents: 2, missing: [] }))
  const series = 'no reverse charge rule has the series of purchase receipts'
  expect((await violationsIn(t.connection)).map(({ invariant }) => invariant)).toEqual([series])
  // The form keeps it no longer.
  expect((await admin.post(url, { series: 'PR', note: 'New' })).status).toBe(422)
  expect((await admin.post(url, { series: 'RC3' })).status).toBe(200)
})

test('however it is corrected, a sale stays under the rule of its day, and in the series that this had', async () => {
  await admin.post(`/api/reverse-charge-rule/${ruleId}/edit`, { series: null })
  const { id, items } = await sell(customers.business, [PHONE])
  await admin.post(`/api/reverse-charge-rule/${ruleId}/edit`, { series: 'RC2' })
  const correct = (fields: object) =>
    admin.post(`/api/sale/${id}/correct`, { items: [{ id: items[0], sales_price: 70_000, ...fields }] })
  await correct({})
  expect(await numbers(id)).toEqual([expect.stringMatching(/^\d{5}$/)])
  await correct({ sales_price: 80_000, vat_treatment: 'reverse_charge' })
  expect(await numbers(id)).toEqual([expect.stringMatching(/^\d{5}$/)])
})
