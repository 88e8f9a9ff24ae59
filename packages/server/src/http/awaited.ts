import type { FastifyReply } from 'fastify'
import { Refusal } from './refusal.ts'

/**
 * A signal that is aborted if the client leaves before it has the answer, for example because a person closes the tab.
 */
export function whileAwaited({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  const leave = () => {
    if (!raw.writableFinished) leaving.abort(new Refusal(499, 'Nobody waits for this any more.'))
  }
  if (raw.closed) leave()
  else raw.once('close', leave)
  return leaving.signal
}
