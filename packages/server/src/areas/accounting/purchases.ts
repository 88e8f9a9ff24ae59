import type { Accounting, SupplierCredit } from '@backstock/contract/accounting.ts'
import type { PurchaseTreatment } from '@backstock/contract/treatment.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { single } from '../../lists.ts'
import type { Period } from './period.ts'

/** The purchase price of `stock s` in EUR, before any supplier credit. */
export const PURCHASE = sql`round(s.purchase_price / coalesce(s.fx_rate, 1))::int`

/**
 * The condition that an item `s` was bought in a period, by its purchase date. An item without a purchase date, as
 * partners may push it, counts on the day on which its record was made.
 */
export const boughtIn = ({ from, to }: Period) => sql`(s.purchase_date between ${from}::date and ${to}::date
  or s.purchase_date is null and s.created_at >= ${from}::date::timestamp at time zone (select time_zone from company)
    and s.created_at < (${to}::date + 1)::timestamp at time zone (select time_zone from company))`

const bookedIn = ({ from, to }: Period) => sql`booked_on between ${from}::date and ${to}::date`

/**
 * The purchases of a period by treatment, with the supplier credits that were given in the period, even for earlier
 * purchases.
 */
export async function purchasesIn(db: Db, period: Period): Promise<Accounting['purchases']> {
  const { rows } = await sql<Accounting['purchases'][number]>`
    select treatment, sum(items) as items, sum(cost) as cost, sum(deleted) as deleted, sum(credited) as credited
    from (
      select s.purchase_treatment as treatment, 1 as items, ${PURCHASE} as cost, (s.status = 'Deleted')::int as deleted,
        0 as credited
      from stock s where ${boughtIn(period)}
      union all
      select s.purchase_treatment, 0, 0, 0, c.lowers from supplier_credit c join stock s on s.id = c.stock_id
      where ${bookedIn(period)}) bought
    group by treatment order by treatment`.execute(db)
  return rows
}

type Credits = Pick<Accounting, 'supplier_credits' | 'supplier_credits_total' | 'supplier_credited'>

/** The supplier credits of a period by claim and day, at most `most` of them, with the number and the sum of all. */
export async function supplierCredits(db: Db, period: Period, most: number): Promise<Credits> {
  const { rows } = await sql<SupplierCredit & { total: number; sum: number }>`
    with given as (
      select claim_id, booked_on, count(distinct stock_id) as items, sum(amount) as amount, sum(lowers) as lowers
      from supplier_credit where ${bookedIn(period)} group by claim_id, booked_on),
    corrected as (
      select claim_id, booked_on, sum(margin_vat) as margin_vat from purchase_correction
      where ${bookedIn(period)} group by claim_id, booked_on)
    select claim_id, c.reference, s.company_name as supplier, booked_on, coalesce(given.items, 0) as items,
      coalesce(given.amount, 0) as amount, coalesce(given.lowers, 0) as lowers, coalesce(margin_vat, 0) as margin_vat,
      count(*) over () as total, sum(coalesce(given.amount, 0)) over () as sum
    from given full join corrected using (claim_id, booked_on)
      join supplier_claim c on c.id = claim_id join supplier s on s.id = c.supplier_id
    order by booked_on, claim_id limit ${most}`.execute(db)
  return {
    supplier_credits: rows.map(({ total: _, sum: __, ...credit }) => credit),
    supplier_credits_total: rows[0]?.total ?? 0,
    supplier_credited: rows[0]?.sum ?? 0,
  }
}

/**
 * A row of the file of supplier credits. A `credit` is the credit for an item. A `correction` is the effect of a credit
 * on the purchase and margin of a sale; it may fall into another period than the credit.
 */
export type BookedCredit = {
  booked_on: string
  kind: 'credit' | 'correction'
  claim_id: number
  reference: string | null
  supplier: string
  stock_id: number
  imei: string | null
  serial_number: string | null
  purchase_treatment: PurchaseTreatment
  amount: number
  lowers: number
  invoice_number: string | null
  sale_id: number | null
  /** The treatment with which the item was sold. */
  treatment: string | null
  purchase: number
  margin: number
  margin_vat: number
}

/** The number of rows that are read at a time for a file. */
const AT_ONCE = 500

/**
 * All supplier credits of a period in the order of their days, some hundred at a time. `snapshot` must be in a
 * transaction, because the cursor lives only as long as the transaction.
 */
export async function* creditsOf(snapshot: Db, period: Period): AsyncGenerator<BookedCredit[]> {
  await sql`declare credits no scroll cursor for
    select b.booked_on, b.kind, b.claim_id, c.reference, u.company_name as supplier, b.stock_id, s.imei, s.serial_number,
      s.purchase_treatment, b.amount, b.lowers, d.printed as invoice_number, d.sale_id, b.treatment, b.purchase, b.margin,
      b.margin_vat
    from (
      select booked_on, 'credit' as kind, id, claim_id, stock_id, amount, lowers, null::int as document_id,
        null as treatment, 0 as purchase, 0 as margin, 0 as margin_vat
      from supplier_credit where ${bookedIn(period)}
      union all
      select booked_on, 'correction', id, claim_id, stock_id, 0, 0, document_id, treatment, purchase, margin, margin_vat
      from purchase_correction where ${bookedIn(period)}) b
      join stock s on s.id = b.stock_id join supplier_claim c on c.id = b.claim_id join supplier u on u.id = c.supplier_id
      left join document d on d.id = b.document_id
    order by b.booked_on, b.claim_id, b.stock_id, b.kind desc, b.id`.execute(snapshot)
  while (true) {
    const { rows } = await sql<BookedCredit>`fetch ${sql.lit(AT_ONCE)} from credits`.execute(snapshot)
    if (rows.length > 0) yield rows
    if (rows.length < AT_ONCE) return
  }
}

export async function countCredits(db: Db, period: Period): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select (select count(*) from supplier_credit where ${bookedIn(period)})
      + (select count(*) from purchase_correction where ${bookedIn(period)}) as total`.execute(db)
  return single(rows).total
}

/**
 * The sums to post for the credits of a period, by day, claim and treatment of the purchase. Sums of 0 are left out.
 */
export type PostedCredit = Pick<BookedCredit, 'booked_on' | 'claim_id' | 'reference' | 'supplier' | 'amount'> & {
  treatment: PurchaseTreatment
}

export async function postedCredits(db: Db, period: Period): Promise<PostedCredit[]> {
  const { rows } = await sql<PostedCredit>`
    select b.booked_on, b.claim_id, c.reference, u.company_name as supplier, s.purchase_treatment as treatment,
      sum(b.amount) as amount
    from supplier_credit b join stock s on s.id = b.stock_id join supplier_claim c on c.id = b.claim_id
      join supplier u on u.id = c.supplier_id
    where ${bookedIn(period)}
    group by b.booked_on, b.claim_id, c.reference, u.company_name, s.purchase_treatment
    having sum(b.amount) <> 0 order by b.booked_on, b.claim_id, s.purchase_treatment`.execute(db)
  return rows
}

/** The amount by which supplier credits changed the taxed margin of an earlier invoice on one day. It is never 0. */
export type CorrectedMargin = { booked_on: string; number: string; supplier: string; rate: number; margin: number }

export async function correctedMargins(db: Db, period: Period): Promise<CorrectedMargin[]> {
  const { rows } = await sql<CorrectedMargin>`
    select b.booked_on, d.printed as number, u.company_name as supplier, b.margin_rate / 100.0 as rate, sum(b.margin) as margin
    from purchase_correction b join document d on d.id = b.document_id join supplier_claim c on c.id = b.claim_id
      join supplier u on u.id = c.supplier_id
    where ${bookedIn(period)} and b.treatment = 'margin' and b.margin_rate > 0
    group by b.booked_on, d.id, u.company_name, b.margin_rate
    having sum(b.margin) <> 0 order by b.booked_on, d.id, u.company_name, b.margin_rate`.execute(db)
  return rows
}
