import type { StockRow } from '@backstock/contract/stock.ts'
import type { Db } from '../db/connect.ts'

/** The items of a user's basket, in its order. */
export async function basketItems(_db: Db, _userId: number): Promise<StockRow[]> {
  return []
}
