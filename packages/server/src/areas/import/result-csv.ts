import { Readable } from 'node:stream'
import { RESULT_COLUMNS, resultColumns } from '@backstock/contract/csv-columns.ts'
import { faultsOf } from '@backstock/contract/failed-rows.ts'
import { IMPORT_STATES } from '@backstock/contract/import.ts'
import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { at } from '../../lists.ts'
import { BOM, csvCell, guardCell, unguardCell } from '../stock/csv-cell.ts'
import { type AppliedRow, sinceOf } from './outcome.ts'
import { isUndone, keptIds } from './undo/is-undone.ts'

const csvLine = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`

/**
 * A cell of the imported file, with an apostrophe if a spreadsheet could take it for a formula. The cell may have its
 * apostrophe already.
 */
const ownCell = (cell: string) => guardCell(unguardCell(cell))

/**
 * The result of an import as CSV in UTF-8 with a byte order mark, in the order of the file. A row has its number in the
 * file, the result, the item, its error or what has become of it since, and then its own cells. `only` chooses the
 * failed rows. Only one part of the import is in memory at a time. Undefined if there is no such import.
 */
export async function importResult(db: Db, id: number, only?: 'failed'): Promise<Readable | undefined> {
  const found = await db
    .selectFrom('import')
    .select(['header', 'state'])
    .where('id', '=', id)
    .where('state', 'in', IMPORT_STATES)
    .executeTakeFirst()
  if (!found) return undefined
  const notApplied = found.state === 'failed' ? 'not applied' : 'waiting'
  return Readable.from(resultLines(db, id, found.header ?? [], { notApplied, only }), { objectMode: false })
}

type Rows = { notApplied: string; only: 'failed' | undefined }

async function* resultLines(
  db: Db,
  id: number,
  header: readonly string[],
  { notApplied, only }: Rows,
): AsyncGenerator<string> {
  // If the imported file was a result itself, the new result columns replace those of the file.
  const first = resultColumns(header)
  yield BOM + csvLine([...RESULT_COLUMNS, ...header.slice(first).map(guardCell)])
  for (let part = 0; ; part++) {
    const found = await db
      .selectFrom('import_part')
      .select(['lines', 'cells', 'actions', 'pieces'])
      .where('import_id', '=', id)
      .where('part', '=', part)
      .executeTakeFirst()
    if (!found) return
    const errors = await errorsOf(db, id, found.lines)
    const applied = await appliedOf(db, id, part)
    const text = found.cells
      .map((cells, n) => {
        const line = at(found.lines, n)
        const result = found.actions?.[n] ?? notApplied
        if (only && result !== only) return ''
        const { item, since } = applied.get(line) ?? { item: '', since: '' }
        const message = guardCell(errors.get(line) ?? since)
        const row = found.pieces?.of[line] ?? line
        return csvLine([String(row), result, item, message, ...cells.slice(first).map(ownCell)])
      })
      .join('')
    if (text) yield text
  }
}

/** The items of a part's applied rows, and what has become of them since, by line. */
async function appliedOf(db: Db, id: number, part: number): Promise<Map<number, { item: string; since: string }>> {
  const { rows } = await sql<AppliedRow & { line: number; item: number | null }>`
    with p as materialized (
      select lines, stock_ids, actions, undone_at, ${keptIds(sql`import_part`)} as kept
      from import_part where import_id = ${id} and part = ${part})
    select r.line, stock.id as item, r.action, stock.id is not null as is_there,
      ${isUndone(sql`p`, sql`p.kept`, sql`r.id`, sql`r.action`)} as is_undone
    from p cross join lateral unnest(p.lines, p.stock_ids, p.actions) as r (line, id, action)
      left join stock on stock.id = r.id
    where r.id is not null`.execute(db)
  return new Map(
    rows.map(({ line, item, ...applied }) => [line, { item: String(item ?? ''), since: sinceOf(applied) }]),
  )
}

async function errorsOf(db: Db, id: number, lines: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('import_error')
    .select(['row_no', 'errors'])
    .where('import_id', '=', id)
    .where(sql<boolean>`row_no = any(${lines}::int[])`)
    .execute()
  return new Map(rows.map(({ row_no, errors }) => [row_no, faultsOf(errors)]))
}
