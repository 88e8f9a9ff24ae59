import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chance } from '../../packages/server/src/testing/chance.ts'
import { full, reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range } from './shop.ts'
import { startWorkerProcess, type WorkerProcess } from './worker-process.ts'

// Promise F7 of docs/promises.md: a mail server that is not there, hangs or breaks off, and workers that
// die while they send.

/** The stages of a conversation with the mail server. 'taken' comes after it has accepted the mail. */
const STAGES = ['greeting', 'recipient', 'whole', 'taken'] as const
type Stage = (typeof STAGES)[number]

let t: PromiseShop
let worker: WorkerProcess | undefined
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(async () => {
  await worker?.kill()
  await closeSound(t)
})

/** How often the mail server got each whole mail, by Message-ID. */
const received = new Map<string, number>()
const sockets = new Set<Socket>()
/** Called at each stage, before the mail server goes on. */
let at: (stage: Stage) => Promise<void> | void = () => undefined

async function openMailServer(port = 0): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect: (_session, answer) => void Promise.resolve(at('greeting')).then(() => answer()),
    onRcptTo: (_address, _session, answer) => void Promise.resolve(at('recipient')).then(() => answer()),
    async onData(stream, _session, answer) {
      let text = ''
      try {
        for await (const piece of stream) text += piece
      } catch {
        return // the worker was killed before the end
      }
      const [, id = 'without one'] = /^Message-ID: *(\S+)/im.exec(text) ?? []
      received.set(id, (received.get(id) ?? 0) + 1)
      await at('whole')
      answer()
      await at('taken')
    },
  })
  server.on('error', () => undefined)
  server.server.on('connection', (socket: Socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: (server.server.address() as { port: number }).port,
    close: () => {
      hangUp()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function hangUp(): void {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
}

type Mail = { id: number; sale_id: number; message_id: string; state: string; attempts: number; times: number }

async function mails(sales: number[]): Promise<Mail[]> {
  const found = await t.rows<Mail>(
    'select id, sale_id, message_id, state, attempts from mail where sale_id = any($1) order by id',
    [sales],
  )
  return found.map((mail) => ({ ...mail, times: received.get(mail.message_id) ?? 0 }))
}

async function sell(n: number): Promise<number[]> {
  const sales: number[] = []
  for (const item of await t.items(n)) {
    const answer = await t.sell(t.staff, [item], { send_email: true })
    expect(answer.status).toBe(201)
    sales.push(answer.body.data.id)
  }
  return sales
}

const startWorker = (port: number) => {
  worker = startWorkerProcess(t.connection, 'mailer', { SMTP_URL: `smtp://127.0.0.1:${port}` })
}

const settled = (sales: number[], timeout: number, open: string[] = ['waiting', 'sending']) =>
  vi.waitFor(async () => expect((await mails(sales)).filter(({ state }) => open.includes(state))).toEqual([]), {
    timeout,
    interval: 20,
  })

const resend = async (sale: number) => expect((await t.staff.post(`/api/sale/${sale}/invoice/resend`)).status).toBe(200)

/** Each mail went out once, or its sale says that this is unknown and waits for a person. */
async function expectHonest(sales: number[]): Promise<{ sent: number; unclear: number[] }> {
  const all = await mails(sales)
  expect(all.map(({ sale_id }) => sale_id)).toEqual(sales)
  for (const mail of all) {
    const { body } = await t.staff.get(`/api/sale/find?id=${mail.sale_id}`)
    const [sale] = body.data
    expect(['sent', 'unclear']).toContain(mail.state)
    expect(sale.mail.state).toBe(mail.state)
    expect(sale.email_sent).toBe(mail.state === 'sent')
    if (mail.state === 'sent') expect(mail).toMatchObject({ times: 1 })
    else {
      expect(mail.times).toBeLessThanOrEqual(1)
      expect(sale.logs[0].content.data).toMatchObject({ mail: 'unclear' })
    }
  }
  const unclear = all.filter(({ state }) => state === 'unclear').map(({ sale_id }) => sale_id)
  return { sent: all.length - unclear.length, unclear }
}

test('F7: no mail is lost, and none is sent twice unless a person says so', { timeout: 1_500_000 }, async () => {
  const kills = turns(1, 50)
  const sales = await sell(kills * 4)
  const first = await openMailServer()
  const { port } = first
  await first.close()

  // While the mail server is down, each mail is tried and none is given up.
  startWorker(port)
  await vi.waitFor(
    async () => {
      for (const { state, attempts } of await mails(sales)) expect([state, attempts > 0]).toEqual(['waiting', true])
    },
    { timeout: full ? 240_000 : 60_000, interval: 50 },
  )
  await worker!.kill()

  // The mail server is back, and people send their mails again. But the worker is killed again and again while it
  // sends.
  const server = await openMailServer(port)
  for (const sale of sales) {
    // 409 if the worker died while it tried this mail again.
    const { status } = await t.staff.post(`/api/sale/${sale}/invoice/resend`)
    expect([200, 409]).toContain(status)
  }
  // A run with a single kill draws the stage at which it happens.
  const firstStage = Math.floor(chance() * STAGES.length)
  const killedAt: Record<Stage, number> = { greeting: 0, recipient: 0, whole: 0, taken: 0 }
  for (const kill of range(kills)) {
    const stage = STAGES[(kill + firstStage) % STAGES.length]!
    const reachedStage = new Promise<void>((resolve) => {
      at = async (now) => {
        if (now !== stage) return
        resolve()
        // After 'taken' the worker may note that the mail was sent before it dies. At the other stages the mail server
        // waits until the worker is dead.
        if (stage !== 'taken') await dead
      }
    })
    const { promise: dead, resolve: isDead } = Promise.withResolvers<void>()
    startWorker(port)
    const open = (await mails(sales)).some(({ state }) => state === 'waiting')
    if (!open) break
    await reachedStage
    if (stage === 'taken') await delay(chance() * 20)
    await worker!.kill()
    hangUp()
    isDead()
    killedAt[stage]++
  }
  at = () => undefined
  startWorker(port)
  await settled(sales, full ? 600_000 : 120_000)
  const { sent, unclear } = await expectHonest(sales)

  // A person presses the button for each unclear mail, and each goes out.
  for (const sale of unclear) await resend(sale)
  await settled(sales, full ? 240_000 : 60_000)
  for (const sale of unclear) expect((await mails([sale])).at(-1)).toMatchObject({ state: 'sent', times: 1 })

  // The connection breaks after DATA: the mail server may have the mail, so the server does not send it again.
  const [broken] = await sell(1)
  at = (stage) => (stage === 'whole' ? hangUp() : undefined)
  await settled([broken!], 60_000)
  at = () => undefined
  const [next] = await sell(1)
  await settled([next!], 60_000)
  expect(await mails([broken!, next!])).toMatchObject([
    { state: 'unclear', times: 1 },
    { state: 'sent', times: 1 },
  ])
  if (full) await hang()
  await worker!.kill()
  await server.close()
  const done = Object.values(killedAt).reduce((sum, n) => sum + n)
  expect(done).toBeGreaterThanOrEqual(turns(1, 40))
  reached(
    'F7',
    `${done} kills in ${sales.length} mails: ${sent} sent once, ${unclear.length} unclear and said so, none lost; down, broken off${full ? ', hanging' : ''}`,
    'no mail lost; none sent twice silently; an unclear one waits for a person',
  )
})

/** A mail server that is silent for longer than the server waits, once before it has the mail and once after. */
async function hang(): Promise<void> {
  for (const [stage, state] of [
    ['greeting', 'waiting'],
    ['whole', 'unclear'],
  ] as const) {
    const { promise: never, resolve } = Promise.withResolvers<void>()
    at = (now) => (now === stage ? never : undefined)
    const sales = await sell(1)
    await vi.waitFor(async () => expect(await mails(sales)).toMatchObject([{ state, attempts: 1 }]), {
      timeout: 120_000,
      interval: 100,
    })
    at = () => undefined
    hangUp()
    resolve()
    if (state === 'waiting') {
      await resend(sales[0]!)
      await settled(sales, 60_000)
      expect(await mails(sales)).toMatchObject([{ state: 'sent', times: 1 }])
    }
  }
}
