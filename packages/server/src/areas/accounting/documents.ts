import type { BookedDocument } from '@backstock/contract/accounting.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import type { Found } from '../../db/page.ts'
import { at, single } from '../../lists.ts'
import { issuedIn, type Period } from './period.ts'

/** The number of documents that are read at a time for a file. */
const AT_ONCE = 500

/** The query for the documents that `chosen` selects (as `d`), with their sums for each treatment and rate. */
const booked = (chosen: RawBuilder<unknown>) => sql<BookedDocument>`
  select d.id, d.kind, d.printed as number, d.sale_id, d.issued_on, d.buyer_name, d.buyer_country, d.buyer_vat_number,
    (select c.printed from document c where c.id = d.credits_id) as credits_number, coalesce(part.parts, '[]') as parts
  from (${chosen}) d left join lateral (
    select json_agg(json_build_object('treatment', v.treatment, 'rate', v.rate / 100.0, 'net', sign * v.net,
        'vat', sign * v.vat, 'cost', sign * m.cost, 'margin_vat', sign * m.margin_vat) order by v.rate desc, v.treatment) as parts
    from (select case d.kind when 'invoice' then 1 else -1 end as sign) s join document_vat v on v.document_id = d.id
      left join lateral (
        select sum(l.cost) as cost, sum(l.margin_vat) as margin_vat from document_line l
        where l.document_id = d.id and l.treatment = 'margin') m on v.treatment = 'margin') part on true
  order by d.issued_on, d.id`

/** One page of the documents of a period, in the order of their days. */
export async function documentsOnPage(
  db: Db,
  period: Period,
  { page, per_page }: { page: number; per_page: number },
): Promise<Found<BookedDocument>> {
  const [total, { rows }] = await Promise.all([
    countDocuments(db, period),
    booked(sql`
      select * from document d where ${issuedIn(period)} order by d.issued_on, d.id
      limit ${per_page} offset ${(page - 1) * per_page}`).execute(db),
  ])
  return { rows, total }
}

export async function countDocuments(db: Db, period: Period): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from document d where ${issuedIn(period)}`.execute(db)
  return single(rows).total
}

/** The ids of all documents of a period, in the order of their days. */
export async function documentIds(db: Db, period: Period): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select d.id from document d where ${issuedIn(period)} order by d.issued_on, d.id`.execute(db)
  return rows.map(({ id }) => id)
}

/** All documents of a period, in the order of their days, some hundred at a time. */
export async function* documentsOf(db: Db, period: Period): AsyncGenerator<BookedDocument[]> {
  let after = { issued_on: period.from, id: 0 }
  while (true) {
    const { rows } = await booked(sql`
      select * from document d where ${issuedIn(period)} and (d.issued_on, d.id) > (${after.issued_on}::date, ${after.id}::int)
      order by d.issued_on, d.id limit ${AT_ONCE}`).execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < AT_ONCE) return
    after = at(rows, rows.length - 1)
  }
}

type Part = BookedDocument['parts'][number]
/**
 * A document with one of its treatments and rates. A document without lines and VAT totals is one row without a part.
 */
export type BookedRow = { document: BookedDocument; part: Part | undefined }

export function rowsOf(documents: readonly BookedDocument[]): BookedRow[] {
  return documents.flatMap((document): BookedRow[] => {
    const { parts } = document
    return parts.length > 0 ? parts.map((part) => ({ document, part })) : [{ document, part: undefined }]
  })
}
