import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { keepPace, newPace } from './pace.ts'

/** The factor by which work takes longer if a request comes every `everyMs`. */
async function slowedBy(everyMs: number, pieceMs: number): Promise<number> {
  let now = 0
  let next = everyMs
  const pass = async (ms: number) => {
    for (now += ms; next <= now; next += everyMs) pace.asked()
  }
  const pace = newPace(pass)
  const long = pace.longWork()
  for (let worked = 0; worked < 12_000; worked += pieceMs) {
    await pass(pieceMs)
    await long.worked(pieceMs)
  }
  return now / 12_000
}

test('work takes as long as alone if nobody asks', async () => {
  expect(await slowedBy(Number.POSITIVE_INFINITY, 100)).toBe(1)
})

test.each([2, 20, 200])('each request takes twenty milliseconds from work in pieces of %s ms', async (pieceMs) => {
  expect(await slowedBy(1000, pieceMs)).toBeCloseTo(1 / 0.98, 1)
  expect(await slowedBy(100, pieceMs)).toBeCloseTo(1 / 0.8, 1)
  expect(await slowedBy(40, pieceMs)).toBeCloseTo(1 / 0.5, 1)
})

test.each([2, 20, 200])('work keeps a fifth of the time however much is asked, in pieces of %s ms', async (pieceMs) => {
  expect(await slowedBy(20, pieceMs)).toBeCloseTo(5, 0)
  expect(await slowedBy(0.5, pieceMs)).toBeCloseTo(5, 1)
})

test('a rest is a second at most, and soon after the last request there is none', async () => {
  const rests: number[] = []
  const pace = newPace(async (ms) => void rests.push(ms))
  const long = pace.longWork()
  for (let n = 0; n < 1000; n++) pace.asked()
  for (const ms of [50, 2000, 2000]) await long.worked(ms)
  expect(rests).toEqual([200, 800])
})

test('requests to the API count, and nothing else', async () => {
  const app = Fastify()
  keepPace(app)
  app.get('/api/thing', async () => ({}))
  app.get('/picture', async () => ({}))
  const asked = vi.spyOn(app.pace, 'asked')
  await app.inject('/picture')
  expect(asked).not.toHaveBeenCalled()
  await app.inject('/api/thing')
  expect(asked).toHaveBeenCalledOnce()
  await app.close()
})

test('an export waits while a part of an import is being written, and the import gets what its part answers', async () => {
  const pace = newPace(nextTurn)
  const [importing, exporting] = [pace.longWork(), pace.longWork()]
  const writing = Promise.withResolvers<string>()
  const part = importing.work(() => writing.promise)
  pace.asked()
  let hasWaited = false
  const exported = exporting.worked(1).then(() => {
    hasWaited = true
  })
  for (let turn = 0; turn < 10; turn++) await nextTurn()
  expect(hasWaited).toBe(false)
  writing.resolve('written')
  await exported
  expect(await part).toBe('written')
  await expect(importing.work(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  await exporting.worked(1)
})
