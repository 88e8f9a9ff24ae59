import {
  SupplierClaim,
  SupplierClaimCreateInput,
  SupplierClaimInput,
  SupplierClaimQuery,
  SupplierClaimRow,
} from '@backstock/contract/supplier-claim.ts'
import type { z } from 'zod'
import type { Tx } from '../../db/connect.ts'
import { type Crud, type Fields, fieldsOf, isChanged, patched } from '../../http/crud.ts'
import { BODY } from '../../http/read-bodies.ts'
import { invalid, NO_SUCH_RECORD } from '../../http/refusal.ts'
import { type Author, recordChanges, recordMessage } from '../../records/log/write.ts'
import { refuseFuture } from '../company.ts'
import { bookCredits, moveCredits, spreadCredit } from './credits.ts'
import { fillNewClaim } from './items.ts'
import {
  type ClaimRecord,
  itemCosts,
  itemIdsOf,
  lockClaim,
  lockWholeClaim,
  refuseStaleClaim,
  refuseUnless,
} from './locked-claim.ts'
import { claimRecord, findClaims } from './queries.ts'

type Written = Fields<typeof SupplierClaimInput>

/** The supplier in the form of the log. Throws 422 if there is none. */
async function supplierOf(tx: Tx, id: number) {
  const found = await tx.selectFrom('supplier').select('company_name').where('id', '=', id).executeTakeFirst()
  if (!found) throw invalid({ supplier_id: NO_SUCH_RECORD })
  return { id, name: found.company_name }
}

/** The fields in the form of the log. Throws 422 if the supplier does not exist. */
const logged = async (tx: Tx, { supplier_id, ...fields }: Written) => ({
  supplier: await supplierOf(tx, supplier_id),
  ...fields,
})

const NOT_YET = 'Not yet: the claim is not settled.'

/**
 * Throws 422 if an edit changes a field that is fixed: the supplier of a claim with items, the result of a claim that
 * has none yet, or the expected credit of an ended claim; and for a day of settlement in the future.
 */
async function refuseFixed(tx: Tx, claim: ClaimRecord, after: Written): Promise<void> {
  const { state } = claim
  if (after.supplier_id !== claim.supplier_id && (await itemIdsOf(tx, claim.id)).length > 0)
    throw invalid({ supplier_id: 'Cannot be changed: the claim has items of this supplier.' })
  if (state === 'draft' || state === 'sent') {
    if (after.credit_received !== null) throw invalid({ credit_received: NOT_YET })
    if (after.settled_on !== null) throw invalid({ settled_on: NOT_YET })
    return
  }
  if (after.credit_expected !== claim.credit_expected)
    throw invalid({ credit_expected: `Cannot be changed: the claim is ${state}.` })
  if (after.settled_on === null) throw invalid({ settled_on: 'This field is required.' })
  if (after.settled_on !== claim.settled_on) await refuseFuture(tx, 'settled_on', after.settled_on)
  if (after.credit_received === claim.credit_received) return
  if (after.credit_received === null) throw invalid({ credit_received: 'This field is required.' })
  if (state === 'refused') throw invalid({ credit_received: 'A refused claim has no credit.' })
  const byItem = await tx
    .selectFrom('supplier_claim_item')
    .select('stock_id')
    .where('claim_id', '=', claim.id)
    .where('credit', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (byItem) throw invalid({ credit_received: 'Cannot be changed: it is the sum of its items’ credits.' })
}

/** If the day or the sum of a settlement was corrected, books the difference. */
async function bookAgain(tx: Tx, author: Author, before: ClaimRecord, after: Written): Promise<void> {
  const { id } = before
  const { settled_on, credit_received } = after
  if (settled_on === null || before.settled_on === null) throw new Error(`Supplier claim #${id} is not settled.`)
  if (settled_on !== before.settled_on) await moveCredits(tx, id, before.settled_on, settled_on)
  if (credit_received === before.credit_received || credit_received === null) return
  const credits = spreadCredit(credit_received, await itemCosts(tx, id))
  await bookCredits(tx, author, { id, settled_on, isLater: true }, credits)
}

export const supplierClaim: Crud<
  typeof SupplierClaimQuery,
  typeof SupplierClaimInput,
  typeof SupplierClaimRow,
  typeof SupplierClaim
> = {
  area: 'supplier-claim',
  title: 'Supplier claim',
  query: SupplierClaimQuery,
  input: SupplierClaimInput,
  createInput: SupplierClaimCreateInput,
  createBytes: BODY.list,
  row: SupplierClaimRow,
  record: SupplierClaim,
  find: findClaims,
  one: claimRecord,
  async create(tx, input, actor) {
    const { items = [], reason, ...fields } = input as z.output<typeof SupplierClaimCreateInput>
    if (items.length && !reason) throw invalid({ reason: 'This field is required.' })
    const author = { userId: actor.id }
    const supplier = await supplierOf(tx, fields.supplier_id)
    const { id, state, supplier_id, ...made } = await tx
      .insertInto('supplier_claim')
      .values({ created_by: actor.id, ...fields })
      .returning(['id', 'state', ...fieldsOf(SupplierClaimInput)])
      .executeTakeFirstOrThrow()
    await recordChanges(tx, author, 'Supplier claim', id, null, { state, supplier, ...made })
    if (items.length && reason) {
      const claimed = items.map((stock_id) => ({ stock_id, reason }))
      await fillNewClaim(tx, author, { id, state, supplier_id }, claimed)
    }
    return { id }
  },
  async edit(tx, id, input, actor) {
    const isOfBooks = input.credit_received !== undefined || input.settled_on !== undefined
    const before = isOfBooks ? (await lockWholeClaim(tx, id, true)).claim : await lockClaim(tx, id)
    await refuseStaleClaim(tx, before, input.updated_at)
    const after = patched(before, input, SupplierClaimInput)
    if (!isChanged(before, after)) return { id }
    await refuseFixed(tx, before, after)
    await tx.updateTable('supplier_claim').set(after).where('id', '=', id).execute()
    if (before.state === 'settled') await bookAgain(tx, { userId: actor.id }, before, after)
    const [was, is] = [await logged(tx, before), await logged(tx, after)]
    await recordChanges(tx, { userId: actor.id }, 'Supplier claim', id, was, is)
    return { id }
  },
  async remove(tx, id, actor) {
    const claim = await lockClaim(tx, id)
    refuseUnless(claim, 'draft', { no: 'it can no longer be deleted' })
    await tx.deleteFrom('supplier_claim').where('id', '=', id).execute()
    await recordMessage(tx, { userId: actor.id }, 'Supplier claim', id, `Supplier claim #${id} deleted.`)
  },
}
