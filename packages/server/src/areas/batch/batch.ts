import { Batch, BatchCreateInput, BatchHit, BatchInput, BatchQuery, BatchRow } from '@backstock/contract/batch.ts'
import type { z } from 'zod'
import { type Crud, found } from '../../http/crud.ts'
import { BODY } from '../../http/read-bodies.ts'
import { lock } from '../../records/lock.ts'
import { recordChanges, refuseStale } from '../../records/log.ts'
import { deleteBatch } from './delete.ts'
import { fillNewBatch } from './items.ts'
import { batchRecord, findBatches, findBatchHits } from './queries.ts'

export const batch: Crud<typeof BatchQuery, typeof BatchInput, typeof BatchRow, typeof Batch> = {
  area: 'batch',
  title: 'Batch',
  query: BatchQuery,
  input: BatchInput,
  createInput: BatchCreateInput,
  createBytes: BODY.list,
  row: BatchRow,
  record: Batch,
  hit: BatchHit,
  find: findBatches,
  findHits: findBatchHits,
  one: batchRecord,
  async create(tx, input, actor) {
    const { name, priority = 0, is_locked = false, items = [], id: from } = input as z.output<typeof BatchCreateInput>
    const author = { userId: actor.id }
    const made = await tx
      .insertInto('batch')
      .values({ user_id: actor.id, name, priority, is_locked })
      .returning(['id', 'name'])
      .executeTakeFirstOrThrow()
    await recordChanges(tx, author, 'Batch', made.id, null, { name, priority, is_locked })
    if (items.length) await fillNewBatch(tx, author, { batch: made, items, from })
    return { id: made.id }
  },
  async edit(tx, id, { updated_at, ...sent }, actor) {
    const before = found((await lock(tx, { batches: [id] })).batches.get(id), `Batch #${id}`)
    await refuseStale(tx, before, updated_at, { type: 'Batch', id })
    const { name, priority, is_locked } = before
    const now = { name, priority, is_locked }
    const after = { ...now, ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) }
    if (Object.keys(now).some((key) => now[key as keyof typeof now] !== after[key as keyof typeof now])) {
      await tx.updateTable('batch').set(after).where('id', '=', id).execute()
      await recordChanges(tx, { userId: actor.id }, 'Batch', id, now, after)
    }
    return { id }
  },
  remove: (tx, id, actor) => deleteBatch(tx, { userId: actor.id }, id),
}
