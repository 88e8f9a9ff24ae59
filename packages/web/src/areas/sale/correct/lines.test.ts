import type { Customer } from '@backstock/contract/customer.ts'
import type { Sale, SaleItem } from '@backstock/contract/sale.ts'
import type { TaxFacts } from '@backstock/contract/tax-facts.ts'
import { expect, test } from 'vitest'
import { refusedLines } from '../draft/tax.ts'
import {
  type CorrectLine,
  changedLines,
  changeLines,
  correctChoices,
  correctedItems,
  correctTax,
  correctTotals,
  keepsSeries,
  keptCorrection,
  taxBefore,
  wantedOfAll,
} from './lines.ts'

const item = (stock_id: number, patch: Partial<SaleItem> = {}) =>
  ({
    stock_id,
    sales_price: 10_000,
    sales_price_vat: null,
    allowed_price: 0,
    vat_type_id: 1,
    vat_name: 'Standard',
    vat_rate: 21,
    vat_treatment: 'standard',
    purchase_treatment: 'unknown',
    why: 'As its VAT type says.',
    returned_price: null,
    stock: { actual_product_id: 7 },
    ...patch,
  }) as SaleItem

/** The facts that decide an item's VAT, as they were on the day of the sale. */
function then(stock_id: number, patch: Partial<NonNullable<TaxFacts['sold']>['items'][number]> = {}) {
  const vat = { rate: 2_100, treatment: 'standard' as const }
  return { stock_id, purchase: 'unknown' as const, vat, isReverseChargeGood: true, ...patch }
}

const linesOf = (...items: SaleItem[]) => changeLines([], { type: 'items', items })
const priced = (lines: readonly CorrectLine[], id: number, price: number | null, wrong: string | null = null) =>
  changeLines(lines, { type: 'price', id, price, wrong })

const place = (country_code: string) => ({ country_code, postal_code: '1000' })
const facts: TaxFacts = {
  day: '2026-11-23',
  seller: { ...place('NL'), vat_number: 'NL123456782B90' },
  margin_rate: 2_100,
  rule: null,
  reverse_charge_products: [],
  sold: { buyer: { ...place('NL'), vat_number: null }, delivery: place('NL'), items: [1, 2, 3].map((id) => then(id)) },
}
const sale = {
  items: [] as SaleItem[],
  prices_include_vat: false,
  customer: { vat_number: null },
  address: place('NL'),
  billing_address: place('NL'),
} as unknown as Sale
const german = { vat_number: 'DE136695976', billing_address: place('DE'), delivery_address: place('DE') } as Customer
const taxed = (lines: readonly CorrectLine[], isTakenOver = false, items = facts.sold!.items) =>
  correctTax(lines, { sale, facts: { ...facts, sold: { ...facts.sold!, items } }, customer: german, isTakenOver })

test('a line that is not touched stays as it was sold, whatever its VAT type says today', () => {
  const lines = linesOf(item(1), item(2))
  expect(changedLines(lines, taxed(lines))).toEqual([])
  expect(taxed(lines).lines.get(1)!.taken).toMatchObject({ treatment: 'standard', rate: 2_100 })
  expect(correctedItems(lines)).toEqual([])

  const cheaper = priced(lines, 2, 9_000)
  expect(cheaper[0]).toBe(lines[0])
  expect(changedLines(cheaper, taxed(cheaper)).map(({ id }) => id)).toEqual([2])
  expect(correctedItems(cheaper)).toEqual([{ id: 2, sales_price: 9_000 }])
  const { before, after } = correctTotals(cheaper, taxed(cheaper), sale)
  expect([before.total_sales_price_vat, after.total_sales_price_vat]).toEqual([24_200, 22_990])
})

test('returned items count towards the sum of a rule', () => {
  const rule = {
    ...{ country_code: 'NL', valid_from: '2020-01-01', valid_to: null },
    ...{ threshold: 20_000, threshold_currency: 'EUR', resellers_any: false, series: null },
  }
  const home = { billing_address: place('NL'), delivery_address: place('NL') }
  const business = { vat_number: 'NL810433941B01', ...home } as Customer
  const of = (items: SaleItem[]) => {
    const deciding = {
      facts: { ...facts, rule },
      customer: business,
      isTakenOver: true,
    }
    return correctTax(linesOf(item(1)), { ...deciding, sale: { ...sale, items } }).lines.get(1)!.taken.treatment
  }
  expect([of([]), of([item(2)]), of([item(2, { returned: true })])]).toEqual(['standard', 'standard', 'reverse_charge'])
})

test('today’s customer decides each forced line anew, and a new choice stands', () => {
  const lines = linesOf(item(1), item(2))
  const tax = taxed(lines, true)
  expect(changedLines(lines, tax)).toHaveLength(2)
  expect(correctedItems(lines)).toEqual([])
  expect(lines.map((line) => taxBefore(line, tax.lines.get(line.id)!))).toEqual([
    { treatment: 'standard', rate: 2_100 },
    { treatment: 'standard', rate: 2_100 },
  ])
  const { before, after } = correctTotals(lines, tax, sale)
  expect(before.vat).toEqual([{ treatment: 'standard', rate: 2_100, net: 20_000, vat: 4_200 }])
  expect(after.vat).toEqual([{ treatment: 'intra_community', rate: 0, net: 20_000, vat: 0 }])

  const one = changeLines(lines, { type: 'treatments', wanted: new Map([[1, 'standard']]) })
  expect(correctTotals(one, taxed(one, true), sale).after.vat.map(({ rate, vat }) => [rate, vat])).toEqual([
    [2_100, 2_100],
    [0, 0],
  ])
  expect(correctedItems(one)).toEqual([{ id: 1, vat_treatment: 'standard' }])
})

test('a choice for all reaches the lines that allow it, and is undone on all', () => {
  const lines = linesOf(
    item(1, { purchase_treatment: 'margin', vat_treatment: 'margin', vat_rate: 0, why: 'Bought so.' }),
    item(2, { vat_treatment: 'none', vat_rate: 0, vat_type_id: null }),
  )
  const ofDay = [then(1, { purchase: 'margin' }), then(2, { vat: null })]
  const tax = taxed(lines, false, ofDay)
  expect(correctChoices(tax)).toEqual(['margin', 'standard', 'none'])
  const wanted = wantedOfAll('standard', tax)
  expect([...wanted]).toEqual([[1, 'standard']])
  const chosen = changeLines(lines, { type: 'treatments', wanted })
  expect(taxed(chosen, false, ofDay).lines.get(1)!.taken).toMatchObject({ treatment: 'standard', rate: 2_100 })
  const undone = changeLines(chosen, {
    type: 'treatments',
    wanted: wantedOfAll(undefined, taxed(chosen, false, ofDay)),
  })
  expect(correctedItems(undone)).toEqual([])
})

test('a treatment that cannot be is named', () => {
  const lines = changeLines(linesOf(item(1)), { type: 'treatments', wanted: new Map([[1, 'margin']]) })
  expect(refusedLines(lines, taxed(lines))).toEqual([
    '#1: Margin scheme is not possible because the item was not bought under the margin scheme',
  ])
})

test('typed prices stay when the sale is read again, and untouched prices are the new ones', () => {
  const typed = priced(priced(linesOf(item(1), item(2), item(3)), 1, 9_000), 3, null, '1,249.00')
  const chosen = changeLines(typed, { type: 'treatments', wanted: new Map([[2, 'none']]) })
  const items = [item(1, { sales_price: 8_000 }), item(2, { sales_price: 8_000 }), item(3)]
  const lines = changeLines(chosen, { type: 'items', items })
  expect(lines.map(({ before, price, wrong, wanted }) => [before, price, wrong, wanted])).toEqual([
    [8_000, 9_000, null, undefined],
    [8_000, 8_000, null, 'none'],
    [10_000, null, '1,249.00', undefined],
  ])
})

test('an invoice whose lines go under or out of reverse charge changes its series, if the rule has one', () => {
  const rule = (series: string | null) => ({
    ...{ country_code: 'NL', valid_from: '2020-01-01', valid_to: null },
    ...{ threshold: null, threshold_currency: 'EUR', resellers_any: false, series },
  })
  const home = { vat_number: 'NL810433941B01', billing_address: place('NL'), delivery_address: place('NL') }
  const keeps = (number: string, series: string | null, lines: readonly CorrectLine[], isTakenOver: boolean) => {
    const now = { ...facts, rule: rule(series) }
    const deciding = { sale, facts: now, customer: home as Customer, isTakenOver }
    return keepsSeries(number, lines, correctTax(lines, deciding), isTakenOver)
  }
  const standard = linesOf(item(1))
  const reverse = linesOf(item(1, { vat_treatment: 'reverse_charge', vat_rate: 0 }))
  expect([keeps('2026-00001', 'ISP', standard, false), keeps('2026-00001', 'ISP', standard, true)]).toEqual([
    true,
    false,
  ])
  expect([keeps('2026-00001', null, standard, true), keeps('SAMPLE-2026-00001', 'ISP', standard, true)]).toEqual([
    true,
    true,
  ])
  expect([keeps('ISP-2026-00001', 'RC', reverse, false), keeps('ISP-2026-00001', 'RC', reverse, true)]).toEqual([
    true,
    false,
  ])
  expect(keeps('ISP-2026-00001', 'ISP', [...reverse, ...linesOf(item(2))], false)).toBe(false)
  // If one line gets another treatment, today's rule decides the series of the whole invoice.
  const second = linesOf(item(2, { vat_treatment: 'reverse_charge', vat_rate: 0 }))
  const chosen = second.map((line) => ({ ...line, wanted: 'reverse_charge' as const }))
  expect(keeps('ISP-2026-00001', 'RC', [...reverse, ...chosen], false)).toBe(false)
  expect(keeps('RC-2026-00001', 'RC', [...reverse, ...chosen], false)).toBe(true)
})

test('a kept correction comes back on lines that still have the price from which it began', () => {
  const typed = priced(priced(linesOf(item(1), item(2), item(3), item(4)), 1, 9_000), 3, null, '1,249.00')
  const lines = changeLines(typed, { type: 'treatments', wanted: new Map([[2, 'none']]) })
  const kept = keptCorrection(lines)
  expect(kept).toEqual([
    [1, 10_000, 9_000],
    [2, 10_000, 10_000, 'none'],
    [3, 10_000, null, null, '1,249.00'],
    [4, 10_000, 10_000],
  ])
  const now = linesOf(item(1), item(2), item(3), item(4, { sales_price: 8_000 }), item(5))
  const back = changeLines(now, { type: 'restore', kept })
  expect(back.map(({ id, price, wrong, wanted }) => [id, price, wrong, wanted])).toEqual([
    [1, 9_000, null, undefined],
    [2, 10_000, null, 'none'],
    [3, null, '1,249.00', undefined],
    [4, 8_000, null, undefined],
    [5, 10_000, null, undefined],
  ])
  expect([back[3], back[4]].map((line, n) => line === now[n + 3])).toEqual([true, true])
})

test('a price for all is that of each line, also if its text was no price', () => {
  const lines = changeLines(priced(linesOf(item(1), item(2)), 2, null, '5O0'), { type: 'price for all', price: 500 })
  expect(lines.map(({ price, wrong }) => [price, wrong])).toEqual([
    [500, null],
    [500, null],
  ])
})

test('a choice leaves the lines that it does not change as they are', () => {
  const lines = linesOf(item(1), item(2))
  const one = changeLines(lines, { type: 'treatments', wanted: new Map([[1, 'none']]) })
  expect([one[0]!.wanted, one[1] === lines[1]]).toEqual(['none', true])
  const again = changeLines(one, { type: 'treatments', wanted: new Map([[1, 'none']]) })
  expect(again[0]).toBe(one[0])
  const other = changeLines(one, { type: 'treatments', wanted: new Map([[2, 'none']]) })
  expect([other[0] === one[0], other[1]!.wanted]).toEqual([true, 'none'])
})

test('a line is taxed anew if either its treatment or its rate changes', () => {
  const [line] = linesOf(item(1))
  const before = { treatment: 'standard', rate: 2_100 }
  const tax = taxed([line!]).lines.get(1)!
  const taken = (treatment: 'standard' | 'none', rate: number) =>
    taxBefore(line!, { ...tax, taken: { ...tax.taken, treatment, rate } })
  expect([taken('standard', 2_100), taken('standard', 2_000), taken('none', 2_100)]).toEqual([
    undefined,
    before,
    before,
  ])
})

test('the rate with VAT of a line is that with which it was sold, else that of the day', () => {
  const margin = { purchase_treatment: 'margin', vat_treatment: 'margin', vat_rate: 0 } as const
  const lines = linesOf(item(1), item(2, margin), item(3, { vat_treatment: 'none', vat_rate: 0 }))
  const nine = { rate: 900, treatment: 'standard' as const }
  const tax = taxed(lines, false, [
    then(1, { vat: nine }),
    then(2, { purchase: 'margin', vat: nine }),
    then(3, { vat: null }),
  ])
  expect([1, 2, 3].map((id) => tax.lines.get(id)!.rate)).toEqual([2_100, 900, 0])
})

test('a line says why it is taxed so, as it was sold', () => {
  const lines = linesOf(item(1), item(2, { why: null }), item(3, { why: null, vat_name: null }))
  const { lines: found } = taxed(lines)
  expect([1, 2, 3].map((id) => found.get(id)!.taken.why)).toEqual([
    'As its VAT type says.',
    'Standard',
    'Without VAT type',
  ])
})

test('an item that the facts of the day do not have stays as it was sold', () => {
  const lines = linesOf(item(9))
  expect(taxed(lines).lines.get(9)!.taken).toMatchObject({ treatment: 'standard', rate: 2_100 })
  expect(taxed(lines, true).lines.get(9)!.taken.treatment).toBe('intra_community')
})

test('the totals have the part of a returned item’s price that the shop keeps, and nothing else of it', () => {
  const lines = linesOf(item(1))
  const net = (items: SaleItem[]) => {
    const { before, after } = correctTotals(lines, taxed(lines), { items, prices_include_vat: false })
    return [before.vat, after.vat].map((vat) => vat.map((one) => [one.rate, one.net]))
  }
  const nine = { vat_rate: 9 }
  expect(net([item(1, { returned_price: null })])).toEqual([[[2_100, 10_000]], [[2_100, 10_000]]])
  expect(net([item(2, { ...nine, returned_price: 10_000 })])).toEqual([[[2_100, 10_000]], [[2_100, 10_000]]])
  const both = [
    [2_100, 10_000],
    [900, 6_000],
  ]
  expect(net([item(2, { ...nine, returned_price: 4_000 })])).toEqual([both, both])
})
