import { afterAll, beforeAll, expect, test } from 'vitest'
import { SEED } from '../../packages/server/src/testing/chance.ts'
import { Colleague, type Crowd, type Phone } from './crowd.ts'
import { expectAllKept, stateOf } from './crowd-proofs.ts'
import { reached, turns } from './figures.ts'
import { imeiOfItem, type LoadShop, loadShop } from './load-shop.ts'
import { range, statuses } from './shop.ts'

// Promise D13 of docs/promises.md: many people do all kinds of work on the same items, at two servers. SEED=… gives
// everybody the same choices again, but not the same order of arrival.
const PEOPLE = turns(12, 60)
const ROUNDS = turns(5, 25)
const WILD = turns(80, 500)
const QUIET = turns(20, 60)
const INBOUND = turns(20, 200)
const BATCHES = 5

let shop: LoadShop
beforeAll(async () => {
  shop = await loadShop({ items: WILD + QUIET, people: PEOPLE, logLevel: 'error' })
})
afterAll(() => shop.close())

/** Imports phones that are Inbound, and starts a check of their delivery. */
async function expectDelivery(): Promise<Pick<Crowd, 'inbound' | 'check' | 'importId'>> {
  const [me] = shop.staff
  const imeis = range(INBOUND).map((n) => imeiOfItem(WILD + QUIET + n))
  const rows = imeis.map((imei) => `${imei},Inbound,Apple,iPhone 13,Phone,200,300`)
  const form = new FormData()
  const lines = ['imei,status,make,model,category,purchase_price,sales_price', ...rows]
  form.set('csv', new Blob([lines.join('\n')], { type: 'text/csv' }), 'delivery.csv')
  const importId: number = (await me!.call('POST', '/api/stock/import/csv', { body: form })).body.data.import_id
  await importsEnd()
  const check = await me!.call('POST', '/api/stock/check', { body: { import_id: importId } })
  expect(check.status).toBe(201)
  const inbound = await shop.rows<Phone>(`select id, imei from stock where status = 'Inbound' order by id`)
  expect(inbound).toHaveLength(INBOUND)
  return { inbound, check: check.body.data.id, importId }
}

const importsEnd = () =>
  expect
    .poll(() =>
      shop.rows(`select id from import where state in ('waiting', 'running') or undo in ('waiting', 'undoing')`),
    )
    .toEqual([])

test('D13: of what a crowd does to the same items at once, nothing is lost, doubled or written over', async () => {
  const phones = shop.items.map((id, n) => ({ id, imei: imeiOfItem(n) }))
  const batches: number[] = []
  for (const n of range(BATCHES)) {
    const items = shop.items.slice(n * 6, n * 6 + 6)
    const made = await shop.staff[0]!.call('POST', '/api/batch/create', { body: { name: `Batch ${n}`, items } })
    batches.push(made.body.data.id)
  }
  const crowd: Crowd = {
    ...{ shop, batches, wild: phones.slice(0, WILD), quiet: phones.slice(WILD), ...(await expectDelivery()) },
    ...{
      sales: [],
      imports: [],
      acts: [],
      seen: new Map(),
      undone: new Map(),
      keys: new Map(),
      baskets: new Map(),
      heard: [],
    },
  }
  const second = await shop.join()
  const people: Colleague[] = []
  for (const [n, first] of shop.staff.entries())
    people.push(new Colleague(crowd, [first, await shop.logIn(second, n)], SEED + n))
  const before = await stateOf(shop)

  const start = performance.now()
  await Promise.all(people.map((one) => one.work(ROUNDS)))
  await people[0]?.undoOne()
  await importsEnd()
  const seconds = (performance.now() - start) / 1000

  const kept = await expectAllKept(crowd, before)
  const { acts, undone, sales, imports, heard } = crowd
  const [{ deadlocks }] = (await shop.rows<{ deadlocks: number }>(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )) as [{ deadlocks: number }]
  const slowest = Math.max(...heard.map(({ answer }) => answer.ms)) / 1000
  const told = JSON.stringify(statuses(heard.map(({ answer }) => answer)))
  reached(
    'D13',
    `${PEOPLE} people, ${heard.length} requests in ${seconds.toFixed(0)} s (${told}, ${slowest.toFixed(1)} s at most): ` +
      `${acts.length} bulk edits, ${undone.size} undone, ${sales.length} sales, ${kept.numbers} papers, ` +
      `${imports.length} imports, ${kept.locks} locks, ${kept.entries} log entries, ${deadlocks} deadlocks`,
    'D1 to D10 kept',
  )
})
