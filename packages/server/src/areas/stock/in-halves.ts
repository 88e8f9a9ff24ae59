import type { Database } from '../../db/connect.ts'

/** The least number of lines for which two queries are faster than one. */
const MANY_LINES = 100

/**
 * Asks about many lines in two halves at once if nobody else reads, because PostgreSQL uses one core for each query.
 * The measurements are in docs/decisions/2026-11-22-quick-order-in-two-halves.md.
 */
export async function inHalves<Line, Row>(
  db: Database,
  lines: readonly Line[],
  ask: (lines: readonly Line[]) => Promise<Row[]>,
): Promise<Row[]> {
  const { total, idle } = db.figures().read
  if (total > idle || lines.length < MANY_LINES) return ask(lines)
  const middle = lines.length >> 1
  const halves = [lines.slice(0, middle), lines.slice(middle)]
  return (await Promise.all(halves.map(ask))).flat()
}
