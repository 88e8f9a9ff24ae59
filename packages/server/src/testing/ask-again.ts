import { setTimeout as delay } from 'node:timers/promises'
import { asRefusal } from '../http/errors.ts'

type Heard = { status: number; headers: Record<string, unknown> }

const PAUSE_MS = 50

/**
 * Whether an answer asks to try again, because somebody held a lock for too long, or all connections were taken. If
 * many ask at once, such an answer is right. The request had no effect. How often this happens depends on the machine.
 */
export const isBusy = ({ status, headers }: Heard) =>
  (status === 409 || status === 503) && headers['retry-after'] !== undefined

/** Repeats a request, as browsers and partners do, until it is accepted or refused for good. */
export async function untilDecided<Answer extends Heard>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (!isBusy(answer)) return answer
    await delay(PAUSE_MS)
  }
}

/** Runs an action of the server's own code again if it fails because others held a lock or all connections too long. */
export async function untilFree<Result>(act: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      const refusal = asRefusal(error)
      if (!(refusal?.retryAfter && (refusal.status === 409 || refusal.status === 503))) throw error
      await delay(PAUSE_MS)
    }
  }
}
