import { Make, MakeInput, MakeQuery } from '@backstock/contract/make.ts'
import type { Db } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { fieldsOf, found, isChanged, patched, type WritableCrud } from '../http/crud.ts'
import { refuseStale } from '../records/log/stale.ts'
import { refreshProductNames } from '../records/product-names.ts'
import { refuseUsed } from '../records/used.ts'

const makes = (db: Db) =>
  db.selectFrom('make').select(['id', ...fieldsOf(MakeInput), 'created_at', 'updated_at', 'updated_by'])

export const make: WritableCrud<typeof MakeQuery, typeof MakeInput, typeof Make> = {
  area: 'make',
  title: 'Make',
  query: MakeQuery,
  input: MakeInput,
  row: Make,
  record: Make,
  unique: { make_name: { field: 'name', message: 'There is already a make with this name.' } },
  find: (db, query) =>
    page(makes(db), query, { table: 'make', sort: { id: 'make.id', name: humanOrder('make.name') } }),
  one: (db, id) => makes(db).where('id', '=', id).executeTakeFirst(),
  create: (tx, { updated_at: _, ...input }) =>
    tx.insertInto('make').values(input).returning('id').executeTakeFirstOrThrow(),
  async edit(tx, id, input, actor) {
    const before = found(await makes(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst(), `Make #${id}`)
    await refuseStale(tx, before, input.updated_at)
    const after = patched(before, input, MakeInput)
    if (!isChanged(before, after)) return { id }
    await tx
      .updateTable('make')
      .set({ ...after, updated_by: actor.id })
      .where('id', '=', id)
      .execute()
    if (after.name !== before.name) await refreshProductNames(tx, 'make_id', id, { userId: actor.id })
    return { id }
  },
  async remove(tx, id) {
    found(await makes(tx).where('id', '=', id).forUpdate().executeTakeFirst(), `Make #${id}`)
    await refuseUsed(tx, `Make #${id}`, id, [['product', 'make_id', 'product']])
    await tx.deleteFrom('make').where('id', '=', id).execute()
  },
}
