import { type RefObject, useEffect, useState } from 'react'

/**
 * Render it beside a dialog that is mounted only while it is open. When the dialog closes, the focus returns to the
 * element that had it before. If that was an entry of a menu, which is gone, pass `to`. If neither is there, the screen
 * (`main`) gets the focus.
 */
export function FocusBack({ to }: { to?: RefObject<HTMLElement | null> }) {
  const [before] = useState(() => document.activeElement)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `to` is read when the dialog closes, not when it opens
  useEffect(
    () => () => {
      const back = to?.current ?? before
      if (back instanceof HTMLElement && back.isConnected) back.focus()
      else document.querySelector('main')?.focus({ preventScroll: true })
    },
    [],
  )
  return null
}
