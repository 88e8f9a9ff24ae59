import type { Database } from '../../db/connect.ts'

/** With fewer lines a second question costs more than it saves. */
const MANY_LINES = 100

/**
 * Asks about many lines in two halves at once while nobody else reads, since PostgreSQL works at each question on
 * one core. docs/decisions/2026-11-22-quick-order-in-two-halves.md has the gain.
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
