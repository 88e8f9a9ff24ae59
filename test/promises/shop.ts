import { expect } from 'vitest'
import { type Answer, type Client, testApp } from '../../packages/server/src/testing/app.ts'
import { chance } from '../../packages/server/src/testing/chance.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import { openShop, type Shop, stockItems } from '../../packages/server/src/testing/shop.ts'

type App = Awaited<ReturnType<typeof testApp>>
export type PromiseShop = App & {
  shop: Shop
  staff: Client
  /** Creates items that can be sold, and returns their ids. */
  items(n: number, columns?: Parameters<typeof stockItems>[3]): Promise<number[]>
  /** Sells items at their prices, without documents unless `more` asks for them. */
  sell(client: Client, ids: readonly number[], more?: object, headers?: Record<string, string>): Promise<Answer>
  rows<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<Row[]>
}

/** The whole server on a database of its own, with a product, a customer and one member of the staff. */
export async function promiseShop(settings: Parameters<typeof testApp>[0] = {}): Promise<PromiseShop> {
  const t = await testApp(settings)
  const shop = await openShop(t.db)
  return {
    ...t,
    shop,
    staff: await t.user(),
    items: (n, columns) => stockItems(t.db, shop, n, columns),
    sell: (client, ids, more = {}, headers = {}) =>
      client.post(
        '/api/sale/create',
        {
          stock_items: ids.map((id) => ({ id })),
          customer_id: shop.customer,
          create_invoice: false,
          send_email: false,
          ...more,
        },
        headers,
      ),
    rows: async (sql, values) => (await t.db.pool.query(sql, values)).rows,
  }
}

/** Checks that nothing in the database contradicts itself, then closes the shop. */
export async function closeSound(t: App): Promise<void> {
  try {
    // A test may have created no administrator, and this is no fault.
    const found = (await contradictionsIn(t.connection)).filter(({ what }) => what !== 'no administrator is left')
    expect(found).toEqual([])
  } finally {
    await t.close()
  }
}

/** How often each status was answered, for example `{ 201: 1, 409: 19 }`. */
export function statuses(answers: readonly Pick<Answer, 'status'>[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** The numbers 0 to n - 1. */
export const range = (n: number) => Array.from({ length: n }, (_, i) => i)

/** The items in a random order, which the seed decides. */
export function shuffled<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, at: chance() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
