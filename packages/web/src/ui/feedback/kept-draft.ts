import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { onLoggedOut, useMe } from '../../api/session.ts'
import { showToast } from '../../api/toast.ts'
import { dropDraft, keepDraft, type NamedDraft, readDraft, readDrafts } from './draft-store.ts'
import { rememberScreen } from './interrupted.ts'

/** The draft is written when no key was pressed for this long. */
const PAUSE_MS = 300

function onChangeInOtherTab(listener: () => void): () => void {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

/** Whether this browser keeps a draft of this person under this name. For screens beside the form that keeps it. */
export function useHasDraft(name: string): boolean {
  const { id } = useMe()
  const isThere = () => readDraft(name, id) !== null
  // The third is for tests, which draw screens without a browser.
  return useSyncExternalStore(onChangeInOtherTab, isThere, isThere)
}

/**
 * The unfinished draft that this person left under this name, as the browser kept it when the screen opened; null if
 * there is none.
 */
export function useFoundDraft<Draft>(name: string): Draft | null {
  const { id } = useMe()
  const [found] = useState(() => readDraft<Draft>(name, id))
  return found
}

/**
 * The draft that `choose` takes of those that this person left under names that begin with `group`, and its name. If it
 * takes none, the draft is null and the name is a new one. It chooses once, when the screen opens.
 */
export function useChosenDraft<Draft>(
  group: string,
  choose: (drafts: readonly NamedDraft<Draft>[]) => NamedDraft<Draft> | undefined,
): NamedDraft<Draft | null> {
  const { id } = useMe()
  const [chosen] = useState(() => choose(readDrafts(group, id)) ?? { name: `${group} ${Date.now()}`, draft: null })
  return chosen
}

export type Begin = (isAfresh: boolean) => void

/** Calls `run` if the session of this person ends. Their own logout is no such end. */
function useWhenSessionEnds(run: () => void): void {
  const latest = useRef(run)
  latest.current = run
  useEffect(
    () =>
      onLoggedOut((isAsked) => {
        if (!isAsked) latest.current()
      }),
    [],
  )
}

/**
 * Keeps `draft` in this browser for this person only if their session ends: for a form that asks before the person
 * leaves it. null keeps nothing. After their next login a message leads the person to the draft.
 */
export function useKeepAtEnd(name: string, draft: object | null): void {
  const { id } = useMe()
  useWhenSessionEnds(() => {
    if (draft === null) return
    try {
      keepDraft(name, id, draft)
      rememberScreen(id)
    } catch {
      // The browser refuses to keep it, and nobody can be asked any more.
    }
  })
}

/**
 * Keeps `draft` in this browser for this person, also when they follow links, reload, or their session ends. null keeps
 * nothing. `isLost` is true if the browser refuses to keep the draft: ask before the person leaves. Call `drop` when
 * the draft is finished.
 *
 * Call `discard` when the person discards it. The toast has an Undo button. `begin` begins the form again: afresh, or,
 * after Undo, with the draft that it finds.
 */
export function useKeepDraft(
  name: string,
  draft: object | null,
): { isLost: boolean; drop: () => void; discard: (begin: Begin) => void } {
  const { id } = useMe()
  const [isLost, setLost] = useState(false)
  const latest = useRef<{ draft: object | null; isEnded: boolean }>({ draft, isEnded: false })
  /**
   * Only a change is written. A tab that is left or closed would otherwise write an old state over that of another tab,
   * or bring back a draft that was finished there.
   */
  const isUnwritten = useRef(false)
  /** Returns true if there is a draft now. */
  const write = useRef((): boolean => false)
  write.current = () => {
    const { draft, isEnded } = latest.current
    if (draft === null || isEnded) return false
    if (!isUnwritten.current) return !isLost
    isUnwritten.current = false
    try {
      keepDraft(name, id, draft)
      return true
    } catch {
      setLost(true)
      return false
    }
  }
  useWhenSessionEnds(() => {
    if (write.current()) rememberScreen(id)
  })
  useEffect(() => {
    const { draft: before } = latest.current
    // A draft that begins again after it was dropped is another one.
    const isEnded = latest.current.isEnded && (before !== null || draft === null)
    latest.current = { draft, isEnded }
    isUnwritten.current = draft !== null
    // There was a draft and now there is none: the person has emptied the form.
    if (draft === null && before !== null && !isEnded) dropDraft(name, id)
    if (draft === null) return undefined
    const timer = setTimeout(() => write.current(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft, name, id])
  useEffect(() => {
    const now = () => void write.current()
    addEventListener('pagehide', now)
    return () => {
      removeEventListener('pagehide', now)
      now()
    }
  }, [])
  const drop = () => {
    latest.current.isEnded = true
    dropDraft(name, id)
  }
  return {
    isLost,
    drop,
    discard(begin) {
      const { draft: discarded } = latest.current
      drop()
      begin(true)
      if (discarded === null) return
      const run = () => {
        keepDraft(name, id, discarded)
        begin(false)
      }
      const action = { text: 'Undo', run }
      showToast({ type: 'success', message: 'Draft discarded', about: `draft ${name}`, action })
    },
  }
}
