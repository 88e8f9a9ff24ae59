import { idempotencyKey } from './client.ts'

/**
 * Returns a function that gives the idempotency key of a write. The key stays the same while the text of the write
 * does, so that repeated attempts take effect once.
 */
export function sameKey(): (text: string) => string {
  let sent: { text: string; key: string } | undefined
  return (text) => {
    if (sent?.text !== text) sent = { text, key: idempotencyKey() }
    return sent.key
  }
}
