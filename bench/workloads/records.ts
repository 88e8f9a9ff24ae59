import type { Bench } from '../bench.ts'
import type { Exchange } from '../load-client.ts'
import { requests } from './workload.ts'

export const send = (method: 'POST' | 'PUT', path: string, body: object): Exchange => ({
  method,
  path,
  body: JSON.stringify(body),
})
const QUICK_ORDER = 500
const BASKET = 250
const SALE = 100

/** Makes `n` lists of `length` items in stock. They do not overlap as long as there are enough items. */
function slices<Value>(
  { inStock }: Bench,
  n: number,
  length: number,
  value: (item: Bench['inStock'][number]) => Value,
) {
  const starts = Math.max(1, Math.floor(inStock.length / length))
  return Array.from({ length: n }, (_, at) =>
    inStock.slice((at % starts) * length, ((at % starts) + 1) * length).map(value),
  )
}

/** Another price for each edit, so that each edit changes something. */
let price = 10_000

export const records = [
  requests({
    id: 'S6',
    title: `Quick order of ${QUICK_ORDER} IMEIs`,
    asked: { ratio: 1.5, share: 0.6 },
    operations: (bench, side, n) =>
      slices(bench, Math.min(n, 20), QUICK_ORDER - 1, ({ imei }) => imei).map((lines) => [
        send('POST', side === 'limit' ? '/quickOrder' : '/api/stock/quick-order-find', {
          lines: [...lines, '999999999999999'],
        }),
      ]),
  }),
  requests({
    id: 'S7',
    title: 'A stock record with its last 20 log entries',
    asked: { ratio: 3, share: 0.35 },
    operations: ({ busy }, side, n) =>
      busy
        .slice(0, n)
        .map((id) => [{ method: 'GET', path: side === 'limit' ? `/record?id=${id}` : `/api/stock/find?id=${id}` }]),
  }),
  requests({
    id: 'S8',
    title: 'Edit one field, with its log entry',
    asked: { ratio: 3, share: 0.35 },
    writes: true,
    operations: ({ inStock }, side, n) =>
      Array.from({ length: n }, () => {
        const { id } = inStock[++price % inStock.length]!
        return [
          side === 'limit'
            ? send('POST', '/edit', { id, price })
            : send('POST', `/api/stock/${id}/edit`, { sales_price: price }),
        ]
      }),
  }),
  requests({
    id: 'S9',
    title: `Put a basket of ${BASKET} items`,
    asked: { ratio: 2, share: 0.5 },
    operations: (bench, side, n) =>
      slices(bench, Math.min(n, 20), BASKET, ({ id }) => id).map((items) => [
        send('PUT', side === 'limit' ? '/basket?user=:me' : '/api/user/:me/basket', { items }),
      ]),
  }),
  requests({
    id: 'S10',
    title: `A sale of ${SALE} items, without documents`,
    asked: { ratio: 2, share: 0.5 },
    writes: true,
    scarce: true,
    operations: (bench, side, n) => {
      const sales = Math.min(n, Math.floor(bench.inStock.length / SALE))
      return slices(bench, sales, SALE, ({ id }) => id).map((items, at) => [
        side === 'limit'
          ? send('POST', '/sell?user=:me', { items, customer: at + 1 })
          : send('POST', '/api/sale/create', {
              stock_items: items.map((id) => ({ id })),
              ...{ customer_id: at + 1, create_invoice: false, create_excel: false, send_email: false },
            }),
      ])
    },
    settle: async ({ db }) => {
      const before = (await db.query<{ id: number }>('select max(id) as id from sale')).rows[0]!.id
      return () => takeBack(db, before)
    },
  }),
]

/** Voids the new sales, so that their items can be sold again in the next turn. */
async function takeBack(db: Bench['db'], before: number): Promise<void> {
  await db.query(
    `with held as (update sale_item set released = 'voided' where sale_id > $1 and released is null returning stock_id),
      back as (update stock set status = 'In Stock', sale_id = null from held where id = stock_id)
    update sale set status = 'Voided' where id > $1 and status <> 'Voided'`,
    [before],
  )
}
