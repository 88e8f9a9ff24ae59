import { idempotencyKey } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import type { KeptCodes, Waiting } from './kept-codes.ts'

/** So many codes are sent at once. */
const MOST = 500
const AGAIN_MS = 2000
/** A call that has no answer by then is given up and repeated, so that nothing waits behind it for ever. */
const PATIENCE_MS = 30_000

export type QueueState = {
  /** Codes whose result is not known yet. */
  waiting: number
  /** Why they wait; null while they are being sent. */
  trouble: string | null
}

/** Sends codes. It may be called again with the same codes and the same key, and ends if the signal is aborted. */
export type SendCodes = (codes: readonly string[], key: string, signal: AbortSignal) => Promise<void>

/** Runs something later, and answers how to call that off. */
type Timer = (run: () => void, ms: number) => () => void
const inTime: Timer = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

type Options = {
  /** The store of waiting codes; memory alone if it is left out. */
  kept?: KeptCodes
  later?: Timer
}

/**
 * Sends codes in the order in which they were scanned, none twice and none never: codes that could not be sent
 * stay. While the server cannot be reached it is tried again by itself; after any other refusal with the next code,
 * or by `retry`.
 */
export function scanQueue(
  send: SendCodes,
  onChange: (state: QueueState) => void,
  { kept, later = inTime }: Options = {},
) {
  const { codes: waiting, batch: before } = kept?.read() ?? { codes: [], batch: null }
  let batch: Waiting['batch'] = before
  let sending: AbortController | null = null
  let isStopped = false
  let callOff = () => {}

  const save = () => kept?.keep({ codes: waiting, batch })
  const tell = (trouble: string | null) => onChange({ waiting: waiting.length, trouble })

  async function sendFirst(call: AbortController): Promise<void> {
    // The same codes under the same key, until they are through.
    batch ??= { size: Math.min(MOST, waiting.length), key: idempotencyKey() }
    save()
    const tooSlow = () => call.abort(new DOMException('No answer came.', 'TimeoutError'))
    const answered = later(tooSlow, PATIENCE_MS)
    await send(waiting.slice(0, batch.size), batch.key, call.signal).finally(answered)
    if (sending !== call) return
    waiting.splice(0, batch.size)
    batch = null
    save()
    tell(null)
  }

  async function run(): Promise<void> {
    if (sending || isStopped || waiting.length === 0) return
    callOff()
    tell(null)
    const call = { now: new AbortController() }
    sending = call.now
    try {
      while (sending === call.now && waiting.length > 0) {
        sending = call.now = new AbortController()
        await sendFirst(call.now)
      }
      if (sending === call.now) sending = null
    } catch (error) {
      // If another queue took the codes over, it sends them again, under their key.
      if (sending !== call.now) return
      sending = null
      if (!(error instanceof ApiError)) throw error
      tell(error.message)
      if (error.isOutage || error.status === 409) callOff = later(() => void run(), AGAIN_MS)
    }
  }

  return {
    add(codes: readonly string[]): void {
      if (codes.length === 0) return
      waiting.push(...codes)
      save()
      void run()
    },
    retry: () => void run(),
    /** Goes on with waiting codes from before. */
    start(): void {
      isStopped = false
      void run()
    },
    /** Sends nothing more, even after another login; waiting codes stay stored. */
    stop(): void {
      isStopped = true
      callOff()
      sending?.abort()
      sending = null
    },
    /** Forgets waiting codes. */
    discard(): void {
      sending?.abort()
      sending = null
      callOff()
      waiting.length = 0
      batch = null
      save()
      tell(null)
    },
  }
}
