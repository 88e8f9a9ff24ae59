import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Client, testApp } from '../../testing/app.ts'
import { openShop, type Shop, stockItems } from '../../testing/shop.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
/** The customers of a Dutch shop: one in the Netherlands, one in Germany with a VAT number, one in Switzerland. */
let customers: number[]

beforeAll(async () => {
  t = await testApp()
  user = await t.user()
  shop = await openShop(t.db)
  const company = { country_code: 'NL', postal_code: '1012 AB', vat_number: 'NL810433941B01', margin_rate: 21 }
  await (await t.user('ROLE_ADMIN')).post('/api/company/edit', company)
  const customer = async ([country_code, vat_number]: readonly [string, string | null]) => {
    const address = { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code }
    const { body } = await user.post('/api/customer/create', {
      ...{
        first_name: 'Bea',
        last_name: country_code,
        email: 'bea@example.test',
        vat_number,
        billing_address: address,
      },
    })
    return body.data.id as number
  }
  const countries = [['NL', null], ['DE', 'DE136695976'], ['CH', null]] as const // biome-ignore format: one line
  customers = await Promise.all(countries.map(customer))
})
afterAll(() => t.close())

const rows = async (text: string, ...values: unknown[]) => (await t.db.pool.query(text, values)).rows

const line = fc.record({
  price: fc.integer({ min: 0, max: 100_000 }),
  taxed: fc.constantFrom('standard', 'zero', 'margin' as const),
  /** The item comes back with the first return (0) or the second (1), or not at all (2). */
  back: fc.constantFrom(0, 1, 2),
  /** The part of the price that is credited, in thousandths. */
  share: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(1_000, 1_000, 0) }, fc.integer({ min: 0, max: 1_000 })),
  cost: fc.constantFrom(20_000, 20_000, 0),
})
const sale = fc.record({ includeVat: fc.boolean(), lines: fc.array(line, { minLength: 1, maxLength: 6 }) })
type Line = { price: number; taxed: string; back: number; share: number; cost: number }

async function sold(customer: number, { includeVat, lines }: { includeVat: boolean; lines: Line[] }) {
  const ids = await stockItems(t.db, shop, lines.length)
  for (const [n, { taxed, cost }] of lines.entries())
    await rows(
      'update stock set vat_id = $2, purchase_treatment = $3, purchase_price = $4 where id = $1',
      ...[
        ids[n],
        taxed === 'zero' ? shop.vat.zero : shop.vat.standard,
        taxed === 'margin' ? 'margin' : 'unknown',
        cost,
      ],
    )
  const { body } = await user.post('/api/sale/create', {
    ...{ customer_id: customer, includeVat, send_email: false, create_excel: false },
    stock_items: lines.map(({ price }, n) => ({ id: ids[n], sales_price: price })),
  })
  for (const status of ['Awaiting Dispatch', 'Dispatched'])
    await user.post(`/api/sale/${body.data.id}/edit`, { status })
  return { id: body.data.id as number, items: lines.map((line, n) => ({ ...line, id: ids[n]! })) }
}

test('credit notes of any returns never exceed the invoice, and add up to it in the end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(0, 1, 2), fc.array(sale, { minLength: 1, maxLength: 2 }), async (whose, sales) => {
      const made = []
      for (const one of sales) made.push(await sold(customers[whose]!, one))
      for (const wave of [1, 2]) {
        const items = made.flatMap((one) => one.items).filter(({ back }) => back === wave)
        if (items.length === 0) continue
        const { status, body } = await user.post('/api/return/create', {
          customer_id: customers[whose],
          items: items.map(({ id, price, share }) => ({ id, price: Math.floor((price * share) / 1_000) })),
          received: true,
        })
        expect([status, body.data.errors]).toEqual([201, undefined])
        // The question before the return has announced these notes.
        type Item = { price: number; noted_at_zero: boolean; credit_id: number | null }
        for (const { price, noted_at_zero, credit_id } of body.data.items as Item[])
          expect(credit_id !== null).toBe(price > 0 || noted_at_zero)
      }
      for (const { id, items } of made) {
        const [{ invoiced, credited }] = await rows(
          `select max(total_gross) filter (where kind = 'invoice') as invoiced,
              coalesce(sum(total_gross) filter (where kind = 'credit_note'), 0)::bigint as credited
            from document where sale_id = $1`,
          id,
        )
        expect(credited).toBeLessThanOrEqual(invoiced)
        if (items.every(({ back, share }) => back > 0 && share === 1_000)) expect(credited).toBe(invoiced)
      }
    }),
    { numRuns: 12 },
  )
  expect(await violationsIn(t.connection)).toEqual([])
})
