import { MAX_VIEWS, View, ViewCreateInput, ViewInput, ViewQuery } from '@backstock/contract/view.ts'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Db, Tx } from '../db/connect.ts'
import { humanOrder, page } from '../db/page.ts'
import { type Crud, found } from '../http/crud.ts'
import { conflict, forbidden, invalid } from '../http/refusal.ts'
import type { Actor } from '../http/session.ts'
import { refuseStale } from '../records/log/stale.ts'

const views = (db: Db) =>
  db
    .selectFrom('list_view')
    .select([
      'list_view.id',
      sql<z.infer<typeof View>['area']>`list_view.area`.as('area'),
      'list_view.name',
      sql<boolean>`list_view.user_id is null`.as('shared'),
      'list_view.address',
      'list_view.position',
      'list_view.created_by',
      sql<string>`(select u.name from app_user u where u.id = list_view.created_by)`.as('created_by_name'),
      'list_view.created_at',
      'list_view.updated_at',
    ])

/** The condition that a person sees a view. Nobody sees another's own views, not even an administrator. */
const seenBy = ({ id }: Actor) => sql<SqlBool>`(list_view.user_id is null or list_view.user_id = ${id})`

/** The order of views: those for everybody come first. */
const byPlace = sql`(list_view.user_id is not null, list_view.position)` as Expression<unknown> as never

type Place = { area: string; user_id: number | null }

/**
 * Makes changes of views run one after another, so that none is lost if two people order views at once. Call it before
 * any lock on a row is taken, so that no two transactions block each other.
 */
const takeTurns = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtextextended('views', 0))`.execute(tx)

/** The ids of all other views of the same list and owner, in their order. */
async function othersThere(tx: Tx, { area, user_id }: Place, id: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from list_view where area = ${area} and user_id is not distinct from ${user_id} and id <> ${id}
    order by position, id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Puts a view at its place among the views of its list and owner; at the end if no place is given. */
async function putInPlace(tx: Tx, place: Place, id: number, at: number | null): Promise<void> {
  const others = await othersThere(tx, place, id)
  if (others.length >= MAX_VIEWS) throw conflict(`There are ${MAX_VIEWS} views here already. Delete one first.`)
  const order = others.toSpliced(Math.min(at ?? others.length, others.length), 0, id)
  await sql`
    update list_view set position = (ordered.n - 1)::int
    from unnest(${order}::int[]) with ordinality as ordered (id, n)
    where list_view.id = ordered.id and list_view.position <> ordered.n - 1`.execute(tx)
}

/** Locks a view and returns it. Throws 404 if the person does not see it, and 403 if another person has shared it. */
async function mayChange(tx: Tx, id: number, actor: Actor) {
  await takeTurns(tx)
  const view = found(
    await tx
      .selectFrom('list_view')
      .selectAll()
      .where('id', '=', id)
      .where(seenBy(actor))
      .forUpdate()
      .executeTakeFirst(),
    `View #${id}`,
  )
  if (view.created_by !== actor.id && actor.role !== 'ROLE_ADMIN')
    throw forbidden('Only its author or an administrator can change or delete a shared view.')
  return view
}

/** The routes of saved views. A view is a name for a list's address. It is a person's own, or for everybody. */
export const view: Crud<typeof ViewQuery, typeof ViewInput, typeof View> = {
  area: 'view',
  title: 'View',
  query: ViewQuery,
  input: ViewInput,
  createInput: ViewCreateInput,
  row: View,
  record: View,
  unique: { list_view_name: { field: 'name', message: 'There is already a view with this name.' } },
  find: (db, query, actor) =>
    page(views(db).where(seenBy(actor)), query, {
      table: 'list_view',
      sort: { id: 'list_view.id', name: humanOrder('list_view.name'), position: byPlace },
      where: (seen) => (query.area ? seen.where('list_view.area', 'in', query.area) : seen),
    }),
  one: (db, id, actor) => views(db).where('list_view.id', '=', id).where(seenBy(actor)).executeTakeFirst(),
  async create(tx, input, actor) {
    const { area, name, address, shared, position } = input as z.output<typeof ViewCreateInput>
    const place = { area, user_id: shared ? null : actor.id }
    await takeTurns(tx)
    const { id } = await tx
      .insertInto('list_view')
      .values({ ...place, name, address, created_by: actor.id, position: MAX_VIEWS })
      .returning('id')
      .executeTakeFirstOrThrow()
    await putInPlace(tx, place, id, position ?? null)
    return { id }
  },
  async edit(tx, id, { name, address, shared, position, updated_at }, actor) {
    const before = await mayChange(tx, id, actor)
    await refuseStale(tx, before, updated_at)
    if (shared === false && before.user_id === null && before.created_by !== actor.id)
      throw invalid({ shared: 'Only its author can make a shared view private.' })
    const user_id = shared === undefined ? before.user_id : shared ? null : before.created_by
    const after = { name: name ?? before.name, address: address ?? before.address, user_id }
    const isMoved = user_id !== before.user_id
    if (isMoved || after.name !== before.name || after.address !== before.address)
      await tx
        .updateTable('list_view')
        .set({ ...after, updated_by: actor.id })
        .where('id', '=', id)
        .execute()
    if (isMoved || typeof position === 'number')
      await putInPlace(tx, { area: before.area, user_id }, id, position ?? null)
    return { id }
  },
  async remove(tx, id, actor) {
    await mayChange(tx, id, actor)
    await tx.deleteFrom('list_view').where('id', '=', id).execute()
  },
}
