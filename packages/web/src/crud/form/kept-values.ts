import { useMemo, useState } from 'react'
import { useMe } from '../../api/session.ts'
import { useKeptAtEnd } from '../../ui/feedback/kept-at-end.ts'
import { useFoundDraft } from '../../ui/feedback/kept-draft.ts'
import type { RecordArea, RecordFormOf, RecordRow } from '../area.ts'
import { continuedValues, draftName, type KeptValues, valuesToKeep } from './values-to-keep.ts'

/** The draft that this person left in this form, and its name. */
export function useLeftValues<Row extends RecordRow, Values extends object>(
  area: RecordArea<Row, Values>,
  row: Row | null,
): { name: string; left: KeptValues<Values> | null } {
  const me = useMe()
  const [name] = useState(() => draftName(area, row))
  const found = useFoundDraft<KeptValues<Partial<Values>>>(name)
  const [left] = useState(() => continuedValues(found, area.values(row, me), { isNew: row === null }))
  return { name, left }
}

type Options<Values> = {
  name: string
  left: KeptValues<Values> | null
  /** The version of the record that the form shows. */
  updated_at: string | undefined
  secrets: readonly (keyof Values)[] | undefined
  /** The screen keeps the draft of this form. */
  isElsewhere: boolean
}

/**
 * Keeps the typed values of a record's form if the session ends. A draft that came back is kept on until it is saved or
 * discarded: call `drop` then, and `keepAgain` if that is undone. `isKept` is true for such a draft.
 */
export function useKeptValues<Values extends object>(
  form: RecordFormOf<Values>,
  { name, left, updated_at, secrets, isElsewhere }: Options<Values>,
) {
  const before = form.getInitialValues()
  const { values } = form
  const draft = useMemo(
    () => (isElsewhere ? null : valuesToKeep({ before, values, updated_at }, secrets)),
    [isElsewhere, before, values, updated_at, secrets],
  )
  return useKeptAtEnd(name, draft, left !== null)
}
