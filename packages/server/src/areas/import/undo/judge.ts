import { imeiByForm } from '@backstock/contract/imei.ts'
import type { KeptReason } from '@backstock/contract/import-undo.ts'
import { type Selectable, sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import type { Tables } from '../../../db/tables.ts'
import { getFrom } from '../../../lists.ts'
import { timesUntouched } from '../../stock/bulk/untouched.ts'
import { REFERRING_COLUMNS, type Referred, referenceOf } from '../../stock/columns.ts'
import { IDENTIFIERS } from '../../stock/identifier-kinds.ts'
import { identifiersBrought } from '../decide/decide-rows.ts'
import type { Wanted } from '../decide/decision.ts'
import { findItems } from '../look-up.ts'
import type { EarlierValues } from '../write/earlier-values.ts'

type Item = Selectable<Tables['stock']>

/**
 * A row that made or changed an item. `version` is the item's `updated_at` after the row; `was` has the changed columns
 * before it, null if the row made the item.
 */
export type DoneRow = { id: number; version: string; was: EarlierValues | null }
/** An item that gets its earlier values back. */
export type Restored = { item: Item; wanted: Wanted; updatedAt: string }
/**
 * An item that stays as it is. `ref` is the record that the reason refers to; `who` is that record's owner, or the
 * person who changed the item.
 */
export type ItemToKeep = { id: number; reason: KeptReason; ref: number | null; who: string | null; at: string | null }
export type Judged = { removed: number[]; restored: Restored[]; kept: ItemToKeep[] }

/** Reads items and batches. It locks them if the undo is about to write them. */
export type StockReads = {
  /** The `updated_at` of each item that still exists. */
  times(rows: readonly DoneRow[]): Promise<ReadonlyMap<number, string>>
  items(ids: readonly number[]): Promise<ReadonlyMap<number, Item>>
  /** The batches with these ids. From then on, nobody can put items of a locked batch into a basket. */
  batches(ids: readonly number[]): Promise<ReadonlyMap<number, { is_locked: boolean }>>
}

/** The present state of items, by id. */
export async function itemsOf(db: Db, ids: readonly number[]): Promise<Map<number, Item>> {
  if (ids.length === 0) return new Map()
  const found = await db.selectFrom('stock').selectAll().where(sql<boolean>`id = any(${ids}::int[])`).execute()
  return new Map(found.map((row) => [row.id, row]))
}

/**
 * The effect that the undo of these rows has on each item. `leaving` are the items that the undo of later rows restores
 * or removes, if that is not written yet.
 */
export async function judge(
  db: Db,
  importId: number,
  rows: readonly DoneRow[],
  reads: StockReads,
  leaving: ReadonlySet<number> = new Set(),
): Promise<Judged> {
  const times = await reads.times(rows)
  const kept: ItemToKeep[] = []
  const keep = (id: number, reason: KeptReason, ref: number | null = null) =>
    kept.push({ id, reason, ref, who: null, at: null })
  for (const { id } of rows) if (!times.has(id)) keep(id, 'missing')
  const there = rows.filter(({ id }) => times.has(id))
  const touched = await touchedAmong(db, there, times)
  // If a sale took the item, the sale is the better reason, not the person who changed the item last.
  const sales = await saleOf(
    db,
    Array.from(touched, ({ id }) => id),
  )
  for (const [id, sale] of sales) keep(id, 'sale', sale)
  const others = [...touched].filter(({ id }) => !sales.has(id))
  kept.push(...(await changedSince(db, importId, others, times)))

  const untouched = there.filter((row) => !touched.has(row))
  const items = await reads.items(untouched.flatMap(({ id, was }) => (was ? id : [])))
  const created = untouched.filter(({ was }) => !was).map(({ id }) => id)
  const updated = untouched.flatMap(({ id, was }) => (was ? restored(getFrom(items, id), was) : []))
  const moving = updated.filter(({ item, wanted }) => isMoved(item, wanted))

  const batches = await reads.batches(
    moving.flatMap(({ item, wanted }) => [item.batch_id, wanted.batch_id]).filter((id) => id !== null),
  )
  const bought = updated.filter(({ item, wanted }) => SAID_BY_RECEIPT.some((column) => item[column] !== wanted[column]))
  const holds = await holdsOf(db, [...created, ...[...moving, ...bought].map(({ item }) => item.id)])
  const removed = created.filter((id) => {
    const hold = holds.get(id)?.[0]
    if (hold) kept.push({ id, reason: hold.reason, ref: hold.ref, who: hold.who, at: null })
    return !hold
  })
  const rewritten = new Set(bought.map(({ item }) => item.id))
  const lost = await missingReferences(db, updated)
  const free = updated.filter(({ item, wanted }) => {
    const { id } = item
    const held =
      (isMoved(item, wanted) && holds.get(id)?.find(({ is_open }) => is_open)) ||
      (rewritten.has(id) && holds.get(id)?.find(({ reason, is_live }) => reason === 'receipt' && is_live))
    const locked =
      isMoved(item, wanted) && [item.batch_id, wanted.batch_id].find((batch) => batches.get(batch ?? 0)?.is_locked)
    if (held) kept.push({ id, reason: held.reason, ref: held.ref, who: held.who, at: null })
    // If the import took an item off a sale, the sale went on without the item, so it stays off.
    else if (item.sale_id !== wanted.sale_id) keep(id, 'sale', wanted.sale_id)
    else if (locked) keep(id, 'batch', locked)
    else if (lost.has(id)) keep(id, 'reference')
    else return true
    return false
  })
  const taken = await takenByOthers(db, free, new Set([...leaving, ...removed]))
  for (const [id, holder] of taken) keep(id, 'taken', holder)
  return { removed, restored: free.filter(({ item }) => !taken.has(item.id)), kept }
}

function restored(item: Item, { updated_at: updatedAt, ...was }: EarlierValues): Restored {
  return { item, wanted: { ...item, ...was }, updatedAt }
}

const isMoved = (item: Item, wanted: Wanted) => item.status !== wanted.status || item.batch_id !== wanted.batch_id

/** The rows whose items have changed since the import. A bulk edit that was undone does not count as a change. */
async function touchedAmong(
  db: Db,
  rows: readonly DoneRow[],
  times: ReadonlyMap<number, string>,
): Promise<Set<DoneRow>> {
  const later = rows.filter(({ id, version }) => times.get(id) !== version)
  if (later.length === 0) return new Set()
  const since = later.map(({ version }) => version).sort()[0] ?? ''
  const untouched = await timesUntouched(db, new Map(later.map(({ id, version }) => [id, version])), since)
  return new Set(later.filter(({ id }) => times.get(id) !== untouched.get(id)))
}

/** The items of changed rows, each with the person who changed it, if the log shows that person. */
async function changedSince(
  db: Db,
  importId: number,
  touched: readonly DoneRow[],
  times: ReadonlyMap<number, string>,
): Promise<ItemToKeep[]> {
  if (touched.length === 0) return []
  const found = await sql<{ id: number; who: string | null; import_id: number | null; at: string | null }>`
    select t.id, coalesce(u.name, p.name) as who, l.import_id, l.at
    from unnest(${touched.map(({ id }) => id)}::int[],
        ${touched.map(({ version }) => version)}::timestamptz[]) as t (id, version)
      left join lateral (
        select user_id, partner_id, import_id, at from log
        where loggable_type = 'Stock' and loggable_id = t.id and import_id is distinct from ${importId} and at >= t.version
        order by id desc limit 1) l on true
      left join app_user u on u.id = l.user_id
      left join partner p on p.id = l.partner_id`.execute(db)
  return found.rows.map(({ id, who, import_id, at }) => ({
    id,
    reason: 'changed',
    ref: import_id,
    who,
    at: at ?? getFrom(times, id),
  }))
}

/** The sale that each of these items is on now. */
async function saleOf(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; sale: number }>`
    select stock_id as id, sale_id as sale from sale_item
    where stock_id = any(${ids}::int[]) and released is null`.execute(db)
  return new Map(rows.map(({ id, sale }) => [id, sale]))
}

/** The facts about an item that its purchase receipt says. */
const SAID_BY_RECEIPT = [
  'purchase_price',
  'purchase_currency',
  'purchase_date',
  'purchase_treatment',
  'supplier_id',
  'actual_product_id',
  'grade_id',
  'imei',
  'serial_number',
] as const satisfies (keyof Item)[]

/**
 * A record that uses an item. `is_open` means that it also depends on the item's status, `is_live` that it is a receipt
 * that nobody has cancelled.
 */
type Hold = { id: number; reason: KeptReason; ref: number; who: string | null; is_open: boolean; is_live: boolean }

async function holdsOf(db: Db, ids: readonly number[]): Promise<Map<number, Hold[]>> {
  if (ids.length === 0) return new Map()
  const asked = sql`${ids}::int[]`
  const { rows } = await sql<Hold>`
    select i.id, 'basket' as reason, b.user_id as ref, u.name as who, true as is_open, false as is_live
    from basket b join app_user u on u.id = b.user_id cross join unnest(b.items) as i (id)
    where b.items && ${asked} and i.id = any(${asked})
    union all
    select stock_id, 'sale', sale_id, null, released is null, false from sale_item where stock_id = any(${asked})
    union all
    select l.stock_id, 'sale', d.sale_id, null, false, false
    from document_line l join document d on d.id = l.document_id where l.stock_id = any(${asked})
    union all
    select stock_id, 'claim', claim_id, null, is_open, false from supplier_claim_item where stock_id = any(${asked})
    union all
    select stock_id, 'claim', claim_id, null, false, false from supplier_credit where stock_id = any(${asked})
    union all
    select stock_id, 'claim', claim_id, null, false, false from purchase_correction where stock_id = any(${asked})
    union all
    select stock_id, 'return', return_id, null, is_open, false from customer_return_item where stock_id = any(${asked})
    union all
    select stock_id, 'receipt', receipt_id, null, false, is_live from purchase_receipt_line where stock_id = any(${asked})`.execute(
    db,
  )
  return Map.groupBy(rows, ({ id }) => id)
}

/** The items whose earlier product, supplier, VAT type or batch no longer exists. */
async function missingReferences(db: Db, updated: readonly Restored[]): Promise<Set<number>> {
  const asked = updated.flatMap(({ item, wanted }) =>
    REFERRING_COLUMNS.flatMap((column) => {
      const id = wanted[column]
      return id === null || id === item[column] ? [] : [{ item: item.id, to: referenceOf(column).to, id }]
    }),
  )
  const lost = new Set<number>()
  for (const [to, of] of Map.groupBy(asked, ({ to }): Referred => to)) {
    const ids = [...new Set(of.map(({ id }) => id))]
    const { rows } = await sql<{ id: number }>`
      select id from ${sql.table(to)} where id = any(${ids}::int[])`.execute(db)
    const there = new Set(rows.map(({ id }) => id))
    for (const { item, id } of of) if (!there.has(id)) lost.add(item)
  }
  return lost
}

/**
 * The items that cannot get an earlier identifier back, because another item that the shop still has bears it now. Each
 * comes with that other item. An item that the undo itself restores or removes gives its identifier up. So each item
 * that stays as it is can make others stay, and the search repeats.
 */
async function takenByOthers(
  db: Db,
  candidates: readonly Restored[],
  leaving: ReadonlySet<number>,
): Promise<Map<number, number>> {
  const brought = candidates.flatMap(({ item, wanted }) => {
    const kinds = identifiersBrought(wanted, { row: item }).map(({ kind }) => IDENTIFIERS[kind].column)
    if (kinds.length === 0) return []
    const values = Object.fromEntries(kinds.map((column) => [column, wanted[column] ?? undefined]))
    // The number may be the IMEI of another item.
    const imei = imeiByForm(values['serial_number'] ?? '')
    return [{ id: item.id, values }, ...(imei === null ? [] : [{ id: item.id, values: { imei } }])]
  })
  const found = await findItems(db, brought, false, null)
  const taken = new Map<number, number>()
  const going = new Set([...leaving, ...candidates.map(({ item }) => item.id)])
  for (let before = -1; before < taken.size; ) {
    before = taken.size
    for (const [n, { id }] of brought.entries()) {
      const holder = found[n]?.find(({ stock_id }) => stock_id !== id && !going.has(stock_id))
      if (!holder || taken.has(id)) continue
      taken.set(id, holder.stock_id)
      going.delete(id)
    }
  }
  return taken
}
