import type { Dashboard, Worth } from '@backstock/contract/dashboard.ts'
import { STOCK_AGE_STARTS, STOCK_AGES } from '@backstock/contract/stock-age.ts'
import { isSellable, type StockStatus, UNSOLD_STATUSES } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

const NOTHING: Worth = { items: 0, cost: 0, sales: 0, unpriced: 0 }

const sum = (parts: readonly Worth[]): Worth =>
  parts.reduce(
    (all, one) => ({
      items: all.items + one.items,
      cost: all.cost + one.cost,
      sales: all.sales + one.sales,
      unpriced: all.unpriced + one.unpriced,
    }),
    NOTHING,
  )

/**
 * The unsold items by status, and the sellable ones by age. The query reads only the table of counts, so the number of
 * items does not matter. Ages are those of the stock list's filter.
 */
export async function stockInHand(db: Db): Promise<Pick<Dashboard, 'stock' | 'ages'>> {
  const { rows } = await sql<Worth & { status: StockStatus; nth: number }>`
    with clock as (select time_zone, (now() at time zone time_zone)::date as today from company)
    select status, width_bucket(today - coalesce(bought, (made at time zone time_zone)::date), ${STOCK_AGE_STARTS}::int[]) as nth,
      sum(n) as items, sum(cost) as cost, sum(sales) as sales, sum(unpriced) as unpriced
    from stock_age, clock group by 1, 2`.execute(db)
  const worth = (isMeant: (row: (typeof rows)[number]) => boolean) => sum(rows.filter(isMeant))
  return {
    stock: UNSOLD_STATUSES.map((status) => ({ status, ...worth((row) => row.status === status) })),
    ages: STOCK_AGES.map((age, nth) => ({ age, ...worth((row) => row.nth === nth && isSellable(row.status)) })),
  }
}
