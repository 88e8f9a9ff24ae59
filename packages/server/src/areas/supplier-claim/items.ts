import { isReturnable } from '@backstock/contract/claim-state.ts'
import { someOf } from '@backstock/contract/some-of.ts'
import { MAX_ITEMS } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import { type Tx, waitingLess } from '../../db/connect.ts'
import { conflict, invalid, NO_SUCH_RECORD } from '../../http/refusal.ts'
import { getFrom, single } from '../../lists.ts'
import { lock } from '../../records/lock.ts'
import { listed } from '../../records/log/listed.ts'
import { type Author, recordChanges, recordMessage } from '../../records/log/write.ts'
import { type ClaimRecord, lockClaim, NAMED, refuseUnless, type StockRecord, touchClaim } from './locked-claim.ts'

/** An item to add to a claim, and the reason. */
export type Claimed = { stock_id: number; reason: string }

/**
 * Adds items to a draft: all of them, or none. An item that is in it already gets the new reason. Throws 404 if there
 * is no such claim; 409 if it is no draft; 422 under `items` if an item does not exist or is another supplier's, or if
 * there are too many; 409 if items are not returnable or are in another open claim. The message names them.
 */
export async function addItems(tx: Tx, author: Author, claimId: number, claimed: readonly Claimed[]): Promise<void> {
  const items = await lockItems(tx, claimed)
  const claim = await lockClaim(tx, claimId)
  refuseUnless(claim, 'draft', { no: 'items can no longer be added' })
  await join(tx, author, claim, claimed, items)
}

/** Adds items to a claim that this transaction has made. Throws the errors of `addItems`. */
export async function fillNewClaim(
  tx: Tx,
  author: Author,
  claim: Pick<ClaimRecord, 'id' | 'supplier_id' | 'state'>,
  claimed: readonly Claimed[],
): Promise<void> {
  await join(tx, author, claim, claimed, await lockItems(tx, claimed))
}

/**
 * Adds items to the supplier's newest draft that has room, or to a new draft, and returns its id. The caller holds no
 * lock that comes after items, or has locked the items already. Throws the errors of `addItems`.
 */
export async function draftClaimFor(
  tx: Tx,
  supplierId: number,
  claimed: readonly Claimed[],
  author: Author,
): Promise<number> {
  const items = await lockItems(tx, claimed)
  // The lock on the supplier makes a second request wait, so that it finds the draft of the first.
  const supplier = await waitingLess(tx, () =>
    tx
      .selectFrom('supplier')
      .select(['id', 'company_name'])
      .where('id', '=', supplierId)
      .forNoKeyUpdate()
      .executeTakeFirst(),
  )
  if (!supplier) throw invalid({ supplier_id: NO_SUCH_RECORD })
  const claim = (await openDraft(tx, supplierId, claimed.length)) ?? (await newDraft(tx, supplier, author))
  await join(tx, author, claim, claimed, items)
  return claim.id
}

function openDraft(tx: Tx, supplierId: number, more: number): Promise<ClaimRecord | undefined> {
  const query = tx
    .selectFrom('supplier_claim')
    .selectAll()
    .where('supplier_id', '=', supplierId)
    .where('state', '=', 'draft')
    .where(
      sql<boolean>`(select count(*) from supplier_claim_item i where i.claim_id = supplier_claim.id) + ${more}::int
        <= ${MAX_ITEMS}::int`,
    )
    .orderBy('id', 'desc')
    .limit(1)
    .forNoKeyUpdate()
  return waitingLess(tx, () => query.executeTakeFirst())
}

async function newDraft(tx: Tx, supplier: { id: number; company_name: string }, author: Author): Promise<ClaimRecord> {
  const claim = await tx
    .insertInto('supplier_claim')
    .values({ supplier_id: supplier.id, created_by: author.userId ?? null })
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordChanges(tx, author, 'Supplier claim', claim.id, null, {
    state: claim.state,
    supplier: { id: supplier.id, name: supplier.company_name },
  })
  return claim
}

async function lockItems(tx: Tx, claimed: readonly Claimed[]): Promise<StockRecord[]> {
  const ids = [...new Set(claimed.map((one) => one.stock_id))]
  if (ids.length === 0) throw invalid({ items: 'Choose at least one item.' })
  const { stock } = await lock(tx, { stock: ids })
  const unknown = ids.filter((id) => !stock.has(id))
  if (unknown.length) throw invalid({ items: `There ${unknown.length === 1 ? 'is' : 'are'} no ${listed(unknown)}.` })
  return ids.map((id) => getFrom(stock, id))
}

async function join(
  tx: Tx,
  author: Author,
  claim: Pick<ClaimRecord, 'id' | 'supplier_id' | 'state'>,
  claimed: readonly Claimed[],
  items: readonly StockRecord[],
): Promise<void> {
  await refuseOthers(tx, claim.supplier_id, items)
  const held = await openClaims(tx, items)
  const elsewhere = items.filter(({ id }) => held.has(id) && held.get(id) !== claim.id)
  if (elsewhere.length)
    throw refused(elsewhere.map(({ id }) => `item #${id} is in supplier claim #${held.get(id)} already`))
  const gone = items.filter(({ status }) => !isReturnable(status))
  if (gone.length) throw refused(gone.map(({ id, status }) => `item #${id} is ${status}`))
  const fresh = items.filter(({ id }) => !held.has(id)).map(({ id }) => id)
  await refuseTooMany(tx, claim.id, fresh.length)

  const reasons = new Map(claimed.map(({ stock_id, reason }) => [stock_id, reason]))
  const { rows: changed } = await sql<{ stock_id: number }>`
    insert into supplier_claim_item (claim_id, stock_id, reason)
    select ${claim.id}, id, reason
    from unnest(${[...reasons.keys()]}::int[], ${[...reasons.values()]}::text[]) as given (id, reason)
    on conflict (claim_id, stock_id) do update set reason = excluded.reason
      where supplier_claim_item.reason <> excluded.reason
    returning stock_id`.execute(tx)
  if (changed.length === 0) return
  await touchClaim(tx, claim)
  const isFresh = new Set(fresh)
  await tell(tx, author, claim.id, 'Added', fresh, reasons)
  const again = changed.map((row) => row.stock_id).filter((id) => !isFresh.has(id))
  await tell(tx, author, claim.id, 'Reason changed', again, reasons)
}

/** Writes one log entry for each reason: 'Added (Faulty): items #5, #6.' */
async function tell(
  tx: Tx,
  author: Author,
  claimId: number,
  what: string,
  ids: readonly number[],
  reasons: ReadonlyMap<number, string>,
): Promise<void> {
  const byReason = [...Map.groupBy(ids, (id) => getFrom(reasons, id))]
  const texts = byReason.map(([reason, of]) => `${what} (${reason}): ${listed(of)}.`)
  if (texts.length) await recordMessage(tx, author, 'Supplier claim', claimId, texts.join(' '))
}

const refused = (whys: readonly string[]) => {
  const message = `Cannot be claimed: ${someOf(whys, NAMED)}.`
  return conflict(message, { items: message })
}

/** Throws 422 with the items that were bought from other suppliers, if there are any. */
async function refuseOthers(tx: Tx, supplierId: number, items: readonly StockRecord[]): Promise<void> {
  const others = items.filter((item) => item.supplier_id !== supplierId)
  if (others.length === 0) return
  const ids = [...new Set([supplierId, ...others.flatMap((item) => item.supplier_id ?? [])])]
  const suppliers = await tx
    .selectFrom('supplier')
    .select(['id', 'company_name'])
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .execute()
  const names = new Map(suppliers.map(({ id, company_name }) => [id, company_name]))
  const whose = others.map(({ id, supplier_id }) =>
    supplier_id === null ? `item #${id} has no supplier` : `item #${id} is of ${names.get(supplier_id)}`,
  )
  throw invalid({
    items: `A claim has the items of one supplier, here ${names.get(supplierId)}: ${someOf(whose, NAMED)}.`,
  })
}

/** The open claims that these items are on, by item. */
async function openClaims(tx: Tx, items: readonly StockRecord[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ stock_id: number; claim_id: number }>`
    select stock_id, claim_id from supplier_claim_item
    where is_open and stock_id = any(${items.map(({ id }) => id)}::int[])`.execute(tx)
  return new Map(rows.map(({ stock_id, claim_id }) => [stock_id, claim_id]))
}

async function refuseTooMany(tx: Tx, claimId: number, more: number): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from supplier_claim_item where claim_id = ${claimId}`.execute(tx)
  if (single(rows).n + more > MAX_ITEMS)
    throw invalid({ items: `A claim has at most ${MAX_ITEMS.toLocaleString('en')} items.` })
}

/**
 * Takes items out of a draft. An item that is not in it is no error. Throws 404 if there is no such claim, 409 if it is
 * no draft.
 */
export async function removeItems(tx: Tx, author: Author, claimId: number, ids: readonly number[]): Promise<void> {
  const claim = await lockClaim(tx, claimId)
  refuseUnless(claim, 'draft', { no: 'items can no longer be removed' })
  const { rows } = await sql<{ stock_id: number }>`
    delete from supplier_claim_item where claim_id = ${claimId} and stock_id = any(${ids}::int[])
    returning stock_id`.execute(tx)
  if (rows.length === 0) return
  await touchClaim(tx, claim)
  const message = `Removed: ${listed(rows.map((row) => row.stock_id))}.`
  await recordMessage(tx, author, 'Supplier claim', claimId, message)
}
