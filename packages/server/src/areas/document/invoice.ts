import { type InvoiceLanguage, LANGUAGE_NAMES } from '@backstock/contract/invoice-language.ts'
import { sql } from 'kysely'
import { RetryTransaction, type Tx } from '../../db/connect.ts'
import { conflict, missing } from '../../http/refusal.ts'
import { queue } from '../../jobs.ts'
import { lock } from '../../records/lock.ts'
import { type Author, recordMessage } from '../../records/log/write.ts'
import { printedInvoice } from './invoice-print.ts'
import { stopMails } from './mail/outbox.ts'
import { currentInvoiceFile } from './queries.ts'
import { refuseVoided } from './refuse-voided.ts'
import { removeSaleFile } from './sale-file.ts'

/** Which row of numbers an invoice takes its number from. */
export type InvoiceSeries = 'invoice' | 'sample'

const printedNumber = (series: InvoiceSeries, year: number, number: number) =>
  `${series === 'sample' ? 'SAMPLE-' : ''}${year}-${String(number).padStart(5, '0')}`

/**
 * Orders the next version of a sale's invoice, for which the sale must be locked or new in this transaction. The first
 * version takes the number; all that is printed is frozen now, and a job renders it. It replaces an uploaded invoice.
 * Locks the number series, so whatever else is to be locked comes before. Returns the number.
 */
export async function orderInvoice(
  tx: Tx,
  saleId: number,
  author: Author,
  { lang, series = 'invoice' }: { lang: InvoiceLanguage; series?: InvoiceSeries },
): Promise<string> {
  await removeSaleFile(tx, saleId, 'invoice')
  const invoice =
    (await tx
      .updateTable('invoice')
      .set({ status: 'pending', error: null })
      .where('sale_id', '=', saleId)
      .returning(['id', 'issued_on'])
      .executeTakeFirst()) ?? (await numberedInvoice(tx, saleId, series))
  const data = await printedInvoice(tx, saleId)
  await sql`
    insert into invoice_version (invoice_id, version, lang, data)
    select ${invoice.id}, coalesce(max(version), 0) + 1, ${lang}, ${JSON.stringify(data)}::jsonb
    from invoice_version where invoice_id = ${invoice.id}`.execute(tx)
  await queue(tx, 'invoice_render', { sale_id: saleId, user_id: author.userId ?? null })
  return data.number
}

/**
 * Gives the sale the next number of its year in the company's time zone: without gaps, since it is undone with the
 * sale. Its date is that of the moment at which it has the number, so that dates follow numbers.
 */
async function numberedInvoice(tx: Tx, saleId: number, series: InvoiceSeries) {
  const {
    rows: [clock],
  } = await sql<{ year: number }>`
    select extract(year from clock_timestamp() at time zone time_zone)::int as year from company`.execute(tx)
  const { year } = clock!
  const {
    rows: [taken],
  } = await sql<{ last: number }>`
    insert into number_series (series, year, last) values (${series}, ${year}, 1)
    on conflict (series, year) do update set last = number_series.last + 1 returning last`.execute(tx)
  const number = taken!.last
  await tx
    .updateTable('sale')
    .set({ invoice_number: printedNumber(series, year, number) })
    .where('id', '=', saleId)
    .execute()
  const issuedOn = sql<string>`(select (clock_timestamp() at time zone time_zone)::date from company)`
  const invoice = await tx
    .insertInto('invoice')
    .values({ series, year, number, sale_id: saleId, issued_on: issuedOn, status: 'pending', error: null })
    .returning(['id', 'issued_on'])
    .executeTakeFirstOrThrow()
  if (!invoice.issued_on.startsWith(`${year}-`))
    // The next attempt takes a number of the new year.
    throw new RetryTransaction('The year ended meanwhile.')
  return invoice
}

/**
 * Makes or remakes a sale's invoice as a person asks for it; its number stays. 409 for a voided sale, unless its
 * invoice has a number and no PDF: then the books want one.
 */
export async function generateInvoice(tx: Tx, saleId: number, lang: InvoiceLanguage, author: Author): Promise<string> {
  const sale = (await lock(tx, { sales: [saleId] })).sales.get(saleId)
  if (!sale) throw missing(`Sale #${saleId}`)
  if (sale.status === 'Voided' && sale.invoice_number === null)
    throw conflict('A voided sale cannot get an invoice number.')
  const isThere = await hasInvoice(tx, saleId)
  if (isThere) refuseVoided(sale)
  const number = await orderInvoice(tx, saleId, author, { lang })
  const what = isThere ? 'ordered again' : 'ordered'
  await recordMessage(tx, author, 'Sale', saleId, `Invoice ${number} was ${what}, in ${LANGUAGE_NAMES[lang]}.`)
  return number
}

/** Whether there is an invoice, or one is being made. */
async function hasInvoice(tx: Tx, saleId: number): Promise<boolean> {
  const made = await tx.selectFrom('invoice').select('status').where('sale_id', '=', saleId).executeTakeFirst()
  return made?.status === 'pending' || (await currentInvoiceFile(tx, saleId)) !== undefined
}

/** Takes the invoice away, uploaded or generated; the number stays with the sale. 404 where there is none. */
export async function deleteInvoice(tx: Tx, saleId: number, author: Author): Promise<void> {
  const sale = (await lock(tx, { sales: [saleId] })).sales.get(saleId)
  if (!sale) throw missing(`Sale #${saleId}`)
  const uploaded = await removeSaleFile(tx, saleId, 'invoice')
  const generated = await tx
    .updateTable('invoice')
    .set({ status: 'none', error: null })
    .where('sale_id', '=', saleId)
    .where('status', '<>', 'none')
    .executeTakeFirst()
  if (!uploaded && !generated.numUpdatedRows) throw missing(`An invoice of sale #${saleId}`)
  await stopMails(tx, saleId, 'The invoice was deleted.')
  await recordMessage(tx, author, 'Sale', saleId, 'The invoice was deleted.')
}
