import { SALE_STATUSES, type SaleStatus } from '@backstock/contract/sale-status.ts'
import { STOCK_STATUSES, type StockStatus } from '@backstock/contract/stock-status.ts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Answer, Client } from '../../packages/server/src/testing/app.ts'
import { isBusy, untilDecided } from '../../packages/server/src/testing/ask-again.ts'
import { applyImport, uploadCsv } from '../../packages/server/src/testing/csv-upload.ts'
import { batchOf, newImei } from '../../packages/server/src/testing/shop.ts'
import { reached, turns } from './figures.ts'
import { closeSound, type PromiseShop, promiseShop, range, shuffled } from './shop.ts'

// Promises D4 to D8 of docs/promises.md: many people change batches, statuses, baskets and the log at once.

let t: PromiseShop
beforeAll(async () => {
  t = await promiseShop()
})
afterAll(() => closeSound(t))

test('D4: a batch that is locked changes no more', async () => {
  const races = turns(20, 1000)
  for (const _ of range(races)) {
    const [batch, other] = [await batchOf(t.db, t.shop, t.staff.id, 4), await batchOf(t.db, t.shop, t.staff.id, 1)]
    const [free] = await t.items(1)
    const [a, b, c] = batch.items
    const rivals = shuffled([
      () => t.staff.post(`/api/batch/${batch.id}/edit`, { is_locked: true }),
      () => t.staff.post('/api/batch/add-items', { batch_id: batch.id, items: [free] }),
      () => t.staff.post('/api/batch/add-items', { batch_id: batch.id, id: other.id, items: other.items }),
      () => t.staff.post('/api/batch/add-items', { batch_id: other.id, id: batch.id, items: [a] }),
      () => t.staff.post(`/api/batch/${batch.id}/remove-item/${b}`),
      () => t.staff.post(`/api/stock/${c}/edit`, { batch_id: null }),
      () => t.sell(t.staff, [batch.items[3]!], { batch_id: batch.id, remove_from_batch: true }),
      () => t.staff.delete(`/api/batch/${batch.id}/delete`),
    ])
    const answers = await Promise.all(rivals.map((rival) => rival()))
    expect(answers.filter((answer) => answer.status >= 500 && !isBusy(answer))).toEqual([])
    // Log entries get their numbers under the lock on the batch. So entries with a higher number than the lock's own
    // entry were written after the batch was locked.
    const late = await t.rows(
      `select later.id from log locked join log later on later.id > locked.id
       where locked.loggable_type = 'Batch' and locked.loggable_id = $1
         and locked.content @> '{"data": [{"attributeName": "is_locked", "to": true}]}'
         and ((later.loggable_type = 'Batch' and later.loggable_id = $1)
           or later.content @> jsonb_build_object('data', jsonb_build_array(
             jsonb_build_object('attributeName', 'batch', 'from_id', $1::int)))
           or later.content @> jsonb_build_object('data', jsonb_build_array(
             jsonb_build_object('attributeName', 'batch', 'to_id', $1::int))))`,
      [batch.id],
    )
    expect(late).toEqual([])
  }
  reached('D4', `${races} races: no locked batch changed`, 'none in 1,000')
})

/** The specification's tables of statuses, written a second time on purpose. */
const ITEM_MOVES: Record<StockStatus, StockStatus[]> = {
  Inbound: ['Inbound', 'In Stock', 'Deleted'],
  'In Stock': ['In Stock', 'Deleted'],
  'In Batch': ['In Batch'],
  Sold: ['Sold'],
  'Returned to Supplier': ['Returned to Supplier'],
  Deleted: ['Deleted', 'In Stock'],
}
const SALE_MOVES: Record<SaleStatus, SaleStatus[]> = {
  New: ['New', 'Awaiting Payment', 'Awaiting Dispatch', 'Voided'],
  'Awaiting Payment': ['Awaiting Payment', 'Awaiting Dispatch', 'Voided'],
  'Awaiting Dispatch': ['Awaiting Dispatch', 'Dispatched'],
  'Requires Attention': ['Requires Attention', 'Voided', 'Awaiting Dispatch'],
  Dispatched: ['Dispatched'], // a status can always be set to itself
  Voided: ['Voided'],
}

async function itemThatIs(status: StockStatus): Promise<number> {
  if (status === 'In Batch') return (await batchOf(t.db, t.shop, t.staff.id, 1)).items[0]!
  const gone = status === 'Deleted' || status === 'Returned to Supplier'
  const [id] = await t.items(1, status === 'Sold' ? {} : { status, in_hand: !gone })
  if (status === 'Sold') expect((await t.sell(t.staff, [id!])).status).toBe(201)
  return id!
}

async function saleThatIs(status: SaleStatus): Promise<number> {
  const items = await t.items(2)
  const { id } = (await t.sell(t.staff, items)).body.data
  const move = async (to: SaleStatus) =>
    expect((await t.staff.post(`/api/sale/${id}/edit`, { status: to })).status).toBe(200)
  if (status === 'Requires Attention') await deleteByImport(items[0]!)
  else if (status === 'Dispatched') {
    await move('Awaiting Dispatch')
    await move('Dispatched')
  } else if (status !== 'New') await move(status)
  return id
}

async function deleteByImport(item: number): Promise<void> {
  const [row] = await t.rows<{ imei: string }>('select imei from stock where id = $1', [item])
  const upload = await uploadCsv(t.staff, { csv: `imei,status\n${row!.imei},Deleted`, update_existing: 'true' })
  await applyImport(t, upload.body.data.import_id)
}

/** All changes of status in a record's log, in their order. */
const movesOf = (type: string, id: number) =>
  t.rows<{ from: string; to: string }>(
    `select change ->> 'from' as "from", change ->> 'to' as "to" from log, jsonb_array_elements(content -> 'data') change
     where loggable_type = $1 and loggable_id = $2 and content ->> 'type' = 'model_update'
       and change ->> 'attributeName' = 'status' and change ->> 'from' is not null order by log.id`,
    [type, id],
  )

test('D5: items and sales move as the tables say, one by one and racing', async () => {
  const edit = {
    stock: (id: number, status: string) => t.staff.post(`/api/stock/${id}/edit`, { status }),
    sale: (id: number, status: string) => t.staff.post(`/api/sale/${id}/edit`, { status }),
  }
  for (const from of STOCK_STATUSES)
    for (const to of STOCK_STATUSES) {
      const id = await itemThatIs(from)
      expect([from, to, (await edit.stock(id, to)).status]).toEqual([
        from,
        to,
        ITEM_MOVES[from].includes(to) ? 200 : 422,
      ])
    }
  for (const from of SALE_STATUSES)
    for (const to of SALE_STATUSES) {
      const id = await saleThatIs(from)
      expect([from, to, (await edit.sale(id, to)).status]).toEqual([
        from,
        to,
        SALE_MOVES[from].includes(to) ? 200 : 422,
      ])
    }

  const rounds = turns(2, 50)
  const quiet = (answers: Answer[]) =>
    expect(answers.filter((answer) => ![200, 409, 422].includes(answer.status) && !isBusy(answer))).toEqual([])
  for (const _ of range(rounds)) {
    for (const from of STOCK_STATUSES) {
      const id = await itemThatIs(from)
      const before = (await movesOf('Stock', id)).length
      quiet(await Promise.all(shuffled(STOCK_STATUSES).map((to) => edit.stock(id, to))))
      for (const move of (await movesOf('Stock', id)).slice(before))
        expect(ITEM_MOVES[move.from as StockStatus]).toContain(move.to)
    }
    for (const from of SALE_STATUSES) {
      const id = await saleThatIs(from)
      quiet(await Promise.all(shuffled(SALE_STATUSES).map((to) => edit.sale(id, to))))
      for (const move of await movesOf('Sale', id))
        if (move.to !== 'Requires Attention') expect(SALE_MOVES[move.from as SaleStatus]).toContain(move.to)
    }
  }
  reached('D5', `all 72 pairs, and ${rounds * 12} races: as the tables say`, 'the tables only')
})

test('D6: two tabs that add to one basket lose nothing', async () => {
  const each = turns(15, 50)
  const url = `/api/user/${t.staff.id}/basket`
  const items = await t.items(2 * each)
  let repeated = 0
  // Like the screens: read the basket, add the item, save. If somebody has changed the basket meanwhile, start again.
  const add = async (item: number) => {
    for (;;) {
      const { body, headers } = await t.staff.get(url)
      const ids = body.data.map(({ id }: { id: number }) => id)
      const match = { 'if-match': String(headers['etag']) }
      const { status } = await untilDecided(() => t.staff.put(url, { items: [...ids, item] }, match))
      if (status === 200) return
      expect(status).toBe(412)
      repeated++
    }
  }
  const tab = async (own: number[]) => {
    for (const item of own) await add(item)
  }
  await Promise.all([tab(items.slice(0, each)), tab(items.slice(each))])
  const basket: { id: number }[] = (await t.staff.get(url)).body.data
  expect(basket.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(items)
  expect(repeated).toBeGreaterThan(0)
  reached('D6', `2 tabs, ${each} additions each, ${repeated} repeated: none lost`, 'nothing lost silently')
})

test('D7: one IMEI by two imports and by hand at once is one item', async () => {
  const [rounds, each] = [turns(2, 20), turns(25, 50)]
  // Imports of one person wait for each other.
  const other = await t.user()
  for (const _ of range(rounds)) {
    const imeis = range(each).map(newImei)
    const csv = ['imei,make,model,category,purchase_price', ...imeis.map((imei) => `${imei},Apple,iPhone 13,Phone,100`)]
    const upload = (by: Client) => uploadCsv(by, { csv: csv.join('\n') })
    const uploads = [await upload(t.staff), await upload(other)]
    const byHand = shuffled(imeis).map((imei) =>
      t.staff.post('/api/stock/create', { imei, actual_product_id: t.shop.product, purchase_price: 10_000 }),
    )
    const made = Promise.all(byHand)
    await Promise.all(uploads.map(({ body }) => applyImport(t, body.data.import_id)))
    for (const answer of await made) if (!isBusy(answer)) expect([201, 409, 422]).toContain(answer.status)
    const found = await t.rows('select imei from stock where imei = any($1)', [imeis])
    expect(found).toHaveLength(each)
  }
  reached('D7', `${rounds * each} IMEIs, three ways at once: ${rounds * each} items`, 'one row each, 1,000 times')
})

test('D8: each write has its entry, and none can be changed or taken away', async () => {
  const writes = turns(100, 10_000)
  // The test counts all entries of a log, so it needs a shop of its own: in the shared shop another test that timed out
  // may still write.
  const own = await promiseShop()
  onTestFinished(() => closeSound(own))
  const count = async () => (await own.rows<{ n: number }>('select count(*)::int as n from log'))[0]!.n
  const [item] = await own.items(1)
  const before = await count()
  for (const n of range(writes))
    expect((await own.staff.post(`/api/stock/${item}/edit`, { engineer_notes: `Note ${n}` })).status).toBe(200)
  expect((await count()) - before).toBe(writes)
  for (const sql of ['update log set is_hidden = true', 'delete from log', 'truncate log', 'truncate log cascade'])
    await expect(own.rows(sql)).rejects.toThrow(/never changed or deleted/)
  expect((await count()) - before).toBe(writes)
  reached(
    'D8',
    `${writes} writes, ${writes} entries; UPDATE, DELETE, TRUNCATE refused`,
    '10,000 writes, 10,000 entries',
  )
})
