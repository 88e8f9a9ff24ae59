import { type Selectable, sql } from 'kysely'
import { RetryTransaction, type Tx } from '../../../db/connect.ts'
import type { Tables } from '../../../db/tables.ts'
import { ownTurn } from '../../../http/own-turn.ts'
import { type Author, changes, recordTexts } from '../../../records/log/write.ts'
import { attributesOf, relationNamesAmong } from '../attributes.ts'
import { recordBatches } from '../batch-log.ts'
import { STOCK_COLUMNS, type StockColumns, sqlTypeOf } from '../columns.ts'
import { isTaken } from '../identifiers.ts'

type Row = Selectable<Tables['stock']>
/** The columns that a bulk edit may change: those that a person sets, and `in_hand`, which follows from the status. */
export type ManyColumns = StockColumns & Pick<Row, 'in_hand'>
export type ManyColumn = keyof ManyColumns
const MANY_COLUMNS: readonly ManyColumn[] = [...STOCK_COLUMNS, 'in_hand']

/**
 * The columns of an item that a bulk edit reads. A whole item may have a megabyte, and 10,000 of them would not fit
 * into memory.
 */
export type StockRecord = ManyColumns & Pick<Row, 'id' | 'updated_at' | 'supplier_credit'>
export const RECORD_COLUMNS: readonly (keyof StockRecord)[] = ['id', 'updated_at', 'supplier_credit', ...MANY_COLUMNS]

/** A locked item as it is, and as a bulk edit makes it. */
export type Edited = { row: StockRecord; after: ManyColumns }

export const changedColumns = ({ row, after }: Edited): ManyColumn[] =>
  MANY_COLUMNS.filter((column) => row[column] !== after[column])

const typeOf = (column: ManyColumn) => (column === 'in_hand' ? 'boolean' : sqlTypeOf(column))

/** The number of items that are handled before other requests get a turn. */
const SLICE = 500

/**
 * Writes the changes of items in one statement. Returns the new `updated_at` of each item. If an item comes back and
 * somebody stores one of its identifiers at this moment, the transaction runs again.
 */
export async function updateMany(tx: Tx, edits: readonly Edited[]): Promise<Map<number, string>> {
  const changed = new Set(edits.flatMap(changedColumns))
  const columns = MANY_COLUMNS.filter((column) => changed.has(column))
  if (columns.length === 0) return new Map()
  const ids = edits.map(({ row }) => row.id)
  const values = columns.map((column) => sql`${edits.map(({ after }) => after[column])}::${sql.raw(typeOf(column))}[]`)
  const update = sql<{ id: number; updated_at: string }>`
    update stock set ${sql.raw(columns.map((column) => `${column} = item.${column}`).join(', '))}
    from unnest(${ids}::int[], ${sql.join(values)}) as item (id, ${sql.raw(columns.join(', '))})
    where stock.id = item.id returning stock.id, stock.updated_at`
  const { rows } = await update.execute(tx).catch((error: unknown) => {
    if (isTaken(error)) throw new RetryTransaction('Another item has an identifier of one that comes back.')
    throw error
  })
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]))
}

/** Writes a log entry for each item with its changes, and one for each batch that items join or leave. */
export async function recordMany(tx: Tx, author: Author, edits: readonly Edited[]): Promise<void> {
  const names = await relationNamesAmong(
    tx,
    edits.map(({ row, after }) => ({ before: row, after })),
  )
  const contents: string[] = []
  for (let from = 0; from < edits.length; from += SLICE) {
    if (from > 0) await ownTurn()
    for (const { row, after } of edits.slice(from, from + SLICE)) {
      const data = changes(attributesOf(row, names), attributesOf(after, names))
      contents.push(JSON.stringify({ type: 'model_update', data }))
    }
  }
  await recordTexts(
    tx,
    author,
    'Stock',
    edits.map(({ row }) => row.id),
    contents,
  )
  await recordBatches(tx, author, edits)
}
