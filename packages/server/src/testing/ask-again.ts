import { setTimeout as delay } from 'node:timers/promises'

type Heard = { status: number; headers: Record<string, unknown> }

const PAUSE_MS = 50

/**
 * Whether an answer asks to try again: somebody held a lock for too long, or all connections were taken. It is right
 * whenever many ask at once, how often depends on the machine, and it has had no effect.
 */
export const isBusy = ({ status, headers }: Heard) =>
  (status === 409 || status === 503) && headers['retry-after'] !== undefined

/** Asks again, as browsers and partners do, until the answer decides. */
export async function untilDecided<Answer extends Heard>(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask()
    if (!isBusy(answer)) return answer
    await delay(PAUSE_MS)
  }
}
