import { expect, test } from 'vitest'
import { namedNumbers } from './named-numbers.ts'
import { type Facts, type MatchedSale, type OpenEntry, propose } from './propose.ts'
import { isSameName } from './same-name.ts'

const sale = (id: number, open_amount: number, more: Partial<MatchedSale> = {}): MatchedSale => ({
  ...{ id, customer_id: id, open_amount, reference_number: null, full_name: 'Bea Buyer', company_name: null },
  invoice_number: `2026-${String(id).padStart(5, '0')}`,
  ...more,
})
const entry = (rest: number, remittance: string, more: Partial<OpenEntry> = {}): OpenEntry => ({
  ...{ id: 1, rest, remittance, is_reversal: false, name: null, iban: null, end_to_end: null },
  ...more,
})
function facts(...sales: MatchedSale[]): Facts {
  const documents = sales.flatMap(({ id, invoice_number }) => {
    const [, year, number] = /(\d{4})-(\d+)$/.exec(invoice_number ?? '') ?? []
    return number ? [{ sale_id: id, printed: invoice_number!, year: Number(year), number: Number(number) }] : []
  })
  return { documents, sales: new Map(sales.map((one) => [one.id, one])), customersOf: new Map() }
}
const proposed = (one: OpenEntry, known: Facts) => {
  const { payments, is_sure } = propose([one], known).get(one.id)!
  return [is_sure, ...payments.map(({ sale_id, amount }) => `${sale_id}:${amount}`)]
}

test.each([
  ['2026-00012', [2026, 12]],
  ['inv202600012x', [2026, 12]],
  ['RE 2026 00012', [2026, 12]],
  ['2026-00 012', [2026, 12]],
  ['20 2600012', [2026, 12]],
  ['2026/12', [2026, 12]],
  ['2026-123456', [2026, 123456]],
  ['no. 12', [null, 12]],
  ['2026-00012/13', [2026, 12, null, 13]],
  ['123456789012 and 0', []],
])('%s names %j', (text, wanted) => {
  expect(namedNumbers(text).flatMap(({ year, number }) => [year, number])).toEqual(wanted)
})

test('letters before a number tell its series', () => {
  const [note, invoice, isp] = [
    sale(1, -500, { invoice_number: 'CN-2026-00007' }),
    sale(2, 500, { invoice_number: '2026-00007' }),
    sale(3, 900, { invoice_number: 'ISP-2026-00007' }),
  ]
  const known = facts(note, invoice, isp)
  expect(proposed(entry(-500, 'refund CN-2026-00007'), known)).toEqual([true, '1:-500'])
  expect(proposed(entry(500, '2026-00007'), known)).toEqual([true, '2:500'])
  expect(proposed(entry(900, 'ISP-2026-00007'), known)).toEqual([true, '3:900'])
  expect(proposed(entry(900, '2026-00007'), facts(isp))).toEqual([true, '3:900'])
})

test('a day with a number behind it is no invoice beside one that is named', () => {
  const known = facts(sale(44, 10_000), sale(15, 5000))
  expect(proposed(entry(10_000, 'invoice 2026-00044 of 01.11.2026 15 phones'), known)).toEqual([true, '44:10000'])
  expect(proposed(entry(15_000, 'invoice 2026-00044, 15'), known)).toEqual([true, '44:10000', '15:5000'])
})

test.each([
  ['PO-88231', 'order po 88231', 'Somebody', true],
  ['eBay', 'eBay order of Sunday', 'Somebody', false],
  ['eBay', 'eBay order of Sunday', 'Bea Buyer', true],
  ['2026', 'bill of May 2026', 'Somebody', false],
  ['4001', 'order 40-01, 12 phones', 'Somebody', true],
  ['4001', 'customer 5400123', 'Somebody', false],
  ['4001', 'customer 5400123', 'Bea Buyer', true],
  ['PO-88231', 'order po 882319', 'Somebody', false],
])('the reference %j in %j, paid by %s, is sure: %s', (reference_number, text, name, isSure) => {
  expect(proposed(entry(5000, text, { name }), facts(sale(3, 5000, { reference_number })))).toEqual([isSure, '3:5000'])
})

test('the oldest of several sales that fit is proposed, in whichever order they come', () => {
  const known = facts(sale(9, 5000), sale(3, 5000), sale(7, 5000))
  expect(proposed(entry(5000, 'phones', { name: 'Bea Buyer' }), known)).toEqual([false, '3:5000'])
})

test('sure entries take what is open before others, and no cent is proposed twice', () => {
  const known = facts(sale(1, 10_000))
  const found = propose([entry(4000, '2026-00001', { id: 1 }), entry(10_000, '2026-00001', { id: 2 })], known)
  expect(found.get(2)).toMatchObject({ is_sure: true, payments: [{ amount: 10_000, open_amount: 10_000 }] })
  expect(found.get(1)).toMatchObject({ is_sure: false, why: 'Nothing is open on 2026-00001 any more.' })
  const parts = propose([entry(4000, '2026-00001', { id: 1 }), entry(3000, '2026-00001', { id: 2 })], known)
  expect([...parts.values()].map(({ payments }) => payments[0]!.amount)).toEqual([4000, 3000])
})

test.each([
  ['Übermann Handels GmbH', 'UEBERMANN HANDELS GMB', true],
  ['Łukasz Wójcik', 'LUKASZ WOJCIK', true],
  ['Phones B.V.', 'PHONES BV AMSTERDAM', true],
  ['Kringlop Telecom', 'Kringl Telecom', true],
  ['Smith Ltd', 'Smythe Ltd', false],
  ['GmbH', 'Another GmbH', false],
  ['', 'Somebody', false],
])('%s and %s: %s', (one, other, same) => {
  expect(isSameName(one, other)).toBe(same)
})
