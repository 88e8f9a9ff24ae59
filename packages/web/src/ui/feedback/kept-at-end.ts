import { useState } from 'react'
import { type Begin, useKeepAtEnd, useKeepDraft } from './kept-draft.ts'

type KeptAtEnd = {
  /** The form shows a draft that is back. */
  isKept: boolean
  /** Call it when the form is saved. */
  drop: () => void
  /** Call it if the form itself has discarded its draft, and that is undone. */
  keepAgain: () => void
  discard: (begin: Begin) => void
}

/**
 * Keeps the draft of a form that asks before it is left, if the session ends; null keeps nothing. `isFound` says that
 * the form has begun with such a draft. That one is kept on, until it is saved or discarded, and nobody is asked.
 */
export function useKeptAtEnd(name: string, draft: object | null, isFound: boolean): KeptAtEnd {
  const [isBack, setBack] = useState(isFound)
  const { isLost, drop, discard } = useKeepDraft(name, isBack ? draft : null)
  useKeepAtEnd(name, isBack ? null : draft)
  return {
    isKept: isBack && draft !== null && !isLost,
    drop() {
      if (!isBack) return
      drop()
      setBack(false)
    },
    keepAgain: () => setBack(true),
    discard,
  }
}
