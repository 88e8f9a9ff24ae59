import type { ReceiveInput } from '@backstock/contract/customer-return.ts'
import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import { someOf, someSentences } from '@backstock/contract/some-of.ts'
import { sql } from 'kysely'
import { RetryTransaction, type Tx } from '../../db/connect.ts'
import { conflict, invalid, missing } from '../../http/refusal.ts'
import { getFrom, single } from '../../lists.ts'
import { listed } from '../../records/log/listed.ts'
import { type Author, type Entry, record, recordChanges } from '../../records/log/write.ts'
import type { CreditNote } from '../document/credit.ts'
import { queueDocumentMails } from '../document/mail/outbox.ts'
import { agreedPrice, takeBack } from '../sale/change/return-item.ts'
import { type LockedLines, lockLines } from '../sale/locked-sale.ts'
import { type Announced, refuseOthers, writeItems } from './announced-items.ts'
import {
  awaitedItems,
  lockReturn,
  NAMED,
  type ReturnLine,
  type ReturnRecord,
  refuseEnded,
  refuseStaleReturn,
} from './locked-return.ts'
import { moveItems } from './move-items.ts'

/** `mailFrom` is the sender from the environment; if it is undefined, the company's. */
type Options = { author: Author; mailFrom: string | undefined }

/**
 * Takes back all open items of a return, or some of them. Each is moved by its outcome, and its price is credited, with
 * one credit note for each sale. Throws 404 if there is no such return; 409 if the return has ended or an item cannot
 * come back; 422 under `items` for items that the return does not expect. Returns the credit notes.
 */
export async function receive(
  tx: Tx,
  id: number,
  { items: wanted, send_email, updated_at }: ReceiveInput,
  { author, mailFrom }: Options,
): Promise<CreditNote[]> {
  const planned = await awaitedItems(tx, id)
  const locked = await lockLines(tx, planned)
  const row = await lockReturn(tx, id)
  await refuseStaleReturn(tx, row, updated_at)
  refuseEnded(row)
  const awaited = await awaitedItems(tx, id)
  const isPlanned = new Set(planned.map((item) => item.stock_id))
  if (awaited.length !== planned.length || awaited.some((item) => !isPlanned.has(item.stock_id)))
    throw new RetryTransaction('The items of the return have changed meanwhile.')
  const items = await chosen(tx, row, awaited, wanted)
  if (items.length === 0) throw conflict(`Return #${id} expects no more items.`)
  await refuseOthers(tx, row, items, locked)
  const notes = await takeIn(tx, row, items, locked, author)
  if (send_email) {
    const mails = [...notes].map(([saleId, note]) => ({ saleId, documentIds: [note.id] }))
    await queueDocumentMails(tx, mails, { author, mailFrom })
  }
  return [...notes.values()]
}

/** The message about items that have just come back. */
export function receivedWords(id: number, notes: readonly CreditNote[]): string {
  const made = notes.length === 1 ? `Credit note ${single(notes).printed} is` : `${notes.length} credit notes are`
  return `Return #${id} received.${notes.length ? ` ${made} being made.` : ''}`
}

/** The items that come back now: as announced, with the changes in this request. */
async function chosen(
  tx: Tx,
  { id }: ReturnRecord,
  awaited: readonly ReturnLine[],
  wanted: ReceiveInput['items'],
): Promise<Announced[]> {
  if (!wanted) return [...awaited]
  const byItem = new Map(awaited.map((item) => [item.stock_id, item]))
  const strange = wanted.filter((item) => !byItem.has(item.id))
  if (strange.length) {
    const { rows } = await sql<{ stock_id: number }>`
      select stock_id from customer_return_item where return_id = ${id} and received_at is not null`.execute(tx)
    const back = new Set(rows.map((item) => item.stock_id))
    if (strange.every((item) => back.has(item.id)))
      throw conflict(
        someSentences(
          strange.map((item) => `#${item.id}: This item has been returned.`),
          NAMED,
        ),
      )
    throw invalid({
      items: someSentences(
        strange.map((item) => `Return #${id} does not expect item #${item.id}.`),
        NAMED,
      ),
    })
  }
  const said = new Map(wanted.map((item) => [item.id, item]))
  return [...said.values()].map(({ id: stock_id, reason, condition, outcome, price }) => {
    const item = getFrom(byItem, stock_id)
    return {
      ...{ stock_id, sale_id: item.sale_id },
      reason: reason ?? item.reason,
      condition: condition ?? item.condition,
      outcome: outcome ?? item.outcome,
      price: price === undefined ? item.price : price,
    }
  })
}

/** Takes back items in a return. The caller has locked the items, and the return unless it is new. */
async function takeIn(
  tx: Tx,
  row: Pick<ReturnRecord, 'id' | 'state'>,
  items: readonly Announced[],
  locked: LockedLines,
  author: Author,
): Promise<Map<number, CreditNote>> {
  const { id } = row
  await writeItems(tx, id, items)
  const back = items.map(({ price, ...item }) => ({ ...item, price: price ?? undefined }))
  const notes = await takeBack(tx, locked, back, author, () => moveItems(tx, locked, items, author))
  const whole = new Map(locked.lines.map((line) => [line.stock_id, agreedPrice(line)]))
  const column = <Value>(of: (item: Announced) => Value) => items.map(of)
  await sql`
    update customer_return_item set received_at = now(), is_open = false, price = back.price,
      credit_id = (select document_id from document_line l where l.document_id = back.credit_id and l.stock_id = back.stock_id)
    from unnest(${column(({ stock_id }) => stock_id)}::int[],
      ${column(({ stock_id, price }) => price ?? getFrom(whole, stock_id))}::int[],
      ${column(({ sale_id }) => notes.get(sale_id)?.id ?? null)}::int[]) as back (stock_id, price, credit_id)
    where return_id = ${id} and customer_return_item.stock_id = back.stock_id`.execute(tx)
  await tx.updateTable('customer_return').set({ state: 'received' }).where('id', '=', id).execute()
  await record(tx, author, entries(row, items, [...notes.values()]))
  return notes
}

function entries({ id, state }: Pick<ReturnRecord, 'id' | 'state'>, items: readonly Announced[], notes: CreditNote[]) {
  const said = notes.map(({ printed, total_gross }) => `${printed} of ${formatMoney(total_gross)} ${CURRENCY}`)
  const credited = said.length ? ` Credited: ${someOf(said, 20)}.` : ''
  const message = `Received: ${listed(items.map(({ stock_id }) => stock_id))}.${credited}`
  const told: Entry = { type: 'Return', id, content: { type: 'message', data: { message } } }
  const data = [{ attributeName: 'state', from: state, to: 'received' }]
  const moved: Entry = { type: 'Return', id, content: { type: 'model_update', data } }
  return state === 'received' ? [told] : [moved, told]
}

/**
 * Takes one item of a dispatched sale back into stock and credits its whole price. It uses an open return that expects
 * the item, or makes a return and receives it at once. Throws the errors of `takeBack`.
 */
export async function returnItem(tx: Tx, saleId: number, stockId: number, author: Author): Promise<void> {
  const { rows } = await sql<{ return_id: number }>`
    select return_id from customer_return_item
    where stock_id = ${stockId} and sale_id = ${saleId} and is_open`.execute(tx)
  if (rows[0]) {
    const items = [{ id: stockId, outcome: 'restock' as const, price: null }]
    await receive(tx, rows[0].return_id, { items, send_email: false }, { author, mailFrom: undefined })
    return
  }
  const item = { sale_id: saleId, stock_id: stockId }
  const locked = await lockLines(tx, [item])
  const sale = locked.sales.get(saleId)
  if (!sale) throw missing(`Sale #${saleId}`)
  if (locked.lines.length === 0) throw missing(`Item #${stockId} on sale #${saleId}`)
  const made = await tx
    .insertInto('customer_return')
    .values({ customer_id: sale.customer_id, created_by: author.userId ?? null })
    .returning(['id', 'state'])
    .executeTakeFirstOrThrow()
  const customer = { id: sale.customer_id, name: sale.buyer.full_name }
  await recordChanges(tx, author, 'Return', made.id, null, { state: made.state, customer })
  const announced: Announced = {
    ...{ ...item, reason: 'not_stated', condition: 'not_checked', outcome: 'restock', price: null },
  }
  await takeIn(tx, made, [announced], locked, author)
}
