import { useEffect, useState, useSyncExternalStore } from 'react'
import { onLoggedOut, useMe } from '../../api/session.ts'
import type { QueueState } from './scan-queue.ts'
import { scanSession } from './scan-session.ts'

const IDLE: QueueState = { waiting: 0, trouble: null }

function openSession(userId: number) {
  const listeners = new Set<() => void>()
  let queue = IDLE
  let isRestored = false
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const session = scanSession(userId, tell, (state) => {
    queue = state
    tell()
  })
  return {
    session,
    queue: () => queue,
    /** Restores the scans and looks up the waiting ones. Returns a function that stops this. */
    begin() {
      if (!isRestored) session.restore()
      isRestored = true
      session.start()
      const forget = onLoggedOut(session.stop)
      return () => {
        forget()
        session.stop()
      }
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** This person's scans in this window, also those from before a reload, with their items as they are now. */
export function useScans() {
  const { id } = useMe()
  const [{ session, queue, begin, subscribe }] = useState(() => openSession(id))
  useEffect(begin, [begin])
  return {
    ...useSyncExternalStore(subscribe, session.read),
    queue: useSyncExternalStore(subscribe, queue),
    session,
  }
}
