import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/**
 * SQL for the margins in the lines of the documents that `chosen` selects from `document d`. Those of credit notes are
 * below 0. A credit note takes back the part by which the taxable margin of its item shrinks. That part depends on the
 * price and the purchase that earlier credit notes have left. If the shop keeps a part of a returned item's price, that
 * part is all margin.
 */
export const marginLines = (chosen: RawBuilder<boolean>) => sql`
  select id as document_id, margin_rate, case kind when 'invoice' then net else -net end as sale,
    case kind when 'invoice' then cost else -cost end as purchase,
    case kind when 'invoice' then greatest(net - cost, 0)
      else greatest(remained - net - (bought - cost), 0) - greatest(remained - bought, 0) end as margin,
    case kind when 'invoice' then margin_vat else -margin_vat end as vat
  from (
    with credited as (
      select c.id, e.stock_id, coalesce(sum(e.price) over earlier, 0) as earlier, coalesce(sum(e.cost) over earlier, 0) as given_back
      from document c join document_line e on e.document_id = c.id and e.treatment = 'margin'
      where c.credits_id in (select d.credits_id from document d where ${chosen})
      window earlier as (partition by c.credits_id, e.stock_id order by c.id rows between unbounded preceding and 1 preceding))
    select d.id, d.kind, l.margin_rate, l.net, l.cost, l.margin_vat, o.cost - c.given_back as bought,
      o.price - c.earlier as remained
    from document d join document_line l on l.document_id = d.id and l.treatment = 'margin'
      left join credited c on c.id = d.id and c.stock_id = l.stock_id
      left join document_line o on o.document_id = d.credits_id and o.stock_id = l.stock_id
    where ${chosen}) line`

/** The taxed margin in a document for one rate of the VAT in it, in percent. The margin of a credit note is below 0. */
export type TaxedMargin = { document_id: number; rate: number; margin: number }

export async function taxedMargins(db: Db, documents: readonly number[]): Promise<TaxedMargin[]> {
  const { rows } = await sql<TaxedMargin>`
    select document_id, margin_rate / 100.0 as rate, sum(margin) as margin
    from (${marginLines(sql`d.id = any(${documents}::int[])`)}) line where margin_rate > 0
    group by document_id, margin_rate having sum(margin) <> 0 order by document_id, margin_rate desc`.execute(db)
  return rows
}
