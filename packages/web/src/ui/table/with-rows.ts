/** The ids with those of these rows if `on`, else without them. */
export function withRows(ids: ReadonlySet<number>, rows: readonly { id: number }[], on: boolean): ReadonlySet<number> {
  const next = new Set(ids)
  for (const { id } of rows) on ? next.add(id) : next.delete(id)
  return next
}
