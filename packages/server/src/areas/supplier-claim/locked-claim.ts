import type { ClaimState } from '@backstock/contract/claim-state.ts'
import type { Hundredths } from '@backstock/contract/money.ts'
import type { Selectable } from 'kysely'
import { RetryTransaction, type Tx, waitingLess } from '../../db/connect.ts'
import type { Tables } from '../../db/tables.ts'
import { found } from '../../http/crud.ts'
import { conflict } from '../../http/refusal.ts'
import { type Locked, lock } from '../../records/lock.ts'
import { refuseStale } from '../../records/log/stale.ts'

export type ClaimRecord = Selectable<Tables['supplier_claim']>
export type StockRecord = Selectable<Tables['stock']>

/** Locks a claim. Lock items, batches and sales before it; baskets after it. Throws 404 if there is none. */
export async function lockClaim(tx: Tx, id: number): Promise<ClaimRecord> {
  const row = await waitingLess(tx, () =>
    tx.selectFrom('supplier_claim').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
  )
  return found(row, `Supplier claim #${id}`)
}

export async function itemIdsOf(tx: Tx, claimId: number): Promise<number[]> {
  const rows = await tx.selectFrom('supplier_claim_item').select('stock_id').where('claim_id', '=', claimId).execute()
  return rows.map((row) => row.stock_id)
}

/**
 * Locks a claim with all its items and their batches, and with their sales if `withSales` is true. Items are always
 * locked before claims: if an item joins the claim before the claim is locked, the transaction runs again.
 */
export async function lockWholeClaim(
  tx: Tx,
  id: number,
  withSales = false,
): Promise<Pick<Locked, 'stock' | 'batches'> & { claim: ClaimRecord }> {
  const { stock } = await lock(tx, { stock: await itemIdsOf(tx, id) })
  const { batches } = await lock(tx, { batches: [...stock.values()].flatMap((item) => item.batch_id ?? []) })
  if (withSales) await lock(tx, { sales: [...stock.values()].flatMap((item) => item.sale_id ?? []) })
  const claim = await lockClaim(tx, id)
  const ids = await itemIdsOf(tx, id)
  if (ids.length !== stock.size || ids.some((item) => !stock.has(item)))
    throw new RetryTransaction('The items of the claim have changed meanwhile.')
  return { stock, batches, claim }
}

/** The items of a sent claim, each with its cost when the claim was sent. */
export async function itemCosts(tx: Tx, claimId: number): Promise<{ stock_id: number; cost: Hundredths }[]> {
  const rows = await tx
    .selectFrom('supplier_claim_item')
    .select(['stock_id', 'cost'])
    .where('claim_id', '=', claimId)
    .orderBy('stock_id')
    .execute()
  return rows.map(({ stock_id, cost }) => ({ stock_id, cost: cost ?? 0 }))
}

const IS: Readonly<Record<ClaimState, string>> = {
  draft: 'has not been sent yet',
  sent: 'has been sent',
  settled: 'is settled',
  refused: 'is refused',
}

/**
 * Throws 409 if the claim is not in this state. `no` says what is impossible then; `done` is the state that the request
 * would bring about.
 */
export function refuseUnless(
  { id, state }: Pick<ClaimRecord, 'id' | 'state'>,
  needed: ClaimState,
  { no, done }: { no: string; done?: ClaimState },
): void {
  if (state !== needed) throw conflict(`Supplier claim #${id} ${IS[state]}${state === done ? ' already' : `: ${no}`}.`)
}

/** Throws 409 if somebody has changed the claim since the client loaded it. */
export function refuseStaleClaim(tx: Tx, claim: ClaimRecord, loadedAt: string | undefined): Promise<void> {
  return refuseStale(tx, claim, loadedAt, { type: 'Supplier claim', id: claim.id })
}

/** Gives a claim a new `updated_at` after its items have changed, so that an edit of an older state is a 409. */
export async function touchClaim(tx: Tx, { id, state }: Pick<ClaimRecord, 'id' | 'state'>): Promise<void> {
  await tx.updateTable('supplier_claim').set({ state }).where('id', '=', id).execute()
}

/** The most items that a refusal names. */
export const NAMED = 20
