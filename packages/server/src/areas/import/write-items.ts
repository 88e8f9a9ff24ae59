import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { type Attribute, changes, type Entry, record } from '../log.ts'
import { attributesOf, type RelationNames, type StockColumns, stockColumns } from '../stock/attributes.ts'
import type { ApplyOptions } from './apply-rows.ts'
import type { Create, Update, Wanted } from './decide.ts'
import { loseSoldItems } from './lost-items.ts'

type Columns = Wanted & { actual_product_id: number }
const columnsOf = ({ wanted, product }: Create | Update): Columns => ({ ...wanted, actual_product_id: product.id })

/** The columns in SQL, as a recordset reads them. */
const TYPES = `status stock_status, actual_product_id int, expected_product_id int, supplier_id int, vat_id int,
  batch_id int, sale_id int, in_hand boolean, backstock_id text, imei text, serial_number text, purchase_price int,
  purchase_date date, sales_price int, network_locked boolean, engineer_notes text, grading_data jsonb, attributes jsonb`
const NAMES = TYPES.split(',').map((column) => column.trim().split(' ')[0]!)

const recordset = (items: readonly ({ id: number } & Columns)[]) =>
  sql`jsonb_to_recordset(${JSON.stringify(items)}::jsonb) as item (id int, ${sql.raw(TYPES)})`

/** Inserts new items and their logs; ids go up in the order of the rows. */
export async function createItems(
  tx: Tx,
  items: readonly Create[],
  { author, partnerId }: ApplyOptions,
): Promise<Map<Create, number>> {
  if (items.length === 0) return new Map()
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('stock', 'id'))::int as id from generate_series(1, ${items.length}::int)`.execute(
    tx,
  )
  const ids = rows.map((row) => row.id).sort((a, b) => a - b)
  await sql`
    insert into stock (id, partner_id, ${sql.raw(NAMES.join(', '))}) overriding system value
    select id, ${partnerId ?? null}::int, ${sql.raw(NAMES.join(', '))}
    from ${recordset(items.map((item, n) => ({ id: ids[n]!, ...columnsOf(item) })))} order by id`.execute(tx)
  await registerAttributeNames(tx, items)
  await record(
    tx,
    author,
    items.map((item, n) => stockEntry(ids[n]!, changes(null, shown(columnsOf(item), namesOf(item))))),
  )
  return new Map(items.map((item, n) => [item, ids[n]!]))
}

/** Writes what changed of existing items, with logs; items on a sale that become Deleted are taken from it. */
export async function updateItems(tx: Tx, items: readonly Update[], { author }: ApplyOptions): Promise<void> {
  const changed = items.flatMap((update) => {
    const { row } = update.item
    const data = changes(
      shown({ ...row, ...stockColumns(row) }, namesOf(update)),
      shown(columnsOf(update), namesOf(update)),
    )
    return data.length ? { update, data } : []
  })
  if (changed.length === 0) return
  const sold = changed.flatMap(({ update: { item, wanted } }) =>
    item.row.status === 'Sold' && wanted.status === 'Deleted' ? item : [],
  )
  await sql`
    update stock set ${sql.raw(NAMES.map((name) => `${name} = item.${name}`).join(', '))}
    from ${recordset(changed.map(({ update }) => ({ id: update.item.row.id, ...columnsOf(update) })))}
    where stock.id = item.id`.execute(tx)
  await registerAttributeNames(
    tx,
    changed.map(({ update }) => update),
  )
  await record(
    tx,
    author,
    changed.map(({ update, data }) => stockEntry(update.item.row.id, data)),
  )
  await loseSoldItems(tx, sold, author)
}

function stockEntry(id: number, data: ReturnType<typeof changes>): Entry {
  return { type: 'Stock', id, content: { type: 'model_update', data } }
}

/** An item as its log shows it; raw data as JSON text. */
function shown(columns: Columns, names: RelationNames): Record<string, Attribute> {
  const { grading_data, attributes } = columns
  const raw = (data: Record<string, unknown>) => (Object.keys(data).length ? JSON.stringify(data) : null)
  return {
    ...attributesOf(stockColumns(columns as StockColumns), names),
    grading_data: raw(grading_data),
    attributes: raw(attributes),
  }
}

function namesOf(one: Create | Update): RelationNames {
  const { wanted, product, supplier, vat } = one
  const names = [
    [`product ${product.id}`, product.display_name],
    [`supplier ${wanted.supplier_id}`, supplier],
    [`vat ${wanted.vat_id}`, vat],
  ]
  if (one.kind === 'update') {
    const { row, product: was, supplier: oldSupplier, vat: oldVat, batchName } = one.item
    names.push(
      [`product ${row.actual_product_id}`, was.display_name],
      [`supplier ${row.supplier_id}`, oldSupplier],
      [`vat ${row.vat_id}`, oldVat],
      [`batch ${row.batch_id}`, batchName],
    )
  }
  return new Map(names.filter((entry): entry is [string, string] => entry[1] !== null))
}

/** So that an export knows its header before its first row. Sorted: two imports must not wait for each other. */
async function registerAttributeNames(tx: Tx, items: readonly (Create | Update)[]): Promise<void> {
  const grading = new Set(items.flatMap(({ wanted }) => Object.keys(wanted.grading_data)))
  const attributes = new Set(items.flatMap(({ wanted }) => Object.keys(wanted.attributes)))
  if (grading.size + attributes.size === 0) return
  const rows = [
    ...[...attributes].sort().map((name) => ({ kind: 'attribute' as const, name })),
    ...[...grading].sort().map((name) => ({ kind: 'grading' as const, name })),
  ]
  await tx
    .insertInto('attribute_name')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
