import { productDisplayName } from '@backstock/contract/product-name.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { getFrom } from '../../../lists.ts'
import { type Author, changes, record } from '../../../records/log/write.ts'
import type { KnownProduct, NamedRecord } from '../decide/decision.ts'
import { findProducts } from '../look-up.ts'
import { type DescribedProduct, productKey } from '../read/described-product.ts'
import { recordMade } from './made.ts'

/**
 * Finds the makes, colours or categories with these names, and makes the missing ones. All are locked until the
 * transaction ends: a renaming rewrites the names of the products that it sees, and would not see our new products.
 */
async function namesOf(tx: Tx, table: 'make' | 'colour' | 'category', names: (string | null)[], author: Author) {
  const wanted = [...new Set(names.filter((name) => name !== null))]
  if (wanted.length === 0) return new Map<string, NamedRecord>()
  const made = await sql<{ id: number }>`
    insert into ${sql.table(table)} (name)
    select name from (
      select distinct on (lower(name)) name, lower(name) as lower_name
      from unnest(${wanted}::text[]) with ordinality as n (name, ord) order by lower(name), ord) n
    where not exists (select from ${sql.table(table)} t where lower(t.name) = n.lower_name)
    order by n.lower_name on conflict do nothing returning id`.execute(tx)
  await recordMade(
    tx,
    author,
    made.rows.map(({ id }) => [table, id]),
  )
  const { rows } = await sql<NamedRecord & { typed: string }>`
    select n.typed, t.id, t.name from unnest(${wanted}::text[]) as n (typed)
    join ${sql.table(table)} t on lower(t.name) = lower(n.typed) order by t.id for share of t`.execute(tx)
  return new Map(rows.map(({ typed, id, name }) => [typed, { id, name }]))
}

/**
 * Makes products with their log entries, and the makes, colours and categories that they need. Returns the products by
 * `productKey`.
 */
export async function makeProducts(
  tx: Tx,
  described: Iterable<DescribedProduct>,
  author: Author,
): Promise<Map<string, KnownProduct>> {
  const wanted = [...new Map([...described].map((product) => [productKey(product), product])).values()]
  if (wanted.length === 0) return new Map()
  const makes = await namesOf(
    tx,
    'make',
    wanted.map((product) => product.make),
    author,
  )
  const categories = await namesOf(
    tx,
    'category',
    wanted.map((product) => product.category),
    author,
  )
  const colours = await namesOf(
    tx,
    'colour',
    wanted.map((product) => product.colour),
    author,
  )
  const rows = wanted.map((product) => {
    const [make, category] = [getFrom(makes, product.make), getFrom(categories, product.category ?? '')]
    const colour = product.colour === null ? null : getFrom(colours, product.colour)
    const { model, capacity, capacity_unit } = product
    return {
      make_id: make.id,
      category_id: category.id,
      colour_id: colour?.id ?? null,
      model,
      capacity,
      capacity_unit,
      display_name: productDisplayName(make.name, model, capacity, capacity_unit, colour?.name ?? null),
    }
  })
  const created = await tx
    .insertInto('product')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'make_id', 'category_id', 'colour_id', 'model', 'capacity', 'capacity_unit', 'active'])
    .execute()
  const byId = (named: Map<string, NamedRecord>) => new Map([...named.values()].map((one) => [one.id, one]))
  await recordMade(
    tx,
    author,
    created.map(({ id }) => ['product', id]),
  )
  const [makeOf, categoryOf, colourOf] = [byId(makes), byId(categories), byId(colours)]
  await record(
    tx,
    author,
    created.map(({ id, make_id, category_id, colour_id, ...plain }) => ({
      type: 'Product',
      id,
      content: {
        type: 'model_update',
        data: changes(null, {
          make: makeOf.get(make_id),
          category: categoryOf.get(category_id),
          colour: colour_id === null ? null : colourOf.get(colour_id),
          ...plain,
        }),
      },
    })),
  )
  return findProducts(tx, wanted)
}
