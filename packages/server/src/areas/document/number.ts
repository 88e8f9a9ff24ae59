import type { DocumentKind } from '@backstock/contract/document-kind.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { single } from '../../lists.ts'

/** Which row of numbers a credit note takes its number from. Sample data have rows of their own. */
type CreditSeries = 'credit_note' | 'sample_credit_note'
/** That of an invoice: everybody's, the sample's, or the one that a rule of reverse charge has, as `ISP`. */
export type Series = 'invoice' | 'sample' | CreditSeries | Uppercase<string>

/** The series of all credit notes, for any series of invoices: corrections have numbers of their own. */
export const creditSeries = (invoice: string): CreditSeries =>
  invoice === 'sample' ? 'sample_credit_note' : 'credit_note'

export const kindOf = (series: Series): DocumentKind =>
  series === 'credit_note' || series === 'sample_credit_note' ? 'credit_note' : 'invoice'

/**
 * Takes the next numbers of this year in the company's time zone and answers the first of them: without gaps, since
 * a rollback returns them. It locks the series, so any other lock must come before. If two series are needed,
 * credit notes come first.
 */
export async function takeNumbers(tx: Tx, series: Series, many: number): Promise<{ year: number; first: number }> {
  const { rows: clocks } = await sql<{ year: number }>`
    select extract(year from clock_timestamp() at time zone time_zone)::int as year from company`.execute(tx)
  const { year } = single(clocks)
  const { rows: taken } = await sql<{ last: number }>`
    insert into number_series (series, year, last) values (${series}, ${year}, ${many})
    on conflict (series, year) do update set last = number_series.last + excluded.last returning last`.execute(tx)
  return { year, first: single(taken).last - many + 1 }
}
