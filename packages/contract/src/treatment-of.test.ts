import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { marginVat, netOf } from './sale-total.ts'
import { PURCHASE_TREATMENTS, TREATMENTS, VAT_TYPE_TREATMENTS } from './treatment.ts'
import {
  buyersSide,
  chosen,
  goesToAnotherState,
  type ItemTax,
  type ReverseChargeRule,
  reverseChargeEnds,
  ruleInForce,
  type SaleTax,
  taxWarnings,
  treatmentsOf,
} from './treatment-of.ts'
import { postalCodeProblem, stateOfVatNumber, vatStateOf } from './vat-territory.ts'

const place = (country_code: string | null, postal_code: string | null = null) => ({ country_code, postal_code })
const NL = { ...place('NL', '1012 AB'), vat_number: 'NL810433941B01' }
const LEEDS = place('GB', 'ls1 4dy')
const STANDARD = { rate: 2100, treatment: 'standard' } as const
const phone: ItemTax = { purchase: 'unknown', vat: STANDARD, isReverseChargeGood: true }
const used: ItemTax = { ...phone, purchase: 'margin' }
const dutchRule: ReverseChargeRule = {
  country_code: 'NL',
  valid_from: '2013-01-01',
  valid_to: '2026-12-31',
  threshold: 1_000_000,
  threshold_currency: 'EUR',
  resellers_any: false,
  series: null,
}

const to = (country: string | null, vat_number: string | null, more: Partial<SaleTax> = {}): SaleTax => ({
  seller: NL,
  buyer: { ...place(country), vat_number },
  delivery: null,
  rule: dutchRule,
  ...more,
})
const one = (item: ItemTax, sale: SaleTax, price = 30_000) => treatmentsOf([{ ...item, price }], sale, false)[0]!

describe('how a line is taxed', () => {
  test.each<[string, ItemTax, SaleTax, string, number]>([
    ['a consumer at home', phone, to('NL', null), 'standard', 2100],
    ['a business at home, under the threshold', phone, to('NL', 'NL123456789B01'), 'standard', 2100],
    ['a German business', phone, to('DE', 'DE136695976'), 'intra_community', 0],
    ['a Greek business', phone, to('GR', 'EL094259216'), 'intra_community', 0],
    ['a business in Northern Ireland', phone, to('GB', 'XI123456789'), 'intra_community', 0],
    ['a German consumer', phone, to('DE', null), 'standard', 2100],
    [
      'a German business that wants it delivered at home',
      phone,
      to('DE', 'DE136695976', { delivery: place('NL') }),
      'standard',
      2100,
    ],
    [
      'a Dutch business that wants it in Germany',
      phone,
      to('NL', 'NL123456789B01', { delivery: place('DE') }),
      'standard',
      2100,
    ],
    ['Switzerland', phone, to('CH', 'CHE123456788'), 'export', 0],
    ['the Canary Islands', phone, to('ES', 'ESX1234567X', { delivery: place('ES', '35001') }), 'export', 0],
    ['Heligoland', phone, to('DE', null, { delivery: place('DE', 'D-27498') }), 'export', 0],
    ['London', phone, to('GB', 'GB123456789'), 'export', 0],
    ['Belfast', phone, to('GB', null, { delivery: place('GB', 'BT1 5GS') }), 'standard', 2100],
    ['Leeds, for a business in Northern Ireland', phone, to('GB', 'XI123456789', { delivery: LEEDS }), 'export', 0],
    ['bought under margin, to Leeds', used, to('GB', 'XI123456789', { delivery: LEEDS }), 'export', 0],
    ['Monaco', phone, to('MC', 'FR12345678901'), 'intra_community', 0],
    ['bought under margin, at home', used, to('NL', null), 'margin', 0],
    ['bought under margin, to a German business', used, to('DE', 'DE136695976'), 'margin', 0],
    ['bought under margin, to Switzerland', used, to('CH', null), 'export', 0],
    ['no VAT type', { ...phone, vat: null }, to('NL', null), 'none', 0],
    [
      'a rate of 0 of which nobody has said what it means',
      { ...phone, vat: { rate: 0, treatment: null } },
      to('NL', null),
      'none',
      0,
    ],
    ['zero rate', { ...phone, vat: { rate: 0, treatment: 'zero' } }, to('NL', null), 'zero', 0],
    ['exempt', { ...phone, vat: { rate: 0, treatment: 'exempt' } }, to('NL', null), 'exempt', 0],
    [
      'the margin scheme by its VAT type',
      { ...phone, vat: { rate: 0, treatment: 'margin' } },
      to('NL', null),
      'margin',
      0,
    ],
    [
      'a seller without a country',
      phone,
      to('DE', 'DE136695976', { seller: { ...place(null), vat_number: null } }),
      'standard',
      2100,
    ],
    [
      'a seller without a VAT number',
      phone,
      to('DE', 'DE136695976', { seller: { ...NL, vat_number: null } }),
      'standard',
      2100,
    ],
    ['a buyer without a country', phone, to(null, null), 'standard', 2100],
    ['a number without letters', phone, to('DE', '136695976'), 'standard', 2100],
  ])('%s', (_what, item, sale, treatment, rate) => {
    expect(one(item, sale)).toMatchObject({ treatment, rate })
    expect(one(item, sale).why).toMatch(/^[A-Z].*\.$/)
  })

  test('reverse charge at home is for all such lines once they reach the sum, and for no other line', () => {
    const sale = to('NL', 'NL123456789B01')
    const cable = { ...phone, isReverseChargeGood: false }
    const lines = [
      { ...phone, price: 600_000 },
      { ...phone, price: 399_999 },
      { ...cable, price: 900_000 },
      { ...used, price: 900_000 },
    ]
    const treatments = (given: typeof lines, gross = false) =>
      treatmentsOf(given, sale, gross).map(({ treatment }) => treatment)
    expect(treatments(lines)).toEqual(['standard', 'standard', 'standard', 'margin'])
    lines[1]!.price++
    expect(treatments(lines)).toEqual(['reverse_charge', 'reverse_charge', 'standard', 'margin'])
    // If prices include VAT, the sum without VAT is compared with the threshold.
    expect(treatments(lines, true)).toEqual(['standard', 'standard', 'standard', 'margin'])
    lines[0]!.price += 210_000
    expect(treatments(lines, true)).toEqual(['reverse_charge', 'reverse_charge', 'standard', 'margin'])
    expect(one(phone, { ...sale, seller: { ...NL, vat_number: null } }, 2_000_000).treatment).toBe('standard')
    expect(one(phone, { ...sale, rule: null }, 2_000_000).treatment).toBe('standard')
  })

  test('a rule for resellers, or in another currency, is for a person to apply', () => {
    const sale = to('NL', 'NL123456789B01', { rule: { ...dutchRule, resellers_any: true } })
    expect(one(phone, sale)).toMatchObject({ treatment: 'standard', also: ['reverse_charge'] })
    const foreign = to('NL', 'NL123456789B01', { rule: { ...dutchRule, threshold_currency: 'SEK' } })
    expect(one(phone, foreign, 9_000_000)).toMatchObject({ treatment: 'standard', also: ['reverse_charge'] })
  })
})

describe('a person’s choice', () => {
  const wants = (item: ItemTax, sale: SaleTax, wanted: (typeof TREATMENTS)[number]) =>
    chosen(one(item, sale), item, wanted)

  test('an allowed choice is taken, with its rate', () => {
    expect(wants(phone, to('DE', 'DE136695976'), 'standard')).toMatchObject({ treatment: 'standard', rate: 2100 })
    expect(wants(used, to('NL', null), 'standard')).toMatchObject({ treatment: 'standard', rate: 2100 })
    expect(wants(phone, to('DE', 'DE136695976'), 'standard').problem).toBeUndefined()
  })

  test.each<[string, ItemTax, SaleTax, (typeof TREATMENTS)[number], RegExp]>([
    ['margin for what was not bought so', phone, to('NL', null), 'margin', /not bought under/],
    ['margin for an export', used, to('CH', null), 'margin', /leave the EU’s VAT territory: that is an export/],
    ['intra-Community for margin goods', used, to('DE', 'DE136695976'), 'intra_community', /never/],
    ['intra-Community at home', phone, to('NL', 'DE136695976'), 'intra_community', /another member state/],
    ['intra-Community without a number', phone, to('DE', null), 'intra_community', /VAT number/],
    ['export at home', phone, to('NL', null), 'export', /outside the EU/],
    ['reverse charge under the sum', phone, to('NL', 'NL123456789B01'), 'reverse_charge', /sum/],
    ['VAT where the type has none', { ...phone, vat: null }, to('NL', null), 'standard', /no VAT type with a rate/],
    ['no VAT where the type has one', phone, to('NL', null), 'none', /‘With VAT’ applies/],
  ])('refuses %s', (_what, item, sale, wanted, problem) => {
    expect(wants(item, sale, wanted).problem).toMatch(problem)
  })

  test('a VAT type of the margin scheme on an item that was bought with VAT is a problem by itself', () => {
    const item: ItemTax = { ...phone, purchase: 'standard', vat: { rate: 0, treatment: 'margin' } }
    expect(one(item, to('NL', null)).problem).toMatch(/not bought under/)
  })
})

test('a rule that ends within thirty days is named on the sales under it, by the day of the sale', () => {
  const sale = to('NL', 'NL123456789B01', { rule: { ...dutchRule, valid_to: '2026-12-31' } })
  const decisions = treatmentsOf([{ ...phone, price: 1_000_000 }], sale, false)
  const told = (day: string, lastDay: string | null = '2026-12-31') =>
    taxWarnings(sale, decisions, { day, lastDay }).join(' ')
  expect([told('2026-11-30'), told('2026-12-01'), told('2026-12-31')]).toEqual([
    '',
    expect.stringContaining('ends on 31/12/2026. If these goods leave later, choose VAT'),
    expect.stringContaining('31/12/2026'),
  ])
  expect(told('2026-12-31', null)).toBe('')
  expect(taxWarnings(sale, [], { day: '2026-12-31', lastDay: '2026-12-31' })).toEqual([])
})

test('reverse charge ends with the last of the rules that follow each other without a gap', () => {
  const rule = (valid_from: string, valid_to: string | null, country_code = 'NL') => ({
    ...{ ...dutchRule, valid_from, valid_to, country_code },
  })
  const first = rule('2013-01-01', '2026-12-31')
  const ends = (...rules: ReverseChargeRule[]) => reverseChargeEnds(rules, 'NL', '2026-12-10')
  expect(ends(first)).toBe('2026-12-31')
  expect(ends(rule('2027-01-01', '2028-02-29'), first)).toBe('2028-02-29')
  expect(ends(first, rule('2026-12-01', '2027-03-31'), rule('2027-04-01', null))).toBeNull()
  expect(ends(first, rule('2027-01-02', null))).toBe('2026-12-31')
  expect(ends(first, rule('2027-01-01', null, 'DE'))).toBe('2026-12-31')
  expect(ends(rule('2027-01-01', null))).toBeNull()
  expect(reverseChargeEnds([first], null, '2026-12-10')).toBeNull()
})

test('warnings: a number without letters or of another state, a consumer abroad, proof of a supply', () => {
  const told = (item: ItemTax, sale: SaleTax) => taxWarnings(sale, [one(item, sale)]).join(' ')
  expect(told(phone, to('NL', null))).toBe('')
  expect(told(phone, to('DE', '136695976'))).toMatch(/136695976.*EU country prefix.*no EU VAT number: VAT may be due/s)
  expect(told(phone, to('DE', 'DE136695976'))).toMatch(/proof of transport/)
  expect(told(phone, to('CH', 'CHE123456788'))).toBe('')
  expect(told(phone, to('NL', 'DE136695976'))).toMatch(/stay in your country: check the delivery country/)
  expect(told(phone, to('NL', 'NL123456789B01'))).toBe('')
  expect(told(used, to('NL', 'DE136695976'))).toBe('')
  // A seller without a VAT number need not say why there is no VAT.
  const noType: ItemTax = { ...phone, vat: null }
  expect(told(noType, to('NL', null))).toMatch(/^1 item is sold without VAT, .*: it has no VAT type/)
  expect(told(noType, to('NL', null, { seller: { ...NL, vat_number: null } }))).toBe('')
  const ofAll = (items: ItemTax[], series: string | null) => {
    const sale = to('NL', 'NL123456789B01', { rule: { ...dutchRule, series } })
    const lines = items.map((item) => ({ ...item, price: 1_000_000 }))
    return taxWarnings(sale, treatmentsOf(lines, sale, false)).join(' ')
  }
  expect(ofAll([phone, used], 'ISP')).toMatch(
    /needs invoices of its own \(ISP\): sell the other items in a separate sale/,
  )
  expect([ofAll([phone, phone], 'ISP'), ofAll([used], 'ISP'), ofAll([phone, used], null)]).toEqual(['', '', ''])
})

test('the buyer is at the billing address, and the goods go to the delivery address; one serves for both', () => {
  const [home, abroad] = [
    { ...place('NL', '1012 AB'), city: 'Amsterdam' },
    { ...place('DE', '10115'), city: 'Berlin' },
  ]
  const sides = [buyersSide('X', home, abroad), buyersSide('X', null, abroad), buyersSide('X', home, null)]
  const [inNl, inDe] = [place('NL', '1012 AB'), place('DE', '10115')]
  expect(sides).toEqual([
    { buyer: { ...inNl, vat_number: 'X' }, delivery: inDe },
    { buyer: { ...inDe, vat_number: 'X' }, delivery: inDe },
    { buyer: { ...inNl, vat_number: 'X' }, delivery: inNl },
  ])
  expect(buyersSide(null, null, null)).toEqual({ buyer: { ...place(null), vat_number: null }, delivery: null })
})

test.each([
  [to('DE', null), true],
  [to('NL', 'DE136695976'), false],
  [to('NL', null, { delivery: place('DE', '10115') }), true],
  [to('DE', null, { delivery: place('NL', '1012 AB') }), false],
  [to('CH', null), false],
  [to('ES', null, { delivery: place('ES', '35001') }), false],
  [to(null, null), false],
  [to('DE', null, { seller: { ...place('CH'), vat_number: null } }), false],
  [to('DE', null, { seller: { ...place(null), vat_number: null } }), false],
])('%# whether goods go from one member state to another', (sale, goes) => {
  expect(goesToAnotherState(sale)).toBe(goes)
})

test('a number that VIES did not know is told to whoever sells abroad with VAT', () => {
  const sale = to('DE', 'DE136695976')
  const decisions = [{ ...one(phone, sale), treatment: 'standard' as const }]
  const told = (is_valid: boolean, vat_number = 'DE 136 695 976') => {
    const check = { vat_number, checked_on: '2026-11-01', is_valid, reference: null }
    return taxWarnings(sale, decisions, { checked: { check, day: '2026-11-27', days: 90 } }).join(' ')
  }
  expect(told(false)).toMatch(/the buyer’s VAT number was not valid when VIES was asked: VAT may be due there\.$/)
  expect([told(true), told(false, 'DE811128135')]).toEqual(['', ''])
})

test('the rule in force is the state’s own on that day, the latest of several', () => {
  const rules = [
    dutchRule,
    { ...dutchRule, valid_from: '2020-01-01', threshold: 5 },
    { ...dutchRule, country_code: 'DE' },
  ]
  expect(ruleInForce(rules, 'NL', '2026-12-31')?.threshold).toBe(5)
  expect(ruleInForce(rules, 'NL', '2019-12-31')?.threshold).toBe(1_000_000)
  expect(ruleInForce(rules, 'NL', '2027-01-01')).toBeNull()
  expect(ruleInForce(rules, null, '2026-01-01')).toBeNull()
})

test('places and numbers', () => {
  expect(['FR 97100', '97100'].map((code) => vatStateOf(place('FR', code)))).toEqual(['outside', 'outside'])
  expect(vatStateOf(place('FR', '75009'))).toBe('FR')
  expect(vatStateOf(place('AX', '22100'))).toBe('outside')
  // In the United Kingdom, the VAT number decides only if the postal code does not.
  const british = (code: string | null, number: string | null) => vatStateOf(place('GB', code), number)
  for (const code of ['BT1 5GS', 'bt43 6hn', null, 'Belfast']) expect(british(code, 'XI123456789')).toBe('XI')
  for (const code of ['LS1 4DY', 'b33 8th', 'SW 1']) expect(british(code, 'XI123456789')).toBe('outside')
  expect([british('BT1 5GS', null), british(null, 'GB123456789')]).toEqual(['XI', 'outside'])
  expect(['el 094259216', 'GR094259216', 'de-136.695.976', 'US12', '12345', null].map(stateOfVatNumber)).toEqual([
    'GR',
    null,
    'DE',
    null,
    null,
    null,
  ])
})

test('a rule is in force from its first day on, and without a last day for good', () => {
  const endless = { ...dutchRule, valid_from: '2027-01-01', valid_to: null }
  expect(ruleInForce([endless], 'NL', '2026-12-31')).toBeNull()
  for (const day of ['2027-01-01', '2099-01-01']) expect(ruleInForce([endless], 'NL', day)).toBe(endless)
  const later = { ...endless, valid_from: '2028-01-01' }
  for (const rules of [
    [endless, later],
    [later, endless],
  ])
    expect(ruleInForce(rules, 'NL', '2028-06-01')).toBe(later)
})

test('each decision says its reason whole, and what else may be chosen', () => {
  const margin: ItemTax = { ...phone, vat: { rate: 0, treatment: 'margin' } }
  const zero: ItemTax = { ...phone, vat: { rate: 0, treatment: 'zero' } }
  const business = to('NL', 'NL123456789B01', { rule: { ...dutchRule, threshold: null } })
  expect(one(phone, to('NL', null, { delivery: place('CH') }))).toEqual({
    ...{ treatment: 'export', rate: 0, also: ['standard'] },
    why: 'The goods leave the EU’s VAT territory (destination: Switzerland).',
  })
  expect(one(phone, to('CH', null)).why).toMatch(/ \(destination: Switzerland\)\.$/)
  expect(one(phone, to('ES', null, { delivery: place('ES', '35001') })).why).toMatch(
    / \(destination: Spain, postal code 35001\)\.$/,
  )
  expect(one(phone, to('ES', 'ESA12345674')).why).toMatch(
    /^The goods go to another member state \(destination: Spain\), .* of a member state other than yours\.$/,
  )
  expect(one(margin, to('CH', null)).also).toEqual([])
  expect(one(zero, to('DE', 'DE136695976')).also).toEqual(['zero'])
  expect(one({ ...used, vat: margin.vat }, to('NL', null))).toEqual({
    ...{ treatment: 'margin', rate: 0, why: 'Bought under the margin scheme.', also: [] },
  })
  expect(one(margin, to('NL', null))).toEqual({
    ...{ treatment: 'margin', rate: 0, why: 'Its VAT type is the margin scheme.', also: [] },
  })
  expect(one(zero, to('NL', null))).toEqual({ treatment: 'zero', rate: 0, why: 'As its VAT type says.', also: [] })
  expect(one({ ...phone, vat: { rate: 0, treatment: null } }, to('NL', null)).also).toEqual([])
  expect(one(phone, business, 1).why).toBe('Such goods are sold under reverse charge to businesses in your country.')
  // If the rule has no threshold, its currency does not matter.
  const anySum = { ...dutchRule, threshold: null, threshold_currency: 'SEK' }
  expect(one(phone, { ...business, rule: anySum }, 1).treatment).toBe('reverse_charge')
  expect(one(phone, { ...business, rule: dutchRule }, 1_000_000).why).toMatch(
    /, if they come to 10,000\.00 EUR or more\.$/,
  )
})

test('a choice says so, and leads back to the decision', () => {
  const wanted = (item: ItemTax, sale: SaleTax, treatment: (typeof TREATMENTS)[number]) =>
    chosen(one(item, sale), item, treatment)
  expect(wanted(phone, to('DE', 'DE136695976'), 'standard')).toEqual({
    ...{ treatment: 'standard', rate: 2100, why: 'Chosen by hand.', also: ['intra_community'] },
  })
  expect(wanted(phone, to('DE', 'DE136695976'), 'export').also).toEqual(['intra_community', 'standard'])
  expect(wanted(phone, to('NL', null), 'zero').problem).toBe('‘With VAT’ applies to the item')
})

test('a seller outside the EU, or in an unknown country, neither exports nor supplies to a member state', () => {
  for (const country of [null, 'CH']) {
    const seller = { ...place(country), vat_number: 'CHE123456788' }
    const sale = (buyer: string | null, vat_number: string | null) => to(buyer, vat_number, { seller })
    expect(one(phone, sale('CH', null), 2_000_000).treatment).toBe('standard')
    expect(one(phone, sale('DE', 'DE136695976'), 2_000_000).treatment).toBe('standard')
    expect(taxWarnings(sale('DE', '12'), [one(phone, sale('DE', '12'))])).toEqual([])
    expect(taxWarnings(sale(null, 'DE136695976'), [one(phone, sale(null, 'DE136695976'))])).toEqual([])
  }
})

test('one line of several is enough for a warning', () => {
  const sale = to('NL', 'DE136695976')
  const warned = taxWarnings(sale, [one(used, sale), one(phone, sale)])
  expect(warned).toEqual([expect.stringMatching(/stay in your country: check the delivery country/)])
})

test('reverse charge at home is for goods that stay there and a buyer with a number of that state', () => {
  for (const sale of [
    to('NL', 'DE136695976'),
    to('NL', null),
    to('NL', 'NL123456789B01', { delivery: place('DE') }),
    to('DE', 'DE136695976', { delivery: place('NL') }),
  ])
    expect(one(phone, sale, 2_000_000).treatment).toBe('standard')
})

const anyItem = fc.record<ItemTax & { price: number }>({
  purchase: fc.constantFrom(...PURCHASE_TREATMENTS),
  vat: fc.oneof(
    fc.constant(null),
    fc.constant(STANDARD),
    fc.record({ rate: fc.constant(0), treatment: fc.constantFrom(null, ...VAT_TYPE_TREATMENTS) }),
  ),
  isReverseChargeGood: fc.boolean(),
  price: fc.integer({ min: 0, max: 2_000_000 }),
})
const country = fc.constantFrom(null, 'NL', 'DE', 'CH', 'GB')
const number = fc.constantFrom(null, 'NL123456789B01', 'DE136695976', 'XI123456789', '12')

test('every sale has one treatment for a line, VAT only if it is standard, never margin for other goods', () => {
  fc.assert(
    fc.property(
      fc.array(anyItem, { minLength: 1 }),
      country,
      country,
      number,
      fc.boolean(),
      (lines, seller, buyer, vat_number, gross) => {
        const sale: SaleTax = {
          seller: { ...NL, country_code: seller },
          buyer: { ...place(buyer), vat_number },
          delivery: null,
          rule: dutchRule,
        }
        for (const [n, { treatment, rate, also, problem }] of treatmentsOf(lines, sale, gross).entries()) {
          expect(TREATMENTS).toContain(treatment)
          expect(rate > 0).toBe(treatment === 'standard')
          expect(also).not.toContain(treatment)
          const { purchase } = lines[n]!
          if (treatment === 'margin' && !problem) expect(['margin', 'unknown']).toContain(purchase)
          if (treatment === 'intra_community') expect(purchase).not.toBe('margin')
        }
      },
    ),
  )
})

test('margin VAT is that in the difference, half up, and nothing on a loss', () => {
  expect(marginVat(25_000, 18_000, 2100)).toBe(1215) // 70.00 × 21 / 121 = 12.1487
  expect(marginVat(18_000, 18_000, 2100)).toBe(0)
  expect(marginVat(10_000, 18_000, 2100)).toBe(0)
  fc.assert(
    fc.property(fc.nat(200_000_000), fc.nat(200_000_000), fc.integer({ min: 0, max: 10_000 }), (price, cost, rate) => {
      const margin = BigInt(Math.max(0, price - cost))
      const twice = 2n * margin * BigInt(rate) - 2n * BigInt(marginVat(price, cost, rate)) * BigInt(10_000 + rate)
      expect(twice >= -BigInt(10_000 + rate) && twice < BigInt(10_000 + rate)).toBe(true)
      expect(netOf(price, rate, false)).toBe(price)
    }),
  )
})

test.each([
  ['ES', '35001', 'outside'],
  ['ES', 'E-38 001', 'outside'],
  ['ES', '03501', 'ES'],
  ['ES', '3501', 'ES'],
  ['ES', '350011', 'ES'],
  ['DK', '3900', 'outside'],
  ['DK', 'DK-3992', 'outside'],
  ['DK', 'FO-100', 'outside'],
  ['DK', '1390', 'DK'],
  ['DK', '39', 'DK'],
  ['FR', '98735', 'outside'],
  ['FR', '98000', 'FR'],
  ['FR', '9710', 'FR'],
  ['FI', 'FIN-22100', 'outside'],
  ['FI', '2210', 'FI'],
  ['DE', '27498', 'outside'],
  ['DE', '2749', 'DE'],
  ['GR', '630 87', 'outside'],
  ['IT', '23041', 'outside'],
  ['IT', 'I-22061', 'outside'],
  ['NL', '3501 AB', 'NL'],
])('a postal code counts in the form of its country: %s %j is %s', (country_code, postal_code, state) => {
  expect(vatStateOf({ country_code, postal_code })).toBe(state)
})

test('a postal code that has not the form of its country is warned of if VAT depends on it', () => {
  const problem = (country_code: string, postal_code: string | null) => postalCodeProblem({ country_code, postal_code })
  expect(problem('ES', '3501')).toBe(
    '3501 is not a postal code of Spain: those have five digits. Check the address, since VAT depends on it.',
  )
  expect(problem('DK', '39000')).toMatch('Denmark: those have four digits')
  for (const [country, code] of [
    ['ES', '03501'],
    ['ES', 'E-35001'],
    ['DK', 'FO-100'],
    ['NL', 'x'],
    ['US', '1'],
    ['FR', ''],
    ['FR', null],
  ] as const)
    expect([country, code, problem(country, code)]).toEqual([country, code, null])
  const spanish = place('ES', '3501')
  const sale = to('ES', null, { buyer: { ...spanish, vat_number: null }, delivery: spanish })
  expect(one(phone, sale).treatment).toBe('standard')
  expect(taxWarnings(sale, [])).toEqual([expect.stringContaining('3501 is not a postal code of Spain')])
})
