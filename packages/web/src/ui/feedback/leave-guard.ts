import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { confirmDialog } from './confirm-dialog.tsx'

/** Asks before typed text is lost. Answers whether the person leaves. */
export function askToLeave(): Promise<boolean> {
  return confirmDialog('You have unsaved changes. Leave without saving?', 'Leave', { cancel: 'Stay' })
}

/** How many forms hold something unsaved. */
let unsavedForms = 0

/** For leaving everything, by logging out: asks if anything on screen is unsaved. Answers whether the person leaves. */
export async function mayLeave(): Promise<boolean> {
  return unsavedForms === 0 || askToLeave()
}

/** Asks before the screen is left while something is unsaved. Answers a function that lets the next leave pass. */
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
