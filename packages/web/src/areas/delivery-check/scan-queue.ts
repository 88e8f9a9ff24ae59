import { idempotencyKey } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'

/** So many codes are sent at once. */
const MOST = 500
const AGAIN_MS = 2000

export type QueueState = {
  /** Codes whose result is not known yet. */
  waiting: number
  /** Why they wait; null while they are being sent. */
  trouble: string | null
}

type Timer = (run: () => void, ms: number) => unknown

/**
 * Sends codes in the order in which they were scanned, none twice and none never: what could not be sent stays. While
 * the server cannot be reached it is tried again by itself; after any other refusal with the next code, or by `retry`.
 */
export function scanQueue(
  send: (codes: readonly string[], key: string) => Promise<void>,
  onChange: (state: QueueState) => void,
  later: Timer = setTimeout,
) {
  const waiting: string[] = []
  let batch: { codes: string[]; key: string } | null = null
  let isSending = false

  async function run(): Promise<void> {
    if (isSending) return
    isSending = true
    onChange({ waiting: waiting.length, trouble: null })
    try {
      while (waiting.length > 0) {
        // The same codes under the same key, until they are through.
        batch ??= { codes: waiting.slice(0, MOST), key: idempotencyKey() }
        await send(batch.codes, batch.key)
        waiting.splice(0, batch.codes.length)
        batch = null
        onChange({ waiting: waiting.length, trouble: null })
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      onChange({ waiting: waiting.length, trouble: error.message })
      if (error.isOutage || error.status === 409) later(() => void run(), AGAIN_MS)
    } finally {
      isSending = false
    }
  }

  return {
    add(codes: readonly string[]): void {
      if (codes.length === 0) return
      waiting.push(...codes)
      void run()
    },
    retry: () => void run(),
  }
}
