import type { FieldErrors } from '@backstock/contract/answer.ts'
import { imeiByForm, imeiKey, luhnCheckDigit } from '@backstock/contract/imei.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../../db/connect.ts'
import { invalid } from '../../http/refusal.ts'
import {
  comparable,
  IDENTIFIERS,
  type IdentifierKind,
  type Identifiers,
  identifierKey,
  identifiersOf,
  isImei,
  takenMessage,
} from './identifier-kinds.ts'

// The conditions of the indexes on `stock_identifier`. A statement must repeat a condition word for word to use its
// index.
export const IS_IMEI = sql`kind in ('i', 'j')`
export const IS_OTHER = sql`kind <> 'i' and kind in ('s', 'b', 'm')`
/** The condition of serial numbers and Backstock IDs without MEIDs, for long lists in which no MEID can be. */
export const IS_SERIAL = sql`kind <> 'i' and kind in ('s', 'b')`
export const IS_EID = sql`kind <> 'i' and kind = 'e'`

/** A message for each identifier that an item other than `itself` has. Items that have left the shop do not count. */
export async function takenBy(tx: Tx, item: Identifiers, itself: number | null): Promise<FieldErrors> {
  const own = identifiersOf(item)
  const keys = [...own.values()].map((kind) => ({
    kind,
    value: comparable(kind, item[IDENTIFIERS[kind].column] ?? ''),
  }))
  const [imeis, others] = [keys.filter(({ kind }) => isImei(kind)), keys.filter(({ kind }) => !isImei(kind))]
  const { rows } = await sql<{ stock_id: number; kind: IdentifierKind; value: string }>`
    select stock_id, kind, value from stock_identifier
    where in_hand and ${IS_IMEI} and left(value, 14) = any(${imeis.map(({ value }) => value)}::text[])
      and stock_id is distinct from ${itself}::int
    union all
    select i.stock_id, i.kind, i.value
    from unnest(${others.map(({ kind }) => kind)}::char[], ${others.map(({ value }) => value)}::text[]) as k (kind, value)
    join stock_identifier i on in_hand and i.kind <> 'i' and i.kind = k.kind and upper(i.value) = upper(k.value)
    where stock_id is distinct from ${itself}::int`.execute(tx)
  return Object.fromEntries(
    rows.flatMap((row) => {
      const kind = own.get(identifierKey(row.kind, row.value))
      return kind ? [[IDENTIFIERS[kind].column, takenMessage(kind, row.stock_id)]] : []
    }),
  )
}

type Numbers = { id: number | null } & Partial<Identifiers>
/** An identifier of the item `id` that the item `holder` of the shop has as `heldAs`. */
type Held<Id> = { id: Id; kind: IdentifierKind; holder: number; heldAs: IdentifierKind }

/**
 * Each number of these items that another item of the shop has in another field: an IMEI as its serial number, or the
 * other way round. Such a number is one phone's in any field. No unique index compares the fields with each other.
 */
async function heldInOtherField<Item extends Numbers>(db: Db, items: readonly Item[]): Promise<Held<Item['id']>[]> {
  const asImeis = items.flatMap(({ id, serial_number }) => {
    const imei = imeiByForm(serial_number ?? '')
    return imei === null ? [] : { id, key: imeiKey(imei) }
  })
  const imeis = items.flatMap(({ id, imei, imei2 }) =>
    Object.entries({ i: imei, j: imei2 }).flatMap(([kind, number]) => {
      const key = imeiKey(number ?? '')
      return key === '' ? [] : { id, kind, whole: key + luhnCheckDigit(key) }
    }),
  )
  if (asImeis.length === 0 && imeis.length === 0) return []
  const { rows } = await sql<Held<Item['id']>>`
    select k.id, 's' as kind, stock_id as holder, 'i' as "heldAs"
    from unnest(${asImeis.map(({ id }) => id)}::int[], ${asImeis.map(({ key }) => key)}::text[]) as k (id, key)
    join stock_identifier on in_hand and ${IS_IMEI} and left(value, 14) = k.key
    where stock_id is distinct from k.id
    union all
    select k.id, k.field, i.stock_id, 's'
    from unnest(${imeis.map(({ id }) => id)}::int[], ${imeis.map(({ kind }) => kind)}::text[],
      ${imeis.map(({ whole }) => whole)}::text[]) as k (id, field, whole)
    join stock_identifier i on in_hand and i.kind <> 'i' and i.kind = 's' and upper(i.value) = k.whole
    where stock_id is distinct from k.id`.execute(db)
  return rows
}

/** A message for each number that another item of the shop has in another field. */
export async function takenInOtherField(
  tx: Tx,
  item: Partial<Identifiers>,
  itself: number | null,
): Promise<FieldErrors> {
  const held = await heldInOtherField(tx, [{ ...item, id: itself }])
  return Object.fromEntries(
    held.map(({ kind, holder, heldAs }) => [IDENTIFIERS[kind].column, takenMessage(heldAs, holder)]),
  )
}

/** For each of these items that has left: a message under each identifier that an item in the shop has now. */
export async function twinsOf(db: Db, ids: readonly number[]): Promise<Map<number, FieldErrors>> {
  const taken = new Map<number, FieldErrors>()
  for (const { id, kind, holder, heldAs } of await heldByOthers(db, ids))
    taken.set(id, { ...taken.get(id), [IDENTIFIERS[kind].column]: takenMessage(heldAs, holder) })
  return taken
}

/** For items that have left: each of their identifiers that an item in the shop has now, with that item. */
export async function heldByOthers(db: Db, ids: readonly number[]): Promise<Held<number>[]> {
  const own = sql`own.stock_id = any(${ids}::int[]) and not own.in_hand`
  const { rows } = await sql<Held<number>>`
    select own.stock_id as id, own.kind, other.stock_id as holder, own.kind as "heldAs"
    from stock_identifier own join stock_identifier other
      on other.in_hand and other.kind in ('i', 'j') and left(other.value, 14) = left(own.value, 14)
      and other.stock_id <> own.stock_id
    where ${own} and own.kind in ('i', 'j')
    union all
    select own.stock_id, own.kind, other.stock_id, own.kind
    from stock_identifier own join stock_identifier other on other.in_hand and other.kind <> 'i' and other.kind = own.kind
      and upper(other.value) = upper(own.value) and other.stock_id <> own.stock_id
    where ${own} and own.kind in ('s', 'b', 'm')
    order by 1, 3`.execute(db)
  const gone = await db
    .selectFrom('stock')
    .select(['id', 'imei', 'imei2', 'serial_number', 'backstock_id', 'meid'])
    .where(sql<boolean>`id = any(${ids}::int[]) and not in_hand`)
    .orderBy('id')
    .execute()
  return [...rows, ...(await heldInOtherField(db, gone))]
}

/** Whether a write failed because another item in the shop has an identifier. */
export const isTaken = (error: unknown) =>
  error instanceof Error &&
  'constraint' in error &&
  (error.constraint === 'stock_identifier_imei' || error.constraint === 'stock_identifier_other')

/**
 * Runs a write that may store an identifier of another item in the shop. The unique index decides: if two writes come
 * at once, one succeeds. The other fails with a 422 that names the item of the first write under each field.
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
