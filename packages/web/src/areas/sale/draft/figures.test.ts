import type { Customer } from '@backstock/contract/customer.ts'
import { marginVat, saleTotals } from '@backstock/contract/sale-total.ts'
import type { StockRow } from '@backstock/contract/stock.ts'
import type { TaxFacts } from '@backstock/contract/tax-facts.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import type { Vat } from '@backstock/contract/vat.ts'
import type { VatCheck } from '@backstock/contract/vat-check.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draftFigures } from './figures.ts'
import { changeDraft, type DraftLine, EMPTY_DRAFT } from './lines.ts'
import {
  buyerOf,
  choicesForAll,
  choicesOf,
  chosenForAll,
  draftChecks,
  draftTax,
  itemTaxReader,
  lacksMarginRate,
  linesAllowing,
  refusedLines,
  saleTax,
} from './tax.ts'

const item = (id: number, patch: Partial<StockRow> = {}) =>
  ({
    id,
    actual_product_id: 7,
    status: 'In Stock',
    sales_price: 10_000,
    cost: 6_000,
    purchase_treatment: 'unknown',
    vat_type_id: 1,
    updated_at: 'a',
    ...patch,
  }) as StockRow

const type = (id: number, rate: number, treatment: Vat['treatment']) => ({ id, rate, treatment }) as Vat
const VATS = [type(1, 21, 'standard'), type(2, 0, 'margin'), type(3, 0, null), type(4, 9.5, 'standard')]

const DUTCH: TaxFacts = {
  day: '2026-03-01',
  seller: { country_code: 'NL', postal_code: '1012 AB', vat_number: 'NL000099998B57' },
  margin_rate: 2100,
  rule: {
    country_code: 'NL',
    valid_from: '2022-06-07',
    valid_to: '2026-12-31',
    threshold: 1_000_000,
    threshold_currency: 'EUR',
    resellers_any: false,
    series: null,
  },
  reverse_charge_products: [7],
  sold: null,
}
const NOBODY = buyerOf(null, undefined, 'NL')
const GERMAN = { buyer: { country_code: 'DE', postal_code: null, vat_number: 'DE136695976' }, delivery: null }

const linesOf = (...items: StockRow[]): DraftLine[] => changeDraft(EMPTY_DRAFT, { type: 'items', items }).lines
type How = { facts?: TaxFacts | null; buyer?: typeof NOBODY; includeVat?: boolean }
function taxOf(lines: DraftLine[], { facts = DUTCH, buyer = NOBODY, includeVat = false }: How = {}) {
  const known = facts ?? undefined
  const deciding = { facts: known, sale: saleTax(known, buyer), itemTax: itemTaxReader(VATS, known) }
  return draftTax(lines, deciding, includeVat)
}
const wantedAs = (lines: DraftLine[], wanted: Treatment) => lines.map((line) => ({ ...line, wanted }))
const takenOf = (lines: DraftLine[], how?: How) =>
  [...taxOf(lines, how).lines.values()].map(({ taken }) => [taken.treatment, taken.rate])

test('a mixed sale: a row for each treatment and rate, and the VAT in margins counted out of the profit', () => {
  const used = { purchase_treatment: 'margin' as const }
  const lines = linesOf(
    item(1),
    item(2, used),
    item(3, used),
    item(4, { vat_type_id: 4 }),
    item(5, { vat_type_id: null }),
  )
  // The VAT in two margins of 40.00 is 21/121 of each, rounded for each.
  expect(draftFigures(lines, taxOf(lines), false)).toEqual({
    items: 5,
    purchase: 30_000,
    net: 50_000,
    vat: [
      { treatment: 'standard', rate: 21, net: 10_000, vat: 2_100 },
      { treatment: 'standard', rate: 9.5, net: 10_000, vat: 950 },
      { treatment: 'margin', rate: 0, net: 20_000, vat: 0 },
      { treatment: 'none', rate: 0, net: 10_000, vat: 0 },
    ],
    gross: 53_050,
    marginVat: 1_388,
    profit: 18_612,
    cost: 30_000,
    unpriced: 0,
    unreadable: 0,
  })
  // If prices include VAT, the customer pays the typed price under the margin scheme, too.
  expect(draftFigures(lines, taxOf(lines, { includeVat: true }), true)).toMatchObject({
    net: 47_396,
    gross: 50_000,
    marginVat: 1_388,
    profit: 16_008,
  })
})

test('the figures are those that a sale will have, whatever is chosen and whether prices include VAT', () => {
  const row = fc.record({
    purchase_treatment: fc.constantFrom('unknown' as const, 'margin' as const, 'standard' as const),
    vat_type_id: fc.constantFrom(null, 1, 2, 3, 4, 99),
    cost: fc.integer({ min: 0, max: 200_000 }),
    sales_price: fc.integer({ min: 0, max: 200_000 }),
    wanted: fc.constantFrom(undefined, 'standard' as const, 'margin' as const),
  })
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), fc.boolean(), fc.boolean(), (rows, includeVat, abroad) => {
      const lines = linesOf(...rows.map((one, n) => item(n + 1, one))).map((line, n) => ({
        ...line,
        wanted: rows[n]!.wanted,
      }))
      const tax = taxOf(lines, { includeVat, ...(abroad && { buyer: GERMAN }) })
      const priced = lines.map((line) => ({ line, price: line.sales_price!, ...tax.lines.get(line.id)!.taken }))
      const totals = saleTotals(priced, includeVat)
      const margins = priced.map(({ line, price, treatment }, n) => {
        if (treatment !== 'margin') return 0
        expect(totals.lines[n]!.sales_price).toBe(price)
        return marginVat(totals.lines[n]!.sales_price, line.cost, 2100)
      })
      const inMargins = margins.reduce((a, b) => a + b, 0)
      const cost = lines.reduce((sum, line) => sum + line.cost, 0)
      expect(draftFigures(lines, tax, includeVat)).toMatchObject({
        net: totals.total_sales_price,
        gross: totals.total_sales_price_vat,
        vat: totals.vat.map((one) => ({ ...one, rate: one.rate / 100 })),
        marginVat: inMargins,
        profit: totals.total_sales_price - cost - inMargins,
      })
    }),
  )
})

test('a line without a readable price is in no total, but counted', () => {
  const lines = linesOf(item(1), item(2, { sales_price: null }), item(3), item(4)).map((line) =>
    line.id === 3 ? { ...line, price: null, wrong: '1,249.00' } : line,
  )
  const figures = { items: 4, purchase: 24_000, net: 20_000, gross: 24_200, profit: 8_000, cost: 12_000 }
  expect(draftFigures(lines, taxOf(lines), false)).toMatchObject({ ...figures, unpriced: 1, unreadable: 1 })
})

test('the buyer decides: nobody yet, a customer of the list, one who is typed', () => {
  const lines = linesOf(item(1))
  expect(takenOf(lines)).toEqual([['standard', 2100]])
  expect(takenOf(lines, { buyer: GERMAN })).toEqual([['intra_community', 0]])
  const typed = (country_code: string | null, vat_number: string | null = null) =>
    buyerOf({ country_code, postal_code: null, vat_number }, undefined, 'NL')
  expect(typed(null).buyer).toEqual({ country_code: 'NL', postal_code: null, vat_number: null })
  const nowhere = { country_code: null, postal_code: null, vat_number: null }
  expect(buyerOf(null, undefined, 'NL')).toEqual({ buyer: nowhere, delivery: null })
  const address = { country_code: 'DE', postal_code: '40212' }
  const known = { vat_number: 'DE136695976', billing_address: address, delivery_address: null } as Customer
  expect(buyerOf(null, known, 'NL')).toEqual({ buyer: { ...address, vat_number: 'DE136695976' }, delivery: address })
  // A buyer without a VAT number counts as a consumer, unless the goods leave the EU.
  expect(takenOf(lines, { buyer: typed('DE') })).toEqual([['standard', 2100]])
  expect(takenOf(lines, { buyer: typed('DE', 'DE136695976') })).toEqual([['intra_community', 0]])
  expect(takenOf(lines, { buyer: typed('CH') })).toEqual([['export', 0]])
})

test('the prices so far decide whether the sum of reverse charge at home is reached', () => {
  const buyer = { buyer: { country_code: 'NL', postal_code: null, vat_number: 'NL123456789B01' }, delivery: null }
  const at = (price: number) => linesOf(item(1, { sales_price: price }), item(2, { sales_price: 500_000 }))
  expect(takenOf(at(500_000), { buyer }).map(([treatment]) => treatment)).toEqual(['reverse_charge', 'reverse_charge'])
  expect(takenOf(at(499_999), { buyer }).map(([treatment]) => treatment)).toEqual(['standard', 'standard'])
  // The rate of the VAT type is there even if the treatment does not use it, because a person may choose another
  // treatment.
  expect(taxOf(at(500_000), { buyer }).lines.get(1)!.rate).toBe(2100)
})

test('without the facts each item is as it was bought, or as its VAT type says', () => {
  const lines = linesOf(item(1), item(2, { purchase_treatment: 'margin' }), item(3, { vat_type_id: 2 }))
  const without = { facts: null, buyer: GERMAN }
  expect(takenOf(lines, without)).toEqual([
    ['standard', 2100],
    ['margin', 0],
    ['margin', 0],
  ])
  const tax = taxOf(lines, without)
  expect(draftFigures(lines, tax, false).marginVat).toBe(0)
  expect(lacksMarginRate(tax)).toBe(false)
  expect(lacksMarginRate(taxOf(lines, { facts: { ...DUTCH, margin_rate: null } }))).toBe(true)
  expect(lacksMarginRate(taxOf(lines))).toBe(false)
  expect(lacksMarginRate(taxOf(linesOf(item(1)), { facts: { ...DUTCH, margin_rate: null } }))).toBe(false)
})

test('a VAT type that is not known counts as none, and one that nobody has explained as such', () => {
  expect(
    takenOf(linesOf(item(1, { vat_type_id: 9 }), item(2, { vat_type_id: 3 }), item(3, { vat_type_id: 4 }))),
  ).toEqual([
    ['none', 0],
    ['none', 0],
    ['standard', 950],
  ])
})

test('a choice for all lines that allow it: none, the same for all, or different ones', () => {
  const used = { purchase_treatment: 'margin' as const }
  const lines = linesOf(item(1), item(2, used), item(3, used), item(4, { ...used, vat_type_id: 2 }))
  const tax = taxOf(lines)
  expect(choicesForAll(tax)).toEqual(['standard'])
  expect([...linesAllowing('standard', tax)]).toEqual([2, 3])
  expect(chosenForAll(lines, tax)).toBeUndefined()
  const all = lines.map((line) => (line.id === 2 || line.id === 3 ? { ...line, wanted: 'standard' as const } : line))
  expect(chosenForAll(all, taxOf(all))).toBe('standard')
  expect(takenOf(all).map(([treatment]) => treatment)).toEqual(['standard', 'standard', 'standard', 'margin'])
  const some = all.map((line) => (line.id === 3 ? { ...line, wanted: undefined } : line))
  expect(chosenForAll(some, taxOf(some))).toBeNull()
  expect(choicesOf(taxOf(all).lines.get(2)!)).toEqual(['margin', 'standard'])
})

test('a choice that is no longer possible is named, and can still be taken back', () => {
  const lines = wantedAs(linesOf(item(1), item(2)), 'intra_community')
  const tax = taxOf(lines)
  expect(choicesOf(tax.lines.get(1)!)).toEqual(['standard', 'intra_community'])
  const why =
    'Intra-Community is not possible because this needs the seller’s VAT number, a buyer’s VAT number of another member state, and a delivery to another member state'
  expect(refusedLines(lines, tax)).toEqual([`#1: ${why}`, `#2: ${why}`])
  expect(refusedLines(lines, taxOf(lines, { buyer: GERMAN }))).toEqual([])
})

test('a check counts for the chosen customer on the server’s day, and a new customer’s number was never checked', () => {
  const check = { vat_number: 'DE136695976', is_valid: true } as VatCheck
  const checks = { may_ask: true, today: '2026-03-05', days: 30, newest: check, history: [] }
  expect(draftChecks(7, checks, DUTCH)).toEqual({
    ...{ of: 7, mayAsk: true },
    checked: { check, day: '2026-03-05', days: 30 },
  })
  expect(draftChecks(7, undefined, DUTCH)).toBeUndefined()
  expect(draftChecks(null, checks, DUTCH)).toEqual({
    ...{ of: null, mayAsk: false },
    checked: { check: null, day: '2026-03-01', days: 90 },
  })
  expect(draftChecks(null, undefined, undefined)).toBeUndefined()
})
