import { z } from 'zod'
import { FIRST_STEPS, MAY_BE_PUT_AWAY } from './dashboard-parts.ts'
import { Amount, Flag, Timestamp } from './fields.ts'
import { ImportEntry } from './import.ts'
import { SALE_STATUSES } from './sale-status.ts'
import { STOCK_AGES } from './stock-age.ts'
import { UNSOLD_STATUSES } from './stock-status.ts'

/** The number of weeks of sales on the dashboard, including this one. */
export const DASHBOARD_WEEKS = 12
/** The number of records in each list of the dashboard. A link leads to the rest. */
export const DASHBOARD_ROWS = 5

/**
 * A number of items with their worth in hundredths. `sales` is the sum of the sales prices; `unpriced` items have none
 * and add nothing.
 */
const Worth = { items: z.int(), cost: Amount, sales: Amount, unpriced: z.int() }
const Stock = z.object(Worth)
export type Worth = z.infer<typeof Stock>

const StockByStatus = z.object({ status: z.enum(UNSOLD_STATUSES), ...Worth })
const StockByAge = z.object({ age: z.enum(STOCK_AGES), ...Worth })

/**
 * The sales of a period, without voided ones. `net_sales` is without VAT, without returned items and without the VAT in
 * margins, so that the margin in percent is the profit divided by `net_sales`.
 */
const SalesPeriod = z.object({
  /** The first day of the period, yyyy-mm-dd, in the company's time zone. */
  from: z.string(),
  sales: z.int(),
  items: z.int(),
  net_sales: Amount,
  profit: Amount,
})
export type SalesPeriod = z.infer<typeof SalesPeriod>

const OpenSales = z.object({
  status: z.enum(SALE_STATUSES),
  sales: z.int(),
  total_sales_price: Amount,
  /** When the sale that has waited longest was made. */
  oldest_at: Timestamp.nullable(),
})
export type OpenSales = z.infer<typeof OpenSales>

/** The number of sales with an open sum, and that sum. */
const Receivable = z.object({ sales: z.int(), amount: Amount })

const WaitingSale = z.object({
  id: z.int(),
  status: z.enum(SALE_STATUSES),
  reference_number: z.string().nullable(),
  customer_id: z.int(),
  customer_name: z.string(),
  customer_company_name: z.string().nullable(),
  total_items: z.int(),
  total_sales_price: Amount,
  /**
   * The number of the sale's items that the sale can no longer deliver, because somebody deleted them, for example; 0
   * unless the sale requires attention.
   */
  unavailable_items: z.int(),
  created_at: Timestamp,
})
export type WaitingSale = z.infer<typeof WaitingSale>

const NewestImport = ImportEntry.omit({ content: true, time_ago: true, can_undo: true }).extend({
  processed_rows: z.int(),
  failed_rows: z.int(),
})
export type NewestImport = z.infer<typeof NewestImport>

/** The state of the shop and the tasks of today. Money in hundredths. */
export const Dashboard = z.object({
  time_zone: z.string(),
  /** Today, by the company's clock. */
  today: z.string(),
  /** The unsold items: every status, in the order in which they are always listed. */
  stock: z.array(StockByStatus),
  /** Only sellable items: In Stock and In Batch. */
  ages: z.array(StockByAge),
  /** The last weeks, oldest first. A week without a sale is in the list too. */
  weeks: z.array(SalesPeriod),
  /** The present calendar month so far. */
  month: SalesPeriod,
  /** A row for each status of a sale that is not finished yet. */
  open_sales: z.array(OpenSales),
  /** The money that customers owe, the overdue part of it, and the money that the shop has to give back. */
  payments: z.object({ open: Receivable, overdue: Receivable, refund: Receivable }),
  /** The longest waiting sales that require attention. */
  attention: z.array(WaitingSale),
  /** The longest waiting sales that await payment or dispatch. */
  awaiting: z.array(WaitingSale),
  imports: z.array(NewestImport),
  /**
   * The reverse charge rule of the company's state that ends soon or has just ended (then `days_left` is below 0), if
   * no other follows it; else null.
   */
  ending_rule: z.object({ country: z.string(), last_day: z.string(), days_left: z.int() }).nullable(),
  /** The first steps of a new shop, each with whether it is done. */
  first_steps: z.array(z.object({ step: z.enum(FIRST_STEPS), done: z.boolean() })),
  /** Whether the database was filled with the sample shop. */
  is_sample: z.boolean(),
  /** The parts that the person who asks has put away. */
  put_away: z.array(z.enum(MAY_BE_PUT_AWAY)),
})
export type Dashboard = z.infer<typeof Dashboard>

export const DashboardAnswer = z.object({ success: z.literal(true), data: Dashboard })

/** Puts a part of the dashboard away for the person who asks, or brings it back. */
export const PutAway = z.object({ what: z.enum(MAY_BE_PUT_AWAY), put_away: Flag })
export type PutAway = z.infer<typeof PutAway>
