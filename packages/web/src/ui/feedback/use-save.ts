import { type RefObject, useEffect, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { showToast } from '../../api/toast.ts'
import { focusInSection } from '../layout/focus-in-section.ts'

type Options = {
  form: RefObject<HTMLElement | null>
  /** The title of the toast that shows the message if the person has left the screen meanwhile. */
  title: string
  /** Marks the fields and shows the message. */
  onRefused: (error: ApiError) => void | Promise<void>
}

type Save = {
  saving: boolean
  save: (write: () => Promise<void>) => Promise<void>
  /** Shows an error of a call beside `save`. */
  fail: (error: unknown) => Promise<void>
  /** Call it after fields were marked as wrong. */
  focusTrouble: () => void
}

/** Saves a form. If the server refuses it, the trouble comes into sight, and the first wrong field gets the focus. */
export function useSave({ form, title, onRefused }: Options): Save {
  const [saving, setSaving] = useState(false)
  // The fields are marked as wrong only after the next drawing, so the first one gets the focus in an effect.
  const [troubles, setTroubles] = useState(0)
  useEffect(() => {
    if (troubles > 0) showTrouble(form.current)
  }, [troubles, form])
  const focusTrouble = () => setTroubles((count) => count + 1)
  const fail = async (error: unknown) => {
    if (!(error instanceof ApiError)) throw error
    if (!form.current) showToast({ type: 'error', title, message: error.message })
    await onRefused(error)
    focusTrouble()
  }
  return {
    saving,
    async save(write) {
      setSaving(true)
      try {
        await write()
      } catch (error) {
        await fail(error)
      } finally {
        setSaving(false)
      }
    },
    fail,
    focusTrouble,
  }
}

/** Leaves out the fields on a tab that is not shown. */
const ON_OTHER_TAB = ':not([role="tabpanel"][style*="none"] *)'
const WRONG = `:is([aria-invalid="true"], :invalid:not(fieldset))${ON_OTHER_TAB}`

function showTrouble(form: HTMLElement | null): void {
  const wrong = form?.querySelector<HTMLElement>(WRONG)
  // A message without a field stands above all fields, which may be out of sight.
  if (wrong) focusInSection(wrong)
  else form?.querySelector(`[role="alert"]${ON_OTHER_TAB}`)?.scrollIntoView({ block: 'center' })
}
