import type { FieldErrors } from '@backstock/contract/answer.ts'
import { type CapacityUnit, productDisplayName } from '@backstock/contract/product-name.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { type Author, changes, record } from '../../records/log/write.ts'

/** A product as a row names it; names as typed. */
export type ProductWish = {
  make: string
  model: string
  capacity: number | null
  capacity_unit: CapacityUnit | null
  colour: string | null
  /** Used only where the product does not exist yet. */
  category: string | null
}
export type KnownProduct = { id: number; display_name: string }

/** The same text for the same product, as typed. */
export function wishKey({ make, model, capacity, capacity_unit, colour }: ProductWish): string {
  return JSON.stringify([make, model, capacity, capacity_unit, colour])
}

/** The same text for the same product, whatever the case of its names: as it will be found once it is made. */
export function sameProduct(wish: ProductWish): string {
  return wishKey(wish).toLowerCase()
}

/** What a wish lacks, before it is looked up. */
export function wishErrors(wish: Partial<ProductWish>): FieldErrors {
  const errors: FieldErrors = {}
  if (!wish.make) errors['make'] = 'This field is required.'
  if (!wish.model) errors['model'] = 'This field is required.'
  if (wish.capacity && !wish.capacity_unit) errors['capacity_unit'] = 'Capacity and unit come together or not at all.'
  if (wish.capacity_unit && !wish.capacity) errors['capacity'] = 'Capacity and unit come together or not at all.'
  return errors
}

/** The products that exist, by `wishKey`. Names match whatever their case. */
export async function findProducts(tx: Tx, wishes: Iterable<ProductWish>): Promise<Map<string, KnownProduct>> {
  const wanted = [...new Map([...wishes].map((wish) => [wishKey(wish), wish])).values()]
  if (wanted.length === 0) return new Map()
  // Makes and colours first: a join over all at once meets each product of the model in every colour.
  const { rows } = await sql<KnownProduct & { ord: number }>`
    with wish as materialized (
      select w.ord, m.id as make_id, lower(w.model) as model, coalesce(w.capacity, 0) as capacity,
        coalesce(w.capacity_unit, '') as capacity_unit, coalesce(c.id, 0) as colour_id
      from jsonb_to_recordset(${JSON.stringify(wanted.map((wish, ord) => ({ ...wish, ord })))}::jsonb)
        as w (ord int, make text, model text, capacity int, capacity_unit text, colour text)
      join make m on lower(m.name) = lower(w.make)
      left join colour c on lower(c.name) = lower(w.colour)
      where w.colour is null or c.id is not null)
    select w.ord, p.id, p.display_name from wish w
    join product p on p.make_id = w.make_id and lower(p.model) = w.model and coalesce(p.capacity, 0) = w.capacity
      and coalesce(p.capacity_unit, '') = w.capacity_unit and coalesce(p.colour_id, 0) = w.colour_id`.execute(tx)
  return new Map(rows.map(({ ord, id, display_name }) => [wishKey(wanted[ord]!), { id, display_name }]))
}

type Named = { id: number; name: string }

/**
 * The ids of these names, created where they are missing and held against renaming, which would rewrite the display names
 * of only the products that it sees. By the name as typed.
 */
async function namesOf(tx: Tx, table: 'make' | 'colour' | 'category', names: (string | null)[]) {
  const wanted = [...new Set(names.filter((name) => name !== null))]
  if (wanted.length === 0) return new Map<string, Named>()
  await sql`
    insert into ${sql.table(table)} (name)
    select name from (
      select distinct on (lower(name)) name, lower(name) as lower_name
      from unnest(${wanted}::text[]) with ordinality as n (name, ord) order by lower(name), ord) n
    where not exists (select from ${sql.table(table)} t where lower(t.name) = n.lower_name)
    order by n.lower_name on conflict do nothing`.execute(tx)
  const { rows } = await sql<Named & { typed: string }>`
    select n.typed, t.id, t.name from unnest(${wanted}::text[]) as n (typed)
    join ${sql.table(table)} t on lower(t.name) = lower(n.typed) order by t.id for share of t`.execute(tx)
  return new Map(rows.map(({ typed, id, name }) => [typed, { id, name }]))
}

/** Creates products with whatever make, colour and category they need, each with its log entry. */
export async function createProducts(
  tx: Tx,
  wishes: Iterable<ProductWish>,
  author: Author,
): Promise<Map<string, KnownProduct>> {
  const wanted = [...new Map([...wishes].map((wish) => [wishKey(wish), wish])).values()]
  if (wanted.length === 0) return new Map()
  const makes = await namesOf(
    tx,
    'make',
    wanted.map((wish) => wish.make),
  )
  const categories = await namesOf(
    tx,
    'category',
    wanted.map((wish) => wish.category),
  )
  const colours = await namesOf(
    tx,
    'colour',
    wanted.map((wish) => wish.colour),
  )
  const rows = wanted.map((wish) => {
    const [make, category] = [makes.get(wish.make)!, categories.get(wish.category ?? '')!]
    const colour = wish.colour === null ? null : colours.get(wish.colour)!
    const { model, capacity, capacity_unit } = wish
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
  const byId = (named: Map<string, Named>) => new Map([...named.values()].map((one) => [one.id, one]))
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
