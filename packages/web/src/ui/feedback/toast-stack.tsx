import { Button, Notification, Portal } from '@mantine/core'
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { removeToast, type Toast, toastStore } from '../../api/toast.ts'
import { TextLink } from '../values/link.tsx'
import { forgetPlace, keepInPlace } from './toast-place.ts'
import classes from './toast-stack.module.css'

const COLOURS = { success: 'green', error: 'red', warning: 'orange', info: 'accent' } as const
const FADE_MS = 300

/**
 * Reports new toasts once the browser has drawn what the person did: a free place for a toast takes as long to find as a
 * ticked row takes to draw. Toasts that go, go at once. A page in the background draws no frames.
 */
function subscribeAfterFrame(listener: () => void): () => void {
  let before = toastStore.read()
  return toastStore.subscribe(() => {
    const now = toastStore.read()
    const isTold = now.some((toast) => !before.includes(toast))
    before = now
    if (isTold && !document.hidden) requestAnimationFrame(() => setTimeout(listener))
    else listener()
  })
}

/**
 * All toasts, at the top right, the newest on top. A toast under the pointer stays, and for one more second afterwards.
 */
export default function ToastStack() {
  const toasts = useSyncExternalStore(subscribeAfterFrame, toastStore.read)
  // State and not a ref, because the portal draws its content after the first effect has run.
  const [stack, setStack] = useState<HTMLElement | null>(null)
  const told = toasts.map(({ id, told }) => `${id} ${told}`).join()

  // biome-ignore lint/correctness/useExhaustiveDependencies: each new message may need another place
  useLayoutEffect(() => {
    if (!stack) return undefined
    return toasts.length > 0 ? keepInPlace(stack) : forgetPlace(stack)
  }, [told, stack])

  return (
    <Portal>
      <section ref={setStack} className={classes['stack']} aria-label="Messages">
        {toasts.map((toast) => (
          <OneToast key={toast.id} toast={toast} />
        ))}
      </section>
    </Portal>
  )
}

function OneToast({ toast }: { toast: Toast }) {
  const stays = toast.event ? 3000 : 5000
  const [state, setState] = useState<'inactive' | 'active' | 'removed'>('inactive')
  const [hovered, setHovered] = useState(false)
  const extended = useRef(false)
  const leave = () => setState('removed')

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message makes the toast appear again
  useEffect(() => {
    extended.current = false
    const frame = requestAnimationFrame(() => setState('active'))
    return () => cancelAnimationFrame(frame)
  }, [toast.told])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message starts the toast's time again
  useEffect(() => {
    if (hovered) {
      extended.current = true
      return
    }
    const timer = setTimeout(() => setState('removed'), extended.current ? 1000 : stays)
    return () => clearTimeout(timer)
  }, [hovered, stays, toast.told])

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message while the toast fades keeps the toast
  useEffect(() => {
    if (state !== 'removed') return
    const timer = setTimeout(() => removeToast(toast.id), FADE_MS)
    return () => clearTimeout(timer)
  }, [state, toast.id, toast.told])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the toast stays as long as the pointer or the focus is in it
    <div
      className={classes['toast']}
      data-state={state}
      onPointerEnter={() => setHovered(true)}
      onPointerLeave={() => setHovered(false)}
      onFocus={() => setHovered(true)}
      onBlur={() => setHovered(false)}
    >
      <Notification
        role={toast.type === 'error' ? 'alert' : 'status'}
        color={COLOURS[toast.type]}
        title={toast.title || undefined}
        withBorder
        withCloseButton
        closeButtonProps={{ 'aria-label': 'Close message' }}
        onClose={leave}
      >
        {toast.message}
        {toast.link && (
          <>
            {' '}
            <TextLink to={toast.link.to} inherit underline="always" onClick={leave}>
              {toast.link.text}
            </TextLink>
          </>
        )}
        {toast.action && <Action {...toast.action} onDone={() => removeToast(toast.id)} />}
        {toast.event && <span className={classes['time']} data-paused={hovered || undefined} />}
      </Notification>
    </div>
  )
}

function Action({ text, run, onDone }: { text: string; run: () => void; onDone: () => void }) {
  const act = () => {
    onDone()
    run()
    // The focus was on the button, which is gone now.
    document.querySelector('main')?.focus({ preventScroll: true })
  }
  return (
    <Button size="compact-sm" variant="default" ml="sm" onClick={act}>
      {text}
    </Button>
  )
}
