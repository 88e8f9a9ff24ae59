import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, vi } from 'vitest'
import { allowed } from '../../packages/server/src/testing/allowed.ts'
import { contradictionsIn } from '../../packages/server/src/testing/contradictions.ts'
import { type TestDatabase, testDatabase } from '../../packages/server/src/testing/database.ts'
import { testInTurn } from '../../packages/server/src/testing/in-turn.ts'
import { newDataDir, type RunningServer, removeDataDir, startServer } from '../journeys/running-server.ts'
import { onePagePdf } from './fake-files.ts'
import { full, reached, turns } from './figures.ts'
import { range } from './shop.ts'
import { longSource, ofBuffer, type Source, StreamingClient } from './streaming-client.ts'

// Promise B13 of docs/promises.md: many files that are expensive to open are uploaded at once. The test
// watches the memory of the server and all its child processes.
const MB = 1024 * 1024
const MOST_MB = 450
const LEFT_MB = 50
/** On the daily run other tests use the machine, too. */
const LABEL_MS = full ? 5000 : 15_000

/** Files of 20 MB each. */
const fakes = ['x', '1 0 obj << /A 1 >> endobj\n', '<p>invoice</p>'].map((filler) =>
  longSource('%PDF-1.7\n', filler, 20 * MB - 1),
)

let database: TestDatabase
let server: RunningServer
let admin: StreamingClient
let colleague: StreamingClient
let user: number
let sale: number

beforeAll(async () => {
  database = await testDatabase()
  server = await startServer(newDataDir(), { DATABASE_URL: database.url, LOG_LEVEL: 'silent' })
  admin = new StreamingClient(server.address)
  user = await admin.logIn()
  const staff = { name: 'Second', email: 'second@backstock.test', role: 'ROLE_USER', password: 'correct horse' }
  await create('/api/user/create', staff)
  colleague = new StreamingClient(server.address)
  await colleague.logIn(staff)
  sale = await aSale()
  // The first upload of each kind loads code, and this does not count as growth.
  expect((await upload(admin, avatar(), ofBuffer(await picture(64)))).status).toBe(200)
  expect((await upload(colleague, label(), ofBuffer(onePagePdf()))).status).toBe(200)
  expect((await upload(admin, pdf('invoice'), fakes[0]!)).status).toBe(415)
})

afterAll(async () => {
  try {
    expect(await contradictionsIn(database.connection)).toEqual([])
  } finally {
    await server.stop()
    await database.drop()
    removeDataDir(server.dataDir)
  }
})

async function create(url: string, input: object): Promise<number> {
  const json = { 'content-type': 'application/json' }
  const { status, body } = await admin.send('POST', url, json, ofBuffer(JSON.stringify(input)))
  expect([url, status, body.data?.errors]).toEqual([url, 201, undefined])
  return body.data.id
}

async function aSale(): Promise<number> {
  const make_id = await create('/api/make/create', { name: 'Apple' })
  const category_id = await create('/api/category/create', { name: 'Phone' })
  const actual_product_id = await create('/api/product/create', { make_id, category_id, model: 'iPhone 13' })
  const item = { actual_product_id, purchase_price: 100, sales_price: 200, serial_number: 'F2LZK', status: 'In Stock' }
  const id = await create('/api/stock/create', item)
  const customer_id = await create('/api/customer/create', { first_name: 'A', last_name: 'B', email: 'a@b.test' })
  const sold = { stock_items: [{ id }], customer_id, create_invoice: false, send_email: false }
  return create('/api/sale/create', sold)
}

type Target = { url: string; field: string; name: string; type: string }
const avatar = (): Target => ({ url: `/api/user/${user}/avatar`, field: 'avatar', name: 'a.jpg', type: 'image/jpeg' })
const pdf = (field: string): Target => ({ url: `/api/sale/${sale}/pdf`, field, name: 'a.pdf', type: 'application/pdf' })
const label = () => pdf('shipping_label')

const upload = (client: StreamingClient, { url, field, name, type }: Target, file: Source) =>
  client.upload(url, field, file, name, type)

const picture = (side: number) =>
  sharp({ create: { width: side, height: side, channels: 3, background: '#369' } })
    .jpeg({ progressive: true })
    .toBuffer()

/**
 * The memory of the server and its child processes in MB; shared memory counts once. Undefined if the system does not
 * say.
 */
function held(): number | undefined {
  const children = (pid: number): number[] =>
    readdirSync(`/proc/${pid}/task`)
      .flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean))
      .flatMap((child) => [Number(child), ...below(Number(child))])
  const below = (pid: number): number[] => unlessGone(() => children(pid)) ?? []
  const rss = unlessGone(() => kilobytes(`/proc/${server.pid}/status`, 'VmRSS'))
  if (rss === undefined) return undefined
  const apart = below(server.pid).map((pid) => unlessGone(() => kilobytes(`/proc/${pid}/status`, 'RssAnon')) ?? 0)
  return [rss, ...apart].reduce((sum, one) => sum + one, 0) / 1024
}

const kilobytes = (file: string, name: string) =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8'))?.[1] ?? 0)

/** Returns undefined if `look` throws, because a process may end while the test measures it. */
function unlessGone<Found>(look: () => Found): Found | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

/**
 * Measures the server's memory while `work` runs. `most` is the highest value in MB. `left` is the growth in MB that
 * remains a minute later; the measurement ends earlier if the growth is small by then.
 */
async function memoryOf(work: () => Promise<void>): Promise<{ most: number; left: number }> {
  const before = held()
  if (before === undefined) {
    await work()
    return { most: 0, left: 0 }
  }
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, held() ?? 0)
  }, 20)
  await work().finally(() => clearInterval(watch))
  const more = () => held()! - before
  const soon = vi.waitFor(() => expect(more()).toBeLessThanOrEqual(LEFT_MB), { timeout: 60_000, interval: 500 })
  await soon.catch(() => undefined)
  return { most: Math.round(most), left: Math.max(0, Math.round(more())) }
}

const atMost = (bound: number) => expect.toSatisfy((figure: number) => figure <= bound, `at most ${bound}`)

testInTurn('B13: pictures that take much to open are opened one at a time, and their memory comes back', async () => {
  const count = turns(4, 16)
  const file = ofBuffer(await picture(6300))
  const { most, left } = await memoryOf(async () => {
    const answers = await Promise.all(range(count).map(() => upload(admin, avatar(), file)))
    expect(answers.map(({ status }) => status)).toEqual(range(count).map(() => 200))
  })
  expect({ most, left }).toEqual({ most: atMost(MOST_MB), left: atMost(LEFT_MB) })
  reached(
    'B13',
    `${count} progressive JPEGs of 6300 x 6300 at once: ${most} MB at most, ${left} MB more than before after them`,
    `${MOST_MB} MB at most, ${LEFT_MB} MB more than before after a minute`,
  )
})

testInTurn("B13: a person's label does not wait behind another's heap of fakes", async () => {
  const count = turns(4, 30)
  let waited = 0
  // The first rush needs room that a used server has already. This does not count as growth, either.
  await Promise.all(fakes.map((fake) => upload(admin, pdf('invoice'), fake)))
  const { most, left } = await memoryOf(async () => {
    let open = count
    const refused = range(count).map((n) =>
      upload(admin, pdf('invoice'), fakes[n % fakes.length]!).finally(() => open--),
    )
    // When the first file is refused, the others are in the queue.
    await Promise.race(refused)
    for (let labels = 0; labels < 3 && open > 0; labels++) {
      const { status, ms } = await upload(colleague, label(), ofBuffer(onePagePdf()))
      expect(status).toBe(200)
      waited = Math.max(waited, ms)
      await delay(0)
    }
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual(range(count).map(() => 415))
  })
  expect({ waited, most, left }).toEqual({
    waited: atMost(allowed(LABEL_MS)),
    most: atMost(MOST_MB),
    left: atMost(LEFT_MB),
  })
  reached(
    'B13',
    `${count} fake PDFs of 20 MB: ${most} MB at most, ${left} MB more after them; a colleague's labels beside: ${Math.round(waited)} ms`,
    `${MOST_MB} MB at most, ${LEFT_MB} MB more than before after a minute, the label within 5 s`,
  )
})
