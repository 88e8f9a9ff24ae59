import { writeAnswer } from '@backstock/contract/answer.ts'
import { FurtherColumn, FurtherColumnCounts, FurtherColumnQuery } from '@backstock/contract/further-column.ts'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Database, Db, Tx } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { done, SUCCESS } from '../http/answer.ts'
import { type Crud, crud, found, IdParams } from '../http/crud.ts'
import { actorOf } from '../http/session.ts'
import type { App } from '../http/typed-routes.ts'
import { type JobHandlers, type JobServices, type Jobs, queue } from '../jobs.ts'
import { single } from '../lists.ts'
import { lock } from '../records/lock.ts'
import { type Author, recordMessage, recordTexts } from '../records/log/write.ts'
import { lockImports } from './import/write/apply-part.ts'

type Kind = 'grading' | 'attribute'
/** A further column: the field of items that holds it, and its name there. */
type Place = { kind: Kind; name: string }

const headerName = ({ kind, name }: Place) => (kind === 'grading' ? `grading_${name}` : name)
const dataOf = ({ kind }: Pick<Place, 'kind'>): RawBuilder<unknown> =>
  sql.ref(kind === 'grading' ? 'grading_data' : 'attributes')

const columns = (db: Db) =>
  db
    .selectFrom('attribute_name')
    .leftJoin('partner', 'partner.id', 'attribute_name.partner_id')
    .select(['attribute_name.id', 'attribute_name.partner_id', 'partner.name as partner_name'])
    .select(sql<string>`case kind when 'grading' then 'grading_' else '' end || attribute_name.name`.as('name'))

const furtherColumn: Crud<typeof FurtherColumnQuery, z.ZodObject, typeof FurtherColumn> = {
  area: 'further-column',
  title: 'Further column',
  query: FurtherColumnQuery,
  input: z.object({}),
  row: FurtherColumn,
  record: FurtherColumn,
  access: { read: 'admin', write: 'admin' },
  find: (db, query) =>
    page(columns(db), query, {
      table: 'attribute_name',
      sort: { id: 'attribute_name.id', name: humanOrder('attribute_name.name') },
    }),
  one: (db, id) => columns(db).where('attribute_name.id', '=', id).executeTakeFirst(),
}

/**
 * The number of items that have each column, counted in one pass over all items. That takes some seconds for a million
 * items and blocks nobody.
 */
async function countAll(db: Db): Promise<Record<string, number>> {
  const { rows } = await sql<{ id: number; items: number }>`
    with has as (
      select 'grading' as kind, name, count(*) as items from stock, jsonb_object_keys(grading_data) name group by name
      union all
      select 'attribute', name, count(*) from stock, jsonb_object_keys(attributes) name group by name)
    select id, items from has join attribute_name using (kind, name)`.execute(db)
  return Object.fromEntries(rows.map(({ id, items }) => [id, items]))
}

const REMOVED_AT_ONCE = 1000

/**
 * Removes a column. Exports no longer have it, another column can take its place, and a job removes its values from the
 * items. Returns its name and the number of items that have it. The function waits until no import is writing, so that
 * no import can bring back a part of the column.
 */
async function removeColumn(tx: Tx, id: number, author: Author): Promise<{ name: string; items: number }> {
  await lockImports(tx)
  const gone = await tx.deleteFrom('attribute_name').where('id', '=', id).returning(['kind', 'name']).executeTakeFirst()
  const place = found(gone, `Further column #${id}`)
  const { rows } = await sql<{ items: number }>`
    select count(*) as items from stock where ${dataOf(place)} ? ${place.name}`.execute(tx)
  const { items } = single(rows)
  const name = headerName(place)
  if (author.userId)
    await recordMessage(
      tx,
      author,
      'User',
      author.userId,
      `Removed the further column '${name}', which ${said(items)}.`,
    )
  if (items > 0) await queue(tx, 'column_remove', { ...place, user_id: author.userId ?? null, after: 0 })
  return { name, items }
}

const said = (items: number) => `${items === 1 ? '1 item' : `${items.toLocaleString('en')} items`} had`

/**
 * Removes the column from the next items, with a log entry on each, and returns the id of the last of these items. Null
 * if no item is left, or if an import has brought the column back: the values of that import must stay.
 */
async function removeFromNext(tx: Tx, { kind, name, user_id, after }: Jobs['column_remove']): Promise<number | null> {
  const data = dataOf({ kind })
  const { rows } = await sql<{ id: number }>`
    select id from stock where id > ${after} and ${data} ? ${name} order by id limit ${REMOVED_AT_ONCE}`.execute(tx)
  const last = rows.at(-1)
  if (!last) return null
  const { stock } = await lock(tx, { stock: rows.map(({ id }) => id) })
  // As long as the items are locked, no import can bring the column back unnoticed.
  const back = tx.selectFrom('attribute_name').select('id').where('kind', '=', kind).where('name', '=', name)
  if (await back.executeTakeFirst()) return null
  const items = [...stock.values()].map((item) => ({
    id: item.id,
    value: (kind === 'grading' ? item.grading_data : item.attributes)[name],
  }))
  const ids = items.map(({ id }) => id)
  await sql`update stock set ${data} = ${data} - ${name} where id = any(${ids}::int[])`.execute(tx)
  await recordTexts(
    tx,
    { userId: user_id },
    'Stock',
    ids,
    items.map(({ value }) => {
      const change = { attributeName: headerName({ kind, name }), from: value ?? null, to: null }
      return JSON.stringify({ type: 'model_update', data: [change] })
    }),
  )
  return last.id
}

/** Removes columns from the items, some items at a time, so that other requests never wait for long. */
export function columnJobs({ db }: JobServices): Pick<JobHandlers, 'column_remove'> {
  return {
    async column_remove(payload, signal) {
      for (let after: number | null = payload.after; after !== null; ) {
        const rest: Jobs['column_remove'] = { ...payload, after }
        if (signal.aborted) return db.write((tx) => queue(tx, 'column_remove', rest))
        after = await db.write((tx) => removeFromNext(tx, rest))
      }
    },
  }
}

const Removed = writeAnswer(z.object({ id: z.int(), items: z.int() }))

/** The routes of the columns that imports and pushes have brought, for administrators. */
export function furtherColumnRoutes(app: App, db: Database): void {
  crud(app, db, furtherColumn)

  // All requests that come during a count share its answer.
  let counting: Promise<Record<string, number>> | undefined
  app.get(
    '/api/further-column/counts',
    { schema: { response: { 200: FurtherColumnCounts } }, config: { access: 'admin' } },
    async () => {
      counting ??= countAll(db.read).finally(() => {
        counting = undefined
      })
      return { ...SUCCESS, data: await counting }
    },
  )

  app.delete(
    '/api/further-column/:id/delete',
    { schema: { params: IdParams, response: { 200: Removed } }, config: { access: 'admin' } },
    async (request) => {
      const id = request.params.id
      const { name, items } = await db.write((tx) => removeColumn(tx, id, { userId: actorOf(request).id }))
      return done(`Removed the column '${name}', which ${said(items)}.`, { id, items })
    },
  )
}
