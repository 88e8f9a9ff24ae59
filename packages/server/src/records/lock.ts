import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { type Tx, waitingLess } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'

export type Locked = {
  stock: Map<number, Selectable<Tables['stock']>>
  batches: Map<number, Selectable<Tables['batch']>>
  sales: Map<number, Selectable<Tables['sale']>>
}

const rows = <Table extends 'stock' | 'batch' | 'sale'>(tx: Tx, table: Table, ids: readonly number[]) =>
  sql<Selectable<Tables[Table]>>`
    select * from ${sql.table(table)} where id = any(${[...new Set(ids)]}::int[]) order by id for no key update`.execute(
    tx,
  )

/**
 * Stock, batches and sales are locked here alone, always in this order and each by id, so that no two writes wait for
 * each other in a circle. Ask for all items at once, then for their batches, then for the sales: in one call each, or
 * in one call for all. Never ask for items after batches, or for batches after sales. Ids that do not exist are missing
 * from the maps. Rows are as they are once they are locked. Throws PostgreSQL's 55P03, which becomes a 409, after
 * `LOCK_TIMEOUT_MS` of waiting, or sooner after a wait for the connection.
 */
export async function lock(
  tx: Tx,
  ids: { stock?: readonly number[]; batches?: readonly number[]; sales?: readonly number[] },
): Promise<Locked> {
  const byId = <Row extends { id: number }>(found: { rows: Row[] } | undefined) =>
    new Map((found?.rows ?? []).map((row) => [row.id, row]))
  return waitingLess(tx, async () => {
    const stock = ids.stock?.length ? await rows(tx, 'stock', ids.stock) : undefined
    const batches = ids.batches?.length ? await rows(tx, 'batch', ids.batches) : undefined
    const sales = ids.sales?.length ? await rows(tx, 'sale', ids.sales) : undefined
    return { stock: byId(stock), batches: byId(batches), sales: byId(sales) } as Locked
  })
}
