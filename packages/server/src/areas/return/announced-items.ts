import type { ReturnItemInput } from '@backstock/contract/customer-return.ts'
import { someSentences } from '@backstock/contract/some-of.ts'
import { sql } from 'kysely'
import { RetryTransaction, type Tx } from '../../db/connect.ts'
import { conflict, invalid } from '../../http/refusal.ts'
import { getFrom } from '../../lists.ts'
import { listed } from '../../records/log/listed.ts'
import { type Author, recordMessage } from '../../records/log/write.ts'
import { agreedPrice, tooMuch, whyNotBack } from '../sale/change/return-item.ts'
import { isStillSold, type LockedLines, lockLines } from '../sale/locked-sale.ts'
import { NAMED } from './locked-return.ts'

/** An item that a customer is going to send back, and the sale that it is on. */
export type Announced = Omit<ReturnItemInput, 'id' | 'sale_id'> & { stock_id: number; sale_id: number }

/**
 * Locks items that are to come back, with their batches and sales. Throws 422 under `items` if one does not exist or is
 * named twice; 409 if one is not sold, or if another sale than the named one has it.
 */
export async function lockAnnounced(
  tx: Tx,
  wanted: readonly ReturnItemInput[],
): Promise<{ items: Announced[]; locked: LockedLines }> {
  if (new Set(wanted.map(({ id }) => id)).size < wanted.length) throw invalid({ items: 'List each item only once.' })
  const { rows } = await sql<{ id: number; sale_id: number | null }>`
    select id, sale_id from stock where id = any(${wanted.map(({ id }) => id)}::int[])`.execute(tx)
  const sales = new Map(rows.map((row) => [row.id, row.sale_id ?? 0]))
  const unknown = wanted.filter(({ id }) => !sales.has(id))
  if (unknown.length)
    throw invalid({
      items: someSentences(
        unknown.map(({ id }) => `There is no item #${id}.`),
        NAMED,
      ),
    })
  const elsewhere = wanted.filter(({ id, sale_id }) => !sales.get(id) || (sale_id && sales.get(id) !== sale_id))
  if (elsewhere.length) throw refused(elsewhere.map(({ id, sale_id }) => notSold(id, sale_id)))
  const items = wanted.map(({ id, ...item }): Announced => ({ ...item, stock_id: id, sale_id: getFrom(sales, id) }))
  const locked = await lockLines(tx, items)
  if (items.some(({ stock_id, sale_id }) => locked.stock.get(stock_id)?.sale_id !== sale_id))
    throw new RetryTransaction('The items were sold or came back meanwhile.')
  return { items, locked }
}

const notSold = (id: number, saleId: number | undefined) =>
  saleId ? `Item #${id} is not on sale #${saleId} any more.` : `Item #${id} is not sold.`

const refused = (whys: readonly string[]) => {
  const message = someSentences(whys, NAMED)
  return conflict(message, { items: message })
}

/**
 * Throws if items cannot come back in this return, and names each of them: 422 under `items` if an item is another
 * customer's, has no supplier to go to, or is to be credited above its sold price; 409 if its state forbids it.
 */
export async function refuseOthers(
  tx: Tx,
  { id, customer_id }: { id: number; customer_id: number },
  items: readonly Announced[],
  { stock, sales, lines }: LockedLines,
): Promise<void> {
  const ofItem = new Map(lines.map((line) => [line.stock_id, line]))
  const others = items.flatMap(({ stock_id, sale_id, price, outcome }) => {
    const sale = getFrom(sales, sale_id)
    if (sale.customer_id !== customer_id)
      return `Item #${stock_id} was sold to ${sale.buyer.company_name ?? sale.buyer.full_name} in sale #${sale_id}.`
    const whole = agreedPrice(getFrom(ofItem, stock_id))
    if (price !== null && price > whole) return tooMuch(stock_id, whole)
    if (outcome === 'to_supplier' && getFrom(stock, stock_id).supplier_id === null)
      return `Item #${stock_id} has no supplier.`
    return []
  })
  if (others.length) throw invalid({ items: someSentences(others, NAMED) })

  const { rows } = await sql<{ stock_id: number; return_id: number }>`
    select stock_id, return_id from customer_return_item
    where stock_id = any(${items.map((item) => item.stock_id)}::int[])
      and case return_id when ${id} then received_at is not null else is_open end`.execute(tx)
  const held = new Map(rows.map((row) => [row.stock_id, row.return_id]))
  const stuck = items.flatMap(({ stock_id, sale_id }) => {
    const line = getFrom(ofItem, stock_id)
    const why = whyNotBack(getFrom(sales, sale_id), line, isStillSold(line, stock))
    if (why) return why.startsWith('Item #') ? why : `#${stock_id}: ${why}`
    const holder = held.get(stock_id)
    if (holder === undefined) return []
    return holder === id
      ? `Item #${stock_id} came back in this return before it was sold again. Make a new return for it.`
      : `Item #${stock_id} is in return #${holder} already.`
  })
  if (stuck.length) throw refused(stuck)
}

/** Stores the items of a return. */
export async function writeItems(tx: Tx, returnId: number, items: readonly Announced[]): Promise<void> {
  await sql`
    insert into customer_return_item (return_id, sale_id, stock_id, reason, condition, outcome, price)
    select ${returnId}::int, sale_id, stock_id, reason, condition, outcome, price
    from json_to_recordset(${JSON.stringify(items)}) as item (sale_id int, stock_id int, reason text, condition text,
      outcome text, price int)
    on conflict (return_id, stock_id) do update set sale_id = excluded.sale_id, reason = excluded.reason,
      condition = excluded.condition, outcome = excluded.outcome, price = excluded.price`.execute(tx)
}

/** Tells in the log of a return which items it waits for. */
export function tellAnnounced(
  tx: Tx,
  author: Author,
  id: number,
  items: readonly { stock_id: number }[],
): Promise<void> {
  const ids = items.map((item) => item.stock_id)
  return recordMessage(tx, author, 'Return', id, `Announced: ${ids.length ? listed(ids) : 'nothing more'}.`)
}
