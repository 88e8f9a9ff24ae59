import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { untilSomebodyWaits } from '../../testing/until-waiting.ts'
import { draftClaimFor } from './items.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
let suppliers = 0
beforeAll(async () => {
  t = await testApp()
  await t.user('ROLE_ADMIN')
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

async function newSupplier(company_name = `Supplier ${++suppliers}`): Promise<number> {
  return (await user.post('/api/supplier/create', { company_name })).body.data.id
}
const rows = async (sql: string, ...values: unknown[]) => (await t.db.pool.query(sql, values)).rows
const stockOf = async (id: number) => (await user.get(`/api/stock/find?id=${id}`)).body.data[0]
const claimOf = async (id: number) => (await user.get(`/api/supplier-claim/find?id=${id}`)).body.data[0]
const told = async (type: string, id: number): Promise<string[]> =>
  (await user.get(`/api/log/find?loggable_type=${encodeURIComponent(type)}&loggable_id=${id}`)).body.data.map(
    (entry: { content: { data: { message?: string } } }) => entry.content.data.message ?? '',
  )
const act = (id: number, verb: string, body: object = {}) => user.post(`/api/supplier-claim/${id}/${verb}`, body)

/** Makes a draft with `n` items of a new supplier. */
async function draft(n: number, columns: Parameters<typeof stockItems>[3] = {}) {
  const supplier = await newSupplier()
  const items = await stockItems(t.db, shop, n, { supplier_id: supplier, ...columns })
  const made = await user.post('/api/supplier-claim/create', { supplier_id: supplier, items, reason: 'Faulty' })
  expect(made.status).toBe(201)
  return { id: made.body.data.id as number, supplier, items }
}
async function sent(n: number) {
  const claim = await draft(n)
  expect((await act(claim.id, 'send')).status).toBe(200)
  return claim
}

test('a draft is written, found, changed and deleted', async () => {
  const supplier = await newSupplier('Öresund Phones')
  const [first, second] = await stockItems(t.db, shop, 2, { supplier_id: supplier })
  const made = await user.post('/api/supplier-claim/create', { supplier_id: supplier, reference: 'RMA 77' })
  expect(made.body).toMatchObject({ message: expect.stringMatching(/^Supplier claim #\d+ created\.$/) })
  const { id } = made.body.data
  expect(made.body.data).toMatchObject({
    ...{ supplier_name: 'Öresund Phones', state: 'draft', reference: 'RMA 77', items: [], items_count: 0 },
    ...{ total_cost: 0, credit_expected: null, credit_received: null, sent_at: null, created_by_name: 'Person 2' },
  })
  const added = await act(id, 'add-items', { items: [first, second], reason: ' Not as\tdescribed ' })
  expect(added.body.data).toMatchObject({ items_count: 2, total_cost: 40_000 })
  expect(added.body.data.items).toMatchObject([
    { id: second, reason: 'Not as described', cost: 20_000, credit: null, is_back: false, status: 'In Stock' },
    { id: first },
  ])
  expect(await stockOf(first!)).toMatchObject({ supplier_return_id: null, supplier_claim: { id, state: 'draft' } })
  await act(id, 'add-items', { items: [second], reason: 'Locked' })
  await act(id, 'remove-items', { items: [first] })
  expect((await claimOf(id)).items).toMatchObject([{ id: second, reason: 'Locked' }])
  await user.post(`/api/stock/${second}/edit`, { purchase_price: 15_000 })
  expect(await claimOf(id)).toMatchObject({ total_cost: 15_000, items: [{ cost: 15_000 }] })
  expect(await told('Supplier claim', id)).toEqual([
    `Removed: item #${first}.`,
    `Reason changed (Locked): item #${second}.`,
    `Added (Not as described): items #${first}, #${second}.`,
    '',
  ])

  for (const search of ['oresund', 'rma', `${id}`, `#${id}`, 'phones 77']) {
    const { data } = (await user.get(`/api/supplier-claim/find?search=${encodeURIComponent(search)}`)).body
    expect([search, data.map((row: { id: number }) => row.id)]).toEqual([search, expect.arrayContaining([id])])
  }
  const ids = async (query: string) =>
    (await user.get(`/api/supplier-claim/find?${query}`)).body.data.map((row: { id: number }) => row.id)
  expect(await ids(`supplier_id=${supplier}`)).toEqual([id])
  expect(await ids(`supplier_id=999999,${supplier}`)).toEqual([id])
  expect(await ids(`supplier_id=${supplier}&state=sent,settled`)).toEqual([])
  expect(await ids('search=nothing+like+it')).toEqual([])

  const edited = await user.post(`/api/supplier-claim/${id}/edit`, { reference: 'RMA 78', credit_expected: 12_000 })
  expect(edited.body.data).toMatchObject({ reference: 'RMA 78', credit_expected: 12_000 })
  const stale = { reference: 'RMA 79', updated_at: made.body.data.updated_at }
  expect((await user.post(`/api/supplier-claim/${id}/edit`, stale)).body.message).toMatch(/^Changed by Person 2/)
  expect(
    (await user.post(`/api/supplier-claim/${id}/edit`, { supplier_id: await newSupplier() })).body.data.errors,
  ).toEqual({ supplier_id: 'Cannot be changed: the claim has items of this supplier.' })
  const used = await user.delete(`/api/supplier/${supplier}/delete`)
  expect([used.status, used.body.message]).toEqual([409, expect.stringContaining('1 supplier claim ')])

  expect((await user.delete(`/api/supplier-claim/${id}/delete`)).status).toBe(200)
  expect(await claimOf(id)).toBeUndefined()
  expect(await stockOf(second!)).toMatchObject({ status: 'In Stock', supplier_claim: null })
})

test('only items of its supplier, unsold and in no other claim, join a draft; the others are named', async () => {
  const { id, supplier, items } = await draft(1)
  const refused = async (ids: unknown[], reason?: string) => {
    const { status, body } = await act(id, 'add-items', { items: ids, reason: reason ?? 'Faulty' })
    return [status, body.data?.errors?.items ?? body.message]
  }
  const [other] = await stockItems(t.db, shop, 1, { supplier_id: await newSupplier('Crates Ltd') })
  const [nobodys] = await stockItems(t.db, shop, 1)
  const [own] = await stockItems(t.db, shop, 1, { supplier_id: supplier })
  expect(await refused([own, other, nobodys])).toEqual([
    422,
    expect.stringContaining(`item #${other} is of Crates Ltd, item #${nobodys} has no supplier`),
  ])
  const many = await stockItems(t.db, shop, 21)
  const twenty = many.slice(0, 20).map((one) => `item #${one} has no supplier`)
  expect(await refused(many)).toEqual([422, expect.stringContaining(`: ${twenty.join(', ')} and 1 more.`)])
  const [gone] = await stockItems(t.db, shop, 1, { supplier_id: supplier, status: 'Deleted', in_hand: false })
  expect(await refused([gone])).toEqual([409, `Cannot be claimed: item #${gone} is Deleted.`])
  expect(await refused([999_999])).toEqual([422, 'There is no item #999999.'])
  expect(await refused([999_998, 999_999])).toEqual([422, 'There are no items #999998, #999999.'])
  expect((await refused([]))[0]).toBe(422)
  expect((await refused([own], ' '))[0]).toBe(422)
  expect((await claimOf(id)).items_count).toBe(1)

  const second = await user.post('/api/supplier-claim/create', { supplier_id: supplier, items, reason: 'Other' })
  expect([second.status, second.body.message]).toEqual([
    409,
    `Cannot be claimed: item #${items[0]} is in supplier claim #${id} already.`,
  ])
  expect((await user.post('/api/supplier-claim/create', { supplier_id: 999_999 })).status).toBe(422)
  const unreasoned = await user.post('/api/supplier-claim/create', { supplier_id: supplier, items: [own] })
  expect(unreasoned.body.data.errors).toEqual({ reason: 'This field is required.' })
})

test('two claims at once never both get an item', async () => {
  const { id: first, supplier } = await draft(1)
  const { id: second } = (await user.post('/api/supplier-claim/create', { supplier_id: supplier })).body.data
  const items = await stockItems(t.db, shop, 3, { supplier_id: supplier })
  const both = await Promise.all([first, second].map((id) => act(id, 'add-items', { items, reason: 'Faulty' })))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('a sale and a claim that want the same item at once: one gets it', async () => {
  for (let race = 0; race < 8; race++) {
    const { id, items } = await draft(2)
    const sell = () =>
      user.post('/api/sale/create', {
        ...{ stock_items: [{ id: items[1] }], customer_id: shop.customer },
        ...{ create_invoice: false, create_excel: false, send_email: false },
      })
    const [sold, gone] = await Promise.all(race % 2 ? [sell(), act(id, 'send')] : [act(id, 'send'), sell()])
    expect([sold.status, gone.status].toSorted()).toEqual([expect.toBeOneOf([200, 201]), 409])
    await user.post(`/api/supplier-claim/${id}/remove-items`, { items })
  }
})

test('a sent item leaves batches and all baskets, and is Returned to Supplier by this claim', async () => {
  const { id, supplier, items } = await draft(2)
  const [inbound] = await stockItems(t.db, shop, 1, { supplier_id: supplier, status: 'Inbound' })
  const [batch, second] = [await batchOf(t.db, shop, user.id, 2), await batchOf(t.db, shop, user.id, 1)]
  await rows('update stock set supplier_id = $1 where batch_id in ($2, $3)', supplier, batch.id, second.id)
  const { updated_at } = await claimOf(id)
  await act(id, 'add-items', { items: [inbound, batch.items[0], second.items[0]], reason: 'Missing' })
  expect((await act(id, 'send', { updated_at })).body.message).toMatch(/^Changed by/)
  const colleague = await t.user()
  for (const person of [user, colleague])
    await person.put(`/api/user/${person.id}/basket`, { items: [batch.items[1], items[0], inbound] })

  const answer = await act(id, 'send', { updated_at: (await claimOf(id)).updated_at })
  expect(answer.body).toMatchObject({ message: `Supplier claim #${id} sent.`, data: { state: 'sent', items_count: 5 } })
  expect(answer.body.data.sent_at).toEqual(expect.any(String))
  const all = [...items, inbound!, batch.items[0]!, second.items[0]!]
  for (const item of all)
    expect(await stockOf(item)).toMatchObject({
      ...{ status: 'Returned to Supplier', batch_id: null, supplier_return_id: id },
      supplier_claim: { id, state: 'sent' },
    })
  for (const person of [user, colleague])
    expect((await person.get(`/api/user/${person.id}/basket`)).body.data).toMatchObject([{ id: batch.items[1] }])
  expect(await told('Stock', batch.items[0]!)).toContain(`Returned to the supplier under claim #${id}.`)
  for (const left of [batch, second]) expect(await told('Batch', left.id)).toContain(`Removed: item #${left.items[0]}.`)

  for (const [verb, body] of [
    ['send', {}],
    ['add-items', { items: batch.items.slice(1), reason: 'Faulty' }],
    ['remove-items', { items }],
  ] as const)
    expect([verb, (await act(id, verb, body)).status]).toEqual([verb, 409])
  expect((await user.delete(`/api/supplier-claim/${id}/delete`)).status).toBe(409)
  expect((await user.post(`/api/stock/${items[0]}/edit`, { status: 'In Stock' })).status).toBe(422)
  expect((await act(999_999, 'send')).status).toBe(404)
})

test('an item that is taken out while its draft is being sent stays in stock', async () => {
  const { id, items } = await draft(3)
  const other = await t.db.pool.connect()
  await other.query('begin')
  await other.query('select from supplier_claim where id = $1 for update', [id])
  const sending = act(id, 'send')
  await untilSomebodyWaits(t.db)
  await other.query('delete from supplier_claim_item where claim_id = $1 and stock_id = $2', [id, items[0]])
  await other.query('commit')
  other.release()
  expect((await sending).status).toBe(200)
  const statuses = await Promise.all(items.map(async (item) => (await stockOf(item)).status))
  expect(statuses).toEqual(['In Stock', 'Returned to Supplier', 'Returned to Supplier'])
})

test('an item that cannot go back is named, and nothing is sent', async () => {
  const { id, supplier, items } = await draft(4)
  const [sold, locked, moved, fine] = items
  await user.post('/api/sale/create', {
    ...{ stock_items: [{ id: sold }], customer_id: shop.customer },
    ...{ create_invoice: false, create_excel: false, send_email: false },
  })
  await user.post('/api/batch/create', { name: 'Locked', is_locked: true, items: [locked] })
  const batch = (await stockOf(locked!)).batch_id
  await user.post(`/api/stock/${moved}/edit`, { supplier_id: await newSupplier() })
  const { status, body } = await act(id, 'send')
  const why = `item #${sold} is Sold, item #${locked} is in batch #${batch}, which is locked, the supplier of item #${moved} has changed`
  expect([status, body.message]).toEqual([409, `Cannot go back to the supplier: ${why}.`])
  expect(await stockOf(fine!)).toMatchObject({ status: 'In Stock', supplier_return_id: null })
  expect((await claimOf(id)).state).toBe('draft')
  const empty = (await user.post('/api/supplier-claim/create', { supplier_id: supplier })).body.data.id
  expect((await act(empty, 'send')).body.message).toBe(`Supplier claim #${empty} has no items.`)
  const stale = await act(id, 'send', { updated_at: '2020-01-01T00:00:00.000Z' })
  expect([stale.status, stale.body.message]).toEqual([409, expect.stringMatching(/^Changed by/)])
})

test('a claim is credited as a whole, or item by item, of which some come back', async () => {
  const whole = await sent(2)
  const day = { settled_on: '2026-11-23' }
  expect((await act(whole.id, 'settle', day)).body.data.errors).toEqual({ credit_received: 'This field is required.' })
  expect((await act(whole.id, 'settle', { credit_received: 1 })).body.data.errors).toHaveProperty('settled_on')
  const future = { settled_on: '2999-01-01' }
  const refused = { settled_on: 'Must not be in the future.' }
  expect((await act(whole.id, 'settle', { ...future, credit_received: 1 })).body.data.errors).toEqual(refused)
  const settled = await act(whole.id, 'settle', { ...day, credit_received: 35_001, reference: 'CN 1' })
  expect(settled.body.data).toMatchObject({
    ...{ state: 'settled', credit_received: 35_001, reference: 'CN 1', ...day, total_cost: 40_000 },
    items: [{ credit: null, is_back: false, cost: 20_000 }, { credit: null }],
  })
  expect(await stockOf(whole.items[0]!)).toMatchObject({ status: 'Returned to Supplier' })
  // The first item gets the odd cent.
  expect(await rows('select stock_id, amount from supplier_credit where claim_id = $1 order by id', whole.id)).toEqual([
    { stock_id: whole.items[0], amount: 17_501 },
    { stock_id: whole.items[1], amount: 17_500 },
  ])
  expect(await told('Stock', whole.items[0]!)).toContain(
    `Credited by the supplier under claim #${whole.id}: 175.01 EUR.`,
  )
  expect((await act(whole.id, 'settle', { ...day, credit_received: 1 })).status).toBe(409)
  const late = { credit_expected: 1 }
  expect((await user.post(`/api/supplier-claim/${whole.id}/edit`, late)).status).toBe(422)
  expect((await user.post(`/api/supplier-claim/${whole.id}/edit`, { note: 'Paid' })).status).toBe(200)

  const right = { credit_received: 36_000, settled_on: '2026-11-22' }
  expect((await user.post(`/api/supplier-claim/${whole.id}/edit`, right)).body.data).toMatchObject(right)
  await user.post(`/api/supplier-claim/${whole.id}/edit`, { credit_received: 34_000 })
  expect(await told('Stock', whole.items[0]!)).toContain(
    `Credit taken back by the supplier under claim #${whole.id}: 10.00 EUR.`,
  )
  await user.post(`/api/supplier-claim/${whole.id}/edit`, { credit_received: 36_000 })
  expect((await user.post(`/api/supplier-claim/${whole.id}/edit`, future)).body.data.errors).toEqual(refused)
  for (const wrong of [{ credit_received: null }, { settled_on: null }])
    expect((await user.post(`/api/supplier-claim/${whole.id}/edit`, wrong)).body.data.errors).toEqual({
      [Object.keys(wrong)[0]!]: 'This field is required.',
    })

  const { id, items } = await sent(3)
  for (const early of [{ credit_received: 1 }, day])
    expect((await user.post(`/api/supplier-claim/${id}/edit`, early)).body.data.errors).toEqual({
      [Object.keys(early)[0]!]: 'Not yet: the claim is not settled.',
    })
  const [a, b, c] = items
  const each = [
    { id: a, credit: 20_000 },
    { id: b, credit: 5_000 },
    { id: c, credit: 6_000, is_back: true },
  ]
  const wrong = async (body: object) => (await act(id, 'settle', { ...day, ...body })).body.data.errors
  expect(await wrong({ items: each, credit_received: 1 })).toEqual({
    credit_received: 'Must be the sum of what is credited for each item.',
  })
  expect(await wrong({ items: [...each, { id: whole.items[0], credit: 1 }] })).toEqual({
    items: `Not in this claim: item #${whole.items[0]}.`,
  })
  expect(await wrong({ items: [each[0], each[0]] })).toEqual({ items: 'List each item only once.' })
  const answer = await act(id, 'settle', { ...day, items: each })
  expect(answer.body.data).toMatchObject({
    credit_received: 31_000,
    items: [
      { id: c, credit: 6_000, is_back: true, status: 'In Stock' },
      { id: b, credit: 5_000, status: 'Returned to Supplier' },
      { id: a, credit: 20_000 },
    ],
  })
  const otherSum = await user.post(`/api/supplier-claim/${id}/edit`, { credit_received: 1 })
  expect(otherSum.body.message).toBe('Cannot be changed: it is the sum of its items’ credits.')
  expect(await stockOf(c!)).toMatchObject({ supplier_return_id: null, supplier_claim: null })
  expect(await told('Stock', c!)).toContain(`Came back from the supplier under claim #${id}.`)
  // The credit stays if the price turns out to be lower, and another part of it is other income.
  for (const purchase_price of [15_000, 4_000])
    expect((await user.post(`/api/stock/${c}/edit`, { purchase_price })).status).toBe(200)
  expect(await rows('select amount, lowers from supplier_credit where stock_id = $1 order by id', c)).toEqual([
    { amount: 6_000, lowers: 6_000 },
    { amount: 0, lowers: -2_000 },
  ])
})

test('a credit that changes the cost of a sale is in the log of the sale', async () => {
  const { id, items } = await sent(2)
  const settled = { settled_on: '2026-11-20', credit_received: 0, items_back: true }
  expect((await act(id, 'settle', settled)).status).toBe(200)
  const stock_items = items.map((item) => ({ id: item, sales_price: 30_000 }))
  const sale = (await user.post('/api/sale/create', { customer_id: shop.customer, stock_items })).body.data
  await user.post(`/api/supplier-claim/${id}/edit`, { credit_received: 6000 })
  const sums = 'purchase price 340.00 EUR (before: 400.00 EUR)'
  expect(await told('Sale', sale.id)).toContain(
    `Credit of supplier claim #${id} for items ${items.map((item) => `#${item}`).join(', ')}: ${sums}.`,
  )
})

test('a second claim for an item that came back leaves the first', async () => {
  const { id, supplier, items } = await sent(2)
  const [a, b] = items
  const back = { settled_on: '2026-11-20', items: items.map((item) => ({ id: item, credit: 3000, is_back: true })) }
  expect((await act(id, 'settle', back)).status).toBe(200)
  const ofFirst = async () => [
    await rows('select * from supplier_claim_item where claim_id = $1 order by stock_id', id),
    await rows('select * from supplier_credit where claim_id = $1 order by id', id),
  ]
  const first = await ofFirst()
  const made = await user.post('/api/supplier-claim/create', { supplier_id: supplier, items, reason: 'Other' })
  const second = made.body.data.id
  expect((await act(second, 'remove-items', { items: [b] })).status).toBe(200)
  expect((await act(second, 'send')).status).toBe(200)
  const settled = { settled_on: '2026-11-21', credit_received: 2000, items_back: true }
  expect((await act(second, 'settle', settled)).status).toBe(200)
  expect((await user.post(`/api/supplier-claim/${second}/edit`, { credit_received: 2500 })).status).toBe(200)
  const booked = await rows('select stock_id, amount from supplier_credit where claim_id = $1 order by id', second)
  expect(booked).toEqual([
    { stock_id: a, amount: 2000 },
    { stock_id: a, amount: 500 },
  ])
  expect(await stockOf(a!)).toMatchObject({ cost: 20_000 - 3000 - 2500 })
  expect(await ofFirst()).toEqual(first)
})

test('a refused claim brings no credit; its items come back if wished, unless they are in hand as others', async () => {
  const { id, supplier, items } = await sent(2)
  const end = { state: 'refused', settled_on: '2026-11-23' }
  for (const credited of [{ credit_received: 1 }, { items: [{ id: items[0], credit: 1 }] }])
    expect((await act(id, 'settle', { ...end, ...credited })).body.data.errors).toEqual({
      credit_received: 'A refused claim has no credit.',
    })
  const [item] = items
  const { imei } = await stockOf(item!)
  const [again] = await stockItems(t.db, shop, 1, { imei })
  const twin = await act(id, 'settle', { ...end, items_back: true })
  expect([twin.status, twin.body.message]).toEqual([409, expect.stringContaining(`item #${item} has the IMEI`)])
  await user.post(`/api/stock/${again}/edit`, { imei: newImei() })
  const meid = 'A1000000000009'
  await t.db.pool.query('update stock set meid = $1 where id = any($2)', [meid, [item, again]])
  const other = await act(id, 'settle', { ...end, items_back: true })
  expect(other.body.message).toBe(`Cannot come back: item #${item} has the MEID of item #${again}.`)
  await user.post(`/api/stock/${again}/edit`, { meid: '' })
  const [odd] = await stockItems(t.db, shop, 1, { imei: null, serial_number: imei })
  const inOtherField = await act(id, 'settle', { ...end, items_back: true })
  expect(inOtherField.body.message).toBe(`Cannot come back: item #${item} has the serial number of item #${odd}.`)
  await user.post(`/api/stock/${odd}/edit`, { status: 'Deleted' })
  const refused = await act(id, 'settle', { ...end, items_back: true })
  expect(refused.body.data).toMatchObject({ state: 'refused', credit_received: 0 })
  const credited = await user.post(`/api/supplier-claim/${id}/edit`, { credit_received: 1 })
  expect(credited.body.data.errors).toEqual({ credit_received: 'A refused claim has no credit.' })
  for (const [field, value, error] of [
    ['credit_expected', 1, 'Cannot be changed: the claim is refused.'],
    ['settled_on', '2999-01-01', 'Must not be in the future.'],
  ] as const)
    expect((await user.post(`/api/supplier-claim/${id}/edit`, { [field]: value })).body.data.errors).toEqual({
      [field]: error,
    })
  expect(await stockOf(item!)).toMatchObject({ status: 'In Stock', supplier_return_id: null })
  // Its items could go back again, but not under a claim that has ended.
  const resent = await act(id, 'send')
  expect([resent.status, resent.body.message]).toEqual([
    409,
    `Supplier claim #${id} is refused: it can no longer be sent.`,
  ])
  const second = await user.post('/api/supplier-claim/create', { supplier_id: supplier, items, reason: 'Faulty' })
  expect(second.status).toBe(201)

  const kept = await sent(1)
  // A reference that was wrong is taken away in the dialog that settles the claim.
  await act(kept.id, 'edit', { reference: 'RMA 1' })
  const settled = await act(kept.id, 'settle', { ...end, reference: null })
  expect(settled.body.data).toMatchObject({ state: 'refused', reference: null })
  expect(await stockOf(kept.items[0]!)).toMatchObject({ status: 'Returned to Supplier', supplier_return_id: kept.id })
})

test("the supplier's file has each item and no formula", async () => {
  const bought = { purchase_date: '2026-10-01', purchase_currency: 'USD' as const, fx_rate: 1.25 }
  const { id } = await draft(1, { imei: null, serial_number: '=1+1', ...bought })
  const [item] = (await claimOf(id)).items
  await act(id, 'add-items', { items: [item.id], reason: 'No "SIM", +cracked' })
  const { status, headers, raw } = await user.get(`/api/supplier-claim/${id}/csv`)
  expect([status, headers['content-type'], headers['content-disposition']]).toEqual([
    ...[200, 'text/csv; charset=utf-8', `attachment; filename="supplier-claim-${id}.csv"`],
  ])
  expect(raw.toString()).toBe(
    `\uFEFFimei,serial_number,product,purchase_date,purchase_price,purchase_currency,reason\n${[
      ...[',', "'=1+1,Apple iPhone 13 128 GB,2026-10-01,200.00,USD,", `"No ""SIM"",' +cracked"\n`],
    ].join('')}`,
  )
  expect((await user.get('/api/supplier-claim/999999/csv')).status).toBe(404)
})

test('another area claims items of a supplier: in his open draft, or in a new one', async () => {
  const supplier = await newSupplier()
  const items = await stockItems(t.db, shop, 4, { supplier_id: supplier, status: 'Inbound' })
  const author = { userId: user.id }
  const claimed = (...ids: number[]) => ids.map((stock_id) => ({ stock_id, reason: 'Returned by customer' }))
  const claim = (...ids: number[]) => t.db.write((tx) => draftClaimFor(tx, supplier, claimed(...ids), author))
  const [first, second] = await Promise.all([claim(items[0]!), claim(items[1]!)])
  expect(second).toBe(first)
  expect((await claimOf(first)).items).toMatchObject([{ reason: 'Returned by customer' }, { status: 'Inbound' }])
  expect((await act(first, 'send')).status).toBe(200)
  const third = await claim(items[2]!, items[3]!)
  expect(third).not.toBe(first)
  await expect(claim(items[0]!)).rejects.toThrow(`item #${items[0]} is in supplier claim #${first} already`)
  const [others] = await stockItems(t.db, shop, 1, { supplier_id: await newSupplier() })
  await expect(claim(others!)).rejects.toThrow(`item #${others} is of`)
  // If there are two drafts, people write the newer one, and have left the older one.
  const newer = await user.post('/api/supplier-claim/create', { supplier_id: supplier })
  const more = await stockItems(t.db, shop, 1, { supplier_id: supplier, status: 'Inbound' })
  expect(await claim(more[0]!)).toBe(newer.body.data.id)
})

testInTurn('5,000 items are claimed, sent and settled; not one more', async () => {
  const { id, supplier, items } = await draft(999)
  for (let added = 0; added < 4; added++) {
    const next = await stockItems(t.db, shop, 1_000, { supplier_id: supplier })
    items.push(...next)
    expect((await act(id, 'add-items', { items: next, reason: 'Faulty' })).status).toBe(200)
  }
  const more = await stockItems(t.db, shop, 2, { supplier_id: supplier })
  const tooMany = await act(id, 'add-items', { items: more, reason: 'Faulty' })
  expect([tooMany.status, tooMany.body.message]).toEqual([422, 'A claim has at most 5,000 items.'])
  expect((await act(id, 'add-items', { items: [more[0]], reason: 'Faulty' })).status).toBe(200)
  // Another area claims one more in a new draft.
  const claimed = [{ stock_id: more[1]!, reason: 'Returned by customer' }]
  expect(await t.db.write((tx) => draftClaimFor(tx, supplier, claimed, { userId: user.id }))).not.toBe(id)
  await user.put(`/api/user/${user.id}/basket`, { items })
  expect((await act(id, 'send')).body.data).toMatchObject({ items_count: 5_000, total_cost: 100_000_000 })
  expect((await user.get(`/api/user/${user.id}/basket`)).body.data).toEqual([])
  const credits = [...items, more[0]].map((item) => ({ id: item, credit: 20_000 }))
  const settled = await act(id, 'settle', { settled_on: '2026-11-23', items: credits })
  expect(settled.body.data).toMatchObject({ state: 'settled', credit_received: 100_000_000 })
})

test('sums and statuses agree after every credit and every item that comes back', async () => {
  const outcome = fc.record({
    credit: fc.option(fc.integer({ min: 0, max: 100_000_000 })),
    is_back: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(outcome, { minLength: 1, maxLength: 6 }), fc.boolean(), async (outcomes, all) => {
      const { id, items } = await sent(outcomes.length)
      const given = items.map((item, n) => ({ id: item, ...outcomes[n]! }))
      const sum = given.reduce((total, { credit }) => total + (credit ?? 0), 0)
      const named = given.some(({ credit }) => credit !== null)
      const body = { settled_on: '2026-11-23', items: given, items_back: all, ...(!named && { credit_received: 7 }) }
      const { data } = (await act(id, 'settle', body)).body
      expect(data.credit_received).toBe(named ? sum : 7)
      for (const item of data.items) {
        const { credit, is_back } = given.find((one) => one.id === item.id)!
        expect([item.credit, item.is_back]).toEqual([credit, all || is_back])
        expect(item.status).toBe(item.is_back ? 'In Stock' : 'Returned to Supplier')
      }
    }),
    { numRuns: 15 },
  )
})
