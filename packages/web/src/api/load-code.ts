import { showToast } from './toast.ts'

const ASK_AGAIN_MS = 5000

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

/**
 * Loads the code of a screen. Without a connection it says so and waits for one: the router would reload the page, and
 * the browser would show its own page of errors. If the server answers, the code may be of an older version. The error
 * is then thrown, and the router reloads the page.
 */
export async function loadCode<Code>(load: () => Promise<Code>): Promise<Code> {
  for (let tries = 1; ; tries++)
    try {
      return await load()
    } catch (error) {
      if (await isReached()) throw error
      if (tries === 1)
        showToast({ type: 'error', message: 'No connection. The screen opens as soon as there is one.', about: 'code' })
      await nextTry()
    }
}
