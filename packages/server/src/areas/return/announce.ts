import type { CustomerReturnCreateInput } from '@backstock/contract/customer-return.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Written } from '../../http/crud.ts'
import { invalid, NO_SUCH_RECORD } from '../../http/refusal.ts'
import { type Author, recordChanges } from '../../records/log/write.ts'
import { lockAnnounced, refuseOthers, tellAnnounced, writeItems } from './announced-items.ts'
import { receive, receivedWords } from './receive.ts'

/**
 * Makes a customer's return, and receives it at once if the items are here: then the message says so. Throws 409, and
 * 422 under `items`, with the items that cannot come back.
 */
export async function announce(
  tx: Tx,
  { customer_id, note, items, received, send_email }: CustomerReturnCreateInput,
  author: Author,
  mailFrom: string | undefined,
): Promise<Written> {
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
  if (received) return { id, message: receivedWords(id, await receive(tx, id, { send_email }, { author, mailFrom })) }
  await tellAnnounced(tx, author, id, announced)
  return { id }
}
