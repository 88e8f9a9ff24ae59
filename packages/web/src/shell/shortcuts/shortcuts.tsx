import { useRouter } from '@tanstack/react-router'
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import { useMe } from '../../api/session.ts'
import { isModalOpen, TAKES_TEXT } from '../../ui/layout/takes-keys.ts'
import { keyOrder, SCANNER_MS } from './key-order.ts'
import { overviewStore } from './overview.ts'
import { areOff } from './switched-off.ts'
import { OF_KEYS } from './table.ts'

const Overview = lazyPart(() => import('./overview-dialog.tsx'))

/** Keys that do not count by themselves: '?' is Shift and another key. */
const MODIFIERS = ['Shift', 'CapsLock', 'AltGraph', 'Control', 'Alt', 'Meta']
const TAKES_KEYS = `${TAKES_TEXT}, select, [readonly], [role=dialog] *, [role=menu] *, [role=listbox] *`

/** Whether a field, a menu or a dialog takes the keys now. */
const isElsewhere = (target: EventTarget | null = document.activeElement) =>
  (target instanceof Element && target.matches(TAKES_KEYS)) || isModalOpen()

function isPlain(event: KeyboardEvent): boolean {
  const held = event.ctrlKey || event.altKey || event.metaKey
  return event.key.length === 1 && !event.repeat && !event.isComposing && (!held || event.getModifierState('AltGraph'))
}

/** Listens for the shortcuts of single keys, and draws the overview. */
export function Shortcuts() {
  const router = useRouter()
  const { id } = useMe()
  useEffect(() => {
    const order = keyOrder(OF_KEYS.map(({ keys }) => keys))
    let waiting: ReturnType<typeof setTimeout> | undefined
    const run = (typed: string) => {
      // Meanwhile a screen for scanners may have moved the focus into its field, which then takes the key.
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
      // In Firefox this key would open the search in the page.
      if (event.key === '/') event.preventDefault()
      const typed = order.press({ key: event.key, at: event.timeStamp })
      if (typed !== null) waiting = setTimeout(run, SCANNER_MS, typed)
    }
    // A listener on the window runs after those on the document, in which screens for scanners move the focus.
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
