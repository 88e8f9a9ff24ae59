import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import { sql } from 'kysely'
import { RetryTransaction, type Tx } from '../../db/connect.ts'
import { queue } from '../../jobs.ts'
import { single } from '../../lists.ts'
import { listed } from '../../records/log/listed.ts'
import { type Author, type Entry, record } from '../../records/log/write.ts'
import type { ReceiptData } from '../../render/paper/purchase-receipt.ts'
import { takeNumbers } from '../document/number.ts'
import { paperPriority } from '../document/paper-priority.ts'

export type NewReceipt = {
  data: Omit<ReceiptData, 'number' | 'issued_on'>
  /** The items in the order of the lines. */
  stockIds: readonly number[]
  supplierId: number | null
  lang: InvoiceLanguage
  logoFileId: number | null
  /** The id of the receipt that this one takes back. */
  cancelsId: number | null
}

/**
 * Writes a receipt under the next number and orders its PDF. Returns its id and its number. The items must be locked.
 */
export async function writeReceipt(
  tx: Tx,
  { data, stockIds, supplierId, lang, logoFileId, cancelsId }: NewReceipt,
  author: Author,
): Promise<{ id: number; number: string }> {
  const { year, first } = await takeNumbers(tx, 'purchase_receipt', 1)
  const { rows: days } = await sql<{ today: string; number: string }>`
    select (clock_timestamp() at time zone time_zone)::date as today,
      'PR-' || ${year}::int || '-' || lpad(${first}::int::text, greatest(5, length(${first}::int::text)), '0') as number
    from company`.execute(tx)
  const { today, number } = single(days)
  // The transaction runs again and takes a number of the new year.
  if (!today.startsWith(`${year}-`)) throw new RetryTransaction('The year ended meanwhile.')
  const whole: ReceiptData = { ...data, number, issued_on: today }
  const { rows: made } = await sql<{ id: number }>`
    insert into purchase_receipt (year, number, kind, cancels_id, reason, supplier_id, seller_name, issued_on, bought_on,
      currency, total, items, lang, data, logo_file_id, identifiers, created_by)
    values (${year}, ${first}, ${data.kind}, ${cancelsId}, ${data.reason}, ${supplierId}, ${data.seller.name}, ${today}::date,
      ${data.bought_on}::date, ${data.currency}, ${data.total}, ${stockIds.length}, ${lang}, ${JSON.stringify(whole)}::jsonb,
      ${logoFileId}, ${identifiersOf(data)}, ${author.userId ?? null})
    returning id`.execute(tx)
  const { id } = single(made)
  const lines = data.lines.map((line, place) => ({ ...line, position: place + 1, stock_id: stockIds[place] }))
  await sql`
    insert into purchase_receipt_line (receipt_id, position, stock_id, description, imei, serial_number, price, is_live)
    select ${id}::int, position, stock_id, description, imei, serial_number, price, ${cancelsId === null}::boolean
    from json_to_recordset(${JSON.stringify(lines)}) as line (position int, stock_id int, description text, imei text,
      serial_number text, price int)`.execute(tx)
  await orderFile(tx, { id, lang, lines: lines.length })
  const message =
    cancelsId === null ? `On purchase receipt ${number}.` : `${data.cancels?.number} was cancelled by ${number}.`
  const entries = stockIds.map(
    (item): Entry => ({ type: 'Stock', id: item, content: { type: 'message', data: { message } } }),
  )
  if (supplierId !== null) {
    const text =
      cancelsId === null
        ? `Purchase receipt ${number}: ${listed(stockIds)}.`
        : `${data.cancels?.number} was cancelled by ${number}.`
    entries.push({ type: 'Supplier', id: supplierId, content: { type: 'message', data: { message: text } } })
  }
  await record(tx, author, entries)
  return { id, number }
}

/** The IMEIs and serial numbers of a receipt's lines, by which a search finds it. Each begins after a line break. */
const identifiersOf = ({ lines }: Pick<ReceiptData, 'lines'>) =>
  lines
    .flatMap(({ imei, serial_number }) => [imei, serial_number])
    .filter((one) => one !== null)
    .join('\n')

/** Orders the PDF of a receipt in a language. If it was ordered before, only one that failed is ordered again. */
export async function orderFile(
  tx: Tx,
  { id, lang, lines }: { id: number; lang: InvoiceLanguage; lines: number },
): Promise<void> {
  const { rows } = await sql`
    insert into purchase_receipt_file (receipt_id, lang) values (${id}, ${lang})
    on conflict (receipt_id, lang) do update set status = 'pending', error = null
      where purchase_receipt_file.status = 'failed'
    returning receipt_id`.execute(tx)
  if (rows.length)
    await queue(
      tx,
      'receipt_render',
      { receipt_id: id, lang },
      { priority: paperPriority({ lines, isOneOfMany: false }) },
    )
}
