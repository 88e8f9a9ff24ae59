import { useEffect, useRef } from 'react'

const ASK_AGAIN_MS = 5_000

/** Repeats a read that failed without a connection: as soon as the browser is online, and every few seconds. */
export function useWhenConnected(isOut: boolean, retry: (() => void) | undefined): void {
  const newest = useRef(retry)
  useEffect(() => {
    newest.current = retry
  })
  useEffect(() => {
    if (!isOut) return
    const tryAgain = () => newest.current?.()
    addEventListener('online', tryAgain)
    const asking = setInterval(tryAgain, ASK_AGAIN_MS)
    return () => {
      removeEventListener('online', tryAgain)
      clearInterval(asking)
    }
  }, [isOut])
}
