import type { Batch, BatchQuery, BatchRow } from '@backstock/contract/batch.ts'
import { type SelectQueryBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Db } from '../../db/connect.ts'
import { type Found, humanOrder, page } from '../../db/page.ts'
import type { Tables } from '../../db/tables.ts'
import { single } from '../../lists.ts'
import { logsOf } from '../../records/log/read.ts'
import { stockRows } from '../stock/queries.ts'

const batches = (db: Db) =>
  db
    .selectFrom('batch')
    .select([
      'batch.id',
      'batch.user_id',
      sql<string>`(select name from app_user where id = batch.user_id)`.as('user_name'),
      'batch.name',
      'batch.priority',
      'batch.is_locked',
      'batch.created_at',
      'batch.updated_at',
    ])

type Sums = Pick<BatchRow, 'items_count' | 'total_purchase_price' | 'total_sales_price' | 'margin' | 'unpriced_items'>

/** Adds the counts and sums of its items to each batch. Deleted items are not counted. */
async function withSums<Row extends { id: number }>(db: Db, rows: Row[]): Promise<(Row & Sums)[]> {
  const { rows: sums } = await sql<Sums & { batch_id: number }>`
    select batch_id, count(*)::int as items_count, sum(cost) as total_purchase_price,
      coalesce(sum(sales_price), 0) as total_sales_price, coalesce(sum(sales_price), 0) - sum(cost) as margin,
      count(*) filter (where sales_price is null)::int as unpriced_items
    from stock where batch_id = any(${rows.map((row) => row.id)}::int[]) and status <> 'Deleted'
    group by batch_id`.execute(db)
  const byBatch = new Map(sums.map(({ batch_id, ...sum }) => [batch_id, sum]))
  const none: Sums = { items_count: 0, total_purchase_price: 0, total_sales_price: 0, margin: 0, unpriced_items: 0 }
  return rows.map((row) => ({ ...row, ...(byBatch.get(row.id) ?? none) }))
}

type Query = z.output<typeof BatchQuery>

export async function findBatches(db: Db, query: Query, asker: { id: number }): Promise<Found<BatchRow>> {
  const { rows, total } = await pageOfBatches(batches(db), query, asker)
  return { rows: await withSums(db, rows), total }
}

/** One page of batches with their names alone, without counting their items. */
export function findBatchHits(
  db: Db,
  query: Query,
  asker: { id: number },
): Promise<Found<{ id: number; name: string }>> {
  return pageOfBatches(db.selectFrom('batch').select(['batch.id', 'batch.name']), query, asker)
}

function pageOfBatches<Row extends { id: number }>(
  rows: SelectQueryBuilder<Tables, 'batch', Row>,
  query: Query,
  asker: { id: number },
) {
  const owners = query.user_id?.map((id) => (id === 'me' ? asker.id : id))
  const where = (all: typeof rows) =>
    all
      .$if(owners !== undefined, (q) => q.where(sql<boolean>`batch.user_id = any(${owners}::int[])`))
      .$if(query.is_locked !== undefined, (q) => q.where(sql<boolean>`batch.is_locked = ${query.is_locked}`))
  return page(rows, query, {
    table: 'batch',
    where,
    sort: { id: 'batch.id', priority: 'batch.priority', name: humanOrder('batch.name') },
  })
}

/** A whole batch with all its items, newest first, and its newest log entries. */
export async function batchRecord(db: Db, id: number): Promise<Batch | undefined> {
  const row = await batches(db).where('batch.id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const batch = single(await withSums(db, [row]))
  return { ...batch, items: await stockRows(db, await itemIdsOf(db, id)), logs: await logsOf(db, 'Batch', id) }
}

/** The ids of a batch's items, newest first. Sold and deleted items are among them. */
export async function itemIdsOf(db: Db, batchId: number): Promise<number[]> {
  const items = await db
    .selectFrom('stock')
    .select('id')
    .where('batch_id', '=', batchId)
    .orderBy('id', 'desc')
    .execute()
  return items.map((item) => item.id)
}
