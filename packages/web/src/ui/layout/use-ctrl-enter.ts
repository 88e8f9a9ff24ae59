import { useEffect, useRef, useState } from 'react'

/** Calls `run` on Ctrl+Enter (or Cmd+Enter) anywhere on the screen, unless a dialog is open. */
export function useCtrlEnter(run: () => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return
      if (document.querySelector('[role="dialog"][aria-modal="true"]')) return
      event.preventDefault()
      latest.current()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Like `useCtrlEnter`, but if the screen is still looking something up, `run` is called when it is ready. */
export function useCtrlEnterWhenReady(isReady: boolean, run: () => void): void {
  useCtrlEnter(useWhenReady(isReady, run))
}

/** A function that asks for `run`, which is then called once: at once, or as soon as the screen is ready. */
export function useWhenReady(isReady: boolean, run: () => void): () => void {
  const [isAsked, setAsked] = useState(false)
  useEffect(() => {
    if (!isAsked || !isReady) return
    setAsked(false)
    run()
  })
  return () => setAsked(true)
}
