import { ImportMemory, ImportMemoryQuery } from '@backstock/contract/import-memory.ts'
import { type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../../../db/connect.ts'
import { humanOrder, page } from '../../../db/page.ts'
import { type Crud, found } from '../../../http/crud.ts'
import type { Actor } from '../../../http/session.ts'

/**
 * The entries of the memory for suppliers, no matter who made them; and this person's own entries for files without a
 * supplier.
 */
const remembered = (db: Db, { id }: Actor) =>
  db
    .selectFrom('import_remembered')
    .select([
      'import_remembered.id',
      'import_remembered.supplier_id',
      'import_remembered.kind',
      'import_remembered.name',
      'import_remembered.used_at',
    ])
    .select([
      sql<string | null>`(select company_name from supplier s where s.id = import_remembered.supplier_id)`.as(
        'supplier_name',
      ),
      sql<string | null>`(select u.name from app_user u where u.id = import_remembered.said_by)`.as('said_by_name'),
      sql<z.infer<typeof ImportMemory>['field']>`nullif(import_remembered.field_of, '')`.as('field'),
    ])
    .select(
      sql<
        string | null
      >`case when import_remembered.kind = 'value' and import_remembered.field_of = 'product' and import_remembered.means ~ '^[0-9]{1,9}$' then
        coalesce((select display_name from product p where p.id = import_remembered.means::int), '#' || import_remembered.means) else import_remembered.means end`.as(
        'means',
      ),
    )
    .where(sql<SqlBool>`(import_remembered.user_id is null or import_remembered.user_id = ${id})`)

/** The list of the memory of previews, in which people can delete entries. */
export const importMemory: Crud<typeof ImportMemoryQuery, z.ZodObject, typeof ImportMemory> = {
  area: 'import-memory',
  title: 'Remembered entry',
  query: ImportMemoryQuery,
  input: z.object({}),
  row: ImportMemory,
  record: ImportMemory,
  find: (db, query, actor) =>
    page(remembered(db, actor), query, {
      table: 'import_remembered',
      sort: {
        id: 'import_remembered.id',
        name: humanOrder('import_remembered.name'),
        used_at: 'import_remembered.used_at',
      },
      where: (all) => (query.supplier_id ? all.where('import_remembered.supplier_id', 'in', query.supplier_id) : all),
    }),
  one: (db, id, actor) => remembered(db, actor).where('import_remembered.id', '=', id).executeTakeFirst(),
  async remove(tx, id, { id: userId }) {
    found(
      await tx
        .deleteFrom('import_remembered')
        .where('id', '=', id)
        .where(sql<SqlBool>`(user_id is null or user_id = ${userId})`)
        .returning('id')
        .executeTakeFirst(),
      `Remembered entry #${id}`,
    )
  },
}
