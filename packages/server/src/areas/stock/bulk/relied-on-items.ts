import { isReturnable } from '@backstock/contract/claim-state.ts'
import { isSellable } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { getFrom } from '../../../lists.ts'
import { receiptsContradicted } from '../on-receipts.ts'
import type { ManyColumns } from './write-columns.ts'

type Back = { id: number; before: Partial<ManyColumns> }

/**
 * The items that must stay as they are, because a basket, a claim or a purchase receipt relies on a value that the undo
 * would take away, each with the reason. These do not change the `updated_at` of an item, so they are looked up here;
 * sales and returns change it.
 */
export async function reliedOnItems(tx: Tx, items: readonly Back[]): Promise<Map<number, string>> {
  return new Map([...(await onReceipts(tx, items)), ...(await inClaims(tx, items)), ...(await inBaskets(tx, items))])
}

/** The items whose purchase receipt says a value that the undo would change. A receipt cannot be changed after it. */
async function onReceipts(tx: Tx, items: readonly Back[]): Promise<Map<number, string>> {
  const numbers = await receiptsContradicted(tx, items)
  return new Map([...numbers].map(([id, number]) => [id, `Purchase receipt ${number} states its present values.`]))
}

/** The items that somebody has in a basket, if the undo would make them unsellable. */
async function inBaskets(tx: Tx, items: readonly Back[]): Promise<Map<number, string>> {
  const ids = items.flatMap(({ id, before: { status } }) => (status && !isSellable(status) ? id : []))
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; name: string }>`
    select i.id, u.name from basket b join app_user u on u.id = b.user_id cross join unnest(b.items) as i (id)
    where i.id in (select unnest(${ids}::int[]))`.execute(tx)
  return new Map(rows.map(({ id, name }) => [id, `It is in the basket of ${name}.`]))
}

/** The items that could no longer be sent with their claim if the undo restored their old status or supplier. */
async function inClaims(tx: Tx, items: readonly Back[]): Promise<Map<number, string>> {
  const wanted = new Map(
    items
      .filter(({ before: { status, supplier_id } }) => (status && !isReturnable(status)) || supplier_id !== undefined)
      .map(({ id, before }) => [id, before]),
  )
  if (wanted.size === 0) return new Map()
  const { rows } = await sql<{ id: number; claim_id: number; supplier_id: number }>`
    select i.stock_id as id, i.claim_id, c.supplier_id
    from supplier_claim_item i join supplier_claim c on c.id = i.claim_id
    where i.is_open and i.stock_id in (select unnest(${[...wanted.keys()]}::int[]))`.execute(tx)
  const stuck = rows.filter(({ id, supplier_id }) => {
    const before = getFrom(wanted, id)
    const isGone = before.status !== undefined && !isReturnable(before.status)
    return isGone || (before.supplier_id !== undefined && before.supplier_id !== supplier_id)
  })
  return new Map(stuck.map(({ id, claim_id }) => [id, `It is in supplier claim #${claim_id}.`]))
}
