import { Grade, GradeInput, GradeQuery } from '@backstock/contract/grade.ts'
import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { type Crud, fieldsOf, found, isChanged, patched } from '../http/crud.ts'
import { refuseStale } from '../records/log/stale.ts'
import { refuseUsed } from '../records/used.ts'

const grades = (db: Db) =>
  db.selectFrom('grade').select(['id', ...fieldsOf(GradeInput), 'created_at', 'updated_at', 'updated_by'])

const afterAllOthers = sql<number>`(select least(coalesce(max(position), 0) + 1, 1000) from grade)`

export const grade: Crud<typeof GradeQuery, typeof GradeInput, typeof Grade> = {
  area: 'grade',
  title: 'Grade',
  query: GradeQuery,
  input: GradeInput,
  row: Grade,
  record: Grade,
  unique: { grade_name: { field: 'name', message: 'There is already a grade with this name.' } },
  access: { write: 'admin' },
  find: (db, query) =>
    page(grades(db), query, {
      table: 'grade',
      sort: { id: 'grade.id', name: humanOrder('grade.name'), position: 'grade.position' },
    }),
  one: (db, id) => grades(db).where('id', '=', id).executeTakeFirst(),
  create: (tx, { updated_at: _, position, ...input }) =>
    tx
      .insertInto('grade')
      .values({ ...input, position: position ?? afterAllOthers })
      .returning('id')
      .executeTakeFirstOrThrow(),
  async edit(tx, id, input, actor) {
    const before = found(await grades(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst(), `Grade #${id}`)
    await refuseStale(tx, before, input.updated_at)
    const fields = patched(before, input, GradeInput)
    const after = { ...fields, position: fields.position ?? before.position }
    if (!isChanged(before, after)) return { id }
    await tx
      .updateTable('grade')
      .set({ ...after, updated_by: actor.id })
      .where('id', '=', id)
      .execute()
    return { id }
  },
  async remove(tx, id) {
    found(await grades(tx).where('id', '=', id).forUpdate().executeTakeFirst(), `Grade #${id}`)
    await refuseUsed(tx, `Grade #${id}`, id, [['stock', 'grade_id', 'stock item']])
    await tx.deleteFrom('grade').where('id', '=', id).execute()
  },
}
