import fc from 'fast-check'
import { expect } from 'vitest'
import { turns } from './figures.ts'
import type { PromiseShop } from './shop.ts'

export type Histories = {
  /** Sells, does all that the history says and answers the sale's id. */
  play(one: History): Promise<number>
}

/** A few daily, 10,000 in full, or as many as `SALES=…` says. */
export const SALES = Number(process.env['SALES'] ?? turns(25, 10_000))
/** So that they also end on a machine that is busy with other things. */
export const LIMIT_MS = 60_000 + SALES * 1000

const VATS = ['standard', 'reduced', 'zero', 'exempt'] as const
const CUSTOMERS = ['home', 'business', 'german', 'swiss'] as const

const price = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 99_999 }))
const line = fc.record({
  price,
  cost: price,
  vat: fc.constantFrom(...VATS, null),
  purchase: fc.constantFrom('unknown', 'standard', 'margin'),
})
const at = fc.nat({ max: 7 })
const deed = fc.oneof(
  fc.record({
    what: fc.constant('correct' as const),
    at,
    price,
    customer: fc.constantFrom('kept', 'same', 'renumbered'),
  }),
  fc.record({ what: fc.constant('return' as const), at }),
  fc.record({ what: fc.constantFrom('dispatch' as const, 'download' as const, 'generate' as const) }),
)
/** A sale of mixed treatments and rates, and what is done with it afterwards. */
export const history = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 8 }),
  customer: fc.constantFrom(...CUSTOMERS),
  includeVat: fc.boolean(),
  deeds: fc.array(deed, { maxLength: 6 }),
  isVoided: fc.boolean(),
})
export type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never

/** A Dutch shop with customers of all kinds. */
export async function openHistories(t: PromiseShop): Promise<Histories> {
  const admin = await t.user('ROLE_ADMIN')
  // With prices of some hundred EUR the sum of the rule is met now and then.
  await t.rows('update category set is_reverse_charge_good = true')
  await t.rows("update reverse_charge_rule set threshold = 50000, valid_to = null where country_code = 'NL'")
  const company = { country_code: 'NL', postal_code: '1012 AB', vat_number: 'NL810433941B01', margin_rate: 21 }
  await admin.post('/api/company/edit', company)
  const vat = async (name: string, rate: number, treatment: string, exemption_text: string | null = null) =>
    (await admin.post('/api/vat/create', { name, rate, treatment, exemption_text })).body.data.id
  const vats = {
    standard: await vat('High', 21, 'standard'),
    reduced: await vat('Low', 9, 'standard'),
    zero: await vat('None', 0, 'zero'),
    exempt: await vat('Free', 0, 'exempt', 'Article 132'),
  }
  const customer = async (country_code: string, vat_number: string | null) => {
    const billing_address = { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code }
    const names = { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test' }
    const { body } = await t.staff.post('/api/customer/create', { ...names, vat_number, billing_address })
    return { id: body.data.id as number, vat_number }
  }
  const setNumber = async (id: number, vat_number: string | null) =>
    expect((await t.staff.post(`/api/customer/${id}/edit`, { vat_number })).status).toBe(200)
  const customers = {
    home: await customer('NL', null),
    business: await customer('NL', 'NL123456782B90'),
    german: await customer('DE', 'DE136695976'),
    swiss: await customer('CH', null),
  }

  async function sold({ lines, customer, includeVat }: History): Promise<{ id: number; items: number[] }> {
    const items: number[] = []
    for (const { cost, vat, purchase } of lines) {
      const columns = { purchase_price: cost, vat_id: vat && vats[vat], purchase_treatment: purchase as 'unknown' }
      items.push(...(await t.items(1, columns)))
    }
    const stock_items = items.map((id, n) => ({ id, sales_price: lines[n]!.price }))
    const more = { stock_items, customer_id: customers[customer].id, includeVat, create_invoice: true }
    const answer = await t.sell(t.staff, [], more)
    expect(answer.status, answer.body.message).toBe(201)
    return { id: answer.body.data.id, items }
  }

  /** Does one of them; what the sale does not allow is refused, and changes nothing. */
  async function does(id: number, items: number[], buyer: number, one: History['deeds'][number]): Promise<void> {
    const item = 'at' in one ? items[one.at % items.length] : undefined
    const answers = []
    switch (one.what) {
      case 'correct':
        if (one.customer === 'renumbered') await setNumber(buyer, one.price % 2 ? null : 'DE136695976')
        answers.push(
          await t.staff.post(`/api/sale/${id}/correct`, {
            customer: one.customer !== 'kept',
            items: [{ id: item, sales_price: one.price }],
          }),
        )
        break
      case 'return':
        answers.push(await t.staff.post(`/api/sale/${id}/return-item/${item}`))
        break
      case 'dispatch':
        for (const status of ['Awaiting Dispatch', 'Dispatched'])
          answers.push(await t.staff.post(`/api/sale/${id}/edit`, { status }))
        break
      case 'generate':
        answers.push(await t.staff.post(`/api/sale/${id}/invoice/generate`, { lang: 'de' }))
        break
      case 'download':
        await t.rows(`update document set left_at = now() where sale_id = $1 and left_at is null`, [id])
    }
    for (const { status, body } of answers) expect([200, 409, 422], body.message).toContain(status)
  }

  return {
    async play(one) {
      const { id, items } = await sold(one)
      const buyer = customers[one.customer]
      for (const deed of one.deeds) await does(id, items, buyer.id, deed)
      if (one.deeds.some((deed) => deed.what === 'correct' && deed.customer === 'renumbered'))
        await setNumber(buyer.id, buyer.vat_number)
      if (one.isVoided) await t.staff.post(`/api/sale/${id}/edit`, { status: 'Voided' })
      return id
    },
  }
}

/** So many histories are in memory at a time, and after so many it says how far it is. */
const AT_ONCE = 250

/**
 * Plays `SALES` histories one after the other, and checks each sale afterwards. What fails is told with its history and
 * how to play it again: `SEED=…` begins at the same.
 */
export async function playAll({ play }: Histories, check: (saleId: number) => Promise<void>): Promise<void> {
  const first = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9))
  const began = performance.now()
  for (let done = 0; done < SALES; done += AT_ONCE) {
    const seed = first + done
    const some = fc.sample(history, { seed, numRuns: Math.min(AT_ONCE, SALES - done) })
    for (const [n, one] of some.entries())
      await play(one)
        .then(check)
        .catch((error: Error) => {
          const again = `SEED=${seed} SALES=${n + 1}`
          throw new Error(`${error.message}\nAgain with ${again}: ${JSON.stringify(one)}`, { cause: error })
        })
    const seconds = Math.round((performance.now() - began) / 1000)
    if (SALES > AT_ONCE) process.stdout.write(`${done + some.length} of ${SALES} sales after ${seconds} s\n`)
  }
}
