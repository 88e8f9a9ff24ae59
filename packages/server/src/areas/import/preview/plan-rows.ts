import type { Db } from '../../../db/connect.ts'
import type { PlannedRow } from '../../../db/preview-columns.ts'
import { at } from '../../../lists.ts'
import type { Choice, CurrentItem } from '../decide/choose-item.ts'
import { decideRows, NOTHING_EARLIER, nothingSeen, type SeenInPart } from '../decide/decide-rows.ts'
import type { Decision } from '../decide/decision.ts'
import type { FurtherColumn } from '../decide/further-columns.ts'
import { plannedOf } from '../decide/planned-row.ts'
import { lookUp, withNames } from '../look-up.ts'
import type { ParsedRow } from '../read/parse-row.ts'
import { asMade, type NamesAsMade } from './names-as-made.ts'
import { newSummary, type Summary } from './plan-summary.ts'

/** The effects that planned rows would have. Later rows are planned on top of them. */
export type Planned = { seen: SeenInPart; columns: Map<string, FurtherColumn>; summary: Summary; names: NamesAsMade }
export const nothingPlanned = (): Planned => ({
  seen: nothingSeen(),
  columns: new Map(),
  summary: newSummary(),
  names: new Map(),
})

/** Plans the next rows of a file. It decides as `applyRows` does, but without a lock, and writes nothing. */
export async function planRows(
  db: Db,
  parsed: readonly ParsedRow[],
  updateExisting: boolean,
  { seen, columns, summary, names }: Planned,
): Promise<PlannedRow[]> {
  const options = { updateExisting, partnerId: null, columnsToCome: [...columns.values()] }
  const { rows, known } = await lookUp(db, parsed, options, (_, choices) => readItems(db, choices))
  const decisions = await decideRows(rows, known, NOTHING_EARLIER, { seen })
  const made = await asMade(db, decisions.flatMap(newProductOf), names)
  let next = 0
  return decisions.map((decision, n) => {
    const product = newProductOf(decision).length > 0 ? at(made, next++) : undefined
    const planned = plannedOf(product && decision.kind !== 'failed' ? { ...decision, newProduct: product } : decision)
    if (product && planned.kind === 'new') planned.becomes = { ...planned.becomes, new_in_category: product.category }
    summary.add(at(rows, n), known, decision, planned)
    if (decision.kind !== 'failed')
      for (const column of columnsOf(at(parsed, n))) columns.set(column.kind + column.name, column)
    return planned
  })
}

const newProductOf = (decision: Decision) =>
  decision.kind !== 'failed' && decision.newProduct ? [decision.newProduct] : []

const columnsOf = ({ grading, attributes }: ParsedRow): FurtherColumn[] => [
  ...Object.keys(grading).map((name) => ({ kind: 'grading' as const, name, partner_id: null })),
  ...Object.keys(attributes).map((name) => ({ kind: 'attribute' as const, name, partner_id: null })),
]

async function readItems(db: Db, choices: readonly Choice[]): Promise<Map<number, CurrentItem>> {
  const ids = [...new Set(choices.flatMap(({ match }) => match?.stock_id ?? []))]
  if (ids.length === 0) return new Map()
  const stock = await db.selectFrom('stock').selectAll().where('id', 'in', ids).execute()
  const batchIds = [...new Set(stock.flatMap(({ batch_id }) => batch_id ?? []))]
  const batches = batchIds.length ? await db.selectFrom('batch').selectAll().where('id', 'in', batchIds).execute() : []
  return withNames(db, new Map(stock.map((row) => [row.id, row])), new Map(batches.map((row) => [row.id, row])))
}
