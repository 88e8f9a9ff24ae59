import os from 'node:os'
import { expect, test } from 'vitest'
import { testInTurn } from '../../testing/in-turn.ts'
import { thread, WorkTimeout } from './thread.ts'

const SOURCE = `
import { parentPort, threadId } from 'node:worker_threads'
parentPort.on('message', (input) => {
  if (input === 'hang') while (true);
  if (input === 'leave') process.exit(3)
  if (input === 'burst') throw new Error('burst')
  if (input === 'eat') { const all = []; while (true) all.push(new Array(1e5).fill({})) }
  if (input === 'long') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200)
  parentPort.postMessage(input === 'fail' ? { error: 'no good' } : { output: { input, threadId } })
})`
const file = new URL(`data:text/javascript,${encodeURIComponent(SOURCE)}`)
const limits = { timeoutMs: 5_000, idleMs: 60_000, memoryMb: 32 }

const start = (changes: Partial<typeof limits> = {}) =>
  thread<string, { input: string; threadId: number }>(file, { ...limits, ...changes })

test('pieces of work are done in turn by one thread, and a failing one leaves the others alone', async () => {
  const { run } = start()
  const all = await Promise.allSettled(['a', 'fail', 'b'].map((input) => run(input)))
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(all[1]).toMatchObject({ reason: { message: 'no good' } })
  const ids = all.map((one) => (one.status === 'fulfilled' ? one.value.threadId : null))
  expect(ids[0]).toBe(ids[2])
})

test.each(['leave', 'burst', 'eat'])(
  'work that makes the thread %s is rejected; the next gets a new thread',
  async (how) => {
    const { run } = start()
    await expect(run(how)).rejects.toThrow()
    expect(await run('next')).toMatchObject({ input: 'next' })
  },
)

test('a thread that was idle is ended, but not while it has begun to work again', async () => {
  const { run } = start({ idleMs: 50 })
  const first = await run('first')
  expect(await run('long')).toEqual({ input: 'long', threadId: first.threadId })
})

testInTurn('work that hangs is ended in its time; what waits behind it is done', async () => {
  const { run } = start({ timeoutMs: 3000 })
  const [hanging, next] = await Promise.allSettled([run('hang'), run('next')])
  expect(hanging).toMatchObject({ reason: expect.any(WorkTimeout) })
  expect(next).toMatchObject({ value: { input: 'next' } })
})

test('work that nobody wants any more is ended, or never begun; what waits behind it is done', async () => {
  const { run } = start()
  await run('first')
  const leaving = new AbortController()
  const unwanted = Promise.allSettled(['hang', 'a'].map((input) => run(input, leaving.signal)))
  const next = run('next')
  await new Promise(setImmediate)
  leaving.abort(new Error('nobody waits'))
  for (const one of await unwanted) expect(one).toMatchObject({ reason: { message: 'nobody waits' } })
  expect(await next).toMatchObject({ input: 'next' })
  await expect(run('late', leaving.signal)).rejects.toThrow('nobody waits')
})

// Only Linux has a priority for each thread.
test.runIf(process.platform === 'linux')('a thread has a lower priority than the server', async () => {
  const ours = os.getPriority()
  const answering = `
    import { readlinkSync } from 'node:fs'
    import os from 'node:os'
    import { answerWith } from '${new URL('./thread.ts', import.meta.url)}'
    answerWith(async () => os.getPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1))))`
  const { run } = thread<null, number>(new URL(`data:text/javascript,${encodeURIComponent(answering)}`), limits)
  expect(await run(null)).toBe(Math.max(ours, os.constants.priority.PRIORITY_BELOW_NORMAL))
  expect(os.getPriority()).toBe(ours)
})
