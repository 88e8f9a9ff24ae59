import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { StockInput } from '@backstock/contract/stock.ts'
import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { found, type Written } from '../../http/crud.ts'
import { invalid } from '../../http/refusal.ts'
import type { Actor } from '../../http/session.ts'
import { lock } from '../lock.ts'
import { changes, recording, refuseStale } from '../log.ts'
import {
  attributesOf,
  columnsOf,
  missingRelations,
  relationNames,
  STOCK_COLUMNS,
  type StockColumns,
  stockColumns,
} from './attributes.ts'
import { namingHolders } from './identifiers.ts'
import { placeAfterEdit } from './placing.ts'
import { settledFields } from './status.ts'

/**
 * Edits a stock item; absent fields stay. Throws 404, 409 where it has changed since `updated_at` or a batch is locked,
 * 422 under the fields that the item's status or another item forbids.
 */
export async function editStock(
  tx: Tx,
  id: number,
  input: Partial<StockInput>,
  actor: Pick<Actor, 'id'>,
): Promise<Written> {
  const row = found((await lock(tx, { stock: [id] })).stock.get(id), `Stock item #${id}`)
  const sent = columnsOf(input)
  const moves = sent.batch_id !== undefined && sent.batch_id !== row.batch_id
  const { batches } = await lock(tx, {
    batches: moves ? [row.batch_id, sent.batch_id].filter((batch) => typeof batch === 'number') : [],
  })
  await refuseStale(tx, row, input.updated_at, { type: 'Stock', id })

  const before = stockColumns(row)
  const wanted: StockColumns = { ...before, ...sent }
  const place = placeAfterEdit(row, wanted, batches)
  const after: StockColumns = { ...wanted, status: place.status, batch_id: place.batch_id }
  const names = await relationNames(tx, before, after)
  refuseFields({
    ...missingRelations(names, before, after),
    ...settledErrors(before, after),
    ...withoutIdentifier(after),
  })

  const changed = STOCK_COLUMNS.filter((column) => before[column] !== after[column])
  if (changed.length === 0) return { id }
  const values = { ...Object.fromEntries(changed.map((column) => [column, after[column]])), in_hand: place.in_hand }
  const data = changes(attributesOf(before, names), attributesOf(after, names))
  const log = recording({ userId: actor.id }, [{ type: 'Stock', id, content: { type: 'model_update', data } }])
  const update = tx.updateTable('stock').set(values).where('id', '=', id)
  const write = () => sql`with written as (${update}) ${log}`.execute(tx)
  const identified = ['imei', 'serial_number', 'backstock_id'].some((column) => column in values)
  await (identified || place.in_hand !== row.in_hand ? namingHolders(tx, after, id, write) : write())
  return { id }
}

export function refuseFields(errors: FieldErrors): void {
  if (Object.keys(errors).length) throw invalid(errors)
}

export function withoutIdentifier(item: Pick<StockColumns, 'imei' | 'serial_number'>): FieldErrors {
  if (item.imei !== null || item.serial_number !== null) return {}
  const message = 'An IMEI or a serial number is needed.'
  return { imei: message, serial_number: message }
}

function settledErrors(before: StockColumns, after: StockColumns): FieldErrors {
  const changed = settledFields(before.status).filter((field) => {
    const column = field === 'vat_type_id' ? 'vat_id' : field
    return before[column] !== after[column]
  })
  return Object.fromEntries(changed.map((field) => [field, `Cannot be changed: the item is ${before.status}.`]))
}
