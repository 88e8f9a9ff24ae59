import {
  CustomerReturn,
  CustomerReturnCreateInput,
  CustomerReturnInput,
  CustomerReturnQuery,
  CustomerReturnRow,
} from '@backstock/contract/customer-return.ts'
import { allowedReturnStates } from '@backstock/contract/return-state.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { type Crud, found } from '../../http/crud.ts'
import { BODY } from '../../http/read-bodies.ts'
import { conflict, invalid, NO_SUCH_RECORD } from '../../http/refusal.ts'
import { listed } from '../../records/log/listed.ts'
import { type Author, recordChanges, recordMessage } from '../../records/log/write.ts'
import { lockAnnounced, refuseOthers, writeItems } from './announce.ts'
import { awaitedItems, lockReturn, type ReturnRecord, refuseStaleReturn } from './locked-return.ts'
import { findReturns, returnRecord } from './queries.ts'
import { receive } from './receive.ts'

/** The five usual routes of returns. `mailFrom` is the sender from the environment. */
export function customerReturn(
  mailFrom: string | undefined,
): Crud<typeof CustomerReturnQuery, typeof CustomerReturnInput, typeof CustomerReturnRow, typeof CustomerReturn> {
  return {
    area: 'return',
    title: 'Return',
    query: CustomerReturnQuery,
    input: CustomerReturnInput,
    createInput: CustomerReturnCreateInput,
    createBytes: BODY.list,
    editBytes: BODY.list,
    row: CustomerReturnRow,
    record: CustomerReturn,
    unique: {
      customer_return_item_open: { field: 'items', message: 'An item is in another open return already.' },
      customer_return_item_once: { field: 'items', message: 'This item has been returned' },
    },
    find: findReturns,
    one: returnRecord,
    async create(tx, input, actor) {
      const given = CustomerReturnCreateInput.parse(input)
      return { id: await announce(tx, given, { userId: actor.id }, mailFrom) }
    },
    async edit(tx, id, input, actor) {
      await editReturn(tx, id, input, { userId: actor.id })
      return { id }
    },
    async remove(tx, id, actor) {
      const row = await lockReturn(tx, id)
      if (row.state === 'received' || row.state === 'settled')
        throw conflict(`Return #${id} is ${row.state} and cannot be deleted.`)
      await tx.deleteFrom('customer_return').where('id', '=', id).execute()
      await recordMessage(tx, { userId: actor.id }, 'Return', id, `Return #${id} deleted.`)
    },
  }
}

/**
 * Makes a customer's return, and receives it at once if the items are here. Returns its id. Throws 409, and 422 under
 * `items`, with the items that cannot come back.
 */
export async function announce(
  tx: Tx,
  { customer_id, note, items, received, send_email }: CustomerReturnCreateInput,
  author: Author,
  mailFrom: string | undefined,
): Promise<number> {
  if (items.length === 0) throw invalid({ items: 'Choose at least one item.' })
  const { items: announced, locked } = await lockAnnounced(tx, items)
  const customer = await tx
    .selectFrom('customer')
    .select(sql<string>`first_name || ' ' || last_name`.as('name'))
    .where('id', '=', customer_id)
    .executeTakeFirst()
  if (!customer) throw invalid({ customer_id: NO_SUCH_RECORD })
  const { id, state } = await tx
    .insertInto('customer_return')
    .values({ customer_id, note: note ?? null, created_by: author.userId ?? null })
    .returning(['id', 'state'])
    .executeTakeFirstOrThrow()
  await refuseOthers(tx, { id, customer_id }, announced, locked)
  await writeItems(tx, id, announced)
  const written = { state, customer: { id: customer_id, name: customer.name }, note }
  await recordChanges(tx, author, 'Return', id, null, written)
  if (received) await receive(tx, id, { send_email }, { author, mailFrom })
  else await tellAnnounced(tx, author, id, announced)
  return id
}

function tellAnnounced(tx: Tx, author: Author, id: number, items: readonly { stock_id: number }[]): Promise<void> {
  const ids = items.map((item) => item.stock_id)
  return recordMessage(tx, author, 'Return', id, `Announced: ${ids.length ? listed(ids) : 'nothing more'}.`)
}

/**
 * Edits a return. A field that is absent stays. Throws 404; 409 if the return has changed or ended; 422 under wrong
 * fields.
 */
export async function editReturn(
  tx: Tx,
  id: number,
  input: Partial<CustomerReturnInput>,
  author: Author,
): Promise<void> {
  const { items, updated_at } = input
  const announced = items && (await lockAnnounced(tx, items))
  const before = await lockReturn(tx, id)
  await refuseStaleReturn(tx, before, updated_at)
  const after = { state: input.state ?? before.state, note: input.note === undefined ? before.note : input.note }
  if (!allowedReturnStates(before.state).includes(after.state))
    throw invalid({ state: `A return that is ${before.state} cannot become ${after.state} by an edit.` })
  if (announced) await replaceItems(tx, before, announced, author)
  await tx.updateTable('customer_return').set(after).where('id', '=', id).execute()
  // The return has ended, so nobody expects its missing items any longer.
  if (after.state === 'settled' || after.state === 'refused')
    await tx.updateTable('customer_return_item').set({ is_open: false }).where('return_id', '=', id).execute()
  await recordChanges(tx, author, 'Return', id, { state: before.state, note: before.note }, after)
}

async function replaceItems(
  tx: Tx,
  row: ReturnRecord,
  { items, locked }: Awaited<ReturnType<typeof lockAnnounced>>,
  author: Author,
): Promise<void> {
  if (row.state === 'settled' || row.state === 'refused') throw conflict(`Return #${row.id} is ${row.state}.`)
  if (row.state === 'announced' && items.length === 0) throw invalid({ items: 'Choose at least one item.' })
  await refuseOthers(tx, row, items, locked)
  const kept = new Set(items.map((item) => item.stock_id))
  const gone = (await awaitedItems(tx, row.id)).filter((item) => !kept.has(item.stock_id))
  await sql`
    delete from customer_return_item
    where return_id = ${row.id} and stock_id = any(${gone.map((item) => item.stock_id)}::int[])`.execute(tx)
  await writeItems(tx, row.id, items)
  await tellAnnounced(tx, author, row.id, items)
}

/** The return with this id. Throws 404 if there is none. */
export async function presented(tx: Tx, id: number): Promise<CustomerReturn> {
  return CustomerReturn.parse(found(await returnRecord(tx, id), `Return #${id}`))
}
