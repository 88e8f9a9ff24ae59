import type { StockCreateInput } from '@backstock/contract/stock.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import type { Written } from '../../http/crud.ts'
import { invalid } from '../../http/refusal.ts'
import type { Actor } from '../../http/session.ts'
import { single } from '../../lists.ts'
import { lock } from '../../records/lock.ts'
import { futureError } from '../company.ts'
import { columnsOf, missingRelations, relationNames } from './attributes.ts'
import { recordBatches } from './batch-log.ts'
import { NEW_ITEM, type StockColumns } from './columns.ts'
import { creationLog } from './creation-log.ts'
import { namingHolders, takenBy, takenInOtherField } from './identifiers.ts'
import { settledRate } from './purchase-currency.ts'
import { placeAfterEdit } from './status-and-batch.ts'

/**
 * Creates a stock item. It is Inbound unless the input says In Stock. Throws 422 under all fields that are wrong, and
 * 409 if the batch is locked.
 */
export async function createStock(tx: Tx, input: StockCreateInput, actor: Pick<Actor, 'id'>): Promise<Written> {
  const said = columnsOf(input)
  const wanted: StockColumns = { ...NEW_ITEM, ...(await bySupplier(tx, said.supplier_id)), ...said }
  const { batches } = await lock(tx, { batches: wanted.batch_id === null ? [] : [wanted.batch_id] })
  const place = placeAfterEdit({ status: wanted.status, batch_id: null, in_hand: true }, wanted, batches)
  const item: StockColumns = { ...wanted, status: place.status }
  const { problem } = settledRate(null, item, said)
  const errors = {
    ...missingRelations(await relationNames(tx, null, item), null, item),
    ...(problem && { fx_rate: problem }),
    ...(await futureError(tx, 'purchase_date', item.purchase_date)),
    ...(await takenInOtherField(tx, item, null)),
  }
  if (Object.keys(errors).length) throw invalid({ ...(await takenBy(tx, item, null)), ...errors })
  const insert = tx.insertInto('stock').values(item).returningAll()
  const log = creationLog(sql`made`, { userId: actor.id })
  const { rows } = await namingHolders(tx, item, null, () =>
    sql<{ loggable_id: number }>`with made as (${insert}) ${log} returning loggable_id`.execute(tx),
  )
  const id = single(rows).loggable_id
  await recordBatches(tx, { userId: actor.id }, [{ row: { id, batch_id: null }, after: item }])
  return { id }
}

/** The default treatment of purchases from this supplier, for an item without one of its own. */
async function bySupplier(tx: Tx, id: number | null | undefined): Promise<Partial<StockColumns>> {
  if (!id) return {}
  const supplier = await tx
    .selectFrom('supplier')
    .select('default_purchase_treatment as purchase_treatment')
    .where('id', '=', id)
    .executeTakeFirst()
  return supplier ?? {}
}
