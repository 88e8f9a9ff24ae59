import type { FieldErrors } from '@backstock/contract/answer.ts'
import { imeiKey } from '@backstock/contract/imei.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { invalid } from '../../http/refusal.ts'
import { IDENTIFIERS, type IdentifierKind, type Identifiers, takenMessage } from './identifier-kinds.ts'

/** A message under each identifier that an item in hand other than `itself` has. */
export async function takenBy(tx: Tx, item: Identifiers, itself: number | null): Promise<FieldErrors> {
  const { rows } = await sql<{ stock_id: number; kind: IdentifierKind }>`
    select stock_id, kind from stock_identifier
    where in_hand and kind = 'i' and left(value, 14) = ${item.imei && imeiKey(item.imei)}::text
      and stock_id is distinct from ${itself}::int
    union all
    select stock_id, kind from stock_identifier
    where in_hand and kind <> 'i' and (kind = 's' and upper(value) = upper(${item.serial_number}::text)
      or kind = 'b' and upper(value) = upper(${item.backstock_id}::text)) and stock_id is distinct from ${itself}::int`.execute(
    tx,
  )
  return Object.fromEntries(rows.map((row) => [IDENTIFIERS[row.kind].column, takenMessage(row.kind, row.stock_id)]))
}

/** For each of these items that is not in hand: a message under each identifier that another item in hand has. */
export async function twinsOf(db: Db, ids: readonly number[]): Promise<Map<number, FieldErrors>> {
  const { rows } = await sql<{ stock_id: number; kind: IdentifierKind; holder: number }>`
    select own.stock_id, own.kind, other.stock_id as holder
    from stock_identifier own join stock_identifier other
      on other.in_hand and other.kind = 'i' and left(other.value, 14) = left(own.value, 14) and other.stock_id <> own.stock_id
    where own.stock_id = any(${ids}::int[]) and own.kind = 'i' and not own.in_hand
    union all
    select own.stock_id, own.kind, other.stock_id
    from stock_identifier own join stock_identifier other on other.in_hand and other.kind <> 'i' and other.kind = own.kind
      and upper(other.value) = upper(own.value) and other.stock_id <> own.stock_id
    where own.stock_id = any(${ids}::int[]) and own.kind <> 'i' and not own.in_hand`.execute(db)
  const taken = new Map<number, FieldErrors>()
  for (const { stock_id, kind, holder } of rows)
    taken.set(stock_id, { ...taken.get(stock_id), [IDENTIFIERS[kind].column]: takenMessage(kind, holder) })
  return taken
}

/** Whether a write failed since another item in hand has an identifier. */
export const isTaken = (error: unknown) =>
  error instanceof Error &&
  'constraint' in error &&
  (error.constraint === 'stock_identifier_imei' || error.constraint === 'stock_identifier_other')

/**
 * Runs a write that may bring an identifier of another item in hand. The unique index decides: of two writes at once
 * one succeeds, and the other fails with a 422 that names the first one's item under each field.
 */
export async function namingHolders<Result>(
  tx: Tx,
  item: Identifiers,
  itself: number | null,
  write: () => Promise<Result>,
): Promise<Result> {
  await sql`savepoint identifiers`.execute(tx)
  try {
    const result = await write()
    await sql`release savepoint identifiers`.execute(tx)
    return result
  } catch (error) {
    if (!isTaken(error)) throw error
    await sql`rollback to savepoint identifiers`.execute(tx)
    const errors = await takenBy(tx, item, itself)
    throw Object.keys(errors).length ? invalid(errors) : error
  }
}
