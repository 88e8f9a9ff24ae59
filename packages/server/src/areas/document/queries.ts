import type { Document, DocumentQuery } from '@backstock/contract/document.ts'
import { OLD_MONTH, OLD_REFERENCE } from '@backstock/contract/invoice-differs.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { type Found, page } from '../../db/page.ts'
import { single } from '../../lists.ts'
import { finalBy, isOfEarlierMonth } from './final.ts'
import { newestFirst } from './newest-first.ts'
import { filesOf } from './sale-file.ts'
import { isSaleFound } from './sale-search.ts'

/**
 * A value of a document's newest version. It is a subquery in the select list and no join, so that counting a million
 * documents does not read their versions.
 */
const newest = <T>(what: string) =>
  sql<T>`(select ${sql.raw(what)} from document_version v left join file f on f.id = v.file_id
    where v.document_id = document.id order by ${newestFirst('document')} limit 1)`

/** The profile of e-invoices of a document; null if it has none. */
const profileOf = sql<Document['profile']>`(
  select p.profile from document_profile p where p.document_id = document.id)`

/** The order to hand over a document; null if there is none. */
const handoverOf = sql<Document['handover']>`(
  select json_build_object('state', h.state, 'file_name', h.file_name, 'error', h.error,
    'person', (select name from app_user where id = h.user_id),
    'at', to_char(coalesce(h.done_at, h.asked_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from document_handover h where h.document_id = document.id)`

/** Whether a document is the invoice of a voided sale. Credit notes of the sale, and credited invoices, stay valid. */
const isVoid = sql<boolean>`(document.kind = 'invoice' and document.replaced_by_id is null
  and (select s.status = 'Voided' from sale s where s.id = document.sale_id))`

const documentRows = (db: Db) =>
  db
    .selectFrom('document')
    .select([
      'document.id',
      'document.kind',
      'document.printed as number',
      'document.sale_id',
      'document.customer_id',
      'document.buyer_name',
      'document.buyer_country',
      'document.buyer_vat_number',
      'document.issued_on',
      'document.due_on',
      'document.status',
      'document.error',
      'document.reason',
      'document.credits_id',
      sql<string | null>`(select c.printed from document c where c.id = document.credits_id)`.as('credits_number'),
      'document.replaced_by_id',
      'document.left_at',
      finalBy.as('downloaded_by'),
      sql<boolean>`document.left_at is not null or ${isOfEarlierMonth(sql`document.issued_on`)}`.as('is_closed'),
      isVoid.as('is_void'),
      newest<InvoiceLanguage>('v.lang').as('lang'),
      profileOf.as('profile'),
      handoverOf.as('handover'),
      newest<string | null>("encode(f.sha256, 'hex')").as('sha256'),
      'document.total_net',
      'document.total_gross',
      'document.created_at',
    ])

/** A sale's documents, in the order in which they were made. */
export function documentsOf(db: Db, saleId: number): Promise<Document[]> {
  return documentRows(db).where('document.sale_id', '=', saleId).orderBy('document.id').execute()
}

/** The documents with these ids, in the order in which they were made. */
export function documentsAmong(db: Db, ids: readonly number[]): Promise<Document[]> {
  return documentRows(db)
    .where(sql<boolean>`document.id = any(${[...ids]}::int[])`)
    .orderBy('document.id')
    .execute()
}

export const documentOf = (db: Db, id: number): Promise<Document | undefined> =>
  documentRows(db).where('document.id', '=', id).executeTakeFirst()

export async function findDocuments(db: Db, query: DocumentQuery): Promise<Found<Document>> {
  const sort = {
    id: 'document.id',
    issued_on: 'document.issued_on',
    total_gross: 'document.total_gross',
    asked_for: sql`case document.kind when 'invoice' then document.total_gross else -document.total_gross end`,
  }
  const { sale_id, customer_id, kind, status, handover, from, to } = query
  const ofSales = query.search
    ? sql`select d.id from document d join sale on sale.id = d.sale_id where ${await isSaleFound(db, query.search)}`
    : null
  return page(documentRows(db), query, {
    table: 'document',
    sort,
    alsoFound: ofSales,
    where: (documents) => {
      let found = documents
      if (sale_id) found = found.where(sql<boolean>`document.sale_id = any(${sale_id}::int[])`)
      if (customer_id) found = found.where(sql<boolean>`document.customer_id = any(${customer_id}::int[])`)
      if (kind) found = found.where(sql<boolean>`document.kind = any(${kind}::text[])`)
      if (status) found = found.where(sql<boolean>`document.status = any(${status}::text[])`)
      if (handover)
        found = found.where(sql<boolean>`exists (${profileOf})`).where(
          sql<boolean>`coalesce((select h.state from document_handover h where h.document_id = document.id),
            case when not ${isVoid} then 'open' end) = any(${handover}::text[])`,
        )
      if (from) found = found.where(sql<boolean>`document.issued_on >= ${from}::date`)
      if (to) found = found.where(sql<boolean>`document.issued_on <= ${to}::date`)
      return found
    },
  })
}

/** The newest file of a document; undefined if it was taken off the sale, or is still being made. */
export async function documentFile(db: Db, id: number): Promise<number | undefined> {
  const version = await db
    .selectFrom('document as d')
    .innerJoin('document_version as v', 'v.document_id', 'd.id')
    .select('v.file_id')
    .where('d.id', '=', id)
    .where('d.status', '=', 'ready')
    .orderBy(newestFirst())
    .limit(1)
    .executeTakeFirst()
  return version?.file_id ?? undefined
}

/**
 * The paid sum of an invoice, in hundredths: all payments of its sale less the sums of the sale's other documents. It
 * is above the invoice's total if a correction has left a balance in the buyer's favour; it is 0 or below if nothing
 * was paid.
 */
export async function paidOf(db: Db, id: number): Promise<Hundredths> {
  const { rows } = await sql<{ paid: Hundredths }>`
    select s.paid_total - coalesce((select sum(case kind when 'invoice' then total_gross else -total_gross end)
      from document o where o.sale_id = d.sale_id and o.id <> d.id), 0)::bigint as paid
    from document d join sale s on s.id = d.sale_id where d.id = ${id}`.execute(db)
  return single(rows).paid
}

/** The query for a sale's standing invoice, to which callers add the file or the language. */
const standing = (db: Db, saleId: number) =>
  db
    .selectFrom('document as d')
    .innerJoin('document_version as v', 'v.document_id', 'd.id')
    .where('d.sale_id', '=', saleId)
    .where('d.kind', '=', 'invoice')
    .where('d.replaced_by_id', 'is', null)
    .orderBy(newestFirst())
    .limit(1)

/**
 * The names of the facts that the invoice of a sale says otherwise than the sale today: its reference number, and the
 * month of the dispatch. Another day of the same month is allowed, because VAT is declared by months or quarters
 * (§ 31(4) UStDV, not compared with the text of the law).
 */
export async function saidOtherwise(db: Db, saleId: number): Promise<string[]> {
  const invoice = await standing(db, saleId)
    .innerJoin('sale as s', 's.id', 'd.sale_id')
    .select([sql<string | null>`v.data ->> 'supplied_on'`.as('supplied_on'), 's.dispatched_on'])
    .select(
      sql<
        boolean | null
      >`v.data ? 'reference_number' and v.data ->> 'reference_number' is distinct from s.reference_number`.as(
        'has_old_reference',
      ),
    )
    .executeTakeFirst()
  if (!invoice) return []
  const { supplied_on, dispatched_on, has_old_reference } = invoice
  const isOtherMonth = supplied_on && dispatched_on && supplied_on.slice(0, 7) !== dispatched_on.slice(0, 7)
  return [...(has_old_reference ? [OLD_REFERENCE] : []), ...(isOtherMonth ? [OLD_MONTH] : [])]
}

/** The file of the invoice that a person gets now: the uploaded one, else the newest version if it is ready. */
export async function currentInvoiceFile(db: Db, saleId: number): Promise<number | undefined> {
  const uploaded = (await filesOf(db, saleId)).invoice
  if (uploaded) return uploaded.id
  const version = await standing(db, saleId).select('v.file_id').where('d.status', '=', 'ready').executeTakeFirst()
  return version?.file_id ?? undefined
}

/** The files of these documents that a mail would attach; undefined for a document without a file. */
export const mailedFiles = (db: Db, documents: readonly Document[]): Promise<(number | undefined)[]> =>
  Promise.all(documents.map((document) => mailedFile(db, document)))

/** An uploaded invoice is sent in place of the standing one. */
const mailedFile = (db: Db, { id, kind, sale_id, replaced_by_id }: Document) =>
  kind === 'invoice' && replaced_by_id === null ? currentInvoiceFile(db, sale_id) : documentFile(db, id)

/**
 * The id of a sale's invoice if somebody has ordered it, even if its file is not made yet; undefined if there is none,
 * or if it was taken off the sale.
 */
export async function orderedInvoice(db: Db, saleId: number): Promise<number | undefined> {
  const invoice = await standing(db, saleId).select('d.id').where('d.status', '<>', 'none').executeTakeFirst()
  return invoice?.id
}

/** The language of a sale's newest invoice; undefined if there is none, or if somebody deleted it. */
export async function invoiceLanguage(db: Db, saleId: number): Promise<InvoiceLanguage | undefined> {
  const version = await standing(db, saleId)
    .select(sql<InvoiceLanguage>`v.lang`.as('lang'))
    .where('d.status', '<>', 'none')
    .executeTakeFirst()
  return version?.lang
}
