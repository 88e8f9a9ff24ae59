import { idempotencyKey } from '../../api/client.ts'

/** The key of a write: the same for every attempt as long as nothing in it changes, so that it takes effect once. */
export function sameKey(): (text: string) => string {
  let sent: { text: string; key: string } | undefined
  return (text) => {
    if (sent?.text !== text) sent = { text, key: idempotencyKey() }
    return sent.key
  }
}
