import { sql } from 'kysely'
import { batch } from '../../areas/batch/batch.ts'
import { draftClaimFor } from '../../areas/supplier-claim/items.ts'
import { sendClaim } from '../../areas/supplier-claim/send.ts'
import { settleClaim } from '../../areas/supplier-claim/settle.ts'
import type { Database, Tx } from '../../db/connect.ts'
import type { Actor } from '../../http/session.ts'
import { at, first } from '../../lists.ts'
import { daysAgo, type Happening } from './backdate.ts'
import { runImport } from './run-import.ts'
import { oldestItems } from './sales.ts'
import { BATCHES, SALES } from './sales-data.ts'
import { seededRandom } from './seeded-random.ts'
import type { Shop } from './shop.ts'

/** The events by which batches were made; `ids` collects their ids. One batch was locked a day later. */
export function batches(tx: Tx, shop: Shop, ids: number[]): Happening[] {
  return BATCHES.flatMap(({ days, items, by, name, priority, lockedAfter }, place) => {
    const actor: Actor = { id: at(shop.people, by), name: '', role: 'ROLE_USER' }
    const made: Happening = {
      at: daysAgo(shop.now, days, 14, place * 7),
      async happen() {
        const chosen = await oldestItems(tx, items, seededRandom(500 + place))
        ids[place] = (await batch.create(tx, { name, priority, items: chosen } as never, actor)).id
      },
    }
    if (lockedAfter === undefined) return [made]
    const locked: Happening = {
      at: daysAgo(shop.now, days - lockedAfter, 14),
      async happen() {
        await batch.edit(tx, at(ids, place), { is_locked: true }, actor)
      },
    }
    return [made, locked]
  })
}

/**
 * The events by which devices went back to their suppliers. One supplier has given a credit; other devices still wait
 * to go back.
 */
export function returnsToSuppliers(tx: Tx, shop: Shop): Happening[] {
  const author = { userId: at(shop.people, 3) }
  const claims: number[] = []
  const claim = async (n: number, reason: string) => {
    const items = await oldestItems(tx, n, seededRandom(36))
    const { rows } = await sql<{ supplier_id: number; items: number[] }>`
      select supplier_id, array_agg(id order by id) as items from stock
      where id = any(${items}::int[]) and supplier_id is not null group by supplier_id order by supplier_id`.execute(tx)
    const ids: number[] = []
    for (const { supplier_id, items } of rows) {
      const claimed = items.map((stock_id) => ({ stock_id, reason }))
      ids.push(await draftClaimFor(tx, supplier_id, claimed, author))
    }
    return ids
  }
  return [
    {
      at: daysAgo(shop.now, 36, 16),
      async happen() {
        claims.push(...(await claim(8, 'Not as described')))
        for (const id of claims) await sendClaim(tx, author, id, undefined)
      },
    },
    {
      at: daysAgo(shop.now, 29, 11),
      async happen() {
        const { rows } = await sql<{ id: number; credit: number }>`
          select stock_id as id, cost as credit from supplier_claim_item where claim_id = ${first(claims)}`.execute(tx)
        const settled_on = daysAgo(shop.now, 29, 11).toISOString().slice(0, 10)
        const end = { state: 'settled' as const, settled_on, reference: 'CN-2217', items: rows }
        await settleClaim(tx, author, first(claims), end)
      },
    },
    {
      at: daysAgo(shop.now, 2, 15),
      async happen() {
        await claim(5, 'Faulty')
      },
    },
  ]
}

const COUNTED = ['imei', 'serial_number', 'status']

/**
 * A count of the shelves. Some items were missing, one of them from a sale that awaited dispatch, and two unknown
 * devices were found.
 */
export function shelfCount(db: Database, tx: Tx, shop: Shop, sales: readonly number[]): Happening {
  const attention = SALES.findIndex((sale) => sale.end === 'Requires Attention')
  return {
    at: daysAgo(shop.now, 5, 16, 20),
    async happen() {
      const missing = await oldestItems(tx, 9, seededRandom(5))
      const sold = await tx
        .selectFrom('sale_item')
        .select('stock_id')
        .where('sale_id', '=', at(sales, attention))
        .orderBy('position')
        .limit(1)
        .execute()
      const items = await tx
        .selectFrom('stock')
        .select(['imei', 'serial_number'])
        .where('id', 'in', [...missing, ...sold.map((line) => line.stock_id)])
        .orderBy('id')
        .execute()
      const found = items.map((item) => ({
        imei: item.imei ?? '',
        serial_number: item.serial_number ?? '',
        status: 'Deleted',
      }))
      const unknown = ['ZZ19KM4417', 'ZZ23KM4418'].map((serial_number) => ({ serial_number, status: 'In Stock' }))
      const file = { fileName: 'shelf-count.csv', columns: COUNTED, rows: [...found, ...unknown] }
      await runImport(db, tx, file, { userId: at(shop.people, 2) }, true)
    },
  }
}
