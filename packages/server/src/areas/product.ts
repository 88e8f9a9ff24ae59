import { halfCapacity, Product, ProductCreateInput, ProductInput, ProductQuery } from '@backstock/contract/product.ts'
import { productDisplayName } from '@backstock/contract/product-name.ts'
import { sql } from 'kysely'
import type { Db, Tx } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { type Fields, fieldsOf, found, patched, type WritableCrud } from '../http/crud.ts'
import { invalid, NO_SUCH_RECORD } from '../http/refusal.ts'
import { edited } from '../records/edited.ts'
import { logsOf } from '../records/log/read.ts'
import { type Attribute, recordChanges, recordMessage } from '../records/log/write.ts'
import { refuseUsed } from '../records/used.ts'

const FIELDS = fieldsOf(ProductInput)

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
      ...FIELDS,
      named<Named>('make').as('make'),
      named<Named>('category').as('category'),
      named<Named | null>('colour').as('colour'),
      'created_at',
      'updated_at',
    ])

type NewProduct = Omit<ProductInput, 'updated_at'>
type Relations = { make: Named; category: Named; colour: Named | null }

/**
 * Locks the make, category and colour of a product that is about to be written, so that nobody renames one of them
 * meanwhile: a rename rewrites only the names of products that it sees.
 */
async function holdRelations(tx: Tx, fields: NewProduct): Promise<Relations> {
  const hold = async (table: 'make' | 'category' | 'colour', id: number) => {
    const row = await tx.selectFrom(table).select(['id', 'name']).where('id', '=', id).forShare().executeTakeFirst()
    if (!row) throw invalid({ [`${table}_id`]: NO_SUCH_RECORD })
    return row
  }
  return {
    make: await hold('make', fields.make_id),
    category: await hold('category', fields.category_id),
    colour: fields.colour_id ? await hold('colour', fields.colour_id) : null,
  }
}

function refuseHalfCapacity(fields: NewProduct): void {
  const errors = halfCapacity(fields)
  if (Object.keys(errors).length) throw invalid(errors)
}

const displayName = ({ make, colour }: Relations, { model, capacity = null, capacity_unit = null }: NewProduct) =>
  productDisplayName(make.name, model, capacity, capacity_unit, colour?.name ?? null)

const logged = (
  { make, category, colour }: Relations,
  { make_id: _make, category_id: _category, colour_id: _colour, ...others }: Fields<typeof ProductInput>,
): Record<string, Attribute> => ({ make, category, colour, ...others })

export const product: WritableCrud<typeof ProductQuery, typeof ProductInput, typeof Product> = {
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
  async create(tx, { updated_at: _, ...input }, actor) {
    const relations = await holdRelations(tx, input)
    const { id, ...fields } = await tx
      .insertInto('product')
      .values({ ...input, display_name: displayName(relations, input) })
      .returning(['id', ...FIELDS])
      .executeTakeFirstOrThrow()
    await recordChanges(tx, { userId: actor.id }, 'Product', id, null, logged(relations, fields))
    return { id }
  },
  async edit(tx, id, input, actor) {
    const one = products(tx).where('id', '=', id)
    // Make and colour are locked before the product, as in a rename of a make or colour. In the opposite order, this
    // edit and a rename could deadlock.
    await holdRelations(tx, patched(found(await one.executeTakeFirst(), `Product #${id}`), input, ProductInput))
    const { before, after, isChanged } = await edited(tx, ProductInput, {
      name: `Product #${id}`,
      row: await one.forNoKeyUpdate().executeTakeFirst(),
      sent: input,
      logged: { type: 'Product', id },
    })
    refuseHalfCapacity(after)
    if (!isChanged) return { id }
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
