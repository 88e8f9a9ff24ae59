import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Client, testApp } from '../testing/app.ts'
import { openShop, type Shop, stockItems } from '../testing/shop.ts'
import { untilSomebodyWaits } from '../testing/until-waiting.ts'
import { lock } from './lock.ts'

let t: Awaited<ReturnType<typeof testApp>>
let user: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  user = await t.user()
  shop = await openShop(t.db)
})
afterAll(() => t.close())

/** Makes three records of a kind, of which the first is last on the disk. */
async function three(kind: 'stock' | 'batches' | 'sales'): Promise<{ table: string; ids: number[] }> {
  const items = await stockItems(t.db, shop, 3)
  const made = async (item: number, n: number) =>
    kind === 'batches'
      ? user.post('/api/batch/create', { name: `Batch ${n}` })
      : user.post('/api/sale/create', {
          ...{ stock_items: [{ id: item }], customer_id: shop.customer },
          ...{ create_invoice: false, send_email: false },
        })
  const ids: number[] = []
  if (kind === 'stock') ids.push(...items)
  else for (const [n, item] of items.entries()) ids.push((await made(item, n)).body.data.id)
  const table = { stock: 'stock', batches: 'batch', sales: 'sale' }[kind]
  await t.db.pool.query(`update ${table} set updated_at = updated_at where id = $1`, [ids[0]])
  return { table, ids }
}

test.each(['stock', 'batches', 'sales'] as const)(
  '%s are locked by id, whatever order they are named in: two that want the same never wait for each other',
  async (kind) => {
    const { table, ids } = await three(kind)
    const first = await t.db.pool.connect()
    try {
      await first.query('begin')
      await first.query(`select from ${table} where id = $1 for update`, [ids[0]])
      const second = t.db.write(async (tx) => {
        // An index would return the rows in order anyway. Without indexes, they come in the order in which they are on
        // the disk.
        await sql`set local enable_indexscan = off`.execute(tx)
        await sql`set local enable_bitmapscan = off`.execute(tx)
        return lock(tx, { [kind]: ids.toReversed() })
      })
      await untilSomebodyWaits(t.db)
      // A request that waits for the first row has not locked the others yet.
      const free = await t.db.pool.query(`select id from ${table} where id = any($1) for update skip locked`, [ids])
      expect(free.rows.map(({ id }) => id).toSorted()).toEqual(ids.slice(1))
      await first.query('commit')
      expect([...(await second)[kind].keys()]).toEqual(ids)
    } finally {
      first.release()
    }
  },
)
