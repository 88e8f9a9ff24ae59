import { Category, CategoryInput, CategoryQuery } from '@backstock/contract/category.ts'
import { fieldsOf } from '../http/crud.ts'
import { nameList } from '../records/name-list.ts'

export const category = nameList({
  area: 'category',
  title: 'Category',
  query: CategoryQuery,
  input: CategoryInput,
  record: Category,
  rows: (db) =>
    db.selectFrom('category').select(['id', ...fieldsOf(CategoryInput), 'created_at', 'updated_at', 'updated_by']),
  uses: [['product', 'category_id', 'product']],
})
