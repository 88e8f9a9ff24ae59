import { OWING, PAYMENT_STATES, paymentState } from '@backstock/contract/payment-state.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { saleTotals } from '@backstock/contract/sale-total.ts'
import { shownDay } from '@backstock/contract/time.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../../invariants/check.ts'
import { type Client, testApp } from '../../../testing/app.ts'
import { untilDecided } from '../../../testing/ask-again.ts'
import { openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { turns } from '../../../testing/turns.ts'

let t: Awaited<ReturnType<typeof testApp>>
let client: Client
let shop: Shop
const today = new Date().toISOString().slice(0, 10)

beforeAll(async () => {
  t = await testApp()
  client = await t.user('ROLE_USER')
  await t.user('ROLE_ADMIN')
  shop = await openShop(t.db)
})
afterAll(() => t.close())

/** Sells `n` items for 300.00 each, plus 23% VAT unless another type is given. */
async function sell(n: number, options: object = {}, vat_id: number = shop.vat.standard): Promise<Sale> {
  const ids = await stockItems(t.db, shop, n, { vat_id })
  const { body, status } = await client.post('/api/sale/create', {
    stock_items: ids.map((id) => ({ id })),
    customer_id: shop.customer,
    send_email: false,
    ...options,
  })
  expect([status, body.message]).toEqual([201, expect.any(String)])
  return body.data
}
const pay = (id: number, body: object = {}, headers?: Record<string, string>) =>
  client.post(`/api/sale/${id}/pay`, { paid_on: today, ...body }, headers)
const undo = (id: number, payment: number) => client.post(`/api/sale/${id}/payment/${payment}/undo`)
const edit = (id: number, body: object) => client.post(`/api/sale/${id}/edit`, body)
const sale = async (id: number): Promise<Sale> => (await client.get(`/api/sale/find?id=${id}`)).body.data[0]
const moveDue = (id: number, days: number) =>
  t.db.pool.query('update sale set due_on = current_date + $2::int where id = $1', [id, days])
const messages = ({ logs }: Sale) =>
  logs.flatMap(({ content }) => (content.type === 'message' ? [content.data.message] : []))

test('the open amount is paid in one step, and the sale awaits dispatch', async () => {
  const { id, ...made } = await sell(1)
  expect(made).toMatchObject({ payment_state: 'Open', open_amount: 36_900, paid_total: 0, payments: [] })
  const { status, body } = await pay(id, { note: 'Transfer 17' })
  expect([status, body.message]).toEqual([200, 'Payment of 369.00 EUR recorded. The sale now awaits dispatch.'])
  expect(body.data).toMatchObject({
    ...{ status: 'Awaiting Dispatch', payment_state: 'Paid', open_amount: 0, paid_total: 36_900 },
    payments: [{ paid_on: today, amount: 36_900, note: 'Transfer 17', created_by_name: expect.any(String) }],
  })
  expect(messages(body.data)).toContain(`Payment of 369.00 EUR on ${shownDay(today)}: Transfer 17`)
  expect(body.data.logs).toContainEqual(
    expect.objectContaining({
      content: {
        type: 'model_update',
        data: [{ attributeName: 'status', from: 'New', to: 'Awaiting Dispatch' }],
      },
    }),
  )
  expect((await pay(id)).body.data.errors).toEqual({ amount: 'Nothing is open. Enter how much was paid.' })
})

test('two who record one transfer: the second one is told', async () => {
  const { id, open_amount } = await sell(1)
  const answers = await Promise.all([1, 2].map(() => pay(id, { amount: open_amount, open_amount })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  expect(answers.find(({ status }) => status === 409)?.body.message).toContain('it was 369.00 EUR, now it is 0.00 EUR')
  expect((await sale(id)).payments).toHaveLength(1)
  expect((await pay(id, { amount: 100, open_amount: 0 })).status).toBe(200)
})

test('a part leaves the status, more than all is accepted and named, and a refund gives it back', async () => {
  const { id } = await sell(1)
  await edit(id, { status: 'Awaiting Payment' })
  const part = await pay(id, { amount: 10_000 })
  expect(part.body.data).toMatchObject({
    ...{ status: 'Awaiting Payment', payment_state: 'Partly paid', open_amount: 26_900 },
  })
  const more = await pay(id, { amount: 30_000 })
  expect(more.body).toMatchObject({ type: 'warning', message: expect.stringContaining('a refund of 31.00 EUR is due') })
  expect(more.body.data).toMatchObject({
    ...{ status: 'Awaiting Dispatch', payment_state: 'Refund due', open_amount: -3100 },
  })
  // A part of what is due goes back without a warning, and so does the rest.
  expect((await pay(id, { amount: -1000 })).body).toMatchObject({
    ...{ type: 'success', message: 'Refund of 10.00 EUR recorded.', data: { open_amount: -2100 } },
  })
  const back = await pay(id)
  expect(back.body).toMatchObject({ type: 'success', message: 'Refund of 21.00 EUR recorded.' })
  expect(back.body.data).toMatchObject({ payment_state: 'Paid', open_amount: 0, paid_total: 36_900 })
  const tooMuch = await pay(id, { amount: -36_901 })
  expect([tooMuch.status, tooMuch.body.data.errors]).toEqual([
    422,
    { amount: 'At most 369.00 EUR can be refunded: the customer has paid no more.' },
  ])
  expect((await pay(id, { amount: -100 })).body).toMatchObject({
    type: 'warning',
    message: expect.stringContaining('1.00 EUR is open now'),
  })
})

/** The payment states under which the list's filter finds a sale. */
async function filtersThatFind(id: number): Promise<string[]> {
  const found = await Promise.all(
    PAYMENT_STATES.map(async (state) => {
      const { body } = await client.get(`/api/sale/find?${new URLSearchParams({ per_page: '250', payment: state })}`)
      return body.data.some((found: Sale) => found.id === id) ? [state] : []
    }),
  )
  return found.flat()
}

test('a sale is overdue from the day after the one on which it is due', async () => {
  const { id, due_on } = await sell(1)
  expect(due_on).toBe((await sale(id)).documents[0]!.due_on)
  await moveDue(id, 0)
  expect([(await sale(id)).payment_state, await filtersThatFind(id)]).toEqual(['Open', ['Open']])
  await moveDue(id, -1)
  expect([(await sale(id)).payment_state, await filtersThatFind(id)]).toEqual(['Overdue', ['Overdue']])
  expect((await pay(id, { amount: 100 })).body.data.payment_state).toBe('Overdue')
})

test('today is the company’s', async () => {
  const { id } = await sell(1)
  const zone = (name: string) => t.db.pool.query('update company set time_zone = $1', [name])
  try {
    await zone('Pacific/Kiritimati')
    const { rows } = await t.db.pool.query(`select (now() at time zone 'Pacific/Kiritimati')::date::text as day`)
    await t.db.pool.query('update sale set due_on = $2::date - 1 where id = $1', [id, rows[0].day])
    expect((await sale(id)).payment_state).toBe('Overdue')
    await zone('Etc/GMT+12')
    expect((await sale(id)).payment_state).toBe('Open')
  } finally {
    await zone('UTC')
  }
  // The sale is paid, so that it cannot become overdue at midnight while later tests count overdue sales.
  await pay(id)
})

test('a wrong payment is reversed by another, once', async () => {
  const { id } = await sell(1)
  const wrong = (await pay(id, { amount: 50_000 })).body.data.payments[0].id
  const { status, body } = await undo(id, wrong)
  const unpaid = `Sale #${id} still awaits dispatch, and 369.00 EUR is open.`
  expect([status, body.type, body.message]).toEqual([200, 'warning', `Payment of 500.00 EUR reversed. ${unpaid}`])
  expect(body.data).toMatchObject({
    ...{ status: 'Awaiting Dispatch', payment_state: 'Open', open_amount: 36_900 },
    payments: [
      { id: wrong, amount: 50_000, is_undone: true },
      { amount: -50_000, undoes_id: wrong, is_undone: false, paid_on: today },
    ],
  })
  expect(messages(body.data)).toContain(
    `Payment of 500.00 EUR on ${shownDay(today)} was reversed because it was recorded by mistake.`,
  )
  expect((await undo(id, wrong)).status).toBe(409)
  expect((await undo(id, body.data.payments[1].id)).status).toBe(409)
  expect((await undo((await sell(1)).id, wrong)).status).toBe(404)

  const right = (await pay(id)).body.data.payments[2].id
  await pay(id, { amount: -1000 })
  expect((await undo(id, right)).body.message).toContain('been refunded since')

  // A sale that stays paid has no warning.
  const twice = await sell(1)
  await pay(twice.id)
  const second = (await pay(twice.id, { amount: 36_900 })).body.data.payments[1].id
  expect((await undo(twice.id, second)).body).toMatchObject({
    ...{ type: 'success', message: 'Payment of 369.00 EUR reversed.', data: { payment_state: 'Paid' } },
  })
})

test('payments that make no sense are refused, and rows are neither changed nor deleted', async () => {
  const { id } = await sell(1)
  const problems = async (body: object) => Object.keys((await pay(id, body)).body.data.errors)
  expect(await problems({ amount: 0 })).toEqual(['amount'])
  expect(await problems({ amount: 1.5 })).toEqual(['amount'])
  expect(await problems({ amount: 1e15 })).toEqual(['amount'])
  expect(await problems({ amount: -1 })).toEqual(['amount'])
  expect(await problems({ paid_on: '2026-02-30' })).toEqual(['paid_on'])
  // East of the company, the next day may have begun. A later day has begun nowhere.
  const inDays = async (days: number) =>
    (await t.db.pool.query('select (current_date + $1::int)::text as day', [days])).rows[0].day
  expect(await problems({ paid_on: await inDays(2) })).toEqual(['paid_on'])
  const other = await sell(1)
  expect((await pay(other.id, { paid_on: await inDays(1) })).status).toBe(200)
  expect(await problems({ note: 'x'.repeat(256) })).toEqual(['note'])
  expect((await pay(2_000_000_000)).status).toBe(404)
  const payment = (await pay(id)).body.data.payments[0].id
  for (const change of ['update payment set amount = 1', 'delete from payment'])
    await expect(t.db.pool.query(`${change} where id = $1`, [payment])).rejects.toThrow('never changed')
})

test('the same key pays once', async () => {
  const { id } = await sell(1)
  const headers = { 'idempotency-key': `pay-${id}` }
  const answers = await Promise.all([pay(id, { amount: 100 }, headers), pay(id, { amount: 100 }, headers)])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect((await sale(id)).payments).toHaveLength(1)
  expect((await pay(id, { amount: 200 }, headers)).status).toBe(422)
})

test('many at once are all counted', async () => {
  const { id } = await sell(1)
  const answers = await Promise.all(Array.from({ length: 20 }, () => untilDecided(() => pay(id, { amount: 1 }))))
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
  expect((await sale(id)).paid_total).toBe(20)
})

test('the payment of a voided sale is to be given back, and stays on record', async () => {
  const { id } = await sell(2, { create_invoice: false })
  await pay(id, { amount: 5000 })
  const voided = (await edit(id, { status: 'Voided' })).body
  expect([voided.type, voided.message]).toEqual([
    'warning',
    `Sale #${id} voided: 2 items are back in stock. 50.00 EUR is to be refunded.`,
  ])
  expect(await sale(id)).toMatchObject({ payment_state: 'Refund due', open_amount: -5000, total_profit: 0 })
  expect((await pay(id)).body.data).toMatchObject({ status: 'Voided', payment_state: 'Nothing due', paid_total: 0 })
  const { status, body } = await client.delete(`/api/sale/${id}/delete`)
  expect([status, body.message]).toEqual([409, 'A sale with payments cannot be deleted.'])
})

test('customers and the dashboard know what is open, overdue and to be given back', async () => {
  const { body } = await client.post('/api/customer/create', {
    ...{ first_name: 'Olga', last_name: 'Owing', email: 'olga@example.test' },
  })
  const customer_id = body.data.id
  const before = (await client.get('/api/dashboard')).body.data.payments
  const [open, late, paid, over] = [
    await sell(1, { customer_id }),
    await sell(2, { customer_id }),
    await sell(1, { customer_id }),
    await sell(1, { customer_id }),
  ]
  await pay(open.id, { amount: 900 })
  // A sale that is due today is open, not overdue.
  await moveDue(open.id, 0)
  await moveDue(late.id, -3)
  await pay(paid.id)
  await pay(over.id, { amount: 37_000 })
  const owing = {
    open_total: open.open_amount - 900 + late.open_amount,
    overdue_total: late.open_amount,
    refund_total: 37_000 - over.open_amount,
  }
  expect((await client.get(`/api/customer/find?id=${customer_id}`)).body.data[0]).toMatchObject(owing)
  expect((await client.get('/api/customer/find?search=owing')).body.data).toMatchObject([{ id: customer_id, ...owing }])
  const after = (await client.get('/api/dashboard')).body.data.payments
  expect(after.open).toEqual({ sales: before.open.sales + 2, amount: before.open.amount + owing.open_total })
  expect(after.overdue).toEqual({
    sales: before.overdue.sales + 1,
    amount: before.overdue.amount + owing.overdue_total,
  })
  expect(after.refund).toEqual({ sales: before.refund.sales + 1, amount: before.refund.amount + owing.refund_total })
})

type Step =
  | { do: 'pay' | 'correct' | 'return' | 'give part back'; amount: number; which: number }
  | { do: 'pay all' | 'undo' | 'dispatch' | 'void' | 'invoice'; which: number }

const which = fc.nat(3)
const steps = fc.array(
  fc.oneof(
    fc.record({
      do: fc.constantFrom('pay' as const, 'correct' as const, 'return' as const, 'give part back' as const),
      amount: fc.integer({ min: -40_000, max: 60_000 }),
      which,
    }),
    fc.record({
      do: fc.constantFrom(
        'pay all' as const,
        'undo' as const,
        'dispatch' as const,
        'void' as const,
        'invoice' as const,
      ),
      which,
    }),
  ),
  { minLength: 4, maxLength: 10 },
)

/** Does a step, or checks that the server refuses it. `back` collects the credited part of each item's typed price. */
async function take(id: number, step: Step, back: Map<number, number>): Promise<void> {
  const now = await sale(id)
  const item = now.items[step.which % now.items.length]!
  const whole = item.sales_price_vat ?? item.sales_price
  switch (step.do) {
    case 'pay':
      return void (await pay(id, { amount: step.amount }))
    case 'pay all':
      return void (await pay(id))
    case 'undo':
      return void (now.payments.length && (await undo(id, now.payments[step.which % now.payments.length]!.id)))
    case 'correct':
      return void (await client.post(`/api/sale/${id}/correct`, {
        items: [{ id: item.stock_id, sales_price: Math.abs(step.amount) }],
      }))
    case 'return': {
      const { status } = await client.post(`/api/sale/${id}/return-item/${item.stock_id}`)
      if (status === 200) back.set(item.stock_id, whole)
      return
    }
    case 'give part back': {
      if (now.status !== 'Dispatched' || item.returned) return
      const price = Math.min(whole, Math.abs(step.amount))
      const items = [{ id: item.stock_id, price }]
      await client.post('/api/return/create', { customer_id: now.customer_id, received: true, items })
      return void back.set(item.stock_id, price)
    }
    case 'dispatch':
      await pay(id)
      return void (await edit(id, { status: 'Dispatched' }))
    case 'void':
      return void (await edit(id, { status: 'Voided' }))
    case 'invoice':
      return void (await client.post(`/api/sale/${id}/invoice/generate`, {}))
  }
}

/** The sum that a sale asks for, computed from its documents, or from its lines if it has none. */
function askedFor(now: Sale, back: ReadonlyMap<number, number>): number {
  if (now.status === 'Voided') return 0
  if (now.documents.length)
    return now.documents.reduce((sum, one) => sum + (one.kind === 'invoice' ? 1 : -1) * one.total_gross, 0)
  const lines = now.items.map((item) => ({
    price: (item.sales_price_vat ?? item.sales_price) - (back.get(item.stock_id) ?? 0),
    rate: Math.round(item.vat_rate * 100),
    treatment: item.vat_treatment,
  }))
  return saleTotals(lines, now.prices_include_vat).total_sales_price_vat
}

/** Checks that the filter finds each sale under its payment state, and under no other. */
async function filterAgrees(): Promise<void> {
  await sell(1)
  const idsIn = async (query: string) =>
    (await client.get(`/api/sale/find?per_page=250${query}`)).body.data.map(({ id }: Sale) => id)
  const all: Sale[] = (await client.get('/api/sale/find?per_page=250')).body.data
  for (const state of PAYMENT_STATES) {
    const wanted = all.filter((one) => one.payment_state === state).map(({ id }) => id)
    expect([state, wanted.length > 0]).toEqual([state, true])
    expect(await idsIn(`&payment=${encodeURIComponent(state)}`)).toEqual(wanted)
  }
  const owing = all.filter(({ open_amount }) => open_amount > 0).map(({ id }) => id)
  expect(await idsIn(`&payment=${encodeURIComponent(OWING.join(','))}`)).toEqual(owing)
}

test('after any history, a sale’s open amount is the asked sum less payments, and the list’s filter agrees', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        n: fc.integer({ min: 1, max: 4 }),
        gross: fc.boolean(),
        invoice: fc.boolean(),
        due: fc.boolean(),
        sent: fc.boolean(),
      }),
      fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 4, maxLength: 4 }),
      steps,
      async ({ n, gross, invoice, due, sent }, prices, todo) => {
        const half = await stockItems(t.db, shop, n, { vat_id: shop.vat.standard })
        const rest = await stockItems(t.db, shop, 1, { vat_id: shop.vat.zero })
        const ids = [...half, ...rest].slice(0, 4)
        const { body } = await client.post('/api/sale/create', {
          ...{ customer_id: shop.customer, send_email: false, create_invoice: invoice, includeVat: gross },
          stock_items: ids.map((id, place) => ({ id, sales_price: prices[place] })),
        })
        const { id } = body.data
        const back = new Map<number, number>()
        if (sent) await take(id, { do: 'dispatch', which: 0 }, back)
        for (const step of todo) {
          await take(id, step, back)
          if (due) await moveDue(id, -5)
          const now = await sale(id)
          const paid = now.payments.reduce((sum, { amount }) => sum + amount, 0)
          expect(now).toMatchObject({ paid_total: paid, open_amount: askedFor(now, back) - paid })
          expect(now.payment_state).toBe(paymentState(now, today))
        }
      },
    ),
    { numRuns: turns(8, 200) },
  )
  await filterAgrees()
  expect(await violationsIn(t.connection)).toEqual([])
}, 600_000)
