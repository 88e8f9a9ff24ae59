import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { confirmDialog } from './confirm-dialog.tsx'

/** Asks before typed text is lost. Returns true if the person wants to leave. */
export function askToLeave(): Promise<boolean> {
  return confirmDialog('You have unsaved changes. Leave without saving?', 'Leave', { cancel: 'Stay' })
}

/** The number of forms on screen with unsaved changes. */
let unsavedForms = 0

/**
 * Call it before logging out: it asks if any form on screen has unsaved changes. Returns true if the person wants to
 * leave.
 */
export async function mayLeave(): Promise<boolean> {
  return unsavedForms === 0 || askToLeave()
}

/**
 * Asks before the person leaves the screen while `unsaved`. Call the returned function to leave once without the
 * question.
 */
export function useLeaveGuard(unsaved: boolean): () => void {
  const free = useRef(false)
  useEffect(() => {
    if (!unsaved) return
    unsavedForms += 1
    return () => {
      unsavedForms -= 1
    }
  }, [unsaved])
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: () => unsaved && !free.current,
    shouldBlockFn: async ({ current, next }) =>
      !free.current && next.pathname !== current.pathname && next.pathname !== '/login' && !(await askToLeave()),
  })
  return () => {
    free.current = true
  }
}
