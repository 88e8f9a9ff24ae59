import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Document } from '@backstock/contract/document.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { saleJobs } from '../../packages/server/src/areas/sale/jobs.ts'
import type { Answer } from '../../packages/server/src/testing/app.ts'
import { untilDecided } from '../../packages/server/src/testing/ask-again.ts'
import { chance } from '../../packages/server/src/testing/chance.ts'
import { startWorker } from '../../packages/server/src/worker/worker.ts'
import { reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range } from './shop.ts'

// Promise D14 of docs/promises.md: two people do something with one sale at once, while its documents are made and
// mailed.

const ROUNDS = turns(1, 50)
/** How many of all pairs of actions are tried. The seed draws them. */
const PAIRS = turns(8, 81)
const AT_ONCE = 4
const LIMIT_MS = 180_000 + ROUNDS * 120_000

let t: PromiseShop
let folder: string
let stopWorker = async () => {}
beforeAll(async () => {
  t = await promiseShop()
  folder = await mkdtemp(path.join(os.tmpdir(), 'backstock-papers-'))
  const services = { db: t.db, config: t.config, dataDir: folder, log: t.app.log }
  stopWorker = (await startWorker(services, saleJobs(services), t.connection)).stop
})
afterAll(async () => {
  await stopWorker()
  await closeSound(t)
  await rm(folder, { recursive: true })
})

const PRICE = 30_000
/** A sale of two items. Both people act on the first one. */
type Sold = { id: number; items: [number, number]; open: number; paid_on: string }
type Act = (sale: Sold) => Promise<Answer>
const ask = (verb: string, body?: (sale: Sold) => object): Act => {
  return (sale) => t.staff.post(`/api/sale/${sale.id}/${verb}`, body?.(sale) ?? {})
}
const invoiceOf = async (id: number): Promise<number> =>
  (await t.rows<{ id: number }>(`select max(id) as id from document where sale_id = $1 and kind = 'invoice'`, [id]))[0]!
    .id

const correct = ask('correct', ({ items }) => ({ items: [{ id: items[1], sales_price: 20_000 }] }))
const pay = ask('pay', ({ open, paid_on }) => ({ amount: open, open_amount: open, paid_on }))
const mail = ask('invoice/resend')
const send: Act = async ({ id }) => t.staff.post(`/api/document/${await invoiceOf(id)}/send`)
const download: Act = async ({ id }) => t.staff.get(`/api/document/${await invoiceOf(id)}/ubl`)
const print = ask('invoice/generate', () => ({ lang: 'de' }))
const dispatch = ask('edit', () => ({ status: 'Dispatched' }))
const cancel = ask('cancel')
const takeBack: Act = ({ id, items }) => t.staff.post(`/api/sale/${id}/return-item/${items[0]}`)
const allow = ask('allow', ({ items }) => ({ items: [{ id: items[0], price: 18_000 }] }))

const BEFORE = { correct, pay, mail, send, download, print, dispatch, cancel, takeBack }
const AFTER = { correct, pay, mail, send, download, print, takeBack, allow }
/**
 * If two people do the same one of these actions at once, only one may succeed. Setting a status a second time changes
 * nothing.
 */
const ONCE = new Set<Act>([correct, pay, cancel, takeBack, allow])

async function sold(isDispatched: boolean): Promise<Sold> {
  const items = (await t.items(2, { vat_id: t.shop.vat.standard })) as [number, number]
  const stock_items = items.map((id) => ({ id, sales_price: PRICE }))
  // Other rounds sell at the same moment, so this may have to wait for a number longer than a request does.
  const { status, body } = await untilDecided(() => t.sell(t.staff, [], { stock_items, create_invoice: true }))
  expect(status, body.message).toBe(201)
  const { id } = body.data
  for (const to of ['Awaiting Dispatch', ...(isDispatched ? ['Dispatched'] : [])])
    expect((await untilDecided(() => t.staff.post(`/api/sale/${id}/edit`, { status: to }))).status).toBe(200)
  const { open_amount, sold_on } = (await t.staff.get(`/api/sale/find?id=${id}`)).body.data[0]
  return { id, items, open: open_amount, paid_on: sold_on ?? new Date().toISOString().slice(0, 10) }
}

const count = { rounds: 0, both: 0, refused: 0 }

/**
 * Two people act at the same moment. Afterwards everything that they were told must be true, and nothing may be owed
 * twice.
 */
async function round(isDispatched: boolean, one: Act, other: Act, told: string): Promise<void> {
  const sale = await sold(isDispatched)
  const answers = await Promise.all([one, other].map((act) => untilDecided(() => act(sale))))
  for (const { status, body } of answers) expect([200, 404, 409, 422], `${told}: ${body?.message}`).toContain(status)
  const done = (act: Act) => [one, other].filter((each, n) => each === act && answers[n]!.status === 200).length
  count.rounds++
  if (answers.every(({ status }) => status === 200)) count.both++
  count.refused += answers.filter(({ status }) => status !== 200).length
  if (one === other && ONCE.has(one)) expect(done(one), told).toBe(isImpossible(isDispatched, one) ? 0 : 1)
  if (one !== other) expect(done(dispatch) + done(cancel), told).toBeLessThan(2)

  const record = (await t.staff.get(`/api/sale/find?id=${sale.id}`)).body.data[0]
  const documents: Document[] = record.documents
  expect(record.payments.length, told).toBe(done(pay))
  const notes = (reason: string) =>
    documents.filter((one) => one.kind === 'credit_note' && one.reason === reason).length
  expect(notes('return'), told).toBe(done(takeBack))
  expect(notes('allowance'), told).toBe(done(allow))
  expect(notes('void'), told).toBe(done(cancel))
  expect(record.status, told).toBe(
    done(cancel) ? 'Voided' : isDispatched || done(dispatch) ? 'Dispatched' : 'Awaiting Dispatch',
  )

  const prices = [done(takeBack) ? 0 : PRICE - (done(allow) ? 18_000 : 0), done(correct) ? 20_000 : PRICE]
  const net = done(cancel) ? 0 : prices.reduce((sum, price) => sum + price, 0)
  const owed = net + Math.round((net * 2300) / 10_000)
  const asked = documents.reduce((sum, { kind, total_gross }) => sum + (kind === 'invoice' ? 1 : -1) * total_gross, 0)
  const paid = done(pay) ? sale.open : 0
  expect([asked, record.invoiced_total, record.open_amount], told).toEqual([owed, owed, owed - paid])
}

/** Whether the action is never allowed in this state of a sale. */
const isImpossible = (isDispatched: boolean, act: Act) => act === takeBack && !isDispatched

/**
 * Each promised mail went out, or its record says why not. All mails of one document have the same file. Returns the
 * number of mails.
 */
async function compareMails(): Promise<number> {
  await vi.waitFor(
    async () => expect(await t.rows(`select id from mail where state in ('waiting', 'sending')`)).toEqual([]),
    { timeout: LIMIT_MS, interval: 200 },
  )
  expect(await t.rows(`select error from mail where state <> 'sent' and error is null`)).toEqual([])
  const outside = await t.rows(
    `select m.id from mail m join document d on d.id = any(m.document_ids) where m.state = 'sent' and d.left_at is null`,
  )
  expect(outside).toEqual([])
  const twice = await t.rows(
    `select d.id from document d join document_version v on v.document_id = d.id and not v.is_copy
       join mail m on m.state = 'sent' and v.file_id = any(m.file_ids)
     group by d.id having count(distinct v.file_id) > 1`,
  )
  expect(twice).toEqual([])
  const [sent] = await t.rows<{ n: number }>(`select count(*) as n from mail where state = 'sent'`)
  return sent!.n
}

test('D14: two people do something with one sale at once: what each is told is so, and nothing is owed twice', {
  timeout: LIMIT_MS,
}, async () => {
  const pairs = [false, true].flatMap((isDispatched) => {
    const acts = Object.entries(isDispatched ? AFTER : BEFORE)
    return acts.flatMap(([name, one], n) =>
      acts.slice(n).map(([also, other]) => ({ isDispatched, one, other, told: `${name} and ${also}` })),
    )
  })
  expect(pairs).toHaveLength(81)
  const drawn = pairs.map((pair) => ({ pair, at: chance() })).toSorted((a, b) => a.at - b.at)
  const all = drawn.slice(0, PAIRS).flatMap(({ pair }) => range(ROUNDS).map(() => pair))
  for (let from = 0; from < all.length; from += AT_ONCE)
    await Promise.all(
      all
        .slice(from, from + AT_ONCE)
        .map(({ isDispatched, one, other, told }) =>
          round(isDispatched, one, other, `${told}, ${isDispatched ? 'dispatched' : 'before dispatch'}`),
        ),
    )
  const sent = await compareMails()
  const { rounds, both, refused } = count
  reached(
    'D14',
    `${rounds} rounds of ${PAIRS} pairs, in ${both} both done, ${refused} refused; ${sent} mails`,
    'all that was told is so',
  )
})
