import { Colour, ColourInput, ColourQuery } from '@backstock/contract/colour.ts'
import type { Db } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { fieldsOf, found, isChanged, patched, type WritableCrud } from '../http/crud.ts'
import { refuseStale } from '../records/log/stale.ts'
import { refreshProductNames } from '../records/product-names.ts'
import { refuseUsed } from '../records/used.ts'

const colours = (db: Db) =>
  db.selectFrom('colour').select(['id', ...fieldsOf(ColourInput), 'created_at', 'updated_at', 'updated_by'])

export const colour: WritableCrud<typeof ColourQuery, typeof ColourInput, typeof Colour> = {
  area: 'colour',
  title: 'Colour',
  query: ColourQuery,
  input: ColourInput,
  row: Colour,
  record: Colour,
  unique: { colour_name: { field: 'name', message: 'There is already a colour with this name.' } },
  find: (db, query) =>
    page(colours(db), query, { table: 'colour', sort: { id: 'colour.id', name: humanOrder('colour.name') } }),
  one: (db, id) => colours(db).where('id', '=', id).executeTakeFirst(),
  create: (tx, { updated_at: _, ...input }) =>
    tx.insertInto('colour').values(input).returning('id').executeTakeFirstOrThrow(),
  async edit(tx, id, input, actor) {
    const before = found(await colours(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst(), `Colour #${id}`)
    await refuseStale(tx, before, input.updated_at)
    const after = patched(before, input, ColourInput)
    if (!isChanged(before, after)) return { id }
    await tx
      .updateTable('colour')
      .set({ ...after, updated_by: actor.id })
      .where('id', '=', id)
      .execute()
    if (after.name !== before.name) await refreshProductNames(tx, 'colour_id', id, { userId: actor.id })
    return { id }
  },
  async remove(tx, id) {
    found(await colours(tx).where('id', '=', id).forUpdate().executeTakeFirst(), `Colour #${id}`)
    await refuseUsed(tx, `Colour #${id}`, id, [['product', 'colour_id', 'product']])
    await tx.deleteFrom('colour').where('id', '=', id).execute()
  },
}
