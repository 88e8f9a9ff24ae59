import { IN_FUTURE } from '@backstock/contract/future-day.ts'
import { STOCK_STATES, type StockState, type StockValue, VALUED_STATES } from '@backstock/contract/stock-value.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { invalid } from '../../http/refusal.ts'
import { single } from '../../lists.ts'

/**
 * The items in stock and their cost at the end of a day of the company's calendar. The trigger that records each move
 * sets its time: a write before midnight counts for the day even if its transaction committed later. Costs are those of
 * that moment. Throws 422 under `at` for a day that has not begun.
 */
export async function stockValue(db: Db, at: string): Promise<StockValue> {
  const { rows: clocks } = await sql<{ time_zone: string; has_begun: boolean; midnight: string; until: string }>`
    select time_zone, ${at}::date <= (now() at time zone time_zone)::date as has_begun,
      midnight, least(midnight, now()::timestamptz(3)) as until
    from company, lateral (select (${at}::date + 1)::timestamp at time zone time_zone as midnight) m`.execute(db)
  const { time_zone, has_begun, midnight, until } = single(clocks)
  if (!has_begun) throw invalid({ at: IN_FUTURE })
  const sums = await sumsBefore(db, midnight)
  const states = STOCK_STATES.map((state) => ({
    state,
    is_valued: VALUED_STATES.some((valued) => valued === state),
    ...(sums.get(state) ?? { items: 0, cost: 0 }),
  }))
  const valued = states.filter(({ is_valued }) => is_valued)
  const total = valued.reduce((sum, { items, cost }) => ({ items: sum.items + items, cost: sum.cost + cost }), {
    items: 0,
    cost: 0,
  })
  return { at, time_zone, until, states, total }
}

/**
 * The items and their cost in each state. Whole days of UTC come from their stored sums, the hours after them from the
 * moves.
 */
async function sumsBefore(db: Db, moment: string): Promise<Map<StockState, { items: number; cost: number }>> {
  const midnightOfUtc = `${moment.slice(0, 10)}T00:00:00Z`
  const { rows } = await sql<{ state: StockState; items: number; cost: number }>`
    with moved as (
      select was, held_was, now_is, held_is, count(*) as n, sum(cost_was) as cost_was, sum(cost_is) as cost_is
      from stock_move where at >= ${midnightOfUtc}::timestamptz and at < ${moment}::timestamptz
      group by was, held_was, now_is, held_is)
    select case when status = 'Sold' and held then 'Sold, not yet dispatched' else status::text end as state,
      sum(n) as items, sum(cost) as cost
    from (
      select status, held, n, cost from stock_day where day < ${midnightOfUtc}::date
      union all select now_is, held_is, n, cost_is from moved where now_is is not null
      union all select was, held_was, -n, -cost_was from moved where was is not null) change
    group by 1`.execute(db)
  return new Map(rows.map(({ state, ...sum }) => [state, sum]))
}
