import type { RecordArea } from '../area.ts'
import { same } from './keep-typed.ts'

/**
 * The draft of a record's form: the values that it showed before somebody typed, those that it shows now, and the
 * version of the record that it was begun from; a new record has none. So the record that somebody else has saved
 * meanwhile is a conflict, as if the form had stayed open.
 */
export type KeptValues<Values> = { before: Values; values: Values; updated_at?: string | undefined }

type Saved = Pick<RecordArea<never, never>, 'area' | 'save' | 'about'>

/** The API path to which a form is saved. */
export const savePath = ({ area, save }: Saved, row: { id: number } | null): string =>
  save ?? (row ? `${area}/${row.id}/edit` : `${area}/create`)

/** The name under which the browser keeps the draft of a form. */
export const draftName = (area: Saved, row: { id: number } | null): string =>
  ['form', savePath(area, row), area.about].filter(Boolean).join(' ')

const without = <Values extends object>(values: Values, names: readonly (keyof Values)[]): Partial<Values> =>
  Object.fromEntries(
    Object.entries(values).filter(([name]) => !names.includes(name as keyof Values)),
  ) as Partial<Values>

/** The draft that the browser keeps, without the secret fields. Null if nothing else was typed. */
export function valuesToKeep<Values extends object>(
  { before, values, updated_at }: KeptValues<Values>,
  secrets: readonly (keyof Values)[] = [],
): KeptValues<Partial<Values>> | null {
  const kept = { before: without(before, secrets), values: without(values, secrets), updated_at }
  return same(kept.before, kept.values) ? null : kept
}

/**
 * The draft that a form continues; null if it begins afresh. `shown` are the values that it would show without a draft.
 * Fields that the draft does not have keep them. A new record that begins with other values than the draft's, such as
 * another scanned IMEI, is another record.
 */
export function continuedValues<Values extends object>(
  kept: KeptValues<Partial<Values>> | null,
  shown: Values,
  { isNew }: { isNew: boolean },
): KeptValues<Values> | null {
  if (!kept) return null
  const before = { ...shown, ...kept.before }
  if (isNew && !same(before, shown)) return null
  return { before, values: { ...shown, ...kept.values }, updated_at: kept.updated_at }
}
