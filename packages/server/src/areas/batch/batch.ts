import { Batch, BatchCreateInput, BatchHit, BatchInput, BatchQuery, BatchRow } from '@backstock/contract/batch.ts'
import type { z } from 'zod'
import { fieldsOf, type WritableCrud } from '../../http/crud.ts'
import { BODY } from '../../http/read-bodies.ts'
import { edited } from '../../records/edited.ts'
import { lock } from '../../records/lock.ts'
import { recordChanges } from '../../records/log/write.ts'
import { deleteBatch } from './delete.ts'
import { fillNewBatch } from './items.ts'
import { batchRecord, findBatches, findBatchHits } from './queries.ts'

export const batch: WritableCrud<typeof BatchQuery, typeof BatchInput, typeof BatchRow, typeof Batch> = {
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
    const { items = [], id: from, ...fields } = input as z.output<typeof BatchCreateInput>
    const author = { userId: actor.id }
    const { id, ...made } = await tx
      .insertInto('batch')
      .values({ user_id: actor.id, ...fields })
      .returning(['id', ...fieldsOf(BatchInput)])
      .executeTakeFirstOrThrow()
    await recordChanges(tx, author, 'Batch', id, null, made)
    if (items.length) await fillNewBatch(tx, author, { batch: { id, ...made }, items, from })
    return { id }
  },
  async edit(tx, id, input, actor) {
    const { before, after, isChanged } = await edited(tx, BatchInput, {
      name: `Batch #${id}`,
      row: (await lock(tx, { batches: [id] })).batches.get(id),
      sent: input,
      logged: { type: 'Batch', id },
    })
    if (!isChanged) return { id }
    await tx.updateTable('batch').set(after).where('id', '=', id).execute()
    await recordChanges(tx, { userId: actor.id }, 'Batch', id, before, after)
    return { id }
  },
  remove: (tx, id, actor) => deleteBatch(tx, { userId: actor.id }, id),
}
