export type ToastType = 'success' | 'error' | 'warning' | 'info'

/**
 * `event` marks news from the background (an import finished, a mail failed): such a toast stays for 3 s and has a
 * close button and a progress bar. Every other toast answers an action of the person and stays for 5 s.
 */
export type Toast = {
  id: number
  type: ToastType
  title: string
  message: string
  /** The toast's link: its address and its text. */
  link: { to: string; text: string } | null
  /** The toast's button: its text and its action. */
  action: { text: string; run: () => void } | null
  event: boolean
  /** The toast's subject: the next toast about the same subject replaces this one. */
  about: string | null
  /** The number of messages that this toast has shown. Each new message starts its time again. */
  told: number
}
export type NewToast = Pick<Toast, 'type' | 'message'> & Partial<Omit<Toast, 'id' | 'told'>>

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function replace(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

const isTwin = (a: Toast, b: Toast) => a.type === b.type && a.title === b.title && a.message === b.message

/**
 * Shows a toast on top of the others and returns its id. If a toast of the same type has the same subject, it keeps its
 * id and shows the new words. Toasts of other types about that subject are removed, and so is a toast with the same
 * words.
 */
export function showToast(toast: NewToast): number {
  const added: Toast = {
    title: '',
    link: null,
    action: null,
    event: false,
    about: null,
    ...toast,
    id: ++lastId,
    told: 1,
  }
  const isSame = (other: Toast) => other.about !== null && other.about === added.about
  const same = toasts.find((other) => isSame(other) && other.type === added.type)
  const now = same ? { ...added, id: same.id, told: same.told + 1 } : added
  replace([now, ...toasts.filter((other) => !isSame(other) && !isTwin(other, added))])
  return now.id
}

export function removeToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id))
}

/** Removes every toast about a subject. */
export function removeToastsAbout(about: string): void {
  if (toasts.some((toast) => toast.about === about)) replace(toasts.filter((toast) => toast.about !== about))
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
