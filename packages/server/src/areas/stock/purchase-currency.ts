import { CURRENCY } from '@backstock/contract/money.ts'
import { fxRateProblem } from '@backstock/contract/purchase-currency.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { StockColumns } from './columns.ts'

type Priced = Pick<StockColumns, 'purchase_currency' | 'fx_rate'>

/**
 * The exchange rate of an item after the input `said`, and the errors in it. A rate that belongs to an earlier currency
 * is dropped.
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

export type LastRate = { rate: string; date: string }

/** The exchange rate of the newest item in each of these currencies, with its purchase date. */
export async function lastRates(db: Db, currencies: readonly string[]): Promise<Map<string, LastRate>> {
  if (currencies.length === 0) return new Map()
  const { rows } = await sql<LastRate & { currency: string }>`
    select c.currency, trim_scale(s.fx_rate)::text as rate,
      coalesce(s.purchase_date, (s.created_at at time zone (select time_zone from company))::date)::text as date
    from unnest(${currencies}::text[]) c (currency) cross join lateral (
      select fx_rate, purchase_date, created_at from stock
      where purchase_currency = c.currency and fx_rate is not null order by id desc limit 1) s`.execute(db)
  return new Map(rows.map(({ currency, ...last }) => [currency, last]))
}

/** The exchange rate of the newest item in this currency; null if there is none. */
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
