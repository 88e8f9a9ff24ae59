import type { DocumentKind } from '@backstock/contract/document-kind.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { single } from '../../lists.ts'

/** A number series of credit notes. Sample data have one of their own. */
type CreditSeries = 'credit_note' | 'sample_credit_note'
/**
 * A number series: that of the shop's invoices, that of the sample data's invoices, one for credit notes, or one that a
 * reverse charge rule has, such as `ISP`.
 */
export type Series = 'invoice' | 'sample' | CreditSeries | Uppercase<string>

/**
 * The series of credit notes to invoices of this series. Credit notes to a rule's own series take the shop's usual one.
 */
export const creditSeries = (invoice: string): CreditSeries =>
  invoice === 'sample' ? 'sample_credit_note' : 'credit_note'

export const kindOf = (series: Series): DocumentKind =>
  series === 'credit_note' || series === 'sample_credit_note' ? 'credit_note' : 'invoice'

/**
 * Takes the next `many` numbers of this year (by the company's clock), and returns the first of them. There are no
 * gaps, because a rollback gives the numbers back. The function locks the series, so any other lock must be taken
 * before. If a transaction needs two series, it must take credit notes first.
 */
export async function takeNumbers(
  tx: Tx,
  series: Series | 'purchase_receipt',
  many: number,
): Promise<{ year: number; first: number }> {
  const { rows: clocks } = await sql<{ year: number }>`
    select extract(year from clock_timestamp() at time zone time_zone)::int as year from company`.execute(tx)
  const { year } = single(clocks)
  const above = await lastPrintedAlike(tx, series, year)
  const { rows: taken } = await sql<{ last: number }>`
    insert into number_series (series, year, last) values (${series}, ${year}, ${above + many})
    on conflict (series, year) do update set last = greatest(number_series.last, ${above}) + ${many}
    returning last`.execute(tx)
  return { year, first: single(taken).last - many + 1 }
}

/**
 * The last number of the other series that is printed alike. Purchase receipts have numbers such as `PR-2026-00001`. No
 * rule can get the series `PR` any more, but one of before may have it. The two then never give the same number.
 */
async function lastPrintedAlike(tx: Tx, series: Series | 'purchase_receipt', year: number): Promise<number> {
  if (series !== 'PR' && series !== 'purchase_receipt') return 0
  await sql`select pg_advisory_xact_lock(hashtextextended('numbers PR', 0))`.execute(tx)
  const { rows } = await sql<{ last: number }>`
    select coalesce(max(last), 0) as last from number_series
    where series in ('PR', 'purchase_receipt') and series <> ${series} and year = ${year}`.execute(tx)
  return single(rows).last
}
