import { Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../api/lazy-part.ts'
import { toastStore } from '../api/toast.ts'
import { onDialogsNeeded } from '../ui/feedback/dialogs-there.ts'

const Dialogs = lazyPart(() => import('../ui/feedback/dialogs.tsx'))
const ToastStack = lazyPart(() => import('../ui/feedback/toast-stack.tsx'))
const FIRST_TOUCH = ['pointerdown', 'keydown'] as const

/** The outermost component, around all pages and the login. */
export function Root() {
  // Toasts and dialogs are loaded at the first click, key or toast: no screen needs them sooner, and they are there if
  // the server cannot be reached later.
  const [wanted, setWanted] = useState(false)
  useEffect(() => {
    const want = () => setWanted(true)
    for (const touch of FIRST_TOUCH) addEventListener(touch, want, { once: true, capture: true })
    const forget = [toastStore.subscribe(want), onDialogsNeeded(want)]
    // The effects of the screens inside run before this one, and may have shown a toast.
    if (toastStore.read().length > 0) want()
    return () => {
      for (const touch of FIRST_TOUCH) removeEventListener(touch, want, { capture: true })
      for (const stop of forget) stop()
    }
  }, [])
  return (
    <>
      <Outlet />
      {wanted && (
        <Suspense>
          <ToastStack />
          <Dialogs />
        </Suspense>
      )}
    </>
  )
}
