import { useEffect, useState } from 'react'
import type { RecordFormOf } from '../area.ts'

/** The draft of a new record. The form starts with `begun`. While `isKept`, leaving the screen asks no question. */
export type FormDraft<Values> = {
  begun: Values | null
  isKept: boolean
  /** Called with the typed values, or with null if nothing was typed. */
  onTyped: (values: Values | null) => void
}

/** The form starts with empty values and gets the draft afterwards, so that the draft counts as unsaved. */
export function useFormDraft<Values extends object>(form: RecordFormOf<Values>, draft: FormDraft<Values> | undefined) {
  const [begun, setBegun] = useState(draft?.begun)
  useEffect(() => {
    if (!begun) return
    form.setValues(begun)
    setBegun(undefined)
  }, [begun, form.setValues])
  const onTyped = draft?.onTyped
  const typed = form.isDirty() ? form.values : null
  useEffect(() => {
    if (!begun) onTyped?.(typed)
  }, [begun, typed, onTyped])
}
