import type { StockRow } from '@backstock/contract/stock.ts'

type BasketItem = Pick<StockRow, 'id'>

/** The difference between the basket `before` and now, made by this person. */
export type BasketChange<Row extends BasketItem> = {
  before: readonly Row[]
  added: ReadonlySet<number>
  removed: ReadonlyMap<number, Row>
}

/**
 * Adds the step from `now` to `next` to the change `last`. An item that was added and then removed again is neither in
 * `added` nor in `removed`.
 */
export function changed<Row extends BasketItem>(
  last: BasketChange<Row> | null,
  now: readonly Row[],
  next: readonly Row[],
): BasketChange<Row> {
  const there = new Set(now.map(({ id }) => id))
  const stays = new Set(next.map(({ id }) => id))
  const added = new Set(last?.added)
  const removed = new Map(last?.removed)
  for (const { id } of next) if (!there.has(id) && !removed.delete(id)) added.add(id)
  for (const row of now) if (!stays.has(row.id) && !added.delete(row.id)) removed.set(row.id, row)
  return { before: last?.before ?? now, added, removed }
}

export const isNothing = ({ added, removed }: BasketChange<BasketItem>) => added.size === 0 && removed.size === 0

/** The basket without this change, in its old order. Changes that other windows have made since stay. */
export function undone<Row extends BasketItem>(
  { before, added, removed }: BasketChange<Row>,
  now: readonly Row[],
): Row[] {
  const kept = new Map(now.filter(({ id }) => !added.has(id)).map((row) => [row.id, row]))
  const was = before.flatMap(({ id }) => kept.get(id) ?? removed.get(id) ?? [])
  const known = new Set(before.map(({ id }) => id))
  return [...was, ...[...kept.values()].filter(({ id }) => !known.has(id))]
}

const items = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`

/** For example '3 items added to the basket' or '3 items added to the basket, 1 removed'. */
export function changeText({ added, removed }: BasketChange<BasketItem>): string {
  if (added.size === 0) return `${items(removed.size)} removed from the basket`
  const also = removed.size > 0 ? `, ${removed.size.toLocaleString('en')} removed` : ''
  return `${items(added.size)} added to the basket${also}`
}
