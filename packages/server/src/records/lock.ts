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
 * Locks items, batches and sales. All code must lock them here, in this order and by id, so that no two writes block
 * each other. Lock all items at once, then their batches, then the sales: in one call each, or in one call for all.
 * Never lock items after batches, or batches after sales. Ids that do not exist are missing in the maps. The rows are
 * read after they are locked. Throws PostgreSQL's 55P03, which becomes a 409, after a wait of `LOCK_TIMEOUT_MS`, or
 * sooner if the transaction has waited for its connection.
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

/** Locks items and reads only these columns, because an item's further columns may have a megabyte. */
export async function lockItems<Column extends keyof Row<'stock'>>(
  tx: Tx,
  ids: readonly number[],
  columns: readonly Column[],
): Promise<Map<number, Pick<Row<'stock'>, Column | 'id'>>> {
  if (ids.length === 0) return new Map()
  const wanted = [...new Set<Column | 'id'>(['id', ...columns])]
  return waitingLess(tx, async () => byId(await rows(tx, 'stock', ids, wanted)))
}
