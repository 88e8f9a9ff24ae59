import type { CreditReason } from '@backstock/contract/document-kind.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { sql } from 'kysely'
import { RetryTransaction, type Tx } from '../../db/connect.ts'
import { queueEach } from '../../jobs.ts'
import { getFrom, single, zip } from '../../lists.ts'
import type { Author } from '../../records/log/write.ts'
import { bookPurchases } from '../supplier-claim/credits.ts'
import type { DocumentFacts, PrintedData } from './facts.ts'
import { kindOf, type Series, takeNumbers } from './number.ts'
import { paperPriority } from './paper-priority.ts'

export type Numbered = { id: number; printed: string; issued_on: string }

export type NewDocument = {
  saleId: number
  series: Series
  /** For a credit note: the id of the invoice that it credits, and the reason. */
  credits?: { id: number; reason: CreditReason }
  /** For an invoice: the id of the invoice that it replaces. */
  replaces?: number
}

/** Writes a document under the next number of its series. Returns the number and the day on which it was given. */
export async function writeDocument(tx: Tx, document: NewDocument, facts: DocumentFacts): Promise<Numbered> {
  return single(await writeDocuments(tx, [{ ...document, facts }]))
}

/**
 * Writes documents under the next numbers of their series, in this order. The number of statements does not depend on
 * the number of documents.
 */
export async function writeDocuments(
  tx: Tx,
  documents: readonly (NewDocument & { facts: DocumentFacts })[],
): Promise<Numbered[]> {
  const { rows: ids } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('document', 'id'))::int as id
    from generate_series(1, ${documents.length}::int)`.execute(tx)
  const withIds = zip(documents, ids).map(([document, { id }]) => ({ ...document, id }))
  const replaced = withIds.flatMap(({ id, replaces }) => (replaces === undefined ? [] : { id, replaces }))
  if (replaced.length)
    await sql`
      update document set replaced_by_id = newer.id
      from unnest(${replaced.map(({ replaces }) => replaces)}::int[], ${replaced.map(({ id }) => id)}::int[])
        as newer (replaces, id)
      where document.id = newer.replaces`.execute(tx)
  const written = new Map<number, Numbered>()
  const bySeries = [...Map.groupBy(withIds, ({ series }) => series)]
  for (const [series, of] of bySeries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    for (const one of await insertDocuments(tx, series, of)) written.set(one.id, one)
  await writeLines(tx, withIds)
  await bookPurchases(
    tx,
    documents.map(({ saleId }) => saleId),
  )
  return withIds.map(({ id }) => getFrom(written, id))
}

async function insertDocuments(
  tx: Tx,
  series: Series,
  documents: readonly (NewDocument & { id: number; facts: DocumentFacts })[],
): Promise<Numbered[]> {
  const { year, first } = await takeNumbers(tx, series, documents.length)
  const rows = documents.map(({ id, saleId, credits, facts }, n) => ({
    ...{ id, number: first + n, sale_id: saleId, credits_id: credits?.id ?? null, reason: credits?.reason ?? null },
    ...{ customer_id: facts.customer_id, buyer_name: facts.buyer_name, buyer_country: facts.buyer_country },
    ...{ buyer_vat_number: facts.buyer_vat_number, due_days: facts.due_days, total_net: facts.data.total_net },
    ...{ total_gross: facts.data.total_gross, total_margin_vat: marginVatOf(facts) },
  }))
  const { rows: written } = await sql<Numbered>`
    insert into document (id, series, year, number, kind, sale_id, credits_id, reason, status, issued_on, due_on,
      customer_id, buyer_name, buyer_country, buyer_vat_number, total_net, total_gross, total_margin_vat)
    overriding system value
    select d.id, ${series}, ${year}::int, d.number, ${kindOf(series)}, d.sale_id, d.credits_id, d.reason, 'pending', day,
      day + d.due_days, d.customer_id, d.buyer_name, d.buyer_country, d.buyer_vat_number, d.total_net, d.total_gross,
      d.total_margin_vat
    from json_to_recordset(${JSON.stringify(rows)}) as d (id int, number int, sale_id int, credits_id int, reason text,
        due_days int, customer_id int, buyer_name text, buyer_country text, buyer_vat_number text, total_net bigint,
        total_gross bigint, total_margin_vat bigint),
      (select (clock_timestamp() at time zone time_zone)::date as day from company) today
    returning id, printed, issued_on`.execute(tx)
  // The transaction runs again and takes numbers of the new year.
  if (written.some(({ issued_on }) => !issued_on.startsWith(`${year}-`)))
    throw new RetryTransaction('The year ended meanwhile.')
  return written
}

/** Replaces the contents of an invoice that is not final. The invoice keeps its number and its day. */
export async function rewriteDocument(tx: Tx, id: number, facts: DocumentFacts): Promise<Numbered> {
  const { customer_id, buyer_name, buyer_country, buyer_vat_number, due_days, data } = facts
  const document = await tx
    .updateTable('document')
    .set({ status: 'pending', error: null, customer_id, buyer_name, buyer_country, buyer_vat_number })
    .set({ total_net: data.total_net, total_gross: data.total_gross, total_margin_vat: marginVatOf(facts) })
    .set({ due_on: sql<string>`issued_on + ${due_days}::int` })
    .where('id', '=', id)
    .returning(['id', 'printed', 'issued_on', 'sale_id'])
    .executeTakeFirstOrThrow()
  const kept = facts.lines.map(({ stock_id }) => stock_id)
  await sql`delete from document_line where document_id = ${id} and stock_id <> all(${kept}::int[])`.execute(tx)
  await tx.deleteFrom('document_vat').where('document_id', '=', id).execute()
  await writeLines(tx, [{ id, facts }])
  await bookPurchases(tx, [document.sale_id])
  return document
}

const marginVatOf = ({ lines }: DocumentFacts) => lines.reduce((sum, line) => sum + line.margin_vat, 0)

/**
 * Writes the lines of documents. A line that exists and has not changed is not written again: a thousand lines are
 * faster to compare than to write.
 */
async function writeLines(tx: Tx, documents: readonly { id: number; facts: DocumentFacts }[]): Promise<void> {
  const lines = documents.flatMap(({ id, facts }) => facts.lines.map((line) => ({ document_id: id, ...line })))
  await sql`
    insert into document_line as l (document_id, stock_id, position, net, price, treatment, rate, cost, margin_rate, margin_vat,
      credit_kind)
    select document_id, stock_id, position, net, price, treatment, rate, cost, margin_rate, margin_vat, credit_kind
    from json_to_recordset(${JSON.stringify(lines)}) as line (document_id int, stock_id int, position int, net int, price int,
      treatment text, rate int, cost int, margin_rate int, margin_vat int, credit_kind text)
    on conflict (document_id, stock_id) do update set position = excluded.position, net = excluded.net,
      price = excluded.price, treatment = excluded.treatment, rate = excluded.rate, cost = excluded.cost,
      margin_rate = excluded.margin_rate, margin_vat = excluded.margin_vat
    where (l.position, l.net, l.price, l.treatment, l.rate, l.cost, l.margin_rate, l.margin_vat)
      is distinct from (excluded.position, excluded.net, excluded.price, excluded.treatment, excluded.rate, excluded.cost,
        excluded.margin_rate, excluded.margin_vat)`.execute(tx)
  const vat = documents.flatMap(({ id, facts }) => facts.vat.map((total) => ({ document_id: id, ...total })))
  await sql`
    insert into document_vat (document_id, treatment, rate, net, vat)
    select document_id, treatment, rate, net, vat
    from json_to_recordset(${JSON.stringify(vat)}) as total (document_id int, treatment text, rate int, net bigint, vat bigint)`.execute(
    tx,
  )
}

export type NewVersion = { saleId: number; document: Numbered; lang: InvoiceLanguage; data: DocumentFacts['data'] }

/** Stores all that is printed as the next version of each document, and orders the files. */
export async function orderVersions(tx: Tx, versions: readonly NewVersion[], author: Author): Promise<void> {
  const next = versions.map(({ document: { id, printed, issued_on }, lang, data }) => {
    const whole: PrintedData = { ...data, number: printed, issued_on }
    return { id, lang, data: whole }
  })
  await sql`
    insert into document_version (document_id, version, lang, data)
    select id, coalesce((select max(version) from document_version where document_id = id), 0) + 1, lang, data
    from json_to_recordset(${JSON.stringify(next)}) as next (id int, lang text, data jsonb)`.execute(tx)
  await orderFiles(
    tx,
    versions.map(({ saleId }) => saleId),
    author,
  )
}

/**
 * Orders the files of the documents of these sales that have none yet. The files of a single sale come before those of
 * several.
 */
export async function orderFiles(tx: Tx, saleIds: readonly number[], author: Author): Promise<void> {
  const { rows } = await sql<{ sale_id: number; lines: number }>`
    select sale_id, (select count(*) from document d join document_line l on l.document_id = d.id
      where d.sale_id = wanted.sale_id and d.status = 'pending') as lines
    from unnest(${[...saleIds]}::int[]) as wanted (sale_id)`.execute(tx)
  const isOneOfMany = saleIds.length > 1
  const orders = rows.map(({ sale_id, lines }) => ({
    payload: { sale_id, user_id: author.userId ?? null },
    priority: paperPriority({ lines, isOneOfMany }),
  }))
  await queueEach(tx, 'invoice_render', orders)
}

/** Stores on each of these sales the sum that its documents ask for, and its standing invoice. */
export async function sumUpOnSales(tx: Tx, ids: readonly number[]): Promise<void> {
  await sql`
    update sale set
      invoiced_total = (select coalesce(sum(case kind when 'invoice' then total_gross else -total_gross end), 0)
        from document where sale_id = sale.id),
      (invoice_number, due_on) = (select printed, due_on from document
        where sale_id = sale.id and kind = 'invoice' and replaced_by_id is null)
    where id = any(${[...ids]}::int[])`.execute(tx)
}
