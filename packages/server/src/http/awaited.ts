import type { FastifyReply } from 'fastify'
import { Refusal } from './refusal.ts'

/** Aborts when the client leaves before the answer is there, for example by closing the tab. */
export function whileAwaited({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  const leave = () => {
    if (!raw.writableFinished) leaving.abort(new Refusal(499, 'Nobody waits for this any more.'))
  }
  if (raw.closed) leave()
  else raw.once('close', leave)
  return leaving.signal
}
