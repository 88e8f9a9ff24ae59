import { someOf } from '@backstock/contract/some-of.ts'
import type { SettleClaimInput } from '@backstock/contract/supplier-claim.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { conflict, invalid } from '../../http/refusal.ts'
import { listed } from '../../records/log/listed.ts'
import { type Author, type Entry, record, recordChanges, type Shown } from '../../records/log/write.ts'
import { refuseFuture } from '../company.ts'
import { IDENTIFIERS } from '../stock/identifier-kinds.ts'
import { heldByOthers } from '../stock/identifiers.ts'
import { bookCredits, spreadCredit } from './credits.ts'
import {
  type ClaimRecord,
  itemCosts,
  itemIdsOf,
  lockWholeClaim,
  NAMED,
  refuseStaleClaim,
  refuseUnless,
} from './locked-claim.ts'

type Settled = { credit: number; back: number[]; credits: { id: number; credit: number }[] }

/**
 * Ends a claim that was sent. The items that come back are In Stock, and the credit is booked. Throws 404 without the
 * claim; 409 if it is not sent, or if an item in stock has an identifier of an item that would come back; 422 under the
 * wrong fields.
 */
export async function settleClaim(tx: Tx, author: Author, id: number, input: SettleClaimInput): Promise<void> {
  const { claim } = await lockWholeClaim(tx, id)
  const no = claim.state === 'draft' ? 'send it first' : 'it can no longer be settled'
  refuseUnless(claim, 'sent', { no, done: 'settled' })
  await refuseStaleClaim(tx, claim, input.updated_at)
  // The books of today would lack its credit.
  await refuseFuture(tx, 'settled_on', input.settled_on)
  const { credit, credits, back } = whatIsSettled(input, await itemIdsOf(tx, id))

  await sql`
    update supplier_claim_item i set is_open = false, is_back = i.stock_id = any(${back}::int[]), credit = given.credit
    from supplier_claim_item o
      left join unnest(${credits.map((one) => one.id)}::int[], ${credits.map((one) => one.credit)}::int[])
        as given (stock_id, credit) on given.stock_id = o.stock_id
    where i.claim_id = ${id} and o.claim_id = i.claim_id and o.stock_id = i.stock_id`.execute(tx)
  if (back.length) await comeBack(tx, author, id, back)
  const after = {
    state: input.state,
    settled_on: input.settled_on,
    credit_received: credit,
    reference: input.reference === undefined ? claim.reference : input.reference,
  }
  await tx.updateTable('supplier_claim').set(after).where('id', '=', id).execute()
  const given = credits.map(({ id, credit }) => ({ stock_id: id, amount: credit }))
  await bookCredits(
    tx,
    author,
    { id, settled_on: input.settled_on },
    given.length > 0 ? given : spreadCredit(credit, await itemCosts(tx, id)),
  )
  await recordChanges(tx, author, 'Supplier claim', id, loggedOf(claim), {
    ...after,
    items_back_in_stock: back.length ? listed(back) : null,
  })
}

const loggedOf = ({ state, settled_on, credit_received, reference }: ClaimRecord): Record<string, Shown> => ({
  state,
  settled_on,
  credit_received,
  reference,
})

/** The result of a settlement. Throws 422 if credit and items contradict each other or the claim. */
function whatIsSettled(
  { state, credit_received, items = [], items_back }: SettleClaimInput,
  claimed: readonly number[],
): Settled {
  const isClaimed = new Set(claimed)
  const strange = items.filter(({ id }) => !isClaimed.has(id))
  if (strange.length) throw invalid({ items: `Not in this claim: ${listed(strange.map(({ id }) => id))}.` })
  if (new Set(items.map(({ id }) => id)).size < items.length) throw invalid({ items: 'List each item only once.' })
  const credits = items.flatMap(({ id, credit }) => (typeof credit === 'number' ? { id, credit } : []))
  const sum = credits.reduce((all, { credit }) => all + credit, 0)
  const back = items_back ? [...claimed] : items.flatMap(({ id, is_back }) => (is_back ? id : []))
  if (state === 'refused') {
    if (sum > 0 || (credit_received ?? 0) > 0) throw invalid({ credit_received: 'A refused claim has no credit.' })
    return { credit: 0, credits: [], back }
  }
  if (typeof credit_received !== 'number') {
    if (credits.length === 0) throw invalid({ credit_received: 'This field is required.' })
    return { credit: sum, credits, back }
  }
  if (credits.length > 0 && sum !== credit_received)
    throw invalid({ credit_received: 'Must be the sum of what is credited for each item.' })
  return { credit: credit_received, credits, back }
}

async function comeBack(tx: Tx, author: Author, claimId: number, ids: readonly number[]): Promise<void> {
  await refuseTwins(tx, ids)
  await sql`
    update stock set status = 'In Stock', in_hand = true, supplier_return_id = null
    where id = any(${ids}::int[])`.execute(tx)
  const message = `Came back from the supplier under claim #${claimId}.`
  const data = [{ attributeName: 'status', from: 'Returned to Supplier', to: 'In Stock' }]
  await record(
    tx,
    author,
    ids.flatMap((id): Entry[] => [
      { type: 'Stock', id, content: { type: 'model_update', data } },
      { type: 'Stock', id, content: { type: 'message', data: { message } } },
    ]),
  )
}

/** Throws 409 if a phone was bought again meanwhile, so that the shop has it as another item. */
async function refuseTwins(tx: Tx, ids: readonly number[]): Promise<void> {
  const twins = (await heldByOthers(tx, ids)).map(
    ({ id, heldAs, holder }) => `item #${id} has the ${IDENTIFIERS[heldAs].called} of item #${holder}`,
  )
  if (twins.length === 0) return
  const message = `Cannot come back: ${someOf([...new Set(twins)], NAMED)}.`
  throw conflict(message, { items: message })
}
