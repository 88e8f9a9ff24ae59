import { Notification, Portal } from '@mantine/core'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { removeToast, type Toast, toastStore } from '../api/toast.ts'
import { TextLink } from './link.tsx'
import classes from './toast-stack.module.css'

const COLOURS = { success: 'green', error: 'red', warning: 'orange', info: 'accent' } as const
const FADE_MS = 300

/** Every toast, top right, newest on top. Hovering keeps one; afterwards it stays for another second. */
export function ToastStack() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read)
  return (
    <Portal>
      <section className={classes['stack']} aria-label="Messages">
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

  useEffect(() => {
    const frame = requestAnimationFrame(() => setState('active'))
    return () => cancelAnimationFrame(frame)
  }, [])

  useEffect(() => {
    if (hovered) {
      extended.current = true
      return
    }
    const timer = setTimeout(() => setState('removed'), extended.current ? 1000 : stays)
    return () => clearTimeout(timer)
  }, [hovered, stays])

  useEffect(() => {
    if (state !== 'removed') return
    const timer = setTimeout(() => removeToast(toast.id), FADE_MS)
    return () => clearTimeout(timer)
  }, [state, toast.id])

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: as long as the pointer or the focus is in it, it stays
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
        onClose={() => setState('removed')}
      >
        {toast.message}
        {toast.link && (
          <>
            {' '}
            <TextLink to={toast.link.to} inherit underline="always" onClick={() => setState('removed')}>
              {toast.link.text}
            </TextLink>
          </>
        )}
        {toast.event && <span className={classes['time']} data-paused={hovered || undefined} />}
      </Notification>
    </div>
  )
}
