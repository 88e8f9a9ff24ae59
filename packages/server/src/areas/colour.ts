import { Colour, ColourInput, ColourQuery } from '@backstock/contract/colour.ts'
import { fieldsOf } from '../http/crud.ts'
import { nameList } from '../records/name-list.ts'
import { refreshProductNames } from '../records/product-names.ts'

export const colour = nameList({
  area: 'colour',
  title: 'Colour',
  query: ColourQuery,
  input: ColourInput,
  record: Colour,
  rows: (db) =>
    db.selectFrom('colour').select(['id', ...fieldsOf(ColourInput), 'created_at', 'updated_at', 'updated_by']),
  uses: [['product', 'colour_id', 'product']],
  renamed: (tx, id, actor) => refreshProductNames(tx, 'colour_id', id, { userId: actor.id }),
})
