import type {
  BulkChanges,
  BulkDone,
  BulkEditInput,
  BulkPreview,
  BulkPreviewInput,
} from '@backstock/contract/bulk-change.ts'
import { MAX_MANY } from '@backstock/contract/stock-status.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/connect.ts'
import { conflict, invalid, NO_SUCH_RECORD, Refusal } from '../../../http/refusal.ts'
import { lock, lockItems } from '../../../records/lock.ts'
import { nameKey, type RelationNames, relationNamesAmong } from '../attributes.ts'
import { fieldOf, NEW_ITEM, type ReferringColumn } from '../columns.ts'
import { idsMatching } from '../find.ts'
import type { LockedBatch } from '../status-and-batch.ts'
import { editedMessage, REFERRING_FIELDS, type ReferringField } from './edit-words.ts'
import { planEdit, previewOf, receiptsChanged } from './plan-edit.ts'
import { readFilter } from './read-filter.ts'
import { RECORD_COLUMNS, type StockRecord } from './write-columns.ts'
import { writeMany } from './write-many.ts'

type Asked = Pick<BulkPreviewInput, 'items' | 'filter'>

/**
 * The result that changes would have on items, computed without a lock. Throws 400 for a wrong filter, and 422 if too
 * many items match it or a chosen record does not exist.
 */
export async function previewEdit(db: Db, input: BulkPreviewInput): Promise<BulkPreview> {
  const { changes } = input
  await namesChosen(db, changes)
  const ids = await idsAsked(db, input)
  const stock = await stockOf(db, ids)
  const batches = await batchesOf(db, batchIds(changes, stock))
  return previewOf(db, await planEdit(db, { ids, stock, batches, isOrdered: isOrdered(input) }, changes))
}

/**
 * Changes all items of the preview with this token, each as the preview showed it. If anything differs, it changes none
 * and throws 409 with the new preview. Throws the errors of `previewEdit`.
 */
export async function editMany(
  tx: Tx,
  userId: number,
  input: BulkEditInput,
): Promise<BulkDone & { receipts: string | null }> {
  const { changes } = input
  const names = await namesChosen(tx, changes)
  const asked = await idsAsked(tx, input)
  const stock = await lockItems(tx, asked, RECORD_COLUMNS)
  const { batches } = await lock(tx, { batches: batchIds(changes, stock) })
  // While this request waited for locks, items may have stopped matching the filter. They are left out.
  const matching = input.filter ? new Set(await idsAsked(tx, input)) : null
  const ids = matching ? asked.filter((id) => matching.has(id)) : asked
  const plan = await planEdit(tx, { ids, stock, batches, isOrdered: isOrdered(input) }, changes)
  if (plan.token !== input.token) {
    const message = 'Something has changed since the preview, so nothing was changed. Check the new preview.'
    throw new Refusal(409, message, { data: { preview: await previewOf(tx, plan) } })
  }
  const changed = plan.edits.length
  if (changed === 0) throw conflict('There is nothing to change.')
  const message = editedMessage(changed, changes, (field) => nameOf(names, changes, field))
  const bulk_id = await writeMany(tx, { userId, kind: 'edit', changes: kept(changes), message }, plan.edits)
  return { bulk_id, changed, left_out: plan.refused.size, receipts: await receiptsChanged(tx, plan.edits) }
}

/** Items that are named by id have an order; those of a filter have none. */
const isOrdered = ({ items }: Asked) => items !== undefined

/** The most groups that a bulk edit stores. */
const KEPT_GROUPS = 20

/**
 * The changes in the form in which the bulk edit stores them. For a pasted column, it stores only that there was one,
 * because the items have the prices. For the largest groups, it stores the price and the number of items. For the other
 * groups, it stores only how many they are, and how many items they have. An undo needs none of it.
 */
function kept(changes: BulkChanges): Record<string, unknown> {
  const { sales_price, sales_prices } = changes
  if (sales_prices) {
    const groups = sales_prices.map(({ items, set }) => ({ items: items.length, set }))
    const others = groups.sort((a, b) => b.items - a.items).splice(KEPT_GROUPS)
    const more = { groups: others.length, items: others.reduce((sum, { items }) => sum + items, 0) }
    return { ...changes, sales_prices: groups, ...(more.groups > 0 && { more_sales_prices: more }) }
  }
  return sales_price && 'pasted' in sales_price
    ? { ...changes, sales_price: { ...sales_price, pasted: true } }
    : changes
}

/** The ids of the items to change, each once. Those of a filter are in the order of their ids. */
async function idsAsked(db: Db, { items, filter }: Asked): Promise<number[]> {
  if (items) {
    if (items.length === 0) throw invalid({ items: 'Choose at least one item.' })
    return [...new Set(items)]
  }
  const ids = await idsMatching(db, readFilter(filter ?? {}), MAX_MANY)
  const most = MAX_MANY.toLocaleString('en')
  if (ids.length > MAX_MANY) throw invalid({ filter: `More than ${most} items match: narrow the list down.` })
  return ids
}

async function stockOf(db: Db, ids: readonly number[]): Promise<Map<number, StockRecord>> {
  const { rows } = await sql<StockRecord>`
    select ${sql.join(RECORD_COLUMNS.map((column) => sql.ref(column)))}
    from stock where id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The batches that items would leave or join. */
function batchIds({ batch_id }: BulkChanges, stock: ReadonlyMap<number, StockRecord>): number[] {
  if (batch_id === undefined) return []
  const left = [...stock.values()].flatMap((row) => row.batch_id ?? [])
  return [...new Set(batch_id === null ? left : [batch_id, ...left])]
}

async function batchesOf(db: Db, ids: readonly number[]): Promise<Map<number, LockedBatch>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<LockedBatch>`
    select id, is_locked from batch where id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The names of the records that changes refer to. Throws 422 under the fields whose record does not exist. */
async function namesChosen(db: Db, changes: BulkChanges): Promise<RelationNames> {
  const chosen = (Object.keys(REFERRING_FIELDS) as ReferringField[]).filter((field) => changes[field] != null)
  const after = { ...NEW_ITEM }
  for (const field of chosen) after[columnOf(field)] = changes[field] ?? null
  const names = await relationNamesAmong(db, [{ before: NEW_ITEM, after }])
  const gone = chosen.filter((field) => !names.has(keyOf(field, changes)))
  if (gone.length)
    throw invalid(Object.fromEntries(gone.map((field) => [`changes.${fieldOf(columnOf(field))}`, NO_SUCH_RECORD])))
  return names
}

const columnOf = (
  field: ReferringField,
): Extract<ReferringColumn, 'supplier_id' | 'vat_id' | 'batch_id' | 'grade_id'> =>
  field === 'vat_type_id' ? 'vat_id' : field
const keyOf = (field: ReferringField, changes: BulkChanges) => nameKey(REFERRING_FIELDS[field], changes[field] ?? null)
const nameOf = (names: RelationNames, changes: BulkChanges, field: ReferringField) =>
  names.get(keyOf(field, changes)) ?? `#${changes[field]}`
