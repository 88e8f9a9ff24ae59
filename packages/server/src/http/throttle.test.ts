import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Database } from '../db/connect.ts'
import { untilFree } from '../testing/ask-again.ts'
import { type TestDatabase, testDatabase } from '../testing/database.ts'
import { Refusal } from './refusal.ts'
import { countTry, forgetTries, uncountTry } from './throttle.ts'

const [LIMIT, SECONDS] = [10, 900]
const SLICE = SECONDS / 30

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await testDatabase()
  db = connect(database.connection)
})
afterAll(async () => {
  await db.close()
  await database.drop()
})

/** The number of simultaneous tries that pass, and the waiting times in the answers to the others. */
async function tries(key: string, n: number): Promise<{ passed: number; waits: number[] }> {
  const ends = await Promise.allSettled(
    Array.from({ length: n }, () => untilFree(() => countTry(db, key, LIMIT, SECONDS))),
  )
  const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Refusal] : []))
  for (const refusal of refused) expect(refusal).toBeInstanceOf(Refusal)
  expect(refused.every(({ status }) => status === 429)).toBe(true)
  return { passed: n - refused.length, waits: refused.map(({ retryAfter }) => retryAfter!) }
}

/** Moves all counts back in time by this many slices. */
const later = (key: string, slices: number) =>
  db.write(async (tx) => {
    const counted = await tx
      .deleteFrom('throttle')
      .where('key', 'like', `${key}#%`)
      .returning(['key', 'n', sql<string>`window_start - make_interval(secs => ${slices * SLICE})`.as('window_start')])
      .execute()
    const moved = counted.map((row) => ({
      ...row,
      key: `${key}#${(Number(row.key.split('#')[1]) - slices + 62) % 31}`,
    }))
    await tx.insertInto('throttle').values(moved).execute()
  })

test('only so many tries at once pass', async () => {
  const key = randomUUID()
  const { passed, waits } = await tries(key, 60)
  expect(passed).toBe(LIMIT)
  for (const wait of waits) {
    expect(wait).toBeGreaterThan(SECONDS - 1)
    expect(wait).toBeLessThanOrEqual(SECONDS + SLICE)
  }
})

test('no window has more than the limit, wherever it begins', async () => {
  const key = randomUUID()
  await tries(key, 1)
  await later(key, 28)
  expect((await tries(key, 20)).passed).toBe(LIMIT - 1)
  await later(key, 3)
  // The first try has left the window, the other nine have not. If the count began anew, ten would pass.
  expect((await tries(key, 20)).passed).toBe(1)
  await later(key, 28)
  expect((await tries(key, 20)).passed).toBe(LIMIT - 1)
})

test('a refused try does not count, and a right one is taken back', async () => {
  const key = randomUUID()
  const first = await countTry(db, key, LIMIT, SECONDS)
  await tries(key, 100)
  await uncountTry(db, first)
  expect((await tries(key, 5)).passed).toBe(1)
  await later(key, 31)
  expect((await tries(key, 20)).passed).toBe(LIMIT)
})

test('keys do not touch each other; one can be forgotten', async () => {
  const key = randomUUID()
  await tries(key, 20)
  expect((await tries(`${key}#1`, 20)).passed).toBe(LIMIT)
  await db.write((tx) => forgetTries(tx, key))
  expect((await tries(`${key}#1`, 1)).passed).toBe(0)
  expect((await tries(key, 20)).passed).toBe(LIMIT)
})
