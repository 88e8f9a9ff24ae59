import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test } from 'vitest'
import { buildMessage, type Message } from './mail.ts'
import { sendBySmtp } from './smtp.ts'

const QUICK = { connectMs: 400, silenceMs: 400, totalMs: 5_000 }

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const message = (size = 20): Promise<Message> =>
  buildMessage({
    messageId: '<1@backstock.test>',
    from: { name: 'Backstock', address: 'sales@backstock.test' },
    to: { name: 'Łucja', address: 'lucja@example.test' },
    subject: 'Invoice',
    text: 'Hello',
    html: null,
    attachments: [{ name: 'invoice.pdf', mediaType: 'application/pdf', content: Buffer.alloc(size, '.\r\n') }],
  })

const failure = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

/** Starts a real mail server. Returns its address and the messages that it has received completely. */
async function mailServer(options: SMTPServerOptions = {}): Promise<{ url: string; taken: string[] }> {
  const taken: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, _session, callback) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
      })
      stream.on('end', () => {
        taken.push(text)
        callback()
      })
    },
    ...options,
  })
  // The tests break connections off, which the server reports as errors.
  server.on('error', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  closing.push(() => server.close(() => undefined))
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, taken }
}

/**
 * A simple server that accepts every command. It calls `bytes` for each piece of the message, and `dot` when the
 * closing dot has come.
 */
async function scripted(on: {
  bytes?: (socket: Socket) => void
  dot?: (socket: Socket) => void
  greet?: boolean
}): Promise<string> {
  const server: Server = createServer((socket) => {
    let inData = false
    let tail = ''
    socket.on('error', () => undefined)
    closing.push(() => socket.destroy())
    if (on.greet !== false) socket.write('220 ready\r\n')
    socket.on('data', (chunk) => {
      if (inData) {
        tail = (tail + chunk.toString('latin1')).slice(-5)
        if (tail === '\r\n.\r\n') on.dot?.(socket)
        else on.bytes?.(socket)
        return
      }
      for (const line of chunk.toString('latin1').trim().split('\r\n')) {
        inData = line === 'DATA'
        socket.write(inData ? '354 go on\r\n' : '250 yes\r\n')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a mail is', () => {
  test('sent, once and whole, when the server has taken it', async () => {
    const { url, taken } = await mailServer()
    const sent = await message(300_000)
    expect(await sendBySmtp(url, sent)).toEqual({ outcome: 'sent' })
    expect(taken).toEqual([sent.raw.toString('latin1')])
  })

  test('sent with the name and password of the URL', async () => {
    const seen: unknown[] = []
    const { url, taken } = await mailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, callback) {
        seen.push([username, password])
        callback(password === 'p@ss' ? null : failure(535, 'bad password'), { user: username })
      },
    })
    expect(await sendBySmtp(url.replace('//', '//shop:p%40ss@'), await message())).toEqual({ outcome: 'sent' })
    expect(seen).toEqual([['shop', 'p@ss']])
    const wrong = await sendBySmtp(url.replace('//', '//shop:wrong@'), await message())
    expect(wrong).toMatchObject({ outcome: 'refused', permanent: false })
    expect(taken).toHaveLength(1)
  })

  test.each([
    ['recipient, for good', 550, true, 'onRcptTo'],
    ['recipient, for now', 450, false, 'onRcptTo'],
    ['sender, for good', 553, true, 'onMailFrom'],
  ] as const)('refused by its %s', async (_name, code, permanent, hook) => {
    const { url, taken } = await mailServer({
      [hook]: (_address: unknown, _session: unknown, callback: (error: Error) => void) =>
        callback(failure(code, 'no such box')),
    })
    const outcome = await sendBySmtp(url, await message())
    expect(outcome).toMatchObject({ outcome: 'refused', permanent })
    expect(outcome).toHaveProperty('error', expect.stringContaining('no such box'))
    expect(taken).toEqual([])
  })

  test.each([
    [554, true],
    [451, false],
  ])('refused after the whole message with %i', async (code, permanent) => {
    const { url } = await mailServer({
      onData(stream, _session, callback) {
        stream.resume().on('end', () => callback(failure(code, 'not that')))
      },
    })
    expect(await sendBySmtp(url, await message())).toMatchObject({ outcome: 'refused', permanent })
  })

  test('refused for now if no server answers, greets, or knows the way', async () => {
    const down = createServer().listen(0, '127.0.0.1')
    await once(down, 'listening')
    const { port } = down.address() as AddressInfo
    down.close()
    await once(down, 'close')
    const silent = await scripted({ greet: false })
    for (const url of [`smtp://127.0.0.1:${port}`, silent])
      expect(await sendBySmtp(url, await message(), QUICK)).toMatchObject({ outcome: 'refused', permanent: false })
  })

  test('refused for now if the connection breaks in the middle of the message', async () => {
    let broken = false
    const url = await scripted({
      bytes: (socket) => {
        broken = true
        socket.destroy()
      },
    })
    // The message is larger than the buffers of the connection, so its end is never written.
    const outcome = await sendBySmtp(url, await message(16_000_000), { ...QUICK, silenceMs: 5_000 })
    expect(broken).toBe(true)
    expect(outcome).toMatchObject({ outcome: 'refused', permanent: false })
  })

  test('unclear if the connection breaks, or nothing comes, after the message’s end', async () => {
    for (const dot of [
      (socket: Socket) => socket.destroy(),
      (socket: Socket) => socket.resetAndDestroy(),
      (socket: Socket) => socket.end('25'),
      () => undefined,
    ])
      expect(await sendBySmtp(await scripted({ dot }), await message(), QUICK)).toMatchObject({ outcome: 'unclear' })
  })

  test('given up when the server dribbles on for too long: unclear only if all of it was handed over', async () => {
    const dribble = await scripted({
      dot: (socket) => {
        const timer = setInterval(() => socket.write('250-'), 50)
        socket.on('close', () => clearInterval(timer))
      },
    })
    const limits = { connectMs: 400, silenceMs: 400, totalMs: 800 }
    expect(await sendBySmtp(dribble, await message(), limits)).toMatchObject({ outcome: 'unclear' })
  })
})
