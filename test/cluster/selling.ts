import { setTimeout as delay } from 'node:timers/promises'
import type { Person } from './person.ts'

/** A sale that was requested until it got a final answer. */
export type Sale = { key: string; body: object; item: number; id: number | 'sold to another' }
type Heard = { at: number; status: number; retryAfter: string | null }

/** The pause before a request is repeated. */
const PAUSE_MS = 100
/** One of this many sales has an invoice and a mail, which jobs make. */
const WITH_INVOICE = 25

/**
 * Sells without a pause, with several sellers at once; two sellers want each item. A request that gets 503 is repeated
 * under the same key, as a browser or a partner would do, until it gets a final answer.
 */
export class Selling {
  readonly sales: Sale[] = []
  readonly heard: Heard[] = []
  /** Never resolves. Rejects if a seller gets an error that is no allowed answer. */
  readonly failed: Promise<never>
  #stopping = false
  #next = 0
  readonly #done: Promise<unknown>

  /**
   * `name` makes the keys of this object different from those of other objects. `rest` is the pause of a seller between
   * two sales in ms.
   */
  constructor(
    person: Person,
    items: number[],
    customer: number,
    hands: number,
    { name = 'sale', rest = 0, mails = true } = {},
  ) {
    this.#done = Promise.all(
      Array.from({ length: hands }, async () => {
        while (!this.#stopping && this.#next < items.length * 2) {
          const n = this.#next++
          const item = items[n >> 1]!
          const documents = n % WITH_INVOICE === 0
          await this.#sell(person, `${name}-${n}`, item, {
            stock_items: [{ id: item, sales_price: 30_000 }],
            customer_id: customer,
            create_invoice: documents,
            send_email: documents && mails,
          })
          if (rest > 0) await delay(rest)
        }
      }),
    )
    this.failed = this.#done.then(() => new Promise<never>(() => undefined))
    this.failed.catch(() => undefined)
  }

  async #sell(person: Person, key: string, item: number, body: object): Promise<void> {
    for (;;) {
      const answer = await person.call('/api/sale/create', { method: 'POST', body, key }).catch((error: Error) => ({
        status: 0,
        body: { message: String(error.cause ?? error) },
        retryAfter: null,
      }))
      const { status, retryAfter } = answer
      this.heard.push({ at: performance.now(), status, retryAfter })
      if (status === 201) return void this.sales.push({ key, body, item, id: answer.body.data.id })
      // 409 with Retry-After means that the same request is still under way.
      if (status === 409 && !retryAfter) return void this.sales.push({ key, body, item, id: 'sold to another' })
      if (status !== 503 && status !== 409) throw new Error(`${status}: ${answer.body.message}`)
      await delay(PAUSE_MS)
    }
  }

  /** Waits until `n` sales were acknowledged after the moment `since`. Rejects as `failed` does. */
  async acknowledged(n: number, since = 0): Promise<void> {
    while (this.count(since, Number.POSITIVE_INFINITY, (status) => status === 201) < n)
      await Promise.race([delay(PAUSE_MS / 10), this.failed])
  }

  /** Stops all sellers. Rejects as `failed` does. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.#done
  }

  /** The number of answers between two moments whose status is wanted. */
  count(from: number, to: number, isWanted: (status: number) => boolean): number {
    return this.heard.filter(({ at, status }) => at >= from && at < to && isWanted(status)).length
  }

  /**
   * The longest time in seconds between two moments in which no sale was decided, neither made nor refused as already
   * sold.
   */
  longestPause(from: number, to: number): number {
    const decided = this.heard.filter(({ status, retryAfter }) => status === 201 || (status === 409 && !retryAfter))
    const moments = [from, ...decided.map(({ at }) => at).filter((at) => at > from && at < to), to]
    return Math.max(...moments.slice(1).map((at, n) => at - moments[n]!)) / 1000
  }

  /** The time in ms from a moment to the first acknowledged sale, and to the last 503. */
  after(moment: number): { firstSale: number; last503: number } {
    const later = this.heard.filter(({ at }) => at > moment)
    return {
      firstSale: Math.round((later.find(({ status }) => status === 201)?.at ?? Number.POSITIVE_INFINITY) - moment),
      last503: Math.round((later.findLast(({ status }) => status === 503)?.at ?? moment) - moment),
    }
  }
}
