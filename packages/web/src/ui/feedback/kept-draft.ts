import { useEffect, useRef, useState } from 'react'
import { useMe } from '../../api/session.ts'

/** The pause after a key before the draft is written. */
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

/** The unfinished draft of this person under this name, as the browser kept it when the screen opened. */
export function useFoundDraft<Draft>(name: string): Draft | null {
  const { id } = useMe()
  const [found] = useState(() => read<Draft>(keyOf(name, id)))
  return found
}

/**
 * Keeps `draft` in this browser for this person, through links, reloads and the end of a session; null keeps nothing.
 * `isLost`: the browser refuses to keep it, so ask before the person leaves. `drop`: it is done, or discarded.
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
    // The person has emptied the form.
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
