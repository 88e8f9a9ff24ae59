import { expect, test } from 'vitest'
import { changesOf, FIELD_NAMES, noValues, type PriceValues, type Values } from './changes.ts'

const price = (more: Partial<PriceValues>) => ({ ...noValues().sales_price, ...more })
const sold = (more: Partial<PriceValues>) => {
  const { changes, problems } = changesOf(['sales_price'], { ...noValues(), sales_price: price(more) })
  return changes?.['sales_price'] ?? problems?.sales_price
}

test('a field that says nothing yet changes nothing, and asks for no preview', () => {
  const { changes, problems } = changesOf(FIELD_NAMES, noValues())
  expect(changes).toBeNull()
  expect(problems).toEqual(Object.fromEntries(FIELD_NAMES.map((field) => [field, ''])))
  expect(changesOf(['status'], { ...noValues(), status: 'In Stock', note: 'not chosen' }).changes).toEqual({
    status: 'In Stock',
  })
})

test('each field sends its own value, and only the sales price can stay above the cost', () => {
  const values: Values = {
    status: 'Deleted',
    location: { text: 'Shelf 3', none: false },
    functional: 'minor faults',
    note: 'Checked',
    purchase_treatment: 'margin',
    network_locked: false,
    grade_id: { id: 1, none: false },
    supplier_id: { id: 2, none: false },
    batch_id: { id: 3, none: false },
    vat_type_id: { id: 4, none: false },
    sales_price: price({ how: 'set', amount: '300' }),
    purchase_price: price({ how: 'set', amount: '200' }),
  }
  const expected = {
    status: 'Deleted',
    sales_price: { set: 30_000, round: 'none', never_below_cost: false },
    location: 'Shelf 3',
    grade_id: 1,
    functional: 'minor faults',
    supplier_id: 2,
    batch_id: 3,
    vat_type_id: 4,
    purchase_treatment: 'margin',
    purchase_price: { set: 20_000, round: 'none' },
    network_locked: false,
    note: 'Checked',
  }
  expect(changesOf(FIELD_NAMES, values).changes).toEqual(expected)
})

test('a purchase price plus an amount or a percentage is rounded, and has no cost below which it stays', () => {
  const bought = (more: Partial<PriceValues>) => {
    const purchase_price: PriceValues = { ...noValues().purchase_price, never_below_cost: true, ...more }
    return changesOf(['purchase_price'], { ...noValues(), purchase_price }).changes?.['purchase_price']
  }
  expect(bought({ how: 'add', amount: '5', round: '.00' })).toEqual({ add: 500, round: '.00' })
  const percent = { percent: 10, round: 'none' }
  expect(bought({ how: 'cost', amount: '10' })).toEqual({ ...percent, of: 'purchase_price' })
  expect(bought({ how: 'sales', amount: '10' })).toEqual({ ...percent, of: 'sales_price' })
})

test('nothing is emptied but on purpose', () => {
  const values = { ...noValues(), supplier_id: { id: null, none: true }, location: { text: 'A', none: true } }
  expect(changesOf(['supplier_id', 'location'], values).changes).toEqual({ supplier_id: null, location: null })
  expect(changesOf(['functional'], { ...noValues(), functional: '' }).changes).toEqual({ functional: null })
  const blank = { ...noValues(), location: { text: ' ', none: false }, note: ' \n' }
  expect(changesOf(['location', 'note'], blank).problems).toEqual({ location: '', note: '' })
})

test.each<[Partial<PriceValues>, unknown]>([
  [
    { amount: '5', round: '.99' },
    { percent: 5, of: 'sales_price', round: '.99', never_below_cost: false },
  ],
  [{ amount: '-2,5' }, { percent: -2.5, of: 'sales_price', round: 'none', never_below_cost: false }],
  [
    { how: 'cost', amount: '35', never_below_cost: true },
    { percent: 35, of: 'purchase_price', round: 'none', never_below_cost: true },
  ],
  [
    { how: 'add', amount: '−10.00' },
    { add: -1000, round: 'none', never_below_cost: false },
  ],
  [
    { how: 'set', amount: '249.90', round: '.99' },
    { set: 24_990, round: 'none', never_below_cost: false },
  ],
  [{ how: 'none', amount: 'x' }, { set: null }],
  [
    { how: 'pasted', pasted: 'BS-1\t10\r\nBS-2\t20' },
    { pasted: ['BS-1\t10', 'BS-2\t20'], never_below_cost: false },
  ],
  [{ how: 'pasted', pasted: ' \n' }, ''],
  [
    { how: 'add', amount: '+10' },
    { add: 1000, round: 'none', never_below_cost: false },
  ],
  [
    { how: 'add', amount: '-1000000' },
    { add: -100_000_000, round: 'none', never_below_cost: false },
  ],
  [{ how: 'add', amount: '-1000000.01' }, 'Must be an amount such as 10.00 or -10.00.'],
  [{ how: 'add', amount: '1000000.01' }, 'Must be an amount such as 10.00 or -10.00.'],
  [
    { how: 'set', amount: '1000000' },
    { set: 100_000_000, round: 'none', never_below_cost: false },
  ],
  [{ how: 'set', amount: '1000000.01' }, 'Must be a price such as 249.90, at most 1,000,000.00.'],
  [{ amount: '-100' }, { percent: -100, of: 'sales_price', round: 'none', never_below_cost: false }],
  [{ amount: '1000' }, { percent: 1000, of: 'sales_price', round: 'none', never_below_cost: false }],
  [{ amount: '1000.01' }, 'Must be a number from -100 to 1000, such as 5 or -2.5.'],
  [{ how: 'set', amount: '-5' }, 'Must not be negative.'],
  [{ how: 'set', amount: 'abc' }, 'Must be a price such as 249.90, at most 1,000,000.00.'],
  [{ how: 'add', amount: '1e3' }, 'Must be an amount such as 10.00 or -10.00.'],
  [{ amount: '-101' }, 'Must be a number from -100 to 1000, such as 5 or -2.5.'],
])('a price with %j', (more, expected) => {
  expect(sold(more)).toEqual(expected)
})
