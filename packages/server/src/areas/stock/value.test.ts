import { randomUUID } from 'node:crypto'
import { STOCK_STATES, type StockState, type StockValue } from '@backstock/contract/stock-value.ts'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { violationsIn } from '../../invariants/check.ts'
import { type Answer, type Client, testApp } from '../../testing/app.ts'
import { untilFree } from '../../testing/ask-again.ts'
import { importCsv } from '../../testing/csv-upload.ts'
import { newImei, openShop, type Shop, stockItems } from '../../testing/shop.ts'
import { tidyJobs } from '../../worker/tidy.ts'

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

type House = { t: Awaited<ReturnType<typeof testApp>>; admin: Client; shop: Shop }

async function openHouse(): Promise<House> {
  const t = await testApp()
  endings.push(() => t.close())
  return { t, admin: await t.user('ROLE_ADMIN'), shop: await openShop(t.db) }
}

/** A shop in whose database the clock is set by `setClock`. */
async function houseWithClock(): Promise<House & { setClock(at: number): Promise<void> }> {
  const house = await openHouse()
  const { db } = house.t
  await db.pool.query(`
    create schema clock;
    create table clock.hand (at timestamptz);
    insert into clock.hand values (now());
    create function clock.clock_timestamp() returns timestamptz volatile language sql as 'select at from clock.hand'`)
  db.pool.options.options = `${db.pool.options.options} -c search_path=clock,public,pg_catalog`
  // Connections that are open already have the real clock, so they are closed.
  await Promise.all([...Array(db.figures().write.total)].map(async () => (await db.pool.connect()).release(true)))
  return {
    ...house,
    setClock: async (at) => void (await db.pool.query('update clock.hand set at = $1', [new Date(at).toISOString()])),
  }
}

const tidy = ({ t }: House) =>
  tidyJobs({ db: t.db, config: t.config, dataDir: '', log: t.app.log }).tidy({}, new AbortController().signal)
const ask = (admin: Client, at: string): Promise<Answer> => admin.get(`/api/stock/value?at=${at}`)
const setZone = ({ t }: House, zone: string) => t.db.pool.query('update company set time_zone = $1', [zone])

type Worths = Map<StockState, { items: number; cost: number }>
/** The number of items and their cost by state, read from the table of items. */
async function held({ t }: House): Promise<Worths> {
  const { rows } = await t.db.pool.query(`
    select case when status = 'Sold' and in_hand then 'Sold, not yet dispatched' else status::text end as state,
      count(*)::int as items, sum(cost)::int as cost from stock group by 1`)
  return new Map(rows.map(({ state, ...worth }) => [state, worth]))
}
const NOTHING = { items: 0, cost: 0 }
const worthsOf = (worths: Worths) => STOCK_STATES.map((state) => ({ state, ...(worths.get(state) ?? NOTHING) }))

/** Checks an answer against the numbers that the table had at that moment. */
function expectWorths(answer: Answer, worths: Worths): void {
  const { states, total }: StockValue = answer.body.data
  expect(states.map(({ state, items, cost }) => ({ state, items, cost }))).toEqual(worthsOf(worths))
  const valued = ['In Stock', 'In Batch', 'Sold, not yet dispatched'] as const
  const sum = (key: 'items' | 'cost') => valued.reduce((all, state) => all + (worths.get(state)?.[key] ?? 0), 0)
  expect(total).toEqual({ items: sum('items'), cost: sum('cost') })
}

const dayOf = (at: number, zone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }).format(at)
const QUARTER_HOUR = 900_000
const DAY = 96 * QUARTER_HOUR
/** The moment at which the next day begins in a time zone. */
function nextMidnight(at: number, zone: string): number {
  for (let later = at - (at % QUARTER_HOUR) + QUARTER_HOUR; ; later += QUARTER_HOUR)
    if (dayOf(later, zone) !== dayOf(at, zone)) return later
}

/** Time zones ahead of UTC and behind it, by whole, half and quarter hours. */
const ZONES = ['Africa/Cairo', 'Europe/Dublin', 'Asia/Kathmandu', 'America/St_Johns', 'Pacific/Auckland', 'UTC']
/** In Cairo, the midnight after this moment does not exist: summer time begins, and the day begins at one o'clock. */
const START = Date.parse('2025-04-24T13:05:00Z')

const pause = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 1000 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: DAY }) },
  // A moment just before, at, or just after a midnight.
  { weight: 3, arbitrary: fc.record({ zone: fc.constantFrom(...ZONES), by: fc.constantFrom(-1, 0, 1) }) },
)
const n = fc.nat(99)
const price = fc.integer({ min: 0, max: 90_000 })
const happening = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('create' as const),
      price,
      status: fc.constantFrom('Inbound', 'In Stock'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('price' as const), n, price }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('status' as const), n, status: fc.constantFrom('In Stock', 'Deleted') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('batch' as const), n }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unbatch' as const), n }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('sell' as const), n }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('sale' as const),
      n,
      status: fc.constantFrom('Awaiting Dispatch', 'Dispatched', 'Dispatched', 'Voided'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('return' as const), n }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('import' as const), n, price }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('to supplier' as const), n }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('several' as const), price }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('never was' as const), n }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('fold' as const) }) },
)
type Happening = typeof happening extends fc.Arbitrary<infer Kind> ? Kind : never

/** The first steps of each history. After them, every state has occurred, however the history goes on. */
const OPENING: Happening[] = [
  { kind: 'several', price: 700 },
  { kind: 'several', price: 300 },
  { kind: 'create', price: 50, status: 'Inbound' },
  { kind: 'to supplier', n: 0 },
  { kind: 'status', n: 1, status: 'Deleted' },
  { kind: 'batch', n: 5 },
  { kind: 'sell', n: 0 },
  { kind: 'sale', n: 0, status: 'Dispatched' },
]

/** Does one step of a history, if the rules allow it. */
async function happen(house: House, act: Happening): Promise<void> {
  const { t, admin, shop } = house
  const among = async (rows: string, at: number): Promise<Record<string, number> | undefined> => {
    const found = (await t.db.pool.query(rows)).rows
    return found[at % Math.max(1, found.length)]
  }
  const item = async (at: number, where = 'true') =>
    (await among(`select id from stock where ${where} order by id`, at))?.['id'] ?? 0
  const inSome = `status in ('In Stock', 'In Batch')`
  if (act.kind === 'create')
    await admin.post('/api/stock/create', {
      actual_product_id: shop.product,
      imei: newImei(),
      purchase_price: act.price,
      status: act.status,
    })
  if (act.kind === 'price') await admin.patch(`/api/stock/${await item(act.n)}/edit`, { purchase_price: act.price })
  if (act.kind === 'status') await admin.patch(`/api/stock/${await item(act.n)}/edit`, { status: act.status })
  if (act.kind === 'batch') await admin.post('/api/batch/create', { name: randomUUID(), items: [await item(act.n)] })
  if (act.kind === 'unbatch') {
    const placed = await among(`select id, batch_id from stock where status = 'In Batch' order by id`, act.n)
    if (placed) await admin.post(`/api/batch/${placed['batch_id']}/remove-item/${placed['id']}`)
  }
  if (act.kind === 'sell') {
    const items = [...new Set([await item(act.n, inSome), await item(act.n + 1, inSome)])]
    const sale = { stock_items: items.map((id) => ({ id, sales_price: 1 })), customer_id: shop.customer }
    await admin.post('/api/sale/create', { ...sale, send_email: false }, { 'idempotency-key': randomUUID() })
  }
  if (act.kind === 'sale') {
    const open = await among(`select id from sale where status not in ('Dispatched', 'Voided') order by id`, act.n)
    if (open && act.status === 'Dispatched')
      await admin.patch(`/api/sale/${open['id']}/edit`, { status: 'Awaiting Dispatch' })
    if (open) await admin.patch(`/api/sale/${open['id']}/edit`, { status: act.status })
  }
  if (act.kind === 'return') {
    const gone = await among(`select id, sale_id from stock where status = 'Sold' and not in_hand order by id`, act.n)
    if (gone) await admin.post(`/api/sale/${gone['sale_id']}/return-item/${gone['id']}`)
  }
  if (act.kind === 'import') {
    const { rows } = await t.db.pool.query('select imei from stock where id = any($1) order by id', [
      [await item(act.n, 'in_hand'), await item(act.n + 1, 'in_hand')],
    ])
    const lines = [
      ...rows.map(({ imei }, at) => `${imei},${act.price + at},${at ? 'Deleted' : ''}`),
      `${newImei()},${act.price},In Stock`,
      `${newImei()},${act.price + 7},`,
    ].map((line) => `${line},Apple,iPhone 13,128,GB`)
    const header = 'imei,purchase_price,status,make,model,capacity,capacity_unit'
    await importCsv(t, admin, { csv: [header, ...lines].join('\n'), update_existing: '1' })
  }
  if (act.kind === 'to supplier')
    await t.db.pool.query(`update stock set status = 'Returned to Supplier', in_hand = false where id = $1`, [
      await item(act.n, `status = 'In Stock'`),
    ])
  if (act.kind === 'several') await stockItems(t.db, shop, 3, { purchase_price: act.price })
  // An item that no log entry mentions is removed.
  if (act.kind === 'never was')
    await t.db.pool.query('delete from stock where id = $1', [
      await item(act.n, `not exists (select from log where loggable_type = 'Stock' and loggable_id = stock.id)`),
    ])
  if (act.kind === 'fold') await Promise.all([tidy(house), tidy(house)])
}

test('each past day has the stock that the tables held at its end, in any time zone', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(pause, happening), { minLength: 40, maxLength: 60 }),
      fc.shuffledSubarray(ZONES.slice(1), { minLength: 2, maxLength: 2 }),
      async (history, zones) => {
        const house = await houseWithClock()
        const told: { at: number; worths: Worths }[] = []
        let clock = START
        const opening = OPENING.map((act): (typeof history)[0] => [DAY / 8, act])
        for (const [wait, act] of [...opening, ...history]) {
          clock =
            typeof wait === 'number' ? clock + wait : Math.max(clock + 1, nextMidnight(clock, wait.zone) + wait.by)
          await house.setClock(clock)
          await happen(house, act)
          told.push({ at: clock, worths: await held(house) })
        }
        for (const state of told.flatMap(({ worths }) => [...worths.keys()])) seen.add(state)
        for (const zone of [...zones, ZONES[0]!]) {
          await setZone(house, zone)
          for (let day = START - DAY; day < clock + 2 * DAY; day += DAY) {
            const asked = dayOf(day, zone)
            const last = told.findLast(({ at }) => dayOf(at, zone) <= asked)
            expectWorths(await ask(house.admin, asked), last?.worths ?? new Map())
          }
          await tidy(house)
        }
        expect(await violationsIn(house.t.connection)).toEqual([])
        await endings.pop()?.()
      },
    ),
    { numRuns: 2, endOnFailure: true },
  )
  expect([...seen].toSorted()).toEqual(STOCK_STATES.toSorted())
})

test('a row written before midnight is of that day, even if it is committed and folded after it', async () => {
  const house = await houseWithClock()
  const { t, admin, shop } = house
  await setZone(house, 'Europe/Dublin')
  await house.setClock(Date.parse('2025-06-30T22:59:59.999Z'))
  await stockItems(t.db, shop, 1)
  const before = new Map([['In Stock', { items: 1, cost: 20_000 }]] as const)
  const late = await t.db.pool.connect()
  await late.query('begin')
  await late.query(`insert into stock (status, actual_product_id, imei, purchase_price)
    values ('In Stock', ${shop.product}, '${newImei()}', 500)`)
  await house.setClock(Date.parse('2025-06-30T23:00:00Z'))
  await stockItems(t.db, shop, 1)
  await tidy(house)
  expectWorths(await ask(admin, '2025-06-30'), before)
  await late.query('commit')
  late.release()
  for (const turn of [1, 2]) {
    expectWorths(await ask(admin, '2025-06-30'), new Map([['In Stock', { items: 2, cost: 20_500 }]]))
    expectWorths(await ask(admin, '2025-07-01'), new Map([['In Stock', { items: 3, cost: 40_500 }]]))
    expect((await ask(admin, '2025-06-30')).body.data, `turn ${turn}`).toMatchObject({
      at: '2025-06-30',
      time_zone: 'Europe/Dublin',
      until: '2025-06-30T23:00:00.000Z',
    })
    await tidy(house)
  }
  expect((await t.db.pool.query('select day::text, n from stock_day order by day')).rows).toEqual([
    { day: '2025-06-30', n: 3 },
  ])
})

test('days are folded while they are written, by several instances at once, and nothing is lost or told twice', async () => {
  const house = await openHouse()
  const { t, shop } = house
  const writing = Array.from({ length: 20 }, async () => {
    const ids = await stockItems(t.db, shop, 3)
    await t.db.pool.query('update stock set purchase_price = 100 where id = any($1)', [ids])
  })
  const folding = Array.from({ length: 20 }, () => untilFree(() => tidy(house)))
  await Promise.all([...writing, ...folding])
  expect(await violationsIn(t.connection)).toEqual([])
  await tidy(house)
  expect(await violationsIn(t.connection)).toEqual([])
  expect((await t.db.pool.query('select status, held, n, cost from stock_day')).rows).toEqual([
    { status: 'In Stock', held: true, n: 60, cost: 6000 },
  ])
})

test('a day that is folded is left alone', async () => {
  const house = await openHouse()
  const { pool } = house.t.db
  await pool.query(`insert into stock_day select '2025-05-05', 'Sold', held, n, n from unnest(array[true, true, false]) held,
    generate_series(1, 3) n`)
  const days = async () => (await pool.query('select ctid, held, n from stock_day order by held')).rows
  await tidy(house)
  const folded = await days()
  expect(folded).toMatchObject([
    { held: false, n: 6 },
    { held: true, n: 12 },
  ])
  await tidy(house)
  expect(await days()).toEqual(folded)
})

test('today is told as it is now, days before the first move have nothing, and the future is refused', async () => {
  const house = await openHouse()
  const { t, admin, shop } = house
  await stockItems(t.db, shop, 2)
  for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    await setZone(house, zone)
    const today = dayOf(Date.now(), zone)
    const now = await ask(admin, today)
    expectWorths(now, await held(house))
    expect(Date.parse(now.body.data.until)).toBeLessThanOrEqual(Date.now())
    const tomorrow = await ask(admin, new Date(Date.parse(today) + DAY).toISOString().slice(0, 10))
    expect([tomorrow.status, tomorrow.body.data.errors]).toEqual([422, { at: 'Must not be in the future.' }])
  }
  for (const past of ['2001-09-09', '1900-01-01']) expectWorths(await ask(admin, past), new Map())
  expect((await ask(admin, '9999-12-31')).body.data.errors).toEqual({ at: 'Must not be in the future.' })
  for (const wrong of ['', 'today', '2025-02-30', '2025-06-30T00:00:00Z'])
    expect(await ask(admin, wrong)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^at must be/) },
    })
  expect((await admin.get('/api/stock/value')).status).toBe(400)
})

test('only administrators are told what stock is worth', async () => {
  const { t, admin } = await openHouse()
  expect((await ask(await t.user(), '2025-06-30')).status).toBe(403)
  expect(
    (await ask(admin, '2025-06-30')).body.data.states.map(({ is_valued }: StockValue['states'][0]) => is_valued),
  ).toEqual([false, true, true, true, false, false, false])
})
