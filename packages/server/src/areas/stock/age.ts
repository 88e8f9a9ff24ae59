import { STOCK_AGE_STARTS, STOCK_AGES, type StockAge } from '@backstock/contract/stock-age.ts'
import { type RawBuilder, sql } from 'kysely'

const zone = sql`(select time_zone from company)`
const today = sql`(select (now() at time zone time_zone)::date from company)`
/** SQL for the days since the item `s` was bought, or since its record was made if it has no purchase date. */
export const daysHere: RawBuilder<number> = sql<number>`(
  ${today} - coalesce(s.purchase_date, (s.created_at at time zone ${zone})::date))`
const nth = sql`width_bucket(${daysHere}, ${STOCK_AGE_STARTS}::int[])`

/** SQL for the index of an item's age in STOCK_AGES. `s` is the item. Days are those of the company's time zone. */
export const ageOf: RawBuilder<number> = sql<number>`${nth}`

/** The condition that the item `s` has one of these ages. */
export const hasAge = (ages: readonly StockAge[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(ages.map(isOfAge), sql` or `)})`

function isOfAge(age: StockAge): RawBuilder<unknown> {
  const nth = STOCK_AGES.indexOf(age)
  const from = STOCK_AGE_STARTS[nth - 1]
  const until = STOCK_AGE_STARTS[nth]
  const bounds = [
    ...(from === undefined ? [] : [sql`${daysHere} >= ${from}`]),
    ...(until === undefined ? [] : [sql`${daysHere} < ${until}`]),
  ]
  return sql`(${sql.join(bounds, sql` and `)})`
}
