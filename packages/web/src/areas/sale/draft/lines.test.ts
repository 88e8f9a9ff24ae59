import type { StockRow } from '@backstock/contract/stock.ts'
import { expect, test } from 'vitest'
import { changeDraft, type Draft, EMPTY_DRAFT, type KeptLines, keptLines, priceOf, sellable } from './lines.ts'

const item = (id: number, patch: Partial<StockRow> = {}) =>
  ({
    id,
    status: 'In Stock',
    sales_price: 10_000,
    cost: 6_000,
    vat_type_id: 1,
    updated_at: 'a',
    ...patch,
  }) as StockRow

const draftOf = (...items: StockRow[]): Draft => changeDraft(EMPTY_DRAFT, { type: 'items', items })

test('an item that was sold a moment ago comes off the sale, and nothing that was typed or removed is lost', () => {
  let draft = draftOf(item(1), item(2), item(3), item(4))
  draft = changeDraft(draft, { type: 'price', id: 1, price: 11_100, wrong: null })
  draft = changeDraft(draft, { type: 'price', id: 2, price: 22_200, wrong: null })
  draft = changeDraft(draft, { type: 'remove', ids: [3] })
  const before = draft.lines

  const sold = item(2, { status: 'Sold', updated_at: 'b' })
  draft = changeDraft(draft, { type: 'items', items: [item(1), sold, item(3), item(4)] })
  expect(draft.lines.map((line) => [line.id, line.price])).toEqual([
    [1, 11_100],
    [2, 22_200],
    [4, 10_000],
  ])
  expect(sellable(draft.lines).map((line) => line.id)).toEqual([1, 4])
  expect(draft.lines[0]).toBe(before[0])
})

test('one price for all replaces every price, and holds for emptied fields and later items', () => {
  let draft = draftOf(item(1), item(2, { sales_price: null }))
  expect(draft.lines.map(priceOf)).toEqual([10_000, null])
  draft = changeDraft(draft, { type: 'price for all', price: 19_999 })
  draft = changeDraft(draft, { type: 'price', id: 1, price: null, wrong: null })
  draft = changeDraft(draft, { type: 'items', items: [item(1), item(2, { sales_price: null }), item(5)] })
  expect(draft.lines.map(priceOf)).toEqual([19_999, 19_999, 19_999])
})

test('text that is no price counts at once, until it is corrected or replaced by one price for all', () => {
  const wrong = ({ lines }: Draft) => lines.map((line) => line.wrong)
  let draft = changeDraft(draftOf(item(1), item(2)), { type: 'price', id: 1, price: null, wrong: '1,249.00' })
  expect(wrong(draft)).toEqual(['1,249.00', null])
  draft = changeDraft(draft, { type: 'items', items: [item(1, { updated_at: 'b' }), item(2)] })
  expect(wrong(draft)).toEqual(['1,249.00', null])
  expect(wrong(changeDraft(draft, { type: 'price for all', price: 19_999 }))).toEqual([null, null])
  draft = changeDraft(draft, { type: 'price', id: 1, price: 124_900, wrong: null })
  expect(wrong(draft)).toEqual([null, null])
  expect(draft.lines.map(priceOf)).toEqual([124_900, 10_000])
})

test('prices by group replace each typed text of their lines, and leave all other lines as they are', () => {
  let draft = changeDraft(draftOf(item(1), item(2), item(3)), { type: 'price', id: 1, price: null, wrong: '1,249.00' })
  draft = changeDraft(draft, { type: 'price', id: 3, price: null, wrong: '5O0' })
  const next = changeDraft(draft, { type: 'prices', prices: new Map([[1, 9_900]]) })
  expect(next.lines.map(({ price, wrong, fallback }) => [price, wrong, fallback])).toEqual([
    [9_900, null, 10_000],
    [10_000, null, 10_000],
    [null, '5O0', 10_000],
  ])
  expect([next.lines[1] === draft.lines[1], next.lines[2] === draft.lines[2]]).toEqual([true, true])
})

test('an unchanged item keeps its very line; a changed one keeps its typed price', () => {
  let draft = draftOf(item(1), item(2), item(3))
  const [first, second, third] = draft.lines
  draft = changeDraft(draft, { type: 'price', id: 2, price: null, wrong: '5O0' })
  expect([draft.lines[0], draft.lines[2]]).toEqual([first, third])
  expect(draft.lines[0]).toBe(first)
  expect(draft.lines[1]).toEqual({ ...second, price: null, wrong: '5O0' })
  const items = [item(1), item(2, { updated_at: 'b' }), item(3, { status: 'In Batch' }), item(4)]
  const next = changeDraft(draft, { type: 'items', items })
  expect(next.lines[0]).toBe(first)
  expect(next.lines.map(({ id, status, updated_at, price, wrong }) => [id, status, updated_at, price, wrong])).toEqual([
    [1, 'In Stock', 'a', 10_000, null],
    [2, 'In Stock', 'b', null, '5O0'],
    [3, 'In Batch', 'a', 10_000, null],
    [4, 'In Stock', 'a', 10_000, null],
  ])
})

test('one price for all holds for later items too, and after a typed price is removed', () => {
  let draft = changeDraft(draftOf(item(1)), { type: 'price for all', price: 700 })
  draft = changeDraft(draft, { type: 'items', items: [item(1), item(2)] })
  draft = changeDraft(draft, { type: 'price', id: 2, price: null, wrong: null })
  expect(draft.onePrice).toBe(700)
  expect(draft.lines.map(priceOf)).toEqual([700, 700])
})

test('a line that was taken off stays off, however often its item comes', () => {
  let draft = changeDraft(draftOf(item(1), item(2), item(3)), { type: 'remove', ids: [1] })
  expect(draft.lines.map(({ id }) => id)).toEqual([2, 3])
  draft = changeDraft(draft, { type: 'remove', ids: [2] })
  draft = changeDraft(draft, { type: 'items', items: [item(1), item(2), item(3)] })
  expect([draft.lines.map(({ id }) => id), [...draft.removed]]).toEqual([[3], [1, 2]])
  expect(EMPTY_DRAFT).toEqual({ lines: [], removed: new Set(), onePrice: null })
})

test('a treatment that was chosen stays through everything, and is taken back by none', () => {
  const wanted = ({ lines }: Draft) => lines.map((line) => line.wanted)
  const before = draftOf(item(1), item(2), item(3))
  let draft = changeDraft(before, { type: 'treatment', ids: new Set([1, 2]), treatment: 'standard' })
  expect(wanted(draft)).toEqual(['standard', 'standard', undefined])
  expect(draft.lines[2]).toBe(before.lines[2])
  const again = changeDraft(draft, { type: 'treatment', ids: new Set([1]), treatment: 'standard' })
  expect(again.lines[0]).toBe(draft.lines[0])
  draft = changeDraft(draft, { type: 'items', items: [item(1, { updated_at: 'b' }), item(2), item(3)] })
  draft = changeDraft(draft, { type: 'price for all', price: 700 })
  expect(wanted(draft)).toEqual(['standard', 'standard', undefined])
  expect(wanted(changeDraft(draft, { type: 'treatment', ids: new Set([1, 3]), treatment: undefined }))).toEqual([
    undefined,
    'standard',
    undefined,
  ])
})

const reopened = (kept: KeptLines, ...items: StockRow[]) => changeDraft(draftOf(...items), { type: 'restore', kept })
const pricesOf = ({ lines }: Draft) => lines.map(({ id, price }) => [id, price])
/** The kept lines as the browser gives them back. */
const throughJson = (kept: KeptLines): KeptLines => JSON.parse(JSON.stringify(kept))

test('a draft brings back what was typed; a price that nobody typed is today’s', () => {
  let draft = draftOf(item(1), item(2), item(3), item(4), item(5))
  draft = changeDraft(draft, { type: 'price', id: 1, price: 11_100, wrong: null })
  draft = changeDraft(draft, { type: 'price', id: 2, price: null, wrong: null })
  draft = changeDraft(draft, { type: 'treatment', ids: new Set([3]), treatment: 'standard' })
  draft = changeDraft(draft, { type: 'remove', ids: [5] })
  const kept = throughJson(keptLines(draft))
  expect(kept.prices).toEqual([
    [1, 11_100],
    [2, null],
    [3, 'usual', 'standard'],
  ])
  const dearer = [1, 2, 3, 4, 5].map((id) => item(id, { sales_price: 12_000, updated_at: 'b' }))
  const back = reopened(kept, ...dearer)
  expect(pricesOf(back)).toEqual([
    [1, 11_100],
    [2, null],
    [3, 12_000],
    [4, 12_000],
  ])
  expect(back.lines.map(priceOf)).toEqual([11_100, 12_000, 12_000, 12_000])
  expect(back.lines.map(({ wanted }) => wanted)).toEqual([undefined, undefined, 'standard', undefined])
})

test('one price for all comes back for each line that has no other', () => {
  let draft = changeDraft(draftOf(item(1), item(2)), { type: 'price for all', price: 700 })
  draft = changeDraft(draft, { type: 'price', id: 2, price: 800, wrong: null })
  const back = reopened(throughJson(keptLines(draft)), item(1), item(2), item(3))
  expect(back.lines.map(priceOf)).toEqual([700, 800, 700])
})

test('if an item’s own price changes while the sale is open, its line follows unless a price was typed', () => {
  let draft = draftOf(item(1), item(2), item(3, { sales_price: null }))
  draft = changeDraft(draft, { type: 'price', id: 2, price: 500, wrong: null })
  const dearer = [1, 2, 3].map((id) => item(id, { sales_price: 12_000, updated_at: 'b' }))
  draft = changeDraft(draft, { type: 'items', items: dearer })
  expect(pricesOf(draft)).toEqual([
    [1, 12_000],
    [2, 500],
    [3, 12_000],
  ])
})

test('typed prices of items that another list of the same sale lacks stay kept', () => {
  const prices = new Map([1, 2, 3].map((id) => [id, id * 100] as const))
  const typed = changeDraft(draftOf(item(1), item(2), item(3)), { type: 'prices', prices })
  const kept = throughJson(keptLines(typed))
  let shorter = reopened(kept, item(1), item(2))
  shorter = changeDraft(shorter, { type: 'price', id: 1, price: 999, wrong: null })
  shorter = changeDraft(shorter, { type: 'remove', ids: [2] })
  expect(keptLines(shorter, kept.prices)).toEqual({
    prices: [
      [3, 300],
      [1, 999],
    ],
    removed: [2],
    onePrice: null,
  })
})

test('a draft of version 1.0.0, which kept the price of each line, comes back as it was', () => {
  const prices: KeptLines['prices'] = [
    [1, 10_000],
    [2, null, 'standard'],
    [3, 500],
  ]
  const dearer = item(1, { sales_price: 12_000 })
  const back = reopened({ prices, removed: [4], onePrice: null }, dearer, item(2), item(3), item(4))
  expect(pricesOf(back)).toEqual([
    [1, 10_000],
    [2, null],
    [3, 500],
  ])
  expect(back.lines.map(({ wanted }) => wanted)).toEqual([undefined, 'standard', undefined])
})

test('a text that is no price comes back as it was typed, and its line has no price', () => {
  let draft = draftOf(item(1), item(2), item(3))
  draft = changeDraft(draft, { type: 'price', id: 1, price: null, wrong: '1,249.00' })
  draft = changeDraft(draft, { type: 'treatment', ids: new Set([1]), treatment: 'standard' })
  draft = changeDraft(draft, { type: 'price', id: 2, price: null, wrong: '5O0' })
  const kept = throughJson(keptLines(draft))
  expect(kept.prices).toEqual([
    [1, null, 'standard', '1,249.00'],
    [2, null, null, '5O0'],
  ])
  const back = reopened(kept, item(1), item(2), item(3))
  expect(back.lines.map(({ wrong, wanted }) => [wrong, wanted])).toEqual([
    ['1,249.00', 'standard'],
    ['5O0', undefined],
    [null, undefined],
  ])
  expect(back.lines.map(priceOf)).toEqual([null, null, 10_000])
})
