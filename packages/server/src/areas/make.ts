import { Make, MakeInput, MakeQuery } from '@backstock/contract/make.ts'
import { fieldsOf } from '../http/crud.ts'
import { nameList } from '../records/name-list.ts'
import { refreshProductNames } from '../records/product-names.ts'

export const make = nameList({
  area: 'make',
  title: 'Make',
  query: MakeQuery,
  input: MakeInput,
  record: Make,
  rows: (db) => db.selectFrom('make').select(['id', ...fieldsOf(MakeInput), 'created_at', 'updated_at', 'updated_by']),
  uses: [['product', 'make_id', 'product']],
  renamed: (tx, id, actor) => refreshProductNames(tx, 'make_id', id, { userId: actor.id }),
})
