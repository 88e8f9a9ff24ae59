import { CSV_COLUMNS } from '@backstock/contract/csv-columns.ts'
import { IMPORT_STATES, type ImportState } from '@backstock/contract/import.ts'
import { toCurrencyUnits } from '@backstock/contract/money.ts'
import { MAX_FURTHER_FIELDS, type PartnerImport, type PushedItem } from '@backstock/contract/partner-api.ts'
import type { Db, Tx } from '../../db/connect.ts'
import type { Pace } from '../../http/pace.ts'
import { invalid } from '../../http/refusal.ts'
import { progressOf } from '../import/queries.ts'
import { mapWithPauses } from '../import/read/map-with-pauses.ts'
import type { CsvRow } from '../import/read/parse-row.ts'
import { queueImport, stageRows } from '../import/write/stage.ts'
import { guardCell } from '../stock/csv-cell.ts'
import { slice } from './stock.ts'

const KEYS = ['backstock_id', 'imei', 'serial_number'] as const

/** An item as a row of a CSV file: prices in currency units, and no cell for an absent field. */
function cellsOf({ deleted, ...item }: PushedItem): Map<string, string> {
  const said = deleted
    ? [...KEYS.map((key) => [key, item[key]] as const), ['status', 'Deleted'] as const]
    : Object.entries(item)
  return new Map(
    said.flatMap(([name, value]): [string, string][] => {
      if (value === null || value === undefined) return []
      const isPrice = name === 'purchase_price' || name === 'sales_price'
      return [[name, isPrice ? toCurrencyUnits(value as number) : guardCell(String(value))]]
    }),
  )
}

/** The items of a push as the rows of a file with this header. The first item is row 1. */
async function* rowsOf(items: readonly Map<string, string>[], header: readonly string[]): AsyncGenerator<CsvRow> {
  for (const [n, cells] of items.entries()) yield { line: n + 1, cells: header.map((name) => cells.get(name) ?? '') }
}

/**
 * Stores the items of a push as a new import of the partner, and queues the job that applies it, in the caller's
 * transaction. Returns the import's id.
 */
export async function stagePush(tx: Tx, partnerId: number, items: readonly PushedItem[], pace: Pace): Promise<number> {
  const pushed = await mapWithPauses(items, cellsOf)
  const names = new Set<string>()
  await mapWithPauses(pushed, (cells) => {
    for (const name of cells.keys()) names.add(name)
  })
  const further = [...names].filter((name) => !CSV_COLUMNS.some((column) => column === name)).sort()
  if (further.length > MAX_FURTHER_FIELDS)
    throw invalid({ items: `At most ${MAX_FURTHER_FIELDS} different fields beyond the known ones in one call.` })
  const header = [...CSV_COLUMNS.filter((column) => names.has(column)), ...further]
  const { id } = await tx
    .insertInto('import')
    .values({
      type: 'api_import',
      partner_id: partnerId,
      update_existing: true,
      header: JSON.stringify(header),
      total: pushed.length,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await stageRows(tx, id, rowsOf(pushed, header), pace)
  await queueImport(tx, id)
  return id
}

/**
 * The state of one of the partner's own imports, with the failed rows after row `after`; undefined if the partner has
 * no such import.
 */
export async function importOf(
  db: Db,
  partnerId: number,
  id: number,
  { after, limit }: { after?: number | undefined; limit: number },
): Promise<{ data: PartnerImport; next: number | null } | undefined> {
  const found = await db
    .selectFrom('import')
    .select(['state', 'total', 'succeeded', 'failed', 'error', 'created_at', 'ended_at'])
    .where('id', '=', id)
    .where('partner_id', '=', partnerId)
    .where('state', 'in', IMPORT_STATES)
    .$narrowType<{ state: ImportState }>()
    .executeTakeFirst()
  if (!found) return undefined
  const rows = await db
    .selectFrom('import_error')
    .select(['row_no as row', 'errors'])
    .where('import_id', '=', id)
    .where('row_no', '>', after ?? 0)
    .orderBy('row_no')
    .limit(limit + 1)
    .execute()
  const { data: errors, next } = slice(rows, limit, ({ row }) => row)
  const { state, total, succeeded, failed, error, created_at, ended_at } = found
  const data = {
    import_id: id,
    state,
    progress: progressOf(found),
    total_rows: total,
    processed_rows: succeeded + failed,
    successed_rows: succeeded,
    failed_rows: failed,
    error,
    created_at,
    ended_at,
    errors,
  }
  return { data, next }
}
