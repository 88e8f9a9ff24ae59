import { removeToastsAbout, showToast } from './toast.ts'
import { whenIdle } from './when-idle.ts'

const ASK_AGAIN_MS = 5000
/** The subject of the message, which leaves once the code is there. */
const ABOUT = 'code'

/** Whether the server answers, whatever it says. */
const isReached = () =>
  fetch('/healthz', { cache: 'no-store' }).then(
    () => true,
    () => false,
  )

/** Resolves as soon as the browser is online again, and at the latest after some seconds. */
const nextTry = () =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ASK_AGAIN_MS)
    addEventListener('online', () => resolve(), { once: true })
  })

/** The number of loads that wait for a connection, and of those that a person asked for by a key or a click. */
let waiting = 0
let wanted = 0
/** Whether a person waits for a screen. The code of a screen is also loaded ahead, when the pointer rests on its link. */
let isOpening = false

function tell(): void {
  if (wanted === 0 && (!isOpening || waiting === 0)) return
  showToast({ type: 'error', message: 'No connection. The screen opens as soon as there is one.', about: ABOUT })
}

/** The router calls it when it begins to open a screen, and when the screen is open. */
export function setOpening(now: boolean): void {
  isOpening = now
  // A screen whose code is there already is open by then.
  if (isOpening) whenIdle(tell)
}

/**
 * Loads the code of a screen. Without a connection it waits for one, and says so if a person waits for the screen: the
 * router would reload the page, and the browser would show its own page of errors. If the server answers, the code may
 * be of an older version. The error is then thrown, and the router reloads the page. `isWanted` means that a person
 * waits for the code, which is no screen of the router.
 */
export async function loadCode<Code>(load: () => Promise<Code>, { isWanted = false } = {}): Promise<Code> {
  try {
    return await load()
  } catch (error) {
    if (await isReached()) throw error
  }
  waiting++
  if (isWanted) wanted++
  tell()
  try {
    for (;;) {
      await nextTry()
      try {
        return await load()
      } catch (error) {
        if (await isReached()) throw error
      }
    }
  } finally {
    waiting--
    if (isWanted) wanted--
    if (waiting === 0) removeToastsAbout(ABOUT)
  }
}
