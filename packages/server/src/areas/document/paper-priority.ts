/** The number that is added to the priority of a document that is one of many. */
export const ONE_OF_MANY = 10

/** The numbers of lines at which a document counts as larger. */
const STEPS = [10, 100, 1000]

/**
 * The priority of a job that renders documents; the lowest number comes first. It is 0 to 3 by size (up to 10, 100 or
 * 1,000 lines, or more), so that small documents come before large ones. Documents that one request or the sample shop
 * orders in large numbers have 10 more, because nobody waits for a single one of them. With equal priority, the older
 * job comes first.
 */
export function paperPriority({ lines, isOneOfMany }: { lines: number; isOneOfMany: boolean }): number {
  const size = STEPS.filter((most) => lines > most).length
  return size + (isOneOfMany ? ONE_OF_MANY : 0)
}
