import type { Accounting } from '@backstock/contract/accounting.ts'
import type { DocumentKind } from '@backstock/contract/document-kind.ts'
import { marginVat } from '@backstock/contract/sale-total.ts'
import type { RateHundredths } from '@backstock/contract/vat-rate.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { single } from '../../lists.ts'
import { stockValue } from '../stock/value.ts'
import { marginLines } from './margins.ts'
import { issuedIn, type Period } from './period.ts'
import { boughtIn, PURCHASE, purchasesIn, supplierCredits } from './purchases.ts'

const MAX_ROWS = 1000
const MAX_MISSING = 20

export type Summary = Omit<Accounting, 'datev_lacks'>

/**
 * All figures of a period. `buyers`, `without_number` and `supplier_credits` have at most `maxRows` rows each; a file
 * asks for all of them.
 */
export async function summaryOf(db: Db, period: Period, maxRows = MAX_ROWS): Promise<Summary> {
  // The queries run one after another, so that they share one connection and leave the others to other requests.
  const counts = await documentCounts(db, period)
  const vat = await vatTotals(db, period)
  const margin = await margins(db, period)
  const margin_period = await marginOfPeriod(db, period)
  const buyers = await recapitulative(db, period, maxRows)
  const without = await withoutNumber(db, period, maxRows)
  const purchases = await purchasesIn(db, period)
  const credits = await supplierCredits(db, period, maxRows)
  const numbers = await numbersIn(db, period)
  const payments = await paymentsIn(db, period)
  const stock = await stockAtEnd(db, period)
  return {
    ...period,
    ...counts,
    vat,
    margin,
    margin_period,
    ...buyers,
    ...without,
    purchases,
    ...credits,
    numbers,
    payments,
    stock,
  }
}

async function documentCounts(db: Db, period: Period): Promise<Pick<Summary, 'invoices' | 'credit_notes'>> {
  const { rows } = await sql<Pick<Summary, 'invoices' | 'credit_notes'>>`
    select count(*) filter (where kind = 'invoice') as invoices, count(*) filter (where kind = 'credit_note') as credit_notes
    from document d where ${issuedIn(period)}`.execute(db)
  return single(rows)
}

const NONE = { documents: 0, net: 0, vat: 0 }

export async function vatTotals(db: Db, period: Period): Promise<Summary['vat']> {
  type Total = Pick<Summary['vat'][number], 'treatment' | 'rate' | 'net' | 'vat'>
  const { rows } = await sql<Total & { kind: DocumentKind; documents: number }>`
    select v.treatment, v.rate / 100.0 as rate, d.kind, count(*) as documents, sum(v.net) as net, sum(v.vat) as vat
    from document d join document_vat v on v.document_id = d.id where ${issuedIn(period)}
    group by v.treatment, v.rate, d.kind order by v.rate desc, v.treatment`.execute(db)
  const totals = new Map<string, Summary['vat'][number]>()
  for (const { treatment, rate, kind, ...sums } of rows) {
    const key = `${treatment} ${rate}`
    const { invoices, credit_notes } = {
      ...(totals.get(key) ?? { invoices: NONE, credit_notes: NONE }),
      ...(kind === 'invoice' ? { invoices: sums } : { credit_notes: sums }),
    }
    const net = invoices.net - credit_notes.net
    totals.set(key, { treatment, rate, invoices, credit_notes, net, vat: invoices.vat - credit_notes.vat })
  }
  return [...totals.values()]
}

/** The margins of a period, by rate. A supplier credit after the sale counts on its own day. */
async function margins(db: Db, period: Period): Promise<Summary['margin']> {
  const { rows } = await sql<Omit<Summary['margin'][number], 'losses'>>`
    with counted as (
      select margin_rate, sale, purchase, margin, vat from (${marginLines(issuedIn(period))}) line
      union all select margin_rate, 0, purchase, margin, margin_vat from purchase_correction
      where treatment = 'margin' and booked_on between ${period.from}::date and ${period.to}::date)
    select margin_rate / 100.0 as rate, sum(sale) as sales, sum(purchase) as purchases, sum(margin) as margin, sum(vat) as vat
    from counted group by margin_rate order by margin_rate desc`.execute(db)
  return rows.map((row) => ({ ...row, losses: row.margin - (row.sales - row.purchases) }))
}

const isInScheme = sql`s.purchase_treatment = 'margin' and s.status <> 'Deleted'`

/**
 * The margin of a whole period (Directive 2006/112/EC, article 318), if the company pays VAT on that margin. It starts
 * from the purchases in the period, not from the costs of the sold items. Items that were bought under the scheme and
 * sold without it (with VAT, or abroad) are taken off, and so are the period's supplier credits. A returned phone
 * counts in the scheme again with its whole cost, even if only a part was refunded. A deleted item counts nowhere:
 * neither its purchase, nor its supplier's credit, nor its sale with VAT.
 */
async function marginOfPeriod(db: Db, period: Period): Promise<Summary['margin_period']> {
  const { rows } = await sql<{ margin_rate: RateHundredths; sales: number; purchases: number; otherwise: number }>`
    with line as (
      select l.treatment, case d.kind when 'invoice' then 1 else -1 end as sign, l.net, l.stock_id, l.cost
      from document d join document_line l on l.document_id = d.id where ${issuedIn(period)})
    select coalesce((select l.margin_rate from document d join document_line l on l.document_id = d.id
        where d.kind = 'invoice' and l.margin_rate is not null and d.issued_on <= ${period.to}::date
        order by d.issued_on desc, d.id desc limit 1), company.margin_rate) as margin_rate,
      (select coalesce(sum(sign * net), 0) from line where treatment = 'margin') as sales,
      (select coalesce(sum(${PURCHASE}), 0) from stock s where ${isInScheme} and ${boughtIn(period)})
      - (select coalesce(sum(c.lowers), 0) from supplier_credit c join stock s on s.id = c.stock_id
        where ${isInScheme} and c.booked_on between ${period.from}::date and ${period.to}::date) as purchases,
      (select coalesce(sum(sign * line.cost), 0) from line join stock s on s.id = line.stock_id
        where line.treatment <> 'margin' and ${isInScheme})
      + (select coalesce(sum(p.purchase), 0) from purchase_correction p join stock s on s.id = p.stock_id
        where p.treatment <> 'margin' and ${isInScheme}
          and p.booked_on between ${period.from}::date and ${period.to}::date) as otherwise
    from company where margin_method = 'period' and margin_rate is not null`.execute(db)
  const [found] = rows
  if (!found) return null
  const { margin_rate, sales, purchases, otherwise } = found
  const bought = purchases - otherwise
  const vat = marginVat(sales, bought, margin_rate)
  return { rate: margin_rate / 100, sales, purchases, otherwise, margin: sales - bought, vat }
}

const supplies = (period: Period) => sql`
  select d.id, d.kind, d.printed, d.sale_id, d.buyer_name,
    nullif(upper(regexp_replace(coalesce(d.buyer_vat_number, ''), '[^[:alnum:]]', '', 'g')), '') as vat_number,
    case d.kind when 'invoice' then v.net else -v.net end as net
  from document d join document_vat v on v.document_id = d.id and v.treatment = 'intra_community' where ${issuedIn(period)}`

async function recapitulative(db: Db, period: Period, most: number): Promise<Pick<Summary, 'buyers' | 'buyers_total'>> {
  const { rows } = await sql<Summary['buyers'][number] & { total: number }>`
    select vat_number, (array_agg(buyer_name order by id desc))[1] as name, count(*) filter (where kind = 'invoice') as invoices,
      count(*) filter (where kind = 'credit_note') as credit_notes, sum(net) as net, count(*) over () as total
    from (${supplies(period)}) supply where vat_number is not null
    group by vat_number order by vat_number limit ${most}`.execute(db)
  return { buyers: rows, buyers_total: rows[0]?.total ?? 0 }
}

async function withoutNumber(
  db: Db,
  period: Period,
  most: number,
): Promise<Pick<Summary, 'without_number' | 'without_number_total'>> {
  const { rows } = await sql<Summary['without_number'][number] & { total: number }>`
    select printed as number, buyer_name as name, sale_id, net, count(*) over () as total
    from (${supplies(period)}) supply where vat_number is null order by id limit ${most}`.execute(db)
  return { without_number: rows, without_number_total: rows[0]?.total ?? 0 }
}

/**
 * The number series by year. The gaps are counted from the last number before the period, so that a number between two
 * periods cannot go missing.
 */
async function numbersIn(db: Db, period: Period): Promise<Summary['numbers']> {
  const { rows } = await sql<Summary['numbers'][number]>`
    with series as (
      select d.series, d.year, min(d.number) as first, max(d.number) as last, count(*) as documents
      from document d where ${issuedIn(period)} group by d.series, d.year),
    counted as (
      select s.*, coalesce((select max(b.number) from document b where (b.series, b.year) = (s.series, s.year)
        and b.number < s.first and b.issued_on < ${period.from}::date), 0) as before from series s)
    select c.series, c.year, f.printed as first, l.printed as last, c.documents,
      case when c.last - c.before = c.documents then '{}' else array(
        select n from generate_series(c.before + 1, c.last) n
        where not exists (select from document d where (d.series, d.year, d.number) = (c.series, c.year, n))
          and not (c.series = 'PR' and exists (select from purchase_receipt r where (r.year, r.number) = (c.year, n)))
        order by n limit ${MAX_MISSING}) end as missing
    from counted c join document f on (f.series, f.year, f.number) = (c.series, c.year, c.first)
      join document l on (l.series, l.year, l.number) = (c.series, c.year, c.last)
    order by c.year, c.series`.execute(db)
  return rows
}

async function paymentsIn(db: Db, { from, to }: Period): Promise<Summary['payments']> {
  const { rows } = await sql<Summary['payments']>`
    select count(*) as count, coalesce(sum(amount) filter (where amount > 0), 0) as received,
      coalesce(-sum(amount) filter (where amount < 0), 0) as paid_back
    from payment where paid_on between ${from}::date and ${to}::date`.execute(db)
  return single(rows)
}

async function stockAtEnd(db: Db, { from, to }: Period): Promise<Summary['stock']> {
  const { rows } = await sql<{ at: string; has_begun: boolean }>`
    select least(${to}::date, today) as at, ${from}::date <= today as has_begun
    from (select (now() at time zone time_zone)::date as today from company) t`.execute(db)
  const day = single(rows)
  return day.has_begun ? stockValue(db, day.at) : null
}
