import type { FieldErrors } from '@backstock/contract/answer.ts'
import { serialProblem } from '@backstock/contract/identifier-cell.ts'
import { NEEDS_IDENTIFIER } from '@backstock/contract/imei.ts'
import type { StockInput } from '@backstock/contract/stock.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'
import { found, type Written } from '../../http/crud.ts'
import { invalid } from '../../http/refusal.ts'
import type { Actor } from '../../http/session.ts'
import { lock } from '../../records/lock.ts'
import { refuseStale } from '../../records/log/stale.ts'
import { changes, recording } from '../../records/log/write.ts'
import { futureError } from '../company.ts'
import { attributesOf, columnsOf, missingRelations, type RelationNames, relationNames } from './attributes.ts'
import { recordBatches } from './batch-log.ts'
import { fieldOf, STOCK_COLUMNS, type StockColumns, stockColumns } from './columns.ts'
import { IDENTIFIER_KINDS, IDENTIFIERS, type Identifiers } from './identifier-kinds.ts'
import { namingHolders, takenInOtherField } from './identifiers.ts'
import { changesReceipt, receiptNote } from './on-receipts.ts'
import { settledRate } from './purchase-currency.ts'
import { fixedColumns } from './status.ts'
import { type Place, placeAfterEdit } from './status-and-batch.ts'

/**
 * Edits a stock item. A field that is absent stays. Throws 404; 409 if the item has changed since `updated_at`, or if a
 * batch is locked; 422 under the fields that the item's status or another item forbids.
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
  const { fx_rate, problem } = settledRate(before, { ...before, ...sent }, sent)
  const wanted: StockColumns = { ...before, ...sent, fx_rate }
  const place = placeAfterEdit(row, wanted, batches)
  const after: StockColumns = { ...wanted, status: place.status, batch_id: place.batch_id }
  const names = await relationNames(tx, before, after)
  refuseFields({
    ...missingRelations(names, before, after),
    ...(problem && { fx_rate: problem }),
    ...(after.purchase_date !== before.purchase_date && (await futureError(tx, 'purchase_date', after.purchase_date))),
    ...(await takenInOtherField(tx, identifiersBrought(row, after, place), id)),
    ...fixedErrors(before, after),
    ...withoutIdentifier(after),
    ...badSerial(before, after),
  })

  const changed = changedColumns(before, after)
  if (changed.length === 0) return { id }
  const update = tx
    .updateTable('stock')
    .set({ ...valuesOf(after, changed), in_hand: place.in_hand })
    .where('id', '=', id)
  const log = editLog(actor, id, before, after, names)
  const write = () => sql`with written as (${update}) ${log}`.execute(tx)
  const identified = changed.some((column) => IDENTIFIER_COLUMNS.some((one) => one === column))
  await (identified || place.in_hand !== row.in_hand ? namingHolders(tx, after, id, write) : write())
  await recordBatches(tx, { userId: actor.id }, [{ row, after }])
  const note = changesReceipt(before, after) ? await receiptNote(tx, id) : undefined
  return { id, warning: note && `Stock item #${id} saved. ${note}` }
}

const IDENTIFIER_COLUMNS = IDENTIFIER_KINDS.map((kind) => IDENTIFIERS[kind].column)

/** The identifiers that an edit brings into the shop: those that change, or all of them if the item comes back. */
function identifiersBrought(
  row: StockColumns & Pick<Place, 'in_hand'>,
  after: StockColumns,
  { in_hand }: Place,
): Partial<Identifiers> {
  if (!in_hand) return {}
  const columns = IDENTIFIER_COLUMNS.filter((column) => !row.in_hand || row[column] !== after[column])
  return Object.fromEntries(columns.map((column) => [column, after[column]]))
}

const changedColumns = (before: StockColumns, after: StockColumns) =>
  STOCK_COLUMNS.filter((column) => before[column] !== after[column])

const valuesOf = (item: StockColumns, columns: readonly (keyof StockColumns)[]): Partial<StockColumns> =>
  Object.fromEntries(columns.map((column) => [column, item[column]]))

function editLog(
  actor: Pick<Actor, 'id'>,
  id: number,
  before: StockColumns,
  after: StockColumns,
  names: RelationNames,
): RawBuilder<unknown> {
  const data = changes(attributesOf(before, names), attributesOf(after, names))
  return recording({ userId: actor.id }, [{ type: 'Stock', id, content: { type: 'model_update', data } }])
}

function refuseFields(errors: FieldErrors): void {
  if (Object.keys(errors).length) throw invalid(errors)
}

function withoutIdentifier(item: Pick<StockColumns, 'imei' | 'serial_number'>): FieldErrors {
  if (item.imei !== null || item.serial_number !== null) return {}
  return { imei: NEEDS_IDENTIFIER, serial_number: NEEDS_IDENTIFIER }
}

/** The error of a changed serial number. An item keeps an old serial number, even if it breaks a rule of today. */
function badSerial(before: StockColumns, after: StockColumns): FieldErrors {
  const isSame = before.serial_number === after.serial_number && before.imei === after.imei
  const problem = isSame ? null : serialProblem(after.serial_number, after.imei)
  return problem ? { serial_number: problem } : {}
}

function fixedErrors(before: StockColumns, after: StockColumns): FieldErrors {
  const changed = fixedColumns(before.status).filter((column) => before[column] !== after[column])
  return Object.fromEntries(
    changed.map((column) => [fieldOf(column), `Cannot be changed: the item is ${before.status}.`]),
  )
}
