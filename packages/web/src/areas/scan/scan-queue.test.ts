import { afterEach, expect, test, vi } from 'vitest'
import { ApiError } from '../../api/error.ts'
import type { Waiting } from './kept-codes.ts'
import { type QueueState, scanQueue } from './scan-queue.ts'

const settled = () => new Promise((resolve) => setTimeout(resolve))

afterEach(() => {
  vi.useRealTimers()
})

/** Fakes the storage of a window. */
function store() {
  let text = ''
  return {
    read: (): Waiting => (text === '' ? { codes: [], batch: null } : JSON.parse(text)),
    keep: (waiting: Waiting) => {
      text = JSON.stringify(waiting)
    },
  }
}

/** A queue with a faked server. `answer` gives the result of each call; timers run when the test says so. */
function queueTo(
  answer: (call: number, codes: readonly string[]) => Error | null | Promise<never>,
  kept = store(),
  onRefused?: (code: string, why: string) => void,
) {
  const sent: { codes: readonly string[]; key: string; signal: AbortSignal }[] = []
  const through: string[] = []
  const timers: (() => void)[] = []
  let giveUp = () => {}
  let state: QueueState = { waiting: 0, trouble: null }
  const queue = scanQueue(
    async (codes, key, signal) => {
      const call = sent.push({ codes: [...codes], key, signal })
      await settled()
      const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      const error = await Promise.race([answer(call, codes), aborted]).catch((reason: DOMException) =>
        // The client turns other errors into an ApiError in the same way.
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
      ...(onRefused && { onRefused }),
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

test('a code that the server refuses for good is told, and all others arrive once, in their order', async () => {
  const refused: string[][] = []
  const refuse = (_: number, codes: readonly string[]) => (codes.includes('bad') ? new ApiError(422, 'No') : null)
  const { queue, sent, through, kept, state } = queueTo(refuse, store(), (...told) => refused.push(told))
  queue.add(['1', '2', 'bad', '3', 'bad'])
  for (let n = 0; n < 40; n++) await settled()
  expect([refused, through, state()]).toEqual([
    [
      ['bad', 'No'],
      ['bad', 'No'],
    ],
    ['1', '2', '3'],
    { waiting: 0, trouble: null },
  ])
  expect(kept.read()).toEqual({ codes: [], batch: null })
  // Other codes never go under the key of refused ones.
  expect(new Set(sent.map(({ key }) => key)).size).toBe(sent.length)
})

test.each<[status: number, end: 'is told' | 'is sent again' | 'waits']>([
  [400, 'is told'],
  [413, 'is told'],
  [422, 'is told'],
  [0, 'is sent again'],
  [409, 'is sent again'],
  [503, 'is sent again'],
  [401, 'waits'],
  [404, 'waits'],
  [500, 'waits'],
])('after an answer of %d a code %s', async (status, end) => {
  const onRefused = vi.fn()
  const { queue, timers, state } = queueTo(() => new ApiError(status, 'No'), store(), onRefused)
  queue.add(['1'])
  await settled()
  await settled()
  expect([state(), timers.length, onRefused.mock.calls]).toEqual(
    end === 'is told'
      ? [{ waiting: 0, trouble: null }, 0, [['1', 'No']]]
      : [{ waiting: 1, trouble: 'No' }, end === 'is sent again' ? 1 : 0, []],
  )
})

test.each(['stop', 'discard'] as const)('a call on its way is broken off by %s', async (end) => {
  const { queue, sent } = queueTo(() => never())
  queue.add(['1'])
  await settled()
  expect(sent[0]!.signal.aborted).toBe(false)
  queue[end]()
  expect(sent[0]!.signal.aborted).toBe(true)
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
  // A screen that is mounted again starts its queue again.
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
  const { queue, sent, kept, state, timers, through } = queueTo((call) =>
    call === 1 ? new ApiError(409, 'Closed') : null,
  )
  queue.add(['1', '2'])
  await settled()
  await settled()
  // Until somebody discards the codes, the queue tries again.
  expect(timers).toHaveLength(1)
  queue.discard()
  expect([state(), kept.read(), timers]).toEqual([{ waiting: 0, trouble: null }, { codes: [], batch: null }, []])
  queue.add(['3', '4', '5'])
  for (let n = 0; n < 4; n++) await settled()
  expect(through).toEqual(['3', '4', '5'])
  // The server would take a call with the key of the given up codes for a repeat of them.
  expect(sent.map(({ codes }) => codes.length)).toEqual([2, 3])
  expect(sent[1]!.key).not.toBe(sent[0]!.key)
})

test('the key of a call is stored before the call is answered', async () => {
  const { queue, sent, kept } = queueTo(() => never())
  queue.add(['1', '2'])
  await settled()
  expect(kept.read()).toEqual({ codes: ['1', '2'], batch: { size: 2, key: sent[0]!.key } })
})

test('codes that are sent again by hand are not sent by the timer too, and have no trouble meanwhile', async () => {
  const { queue, sent, timers, state } = queueTo((call) => (call === 1 ? new ApiError(0, 'No network') : never()))
  queue.add(['1'])
  await settled()
  await settled()
  expect(timers).toHaveLength(1)
  queue.retry()
  expect([timers.length, state()]).toEqual([0, { waiting: 1, trouble: null }])
  await settled()
  expect(sent).toHaveLength(2)
})

test('without codes nothing is sent, stored or told', async () => {
  const { kept, keep, told, queue, send } = deaf()
  queue.add([])
  queue.retry()
  queue.start()
  await settled()
  expect([send.mock.calls, keep.mock.calls, told.mock.calls]).toEqual([[], [], []])
  expect(kept.read().codes).toEqual([])
})

/** A queue whose calls ignore their abort signal: they end only when the test says so. */
function deaf() {
  const kept = store()
  const keep = vi.spyOn(kept, 'keep')
  const told = vi.fn<(state: QueueState) => void>()
  const calls: PromiseWithResolvers<void>[] = []
  const send = vi.fn((_: readonly string[]) => {
    const call = Promise.withResolvers<void>()
    calls.push(call)
    return call.promise
  })
  const queue = scanQueue(send, told, { kept, later: () => () => {} })
  return { kept, keep, told, calls, send, queue }
}

test('an answer that comes after everybody has left takes no code away', async () => {
  const { queue, calls, kept } = deaf()
  queue.add(['1'])
  queue.stop()
  calls[0]!.resolve()
  await settled()
  expect(kept.read().codes).toEqual(['1'])
})

test.each(['answer', 'refusal'])(
  'a late %s to codes that were given up says nothing of those after them',
  async (end) => {
    const { queue, calls, kept, told, send } = deaf()
    queue.add(['1'])
    queue.discard()
    queue.add(['2'])
    expect(send.mock.calls.map(([codes]) => codes)).toEqual([['1'], ['2']])
    if (end === 'answer') calls[0]!.resolve()
    else calls[0]!.reject(new ApiError(422, 'No'))
    await settled()
    expect([kept.read().codes, send.mock.calls.length, told.mock.lastCall]).toEqual([
      ['2'],
      2,
      [{ waiting: 1, trouble: null }],
    ])
    calls[1]!.resolve()
    await settled()
    expect([kept.read().codes, told.mock.lastCall]).toEqual([[], [{ waiting: 0, trouble: null }]])
  },
)

test('without a store, codes go after two seconds of an outage, and a call without an answer ends after 30', async () => {
  vi.useFakeTimers()
  const told = vi.fn<(state: QueueState) => void>()
  const signals: AbortSignal[] = []
  const queue = scanQueue(async (_, __, signal) => {
    signals.push(signal)
    if (signals.length === 1) throw new ApiError(0, 'No network')
    if (signals.length === 2)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new ApiError(0, 'No answer'))))
  }, told)
  queue.add(['1'])
  await vi.advanceTimersByTimeAsync(1999)
  expect(signals).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(signals).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(signals[1]!.aborted).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  expect(signals[1]!.reason).toMatchObject({ name: 'TimeoutError', message: 'The server did not answer.' })
  expect(told.mock.lastCall).toEqual([{ waiting: 1, trouble: 'No answer' }])
  await vi.advanceTimersByTimeAsync(2000)
  expect([signals.length, told.mock.lastCall, vi.getTimerCount()]).toEqual([3, [{ waiting: 0, trouble: null }], 0])
})
