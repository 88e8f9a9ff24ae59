import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useMe } from '../../api/session.ts'

/** The draft is written when no key was pressed for this long. */
const PAUSE_MS = 300

const keyOf = (name: string, userId: number) => `draft ${name} ${userId}`

function read<Draft>(key: string): Draft | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? 'null')
    return typeof kept === 'object' ? kept : null
  } catch {
    return null
  }
}

/** A browser that refuses to keep drafts may throw here, too. */
function isKept(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null
  } catch {
    return false
  }
}

function onChangeInOtherTab(listener: () => void): () => void {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

/** Whether this browser keeps a draft of this person under this name. For screens beside the form that keeps it. */
export function useHasDraft(name: string): boolean {
  const { id } = useMe()
  return useSyncExternalStore(onChangeInOtherTab, () => isKept(keyOf(name, id)))
}

/**
 * The unfinished draft that this person left under this name, as the browser kept it when the screen opened; null if
 * there is none.
 */
export function useFoundDraft<Draft>(name: string): Draft | null {
  const { id } = useMe()
  const [found] = useState(() => read<Draft>(keyOf(name, id)))
  return found
}

/**
 * Keeps `draft` in this browser for this person, also when they follow links, reload, or their session ends. null keeps
 * nothing. `isLost` is true if the browser refuses to keep the draft: ask before the person leaves. Call `drop` when
 * the draft is finished or discarded.
 */
export function useKeepDraft(name: string, draft: object | null): { isLost: boolean; drop: () => void } {
  const { id } = useMe()
  const key = keyOf(name, id)
  const [isLost, setLost] = useState(false)
  const latest = useRef<{ draft: object | null; isEnded: boolean }>({ draft, isEnded: false })
  const write = useRef(() => {})
  write.current = () => {
    const { draft, isEnded } = latest.current
    if (draft === null || isEnded) return
    try {
      localStorage.setItem(key, JSON.stringify(draft))
    } catch {
      setLost(true)
    }
  }
  useEffect(() => {
    const { draft: before, isEnded } = latest.current
    latest.current.draft = draft
    // There was a draft and now there is none: the person has emptied the form.
    if (draft === null && before !== null && !isEnded) localStorage.removeItem(key)
    if (draft === null) return undefined
    const timer = setTimeout(() => write.current(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [draft, key])
  useEffect(() => {
    const now = () => write.current()
    addEventListener('pagehide', now)
    return () => {
      removeEventListener('pagehide', now)
      now()
    }
  }, [])
  return {
    isLost,
    drop() {
      latest.current.isEnded = true
      localStorage.removeItem(key)
    },
  }
}
