import { setTimeout as delay } from 'node:timers/promises'
import { chance } from '../../packages/server/src/testing/chance.ts'
import { imeiOfItem, type LoadShop } from './load-shop.ts'
import type { Answer, Staff } from './load-staff.ts'

/** The average pause between two actions of a person. */
const THINKING_MS = 3000

export type Measured = { requests: number; p50: number; p95: number; p99: number; unexpected: string[] }

const anyOf = (n: number) => Math.floor(chance() * n)

/** The actions of a person, each with its share in percent. Each action returns its answers. */
function habits(shop: LoadShop, me: Staff, mine: number[]): [weight: number, act: () => Promise<Answer[]>][] {
  const get = (path: string) => me.call('GET', path)
  /** The requests when a screen opens: its data, the session and the basket. */
  const open = (path: string) => Promise.all([get(path), get('/api/auth'), get(`/api/user/${me.id}/basket`)])
  const one = async (answer: Promise<Answer>) => [await answer]
  const item = () => mine[anyOf(mine.length)]!
  const newest = '/api/stock/find?list=true&status=In%20Stock'
  return [
    [15, () => open(`${newest}&order_by=id_desc&page=${1 + anyOf(5)}&per_page=25`)],
    [15, () => open(`${newest}&order_by=sales_price_asc&page=${1 + anyOf(50)}`)],
    [15, () => one(get(`${newest}&search=${imeiOfItem(anyOf(shop.items.length)).slice(4, 12)}`))],
    [
      5,
      () => Promise.all(['stock', 'sale', 'customer'].map((area) => get(`/api/${area}/find?quick=true&search=phone`))),
    ],
    [20, () => open(`/api/stock/find?id=${item()}`)],
    [5, () => open('/api/sale/find?list=true&status=New,Requires%20Attention')],
    [5, () => open('/api/customer/find?list=true')],
    [10, () => one(me.call('PUT', `/api/user/${me.id}/basket`, { body: { items: mine.slice(0, 1 + anyOf(10)) } }))],
    [7, () => one(me.call('POST', `/api/stock/${item()}/edit`, { body: { sales_price: 30_000 + anyOf(5000) } }))],
    [3, () => one(me.call('POST', '/api/sale/create', { body: saleOf(shop, mine.splice(0, 1 + anyOf(5))) }))],
  ]
}

/** Draws an action by its weight. */
function chosen<Act>(all: readonly [weight: number, act: Act][]): Act {
  let left = anyOf(100)
  for (const [weight, act] of all) {
    if (left < weight) return act
    left -= weight
  }
  throw new Error('The weights are no hundred')
}

const saleOf = (shop: LoadShop, items: number[]) => ({
  stock_items: items.map((id) => ({ id })),
  customer_id: shop.customer,
  create_invoice: true,
  send_email: true,
})

/**
 * Everybody works until `done` resolves: they look at lists, search, open records, fill baskets, edit, and sell items
 * that nobody else sells.
 */
export async function work(shop: LoadShop, done: Promise<unknown>): Promise<Measured> {
  let isOver = false
  const times: number[] = []
  const unexpected: string[] = []
  const inStock = await shop.rows<{ id: number }>(`select id from stock where status = 'In Stock'`)
  const unsold = new Set(inStock.map(({ id }) => id))
  const day = async (me: Staff, n: number) => {
    const share = Math.floor(shop.items.length / shop.staff.length)
    const mine = shop.items.slice(n * share, (n + 1) * share).filter((id) => unsold.has(id))
    const all = habits(shop, me, mine)
    await delay(anyOf(THINKING_MS))
    while (!isOver) {
      const heard = await chosen(all)().catch((error: Error) => {
        unexpected.push(String(error))
        return []
      })
      for (const { ms, status, body, headers } of heard) {
        times.push(ms)
        // If two people want the same row, one of them may be asked to try again.
        const tryAgain = status === 409 && headers['retry-after'] !== undefined
        if (status >= 300 && !tryAgain) unexpected.push(`${status} ${JSON.stringify(body)}`)
      }
      await Promise.race([delay(THINKING_MS * (0.5 + chance())), done])
    }
  }
  const days = Promise.all(shop.staff.map(day))
  await Promise.race([
    done.finally(() => {
      isOver = true
    }),
    days,
  ])
  await days
  return { ...measure(times), unexpected }
}

export function measure(times: readonly number[]): Omit<Measured, 'unexpected'> {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { requests: times.length, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

/** The measured times in one line: `4812 requests, p50 3.1, p95 9.0, p99 20.3 ms`. */
export const told = ({ requests, p50, p95, p99 }: Omit<Measured, 'unexpected'>) =>
  `${requests} requests, p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)}, p99 ${p99.toFixed(1)} ms`
