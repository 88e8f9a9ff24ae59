import { useEffect, useRef } from 'react'
import { type Begin, useKeepDraft } from './kept-draft.ts'
import { useLeaveGuard } from './leave-guard.ts'

/** A draft that the browser keeps. `isFound` says that it comes from an earlier visit. */
export type KeptForm = { isFound: boolean; discard: () => void }

export type KeptFormProps = {
  /** Called with null if the browser does not keep the draft. */
  onKept: (kept: KeptForm | null) => void
  /** Called to begin the form again: when the draft is discarded, and when that is undone. */
  onDiscard: Begin
}

/**
 * Keeps the draft of a form, of which the page around it tells the person; null keeps nothing. Asks before the person
 * leaves if the browser refuses to keep it. Call the returned function when the form is saved.
 */
export function useKeptForm(
  name: string,
  draft: object | null,
  { isFound, onKept, onDiscard }: KeptFormProps & { isFound: boolean },
): () => void {
  const { isLost, drop, discard } = useKeepDraft(name, draft)
  const allowLeave = useLeaveGuard(draft !== null && isLost)
  const isKept = draft !== null && !isLost
  const latest = useRef(() => {})
  latest.current = () => discard(onDiscard)
  useEffect(() => onKept(isKept ? { isFound, discard: () => latest.current() } : null), [isKept, isFound, onKept])
  return () => {
    drop()
    allowLeave()
  }
}
