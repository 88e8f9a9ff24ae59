import { Kbd, Tooltip, UnstyledButton } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import IconSearch from '@tabler/icons-react/dist/esm/icons/IconSearch.mjs'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '../api/lazy-part.ts'
import { whenIdle } from '../api/when-idle.ts'
import { EarlyField, type EarlyKeys } from './quick-search/early-field.tsx'
import classes from './top-bar.module.css'

/**
 * The code of quick search is loaded this long after the first screen, so that it opens at once. Keys that are typed
 * sooner are kept.
 */
const SOON_MS = 3000

const load = () => import('./quick-search/quick-search.tsx')
const QuickSearch = lazyPart(load)

const MAC = /Mac|iPhone|iPad/.test(navigator.platform)

/**
 * The button that opens quick search. Ctrl+K (or Cmd+K) opens it on any screen. When it closes, the element that had
 * the focus gets it back.
 */
export function QuickSearchButton() {
  const [opened, setOpened] = useState(false)
  const [wanted, setWanted] = useState(false)
  const before = useRef<Element | null>(null)
  const [isComposing, setComposing] = useState(false)
  const takeEarly = useRef<(() => EarlyKeys) | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => whenIdle(() => void load().catch(() => {})), SOON_MS)
    return () => clearTimeout(timer)
  }, [])

  const open = () => {
    // It does not open over a modal dialog, which waits for an answer.
    if (opened || document.querySelector('[role="dialog"][aria-modal="true"]')) return
    before.current = document.activeElement
    setWanted(true)
    setOpened(true)
  }
  const close = () => {
    setOpened(false)
    setComposing(false)
    requestAnimationFrame(() => {
      if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true })
    })
  }
  useHotkeys([['mod+K', open]], [])

  return (
    <>
      <Tooltip label={`Quick search (${MAC ? '⌘' : 'Ctrl+'}K)`}>
        <UnstyledButton
          className={classes['search'] ?? ''}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K Meta+K"
          onPointerEnter={() => void load().catch(() => {})}
          onClick={open}
        >
          <IconSearch size={18} stroke={1.6} />
          <span className={classes['name']}>Quick search</span>
          <Kbd size="xs" className={classes['hint'] ?? ''}>
            {MAC ? '⌘K' : 'Ctrl K'}
          </Kbd>
        </UnstyledButton>
      </Tooltip>
      {/* People type on right after Ctrl+K. Until the search field has the focus, this field takes their text. */}
      {opened && <EarlyField take={takeEarly} onComposing={setComposing} onEscape={close} />}
      {wanted && (
        <Suspense>
          <QuickSearch opened={opened && !isComposing} onClose={close} takeEarly={() => takeEarly.current?.()} />
        </Suspense>
      )}
    </>
  )
}
