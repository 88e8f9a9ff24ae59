import { formatMoney, MAX_PRICE } from '@backstock/contract/money.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  decided,
  filled,
  type Item,
  isColumn,
  marginOf,
  type PriceRow,
  pasted,
  rowsOf,
  unpricedIn,
  withSeen,
} from './price-rows.ts'
import { reasons } from './stock-prices.tsx'

const item = (id: number, changes: Partial<Item> = {}): Item => ({
  id,
  actual_product_id: 1,
  product_display_name: 'Phone 1',
  grade_id: 1,
  grade_name: 'A',
  sales_price: 20_000,
  cost: 10_000,
  ...changes,
})
const present = (one: Item) => one.sales_price
const rows = (...items: Item[]) => rowsOf(items, present)
const prices = (all: readonly PriceRow[]) => all.map(({ price }) => price)
const other = { actual_product_id: 2, product_display_name: 'Phone 2' }

test('a rule gives each group one price, of what its items cost on average or are sold for now', () => {
  const given = rows(item(1), item(2, { cost: 11_111, sales_price: null }), item(3, { ...other, sales_price: null }))
  expect(prices(filled(given, { of: 'purchase_price', percent: '35', round: '.00' }))).toEqual([14_300, 13_500])
  expect(prices(filled(given, { of: 'purchase_price', percent: '35', round: 'none' }))).toEqual([14_251, 13_500])
  // A percentage of the sales price gives an item without a sales price no price.
  expect(prices(filled(given, { of: 'sales_price', percent: '-2,5', round: '.99' }))).toEqual([19_499, null])
  expect(prices(filled(given, { of: 'sales_price', percent: 'much', round: 'none' }))).toEqual([null, null])
  expect(unpricedIn(given)).toBe(2)
})

/** Four groups of one item each. */
const four = () =>
  rows(
    item(1),
    item(2, { grade_id: 2, grade_name: 'B' }),
    item(3, other),
    item(4, { ...other, grade_id: null, grade_name: null }),
  )
const pastedPrices = (from: number, text: string) => prices(pasted(four(), from, text).rows)

test('a pasted column fills the groups from the row of the paste on', () => {
  expect(pastedPrices(2, '249,90 EUR\r\n\r\n€ 99\r\n')).toEqual([null, 24_990, null, 9_900])
  expect(pasted(four(), 2, '1\n\n2\n\n')).toMatchObject({ wrong: null, left: null })
  // An empty line does not change the price of its row.
  const { rows: filledRows } = pasted(four(), 1, '1\n2\n3\n4')
  expect(prices(pasted(filledRows, 1, '5\n\n7').rows)).toEqual([500, 200, 700, 400])
})

test.each([
  ['1.249,00', 124_900],
  ['1,249.00 €', 124_900],
  ['1 249,00 €', 124_900],
  ['1\u00a0249,00\u00a0€', 124_900],
  ['1\u202f249,90', 124_990],
  ["1'249.90", 124_990],
  [' 249,9 ', 24_990],
  ['1.000.000', MAX_PRICE],
])('%s is read in one way, in a column and alone', (cell, price) => {
  expect(pastedPrices(1, `999,00 €\n${cell}\n249,00 €`)).toEqual([99_900, price, 24_900, null])
  expect(pastedPrices(1, cell)[0]).toBe(price)
})

test('each price comes back from how spreadsheets write it, and a field takes alone only what it can read itself', () => {
  const styles = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.replace(/[,.]/g, (mark) => (mark === ',' ? '.' : ',')),
  )
  fc.assert(
    fc.property(fc.nat(MAX_PRICE), styles, fc.constantFrom('', '€', 'EUR'), (amount, style, sign) => {
      const cell = `${style(formatMoney(amount))} ${sign}`
      expect(pastedPrices(1, `${cell}\n${cell}`)).toEqual([amount, amount, null, null])
      expect(isColumn(cell)).toBe(sign !== '' || amount >= 100_000)
    }),
  )
  expect(['x', '1.249', '249,90', '249', '249.90\r\n'].map(isColumn)).toEqual([false, false, false, false, false])
  expect(['1\t2', '1\n2', '1.249,00'].map(isColumn)).toEqual([true, true, true])
})

test.each(['x', '1.249', '1,249', '1 249', '12 34,50', '1000001', '-5', '$5', '249,90 zł', '1.249,9.0', '5-6'])(
  'a line %j is no price: it stands in its row, and no other price does',
  (cell) => {
    const { rows: before } = pasted(four(), 1, '1\n2\n3\n4')
    const { rows: after, wrong, left } = pasted(before, 1, `999,00 €\n${cell}\n249,00 €`)
    expect(prices(after)).toEqual([99_900, null, 24_900, 400])
    expect(after.map((row) => row.wrong)).toEqual([null, cell, null, null])
    expect(wrong).toContain('Line 2 of the column cannot be read as one price')
    expect(left).toBe(null)
    expect(decided(after).map(({ set }) => set)).toEqual([99_900, 24_900, 400])
    // A valid price replaces the wrong text.
    expect(pasted(after, 2, '5').rows[1]).toMatchObject({ price: 500, wrong: null })
  },
)

test('the dialog names surplus lines and cells of a pasted column', () => {
  expect(pasted(four(), 4, '1\nx\n3\n')).toMatchObject({
    wrong: null,
    left: 'The pasted column has 2 more lines than there are groups left; those lines were ignored.',
  })
  expect(pasted(four(), 4, '1\n2').left).toBe(
    'The pasted column has 1 more line than there are groups left; that line was ignored.',
  )
  expect(pastedPrices(4, '1\nx\n3')).toEqual([null, null, null, 100])
  const { rows: filledRows } = pasted(four(), 1, '1\n2\n3\n4')
  const columns = pasted(filledRows, 1, 'A\t249\nB\t199\t\n')
  expect(prices(columns.rows)).toEqual([100, 200, 300, 400])
  expect(columns).toMatchObject({ wrong: null, left: expect.stringContaining('2 columns were copied') })
  // A tab before or after a price makes no second column.
  expect(pastedPrices(1, '\t5\t\n\t6')).toEqual([500, 600, null, null])
  const many = Array.from({ length: 8 }, (_, n) => item(n + 1, { actual_product_id: n, product_display_name: `P${n}` }))
  expect(pasted(rows(...many), 1, 'x\n'.repeat(8)).wrong).toContain('Lines 1, 2, 3, 4, 5 and 3 more')
  expect(pasted(rows(...many), 1, 'x\ny').wrong).toContain('Lines 1 and 2 ')
})

test('a new price has a margin over the known cost, and none without one', () => {
  const [known, unknown] = rows(item(1), item(2, { cost: 0 }), item(3, { ...other, cost: 0 }))
  expect(marginOf({ ...known!, price: 20_000 })).toBe('50.00%')
  expect(marginOf({ ...unknown!, price: 20_000 })).toBe('–')
  expect(marginOf(known!)).toBe('–')
  expect(marginOf({ ...known!, price: 8_000 })).toBe('-25.00%')
})

test('each price is sent with when its items had changed last as they were shown', () => {
  const shown = [3, 1, 2].map((id) => ({ id, updated_at: `2026-01-0${id}T00:00:00Z` }))
  expect(withSeen([{ items: [2, 3], set: 5 }], shown)).toEqual([
    { items: [2, 3], set: 5, seen: ['2026-01-02T00:00:00Z', '2026-01-03T00:00:00Z'] },
  ])
})

test('a group’s cost is the average of its known costs, and null without one', () => {
  const given = rows(item(1), item(2, { cost: 0 }), item(3, { ...other, cost: 0 }))
  expect(given.map(({ eachCost }) => eachCost)).toEqual([10_000, null])
  expect(prices(filled(given, { of: 'purchase_price', percent: '35', round: 'none' }))).toEqual([13_500, null])
})

test('the decision names each item of a priced group once, with the price of its group', () => {
  const any = fc.record({
    grade_id: fc.constantFrom(null, 1, 2),
    actual_product_id: fc.integer({ min: 1, max: 3 }),
    sales_price: fc.option(fc.nat(100_000)),
    cost: fc.oneof(fc.constant(0), fc.nat(100_000)),
  })
  fc.assert(
    fc.property(fc.array(any), fc.integer({ min: -50, max: 300 }), (given, percent) => {
      const items = given.map((one, n) =>
        item(n + 1, {
          ...one,
          product_display_name: `Phone ${one.actual_product_id}`,
          grade_name: one.grade_id === null ? null : `G${one.grade_id}`,
        }),
      )
      const all = filled(rowsOf(items, present), { of: 'purchase_price', percent: String(percent), round: 'none' })
      const priced = all.filter(({ eachCost }) => eachCost !== null)
      expect(decided(all).flatMap(({ items: ids }) => ids)).toEqual(
        priced.flatMap(({ items: alike }) => alike.map(({ id }) => id)),
      )
      expect(all.flatMap((row) => row.items).length).toBe(items.length)
      for (const { items: alike, eachCost, price } of all) {
        const costs = alike.flatMap(({ cost }) => cost || [])
        if (eachCost === null) expect([costs, price]).toEqual([[], null])
        else {
          expect(eachCost).toBeGreaterThanOrEqual(Math.min(...costs))
          expect(eachCost).toBeLessThanOrEqual(Math.max(...costs))
          expect(Math.abs(price! - (eachCost * (100 + percent)) / 100)).toBeLessThanOrEqual(0.5)
        }
      }
    }),
  )
})

const changed = { reason: 'It has changed.', count: 1_200, ids: [3, 4] }
const sold = { reason: 'It is sold.', count: 1, ids: [5] }
test.each([
  [0, [], 'Nothing would change. '],
  [0, [sold], 'Nothing would change. 1: It is sold. (#5) Open this again to see them as they are now.'],
  [7, [sold], '1 item stays as it is. 1: It is sold. (#5) Press again to set the others.'],
  [
    7,
    [changed, sold],
    '1,201 items stay as they are. 1,200: It has changed. (#3, #4 …) 1: It is sold. (#5) Press again to set the others.',
  ],
])('if prices would change %j items, and %j refuse, a person reads: %s', (will_change, refused, words) => {
  expect(reasons({ will_change, refused })).toBe(words)
})
