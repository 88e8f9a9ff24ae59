import { useEffect, useState } from 'react'
import type { RecordFormOf } from '../area.ts'

/**
 * The draft of a new record that its screen keeps. The form starts with `begun`. While `isKept`, leaving the screen asks
 * no question.
 */
export type FormDraft<Values> = {
  begun: Values | null
  isKept: boolean
  /** Called with the typed values, or with null if nothing was typed. */
  onTyped: (values: Values | null) => void
}

/**
 * Gives a form the values of its draft. The form starts without them, so that they count as unsaved. Call it before
 * `useVersion`: a form with unsaved values does not take a new version of its record over.
 */
export function useFormDraft<Values extends object>(
  form: RecordFormOf<Values>,
  found: Values | null,
  onTyped?: FormDraft<Values>['onTyped'],
) {
  const [begun, setBegun] = useState(found)
  useEffect(() => {
    if (!begun) return
    form.setValues(begun)
    setBegun(null)
  }, [begun, form.setValues])
  const typed = form.isDirty() ? form.values : null
  useEffect(() => {
    if (!begun) onTyped?.(typed)
  }, [begun, typed, onTyped])
}
