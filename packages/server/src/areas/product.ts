import { halfCapacity, Product, ProductCreateInput, ProductInput, ProductQuery } from '@backstock/contract/product.ts'
import { type CapacityUnit, productDisplayName } from '@backstock/contract/product-name.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { type Crud, found, isChanged } from '../http/crud.ts'
import { invalid } from '../http/refusal.ts'
import { type Attribute, logsOf, recordChanges, recordMessage, refuseStale } from '../records/log.ts'
import { refuseUsed } from '../records/used.ts'

type Named = { id: number; name: string }
const named = <Value extends Named | null>(table: 'make' | 'category' | 'colour') =>
  sql<Value>`(select jsonb_build_object('id', id, 'name', name) from ${sql.table(table)}
    where id = ${sql.ref(`product.${table}_id`)})`

const products = (db: Db) =>
  db
    .selectFrom('product')
    .select([
      'id',
      'display_name',
      'make_id',
      'category_id',
      'colour_id',
      named<Named>('make').as('make'),
      named<Named>('category').as('category'),
      named<Named | null>('colour').as('colour'),
      'active',
      'model',
      'capacity',
      'capacity_unit',
      'image_url',
      'created_at',
      'updated_at',
    ])

type Fields = {
  make_id: number
  category_id: number
  colour_id: number | null
  model: string
  capacity: number | null
  capacity_unit: CapacityUnit | null
  active: boolean
  image_url: string | null
}
type Relations = { make: Named; category: Named; colour: Named | null }

/**
 * The make, category and colour of a product that is about to be written, held against renaming: a rename rewrites the
 * names of the products that it sees.
 */
async function holdRelations(tx: Tx, fields: Fields): Promise<Relations> {
  const hold = async (table: 'make' | 'category' | 'colour', id: number) => {
    const row = await tx.selectFrom(table).select(['id', 'name']).where('id', '=', id).forShare().executeTakeFirst()
    if (!row) throw invalid({ [`${table}_id`]: 'Does not exist.' })
    return row
  }
  return {
    make: await hold('make', fields.make_id),
    category: await hold('category', fields.category_id),
    colour: fields.colour_id === null ? null : await hold('colour', fields.colour_id),
  }
}

/** The fields that an edit sends over those that the product has. */
function merged(product: Fields, input: Partial<Omit<ProductInput, 'updated_at'>>): Fields {
  const {
    make_id = product.make_id,
    category_id = product.category_id,
    colour_id = product.colour_id,
    model = product.model,
    capacity = product.capacity,
    capacity_unit = product.capacity_unit,
    active = product.active,
    image_url = product.image_url,
  } = input
  return { make_id, category_id, colour_id, model, capacity, capacity_unit, active, image_url }
}

function refuseHalfCapacity(fields: Fields): void {
  const errors = halfCapacity(fields)
  if (Object.keys(errors).length) throw invalid(errors)
}

const displayName = ({ make, colour }: Relations, fields: Fields) =>
  productDisplayName(make.name, fields.model, fields.capacity, fields.capacity_unit, colour?.name ?? null)

const logged = (
  { make, category, colour }: Relations,
  { model, capacity, capacity_unit, active, image_url }: Fields,
): Record<string, Attribute> => ({ make, category, colour, model, capacity, capacity_unit, active, image_url })

export const product: Crud<typeof ProductQuery, typeof ProductInput, typeof Product> = {
  area: 'product',
  title: 'Product',
  query: ProductQuery,
  input: ProductInput,
  createInput: ProductCreateInput,
  row: Product,
  record: Product,
  unique: {
    product_identity: {
      field: 'model',
      message: 'There is already a product with this make, model, capacity and colour.',
    },
  },
  find: (db, query) =>
    page(products(db), query, {
      table: 'product',
      sort: {
        id: 'product.id',
        model: humanOrder('product.model'),
        display_name: humanOrder('product.display_name'),
      },
    }),
  async one(db, id) {
    const row = await products(db).where('id', '=', id).executeTakeFirst()
    return row && { ...row, logs: await logsOf(db, 'Product', id) }
  },
  async create(tx, { make_id, category_id, model, ...optional }, actor) {
    const { colour_id = null, capacity = null, capacity_unit = null, active = true, image_url = null } = optional
    const fields = { make_id, category_id, colour_id, model, capacity, capacity_unit, active, image_url }
    const relations = await holdRelations(tx, fields)
    const { id } = await tx
      .insertInto('product')
      .values({ ...fields, display_name: displayName(relations, fields) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordChanges(tx, { userId: actor.id }, 'Product', id, null, logged(relations, fields))
    return { id }
  },
  async edit(tx, id, { updated_at, ...input }, actor) {
    const one = products(tx).where('id', '=', id)
    // Make and colour before the product, in the order of a rename: the other way round they would deadlock.
    await holdRelations(tx, merged(found(await one.executeTakeFirst(), `Product #${id}`), input))
    const before = found(await one.forNoKeyUpdate().executeTakeFirst(), `Product #${id}`)
    await refuseStale(tx, before, updated_at, { type: 'Product', id })
    const after = merged(before, input)
    refuseHalfCapacity(after)
    if (!isChanged(before, after)) return { id }
    const relations = await holdRelations(tx, after)
    await tx
      .updateTable('product')
      .set({ ...after, display_name: displayName(relations, after) })
      .where('id', '=', id)
      .execute()
    await recordChanges(tx, { userId: actor.id }, 'Product', id, logged(before, before), logged(relations, after))
    return { id }
  },
  async remove(tx, id, actor) {
    const before = found(await products(tx).where('id', '=', id).forUpdate().executeTakeFirst(), `Product #${id}`)
    await refuseUsed(tx, `Product #${id}`, id, [['stock', ['actual_product_id', 'expected_product_id'], 'stock item']])
    await tx.deleteFrom('product').where('id', '=', id).execute()
    await recordMessage(tx, { userId: actor.id }, 'Product', id, `Product ${before.display_name} was deleted.`)
  },
}
