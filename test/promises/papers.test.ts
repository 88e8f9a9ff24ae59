import type { Document } from '@backstock/contract/document.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eInvoiceXml } from '../../packages/server/src/render/e-invoice/e-invoice-xml.ts'
import type { InvoiceData } from '../../packages/server/src/render/invoice/data.ts'
import { full, reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop } from './shop.ts'

const limit = full ? 3_600_000 : 60_000

let t: PromiseShop
const vats = { standard: 0, reduced: 0, zero: 0, exempt: 0 }
const customers = { home: 0, business: 0, german: 0, swiss: 0 }

beforeAll(async () => {
  t = await promiseShop()
  const admin = await t.user('ROLE_ADMIN')
  const company = { country_code: 'NL', postal_code: '1012 AB', vat_number: 'NL810433941B01', margin_rate: 21 }
  await admin.post('/api/company/edit', company)
  const vat = async (name: string, rate: number, treatment: string, exemption_text: string | null = null) =>
    (await admin.post('/api/vat/create', { name, rate, treatment, exemption_text })).body.data.id
  vats.standard = await vat('High', 21, 'standard')
  vats.reduced = await vat('Low', 9, 'standard')
  vats.zero = await vat('None', 0, 'zero')
  vats.exempt = await vat('Free', 0, 'exempt', 'Article 132')
  const customer = async (country_code: string, vat_number: string | null) => {
    const billing_address = { address_1: 'Street 1', city: 'Town', postal_code: '1000', country_code }
    const names = { first_name: 'Bea', last_name: 'Buyer', email: 'bea@example.test' }
    return (await t.staff.post('/api/customer/create', { ...names, vat_number, billing_address })).body.data.id
  }
  customers.home = await customer('NL', null)
  customers.business = await customer('NL', 'NL123456782B90')
  customers.german = await customer('DE', 'DE136695976')
  customers.swiss = await customer('CH', null)
})
afterAll(() => closeSound(t), limit)

const price = fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 1, max: 99_999 }))
const line = fc.record({
  price,
  cost: price,
  vat: fc.constantFrom(...(Object.keys(vats) as (keyof typeof vats)[]), null),
  purchase: fc.constantFrom('unknown', 'standard', 'margin'),
})
const at = fc.nat({ max: 7 })
const deed = fc.oneof(
  fc.record({ what: fc.constant('correct' as const), at, price, customer: fc.boolean() }),
  fc.record({ what: fc.constant('return' as const), at }),
  fc.record({ what: fc.constantFrom('dispatch' as const, 'download' as const, 'generate' as const) }),
)
const history = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 8 }),
  customer: fc.constantFrom(...(Object.keys(customers) as (keyof typeof customers)[])),
  includeVat: fc.boolean(),
  deeds: fc.array(deed, { maxLength: 6 }),
  isVoided: fc.boolean(),
})
type History = typeof history extends fc.Arbitrary<infer Value> ? Value : never

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

type Printed = { id: number; kind: string; lang: InvoiceLanguage; total_gross: number; data: InvoiceData }

test('D11: papers of a sale come to the cent to what was sold, corrected and taken back', {
  timeout: limit,
}, async () => {
  const sales = turns(25, 10_000)
  const counts = { documents: 0, xml: 0 }
  for (const one of fc.sample(history, sales)) {
    const { id, items } = await sold(one)
    for (const deed of one.deeds) await does(id, items, deed)
    if (one.isVoided) await t.staff.post(`/api/sale/${id}/edit`, { status: 'Voided' })

    const { body } = await t.staff.get(`/api/sale/find?id=${id}`)
    const sale = body.data[0]
    const asked = sale.documents.reduce(
      (sum: number, { kind, total_gross }: Document) => sum + (kind === 'invoice' ? total_gross : -total_gross),
      0,
    )
    expect(asked).toBe(sale.invoiced_total)
    if (sale.status === 'Voided') expect(asked).toBe(0)
    const hasReturned = sale.items.some(({ returned }: { returned: boolean }) => returned)
    if (!hasReturned && sale.status !== 'Voided') expect(asked).toBe(sale.total_sales_price_vat)
    if (sale.items.every(({ returned }: { returned: boolean }) => returned)) expect(asked).toBe(0)

    const printed = await t.rows<Printed>(
      `select d.id, d.kind, d.total_gross, v.lang, v.data from document d join lateral (
          select lang, data from document_version where document_id = d.id order by version desc limit 1) v on true
        where d.sale_id = $1`,
      [id],
    )
    for (const { lang, total_gross, data } of printed) {
      counts.documents++
      const xml = eInvoiceXml(data, lang, 'cii')
      if (xml === undefined) continue
      counts.xml++
      expect(cents(xml, 'GrandTotalAmount')).toEqual([Number(total_gross)])
      const lineTotals = cents(xml.slice(0, xml.indexOf('ApplicableHeaderTradeAgreement')), 'LineTotalAmount')
      expect(lineTotals).toEqual(data.lines.map(({ net }) => net))
      const vat = cents(xml, 'CalculatedAmount')
      expect(sum(lineTotals) + sum(vat)).toBe(Number(total_gross))
    }
  }
  reached('D11', `${sales} sales, ${counts.documents} papers, ${counts.xml} with XML`, '10,000 sales: not a cent off')
})

const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0)
/** Every amount of this name, in cents. */
const cents = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<ram:${name}>(-?[\\d.]+)<`, 'g'))].map(([, text]) => Math.round(Number(text) * 100))
