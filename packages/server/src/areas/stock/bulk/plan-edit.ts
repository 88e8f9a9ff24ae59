import { createHash } from 'node:crypto'
import type { BulkChanges, BulkPreview } from '@backstock/contract/bulk-change.ts'
import type { Db } from '../../../db/connect.ts'
import { ownTurn } from '../../../http/own-turn.ts'
import { invalid } from '../../../http/refusal.ts'
import { first } from '../../../lists.ts'
import { changes as changesBetween } from '../../../records/log/write.ts'
import { attributesOf, relationNamesAmong } from '../attributes.ts'
import { type IdentifierKind, identifiersOf, takenMessage } from '../identifier-kinds.ts'
import { heldByOthers } from '../identifiers.ts'
import { changesReceipt, receiptsSentence } from '../on-receipts.ts'
import { stockRows } from '../queries.ts'
import type { LockedBatch } from '../status-and-batch.ts'
import { matchPrices, type PastedPrices } from './match-prices.ts'
import { planItem } from './plan-item.ts'
import { changedColumns, type Edited, type StockRecord } from './write-columns.ts'

/**
 * The result that a bulk edit would have: an item is edited, unchanged because it has the values already, or refused
 * with a reason.
 */
export type EditPlan = {
  edits: Edited[]
  unchanged: number
  refused: Map<number, string>
  pasted: PastedPrices | null
  token: string
}

/** The number of items that are handled before other requests get a turn. */
const SLICE = 500
const NO_MORE = 'It does not exist.'

/** The result that changes would have on items, in the order of `ids`. `stock` has the items that exist. */
export async function planEdit(
  db: Db,
  { ids, stock, batches, isOrdered }: PlannedOn,
  changes: BulkChanges,
): Promise<EditPlan> {
  const { sales_price } = changes
  const pasted =
    sales_price && 'pasted' in sales_price ? await matchPrices(sales_price.pasted, { ids, stock, isOrdered }) : null
  const refused = new Map<number, string>()
  const planned: Edited[] = []
  for (const [n, id] of ids.entries()) {
    if (n > 0 && n % SLICE === 0) await ownTurn()
    const row = stock.get(id)
    if (!row) {
      refused.set(id, NO_MORE)
      continue
    }
    const plan = planItem(row, changes, batches, pasted?.prices)
    if ('reason' in plan) refused.set(id, plan.reason)
    else planned.push({ row, after: plan.after })
  }
  for (const [id, reason] of await twinsAmong(db, planned)) refused.set(id, reason)
  const edits = planned.filter((edit) => !refused.has(edit.row.id) && changedColumns(edit).length > 0)
  if (changes.note !== undefined) refuseTooLong(edits)
  return { edits, unchanged: ids.length - refused.size - edits.length, refused, pasted, token: await tokenOf(edits) }
}

/**
 * The most characters of notes that one bulk edit may change. The bulk edit stores the notes before and after it, and
 * its undo reads both again.
 */
const MOST_NOTES = 10_000_000

function refuseTooLong(edits: readonly Edited[]): void {
  const lengths = edits.map(({ row, after }) => (row.engineer_notes ?? '').length + (after.engineer_notes ?? '').length)
  if (lengths.reduce((sum, length) => sum + length, 0) <= MOST_NOTES) return
  const most = MOST_NOTES.toLocaleString('en')
  throw invalid({
    'changes.note': `The notes of these items are more than ${most} characters together: choose fewer items.`,
  })
}

type PlannedOn = {
  ids: readonly number[]
  stock: ReadonlyMap<number, StockRecord>
  batches: ReadonlyMap<number, LockedBatch>
  /** Whether the caller named the items by id, in an order of its own. */
  isOrdered: boolean
}

/**
 * The items that come back into stock with an identifier that another item has, which is in stock or comes back too.
 */
async function twinsAmong(db: Db, edits: readonly Edited[]): Promise<Map<number, string>> {
  const coming = edits.filter(({ row, after }) => after.in_hand && !row.in_hand)
  const taken = new Map<number, string>()
  if (coming.length === 0) return taken
  const held = await heldByOthers(
    db,
    coming.map(({ row }) => row.id),
  )
  for (const { id, heldAs } of held) taken.set(id, takenMessage(heldAs, null))
  const first = new Map<string, { id: number; kind: IdentifierKind }>()
  for (const { row } of coming)
    for (const [key, kind] of identifiersOf(row)) {
      const other = first.get(key)
      if (other) for (const one of [other, { id: row.id, kind }]) taken.set(one.id, takenMessage(one.kind, null))
      else first.set(key, { id: row.id, kind })
    }
  return taken
}

/** The token of a plan: a hash of the changed columns of each item, before and after the change. */
async function tokenOf(edits: readonly Edited[]): Promise<string> {
  const hash = createHash('sha256')
  for (const [n, edit] of edits.toSorted((a, b) => a.row.id - b.row.id).entries()) {
    if (n > 0 && n % SLICE === 0) await ownTurn()
    const { row, after } = edit
    const values = changedColumns(edit).map((column) => [column, row[column], after[column]])
    hash.update(`${JSON.stringify([row.id, ...values])}\n`)
  }
  return hash.digest('hex')
}

/** The most items that a preview shows. */
const SHOWN = 50
/** The most reasons that a preview shows, and the most items for each of them. */
const REASONS = 50
const NAMED = 5
/** The most wrong pasted lines that a preview shows. */
const WRONG_LINES = 50

/** A note about the items whose changes their purchase receipts will not show; null if there are none. */
export const receiptsChanged = (db: Db, edits: readonly Edited[]): Promise<string | null> =>
  receiptsSentence(
    db,
    edits.filter(({ row, after }) => changesReceipt(row, after)).map(({ row }) => row.id),
  )

/** The preview that a person sees of a plan. */
export async function previewOf(db: Db, { edits, unchanged, refused, pasted, token }: EditPlan): Promise<BulkPreview> {
  const reasons = [...Map.groupBy(refused, ([, reason]) => reason)].map(([reason, items]) => ({
    ...{ reason, count: items.length, ids: items.slice(0, NAMED).map(([id]) => id) },
  }))
  reasons.sort((a, b) => b.count - a.count)
  const others = reasons.slice(REASONS)
  if (others.length) {
    const count = others.reduce((sum, one) => sum + one.count, 0)
    reasons.splice(REASONS, others.length, { reason: 'For other reasons.', count, ids: first(others).ids })
  }
  const shown = edits.slice(0, SHOWN)
  const names = await relationNamesAmong(
    db,
    shown.map(({ row, after }) => ({ before: row, after })),
  )
  const rows = await stockRows(
    db,
    shown.map(({ row }) => row.id),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return {
    ...{
      matched: edits.length + unchanged + refused.size,
      will_change: edits.length,
      unchanged,
      refused: reasons,
      token,
    },
    receipts: await receiptsChanged(db, edits),
    pasted: pasted && {
      ...{ right: pasted.prices.size, wrong: pasted.wrong.length, lines: pasted.wrong.slice(0, WRONG_LINES) },
    },
    rows: shown.flatMap(({ row, after }) => {
      const found = byId.get(row.id)
      if (!found) return []
      const { id, status, imei, imei2, serial_number, grade_name, product_display_name } = found
      const changes = changesBetween(attributesOf(row, names), attributesOf(after, names)).map(
        ({ attributeName, from, to }) => ({ attributeName, from, to }),
      )
      return [{ id, status, imei, imei2, serial_number, grade_name, product_display_name, changes }]
    }),
  }
}
