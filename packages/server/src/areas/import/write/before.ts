import type { Update, Wanted } from '../decide/decision.ts'
import { NAMES } from './write-items.ts'

/** The values that the columns changed by a row had before the row, and the item's `updated_at` of that moment. */
export type Before = Partial<Wanted> & { updated_at: string }

export function beforeOf({ item: { row }, wanted }: Update): Before {
  const changed = NAMES.filter((name) => wanted[name] !== row[name])
  return { ...Object.fromEntries(changed.map((name) => [name, row[name]])), updated_at: row.updated_at }
}
