import {
  DASHBOARD_ROWS,
  DASHBOARD_WEEKS,
  type Dashboard,
  DashboardAnswer,
  type NewestImport,
  type OpenSales,
  type SalesWeek,
  type WaitingSale,
} from '@backstock/contract/dashboard.ts'
import { IMPORT_STATES, type ImportState } from '@backstock/contract/import.ts'
import { OPEN_SALE_STATUSES, type SaleStatus } from '@backstock/contract/sale-status.ts'
import { STOCK_AGES } from '@backstock/contract/stock-age.ts'
import { SELLABLE_STATUSES, STOCK_STATUSES, type StockStatus } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Database, Db } from '../db/connect.ts'
import { SUCCESS } from '../http/answer.ts'
import type { App } from '../http/typed-routes.ts'
import { ageOf } from './stock/age.ts'

/** `GET dashboard`: what there is and what needs doing today. */
export function dashboardRoutes(app: App, db: Database): void {
  const schema = { response: { 200: DashboardAnswer } }
  app.get('/api/dashboard', { schema }, async () => ({ ...SUCCESS, data: await dashboard(db.read) }))
}

async function dashboard(db: Db): Promise<Dashboard> {
  const [company, stock, ages, weeks, open_sales, payments, attention, awaiting, imports] = await Promise.all([
    db.selectFrom('company').select('time_zone').executeTakeFirstOrThrow(),
    stockByStatus(db),
    stockByAge(db),
    salesByWeek(db),
    openSales(db),
    openPayments(db),
    longestWaiting(db, ['Requires Attention']),
    longestWaiting(db, ['Awaiting Payment', 'Awaiting Dispatch']),
    newestImports(db),
  ])
  return { ...company, stock, ages, weeks, open_sales, payments, attention, awaiting, imports }
}

const NOTHING = { items: 0, cost: 0, sales: 0 }

/** Items and cost from the counters; the sales value status by status, so that an index alone answers it. */
async function stockByStatus(db: Db): Promise<Dashboard['stock']> {
  const { rows } = await sql<{ status: StockStatus; items: number; cost: number; sales: number }>`
    with counted as (select status, sum(n)::bigint as items, sum(cost)::bigint as cost from stock_count group by status),
    priced as (
      select status, sales from unnest(enum_range(null::stock_status)) status,
        lateral (select sum(sales_price) as sales from stock where stock.status = status.status) of_status)
    select status, items, cost, coalesce(sales, 0) as sales from counted join priced using (status)`.execute(db)
  return STOCK_STATUSES.map((status) => ({ ...NOTHING, ...rows.find((row) => row.status === status), status }))
}

async function stockByAge(db: Db): Promise<Dashboard['ages']> {
  const { rows } = await sql<{ nth: number; items: number; cost: number; sales: number }>`
    select ${ageOf} as nth, count(*) as items, sum(s.cost) as cost, coalesce(sum(s.sales_price), 0) as sales
    from stock s where s.status = any(${SELLABLE_STATUSES}::stock_status[]) group by nth`.execute(db)
  return STOCK_AGES.map((age, nth) => ({ ...NOTHING, ...rows.find((row) => row.nth === nth), age }))
}

async function salesByWeek(db: Db): Promise<SalesWeek[]> {
  const { rows } = await sql<SalesWeek>`
    with clock as (select time_zone, date_trunc('week', now() at time zone time_zone) as this_week from company),
    monday as (
      select time_zone, generate_series(this_week - ${(DASHBOARD_WEEKS - 1) * 7}::int * interval '1 day',
        this_week, '1 week') as at from clock),
    sold as (
      select date_trunc('week', created_at at time zone (select time_zone from clock)) as at, count(*) as sales,
        sum(total_items) as items, sum(total_sales_price) as total_sales_price,
        sum(total_purchase_price - returned_cost) as total_cost,
        sum(total_sales_price - total_purchase_price - (returned_sales - returned_cost)
          - (total_margin_vat - returned_margin_vat)) as total_profit
      from sale
      where status <> 'Voided' and created_at >= (select min(at) at time zone min(time_zone) from monday)
      group by 1)
    select monday.at::date as week, coalesce(sales, 0) as sales, coalesce(items, 0) as items,
      coalesce(total_sales_price, 0) as total_sales_price, coalesce(total_cost, 0) as total_cost,
      coalesce(total_profit, 0) as total_profit
    from monday left join sold using (at) order by monday.at`.execute(db)
  return rows
}

async function openSales(db: Db): Promise<OpenSales[]> {
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

/** From the indexes of what is open alone. */
async function openPayments(db: Db): Promise<Dashboard['payments']> {
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
    const { sales, amount } = rows.find((row) => row.state === state)!
    return { sales, amount }
  }
  return { open: of('open'), overdue: of('overdue'), refund: of('refund') }
}

/** The oldest of each status from its index, then the oldest of them all. */
async function longestWaiting(db: Db, statuses: SaleStatus[]): Promise<WaitingSale[]> {
  const { rows } = await sql<WaitingSale>`
    select s.id, s.status, s.reference_number, s.customer_id, s.buyer ->> 'full_name' as customer_name,
      s.buyer ->> 'company_name' as customer_company_name, s.total_items, s.total_sales_price, s.created_at,
      (select count(*) from sale_item i where i.sale_id = s.id and i.released = 'lost') as unavailable_items
    from unnest(${statuses}::text[]) wanted,
      lateral (select * from sale where status = wanted order by id limit ${DASHBOARD_ROWS}) s
    order by s.id limit ${DASHBOARD_ROWS}`.execute(db)
  return rows
}

async function newestImports(db: Db): Promise<NewestImport[]> {
  return db
    .selectFrom('import as i')
    .leftJoin('app_user as u', 'u.id', 'i.user_id')
    .leftJoin('partner as p', 'p.id', 'i.partner_id')
    .select(['i.id', 'i.type', 'i.user_id', 'u.name as user_name', 'p.name as partner_name', 'i.file_name', 'i.state'])
    .select(['i.undo', 'i.error', 'i.created_at', 'i.failed as failed_rows'])
    .select(sql<number>`i.succeeded + i.failed`.as('processed_rows'))
    .where('i.state', 'in', IMPORT_STATES)
    .$narrowType<{ state: ImportState }>()
    .orderBy('i.id', 'desc')
    .limit(DASHBOARD_ROWS)
    .execute()
}
