import { type RefObject, useEffect, useState } from 'react'

/**
 * Stands beside a dialog that is mounted only while it is open: once it is gone the focus is where it was, or at `to`
 * where that was in a menu. An element that has gone with it, such as a button that is not needed any more, leaves it
 * to the screen.
 */
export function FocusBack({ to }: { to?: RefObject<HTMLElement | null> }) {
  const [before] = useState(() => document.activeElement)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is there when the dialog goes, not when it came
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
