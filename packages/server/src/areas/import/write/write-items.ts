import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { single, zip } from '../../../lists.ts'
import { type Author, recordTexts } from '../../../records/log/write.ts'
import { loseItems } from '../../sale/change/lose-items.ts'
import { recordBatches } from '../../stock/batch-log.ts'
import { STOCK_COLUMNS, type StockColumn, sqlTypeOf } from '../../stock/columns.ts'
import { creationLog } from '../../stock/creation-log.ts'
import { namingHolders } from '../../stock/identifiers.ts'
import type { Create, Decision, Update, Wanted } from '../decide/decision.ts'
import { changesOf } from '../decide/item-changes.ts'
import { mapWithPauses } from '../read/map-with-pauses.ts'
import { recordMade } from './made.ts'

/** The columns that an import writes, with their SQL types. */
const TYPES = {
  ...(Object.fromEntries(STOCK_COLUMNS.map((column) => [column, sqlTypeOf(column)])) as Record<StockColumn, string>),
  sale_id: 'int',
  in_hand: 'boolean',
  grading_data: 'jsonb',
  attributes: 'jsonb',
}
/** The names of the columns that an import writes. */
export const NAMES = Object.keys(TYPES) as (keyof typeof TYPES)[]

/** SQL for items as rows. Raw data are JSON text, because `jsonb_to_recordset` would take longer than the insert. */
export function itemRows(ids: readonly number[], items: readonly Wanted[]): RawBuilder<unknown> {
  const columns = NAMES.map((name) =>
    TYPES[name] === 'jsonb'
      ? sql`${items.map((item) => JSON.stringify(item[name]))}::text[]`
      : sql`${items.map((item) => item[name] as string | number | boolean | null)}::${sql.raw(TYPES[name])}[]`,
  )
  return sql`unnest(${ids}::int[], ${sql.join(columns)}) as item (id, ${sql.raw(NAMES.join(', '))})`
}
/** SQL for a column of a row of `itemRows`, in the type of the table's column. */
export const value = (name: keyof typeof TYPES) => (TYPES[name] === 'jsonb' ? `item.${name}::jsonb` : `item.${name}`)

/** Inserts new items with log entries. Their ids rise in the order of the rows. */
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
 * Writes the changes of existing items, with log entries. If an item on a sale becomes Deleted, it is taken off the
 * sale. Returns the updates that changed something.
 */
export async function updateItems(tx: Tx, items: readonly Update[], author: Author): Promise<ReadonlySet<Decision>> {
  const changed = (
    await mapWithPauses(items, (update) => {
      const data = changesOf(update)
      return data.length ? [{ update, data }] : []
    })
  ).flat()
  if (changed.length === 0) return new Set()
  const sold = changed.flatMap(({ update: { item, wanted } }) => {
    const { id, status, sale_id } = item.row
    return status === 'Sold' && sale_id !== null && wanted.status === 'Deleted'
      ? { id, saleId: sale_id, productName: item.product.display_name }
      : []
  })
  const ids = changed.map(({ update }) => update.item.row.id)
  const write = () =>
    sql`
      update stock set ${sql.raw(NAMES.map((name) => `${name} = ${value(name)}`).join(', '))}
      from ${itemRows(
        ids,
        changed.map(({ update }) => update.wanted),
      )}
      where stock.id = item.id`.execute(tx)
  // An item that comes back brings identifiers that its row does not name. Another item may have one of them by now.
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
  await recordBatches(
    tx,
    author,
    changed.map(({ update: { item, wanted } }) => ({ row: item.row, after: wanted })),
  )
  await loseItems(tx, sold, author)
  return new Set(changed.map(({ update }) => update))
}

/**
 * The names under which a row writes a new value. A name with an unchanged value is left out: somebody may be removing
 * that column right now, and it must not come back.
 */
function namesWritten(one: Create | Update, data: 'grading_data' | 'attributes'): string[] {
  const before = one.kind === 'update' ? one.item.row[data] : {}
  const now = one.wanted[data]
  return now === before
    ? []
    : Object.keys(now).filter((name) => !Object.hasOwn(before, name) || now[name] !== before[name])
}

/**
 * Registers the names of further columns, from which an export takes its header. The rows are sorted, so that two
 * writers cannot block each other.
 */
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
