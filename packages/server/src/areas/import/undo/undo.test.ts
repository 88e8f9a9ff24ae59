import { UNDO_DAYS } from '@backstock/contract/import-undo.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildApp } from '../../../app.ts'
import { violationsIn } from '../../../invariants/check.ts'
import { type Client, logIn, PASSWORD, testApp } from '../../../testing/app.ts'
import { applyImport, applyUndo, importCsv, uploadCsv } from '../../../testing/csv-upload.ts'
import { makePartner } from '../../../testing/partner.ts'
import { committed, previewed } from '../../../testing/preview-upload.ts'
import { batchOf, newImei, openShop, type Shop, stockItems } from '../../../testing/shop.ts'
import { tableHashes } from '../../../testing/table-hashes.ts'
import { untilSomebodyWaits } from '../../../testing/until-waiting.ts'

let t: Awaited<ReturnType<typeof testApp>>
let ann: Client
let bob: Client
let shop: Shop
beforeAll(async () => {
  t = await testApp()
  ann = await t.user()
  bob = await t.user()
  shop = await openShop(t.db)
})
afterAll(async () => {
  expect(await violationsIn(t.connection)).toEqual([])
  await t.close()
})

const rows = async (query: string, values: unknown[] = []) => (await t.db.pool.query(query, values)).rows
const item = async (id: number) => (await rows('select * from stock where id = $1', [id]))[0]
const HEADER = 'imei,make,model,category,purchase_price'
const phone = (imei: string, more = '') => `${imei},Apple,iPhone 13,Phone,200${more}`
const bring = (...lines: string[]) => importCsv(t, ann, { csv: lines.join('\n') })
const update = (...lines: string[]) => importCsv(t, ann, { csv: lines.join('\n'), update_existing: '1' })
const undoUrl = (id: number) => `/api/stock/import/history/${id}/undo`

async function undo(id: number, client = ann) {
  const { status, body } = await client.post(undoUrl(id))
  expect([status, body.data]).toEqual([202, { import_id: id }])
  await applyUndo(t, id)
  const after = await undoOf(id)
  expect(after).toMatchObject({ state: 'undone', progress: 100, refusal: 'It is undone already.' })
  return after
}
const undoOf = async (id: number, query = '') => (await ann.get(undoUrl(id) + query)).body.data
const itemsOf = (entry: { content: { data: { details: { id: number }[] } } }) =>
  entry.content.data.details.map(({ id }) => id)

const hashes = () => tableHashes(t.db.pool)

test('an undo removes all that an import made: items, products, makes, colours, categories, further columns', async () => {
  // A column of the other kind that has the same name stays.
  await bring('imei,make,model,category,purchase_price,grading_bought_by', `${newImei()},Apple,iPhone 13,Phone,200,Bob`)
  await rows(`update stock set grading_data = '{}' where grading_data ? 'bought_by'`)
  const before = await hashes()
  const entry = await bring(
    'imei,serial_number,make,model,colour,category,purchase_price,bought_by,grading_screen',
    `${newImei()},,Nokia,3310,Blue,Brick,20,Ann,A`,
    `,SN-NEW-1,nokia,3310,blue,Brick,20,,`,
    `${newImei()},,Apple,iPhone 13,,Phone,200,,`,
    `,,Apple,iPhone 13,,Phone,200,,`,
  )
  expect(entry.content.data).toMatchObject({ successed_rows: 3, failed_rows: 1 })
  expect(await hashes()).not.toEqual(before)
  expect(await undoOf(entry.id)).toMatchObject({
    state: null,
    refusal: null,
    progress: 0,
    removed: 3,
    restored: 0,
    kept: [],
  })
  const after = await undo(entry.id)
  expect(after).toMatchObject({ removed: 3, restored: 0, kept_total: 0, undone_by_name: 'Person 1' })
  expect(await hashes()).toEqual(before)
})

test('every table that refers to items is one that the undo asks about, or lets go of them', async () => {
  const references = await rows(`select conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid = 'stock'::regclass and confdeltype = 'a' order by 1`)
  expect(references.map(({ name }) => name)).toEqual([
    'customer_return_item',
    'document_line',
    'purchase_correction',
    'purchase_receipt_line',
    'sale_item',
    'supplier_claim_item',
    'supplier_credit',
  ])
})

test('all items that an import changed are as before: every column, places and identifiers too', async () => {
  const { id: batch } = await batchOf(t.db, shop, ann.id, 1)
  const [sold, batched] = [...(await stockItems(t.db, shop, 1)), ...(await stockItems(t.db, shop, 1))]
  await stockItems(t.db, shop, 1, { backstock_id: 'RENAMED', serial_number: 'SW-1' })
  const [inbound] = await stockItems(t.db, shop, 1, { status: 'Inbound', serial_number: 'UNDO-IN' })
  await stockItems(t.db, shop, 1, { status: 'Deleted', in_hand: false, backstock_id: 'UNDO-GONE' })
  await ann.post('/api/batch/add-items', { batch_id: batch, items: [batched] })
  await ann.post('/api/sale/create', {
    customer_id: shop.customer,
    stock_items: [{ id: sold, sales_price: 30_000 }],
    create_invoice: false,
    send_email: false,
  })
  const imei = async (id: number) => (await item(id)).imei
  const before = await hashes()
  const entry = await update(
    'backstock_id,imei,serial_number,status,sales_price,engineer_notes,purchase_date,network_locked,grading_a,make,model,category',
    `,${await imei(sold!)},,,,"new, ""notes""",2026-01-02,1,B,,,`,
    `,${await imei(batched!)},,Deleted,12.34,,,,,,,`,
    'RENAMED,,SW-2,,,,,,,,,',
    `,,UNDO-IN,In Stock,,,,,,Nokia,3310,Brick`,
    `UNDO-GONE,,,In Stock,,,,,,,,`,
  )
  expect(entry.content.data).toMatchObject({ failed_rows: 0 })
  expect((await item(batched!)).status).toBe('Deleted')
  const logs = (id: number) =>
    rows(
      `select user_id, content from log where loggable_type = 'Stock' and loggable_id = $1 order by id desc limit 1`,
      [id],
    )
  expect(await undo(entry.id, bob)).toMatchObject({
    removed: 0,
    restored: 5,
    kept_total: 0,
    undone_by_name: 'Person 2',
  })
  expect(await hashes()).toEqual(before)
  const [log] = await logs(inbound!)
  expect(log).toMatchObject({
    user_id: bob.id,
    content: {
      type: 'model_update',
      data: [
        { attributeName: 'status', from: 'In Stock', to: 'Inbound' },
        { attributeName: 'actual_product', from: 'Nokia 3310 128 GB', to: 'Apple iPhone 13 128 GB' },
      ],
    },
  })
})

test('an item that somebody changed or holds stays, and is named with who and why', async () => {
  const imeis = Array.from({ length: 8 }, newImei)
  const entry = await bring(HEADER, ...imeis.map((imei) => phone(imei)))
  const [edited, basket, sold, claimed, imported, receipted, returned, free] = itemsOf(entry) as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  // Two people have changed it. The last of them is named.
  await ann.patch(`/api/stock/${edited}/edit`, { sales_price: 400 })
  await bob.patch(`/api/stock/${edited}/edit`, { sales_price: 500 })
  await bob.put(`/api/user/${bob.id}/basket`, { items: [basket] })
  await bob.patch(`/api/stock/${sold}/edit`, { status: 'In Stock', sales_price: 500 })
  const stock_items = [{ id: sold, sales_price: 30_000 }]
  const sale = await bob.post('/api/sale/create', { customer_id: shop.customer, stock_items, send_email: false })
  const { id: ref } = sale.body.data
  const later = await update('imei,sales_price', `${imeis[4]},400`)
  await rows(
    `with s as (insert into supplier (company_name) values ('Supply') returning id),
      c as (insert into supplier_claim (supplier_id) select id from s returning id)
    insert into supplier_claim_item (claim_id, stock_id, reason) select id, $1, 'Faulty' from c`,
    [claimed],
  )
  const [{ receipt_id: receipt }] = await rows(
    `with r as (insert into purchase_receipt (year, number, kind, seller_name, issued_on, bought_on, currency, total, items,
        lang, data, identifiers) values (2026, 1, 'private', 'A', '2026-01-01', '2026-01-01', 'EUR', 1, 1, 'en', '{}', '')
        returning id)
    insert into purchase_receipt_line (receipt_id, position, stock_id, description, price, is_live)
    select id, 1, $1, 'A', 1, true from r returning receipt_id`,
    [receipted],
  )
  const [, inserted] = (await t.db.pool.query(`set session_replication_role = replica;
    with r as (insert into customer_return (customer_id) values (${shop.customer}) returning id)
    insert into customer_return_item (return_id, sale_id, stock_id) select id, ${ref}, ${returned} from r returning return_id;
    set session_replication_role = origin`)) as unknown as { rows: { return_id: number }[] }[]
  const back = inserted!.rows[0]!.return_id
  const [{ claim_id: claim }] = await rows('select claim_id from supplier_claim_item where stock_id = $1', [claimed])
  const expected = [
    { id: edited, reason: 'changed', message: 'Person 2 changed it since.', who: 'Person 2' },
    { id: basket, reason: 'basket', message: 'It is in the basket of Person 2.', who: 'Person 2' },
    { id: sold, reason: 'sale', ref, message: `It is or was on sale #${ref}.` },
    { id: claimed, reason: 'claim', ref: claim, message: `It is on supplier claim #${claim}.` },
    {
      id: imported,
      reason: 'changed',
      ref: later.id,
      message: `Import #${later.id} changed it since.`,
      who: 'Person 1',
    },
    { id: receipted, reason: 'receipt', ref: receipt, message: `It is on purchase receipt #${receipt}.` },
    { id: returned, reason: 'return', ref: back, message: `It is on return #${back}.` },
  ]
  const product = 'Apple iPhone 13'
  const ahead = await undoOf(entry.id)
  expect(ahead).toMatchObject({ state: null, removed: 1, restored: 0, kept_total: 7, kept: expected })
  expect(ahead.kept[0]).toMatchObject({ product, identifier: imeis[0], at: expect.stringMatching(/^2\d{3}-/) })
  // An item without an IMEI is named by its serial number.
  expect((await bob.patch(`/api/stock/${edited}/edit`, { imei: null, serial_number: 'KEPT-1' })).status).toBe(200)
  expect((await undoOf(entry.id)).kept[0]).toMatchObject({ id: edited, identifier: 'KEPT-1' })
  expect((await undoOf(entry.id, '?per_page=2&page=2')).kept.map(({ id }: { id: number }) => id)).toEqual([
    sold,
    claimed,
  ])
  expect(await undo(entry.id)).toMatchObject({ removed: 1, restored: 0, kept_total: 7, kept: expected })
  expect((await ann.get(`/api/stock/find?id=${free}`)).body.data).toEqual([])
  expect(await item(edited)).toMatchObject({ sales_price: 500 })
  const log = await ann.get(`/api/log/find?loggable_type=Stock&loggable_id=${free}`)
  expect(log.body.data[0].content.data.message).toBe(`Removed: import #${entry.id} was undone.`)
  const { body } = await ann.get(`/api/stock/import/history?id=${entry.id}`)
  expect(body.data[0]).toMatchObject({ state: 'done', undo: 'undone', can_undo: false })
  expect(body.data[0].content.data.details.at(-1)).toMatchObject({
    id: null,
    type: 'created',
    message: 'Created. Removed since: this import was undone.',
  })
  const csv = String((await ann.get(`/api/stock/import/history/${entry.id}/csv`)).body).split('\r\n')
  expect(csv.filter((line) => line.includes(',created,,Removed since: this import was undone.,'))).toHaveLength(1)
  expect(csv.filter((line) => line.includes(`,created,${edited},,`))).toHaveLength(1)
  await bob.put(`/api/user/${bob.id}/basket`, { items: [] })
  await rows('delete from supplier_claim_item where claim_id = $1', [claim])
  await rows('delete from customer_return where id = $1', [back])
  await t.db.pool.query(`set session_replication_role = replica; delete from purchase_receipt_line; delete from purchase_receipt;
    set session_replication_role = origin`)
})

test('an updated item keeps what its purchase receipt says of it, until nobody needs that receipt', async () => {
  const imeis = [newImei(), newImei(), newImei()]
  const [priced, other, cancelled] = itemsOf(await bring(HEADER, ...imeis.map((imei) => phone(imei)))) as [
    number,
    number,
    number,
  ]
  const before = await Promise.all([priced, other, cancelled].map(item))
  const changes = [`${imeis[0]},77,`, `${imeis[1]},,400`, `${imeis[2]},77,`]
  const later = await update('imei,purchase_price,sales_price', ...changes)
  const receipts = await rows(
    `with r as (insert into purchase_receipt (year, number, kind, seller_name, issued_on, bought_on, currency, total, items,
        lang, data, identifiers) values (2026, 8, 'private', 'A', '2026-01-01', '2026-01-01', 'EUR', 3, 3, 'en', '{}', '')
        returning id)
    insert into purchase_receipt_line (receipt_id, position, stock_id, description, price, is_live)
    select id, n, item, 'A', 1, item <> $2 from r, unnest($1::int[]) with ordinality i (item, n) returning receipt_id as ref`,
    [[priced, other, cancelled], cancelled],
  )
  const { ref } = receipts[0]!
  const kept = [{ id: priced, reason: 'receipt', ref, message: `It is on purchase receipt #${ref}.` }]
  expect(await undoOf(later.id)).toMatchObject({ restored: 2, kept_total: 1, kept })
  expect(await undo(later.id)).toMatchObject({ restored: 2, kept_total: 1, kept })
  expect(await Promise.all([priced, other, cancelled].map(item))).toMatchObject([
    { purchase_price: 7700 },
    { sales_price: before[1].sales_price },
    { purchase_price: before[2].purchase_price },
  ])
  await t.db.pool.query(`set session_replication_role = replica; delete from purchase_receipt_line; delete from purchase_receipt;
    set session_replication_role = origin`)
})

test('an undo changes nothing that a purchase receipt says of an item, whichever column that is', async () => {
  await rows(`insert into supplier (company_name) values ('Said Ltd')`)
  await (await t.user('ROLE_ADMIN')).post('/api/grade/create', { name: 'Said' })
  const numbers = Array.from({ length: 9 }, newImei)
  const brought = await bring(
    'imei,serial_number,make,model,category,purchase_price',
    ...numbers.map((imei) => `${imei},,Apple,iPhone 13,Phone,200`),
    ',SN-SAID-1,Apple,iPhone 13,Phone,200',
  )
  const ids = await rows(
    `select id from import_part, unnest(stock_ids) with ordinality i (id, n) where import_id = $1 order by n`,
    [brought.id],
  )
  const changes = ['77', ',USD,1.1', ',,,2020-01-02', ',,,,margin', ',,,,,Said Ltd', ',,,,,,iPhone X', ',,,,,,,Said']
  const later = await update(
    'imei,serial_number,purchase_price,purchase_currency,purchase_fx_rate,purchase_date,purchase_vat,supplier,model,grade,sales_price',
    ...changes.map((cells, n) => `${numbers[n]},,${cells}`),
    `${numbers[7]},SN-SAID-2`,
    `${newImei()},SN-SAID-1`,
    `${numbers[8]},,,,,,,,,,5`,
  )
  expect(later.content.data).toMatchObject({ successed_rows: 10, failed_rows: 0 })
  await rows(
    `with r as (insert into purchase_receipt (year, number, kind, seller_name, issued_on, bought_on, currency, total, items,
        lang, data, identifiers) values (2026, 9, 'private', 'A', '2026-01-01', '2026-01-01', 'EUR', 3, 3, 'en', '{}', '')
        returning id)
    insert into purchase_receipt_line (receipt_id, position, stock_id, description, price, is_live)
    select id, n, item, 'A', 1, true from r, unnest($1::int[]) with ordinality i (item, n)`,
    [ids.map(({ id }) => id)],
  )
  const { restored, kept } = await undoOf(later.id)
  const isPriced = ids[8].id
  expect(restored).toBe(1)
  expect(kept.map(({ id, reason }: { id: number; reason: string }) => [id, reason])).toEqual(
    ids.flatMap(({ id }) => (id === isPriced ? [] : [[id, 'receipt']])),
  )
  await t.db.pool.query(`set session_replication_role = replica; delete from purchase_receipt_line; delete from purchase_receipt;
    set session_replication_role = origin`)
})

test('further pages are of one judgement, in each instance; the first page and the undo itself judge anew', async () => {
  const entry = await bring(HEADER, ...Array.from({ length: 4 }, () => phone(newImei())))
  const [first, second, third, fourth] = itemsOf(entry) as [number, number, number, number]
  const edit = (id: number) => bob.patch(`/api/stock/${id}/edit`, { sales_price: 500 })
  for (const id of [first, second, third]) await edit(id)
  const other = await buildApp(t.config, t.db)
  const carl = await logIn(other, bob.id, bob.email, PASSWORD)
  const pageOf = async (query: string, client = carl) => {
    const { kept_total, kept, removed } = (await client.get(`${undoUrl(entry.id)}?per_page=2&${query}`)).body.data
    return { kept_total, removed, kept: kept.map(({ id }: { id: number }) => id) }
  }
  const before = { kept_total: 3, removed: 1 }
  const now = { kept_total: 4, removed: 0 }
  expect(await pageOf('page=1', ann)).toEqual({ ...before, kept: [first, second] })
  await edit(fourth)
  expect(await pageOf('page=2')).toEqual({ ...before, kept: [third] })
  expect(await pageOf('page=1&judged=1')).toEqual({ ...before, kept: [first, second] })
  await rows(`update import_judgement set judged_at = judged_at - interval '1 minute'`)
  expect(await pageOf('page=2')).toEqual({ ...now, kept: [third, fourth] })
  await rows('update import_judgement set removed = 7')
  expect(await pageOf('page=1')).toEqual({ ...now, kept: [first, second] })
  // The number of parts that are still to be undone differs, so the stored forecast is not used.
  await rows('update import_judgement set removed = 7, left_parts = left_parts + 1')
  expect(await pageOf('page=2')).toEqual({ ...now, kept: [third, fourth] })
  const late = (await bring(HEADER, phone(newImei()))).id
  expect(await undoOf(late)).toMatchObject({ removed: 1 })
  await edit(itemsOf((await ann.get(`/api/stock/import/history?id=${late}`)).body.data[0])[0]!)
  expect(await undo(late)).toMatchObject({ removed: 0, kept_total: 1 })
  await other.close()
})

test('an item that was updated stays if its place has changed hands meanwhile', async () => {
  const taken = await stockItems(t.db, shop, 1, { backstock_id: 'PLACE-1', serial_number: 'OLD-1' })
  const locked = await stockItems(t.db, shop, 1, { backstock_id: 'PLACE-2' })
  const lost = await stockItems(t.db, shop, 1, { backstock_id: 'PLACE-3' })
  const sold = await stockItems(t.db, shop, 1, { backstock_id: 'PLACE-4' })
  const [repriced] = await stockItems(t.db, shop, 1, { backstock_id: 'PLACE-5' })
  const imei = newImei()
  const [odd] = await stockItems(t.db, shop, 1, { backstock_id: 'PLACE-6', imei: null, serial_number: imei })
  const { body: supplier } = await ann.post('/api/supplier/create', { company_name: 'Places Ltd' })
  const [wanted, claimed, unclaimed] = [
    ...(await stockItems(t.db, shop, 1, { backstock_id: 'PLACE-7', status: 'Inbound' })),
    ...(await stockItems(t.db, shop, 1, { backstock_id: 'PLACE-8', status: 'Inbound', supplier_id: supplier.data.id })),
    ...(await stockItems(t.db, shop, 1, { backstock_id: 'PLACE-9', status: 'Inbound', supplier_id: supplier.data.id })),
  ]
  const { id: batch } = await batchOf(t.db, shop, ann.id, 1)
  const { id: other } = await batchOf(t.db, shop, ann.id, 1)
  await ann.post('/api/batch/add-items', { batch_id: batch, items: [locked[0], repriced] })
  await ann.post('/api/batch/add-items', { batch_id: other, items: lost })
  const sale = await ann.post('/api/sale/create', {
    customer_id: shop.customer,
    stock_items: [{ id: sold[0], sales_price: 30_000 }],
    create_invoice: false,
    send_email: false,
  })
  const entry = await update(
    'backstock_id,serial_number,status,sales_price',
    'PLACE-1,NEW-1,,',
    'PLACE-2,,Deleted,',
    'PLACE-3,,Deleted,',
    'PLACE-4,,Deleted,',
    'PLACE-5,,,77',
    'PLACE-6,NEW-6,,',
    ...[7, 8, 9].map((n) => `PLACE-${n},,In Stock,`),
  )
  expect(entry.content.data).toMatchObject({ failed_rows: 0 })
  await bob.put(`/api/user/${bob.id}/basket`, { items: [wanted] })
  const claim = { supplier_id: supplier.data.id, items: [claimed, unclaimed], reason: 'Faulty' }
  const claims = `/api/supplier-claim/${(await ann.post('/api/supplier-claim/create', claim)).body.data.id}`
  expect((await ann.post(`${claims}/remove-items`, { items: [unclaimed] })).status).toBe(200)
  const [holder] = await stockItems(t.db, shop, 1, { serial_number: 'old-1' })
  const [phone] = await stockItems(t.db, shop, 1, { imei })
  await ann.patch(`/api/batch/${batch}/edit`, { is_locked: true })
  await ann.delete(`/api/batch/${other}/delete`)
  const after = await undo(entry.id)
  expect(after.kept.map(({ id, message }: { id: number; message: string }) => [id, message])).toEqual([
    [taken[0], `Item #${holder} now has the IMEI or serial number that this item had before.`],
    [locked[0], `Batch #${batch} is locked.`],
    [lost[0], 'A record that it had before, such as its grade, no longer exists.'],
    [sold[0], `It is or was on sale #${sale.body.data.id}.`],
    [odd, `Item #${phone} now has the IMEI or serial number that this item had before.`],
    [wanted, 'It is in the basket of Person 2.'],
    [claimed, `It is on supplier claim #${claims.split('/').at(-1)}.`],
  ])
  expect(after).toMatchObject({ restored: 2, removed: 0 })
  expect(await item(unclaimed!)).toMatchObject({ status: 'Inbound' })
  await bob.put(`/api/user/${bob.id}/basket`, { items: [] })
  expect(await item(repriced!)).toMatchObject({ sales_price: 30_000, batch_id: batch, status: 'In Batch' })
})

test('a later import that is undone first no longer stands in the way, and a form from between is stale', async () => {
  const before = await hashes()
  const imei = newImei()
  const first = await bring(HEADER, phone(imei))
  const [id] = itemsOf(first)
  const second = await update('imei,sales_price', `${imei},400`)
  const { updated_at } = await item(id!)
  await undo(second.id)
  const stale = await ann.patch(`/api/stock/${id}/edit`, { sales_price: 400, updated_at })
  expect([stale.status, stale.body.message]).toEqual([409, expect.stringContaining('Changed by Person 1')])
  expect(await undo(first.id)).toMatchObject({ removed: 1, kept_total: 0 })
  expect(await hashes()).toEqual(before)
})

test('received items stand in the way until their receipt is undone', async () => {
  const entry = await bring(HEADER, phone(newImei()), phone(newImei()))
  const received = await bob.post('/api/stock/bulk/receive', { import_id: entry.id })
  expect((await undoOf(entry.id)).kept.map(({ who }: { who: string }) => who)).toEqual(['Person 2', 'Person 2'])
  expect((await bob.post(`/api/stock/bulk/${received.body.data.bulk_id}/undo`)).status).toBe(200)
  expect(await undo(entry.id)).toMatchObject({ removed: 2, kept_total: 0 })
})

test('an import of a partner is undone too; made records are kept if others use them by now', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const partner = await makePartner(t.app, admin, shop.customer)
  const items = ['5', '6', '7'].map((model) => ({
    ...{ imei: newImei(), make: 'Fairphone', model, category: 'Phone', purchase_price: 30_000 },
  }))
  const pushed = await partner.post('/stock', { items })
  const id = pushed.body.data.import_id
  await applyImport(t, id)
  const products = () =>
    rows(
      `select p.id, model, m.name from product p join make m on m.id = make_id where m.name = 'Fairphone' order by model`,
    )
  const [product, ordered] = await products()
  const [mine] = await stockItems(t.db, shop, 1, { actual_product_id: product.id })
  await stockItems(t.db, shop, 1, { expected_product_id: ordered.id })
  expect(await undo(id)).toMatchObject({ removed: 3, kept_total: 0 })
  expect(await products()).toEqual([product, ordered])
  expect((await partner.get(`/imports/${id}`)).body.data).toMatchObject({ state: 'done', progress: 100 })
  expect((await item(mine!)).actual_product_id).toBe(product.id)

  // An item that a partner has changed since stays, and the partner is named.
  const later = await bring(HEADER, phone(newImei()))
  const [changed] = itemsOf(later)
  await rows(`update stock set location = 'Box' where id = $1`, [changed])
  await rows(`insert into log (partner_id, loggable_type, loggable_id, content) values ($1, 'Stock', $2, $3)`, [
    ...[partner.id, changed, { type: 'message', data: { message: 'Moved' } }],
  ])
  const kept = [{ id: changed, who: 'Shop', message: 'Shop changed it since.' }]
  expect(await undo(later.id)).toMatchObject({ removed: 0, kept })
})

test('all products that an import made go with it, also if they are more than one part of the undo', async () => {
  const entry = await bring(HEADER, `${newImei()},Apple,Prototype,Phone,200`)
  await rows(
    `with made as (
       insert into product (make_id, category_id, model, display_name)
       select make_id, category_id, 'Prototype ' || n, 'Apple Prototype ' || n from product, generate_series(1, 1500) n
       where model = 'Prototype' returning id)
     update import set made = made || (select jsonb_agg(jsonb_build_array('product', id)) from made) where id = $1`,
    [entry.id],
  )
  await undo(entry.id)
  expect(await rows(`select model from product where model like 'Prototype%'`)).toEqual([])
})

test('asked twice with one key it is asked once; undone it is a 409; other imports and undos wait in turn', async () => {
  const [a, b] = [newImei(), newImei()]
  const first = await bring(HEADER, phone(a))
  const second = await bring(HEADER, phone(b))
  const key = { 'idempotency-key': 'undo-once' }
  const jobs = async () =>
    (await rows(`select count(*)::int as n from graphile_worker.jobs where task_identifier = 'import_undo'`))[0].n
  const queued = await jobs()
  for (const _ of [1, 2]) expect((await ann.post(undoUrl(second.id), {}, key)).status).toBe(202)
  expect((await ann.post(undoUrl(second.id))).status).toBe(202)
  expect(await jobs()).toBe(queued + 1)
  expect((await ann.post(undoUrl(first.id))).status).toBe(202)
  expect(await undoOf(first.id)).toMatchObject({ state: 'waiting', progress: 0 })

  // The same phone comes again before its first undo. This import waits for that undo, and the undo of the first import
  // waits for the undo of the second.
  const again = await uploadCsv(ann, { csv: [HEADER, phone(a)].join('\n') })
  const third: number = again.body.data.import_id
  await applyImport(t, third)
  await applyUndo(t, first.id)
  // The undo that must wait has another job, which asks again a moment later.
  expect(await jobs()).toBe(queued + 3)
  // Undos and imports share two queues.
  expect(
    await rows(
      `select distinct queue_name as name from graphile_worker.jobs where task_identifier like 'import%' order by 1`,
    ),
  ).toEqual([{ name: 'import 0' }, { name: 'import 1' }])
  expect(
    await rows('select id, state, undo from import where id = any($1) order by id', [[first.id, second.id, third]]),
  ).toEqual([
    { id: first.id, state: 'done', undo: 'waiting' },
    { id: second.id, state: 'done', undo: 'waiting' },
    { id: third, state: 'waiting', undo: null },
  ])
  for (const id of [second.id, first.id]) await applyUndo(t, id)
  await applyImport(t, third)
  expect(await rows('select state, succeeded, failed from import where id = $1', [third])).toEqual([
    { state: 'done', succeeded: 1, failed: 0 },
  ])
  const twice = await ann.post(undoUrl(first.id))
  expect([twice.status, twice.body.message]).toEqual([
    409,
    `Import #${first.id} cannot be undone. It is undone already.`,
  ])
})

test('an undo that is asked for while its import waits comes after it', async () => {
  const imei = newImei()
  const { body } = await uploadCsv(ann, { csv: [HEADER, phone(imei)].join('\n') })
  const id: number = body.data.import_id
  expect((await ann.post(undoUrl(id))).status).toBe(202)
  await applyUndo(t, id)
  expect(await undoOf(id)).toMatchObject({ state: 'waiting', removed: 0 })
  await applyImport(t, id)
  await applyUndo(t, id)
  expect(await undoOf(id)).toMatchObject({ state: 'undone', removed: 1 })
})

test('a preview has no undo; what it brought has one like any other', async () => {
  const before = await hashes()
  const file = ['IMEI-Nr;Marke;Modell;Kategorie;EK', phone(newImei()).replaceAll(',', ';')]
  const { import_id: id } = await previewed(t, ann, { csv: file.join('\n') })
  expect((await ann.post(undoUrl(id))).status).toBe(404)
  expect((await ann.get(undoUrl(id))).status).toBe(404)
  await committed(t, ann, id)
  expect(await undo(id)).toMatchObject({ removed: 1, kept_total: 0 })
  expect(await hashes()).toEqual(before)
  // Plans, imports and undos outlive many stops of the server. Each stop counts as a try.
  const tries = await rows(
    `select distinct max_attempts as most from graphile_worker.jobs where task_identifier like 'import%'`,
  )
  expect(tries).toEqual([{ most: 1000 }])
})

test('no undo of what is old, changed nothing, was made before undos were known, or is not there', async () => {
  const old = await bring(HEADER, phone(newImei()))
  const nothing = await bring(HEADER, 'bad,Apple,iPhone 13,Phone,200')
  const unknown = await bring(HEADER, phone(newImei()))
  await rows(`update import set ended_at = now() - make_interval(days => $2, secs => 1) where id = $1`, [
    old.id,
    UNDO_DAYS,
  ])
  await rows('update import_part set versions = null where import_id = $1', [unknown.id])
  const refusal = async (id: number) => {
    expect((await ann.get(`/api/stock/import/history?id=${id}`)).body.data[0]).toMatchObject({
      undo: null,
      can_undo: false,
    })
    const { status, body } = await ann.post(undoUrl(id))
    return [status, body.message]
  }
  expect(await refusal(old.id)).toEqual([409, `Import #${old.id} cannot be undone. It ended more than 30 days ago.`])
  expect(await refusal(nothing.id)).toEqual([409, `Import #${nothing.id} cannot be undone. It changed nothing.`])
  expect(await refusal(unknown.id)).toEqual([409, expect.stringContaining('before imports could be undone')])
  expect((await ann.post(undoUrl(999_999))).status).toBe(404)
  expect((await ann.get(undoUrl(999_999))).status).toBe(404)
})

test('if a grade is deleted while the undo looks at it, its item stays, and the rest goes back', async () => {
  const admin = await t.user('ROLE_ADMIN')
  const grade: number = (await admin.post('/api/grade/create', { name: 'Short-lived' })).body.data.id
  const [graded, other] = await stockItems(t.db, shop, 2)
  await ann.post(`/api/stock/${graded}/edit`, { grade_id: grade })
  const { imei } = await item(graded!)
  const entry = await update('imei,grade,location', `${imei},A,Shelf 1`, `${(await item(other!)).imei},A,Shelf 1`)
  const client = await t.db.pool.connect()
  try {
    await client.query('begin')
    await client.query('delete from grade where id = $1', [grade])
    const { status } = await ann.post(undoUrl(entry.id))
    expect(status).toBe(202)
    const undone = applyUndo(t, entry.id)
    await untilSomebodyWaits(t.db)
    await client.query('commit')
    await undone
  } finally {
    client.release()
  }
  expect(await undoOf(entry.id)).toMatchObject({
    state: 'undone',
    restored: 1,
    kept: [{ id: graded, message: 'A record that it had before, such as its grade, no longer exists.' }],
  })
})
