import { type RefObject, useEffect, useState } from 'react'

/**
 * Render it beside a dialog that is mounted only while it is open. When the dialog goes, the focus returns to its
 * element, or to `to` if it was in a menu. If that element is gone too, the screen gets the focus.
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
