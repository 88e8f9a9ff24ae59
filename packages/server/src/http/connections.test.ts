import net from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testInTurn } from '../testing/in-turn.ts'
import { newServer } from './connections.ts'

const PATIENCE_MS = 800
/** One sender at a fifth of the limit, and one at eight times the limit. */
const BYTES_PER_SECOND = 10_000
const [DRIP, STREAM] = [BYTES_PER_SECOND / 5 / 20, (8 * BYTES_PER_SECOND) / 20]
const PAUSE_MS = 50

let app: FastifyInstance
beforeAll(async () => {
  const patience = { bytesPerSecond: BYTES_PER_SECOND, patienceMs: PATIENCE_MS }
  app = Fastify({ bodyLimit: 10_000_000, serverFactory: (handle) => newServer(handle, patience) })
  app.addContentTypeParser('text/plain', { parseAs: 'string' }, async (_request: unknown, body: string) => body)
  app.addContentTypeParser('text/late', async (_request: unknown, payload: NodeJS.ReadableStream) => {
    await delay(4 * PATIENCE_MS)
    let length = 0
    for await (const piece of payload) length += piece.length
    return 'x'.repeat(length)
  })
  app.get('/', async () => 'here')
  app.post('/', async (request) => String((request.body as string).length))
  app.post('/refused', { onRequest: async (_request, reply) => reply.code(403).send() }, async () => '')
  await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

/**
 * Sends `first` and then `pieces` pieces one after another, and waits. Returns the bytes that came back, who closed the
 * connection, and when.
 */
async function send(first: string, piece: string, pieces: number) {
  const { port } = app.server.address() as net.AddressInfo
  const socket = net.connect(port, '127.0.0.1')
  let answer = ''
  let isCut = false
  const start = performance.now()
  const closed = new Promise<void>((resolve) => socket.on('error', () => undefined).on('close', () => resolve()))
  void closed.then(() => {
    isCut = true
  })
  socket.on('data', (data) => {
    answer += data
  })
  socket.write(first)
  for (let n = 0; n < pieces && !isCut; n++) {
    await Promise.race([delay(PAUSE_MS), closed])
    if (!isCut) socket.write(piece)
  }
  const ms = performance.now() - start
  return { answer: () => answer, isCut: () => isCut, ms, closed, end: () => socket.destroy() }
}
const post = (path: string, length: number, type = 'text/plain') =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
const LONG = (6 * PATIENCE_MS) / PAUSE_MS

for (const [what, first, piece] of [
  ['a body', post('/', 100_000), 'x'.repeat(DRIP)],
  ['a body that nobody reads', post('/refused', 100_000), 'x'.repeat(DRIP)],
  ['empty lines instead of a request', 'GET / HTTP/1.1\r\nHost: a\r\n\r\n', '\r\n'],
] as const)
  testInTurn(`${what} that drips is cut`, async () => {
    const sent = await send(first, piece, LONG)
    expect(sent.isCut()).toBe(true)
    expect(sent.ms).toBeGreaterThan(PATIENCE_MS)
  })

testInTurn('a slow body arrives whole, however long it takes', async () => {
  const pieces = (3 * PATIENCE_MS) / PAUSE_MS
  const sent = await send(post('/', STREAM * pieces), 'x'.repeat(STREAM), pieces)
  await expect.poll(sent.answer).toContain(`\r\n${STREAM * pieces}`)
  sent.end()
})

testInTurn('a sender is not blamed for a server that does not read', async () => {
  const sent = await send(`${post('/', 5_000_000, 'text/late')}${'x'.repeat(5_000_000)}`, '', 0)
  await expect.poll(sent.answer).toContain('\r\n5000000')
  sent.end()
})

test('headers, pauses, requests and answers have limits of their own', async () => {
  const server = newServer(() => undefined)
  const { headersTimeout, keepAliveTimeout, requestTimeout, timeout } = server
  const seconds = [headersTimeout, keepAliveTimeout, requestTimeout, timeout].map((ms) => ms / 1000)
  expect(seconds).toEqual([20, 25, 30 * 60, 5 * 60])
})

test('a client between two requests, or one that waits for an answer, is left alone', async () => {
  const sent = await send('GET / HTTP/1.1\r\nHost: a\r\n\r\n', '', 2 * (PATIENCE_MS / PAUSE_MS))
  expect([sent.answer().includes('here'), sent.isCut()]).toEqual([true, false])
  sent.end()
})
