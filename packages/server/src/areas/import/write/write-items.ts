import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { single, zip } from '../../../lists.ts'
import { type Author, recordTexts } from '../../../records/log/write.ts'
import { loseItems } from '../../sale/change/lose-items.ts'
import { STOCK_COLUMNS, type StockColumn, sqlTypeOf } from '../../stock/columns.ts'
import { creationLog } from '../../stock/creation-log.ts'
import { namingHolders } from '../../stock/identifiers.ts'
import type { Create, Decision, Update, Wanted } from '../decide/decision.ts'
import { changesOf } from '../decide/item-changes.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import { recordMade } from './made.ts'

/** The columns that an import writes, with their types in SQL. */
const TYPES = {
  ...(Object.fromEntries(STOCK_COLUMNS.map((column) => [column, sqlTypeOf(column)])) as Record<StockColumn, string>),
  sale_id: 'int',
  in_hand: 'boolean',
  grading_data: 'jsonb',
  attributes: 'jsonb',
}
/** The names of these columns. */
export const NAMES = Object.keys(TYPES) as (keyof typeof TYPES)[]

/** Items as rows in SQL, raw data as JSON text. A recordset of JSON would take longer than the insert. */
export function itemRows(ids: readonly number[], items: readonly Wanted[]): RawBuilder<unknown> {
  const columns = NAMES.map((name) =>
    TYPES[name] === 'jsonb'
      ? sql`${items.map((item) => JSON.stringify(item[name]))}::text[]`
      : sql`${items.map((item) => item[name] as string | number | boolean | null)}::${sql.raw(TYPES[name])}[]`,
  )
  return sql`unnest(${ids}::int[], ${sql.join(columns)}) as item (id, ${sql.raw(NAMES.join(', '))})`
}
/** A column of such a row, in the type that it has in the table. */
export const value = (name: keyof typeof TYPES) => (TYPES[name] === 'jsonb' ? `item.${name}::jsonb` : `item.${name}`)

/** Inserts new items and their logs; ids go up in the order of the rows. */
export async function createItems(
  tx: Tx,
  items: readonly Create[],
  { author, partnerId }: { author: Author; partnerId: number | null },
): Promise<Map<Create, number>> {
  if (items.length === 0) return new Map()
  const { rows } = await sql<{ id: number }>`
    select nextval(sequence)::int as id
    from (select pg_get_serial_sequence('stock', 'id')::regclass as sequence offset 0) s,
      generate_series(1, ${items.length}::int)`.execute(tx)
  const ids = rows.map((row) => row.id).sort((a, b) => a - b)
  await sql`
    with item as materialized (
      select * from ${itemRows(
        ids,
        items.map(({ wanted }) => wanted),
      )}),
    made as (
      insert into stock (id, partner_id, ${sql.raw(NAMES.join(', '))}) overriding system value
      select id, ${partnerId}::int, ${sql.raw(NAMES.map(value).join(', '))} from item order by id)
    ${creationLog(sql`item`, author)}`.execute(tx)
  await registerAttributeNames(tx, items, author)
  return new Map(zip(items, ids))
}

/**
 * Writes what changed of existing items, with logs. Items on a sale that become Deleted come off it. Returns the
 * updates that changed anything.
 */
export async function updateItems(tx: Tx, items: readonly Update[], author: Author): Promise<ReadonlySet<Decision>> {
  const changed = (
    await mapWithPauses(items, (update) => {
      const data = changesOf(update)
      return data.length ? [{ update, data }] : []
    })
  ).flat()
  if (changed.length === 0) return new Set()
  const sold = changed.flatMap(({ update: { item, wanted } }) =>
    item.row.status === 'Sold' && wanted.status === 'Deleted'
      ? { id: item.row.id, saleId: item.row.sale_id!, productName: item.product.display_name }
      : [],
  )
  const ids = changed.map(({ update }) => update.item.row.id)
  const write = () =>
    sql`
      update stock set ${sql.raw(NAMES.map((name) => `${name} = ${value(name)}`).join(', '))}
      from ${itemRows(
        ids,
        changed.map(({ update }) => update.wanted),
      )}
      where stock.id = item.id`.execute(tx)
  // An item that comes back may have an identifier that the row does not name and that another item has by now.
  if (changed.length === 1) await namingHolders(tx, single(changed).update.wanted, single(ids), write)
  else await write()
  await registerAttributeNames(
    tx,
    changed.map(({ update }) => update),
    author,
  )
  await recordTexts(
    tx,
    author,
    'Stock',
    ids,
    changed.map(({ data }) => JSON.stringify({ type: 'model_update', data })),
  )
  await loseItems(tx, sold, author)
  return new Set(changed.map(({ update }) => update))
}

/**
 * The names under which a row writes a new value. An old value's name may just be being removed, and is not registered
 * again.
 */
function namesWritten(one: Create | Update, data: 'grading_data' | 'attributes'): string[] {
  const before = one.kind === 'update' ? one.item.row[data] : {}
  const now = one.wanted[data]
  return now === before
    ? []
    : Object.keys(now).filter((name) => !Object.hasOwn(before, name) || now[name] !== before[name])
}

/** An export knows its header from these names. Sorted, so that two writers do not wait for each other in a circle. */
async function registerAttributeNames(tx: Tx, items: readonly (Create | Update)[], author: Author): Promise<void> {
  const grading = new Set(items.flatMap((one) => namesWritten(one, 'grading_data')))
  const attributes = new Set(items.flatMap((one) => namesWritten(one, 'attributes')))
  if (grading.size + attributes.size === 0) return
  const partner_id = author.partnerId ?? null
  const rows = [
    ...[...attributes].sort().map((name) => ({ kind: 'attribute' as const, name, partner_id })),
    ...[...grading].sort().map((name) => ({ kind: 'grading' as const, name, partner_id })),
  ]
  const made = await tx
    .insertInto('attribute_name')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['kind', 'name'])
    .execute()
  await recordMade(
    tx,
    author,
    made.map(({ kind, name }) => [kind, name]),
  )
}
