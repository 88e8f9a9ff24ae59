import type { Selectable } from 'kysely'
import { sql } from 'kysely'
import { type Tx, waitingLess } from '../db/connect.ts'
import type { Tables } from '../db/tables.ts'

export type Locked = {
  stock: Map<number, Selectable<Tables['stock']>>
  batches: Map<number, Selectable<Tables['batch']>>
  sales: Map<number, Selectable<Tables['sale']>>
}

type Table = 'stock' | 'batch' | 'sale'
type Row<Name extends Table> = Selectable<Tables[Name]>
const rows = <Name extends Table, Column extends keyof Row<Name> & string>(
  tx: Tx,
  table: Name,
  ids: readonly number[],
  columns?: readonly Column[],
) =>
  sql<Pick<Row<Name>, Column>>`
    select ${columns ? sql.join(columns.map((column) => sql.ref(column))) : sql`*`}
    from ${sql.table(table)} where id = any(${[...new Set(ids)]}::int[]) order by id for no key update`.execute(tx)
const byId = <Row extends { id: number }>(found: { rows: Row[] } | undefined) =>
  new Map((found?.rows ?? []).map((row) => [row.id, row]))

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
  return waitingLess(tx, async () => {
    const stock = ids.stock?.length ? await rows(tx, 'stock', ids.stock) : undefined
    const batches = ids.batches?.length ? await rows(tx, 'batch', ids.batches) : undefined
    const sales = ids.sales?.length ? await rows(tx, 'sale', ids.sales) : undefined
    return { stock: byId(stock), batches: byId(batches), sales: byId(sales) } as Locked
  })
}

/** `lock` for thousands of items, with these columns alone: an item's further columns may hold a megabyte. */
export async function lockItems<Column extends keyof Row<'stock'>>(
  tx: Tx,
  ids: readonly number[],
  columns: readonly Column[],
): Promise<Map<number, Pick<Row<'stock'>, Column | 'id'>>> {
  if (ids.length === 0) return new Map()
  const wanted = [...new Set<Column | 'id'>(['id', ...columns])]
  return waitingLess(tx, async () => byId(await rows(tx, 'stock', ids, wanted)))
}
