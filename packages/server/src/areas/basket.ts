import { writeAnswer } from '@backstock/contract/answer.ts'
import { BasketAnswer, BasketInput } from '@backstock/contract/basket.ts'
import { StockRow } from '@backstock/contract/stock.ts'
import type { FastifyRequest } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { type Database, type Db, type Tx, waitingLess } from '../db/connect.ts'
import { done, SUCCESS } from '../http/answer.ts'
import { IdParams } from '../http/crud.ts'
import { BODY } from '../http/read-bodies.ts'
import { forbidden, invalid, Refusal } from '../http/refusal.ts'
import { actorOf } from '../http/session.ts'
import type { App } from '../http/typed-routes.ts'
import { single } from '../lists.ts'
import { noItems } from '../records/log/listed.ts'
import { stockRows } from './stock/queries.ts'

/** The items of a user's basket, in the order of the basket. */
export async function basketItems(db: Db, userId: number): Promise<StockRow[]> {
  return stockRows(db, (await basketOf(db, userId)).items)
}

/** Takes items out of a user's basket because they have been sold, or put into a batch. */
export async function removeFromBasket(tx: Tx, userId: number, ids: readonly number[]): Promise<void> {
  await leavingBaskets([userId], ids).execute(tx)
}

/** Takes items out of all baskets because they are no longer in stock. */
export async function removeFromAllBaskets(tx: Tx, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ user_id: number }>`
    select user_id from basket where exists (
      select from unnest(items) item where item in (select unnest(${ids}::int[])))
    order by user_id for no key update`.execute(tx)
  if (rows.length)
    await leavingBaskets(
      rows.map((row) => row.user_id),
      ids,
    ).execute(tx)
}

/** The statement that takes items out of the baskets of these users. It may be a part of another statement. */
export function leavingBaskets(users: readonly number[], ids: readonly number[]): RawBuilder<unknown> {
  // With `not in (select …)`, PostgreSQL can use a hash. If it compared each item with each, two lists of 5,000 would
  // take longer than everything else that a sale writes.
  const kept = sql`array(select item from unnest(items) with ordinality as one (item, n)
    where item not in (select unnest(${ids}::int[])) order by n)`
  return sql`
    update basket set version = version + 1, items = ${kept}
    where user_id = any(${users}::int[]) and items <> ${kept}`
}

async function basketOf(db: Db, userId: number): Promise<{ items: number[]; version: number }> {
  const basket = await db
    .selectFrom('basket')
    .select(['items', 'version'])
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return basket ?? { items: [], version: 0 }
}

/**
 * Replaces the items of a user's basket and returns its new version. An item that is sent twice counts once. Throws 422
 * that names items which do not exist, and 412 if the basket has none of the versions that the caller has read.
 */
async function replaceBasket(
  db: Database,
  userId: number,
  items: readonly number[],
  read: number[] | null,
): Promise<number> {
  const statement = sql<{ unknown: number[]; version: number | null }>`
    with unknown as (
      select id from unnest(${items}::int[]) given (id) where not exists (select from stock where stock.id = given.id)),
    put as (
      insert into basket (user_id, items, version) select ${userId}, ${items}::int[], 1
      where not exists (select from unknown) and (${read}::int[] is null or 0 = any(${read}::int[])
        or exists (select from basket where user_id = ${userId}))
      on conflict (user_id) do update set items = excluded.items, version = basket.version + 1
        where ${read}::int[] is null or basket.version = any(${read}::int[]) returning version)
    select array(select id from unknown) as unknown, (select version from put) as version`
  const { rows } = await db.write((tx) => waitingLess(tx, () => statement.execute(tx)))
  const { unknown, version } = single(rows)
  if (unknown.length) throw invalid({ items: noItems(unknown) })
  if (version === null) throw new Refusal(412, 'The basket has changed in another window.')
  return version
}

const etag = (version: number) => `"${version}"`

/** The versions of the basket in the header `If-Match`; null if the request accepts any version. */
function versionsRead(request: FastifyRequest): number[] | null {
  const header = request.headers['if-match']?.trim()
  if (header === undefined || header === '*') return null
  return [...header.matchAll(/"(\d{1,9})"/g)].map((match) => Number(match[1]))
}

/** The id of the basket's user. Throws 403 unless the request comes from that user, because a basket is private. */
function ownBasket(request: FastifyRequest<{ Params: { id: number } }>): number {
  const { id } = request.params
  if (actorOf(request).id !== id) throw forbidden('A basket belongs to its user.')
  return id
}

const Replaced = writeAnswer(z.array(StockRow))

/** The routes `GET` and `PUT /api/user/{id}/basket`. The ETag is the version of the basket. */
export function basketRoutes(app: App, db: Database): void {
  const url = '/api/user/:id/basket'
  app.get(url, { schema: { params: IdParams, response: { 200: BasketAnswer } } }, async (request, reply) => {
    const { items, version } = await basketOf(db.read, ownBasket(request))
    const data = await stockRows(db.read, items)
    reply.header('etag', etag(version))
    return { ...SUCCESS, data }
  })
  app.put(
    url,
    { schema: { params: IdParams, body: BasketInput, response: { 200: Replaced } }, bodyLimit: BODY.list },
    async (request, reply) => {
      const userId = ownBasket(request)
      const items = [...new Set(request.body.items)]
      const version = await replaceBasket(db, userId, items, versionsRead(request))
      const data = await stockRows(db.read, items)
      reply.header('etag', etag(version))
      return done('Basket saved.', data)
    },
  )
}
