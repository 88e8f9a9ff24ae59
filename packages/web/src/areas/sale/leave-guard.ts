import { useBlocker } from '@tanstack/react-router'
import { useRef } from 'react'
import { confirmDialog } from '../../ui/confirm-dialog.tsx'

/** Asks before the screen is left while something is unsaved. Answers a function that lets the next leave pass. */
export function useLeaveGuard(unsaved: boolean): () => void {
  const free = useRef(false)
  useBlocker({
    disabled: !unsaved,
    enableBeforeUnload: () => unsaved && !free.current,
    shouldBlockFn: async ({ current, next }) =>
      !free.current &&
      next.pathname !== current.pathname &&
      next.pathname !== '/login' &&
      !(await confirmDialog('You have unsaved changes. Leave without saving?', 'Leave', 'Stay')),
  })
  return () => {
    free.current = true
  }
}
