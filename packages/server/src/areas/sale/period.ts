import type { NamedPeriod } from '@backstock/contract/named-period.ts'
import { type RawBuilder, sql } from 'kysely'
import { today } from './payment/payments.ts'

type Sql = RawBuilder<unknown>

/** SQL for the moment at which a day begins, by the company's clock. */
const midnight = (day: Sql) => sql`(${day}::timestamp at time zone (select time_zone from company))`

/** The condition that a sale was made on this day or later. */
export const isMadeFrom = (day: Sql): RawBuilder<boolean> => sql<boolean>`sale.created_at >= ${midnight(day)}`

/** The condition that a sale was made before this day. */
export const isMadeBefore = (day: Sql): RawBuilder<boolean> => sql<boolean>`sale.created_at < ${midnight(day)}`

/** The condition that a sale was made in the week that begins on this Monday. */
export const isInWeek = (monday: string): RawBuilder<boolean> =>
  sql<boolean>`${isMadeFrom(sql`${monday}::date`)} and ${isMadeBefore(sql`(${monday}::date + 7)`)}`

const DAY = { unit: 'day', length: '1 day' }
const WEEK = { unit: 'week', length: '7 days' }
const MONTH = { unit: 'month', length: '1 month' }
const QUARTER = { unit: 'quarter', length: '3 months' }
const YEAR = { unit: 'year', length: '1 year' }

const PERIODS: Record<NamedPeriod, { of: { unit: string; length: string }; isLast?: true }> = {
  today: { of: DAY },
  yesterday: { of: DAY, isLast: true },
  'this-week': { of: WEEK },
  'last-week': { of: WEEK, isLast: true },
  'this-month': { of: MONTH },
  'last-month': { of: MONTH, isLast: true },
  'this-quarter': { of: QUARTER },
  'last-quarter': { of: QUARTER, isLast: true },
  'this-year': { of: YEAR },
  'last-year': { of: YEAR, isLast: true },
}

function isInPeriod(period: NamedPeriod): Sql {
  const { of, isLast } = PERIODS[period]
  const present = sql`date_trunc(${sql.lit(of.unit)}, ${today}::timestamp)`
  const length = sql`${sql.lit(of.length)}::interval`
  const [start, end] = isLast ? [sql`${present} - ${length}`, present] : [present, sql`${present} + ${length}`]
  return sql`${isMadeFrom(sql`(${start})`)} and ${isMadeBefore(sql`(${end})`)}`
}

/** The condition that a sale was made in one of these periods, counted from today. */
export const isInPeriods = (periods: readonly NamedPeriod[]): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(periods.map(isInPeriod), sql` or `)})`
