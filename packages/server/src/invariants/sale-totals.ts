import { isDeepStrictEqual } from 'node:util'
import { leftOf, marginVat, saleTotals, type VatTotal } from '@backstock/contract/sale-total.ts'
import type { Treatment } from '@backstock/contract/treatment.ts'
import type pg from 'pg'
import { at, zip } from '../lists.ts'

type StoredLine = {
  id: number
  price: number
  typed: number | null
  rate: number
  treatment: Treatment
  cost: number
  margin_rate: number | null
  margin_vat: number
  /** The refunded part of the typed price. */
  returned_price: number | null
  allowed_price: number
}
type Sale = {
  id: number
  prices_include_vat: boolean
  totals: Totals
  lines: StoredLine[] | null
  vat: VatTotal[] | null
}
type Totals = {
  items: number
  cost: number
  net: number
  gross: number
  returned_cost: number
  returned_net: number
  returned_gross: number
  margin_vat: number
  returned_margin_vat: number
}

export const TOTALS_INVARIANT = "a sale's totals and VAT are those of its items"
const SALES_AT_ONCE = 1000

/** Sums are JSON numbers: even 5,000 items of 1,000,000.00 are exact in them. */
const SALES = `
  select s.id, s.prices_include_vat,
    json_build_object('items', s.total_items, 'cost', s.total_purchase_price, 'net', s.total_sales_price,
      'gross', s.total_sales_price_vat, 'returned_cost', s.returned_cost, 'returned_net', s.returned_sales,
      'returned_gross', s.returned_gross,
      'margin_vat', s.total_margin_vat, 'returned_margin_vat', s.returned_margin_vat) as totals,
    (select json_agg(json_build_object('id', stock_id, 'price', sales_price, 'typed', sales_price_vat, 'rate', vat_rate,
        'treatment', vat_treatment, 'cost', cost, 'margin_rate', margin_rate, 'margin_vat', margin_vat,
        'returned_price', returned_price, 'allowed_price', allowed_price) order by position)
      from sale_item i where i.sale_id = s.id and released is distinct from 'removed') as lines,
    (select json_agg(json_build_object('treatment', treatment, 'rate', rate, 'net', net, 'vat', vat))
      from sale_vat v where v.sale_id = s.id) as vat
  from sale s where s.id > $1 order by s.id limit ${SALES_AT_ONCE}`

/**
 * Computes the totals of every sale again, a thousand sales at a time. Items that a resubmission removed do not count.
 */
export async function* wrongTotals(client: pg.ClientBase): AsyncGenerator<string> {
  for (let last = 0; ; ) {
    const { rows } = await client.query<Sale>(SALES, [last])
    for (const sale of rows) yield* wrongIn(sale)
    if (rows.length < SALES_AT_ONCE) return
    last = at(rows, rows.length - 1).id
  }
}

function* wrongIn({ id, prices_include_vat, totals, lines: found, vat }: Sale): Generator<string> {
  const lines = found ?? []
  const right = saleTotals(
    lines.map(({ price, typed, rate, treatment }) => ({ price: typed ?? price, rate, treatment })),
    prices_include_vat,
  )
  const sum = (of: (line: StoredLine) => number) => lines.reduce((total, line) => total + of(line), 0)
  const left = leftOf(
    lines.map((line) => ({ ...line, price: line.typed ?? line.price })),
    prices_include_vat,
  )
  const wanted: Totals = {
    items: lines.length,
    cost: sum((line) => line.cost),
    net: right.total_sales_price,
    gross: right.total_sales_price_vat,
    returned_cost: sum((line) => line.cost) - left.cost,
    returned_net: right.total_sales_price - left.totals.total_sales_price,
    returned_gross: right.total_sales_price_vat - left.totals.total_sales_price_vat,
    margin_vat: sum((line) => line.margin_vat),
    returned_margin_vat: sum((line) => line.margin_vat) - left.margin_vat,
  }
  if (!isDeepStrictEqual(totals, wanted))
    yield `sale #${id} says ${JSON.stringify(totals)}, its items are ${JSON.stringify(wanted)}`
  if (!isDeepStrictEqual(inOrder(vat ?? []), inOrder(right.vat)))
    yield `sale #${id} says VAT ${JSON.stringify(vat)}, its items have ${JSON.stringify(right.vat)}`
  yield* wrongMargins(id, lines)
  for (const [line, { sales_price }] of zip(lines, right.lines))
    if (line.price !== sales_price || (line.typed !== null) !== prices_include_vat)
      yield `sale #${id}: item #${line.id} is sold for ${line.price} (typed ${line.typed}), it should be ${sales_price}`
}

function* wrongMargins(saleId: number, lines: readonly StoredLine[]): Generator<string> {
  for (const line of lines) {
    const right = marginOf(line, line.price)
    if (line.margin_vat !== right)
      yield `sale #${saleId}: item #${line.id} has ${line.margin_vat} VAT in its margin, it should be ${right}`
  }
}

const marginOf = ({ cost, margin_rate }: StoredLine, price: number) =>
  margin_rate === null ? 0 : marginVat(price, cost, margin_rate)

const inOrder = (vat: VatTotal[]) =>
  vat.toSorted((a, b) => b.rate - a.rate || (a.treatment < b.treatment ? -1 : a.treatment > b.treatment ? 1 : 0))
