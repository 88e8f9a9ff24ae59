import {
  DASHBOARD_ROWS,
  DASHBOARD_WEEKS,
  type Dashboard,
  type OpenSales,
  type SalesPeriod,
  type WaitingSale,
} from '@backstock/contract/dashboard.ts'
import { OPEN_SALE_STATUSES, type SaleStatus } from '@backstock/contract/sale-status.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { first, single } from '../../lists.ts'

/** The sales of the last weeks and of the present month. The query reads each sale once. */
export async function salesByPeriod(db: Db): Promise<Pick<Dashboard, 'weeks' | 'month'>> {
  const { rows } = await sql<SalesPeriod & { kind: 'week' | 'month' }>`
    with clock as (select time_zone, now() at time zone time_zone as here from company),
    period as (
      select 'week' as kind, at::date as first, at::date + 7 as until from clock,
        generate_series(date_trunc('week', here) - ${(DASHBOARD_WEEKS - 1) * 7}::int * interval '1 day',
          date_trunc('week', here), '1 week') as at
      union all
      select 'month', date_trunc('month', here)::date, (date_trunc('month', here) + interval '1 month')::date from clock),
    sold as materialized (
      select (created_at at time zone (select time_zone from clock))::date as day, count(*) as sales,
        sum(total_items) as items,
        sum(total_sales_price - returned_sales - total_margin_vat + returned_margin_vat) as net_sales,
        sum(total_purchase_price - returned_cost) as cost
      from sale
      where status <> 'Voided'
        and created_at >= (select min(first)::timestamp at time zone min(time_zone) from period, clock)
      group by 1)
    select kind, first as from, coalesce(sum(sales), 0) as sales, coalesce(sum(items), 0) as items,
      coalesce(sum(net_sales), 0) as net_sales, coalesce(sum(net_sales - cost), 0) as profit
    from period left join sold on day >= first and day < until group by kind, first order by first`.execute(db)
  const of = (wanted: string) => rows.flatMap(({ kind, ...period }) => (kind === wanted ? [period] : []))
  return { weeks: of('week'), month: first(of('month')) }
}

/** The number of unfinished sales by status. The index of statuses is enough to count them. */
export async function openSales(db: Db): Promise<OpenSales[]> {
  const statuses: SaleStatus[] = ['Requires Attention', ...OPEN_SALE_STATUSES]
  const rows = await db
    .selectFrom('sale')
    .select(['status', sql<number>`count(*)`.as('sales')])
    .select(sql<number>`sum(total_sales_price)`.as('total_sales_price'))
    .select(sql<string>`min(created_at)`.as('oldest_at'))
    .where('status', 'in', statuses)
    .groupBy('status')
    .execute()
  return statuses.map((status) => {
    const found = rows.find((row) => row.status === status)
    return { sales: 0, total_sales_price: 0, oldest_at: null, ...found, status }
  })
}

/** The sums that customers owe and that the shop has to give back. The partial indexes of open sales are enough. */
export async function openPayments(db: Db): Promise<Dashboard['payments']> {
  const { rows } = await sql<Dashboard['payments']['open'] & { state: keyof Dashboard['payments'] }>`
    with day as (select (now() at time zone time_zone)::date as today from company),
      owed as (
        select count(*) as sales, coalesce(sum(open_amount), 0) as amount,
          count(*) filter (where due_on < today) as late_sales,
          coalesce(sum(open_amount) filter (where due_on < today), 0) as late_amount
        from sale, day where open_amount > 0)
    select 'open' as state, sales, amount from owed
    union all select 'overdue', late_sales, late_amount from owed
    union all select 'refund', count(*), coalesce(-sum(open_amount), 0) from sale where open_amount < 0`.execute(db)
  const of = (state: keyof Dashboard['payments']) => {
    const { sales, amount } = single(rows.filter((row) => row.state === state))
    return { sales, amount }
  }
  return { open: of('open'), overdue: of('overdue'), refund: of('refund') }
}

/**
 * The sales with these statuses that have waited longest. The index gives the oldest of each status; then the oldest of
 * all are taken.
 */
export async function longestWaiting(db: Db, statuses: SaleStatus[]): Promise<WaitingSale[]> {
  const { rows } = await sql<WaitingSale>`
    select s.id, s.status, s.reference_number, s.customer_id, s.buyer ->> 'full_name' as customer_name,
      s.buyer ->> 'company_name' as customer_company_name, s.total_items, s.total_sales_price, s.created_at,
      (select count(*) from sale_item i where i.sale_id = s.id and i.released = 'lost') as unavailable_items
    from unnest(${statuses}::text[]) wanted,
      lateral (select * from sale where status = wanted order by id limit ${DASHBOARD_ROWS}) s
    order by s.id limit ${DASHBOARD_ROWS}`.execute(db)
  return rows
}
