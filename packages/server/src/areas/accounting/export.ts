import { Readable } from 'node:stream'
import type { BookedDocument } from '@backstock/contract/accounting.ts'
import type { Database, Db } from '../../db/connect.ts'
import type { Pace } from '../../http/pace.ts'
import { Refusal } from '../../http/refusal.ts'
import { documentsOf } from './documents.ts'
import type { Period } from './period.ts'

/** Each has a connection of its own, and reads as of one moment. */
const MAX_AT_ONCE = 4

type Documents = AsyncIterable<BookedDocument[]>
export type Make = (db: Db, documents: Documents) => AsyncIterable<string | Buffer>

/** Streams files of a period's documents; destroying a stream ends its reading. Throws 503 when too many run at once. */
export function documentExports(db: Database, pace: Pace): (period: Period, make: Make) => Readable {
  let running = 0

  async function* inPace(read: Db, period: Period): AsyncGenerator<BookedDocument[]> {
    const long = pace.longWork()
    let began = performance.now()
    for await (const some of documentsOf(read, period)) {
      await long.worked(performance.now() - began)
      yield some
      began = performance.now()
    }
  }

  async function* made(period: Period, make: Make) {
    const snapshot = await db.snapshot()
    try {
      yield* make(snapshot.read, inPace(snapshot.read, period))
    } finally {
      await snapshot.end()
    }
  }

  return (period, make) => {
    if (running >= MAX_AT_ONCE)
      throw new Refusal(503, 'Too many exports are running. Please try again in a moment.', { retryAfter: 10 })
    running++
    return Readable.from(made(period, make), { objectMode: false }).once('close', () => {
      running--
    })
  }
}
