import { setTimeout as delay } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, test, vi } from 'vitest'
import { keepPace, newPace } from './pace.ts'

/** How many times as long as alone work takes in which a request comes so often and takes so long. */
async function slowedBy({ everyMs, tookMs, pieceMs }: Record<'everyMs' | 'tookMs' | 'pieceMs', number>) {
  let now = 0
  let next = everyMs
  const pass = async (ms: number) => {
    for (now += ms; next <= now; next += everyMs) pace.asked(tookMs)
  }
  const pace = newPace(pass)
  const long = pace.longWork()
  for (let worked = 0; worked < 60_000; worked += pieceMs) {
    await pass(pieceMs)
    await long.worked(pieceMs)
  }
  return now / 60_000
}

test('work takes as long as alone where nobody asks', async () => {
  expect(await slowedBy({ everyMs: Number.POSITIVE_INFINITY, tookMs: 1, pieceMs: 100 })).toBe(1)
})

test.each([2, 20, 200])(
  'people have five times the time that their requests take, in pieces of %s ms',
  async (pieceMs) => {
    expect(await slowedBy({ everyMs: 100, tookMs: 4, pieceMs })).toBeCloseTo(1 / (1 - 0.2), 1)
    expect(await slowedBy({ everyMs: 100, tookMs: 6, pieceMs })).toBeCloseTo(1 / (1 - 0.3), 1)
    expect(await slowedBy({ everyMs: 25, tookMs: 3, pieceMs })).toBeCloseTo(1 / (1 - 0.6), 1)
  },
)

test.each([2, 20, 100])('work keeps a fifth of the time however much is asked, in pieces of %s ms', async (pieceMs) => {
  expect(await slowedBy({ everyMs: 20, tookMs: 10, pieceMs })).toBeCloseTo(5, 1)
  expect(await slowedBy({ everyMs: 1, tookMs: 100, pieceMs })).toBeCloseTo(5, 1)
})

test('a rest is half a second at most, and soon after the last request there is none', async () => {
  const rests: number[] = []
  const pace = newPace(async (ms) => void rests.push(ms))
  const long = pace.longWork()
  for (let n = 0; n < 100; n++) pace.asked(100)
  await long.worked(50)
  await long.worked(1000)
  await long.worked(1000)
  expect(rests).toEqual([200, 300])
  // As a download, which takes long without asking for much.
  pace.asked(60_000)
  await long.worked(1000)
  expect(rests).toEqual([200, 300, 500])
})

test('what the API is asked for counts, and nothing else', async () => {
  const app = Fastify()
  keepPace(app)
  app.get('/api/thing', async () => ({}))
  app.get('/picture', async () => ({}))
  const asked = vi.spyOn(app.pace, 'asked')
  await app.inject('/picture')
  expect(asked).not.toHaveBeenCalled()
  await app.inject('/api/thing')
  expect(asked).toHaveBeenCalledExactlyOnceWith(expect.any(Number))
  await app.close()
})

test('an export waits while a part of an import is being written, and the import gets what its part answers', async () => {
  const pace = newPace()
  const [importing, exporting] = [pace.longWork(), pace.longWork()]
  const ended: string[] = []
  const part = importing.work(async () => {
    await delay(50)
    ended.push('part')
    return 'written'
  })
  pace.asked(1)
  await exporting.worked(1)
  ended.push('export')
  expect(ended).toEqual(['part', 'export'])
  expect(await part).toBe('written')
  await expect(importing.work(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  await exporting.worked(1)
})
