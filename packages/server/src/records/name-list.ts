import type { ListQuery } from '@backstock/contract/page.ts'
import type { InsertObject, SelectQueryBuilder } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import type { Tables } from '../db/tables.ts'
import { type Crud, type Fields, found, type WritableCrud } from '../http/crud.ts'
import type { Actor } from '../http/session.ts'
import { edited } from './edited.ts'
import { refuseUsed, type Use } from './used.ts'

/** The tables that can be a list of names. */
type NameTable = {
  [Name in keyof Tables]: 'search' | 'name' | 'updated_by' extends keyof Tables[Name] ? Name : never
}[keyof Tables]

type NameList<
  Table extends NameTable,
  Query extends z.ZodType<ListQuery>,
  Input extends z.ZodObject,
  Row extends z.ZodType,
> = {
  /** The name of the area, which is also that of its table. */
  area: Table & string
  title: string
  query: Query
  input: Input
  record: Row
  access?: Crud<Query, Input, Row>['access']
  /** The query for the records, with all fields that leave the server. */
  rows(
    db: Db,
  ): SelectQueryBuilder<Tables, Table, z.input<Row> & { id: number; name: string; updated_by: number | null }>
  /** Columns by which a list can be sorted, besides the id and the name. */
  sort?: readonly string[]
  /**
   * The values of a new record for fields that were left out or are null. In an edit, null leaves these fields as they
   * are.
   */
  defaults?: Partial<InsertObject<Tables, Table>>
  /** The tables that refer to records of the list. A record in use cannot be deleted. */
  uses?: readonly Use[]
  /** Called after a record was renamed. */
  renamed?(tx: Tx, id: number, actor: Actor): Promise<void>
}

/**
 * An area that is a list of names: no two records have the same name, a record has few other fields, and there is no
 * log.
 */
export function nameList<
  Table extends NameTable,
  Query extends z.ZodType<ListQuery>,
  Input extends z.ZodObject,
  Row extends z.ZodType,
>(list: NameList<Table, Query, Input, Row>): WritableCrud<Query, Input, Row> {
  const { area, title, query, input, record, sort = [], defaults = {}, uses = [] } = list
  // Each table of a name list has the columns of `colour`. The type of the list's own `rows` checks its other columns.
  const table = area as 'colour'
  type Stored = z.input<Row> &
    Fields<Input> & { id: number; name: string; updated_at: string; updated_by: number | null }
  const rows = list.rows as unknown as (db: Db) => SelectQueryBuilder<Tables, 'colour', Stored>
  const stored = (query: SelectQueryBuilder<Tables, 'colour', Stored>) =>
    query.executeTakeFirst() as Promise<Stored | undefined>
  const named = (id: number) => `${title} #${id}`
  const completed = (fields: Record<string, unknown>) => {
    const lacking = Object.entries(defaults).filter(([field]) => fields[field] == null)
    return { ...fields, ...Object.fromEntries(lacking) } as { name: string }
  }
  const withoutNull = <Sent extends object>(sent: Sent) =>
    Object.fromEntries(Object.entries(sent).filter(([field, value]) => value !== null || !(field in defaults))) as Sent
  return {
    ...{ area, title, query, input, record, row: record },
    ...(list.access && { access: list.access }),
    unique: {
      [`${area}_name`]: { field: 'name', message: `There is already a ${title.toLowerCase()} with this name.` },
    },
    find: (db, asked) =>
      page(rows(db), asked, {
        table,
        sort: {
          ...{ id: `${area}.id`, name: humanOrder(`${area}.name`) },
          ...Object.fromEntries(sort.map((column) => [column, `${area}.${column}`])),
        },
      }),
    one: (db, id) => stored(rows(db).where('id', '=', id)),
    create(tx, sent) {
      const { updated_at: _, ...fields } = sent as Record<string, unknown>
      return tx.insertInto(table).values(completed(fields)).returning('id').executeTakeFirstOrThrow()
    },
    async edit(tx, id, sent, actor) {
      const row = await stored(rows(tx).where('id', '=', id).forNoKeyUpdate())
      const { before, after, isChanged } = await edited(tx, input, { name: named(id), row, sent: withoutNull(sent) })
      if (!isChanged) return { id }
      await tx
        .updateTable(table)
        .set({ ...after, updated_by: actor.id })
        .where('id', '=', id)
        .execute()
      if (after.name !== before.name) await list.renamed?.(tx, id, actor)
      return { id }
    },
    async remove(tx, id) {
      found(await stored(rows(tx).where('id', '=', id).forUpdate()), named(id))
      await refuseUsed(tx, named(id), id, uses)
      await tx.deleteFrom(table).where('id', '=', id).execute()
    },
  }
}
