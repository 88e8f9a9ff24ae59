import type { CheckedItem, ScannedLine } from '@backstock/contract/delivery-check.ts'
import type { ScanResult } from '@backstock/contract/delivery-lists.ts'
import { codeKey, readCode, type ScannedCode } from '@backstock/contract/scan-code.ts'
import { sql } from 'kysely'
import type { Database, Tx } from '../../db/connect.ts'
import { mapTexts } from '../../http/own-turn.ts'
import { first, getFrom, zip } from '../../lists.ts'
import { SENT_BACK } from '../stock/bulk/receive.ts'
import { type Meaning, meaningsOf } from '../stock/code-meanings.ts'
import { lockCheck, refuseClosed, refuseEmptied } from './locked-check.ts'

/** A scanned code with its meaning. */
export type Read = { code: ScannedCode; meaning: Meaning }

/** Reads codes and finds their meanings, before anything is locked. Empty codes are left out. */
export async function readCodes(db: Database, given: readonly string[]): Promise<Read[]> {
  const codes = (await mapTexts(given, readCode)).filter((code) => code !== null)
  const meanings = await meaningsOf(db, codes)
  return zip(codes, meanings).map(([code, meaning]) => ({ code, meaning }))
}

type NewScan = { key: string; code: string; stockId: number | null; result: Exclude<ScanResult, 'hint'> }

/**
 * Stores scans. A phone counts once, no matter which of its codes was scanned, or by whom; `n` counts the scans. Throws
 * 404 if there is no such check, 409 if it is closed or expects no item any more.
 */
export async function scan(tx: Tx, userId: number, checkId: number, reads: readonly Read[]): Promise<ScannedLine[]> {
  const ids = [...new Set(reads.flatMap(({ meaning }) => (isItem(meaning) ? meaning.item : [])))]
  const items = await lockScannedItems(tx, checkId, ids)
  const check = await lockCheck(tx, checkId, 'shared')
  refuseClosed(check)
  await refuseEmptied(tx, check)

  const scans = reads.map((read) => newScan(read, items))
  const stored = await storeScans(
    tx,
    userId,
    checkId,
    scans.filter((one) => one !== null),
  )
  await forgetUnknown(tx, checkId, reads)
  return scannedLines(reads, scans, stored, items)
}

const isItem = (meaning: Meaning): meaning is { item: number } => typeof meaning === 'object' && 'item' in meaning

type ScannedItem = CheckedItem & { is_expected: boolean; is_sent_back: boolean }

/** The present state of scanned items. The lock keeps others from removing them until this transaction ends. */
async function lockScannedItems(tx: Tx, checkId: number, ids: readonly number[]): Promise<Map<number, ScannedItem>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<ScannedItem>`
    select s.id, s.status, p.display_name as product_display_name, s.imei, s.serial_number,
      (select name from grade where id = s.grade_id) as grade_name,
      s.id in (select unnest(expected) from delivery_check where id = ${checkId}) as is_expected,
      ${SENT_BACK} as is_sent_back
    from stock s join product p on p.id = s.actual_product_id
    where s.id = any(${ids}::int[]) order by s.id for key share of s`.execute(tx)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The key of a code that no item has. It begins with a question mark, the key of an item with a number sign. */
const unknownKey = (code: ScannedCode) => `?${codeKey(code)}`

function newScan({ code, meaning }: Read, items: ReadonlyMap<number, ScannedItem>): NewScan | null {
  if (!isItem(meaning))
    return meaning === 'unknown' ? { key: unknownKey(code), code: code.code, stockId: null, result: 'unknown' } : null
  const item = items.get(meaning.item)
  if (!item) return { key: unknownKey(code), code: code.code, stockId: null, result: 'unknown' }
  return { key: `#${item.id}`, code: code.code, stockId: item.id, result: resultOf(item) }
}

function resultOf({ is_expected, status, is_sent_back }: ScannedItem): NewScan['result'] {
  if (!is_expected) return 'unexpected'
  return status === 'Inbound' && !is_sent_back ? 'matched' : 'received'
}

type StoredScan = { key: string; result: NewScan['result']; n: number }

/**
 * Stores the scans, with ids in the order of the codes. The rows are written in the order of their keys, so that two
 * people who scan the same codes cannot block each other.
 */
async function storeScans(
  tx: Tx,
  userId: number,
  checkId: number,
  scans: readonly NewScan[],
): Promise<Map<string, StoredScan>> {
  const byKey = [...Map.groupBy(scans, ({ key }) => key).values()].map((same) => ({ ...first(same), n: same.length }))
  if (byKey.length === 0) return new Map()
  const { rows } = await sql<StoredScan>`
    with scan as materialized (
      select nextval(pg_get_serial_sequence('delivery_scan', 'id'))::int as id, one.*
      from unnest(${byKey.map(({ key }) => key)}::text[], ${byKey.map(({ code }) => code)}::text[],
        ${byKey.map(({ stockId }) => stockId)}::int[], ${byKey.map(({ result }) => result)}::text[],
        ${byKey.map(({ n }) => n)}::int[]) as one (key, code, stock_id, result, n))
    insert into delivery_scan as d (id, check_id, key, code, stock_id, result, user_id, n) overriding system value
    select scan.id, ${checkId}::int, scan.key, scan.code, scan.stock_id, scan.result, ${userId}::int, scan.n from scan
    order by scan.key collate "C"
    on conflict (check_id, key) do update set n = d.n + excluded.n,
      result = case when d.result = 'received' then excluded.result else d.result end
    returning d.key, d.result, d.n`.execute(tx)
  return new Map(rows.map((row) => [row.key, row]))
}

/** Removes the unknown scans of a code that has become an item's code since. */
async function forgetUnknown(tx: Tx, checkId: number, reads: readonly Read[]): Promise<void> {
  const keys = reads.flatMap(({ code, meaning }) => (isItem(meaning) && code.item === null ? [unknownKey(code)] : []))
  if (keys.length === 0) return
  await sql`
    delete from delivery_scan where check_id = ${checkId} and result = 'unknown' and key = any(${keys}::text[])`.execute(
    tx,
  )
}

/** The answer for each code. If a code is sent several times, only its last entry has the whole count. */
function scannedLines(
  reads: readonly Read[],
  scans: readonly (NewScan | null)[],
  stored: ReadonlyMap<string, StoredScan>,
  items: ReadonlyMap<number, ScannedItem>,
): ScannedLine[] {
  const toCome = new Map<string, number>()
  const lines: ScannedLine[] = []
  for (const [{ code, meaning }, one] of zip(reads, scans).toReversed()) {
    if (!one) {
      const message = typeof meaning === 'object' && 'hint' in meaning ? meaning.hint : ''
      lines.push({ code: code.code, result: 'hint', n: 1, message, item: null })
      continue
    }
    const { result, n } = getFrom(stored, one.key)
    const later = toCome.get(one.key) ?? 0
    toCome.set(one.key, later + 1)
    const item = one.stockId === null ? null : getFrom(items, one.stockId)
    const message = item ? messageOf(result, item) : 'Unknown: no item has this code.'
    lines.push({ code: one.code, result, n: n - later, message, item })
  }
  return lines.toReversed()
}

function messageOf(result: NewScan['result'], { id, status }: ScannedItem): string {
  if (result === 'matched') return 'Matched.'
  if (result === 'received')
    return status === 'Inbound'
      ? 'In the delivery, but a customer has sent it back.'
      : `In the delivery, and ${status} already.`
  return `Not in this delivery: item #${id} is ${status}.`
}
