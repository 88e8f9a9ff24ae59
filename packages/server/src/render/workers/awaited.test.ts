import { once } from 'node:events'
import Fastify from 'fastify'
import { expect } from 'vitest'
import { whileAwaited } from '../../http/awaited.ts'
import { places } from '../../http/places.ts'
import { testInTurn } from '../../testing/in-turn.ts'
import { thread } from './thread.ts'

const SOURCE = `
import { parentPort } from 'node:worker_threads'
parentPort.on('message', (input) => {
  if (input === 'hang') while (true);
  parentPort.postMessage({ output: input })
})`
const file = new URL(`data:text/javascript,${encodeURIComponent(SOURCE)}`)

testInTurn('a client that leaves before the answer stops the work for it, and its place is free', async () => {
  const { run } = thread<string, string>(file, { timeoutMs: 600_000, idleMs: 60_000, memoryMb: 32 })
  const waiting = places('papers', { all: 1, each: 1 })
  const begun: AbortSignal[] = []
  const app = Fastify()
  app.get<{ Params: { work: string } }>('/:work', async (request, reply) => {
    const signal = whileAwaited(reply)
    begun.push(signal)
    return { made: await waiting(1, () => run(request.params.work, signal)) }
  })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  try {
    const answered = await fetch(`${origin}/quick`)
    expect(await answered.json()).toEqual({ made: 'quick' })
    const leaving = new AbortController()
    const hanging = fetch(`${origin}/hang`, { signal: leaving.signal }).catch((error: Error) => error.name)
    await expect.poll(() => begun.length).toBe(2)
    expect((await fetch(`${origin}/full`)).status).toBe(503)
    const left = once(begun[1]!, 'abort')
    leaving.abort()
    expect(await hanging).toBe('AbortError')
    await left
    expect(begun[1]!.reason).toMatchObject({ status: 499 })
    // The thread was ended while it hung, and a new one makes the next document.
    expect(await (await fetch(`${origin}/next`)).json()).toEqual({ made: 'next' })
    // The signal of a request that was answered is not aborted later.
    expect(begun.map(({ aborted }) => aborted)).toEqual([false, true, false, false])
  } finally {
    await app.close()
  }
})
