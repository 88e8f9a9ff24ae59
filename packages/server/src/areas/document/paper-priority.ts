/** Added to the priority of one of many papers. */
export const ONE_OF_MANY = 10

/** A paper of more lines than each of these is one step larger. */
const STEPS = [10, 100, 1000]

/**
 * The priority of a job that renders papers: 0 to 3 by their size (up to 10, 100, 1,000 lines, and more), so that
 * small papers come before large ones. Papers that one act or the sample data made in number have 10 more, because
 * nobody waits for each of them as for a single one. In the same priority, the older comes first.
 */
export function paperPriority({ lines, isOneOfMany }: { lines: number; isOneOfMany: boolean }): number {
  const size = STEPS.filter((most) => lines > most).length
  return size + (isOneOfMany ? ONE_OF_MANY : 0)
}
