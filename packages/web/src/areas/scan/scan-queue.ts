import { idempotencyKey } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import type { KeptCodes, Waiting } from './kept-codes.ts'

/** How many codes one call sends at most. */
const MOST = 500
const AGAIN_MS = 2000
/** If a call has no answer after this time, it is aborted and repeated, so that later codes need not wait for it. */
const PATIENCE_MS = 30_000

export type QueueState = {
  /** The number of codes without a result. */
  waiting: number
  /** The reason why they wait; null while they are being sent. */
  trouble: string | null
}

/**
 * Sends codes. The queue may call it again with the same codes and the same key. It must end if the signal is aborted.
 */
export type SendCodes = (codes: readonly string[], key: string, signal: AbortSignal) => Promise<void>

/** Calls `run` later. Returns a function that cancels this. */
type Timer = (run: () => void, ms: number) => () => void
const inTime: Timer = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

type Options = {
  /** The storage for waiting codes. If left out, they are only in memory. */
  kept?: KeptCodes
  later?: Timer
  /** Takes a code that the server refuses for good. If left out, such a code waits for `retry` or `discard`. */
  onRefused?: (code: string, why: string) => void
}

/** Whether the server refuses the codes themselves, so that sending them again cannot help. */
const isForGood = ({ status }: ApiError) => status === 400 || status === 413 || status === 422

/**
 * Sends codes in the order of the scans. Each arrives exactly once: codes that could not be sent stay in the queue. If
 * the server cannot be reached, the queue tries again by itself. A code that the server refuses for good goes to
 * `onRefused`, and the queue goes on. After any other error it tries again with the next code or on `retry`.
 */
export function scanQueue(
  send: SendCodes,
  onChange: (state: QueueState) => void,
  { kept, later = inTime, onRefused }: Options = {},
) {
  const { codes: waiting, batch: before } = kept?.read() ?? { codes: [], batch: null }
  let batch: Waiting['batch'] = before
  let sending: AbortController | null = null
  let isStopped = false
  let callOff = () => {}

  const save = () => kept?.keep({ codes: waiting, batch })
  const tell = (trouble: string | null) => onChange({ waiting: waiting.length, trouble })

  async function sendFirst(call: AbortController): Promise<void> {
    // The same codes keep the same key until they have arrived.
    batch ??= { size: Math.min(MOST, waiting.length), key: idempotencyKey() }
    save()
    const tooSlow = () => call.abort(new DOMException('The server did not answer.', 'TimeoutError'))
    const answered = later(tooSlow, PATIENCE_MS)
    const { size, key } = batch
    try {
      await send(waiting.slice(0, size), key, call.signal).finally(answered)
    } catch (error) {
      if (sending !== call || !onRefused || !(error instanceof ApiError && isForGood(error))) throw error
      // The refused code is found by halves, so that the others still arrive.
      if (size > 1) {
        batch = { size: Math.ceil(size / 2), key: idempotencyKey() }
        return
      }
      onRefused(waiting[0] ?? '', error.message)
    }
    if (sending !== call) return
    waiting.splice(0, size)
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
      // Another call has taken these codes over and sends them under their key.
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
    /** Sends the codes that still wait. */
    start(): void {
      isStopped = false
      void run()
    },
    /** Stops sending, also after another login. Waiting codes stay stored. */
    stop(): void {
      isStopped = true
      callOff()
      sending?.abort()
      sending = null
    },
    /** Forgets the waiting codes. */
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
