export type ToastType = 'success' | 'error' | 'warning' | 'info'

/**
 * `event` marks news from the background (an import finished, a mail failed): shown for 3 s with a close button and a
 * progress bar, never twice at once. Every other toast answers what the person did and stays for 5 s.
 */
export type Toast = {
  id: number
  type: ToastType
  title: string
  message: string
  /** Where it leads, and what that is called. */
  link: { to: string; text: string } | null
  event: boolean
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function replace(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a toast, newest on top. */
export function showToast(toast: Pick<Toast, 'type' | 'message'> & Partial<Omit<Toast, 'id'>>): void {
  const added: Toast = { title: '', link: null, event: false, ...toast, id: ++lastId }
  const twin = (other: Toast) =>
    other.event && other.title === added.title && other.message === added.message && other.link?.to === added.link?.to
  if (added.event && toasts.some(twin)) return
  replace([added, ...toasts])
}

export function removeToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id))
}

export const toastStore = {
  subscribe(listener: () => void) {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  },
  read: () => toasts,
}
