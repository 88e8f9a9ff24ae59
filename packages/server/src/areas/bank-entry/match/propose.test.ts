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
  ['20.10.26/123', [null, 20, null, 10, null, 26, null, 123]],
  ['2026/12', [2026, 12]],
  ['2026-123456', [2026, 123456]],
  ['2026123456', [2026, 123456]],
  ['123456789', [null, 123456789]],
  ['1 2 3 4', [null, 1, null, 2, null, 3, null, 4]],
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
  // One letter is the end of too many series.
  expect(proposed(entry(500, 'N 2026-00007'), known)).toEqual([true, '2:500'])
  // Without letters, the number means the only sale of two other series that is open.
  const xy = (open_amount: number) => sale(4, open_amount, { invoice_number: 'XY-2026-00007' })
  expect(proposed(entry(900, '2026-00007'), facts(isp, xy(0)))).toEqual([true, '3:900'])
  expect(proposed(entry(900, '2026-00007'), facts(isp, xy(900)))).toEqual([false])
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
  ['4001', 'customer 544001', 'Somebody', false],
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
  // The list may have the newest entry first. The payment that came first is the sure one.
  const twins = propose(
    [2, 1].map((id) => entry(10_000, '2026-00001', { id })),
    known,
  )
  expect([1, 2].map((id) => twins.get(id)!.is_sure)).toEqual([true, false])
  const found = propose([entry(4000, '2026-00001', { id: 1 }), entry(10_000, '2026-00001', { id: 2 })], known)
  expect(found.get(2)).toMatchObject({ is_sure: true, payments: [{ amount: 10_000, open_amount: 10_000 }] })
  expect(found.get(1)).toMatchObject({
    is_sure: false,
    why: 'Another entry here seems to be the payment for 2026-00001.',
  })
  const parts = propose([entry(4000, '2026-00001', { id: 1 }), entry(3000, '2026-00001', { id: 2 })], known)
  expect([...parts.values()].map(({ payments }) => payments[0]!.amount)).toEqual([4000, 3000])
  const refund = sale(1, -500, { invoice_number: 'CN-2026-00001' })
  const twice = propose(
    [entry(-500, 'CN-2026-00001', { id: 1 }), entry(-500, 'CN-2026-00001', { id: 2 })],
    facts(refund),
  )
  expect([...twice.values()]).toEqual([
    expect.objectContaining({ is_sure: true, payments: [expect.objectContaining({ amount: -500 })] }),
    { is_sure: false, payments: [], why: 'Another entry here seems to be the refund for CN-2026-00001.' },
  ])
})

const BEA = { name: 'Bea Buyer' }
const IBAN = 'DE89370400440532013000'
const owned = (...sales: MatchedSale[]): Facts => ({ ...facts(...sales), customersOf: new Map([[IBAN, new Set([3])]]) })
const [five, three] = [sale(3, 5000, { reference_number: 'PO-1' }), sale(4, 3000, { customer_id: 3 })]
const withoutInvoice = { ...facts(five), sales: new Map([[3, { ...five, invoice_number: null }]]) }
const credited = [sale(3, -5000), sale(4, -3000, { customer_id: 3 })] as const
const NONE = 'It names no invoice. '
const ofTwoYears = (earlier: number) =>
  facts(sale(4, earlier, { invoice_number: '2025-00012' }), sale(5, 5000, { invoice_number: '2026-00012' }))

test.each<[why: string, isSure: boolean, payments: string, OpenEntry, Facts]>([
  ['The bank reversed an earlier entry.', false, '', entry(5000, '2026-00003', { is_reversal: true }), facts(five)],
  ['The invoice number and the amount match.', true, '3:5000', entry(5000, '2026-00003'), facts(five)],
  [
    ...(['The invoice numbers and the amount match.', true, '3:5000 4:3000'] as const),
    ...([entry(8000, '2026-00003, 2026-00004'), facts(five, three)] as const),
  ],
  [
    ...(['The invoice numbers and the amount match.', true, '3:5000 4:3000'] as const),
    ...([entry(8000, '2026-00003, 4'), facts(five, three)] as const),
  ],
  [
    'The invoice number matches, but this is 10.00 EUR less than is open: a part payment.',
    ...([false, '3:4000', entry(4000, '2026-00003'), facts(five)] as const),
  ],
  [
    'The invoice number matches, but this is 10.00 EUR more than is open.',
    ...([false, '3:6000', entry(6000, '2026-00003'), facts(five)] as const),
  ],
  [
    'The invoice numbers match, but this is 10.00 EUR less than is open: a part payment.',
    ...([false, '3:5000 4:2000', entry(7000, '2026-00003, 2026-00004'), facts(five, three)] as const),
  ],
  [
    'The invoice numbers match, but this is 40.00 EUR less than is open: a part payment.',
    ...([false, '3:4000', entry(4000, '2026-00003, 2026-00004'), facts(five, three)] as const),
  ],
  [
    ...(['The invoice numbers and the amount match.', true, '3:5000 4:3000 5:2000'] as const),
    ...([entry(10_000, '2026-00003, 4, 5'), facts(five, three, sale(5, 2000))] as const),
  ],
  [
    'The invoice number matches, but this is 40.00 EUR more than is open.',
    ...([false, '3:9000', entry(9000, '2026-00003, 4, 5'), facts(five, three, sale(5, 2000))] as const),
  ],
  [
    'The amount and the end of the invoice number match, but not the payer.',
    ...([false, '3:5000', entry(5000, 'no. 3'), facts(five)] as const),
  ],
  ['The amount and the end of the invoice number match.', true, '3:5000', entry(5000, 'no. 3', BEA), facts(five)],
  [
    'The payer, the amount and the ends of the invoice numbers match.',
    ...([true, '3:5000 4:3000', entry(8000, 'no. 3, no. 4', BEA), facts(five, three)] as const),
  ],
  // Two invoices of the same amount are too many to be sure, even if only one is the payer's.
  [
    ...([`${NONE}The amount and the payer match.`, false, '3:5000', entry(5000, 'no. 3, no. 5', BEA)] as const),
    facts(five, sale(5, 5000, { full_name: 'Ann Other' })),
  ],
  ['No refund is due for 2026-00003.', false, '', entry(-5000, '2026-00003'), facts(five)],
  ['No refund is due for sale #3.', false, '', entry(-5000, '2026-00003'), withoutInvoice],
  [
    'Nothing is open on 2026-00003 any more.',
    false,
    '3:5000',
    entry(5000, '2026-00003'),
    facts({ ...five, open_amount: 0 }),
  ],
  [
    'The reference and the amount match, but not the payer.',
    ...([false, '3:5000', entry(5000, 'eBay order'), facts({ ...five, reference_number: 'eBay' })] as const),
  ],
  // A reference of three characters may be in any text.
  ['', false, '', entry(5000, 'po 1'), facts(five)],
  [`${NONE}The amount and the payer match.`, false, '3:5000', entry(5000, 'phones', BEA), facts(five, three)],
  // The payer may be the person or the company.
  ...[BEA, { name: 'Phones Ltd' }].map((payer): [string, boolean, string, OpenEntry, Facts] => [
    ...([`${NONE}The amount and the payer match.`, false, '3:5000', entry(5000, 'phones', payer)] as const),
    facts({ ...five, company_name: 'Phones Ltd' }),
  ]),
  [
    `${NONE}The amount and the payer match 2 sales; this is the oldest.`,
    ...([false, '3:5000', entry(5000, 'phones', BEA), facts(five, sale(5, 5000))] as const),
  ],
  ['', false, '', entry(3000, 'phones', { iban: IBAN }), owned({ ...three, open_amount: 0 })],
  [
    `${NONE}It is the whole sum that the customer with this IBAN owes.`,
    ...([false, '3:5000 4:3000', entry(8000, 'phones', { iban: IBAN }), owned(five, three, sale(5, 100))] as const),
  ],
  [
    `${NONE}The customer with this IBAN owes another amount.`,
    ...([false, '', entry(1000, 'phones', { iban: IBAN }), owned(five, three)] as const),
  ],
  [
    `${NONE}The customer with this IBAN owes 50.00 EUR.`,
    ...([false, '3:1000', entry(1000, 'phones', { iban: IBAN }), owned(five)] as const),
  ],
  [
    `${NONE}It is the whole sum that the customer with this IBAN is owed.`,
    ...([false, '3:-5000 4:-3000', entry(-8000, 'back', { iban: IBAN }), owned(...credited)] as const),
  ],
  [
    `${NONE}The customer with this IBAN is owed another amount.`,
    ...([false, '', entry(-1000, 'back', { iban: IBAN }), owned(...credited)] as const),
  ],
  [
    `${NONE}The customer with this IBAN is owed 50.00 EUR.`,
    ...([false, '3:-1000', entry(-1000, 'back', { iban: IBAN }), owned(credited[0])] as const),
  ],
  [
    'There is no invoice 2026-99999. The amount and the payer match.',
    ...([false, '3:5000', entry(5000, '2026-99999', BEA), facts(five)] as const),
  ],
  ['There is no invoice 2026-99999.', false, '', entry(5000, '2026-99999'), facts(five)],
  ['There is no invoice CN-2026-99999.', false, '', entry(-5000, 'CN-2026-99999'), facts(five)],
  ['', false, '', entry(5000, 'phones'), owned(five)],
  [
    'The amount and the end of the invoice number match.',
    ...([true, '4:3000', entry(3000, 'no. 4', { iban: IBAN }), owned(five, three)] as const),
  ],
  // Two sales have the amount and the end of their numbers in the text.
  [
    `${NONE}The amount and the payer match 2 sales; this is the oldest.`,
    ...([false, '3:5000', entry(5000, 'no. 3, no. 5', BEA), facts(five, sale(5, 5000))] as const),
  ],
  // The number alone means the only open sale of two years, and neither if both are open.
  [
    'The amount and the end of the invoice number match.',
    ...([true, '5:5000', entry(5000, 'no. 12', BEA), ofTwoYears(0)] as const),
  ],
  ['', false, '', entry(5000, 'no. 12'), ofTwoYears(5000)],
  // Two sales have the reference.
  [
    '',
    false,
    '',
    entry(5000, 'PO-88231'),
    facts(...[3, 5].map((id) => sale(id, 5000, { reference_number: 'PO-88231' }))),
  ],
  ['There is no invoice 2026-99999.', false, '', entry(5000, '2026-99999, 2026-88888'), facts(five)],
])('the reason %j: sure %s, payments %j', (why, isSure, payments, one, known) => {
  const found = propose([one], known).get(one.id)!
  expect({ why: found.why, is_sure: found.is_sure }).toEqual({ why, is_sure: isSure })
  expect(found.payments.map(({ sale_id, amount }) => `${sale_id}:${amount}`).join(' ')).toBe(payments)
})

test.each([
  ['Übermann Handels GmbH', 'UEBERMANN HANDELS GMB', true],
  ['Łukasz Wójcik', 'LUKASZ WOJCIK', true],
  ['Phones B.V.', 'PHONES BV AMSTERDAM', true],
  ['Kringlop Telecom', 'Kringl Telecom', true],
  ['Smith Ltd', 'Smythe Ltd', false],
  ['GmbH', 'Another GmbH', false],
  ['Groß & Sørensen', 'GROSS SORENSEN', true],
  ['Telecom Shop', 'TELE SHOP', true],
  ['Tel Shop', 'Telecom Shop', false],
  ['Telecom Shop', 'Tel Shop', false],
  ['Ed Wu', 'ED WU', false],
  ['', 'Somebody', false],
])('%s and %s: %s', (one, other, same) => {
  expect(isSameName(one, other)).toBe(same)
})
