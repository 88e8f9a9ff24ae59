import type { CreditReason } from '@backstock/contract/document-kind.ts'
import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { sql } from 'kysely'
import { RetryTransaction, type Tx } from '../../db/connect.ts'
import { queue } from '../../jobs.ts'
import type { Author } from '../../records/log/write.ts'
import type { DocumentFacts, PrintedData } from './facts.ts'
import { kindOf, type Series, takeNumber } from './number.ts'

type Numbered = { id: number; printed: string; issued_on: string }

export type NewDocument = {
  saleId: number
  series: Series
  /** Of a credit note: the invoice that it credits, and why. */
  credits?: { id: number; reason: CreditReason }
  /** Of an invoice: the one that it stands in for. */
  replaces?: number
}

/** Writes a document under the next number of its series, with the day on which it has that number. */
export async function writeDocument(
  tx: Tx,
  { saleId, series, credits, replaces }: NewDocument,
  facts: DocumentFacts,
): Promise<Numbered> {
  const { year, number } = await takeNumber(tx, series)
  const {
    rows: [next],
  } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('document', 'id'))::int as id`.execute(tx)
  const { id } = next!
  if (replaces) await tx.updateTable('document').set({ replaced_by_id: id }).where('id', '=', replaces).execute()
  const { customer_id, buyer_name, buyer_country, buyer_vat_number, due_days, data } = facts
  const {
    rows: [written],
  } = await sql<Numbered>`
    insert into document (id, series, year, number, kind, sale_id, credits_id, reason, status, issued_on, due_on,
      customer_id, buyer_name, buyer_country, buyer_vat_number, total_net, total_gross, total_margin_vat)
    overriding system value
    select ${id}::int, ${series}, ${year}::int, ${number}::int, ${kindOf(series)}, ${saleId}::int, ${credits?.id ?? null}::int,
      ${credits?.reason ?? null}, 'pending', day, day + ${due_days}::int, ${customer_id}::int, ${buyer_name}, ${buyer_country},
      ${buyer_vat_number}, ${data.total_net}::bigint, ${data.total_gross}::bigint, ${marginVatOf(facts)}::bigint
    from (select (clock_timestamp() at time zone time_zone)::date as day from company) today
    returning id, printed, issued_on`.execute(tx)
  const document = written!
  // The next attempt takes a number of the new year.
  if (!document.issued_on.startsWith(`${year}-`)) throw new RetryTransaction('The year ended meanwhile.')
  await writeLines(tx, id, facts)
  return document
}

/** Writes the contents of an invoice anew that has not left the house; it keeps its number and its day. */
export async function rewriteDocument(tx: Tx, id: number, facts: DocumentFacts): Promise<Numbered> {
  const { customer_id, buyer_name, buyer_country, buyer_vat_number, due_days, data } = facts
  const document = await tx
    .updateTable('document')
    .set({ status: 'pending', error: null, customer_id, buyer_name, buyer_country, buyer_vat_number })
    .set({ total_net: data.total_net, total_gross: data.total_gross, total_margin_vat: marginVatOf(facts) })
    .set({ due_on: sql<string>`issued_on + ${due_days}::int` })
    .where('id', '=', id)
    .returning(['id', 'printed', 'issued_on'])
    .executeTakeFirstOrThrow()
  await tx.deleteFrom('document_line').where('document_id', '=', id).execute()
  await tx.deleteFrom('document_vat').where('document_id', '=', id).execute()
  await writeLines(tx, id, facts)
  return document
}

const marginVatOf = ({ lines }: DocumentFacts) => lines.reduce((sum, line) => sum + line.margin_vat, 0)

async function writeLines(tx: Tx, id: number, { lines, vat }: DocumentFacts): Promise<void> {
  await sql`
    insert into document_line (document_id, stock_id, position, net, price, treatment, rate, cost, margin_rate, margin_vat)
    select ${id}::int, stock_id, position, net, price, treatment, rate, cost, margin_rate, margin_vat
    from json_to_recordset(${JSON.stringify(lines)}) as line (stock_id int, position int, net int, price int,
      treatment text, rate int, cost int, margin_rate int, margin_vat int)`.execute(tx)
  if (vat.length)
    await tx
      .insertInto('document_vat')
      .values(vat.map((total) => ({ document_id: id, ...total })))
      .execute()
}

/** Freezes all that is printed as the document's next version, and orders its file. */
export async function orderVersion(
  tx: Tx,
  saleId: number,
  { id, printed, issued_on }: Numbered,
  { lang, data }: { lang: InvoiceLanguage; data: DocumentFacts['data'] },
  author: Author,
): Promise<void> {
  const whole: PrintedData = { ...data, number: printed, issued_on }
  await sql`
    insert into document_version (document_id, version, lang, data)
    select ${id}, coalesce(max(version), 0) + 1, ${lang}, ${JSON.stringify(whole)}::jsonb
    from document_version where document_id = ${id}`.execute(tx)
  await orderFiles(tx, saleId, author)
}

/** Orders the files of a sale's documents that wait for theirs. */
export async function orderFiles(tx: Tx, saleId: number, author: Author): Promise<void> {
  await queue(tx, 'invoice_render', { sale_id: saleId, user_id: author.userId ?? null })
}

/** Repeats on the sale what its documents ask for together, and which invoice stands. */
export async function sumUpOnSale(tx: Tx, saleId: number): Promise<void> {
  await sql`
    update sale set
      invoiced_total = (select coalesce(sum(case kind when 'invoice' then total_gross else -total_gross end), 0)
        from document where sale_id = ${saleId}),
      (invoice_number, due_on) = (select printed, due_on from document
        where sale_id = ${saleId} and kind = 'invoice' and replaced_by_id is null)
    where id = ${saleId}`.execute(tx)
}
