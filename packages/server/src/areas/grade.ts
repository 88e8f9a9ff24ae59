import { Grade, GradeInput, GradeQuery } from '@backstock/contract/grade.ts'
import { sql } from 'kysely'
import { fieldsOf } from '../http/crud.ts'
import { nameList } from '../records/name-list.ts'

export const grade = nameList({
  area: 'grade',
  title: 'Grade',
  query: GradeQuery,
  input: GradeInput,
  record: Grade,
  access: { write: 'admin' },
  rows: (db) =>
    db.selectFrom('grade').select(['id', ...fieldsOf(GradeInput), 'created_at', 'updated_at', 'updated_by']),
  sort: ['position'],
  // A new grade gets the last position.
  defaults: { position: sql<number>`(select least(coalesce(max(position), 0) + 1, 1000) from grade)` },
  uses: [['stock', 'grade_id', 'stock item']],
})
