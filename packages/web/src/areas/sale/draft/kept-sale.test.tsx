import { at } from '@backstock/contract/lists.ts'
import { StockRow } from '@backstock/contract/stock.ts'
import { expect, test } from 'vitest'
import { blank } from '../../../testing/blank.ts'
import { drawn } from '../../../testing/drawn.tsx'
import { NO_CUSTOMER } from './customer.tsx'
import { type SaleDraft, useKeptSale } from './kept-sale.ts'
import { DEFAULT_OPTIONS } from './options.tsx'

const typed = { ...NO_CUSTOMER.typed, customer_last_name: 'Kern', customer_city: 'Bonn' }
const options = { ...DEFAULT_OPTIONS, reference_number: 'PO 5', create_excel: true, invoice_lang: 'de' }
const kept = (items: number[], batch: number | null, said: object = {}) => ({
  ...{ items, batch, customer: { isNew: true, id: 7, typed }, options },
  lines: { prices: items.map((id) => [id, id * 100]), removed: [], onePrice: 900 },
  ...said,
})

/** The new sale of these items, with the drafts that the browser keeps. */
async function saleOf(ids: number[], fromBatch: number | null, drafts: object[]): Promise<SaleDraft> {
  const items = ids.map((id) => blank(StockRow, { id, status: 'In Stock', sales_price: 20_000 }))
  const source = { items, facts: undefined, vats: [], batch: null, fromBatch, handed: ids }
  const found: SaleDraft[] = []
  function Part() {
    found.push(useKeptSale(source, { onKept: () => {}, onDiscard: () => {} }))
    return null
  }
  const names = drafts.map((draft, n) => [`draft sale ${n + 1} 1`, draft] as const)
  await drawn(<Part />, { kept: Object.fromEntries(names) })
  return at(found, found.length - 1)
}
const pricesOf = ({ draft }: SaleDraft) => draft.lines.map(({ id, price }) => [id, price])

test('a draft brings back its customer, its options and its prices', async () => {
  const sale = await saleOf([1, 2], 5, [kept([1, 2], 5)])
  expect([sale.customer, sale.options]).toEqual([{ isNew: true, id: 7, typed }, options])
  expect([pricesOf(sale), sale.draft.onePrice]).toEqual([
    [
      [1, 100],
      [2, 200],
    ],
    900,
  ])
})

test('a draft of an earlier version has what it lacks as a new sale has it', async () => {
  const customer = { isNew: false, id: 7 }
  const sale = await saleOf([1], null, [kept([1], null, { customer, options: { includeVat: true } })])
  expect(sale.customer).toEqual({ ...NO_CUSTOMER, id: 7 })
  expect(sale.options).toEqual({ ...DEFAULT_OPTIONS, includeVat: true })
})

test('a sale from another batch, or of other items, begins without the draft', async () => {
  for (const [ids, batch] of [
    [[1, 2], null],
    [[1, 2], 6],
    [[3, 4], 5],
  ] as const) {
    const sale = await saleOf([...ids], batch, [kept([1, 2], 5)])
    expect([sale.customer, sale.options]).toEqual([NO_CUSTOMER, DEFAULT_OPTIONS])
    expect(pricesOf(sale)).toEqual(ids.map((id) => [id, 20_000]))
  }
})

test('the draft of this batch is taken, and not a newer one from elsewhere', async () => {
  const sale = await saleOf([1, 2], 5, [kept([1, 2], 5), kept([1, 2], null, { customer: NO_CUSTOMER })])
  expect(sale.customer).toEqual({ isNew: true, id: 7, typed })
})

test('lines that were removed from another list of items are back, and those of this list are not', async () => {
  const draft = kept([1, 2, 3], null, { lines: { prices: [[1, 100]], removed: [2], onePrice: null } })
  expect(pricesOf(await saleOf([3, 2, 1], null, [draft]))).toEqual([
    [3, 20_000],
    [1, 100],
  ])
  expect(pricesOf(await saleOf([1, 2], null, [draft]))).toEqual([
    [1, 100],
    [2, 20_000],
  ])
})
