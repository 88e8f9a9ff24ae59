import { expect, test } from 'vitest'
import { ApiError } from '../../api/error.ts'
import type { Waiting } from './kept-codes.ts'
import { type QueueState, scanQueue } from './scan-queue.ts'

const settled = () => new Promise((resolve) => setTimeout(resolve))

/** A window's storage. */
function store() {
  let text = ''
  return {
    read: (): Waiting => (text === '' ? { codes: [], batch: null } : JSON.parse(text)),
    keep: (waiting: Waiting) => {
      text = JSON.stringify(waiting)
    },
  }
}

/** A queue to a server with given answers, whose timers run on command. */
function queueTo(answer: (call: number) => Error | null | Promise<never>, kept = store()) {
  const sent: { codes: readonly string[]; key: string }[] = []
  const through: string[] = []
  const timers: (() => void)[] = []
  let giveUp = () => {}
  let state: QueueState = { waiting: 0, trouble: null }
  const queue = scanQueue(
    async (codes, key, signal) => {
      const call = sent.push({ codes: [...codes], key })
      await settled()
      const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      const error = await Promise.race([answer(call), aborted]).catch((reason: DOMException) =>
        // As the client does it.
        reason.name === 'AbortError' ? reason : new ApiError(0, 'No answer'),
      )
      if (error) throw error
      through.push(...codes)
    },
    (now) => {
      state = now
    },
    {
      kept,
      later(run, ms) {
        if (ms > 2000) {
          giveUp = run
          return () => {}
        }
        timers.push(run)
        return () => timers.splice(0, timers.length, ...timers.filter((one) => one !== run))
      },
    },
  )
  return { queue, sent, through, timers, kept, state: () => state, giveUp: () => giveUp() }
}

const never = () => new Promise<never>(() => {})

test('codes that come while others are sent go next, in their order', async () => {
  const { queue, sent, through, state } = queueTo(() => null)
  queue.add(['1'])
  queue.add(['2', '3'])
  queue.add([])
  queue.add(['4'])
  await settled()
  await settled()
  await settled()
  expect(sent.map(({ codes }) => codes)).toEqual([['1'], ['2', '3', '4']])
  expect(through).toEqual(['1', '2', '3', '4'])
  expect(state()).toEqual({ waiting: 0, trouble: null })
})

test('codes that an outage stopped are sent again under the same key, and no code overtakes them', async () => {
  const { queue, sent, through, timers, state } = queueTo((call) => (call === 1 ? new ApiError(0, 'No network') : null))
  queue.add(['1', '2'])
  queue.add(['3'])
  await settled()
  await settled()
  expect(state()).toEqual({ waiting: 3, trouble: 'No network' })
  timers.shift()!()
  await settled()
  await settled()
  await settled()
  expect(sent.map(({ codes }) => codes)).toEqual([['1', '2'], ['1', '2'], ['3']])
  expect(sent[1]!.key).toBe(sent[0]!.key)
  expect(sent[2]!.key).not.toBe(sent[0]!.key)
  expect(through).toEqual(['1', '2', '3'])
})

test('refused codes stay until they are sent again', async () => {
  const { queue, through, timers, state } = queueTo((call) => (call < 3 ? new ApiError(422, 'No') : null))
  queue.add(['1'])
  await settled()
  await settled()
  expect([timers.length, state()]).toEqual([0, { waiting: 1, trouble: 'No' }])
  queue.add(['2'])
  await settled()
  await settled()
  expect(state()).toEqual({ waiting: 2, trouble: 'No' })
  queue.retry()
  await settled()
  await settled()
  await settled()
  expect(through).toEqual(['1', '2'])
})

test('a long list goes in pieces', async () => {
  const { queue, sent, through } = queueTo(() => null)
  const codes = Array.from({ length: 1201 }, (_, n) => String(n))
  queue.add(codes)
  for (let n = 0; n < 10; n++) await settled()
  expect(sent.map((one) => one.codes.length)).toEqual([500, 500, 201])
  expect(through).toEqual(codes)
})

test('waiting codes keep their key: their person sends them on coming back, and nobody after that does', async () => {
  const first = queueTo(() => never())
  first.queue.add(['1'])
  first.queue.add(['2', '3'])
  await settled()
  first.queue.stop()
  await settled()
  first.queue.add(['4'])
  first.queue.retry()
  await settled()
  expect([first.sent.length, first.timers.length, first.through]).toEqual([1, 0, []])

  const second = queueTo(() => null, first.kept)
  expect(second.sent).toEqual([])
  second.queue.start()
  for (let n = 0; n < 6; n++) await settled()
  expect(second.sent.map(({ codes }) => codes)).toEqual([['1'], ['2', '3', '4']])
  expect(second.sent[0]!.key).toBe(first.sent[0]!.key)
  expect(first.kept.read().codes).toEqual([])
})

test('an outage that ends after everybody has left sends nothing', async () => {
  const { queue, sent, timers, kept } = queueTo(() => new ApiError(0, 'No network'))
  queue.add(['1'])
  await settled()
  await settled()
  expect(timers).toHaveLength(1)
  queue.stop()
  expect(timers).toHaveLength(0)
  await settled()
  expect([sent.length, kept.read().codes]).toEqual([1, ['1']])
  // As a screen that is put up again.
  queue.start()
  await settled()
  expect(sent).toHaveLength(2)
})

test('a call that hangs is given up and made again under the same key', async () => {
  const { queue, sent, through, timers, state, giveUp } = queueTo((call) => (call === 1 ? never() : null))
  queue.add(['1'])
  await settled()
  queue.add(['2'])
  giveUp()
  await settled()
  await settled()
  expect(state()).toEqual({ waiting: 2, trouble: 'No answer' })
  timers.shift()!()
  for (let n = 0; n < 6; n++) await settled()
  expect(sent.map(({ codes }) => codes)).toEqual([['1'], ['1'], ['2']])
  expect(sent[1]!.key).toBe(sent[0]!.key)
  expect(through).toEqual(['1', '2'])
})

test('codes that are refused for good can be given up', async () => {
  const { queue, kept, state, timers, through } = queueTo((call) => (call === 1 ? new ApiError(409, 'Closed') : null))
  queue.add(['1', '2'])
  await settled()
  await settled()
  queue.discard()
  expect([state(), kept.read().codes, timers]).toEqual([{ waiting: 0, trouble: null }, [], []])
  queue.add(['3'])
  for (let n = 0; n < 4; n++) await settled()
  expect(through).toEqual(['3'])
})
