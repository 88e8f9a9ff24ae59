import type { StockCreateInput } from '@backstock/contract/stock.ts'
import { NEW_STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import type { Tx } from '../../db/connect.ts'
import type { Written } from '../../http/crud.ts'
import { invalid } from '../../http/refusal.ts'
import type { Actor } from '../../http/session.ts'
import { lock } from '../../records/lock.ts'
import { recordChanges } from '../../records/log.ts'
import { attributesOf, columnsOf, missingRelations, relationNames, type StockColumns } from './attributes.ts'
import { namingHolders, takenBy } from './identifiers.ts'
import { placeAfterEdit } from './placing.ts'

const empty = {
  expected_product_id: null,
  supplier_id: null,
  batch_id: null,
  vat_id: null,
  backstock_id: null,
  imei: null,
  serial_number: null,
  purchase_date: null,
  sales_price: null,
  network_locked: false,
  engineer_notes: null,
}

/** Creates a stock item: Inbound unless told In Stock. Throws 422 under all fields that are wrong, 409 where the batch is locked. */
export async function createStock(tx: Tx, input: StockCreateInput, actor: Pick<Actor, 'id'>): Promise<Written> {
  const status = input.status ?? NEW_STOCK_STATUSES[0]
  const { actual_product_id, purchase_price } = input
  const wanted: StockColumns = { ...empty, ...columnsOf(input), actual_product_id, purchase_price, status }
  const { batches } = await lock(tx, { batches: wanted.batch_id === null ? [] : [wanted.batch_id] })
  const place = placeAfterEdit({ status, batch_id: null, in_hand: true }, wanted, batches)
  const item: StockColumns = { ...wanted, status: place.status }
  const names = await relationNames(tx, null, item)
  const errors = missingRelations(names, null, item)
  if (Object.keys(errors).length) throw invalid({ ...(await takenBy(tx, item, null)), ...errors })
  const { id } = await namingHolders(tx, item, null, () =>
    tx.insertInto('stock').values(item).returning('id').executeTakeFirstOrThrow(),
  )
  await recordChanges(tx, { userId: actor.id }, 'Stock', id, null, attributesOf(item, names))
  return { id }
}
