import { CURRENCY } from '@backstock/contract/money.ts'
import { fxRateProblem } from '@backstock/contract/purchase-currency.ts'
import type { Db } from '../../db/connect.ts'
import type { StockColumns } from './columns.ts'

type Priced = Pick<StockColumns, 'purchase_currency' | 'fx_rate'>

/**
 * The rate of an item once something is `said` of it, and what is wrong with that. One that was left from another
 * currency goes.
 */
export function settledRate(
  before: Priced | null | undefined,
  { purchase_currency, fx_rate }: Priced,
  said: { fx_rate?: number | null | undefined },
): { fx_rate: number | null; problem: string | null } {
  const isLeft = before != null && before.purchase_currency !== purchase_currency && said.fx_rate === undefined
  const rate = isLeft ? null : fx_rate
  return { fx_rate: rate, problem: fxRateProblem(purchase_currency, rate) }
}

/** The rate of the item that was entered last in this currency; null if there is none. */
export async function lastRate(db: Db, currency: string): Promise<number | null> {
  if (currency === CURRENCY) return null
  const last = await db
    .selectFrom('stock')
    .select('fx_rate')
    .where('purchase_currency', '=', currency)
    .where('fx_rate', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.fx_rate ?? null
}
