import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import type { Made } from '../../../db/tables.ts'
import { type Author, record } from '../../../records/log/write.ts'

const idsOf = (made: Made, of: string) =>
  made.flatMap(([kind, id]) => (kind === of && typeof id === 'number' ? id : []))

/** For each table, the query for the references to a record. A record that has a reference is kept. */
const USES = {
  product: sql`
    select from stock where actual_product_id = made.id union all select from stock where expected_product_id = made.id`,
  make: sql`select from product where make_id = made.id`,
  colour: sql`select from product where colour_id = made.id`,
  category: sql`select from product where category_id = made.id`,
}

/**
 * Removes the records that an import made besides items, if nothing refers to them and nobody has changed them since:
 * somebody who has edited a record wants to keep it. Products are removed before the makes, colours and categories that
 * they refer to. The caller holds `lockImports`, so that no import is about to use one of them.
 */
export async function unmake(tx: Tx, made: Made, author: Author): Promise<void> {
  for (const table of ['product', 'make', 'colour', 'category'] as const) {
    const ids = idsOf(made, table)
    if (ids.length === 0) continue
    // A transaction that is about to refer to a record locks it, so this statement waits. The next statement then sees
    // the reference.
    await sql`select from ${sql.table(table)} where id = any(${ids}::int[]) order by id for update`.execute(tx)
    const name = sql.ref(table === 'product' ? 'display_name' : 'name')
    const gone = await sql<{ id: number; name: string }>`
      delete from ${sql.table(table)} made
      where id = any(${ids}::int[]) and updated_at = created_at and not exists (${USES[table]})
      returning id, ${name} as name`.execute(tx)
    if (table === 'product')
      await record(
        tx,
        author,
        gone.rows.map(({ id, name }) => ({
          type: 'Product',
          id,
          content: { type: 'message', data: { message: `Product ${name} was deleted.` } },
        })),
      )
  }
  await forgetColumns(tx, made)
}

/**
 * Removes the further columns that no item has any more. One pass over all items finds those that some items still
 * have.
 */
async function forgetColumns(tx: Tx, made: Made): Promise<void> {
  for (const [of, data] of [
    ['attribute', 'attributes'],
    ['grading', 'grading_data'],
  ] as const) {
    const names = made.flatMap(([kind, name]) => (kind === of ? String(name) : []))
    if (names.length === 0) continue
    await sql`
      delete from attribute_name where kind = ${of} and name = any(${names}::text[]) and name not in (
        select name from stock, jsonb_object_keys(${sql.ref(data)}) name where ${sql.ref(data)} ?| ${names}::text[])`.execute(
      tx,
    )
  }
}
