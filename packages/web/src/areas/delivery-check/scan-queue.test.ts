import { expect, test } from 'vitest'
import { ApiError } from '../../api/error.ts'
import { type QueueState, scanQueue } from './scan-queue.ts'

const settled = () => new Promise((resolve) => setTimeout(resolve))

/** A queue to a server that answers as told, whose timers run when they are told to. */
function queueTo(answer: (call: number) => Error | null) {
  const sent: { codes: readonly string[]; key: string }[] = []
  const through: string[] = []
  const timers: (() => void)[] = []
  let state: QueueState = { waiting: 0, trouble: null }
  const queue = scanQueue(
    async (codes, key) => {
      const call = sent.push({ codes: [...codes], key })
      await settled()
      const error = answer(call)
      if (error) throw error
      through.push(...codes)
    },
    (now) => {
      state = now
    },
    (run) => timers.push(run),
  )
  return { queue, sent, through, timers, state: () => state }
}

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

test('what an outage stopped is sent again under the same key, and nothing overtakes it', async () => {
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

test('what was refused stays until it is sent again', async () => {
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
