import { Category, CategoryInput, CategoryQuery } from '@backstock/contract/category.ts'
import type { Db } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { fieldsOf, found, isChanged, patched, type WritableCrud } from '../http/crud.ts'
import { refuseStale } from '../records/log/stale.ts'
import { refuseUsed } from '../records/used.ts'

const categories = (db: Db) =>
  db.selectFrom('category').select(['id', ...fieldsOf(CategoryInput), 'created_at', 'updated_at', 'updated_by'])

export const category: WritableCrud<typeof CategoryQuery, typeof CategoryInput, typeof Category> = {
  area: 'category',
  title: 'Category',
  query: CategoryQuery,
  input: CategoryInput,
  row: Category,
  record: Category,
  unique: { category_name: { field: 'name', message: 'There is already a category with this name.' } },
  find: (db, query) =>
    page(categories(db), query, { table: 'category', sort: { id: 'category.id', name: humanOrder('category.name') } }),
  one: (db, id) => categories(db).where('id', '=', id).executeTakeFirst(),
  create: (tx, { updated_at: _, ...input }) =>
    tx.insertInto('category').values(input).returning('id').executeTakeFirstOrThrow(),
  async edit(tx, id, input, actor) {
    const before = found(
      await categories(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst(),
      `Category #${id}`,
    )
    await refuseStale(tx, before, input.updated_at)
    const after = patched(before, input, CategoryInput)
    if (!isChanged(before, after)) return { id }
    await tx
      .updateTable('category')
      .set({ ...after, updated_by: actor.id })
      .where('id', '=', id)
      .execute()
    return { id }
  },
  async remove(tx, id) {
    found(await categories(tx).where('id', '=', id).forUpdate().executeTakeFirst(), `Category #${id}`)
    await refuseUsed(tx, `Category #${id}`, id, [['product', 'category_id', 'product']])
    await tx.deleteFrom('category').where('id', '=', id).execute()
  },
}
