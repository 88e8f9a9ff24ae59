import { showToast } from '../../api/toast.ts'

/** The screen whose draft was kept when the session of this person ended, until somebody logs in. */
let interrupted: { userId: number; to: string } | null = null

/** Call it if the end of this person's session has kept a draft of the screen that is open now. */
export function rememberScreen(userId: number): void {
  interrupted = { userId, to: location.pathname + location.search }
}

/** Call it after a login. Tells this person once that a draft is kept, with a link. Somebody else is told nothing. */
export function tellInterrupted(userId: number): void {
  if (interrupted?.userId === userId)
    showToast({
      type: 'info',
      message: 'Your session ended before you were done. Your draft is kept in this browser.',
      link: { to: interrupted.to, text: 'Go back to it' },
    })
  interrupted = null
}
