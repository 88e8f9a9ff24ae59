import { STOCK_AGE_STARTS, STOCK_AGES, type StockAge } from '@backstock/contract/stock-age.ts'
import { type RawBuilder, sql } from 'kysely'

const zone = sql`(select time_zone from company)`
const today = sql`(select (now() at time zone time_zone)::date from company)`
/** Days since the stock item that the query calls `s` was bought, else since its record was made. */
export const daysHere: RawBuilder<number> = sql<number>`(
  ${today} - coalesce(s.purchase_date, (s.created_at at time zone ${zone})::date))`
const nth = sql`width_bucket(${daysHere}, ${STOCK_AGE_STARTS}::int[])`

/** The place in STOCK_AGES of a stock item that the query calls `s`; days are those of the company's time zone. */
export const ageOf: RawBuilder<number> = sql<number>`${nth}`

/** Whether `s` has one of these ages. */
export const hasAge = (ages: readonly StockAge[]): RawBuilder<boolean> =>
  sql<boolean>`${nth} = any(${ages.map((age) => STOCK_AGES.indexOf(age))}::int[])`
