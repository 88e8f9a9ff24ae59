import type { FieldErrors } from '@backstock/contract/answer.ts'
import { RetryTransaction, type Tx } from '../../../db/connect.ts'
import type { PlannedRow } from '../../../db/preview-columns.ts'
import { getFrom, zip } from '../../../lists.ts'
import { lock } from '../../../records/lock.ts'
import type { Author } from '../../../records/log/write.ts'
import { identifiersOf, isSameIdentifier } from '../../stock/identifier-kinds.ts'
import type { Choice, CurrentItem } from '../decide/choose-item.ts'
import { decideRows, type Earlier } from '../decide/decide-rows.ts'
import type { Decision } from '../decide/decision.ts'
import { type LookUpOptions, lookUp, withNames } from '../look-up.ts'
import { productKey } from '../read/described-product.ts'
import type { ParsedRow } from '../read/parse-row.ts'
import { type EarlierValues, earlierValues } from './earlier-values.ts'
import { makeProducts } from './make-products.ts'
import { createItems, updateItems } from './write-items.ts'

/**
 * The result of a row: the item that the row made, changed or left as it is, or, if the row failed, its errors by
 * field.
 */
export type Result = { line: number } & (
  | { action: 'created' | 'unchanged'; stockId: number; freed: readonly string[] }
  | { action: 'updated'; stockId: number; freed: readonly string[]; before: EarlierValues }
  | { action: 'failed'; errors: FieldErrors; blockedItem: number | null }
)

/** `planned` has the plan of each row by its number, if there was a preview. */
export type ApplyOptions = LookUpOptions & {
  author: Author
  earlier: Earlier
  planned?: ReadonlyMap<number, PlannedRow> | undefined
}

/**
 * Makes or updates the items that rows describe. The number of queries does not depend on the number of rows. The
 * results have the order of the rows. A bad row fails by itself. The caller holds `lockImports`. Items are locked
 * first, then batches, then sales. Throws PostgreSQL's error 23505 if somebody else stores the same identifier at this
 * moment; the transaction must then run again.
 */
export async function applyRows(tx: Tx, parsed: readonly ParsedRow[], options: ApplyOptions): Promise<Result[]> {
  const { rows, known } = await lookUp(tx, parsed, options, (rows, choices) => lockItems(tx, rows, choices))
  const decisions = await withProducts(tx, await decideRows(rows, known, options.earlier, options), options.author)
  const creates = decisions.filter((one) => one.kind === 'create')
  const updates = decisions.filter((one) => one.kind === 'update')
  const made = await createItems(tx, creates, options)
  const changed = await updateItems(tx, updates, options.author)
  return zip(decisions, parsed).map(([decision, { line }]) => {
    if (decision.kind === 'failed')
      return { line, action: 'failed', errors: decision.errors, blockedItem: decision.blockedItem }
    if (decision.kind === 'create') return { line, action: 'created', stockId: getFrom(made, decision), freed: [] }
    const { item, freed } = decision
    const done = { line, stockId: item.row.id, freed }
    return changed.has(decision)
      ? { ...done, action: 'updated', before: earlierValues(decision) }
      : { ...done, action: 'unchanged' }
  })
}

/** Makes the products that the decisions need, and adds their ids to the decisions. */
async function withProducts(tx: Tx, decisions: readonly Decision[], author: Author): Promise<Decision[]> {
  const missing = decisions.flatMap((one) => (one.kind === 'failed' ? [] : (one.newProduct ?? [])))
  const made = await makeProducts(tx, missing, author)
  return decisions.map((one) => {
    if (one.kind === 'failed' || !one.newProduct) return one
    const product = getFrom(made, productKey(one.newProduct))
    return { ...one, product, wanted: { ...one.wanted, actual_product_id: product.id } }
  })
}

/** Locks the items that rows mean, and the batches and sales of the items that rows move. */
async function lockItems(
  tx: Tx,
  rows: readonly ParsedRow[],
  choices: readonly Choice[],
): Promise<Map<number, CurrentItem>> {
  const ids = choices.flatMap(({ match }) => match?.stock_id ?? [])
  if (ids.length === 0) return new Map()
  const { stock } = await lock(tx, { stock: ids })
  const moving = zip(choices, rows).flatMap(([{ match }, { values }]) => {
    const item = match && stock.get(match.stock_id)
    const { status } = values
    return item && status !== undefined && status !== item.status ? item : []
  })
  const { batches } = await lock(tx, {
    batches: moving.flatMap((item) => item.batch_id ?? []),
    sales: moving.flatMap((item) => item.sale_id ?? []),
  })
  for (const [{ match }, { values }] of zip(choices, rows)) {
    if (!match || match.by === 'item') continue
    const item = stock.get(match.stock_id)
    const own = identifiersOf(item ?? {})
    const isMeant = identifiersOf(values)
      .keys()
      .some((key) => own.has(key))
    const hasAsSerial = [values.imei, values.imei2].some((imei) => isSameIdentifier('s', item?.serial_number, imei))
    if (item?.in_hand !== match.in_hand || !(isMeant || hasAsSerial))
      throw new RetryTransaction('An item changed while it was being found.')
  }
  return withNames(tx, stock, batches)
}
