import type { FieldErrors } from '@backstock/contract/answer.ts'
import { RetryTransaction, type Tx } from '../../db/connect.ts'
import { lock } from '../../records/lock.ts'
import type { Author } from '../../records/log/write.ts'
import type { CsvValues } from '../stock/columns.ts'
import { columnErrors } from './attribute-names.ts'
import { chosenByKeys, named, withOneImei } from './chosen-item.ts'
import { type CurrentItem, loadCurrent } from './current-items.ts'
import { type Claims, type Decision, decide, productWish, type RowToDecide } from './decide.ts'
import { inSlices } from './in-slices.ts'
import { loadLookups } from './lookups.ts'
import { findMatches, hasKey, KEY_KINDS, type Match, ownItems } from './match.ts'
import { withinOwn } from './own-items.ts'
import { createProducts, findProducts, wishKey } from './products.ts'
import { type RowInput, readRow } from './row.ts'
import { withoutUnchanged } from './unchanged.ts'
import { createItems, updateItems } from './write-items.ts'

/**
 * What became of a row: the item that it made, changed or found as it says, or why it failed, by field. A row that failed may hold the item
 * that it would have changed: no later one of the import may change it.
 */
export type RowResult =
  | { action: 'created' | 'updated' | 'unchanged'; stockId: number; freed: string[] }
  | { action: 'failed'; errors: FieldErrors; held: number | null }

/** The lines of rows, by the item that each made, changed or holds. */
export function linesOf(rows: readonly RowInput[], results: readonly RowResult[]): [item: number, line: number][] {
  return results.flatMap((result, n): [number, number][] => {
    const item = result.action === 'failed' ? result.held : result.stockId
    return item === null ? [] : [[item, rows[n]!.line]]
  })
}

/** The lines of rows, by the keys that each took off its item. */
export function linesOfFreed(rows: readonly RowInput[], results: readonly RowResult[]): [key: string, line: number][] {
  return results.flatMap((result, n) =>
    result.action === 'failed' ? [] : result.freed.map((key): [string, number] => [key, rows[n]!.line]),
  )
}

export type ApplyOptions = {
  author: Author
  /** Off: a row whose identifiers are in hand fails. On: it updates the item. */
  updateExisting: boolean
  /** The lines of earlier parts of the same import, by the item that they made, changed or hold. */
  earlier?: ReadonlyMap<number, number>
  /** The same by the keys that they took off an item. */
  freed?: ReadonlyMap<string, number>
  /** The partner who pushes: new items are its own, and it changes no others. */
  partnerId?: number | null
}

/**
 * Makes or updates the stock items that rows describe, all by sets, no query for each row; results in the order of the
 * rows. A bad row fails alone. The caller holds `lockImports`. Locks items, then batches, then sales. Throws
 * PostgreSQL's 23505 where somebody else brings the same identifier at this moment: then the transaction again.
 */
export async function applyRows(tx: Tx, inputs: readonly RowInput[], options: ApplyOptions): Promise<RowResult[]> {
  const { updateExisting, partnerId = null } = options
  const read = await inSlices(inputs, (input) => readRow(input, updateExisting && partnerId === null))
  const matches = await knownMatches(tx, read, options)
  const columnErrorsOf = await columnErrors(tx, inputs, partnerId)
  const found = read.map(({ values, errors }, n): RowToDecide => {
    const input = inputs[n]!
    const row = { input, values, errors: { ...columnErrorsOf(input), ...errors }, matches: matches[n]! }
    return { ...row, ...chosenItem(row, updateExisting) }
  })
  const current = await lockMatched(tx, found)
  const rows = await inSlices(found, (row) => {
    const mine = partnerId === null ? named(row, current) : withinOwn(row, current, partnerId)
    return withoutUnchanged(withOneImei(mine, current), current)
  })
  const lookups = await loadLookups(
    tx,
    rows.flatMap(({ values }) => values.supplier ?? []),
  )
  const wishes = rows.map((row) => productWish(row, current))
  const products = await findProducts(
    tx,
    wishes.filter((wish) => wish !== null),
  )

  const claims: Claims = {
    keys: new Map(),
    items: new Map(),
    earlier: options.earlier ?? new Map(),
    freed: options.freed ?? new Map(),
    products: new Map(),
  }
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
  const changed = await updateItems(
    tx,
    withProduct.filter((one) => one.kind === 'update'),
    options,
  )
  return withProduct.map((decision) => {
    if (decision.kind === 'failed') return { action: 'failed', errors: decision.errors, held: decision.held }
    if (decision.kind === 'update')
      return {
        action: changed.has(decision) ? 'updated' : 'unchanged',
        stockId: decision.item.row.id,
        freed: decision.freed,
      }
    return { action: 'created', stockId: made.get(decision)!, freed: [] }
  })
}

/** What the rows' keys lead to. What others brought and has left the house is nothing to a partner. */
async function knownMatches(
  tx: Tx,
  read: readonly { values: CsvValues }[],
  { updateExisting, partnerId = null }: ApplyOptions,
): Promise<Match[][]> {
  const matches = await findMatches(
    tx,
    read.map(({ values }) => values),
    updateExisting,
  )
  if (partnerId === null) return matches
  const gone = matches.flat().filter(({ in_hand }) => !in_hand)
  const own = await ownItems(
    tx,
    gone.map(({ stock_id }) => stock_id),
    partnerId,
  )
  return matches.map((row) => row.filter(({ in_hand, stock_id }) => in_hand || own.has(stock_id)))
}

function chosenItem(
  { values, matches }: Pick<RowToDecide, 'values' | 'matches'>,
  updateExisting: boolean,
): Pick<RowToDecide, 'match' | 'conflict' | 'unlessGone'> {
  if (!updateExisting) return { match: null, conflict: null, unlessGone: false }
  const id = values.backstock_item
  if (id === undefined) return chosenByKeys(matches, values.status)
  return { match: { kind: 'item', stock_id: id, in_hand: true }, conflict: null, unlessGone: false }
}

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
    if (!match || match.kind === 'item') continue
    const item = stock.get(match.stock_id)
    if (!(item && item.in_hand === match.in_hand && KEY_KINDS.some((kind) => hasKey(item, kind, values))))
      throw new RetryTransaction('An item changed while it was being found.')
  }
  return loadCurrent(tx, stock, batches)
}
