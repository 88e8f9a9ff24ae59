import type { Update, Wanted } from '../decide/decision.ts'
import { NAMES } from './write-items.ts'

/** The item before a row changed it: the values of the columns that the row changed, and `updated_at`. */
export type EarlierValues = Partial<Wanted> & { updated_at: string }

export function earlierValues({ item: { row }, wanted }: Update): EarlierValues {
  const changed = NAMES.filter((name) => wanted[name] !== row[name])
  return { ...Object.fromEntries(changed.map((name) => [name, row[name]])), updated_at: row.updated_at }
}
