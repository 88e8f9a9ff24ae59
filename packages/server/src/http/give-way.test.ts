import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countArrivals, givingWay } from './give-way.ts'

let app: FastifyInstance
beforeAll(async () => {
  app = Fastify()
  countArrivals(app)
  app.get('/api/thing', async () => ({}))
  app.get('/picture', async () => ({}))
})
afterAll(() => app.close())

const somebodyAsks = () => app.inject('/api/thing')

/** Whether a piece of work is followed by a rest, after what was done meanwhile. */
async function restsAfter(meanwhile: () => Promise<unknown>): Promise<boolean> {
  const pieces = givingWay()
  await meanwhile()
  return Promise.race([pieces.worked(20).then(() => false), nextTurn(true)])
}

test('work rests where somebody asked for something meanwhile, and goes on at once where nobody did', async () => {
  expect(await restsAfter(async () => undefined)).toBe(false)
  expect(await restsAfter(() => app.inject('/picture'))).toBe(false)
  expect(await restsAfter(somebodyAsks)).toBe(true)
  expect(await restsAfter(async () => undefined)).toBe(false)
})

test('it rests for all that it has worked since its last rest, however small the pieces', async () => {
  const [much, little] = [givingWay(), givingWay()]
  for (let n = 0; n < 20; n++) await much.worked(5)
  await somebodyAsks()
  const rested: string[] = []
  await Promise.all([
    much.worked(1).then(() => rested.push('much')),
    little.worked(1).then(() => rested.push('little')),
  ])
  expect(rested).toEqual(['little', 'much'])
})

test('an export waits while a part of an import is being written, and the import gets what its part answers', async () => {
  const [importing, exporting] = [givingWay(), givingWay()]
  const ended: string[] = []
  const part = importing.work(async () => {
    await delay(50)
    ended.push('part')
    return 'written'
  })
  await somebodyAsks()
  await exporting.worked(1)
  ended.push('export')
  expect(ended).toEqual(['part', 'export'])
  expect(await part).toBe('written')
  await expect(importing.work(() => Promise.reject(new Error('no database')))).rejects.toThrow('no database')
  await exporting.worked(1)
})
