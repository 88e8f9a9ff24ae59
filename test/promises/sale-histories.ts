import fc from 'fast-check'
import { expect } from 'vitest'
import type { PromiseShop } from './shop.ts'

export type Histories = {
  /** Sells, does all that the history says and answers the sale's id. */
  play(one: History): Promise<number>
}

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
  fc.record({ what: fc.constant('correct' as const), at, price, customer: fc.boolean() }),
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
    return (await t.staff.post('/api/customer/create', { ...names, vat_number, billing_address })).body.data.id
  }
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
    const more = { stock_items, customer_id: customers[customer], includeVat, create_invoice: true }
    const answer = await t.sell(t.staff, [], more)
    expect(answer.status, answer.body.message).toBe(201)
    return { id: answer.body.data.id, items }
  }

  /** Does one of them; what the sale does not allow is refused, and changes nothing. */
  async function does(id: number, items: number[], one: History['deeds'][number]): Promise<void> {
    const item = 'at' in one ? items[one.at % items.length] : undefined
    const answers = []
    switch (one.what) {
      case 'correct':
        answers.push(
          await t.staff.post(`/api/sale/${id}/correct`, {
            customer: one.customer,
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
      for (const deed of one.deeds) await does(id, items, deed)
      if (one.isVoided) await t.staff.post(`/api/sale/${id}/edit`, { status: 'Voided' })
      return id
    },
  }
}
