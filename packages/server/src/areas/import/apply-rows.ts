import type { FieldErrors } from '@backstock/contract/answer.ts'
import type { Tx } from '../../db/connect.ts'
import { lock } from '../lock.ts'
import type { Author } from '../log.ts'
import { columnErrors } from './attribute-names.ts'
import { type CurrentItem, loadCurrent } from './current-items.ts'
import { type Claims, type Decision, decide, productWish, type RowToDecide } from './decide.ts'
import { inSlices } from './in-slices.ts'
import { loadLookups } from './lookups.ts'
import { findMatches, KEY_KINDS, type Match, stillHas } from './match.ts'
import { withinOwn } from './own-items.ts'
import { createProducts, findProducts, wishKey } from './products.ts'
import { type RowInput, readRow } from './row.ts'
import { createItems, updateItems } from './write-items.ts'

/**
 * What became of a row: the item that it made or changed, or why it failed, by field. A row that failed may hold the item
 * that it would have changed: no later one of the import may change it.
 */
export type RowResult =
  | { action: 'created' | 'updated'; stockId: number }
  | { action: 'failed'; errors: FieldErrors; held: number | null }

/** The lines of rows, by the item that each made, changed or holds. */
export function linesOf(rows: readonly RowInput[], results: readonly RowResult[]): [item: number, line: number][] {
  return results.flatMap((result, n): [number, number][] => {
    const item = result.action === 'failed' ? result.held : result.stockId
    return item === null ? [] : [[item, rows[n]!.line]]
  })
}

export type ApplyOptions = {
  author: Author
  /** Off: a row whose identifiers are in hand fails. On: it updates the item. */
  updateExisting: boolean
  /** The lines of earlier parts of the same import, by the item that they made, changed or hold. */
  earlier?: ReadonlyMap<number, number>
  /** The partner who pushes: new items are its own, and it changes no others. */
  partnerId?: number | null
}

/** Someone changed an item between finding and locking it: the whole transaction again. */
export class ChangedMeanwhile extends Error {
  code = '40001'
}

/**
 * Makes or updates the stock items that rows describe, all by sets, no query for each row; results in the order of the
 * rows. A bad row fails alone. The caller holds `lockImports`. Locks items, then batches, then sales. Throws
 * PostgreSQL's 23505 where somebody else brings the same identifier at this moment: then the transaction again.
 */
export async function applyRows(tx: Tx, inputs: readonly RowInput[], options: ApplyOptions): Promise<RowResult[]> {
  const read = await inSlices(inputs, readRow)
  const matches = await findMatches(
    tx,
    read.map(({ values }) => values),
    options.updateExisting,
  )
  const columnErrorsOf = await columnErrors(tx, inputs, options.partnerId ?? null)
  const found: RowToDecide[] = read.map(({ values, errors }, n) => ({
    input: inputs[n]!,
    values,
    errors: { ...columnErrorsOf(inputs[n]!), ...errors },
    ...chosenMatch(matches[n]!, values.status, options.updateExisting),
  }))
  const current = await lockMatched(tx, found)
  const rows = options.partnerId == null ? found : found.map((row) => withinOwn(row, current, options.partnerId!))
  const lookups = await loadLookups(
    tx,
    rows.flatMap(({ values }) => values.supplier ?? []),
  )
  const wishes = rows.map((row) => productWish(row, current))
  const products = await findProducts(
    tx,
    wishes.filter((wish) => wish !== null),
  )

  const claims: Claims = { keys: new Map(), items: new Map(), earlier: options.earlier ?? new Map() }
  const decisions = await inSlices(rows, (row, n) =>
    decide(row, { current, lookups, products, wish: wishes[n]!, claims }),
  )
  const missing = decisions.flatMap((decision) => ('create' in decision ? (decision.create ?? []) : []))
  for (const [key, product] of await createProducts(tx, missing, options.author)) products.set(key, product)

  const withProduct = decisions.map(
    (decision): Decision =>
      decision.kind === 'failed' || !decision.create
        ? decision
        : { ...decision, product: products.get(wishKey(decision.create))! },
  )
  const made = await createItems(
    tx,
    withProduct.filter((one) => one.kind === 'create'),
    options,
  )
  await updateItems(
    tx,
    withProduct.filter((one) => one.kind === 'update'),
    options,
  )
  return withProduct.map((decision) => {
    if (decision.kind === 'failed') return { action: 'failed', errors: decision.errors, held: decision.held }
    if (decision.kind === 'update') return { action: 'updated', stockId: decision.item.row.id }
    return { action: 'created', stockId: made.get(decision)! }
  })
}

/**
 * The item that a row is about. Those in hand come first; one that has left counts only where none is, and not for a row
 * that plainly brings the phone back new (a sold phone may be bought again).
 */
function chosenMatch(
  matches: readonly Match[],
  status: string | undefined,
  updateExisting: boolean,
): Pick<RowToDecide, 'match' | 'ambiguous' | 'taken' | 'unlessGone'> {
  const inHand = matches.filter((match) => match.in_hand)
  if (!updateExisting) return { match: null, ambiguous: false, taken: inHand, unlessGone: false }
  const candidates = inHand.length ? [...(status === 'Deleted' ? goneByOwnId(matches) : []), ...inHand] : matches
  const ambiguous = new Set(candidates.map((match) => match.stock_id)).size > 1
  const unlessGone = inHand.length === 0 && (status === 'Inbound' || status === 'In Stock')
  return { match: ambiguous ? null : (candidates[0] ?? null), ambiguous, taken: candidates, unlessGone }
}

/** A row that says Deleted may be about an item that is, by its Backstock ID; the one in hand must not go in its place. */
const goneByOwnId = (matches: readonly Match[]) => matches.filter((match) => match.kind === 'b' && !match.in_hand)

async function lockMatched(tx: Tx, rows: RowToDecide[]): Promise<Map<number, CurrentItem>> {
  const ids = rows.flatMap((row) => (row.match ? row.match.stock_id : []))
  if (ids.length === 0) return new Map()
  const { stock } = await lock(tx, { stock: ids })
  const moving = rows.flatMap(({ match, values }) => {
    const item = match && stock.get(match.stock_id)
    return item && values.status !== undefined && values.status !== item.status ? item : []
  })
  const { batches } = await lock(tx, {
    batches: moving.flatMap((item) => item.batch_id ?? []),
    sales: moving.flatMap((item) => item.sale_id ?? []),
  })
  for (const { match, values } of rows) {
    const item = match && stock.get(match.stock_id)
    if (match && !(item && item.in_hand === match.in_hand && KEY_KINDS.some((kind) => stillHas(item, kind, values))))
      throw new ChangedMeanwhile('An item changed while it was being found.')
  }
  return loadCurrent(tx, stock, batches)
}
