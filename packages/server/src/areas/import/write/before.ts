import type { Update, Wanted } from '../decide/decision.ts'
import { NAMES } from './write-items.ts'

/** The columns that a row has changed as they were before it, and the item's `updated_at` of then. */
export type Before = Partial<Wanted> & { updated_at: string }

export function beforeOf({ item: { row }, wanted }: Update): Before {
  const changed = NAMES.filter((name) => wanted[name] !== row[name])
  return { ...Object.fromEntries(changed.map((name) => [name, row[name]])), updated_at: row.updated_at }
}
