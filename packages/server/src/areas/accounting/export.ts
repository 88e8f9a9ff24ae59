import { Readable } from 'node:stream'
import type { BookedDocument } from '@backstock/contract/accounting.ts'
import type { Database, Db } from '../../db/connect.ts'
import type { Pace } from '../../http/pace.ts'
import { Refusal } from '../../http/refusal.ts'
import { documentsOf } from './documents.ts'
import type { Period } from './period.ts'
import { type BookedCredit, creditsOf } from './purchases.ts'

type Documents = AsyncIterable<BookedDocument[]>
type Credits = AsyncIterable<BookedCredit[]>
/** Makes streams of a file's pieces. Throws 503 if too many run at once. */
export type Limit = (pieces: () => AsyncIterable<string | Buffer>) => Readable
/** Makes the pieces of a file. `documents` and `credits` are read only if the function iterates over them. */
export type Make = (db: Db, documents: Documents, credits: Credits) => AsyncIterable<string | Buffer>

/** Counts the exports that run, `most` of which may run at once. If a stream is destroyed, its reading ends. */
export function exportLimit(most: number): Limit {
  let running = 0
  return (pieces) => {
    if (running >= most)
      throw new Refusal(503, 'Too many exports are running. Please try again in a moment.', { retryAfter: 10 })
    running++
    return Readable.from(pieces(), { objectMode: false }).once('close', () => {
      running--
    })
  }
}

/** Makes streams with files of a period, which are read as of one moment. */
export function documentExports(db: Database, pace: Pace, limit: Limit): (period: Period, make: Make) => Readable {
  async function* inPace<Row>(pieces: AsyncIterable<Row[]>): AsyncGenerator<Row[]> {
    const long = pace.longWork()
    let began = performance.now()
    for await (const some of pieces) {
      await long.worked(performance.now() - began)
      yield some
      began = performance.now()
    }
  }

  async function* made(period: Period, make: Make) {
    const snapshot = await db.snapshot()
    try {
      const { read } = snapshot
      yield* make(read, inPace(documentsOf(read, period)), inPace(creditsOf(read, period)))
    } finally {
      await snapshot.end()
    }
  }

  return (period, make) => limit(() => made(period, make))
}
