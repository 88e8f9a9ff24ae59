import { DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { lock } from '../../records/lock.ts'
import { record } from '../../records/log/write.ts'

/**
 * Whether a document is final: its mail was sent, somebody downloaded it, its sale was dispatched, or a credit note
 * refers to it. A document whose mail is being sent right now counts too, because nobody can call the mail back.
 * Waiting mails with the document are locked, so that none of them is sent before this transaction ends.
 */
export async function isFinal(
  tx: Tx,
  { id, sale_id, left_at }: { id: number; sale_id: number; left_at: string | null },
): Promise<boolean> {
  if (left_at !== null) return true
  const mails = await tx
    .selectFrom('mail')
    .select('state')
    .where('sale_id', '=', sale_id)
    .where('state', 'in', ['waiting', 'sending'])
    .where(sql<boolean>`document_ids @> array[${id}::int]`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return mails.some(({ state }) => state === 'sending')
}

/**
 * Whether a document was issued in an earlier month by the company's clock. The books of that month must not change.
 */
export const isOfEarlierMonth = (issuedOn: RawBuilder<unknown>): RawBuilder<boolean> => sql<boolean>`
  date_trunc('month', ${issuedOn}::timestamp)
    < date_trunc('month', (select now() at time zone time_zone from company))`

/**
 * Marks documents as final. From then on they never change. If a person's download makes them final, the log of their
 * sale names that person, and `finalBy` finds the entry.
 */
export async function makeFinal(tx: Tx, ids: readonly number[], downloadedBy?: number): Promise<void> {
  if (ids.length === 0) return
  const made = await tx
    .updateTable('document')
    .set({ left_at: sql<string>`now()` })
    .where(sql<boolean>`id = any(${[...ids]}::int[])`)
    .where('left_at', 'is', null)
    .returning(['id', 'sale_id', 'kind', 'printed'])
    .execute()
  if (downloadedBy === undefined) return
  const entries = made.map(({ id, sale_id, kind, printed }) => ({
    type: 'Sale' as const,
    id: sale_id,
    content: {
      type: 'message' as const,
      data: { message: `${DOCUMENT_NAMES[kind]} ${printed} was downloaded and is final now.`, downloaded_id: id },
    },
  }))
  await record(tx, { userId: downloadedBy }, entries)
}

/** The name of the person whose download made a document final; null if something else did. */
export const finalBy = sql<string | null>`case when document.left_at is not null then (
  select u.name from log l join app_user u on u.id = l.user_id
  where l.loggable_type = 'Sale' and l.loggable_id = document.sale_id
    and (l.content -> 'data' ->> 'downloaded_id')::int = document.id limit 1) end`

/**
 * Reads the content of a document that is about to be sent or downloaded, and marks the document as final. The sale is
 * locked before, so that nobody can make the document anew in between. If `read` finds nothing, the document does not
 * become final. `downloadedBy` is the person who downloads it.
 */
export async function readFinal<Content>(
  tx: Tx,
  id: number,
  read: () => Promise<Content | undefined>,
  downloadedBy?: number,
): Promise<Content | undefined> {
  const { sale_id } = await tx.selectFrom('document').select('sale_id').where('id', '=', id).executeTakeFirstOrThrow()
  await lock(tx, { sales: [sale_id] })
  const content = await read()
  if (content !== undefined) await makeFinal(tx, [id], downloadedBy)
  return content
}

/** Marks a sale's standing invoice as final, if there is one. */
export async function makeInvoiceFinal(tx: Tx, saleId: number, downloadedBy?: number): Promise<void> {
  const invoice = await standingInvoice(tx, saleId)
  if (invoice) await makeFinal(tx, [invoice.id], downloadedBy)
}

/** The standing invoice of a sale: its invoice that no correction has replaced. The sale must be locked. */
export function standingInvoice(tx: Tx, saleId: number) {
  return tx
    .selectFrom('document')
    .selectAll()
    .where('sale_id', '=', saleId)
    .where('kind', '=', 'invoice')
    .where('replaced_by_id', 'is', null)
    .executeTakeFirst()
}
