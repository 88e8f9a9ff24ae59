import { useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { useMe } from '../../api/session.ts'
import { isModalOpen, TAKES_TEXT } from '../../ui/layout/takes-keys.ts'
import { keyOrder, SCANNER_MS } from './key-order.ts'
import { overviewStore } from './overview.ts'
import { areOff } from './switched-off.ts'
import { OF_KEYS } from './table.ts'

const Overview = lazy(() => import('./overview-dialog.tsx'))

/** These come with other keys, as Shift with a question mark. */
const MODIFIERS = ['Shift', 'CapsLock', 'AltGraph', 'Control', 'Alt', 'Meta']
const TAKES_KEYS = `${TAKES_TEXT}, select, [readonly], [role=dialog] *, [role=menu] *, [role=listbox] *`

/** Whether keys belong to a field, a menu or a dialog now. */
const isElsewhere = (target: EventTarget | null = document.activeElement) =>
  (target instanceof Element && target.matches(TAKES_KEYS)) || isModalOpen()

function isPlain(event: KeyboardEvent): boolean {
  const held = event.ctrlKey || event.altKey || event.metaKey
  return event.key.length === 1 && !event.repeat && !event.isComposing && (!held || event.getModifierState('AltGraph'))
}

/** Listens for the shortcuts of single keys, and shows the overview of all. */
export function Shortcuts() {
  const router = useRouter()
  const { id } = useMe()
  useEffect(() => {
    const order = keyOrder(OF_KEYS.map(({ keys }) => keys))
    let waiting: ReturnType<typeof setTimeout> | undefined
    const run = (typed: string) => {
      // A screen for scanners has taken the keys into its field meanwhile.
      if (isElsewhere()) return
      const shortcut = OF_KEYS.find(({ keys }) => keys === typed)
      if (shortcut?.to) void router.navigate({ to: shortcut.to })
      else shortcut?.run?.()
    }
    const onKey = (event: KeyboardEvent) => {
      if (MODIFIERS.includes(event.key)) return
      clearTimeout(waiting)
      if (!isPlain(event) || event.defaultPrevented || isElsewhere(event.target) || isElsewhere() || areOff(id))
        return order.forget(event.timeStamp)
      // Firefox would search the page.
      if (event.key === '/') event.preventDefault()
      const typed = order.press({ key: event.key, at: event.timeStamp })
      if (typed !== null) waiting = setTimeout(run, SCANNER_MS, typed)
    }
    // After the document's listeners: a screen for scanners moves the focus there.
    window.addEventListener('keydown', onKey)
    return () => {
      clearTimeout(waiting)
      window.removeEventListener('keydown', onKey)
    }
  }, [router, id])

  const opened = useSyncExternalStore(overviewStore.subscribe, overviewStore.read)
  const [wanted, setWanted] = useState(false)
  if (opened && !wanted) setWanted(true)
  return (
    wanted && (
      <Suspense>
        <Overview opened={opened} />
      </Suspense>
    )
  )
}
