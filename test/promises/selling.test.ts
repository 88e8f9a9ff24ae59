import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isBusy, untilDecided } from '../../packages/server/src/testing/ask-again.ts'
import { applyImport, uploadCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { newImei, runSaleJobs } from '../../packages/server/src/testing/shop.ts'
import { reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range, shuffled, statuses } from './shop.ts'

// Promises D1, D2, D3 and D10 of docs/promises.md: many people sell the same items at once.

let t: PromiseShop
const folder = mkdtempSync(path.join(os.tmpdir(), 'backstock-promises-'))
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await closeSound(t)
})

test('D1: of rivals for one item exactly one gets it', async () => {
  const [items, rivals] = [turns(5, 500), turns(20, 200)]
  for (const item of await t.items(items)) {
    const answers = await Promise.all(range(rivals).map(() => untilDecided(() => t.sell(t.staff, [item]))))
    expect(statuses(answers)).toEqual({ 201: 1, 409: rivals - 1 })
  }
  reached('D1', `${rivals} rivals for each of ${items} items: one sale each`, 'one sale each, the rest 409, no 5xx')
})

test('D2: overlapping baskets, sold at once in any order, end in 201 or 409', async () => {
  const [clients, rounds] = [turns(20, 100), turns(3, 20)]
  const items = await t.items(clients * rounds)
  const seller = async () => {
    const answers = []
    for (const _ of range(rounds)) {
      const basket = shuffled(items).slice(0, 5)
      answers.push(await untilDecided(() => t.sell(t.staff, basket)))
    }
    return answers
  }
  const counts = statuses((await Promise.all(range(clients).map(seller))).flat())
  expect(Object.keys(counts)).toEqual(['201', '409'])
  reached(
    'D2',
    `${clients} clients, ${rounds} baskets each: ${JSON.stringify(counts)}`,
    'nothing twice, no deadlock seen',
  )
})

test('D3: one key is one sale, one import, one mail, and one answer', async () => {
  const twins = turns(20, 100)
  const same = (answers: { status: number; raw: Buffer }[], status: number) => {
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]))
    expect(new Set(answers.map((answer) => String(answer.raw))).size).toBe(1)
  }
  const [item] = await t.items(1)
  const sales = await Promise.all(
    range(twins).map(() =>
      untilDecided(() => t.sell(t.staff, [item!], { create_invoice: true }, { 'idempotency-key': 'one-sale' })),
    ),
  )
  same(sales, 201)

  const csv = `imei,make,model,category,purchase_price\n${newImei()},Apple,iPhone 13,Phone,100`
  const imports = await Promise.all(
    range(twins).map(() => untilDecided(() => uploadCsv(t.staff, { csv }, { key: 'one-import' }))),
  )
  same(imports, 202)
  expect(await t.rows('select from import')).toHaveLength(1)
  await applyImport(t, imports[0]!.body.data.import_id)

  const sale: number = sales[0]!.body.data.id
  await runSaleJobs(t, folder)
  const resend = () =>
    untilDecided(() => t.staff.post(`/api/sale/${sale}/invoice/resend`, {}, { 'idempotency-key': 'one-mail' }))
  same(await Promise.all(range(twins).map(resend)), 200)
  expect(await t.rows('select from mail where sale_id = $1', [sale])).toHaveLength(1)
  await runSaleJobs(t, folder)
  reached('D3', `${twins} twins of a sale, an import, a resend: one each`, 'one effect, the same answer')
})

test('D10: invoices at once, some of them cut off: no number is missing or taken twice', async () => {
  const invoices = 100
  const items = await t.items(invoices)
  const killer = new pg.Client(t.connection)
  await killer.connect()
  let [killing, killed] = [true, 0]
  const kill = async () => {
    while (killing && killed < invoices / 4)
      killed += (
        await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
            and query like '%number_series%' order by random() limit 1`)
      ).rows.length
  }
  const ended = kill()
  const sold = await Promise.all(items.map((item) => t.sell(t.staff, [item], { create_invoice: true })))
  killing = false
  await ended
  await killer.end()
  const counts = statuses(sold)
  expect(counts[201]).toBeGreaterThan(0)
  expect(sold.filter((answer) => answer.status !== 201 && !isBusy(answer))).toEqual([])
  const rest = items.filter((_, n) => sold[n]!.status !== 201)
  // The requests that were cut off had no effect, so their items can still be sold.
  const again = rest.map((item) => untilDecided(() => t.sell(t.staff, [item], { create_invoice: true })))
  expect(statuses(await Promise.all(again))).toEqual(rest.length ? { 201: rest.length } : {})
  const [numbers] = await t.rows<{ n: number; last: number }>(
    `select count(*)::int as n, max(number) as last from document where series = 'invoice'`,
  )
  expect(numbers!.n).toBe(numbers!.last)
  reached('D10', `${invoices} at once, ${rest.length} cut off: numbers 1 to ${numbers!.last}`, 'neither gap nor double')
})
