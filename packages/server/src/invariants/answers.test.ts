import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../testing/answers.ts'
import { BROKEN } from '../testing/broken-data.ts'
import { applyUndo, importCsv } from '../testing/csv-upload.ts'
import { testClient } from '../testing/database.ts'
import { makePartner } from '../testing/partner.ts'
import { previewed } from '../testing/preview-upload.ts'
import { batchOf, newImei, openShop, stockItems } from '../testing/shop.ts'
import { violationsIn, violationsSeenBy } from './check.ts'

// The sentences of `check:data`, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
let client: pg.Client

beforeAll(async () => {
  tape = await openTape()
  client = testClient(tape.t.connection)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await tape.close()
})

const query = async (text: string, values: unknown[] = []) => (await client.query(text, values)).rows

/** A small shop with records of all kinds: sales, documents, claims, returns, receipts, imports and a preview. */
async function trade(): Promise<void> {
  const { t } = tape
  const shop = await openShop(t.db)
  const admin = await t.user('ROLE_ADMIN')
  const user = await t.user()
  await query(`update company set margin_rate = 2300`)
  await query(`insert into supplier (company_name, receipt_kind) values ('Counter', 'private')`)
  const items = (n: number, columns: object = {}) =>
    stockItems(t.db, shop, n, { vat_id: shop.vat.standard, ...columns })
  const sell = async (ids: number[], status?: string): Promise<number> => {
    const stock_items = ids.map((id) => ({ id, sales_price: 30_000 }))
    const { body } = await user.post('/api/sale/create', { customer_id: shop.customer, stock_items })
    const steps = status === 'Dispatched' ? ['Awaiting Dispatch', status] : status ? [status] : []
    for (const step of steps) await user.post(`/api/sale/${body.data.id}/edit`, { status: step })
    return body.data.id
  }
  const margin = { purchase_treatment: 'margin' }
  await sell(await items(1, margin))
  const returned = await items(2)
  const sent = await sell(returned, 'Dispatched')
  await user.post(`/api/sale/${sent}/return-item/${returned[0]}`)
  const margins = await items(2, margin)
  const half = await sell(margins, 'Dispatched')
  await user.post(`/api/sale/${half}/return-item/${margins[0]}`)
  await sell(await items(1), 'Voided')
  const attention = await items(1)
  await sell(attention)
  await importCsv(t, user, {
    csv: `imei,status\n${(await query('select imei from stock where id = $1', attention))[0].imei},Deleted`,
    update_existing: '1',
  })
  const open = await items(1)
  await sell(open, 'Dispatched')
  await user.post('/api/return/create', {
    customer_id: shop.customer,
    items: [{ id: open[0] }],
  })
  const claimed = await items(3, { supplier_id: 1, ...margin })
  for (const ids of [claimed.slice(0, 2), claimed.slice(2)]) {
    const { body } = await user.post('/api/supplier-claim/create', { supplier_id: 1, items: ids, reason: 'Faulty' })
    await user.post(`/api/supplier-claim/${body.data.id}/send`)
  }
  const { day } = (await query('select (now() at time zone time_zone)::date::text as day from company'))[0]
  await user.post('/api/supplier-claim/1/settle', {
    settled_on: day,
    credit_received: 1000,
    items: [{ id: claimed[0], credit: 1000, is_back: true }],
  })
  await sell([claimed[0]!])
  await batchOf(t.db, shop, user.id, 1)
  await batchOf(t.db, shop, user.id, 1, true)
  const [held] = await items(1, { ...margin, serial_number: 'SN-1', imei2: newImei() })
  await query('insert into basket (user_id, items) values ($1, $2)', [admin.id, [held]])
  const HEADER = 'imei,make,model,category,purchase_price'
  const line = () => `${newImei()},Apple,iPhone 13,Phone,1`
  const { id } = await importCsv(t, user, { csv: [HEADER, line()].join('\n') })
  await user.post(`/api/stock/import/history/${id}/undo`)
  await applyUndo(t, id)
  await importCsv(t, user, { csv: [HEADER, line(), '1'].join('\n') })
  await previewed(t, user, { csv: [HEADER, line(), '1'].join('\n') })
  await makePartner(t.app, admin, shop.customer)
  await user.post('/api/sale/1/pay', { amount: 100, paid_on: day })
}

const CLAIMS = 'a claim that was sent has items with their cost, and what was credited for each adds up'
const WITH_SUPPLIER = 'an item is with its supplier exactly while a claim that was sent holds it'
const OPEN_CLAIM = 'an item is in one open claim at most, and a draft or sent claim is open'
const NUMBERS = 'numbers of documents have neither gaps nor doubles'
const OWN_NUMBER =
  'a sale has the number of its invoice that no other replaced, and each document prints its own number'
const TOTALS = "a document's totals are those of its lines, of its VAT and of what is printed"
const CREDITS = 'credit notes take back what their invoice has, and no more'
const IMPORT_DONE = 'an import that is done has done every part and counted every row'
const PLANNED = 'a preview that is planned says of each row what becomes of it, and counts them all'
const ROWS = 'each row of a part that is done has an item or an error'
const UNDONE = 'an import that is undone has taken back every part, and accounts for each item that it made or changed'
const LOGGED = "a log entry's record is there, or an entry says that it was deleted"
const AUTHORS = "a log entry's author, import and bulk edit are there"
const SALES = "a sale's status agrees with its items"
const SALE_TOTALS = "a sale's totals and VAT are those of its items"
const GIVEN_BACK = "what was given back is at most an item's price, and is what its credit note says"
const RETURNS = "a return has items of its customer's sales, and its state fits them"
const SCANS = 'a delivery check says rightly whether it expected a scanned item'
const MAILS = 'an email has its files, and the times that its state needs'
const BATCH = "an item's status agrees with its batch"
const MOVES = 'the stock moves of each item add up to its present state'
const RECEIPTS = 'an item is on one purchase receipt at most, and a cancelled one frees its items'
const undone = `(select id from import where undo = 'undone')`
const done = `(select max(id) from import where failed > 0 and state = 'done')`
const preview = `(select max(id) from import where state = 'previewed')`
const receiptOf = (number: number, cancels: string, total: number, live: boolean) => `
  insert into purchase_receipt (year, number, kind, seller_name, issued_on, bought_on, currency, total, items, lang, data,
    identifiers, cancels_id) values (2001, ${number}, 'private', 'A', '2001-01-01', '2001-01-01', 'EUR', ${total}, 1, 'en', '{}', '', ${cancels});
  insert into purchase_receipt_line select max(id), 1, 1, 'A', null, null, ${total}, ${live} from purchase_receipt;`

/** Data that break parts of rules of which `BROKEN` has none. */
const FURTHER: [sql: string, invariant: string][] = [
  [`insert into supplier_claim (supplier_id, state, sent_at) values (1, 'sent', now())`, CLAIMS],
  [`update supplier_claim set state = 'draft' where id = 2`, CLAIMS],
  [`update supplier_claim set state = 'draft' where id = 2`, WITH_SUPPLIER],
  [
    `alter table stock drop constraint stock_state; update stock set status = 'In Stock' where supplier_return_id is not null`,
    WITH_SUPPLIER,
  ],
  [`update supplier_claim_item set is_open = true where claim_id = 1`, OPEN_CLAIM],
  [
    `insert into supplier_claim_item (claim_id, stock_id, reason, is_open) select 1, stock_id, 'x', true from supplier_claim_item where claim_id = 2`,
    OPEN_CLAIM,
  ],
  [`alter table document drop constraint invoice_series_year_number_key; update document set number = 1`, NUMBERS],
  [`update number_series set last = 1`, NUMBERS],
  [
    `update document set series = 'RC' where id = 1; insert into number_series select 'RC', year, 1 from document where id = 1`,
    NUMBERS,
  ],
  [`update document set series = 'sample_credit_note' where id = 1`, NUMBERS],
  [`update sale set invoice_number = 'X' where id = 2`, OWN_NUMBER],
  [`delete from document_version where document_id = 1`, OWN_NUMBER],
  [`update document set replaced_by_id = 2 where id = 1`, OWN_NUMBER],
  [
    `update document set status = 'ready' where id = 1`,
    'a document that is ready has its file, and the file is the one that was sealed',
  ],
  [`update document set status = 'none' where id = 1`, 'a document that has a number has a file, or gets one'],
  [
    `update document set status = 'failed', error = 'No paper.' where id = 1`,
    'a document that has a number has a file, or gets one',
  ],
  [
    `update document set left_at = now() where id = 1; insert into document_handover (document_id, file_name, state) values (1, 'a.xml', 'waiting')`,
    'a document that was handed over is final, has a profile, and its e-invoice is kept',
  ],
  [`update document set total_margin_vat = total_margin_vat + 1 where id = 1`, TOTALS],
  [`delete from document_vat where document_id = 1`, TOTALS],
  [`delete from document_line where document_id = 2`, TOTALS],
  [`update document_version set data = jsonb_set(data, '{vat_totals,0,rate}', '1') where document_id = 1`, TOTALS],
  [`delete from document where id = 2`, TOTALS],
  [`delete from payment`, 'what was paid for a sale is the sum of its payments, and each is reversed once and whole'],
  [
    `alter table payment disable trigger kept; insert into payment (sale_id, amount, paid_on, undoes_id) select 2, -50, paid_on, id from payment`,
    'what was paid for a sale is the sum of its payments, and each is reversed once and whole',
  ],
  [`update document set sale_id = 1 where kind = 'credit_note' and sale_id = 2`, CREDITS],
  [`update document set credits_id = id where kind = 'credit_note' and sale_id = 2`, CREDITS],
  [`update document_line set price = price + 1 where credit_kind is not null`, CREDITS],
  [`update document_line set rate = 1 where credit_kind is not null`, CREDITS],
  [`update document set reason = 'void' where kind = 'credit_note' and sale_id = 2`, CREDITS],
  [
    `update document_line set cost = 0 where credit_kind is not null`,
    'the whole deduction of a returned phone is taken back, and no purchase is deducted twice',
  ],
  [
    `update document_line set margin_vat = margin_vat + 1 where credit_kind is not null`,
    'the whole deduction of a returned phone is taken back, and no purchase is deducted twice',
  ],
  [
    `update document_line set cost = cost - 1 where credit_kind is not null and treatment = 'margin'`,
    'the whole deduction of a returned phone is taken back, and no purchase is deducted twice',
  ],
  [`update customer_return set customer_id = 2`, RETURNS],
  [`update customer_return set state = 'refused'`, RETURNS],
  [`update customer_return set state = 'received'`, RETURNS],
  [`delete from customer_return_item`, RETURNS],
  [`delete from customer_return_item`, 'a returned item has a return'],
  [`update customer_return_item set sale_id = 999`, 'a returned item has a return'],
  [`update customer_return_item set stock_id = 999`, 'a returned item has a return'],
  [`update sale_item set released = null where released = 'returned'`, 'a returned item has a return'],
  [
    `update customer_return_item set is_open = not is_open`,
    'as long as a return is open, it awaits the items that have not come',
  ],
  [`update customer_return_item set price = price + 1`, GIVEN_BACK],
  [`update customer_return_item set credit_id = 1 where credit_id is not null`, GIVEN_BACK],
  [
    `update import_part set lines = lines || 9, cells = cells || '[[""], [""]]' where import_id = ${done}`,
    "an import's parts have all of its rows",
  ],
  [`delete from import_part where import_id = ${done}`, "an import's parts have all of its rows"],
  [`update import set state = 'running', total = 1 where id = ${done}`, IMPORT_DONE],
  [`update import set ended_at = null where id = ${done}`, IMPORT_DONE],
  [`update import set state = 'waiting' where id = ${done}`, IMPORT_DONE],
  [`update import set failed = 0 where id = ${done}`, 'what an import counts is what its parts say'],
  [
    `update import_part set actions = '{failed,failed}' where import_id = ${done}`,
    'what an import counts is what its parts say',
  ],
  [`update import set plan_no = 7 where id = ${preview}`, PLANNED],
  [`update import_part set plan = '[]' where import_id = ${preview}`, PLANNED],
  [`update import_part set planned = '{9,0,0,0}' where import_id = ${preview}`, PLANNED],
  [`update import set plan = jsonb_set(plan, '{counts,new}', '7') where id = ${preview}`, PLANNED],
  [`update import_part set stock_ids = '{1}' where import_id = ${done}`, ROWS],
  [`update import_part set actions = null where import_id = ${done}`, ROWS],
  [`update import_part set stock_ids = '{999,1}' where import_id = ${done}`, ROWS],
  [`insert into import_error (import_id, row_no, errors) values (${done}, 2, '{}')`, ROWS],
  [`update import_part set undone_at = null where import_id = ${undone}`, UNDONE],
  [`update import set undo = null where id = ${undone}`, UNDONE],
  [`update import_part set removed = 0 where import_id = ${undone}`, UNDONE],
  [`update import_part set removed = 0, kept = '[{"id": 16}]' where import_id = ${undone}`, UNDONE],
  ...['batch', 'customer', 'supplier', 'supplier_claim', 'product', 'customer_return', 'stock', 'app_user'].map(
    (table): [string, string] => [
      `insert into log (loggable_type, loggable_id, content) select type, 1, '{"type": "message", "data": {"message": "x"}}'
        from unnest(array['Batch', 'Customer', 'User', 'Supplier', 'Supplier claim', 'Product', 'Return', 'Bulk edit', 'Delivery check']) type;
      delete from ${table}`,
      LOGGED,
    ],
  ),
  ...[
    'Batch "A" deleted.',
    'Customer A was deleted.',
    'Supplier A was deleted.',
    'Supplier claim #9 deleted.',
    'Product A was deleted.',
    'Return #9 deleted.',
    'Removed: import #9 was undone.',
    'Deleted.',
  ].map((message): [string, string] => [
    `insert into log (loggable_type, loggable_id, content)
        select type, 999, '${JSON.stringify({ type: 'message', data: { message } })}'
        from unnest(array['Stock', 'Batch', 'Sale', 'Customer', 'User', 'Supplier', 'Supplier claim', 'Product', 'Return', 'Bulk edit', 'Delivery check']) type`,
    LOGGED,
  ]),
  [
    `insert into log (loggable_type, loggable_id, content) values ('Sale', 999, '{"type": "model_update", "data": [{"attributeName": "status", "to": null}]}')`,
    LOGGED,
  ],
  [`insert into log (import_id, loggable_type, loggable_id, content) values (999, 'Stock', 1, '{}')`, AUTHORS],
  [`insert into log (loggable_type, loggable_id, content) values ('Ghost', 1, '{}')`, AUTHORS],
  [`delete from sale_item where sale_id = 1`, SALES],
  [`update sale set status = 'Requires Attention' where id = 1`, SALES],
  ...['Voided', 'Dispatched', 'Requires Attention', 'New'].map((status): [string, string] => [
    `update sale set status = '${status}'`,
    SALES,
  ]),
  [`update sale_item set released = 'voided' where sale_id in (1, 2)`, SALES],
  [`update sale_item set released = 'removed' where sale_id = 1`, SALE_TOTALS],
  [`update sale_item set margin_vat = 1 where sale_id = 1`, SALE_TOTALS],
  [`update sale_item set sales_price_vat = 5 where sale_id = 1`, SALE_TOTALS],
  [`update sale_item set vat_rate = 0, cost = 1 where sale_id = 2`, SALE_TOTALS],
  [`delete from sale_vat where sale_id = 1`, SALE_TOTALS],
  [`update sale set returned_sales = 1, returned_margin_vat = 1, total_items = 9 where id = 1`, SALE_TOTALS],
  [`update sale set prices_include_vat = true where id = 1`, SALE_TOTALS],
  [
    `update sale_item set purchase_treatment = 'standard' where vat_treatment = 'margin'`,
    'items that are sold under the margin scheme were bought under it',
  ],
  [
    `insert into vat_check (customer_id, vat_number, checked_on, is_valid, source) values (2, 'DE0', '2001-01-01', true, 'typed');
      update sale set vat_check_id = (select max(id) from vat_check), buyer = buyer || '{"vat_number": "DE0"}' where id = 1`,
    "a sale's VAT check is about the VAT number of its buyer",
  ],
  [
    `alter table stock drop constraint stock_state; update stock set status = 'Inbound' where status = 'In Batch'`,
    BATCH,
  ],
  [`alter table stock drop constraint stock_state; update stock set status = 'Sold' where status = 'In Batch'`, BATCH],
  [
    `alter table stock drop constraint stock_state; update stock set in_hand = not in_hand`,
    'in_hand says whether the shop has the item',
  ],
  [
    `alter table stock drop constraint stock_state; update stock set status = 'Sold' where id = (select max(id) from stock)`,
    'an item is Sold exactly while a sale holds it',
  ],
  [
    `update stock set imei2 = imei, serial_number = null, backstock_id = 'b', meid = 'm', eid = 'e' where serial_number = 'SN-1'`,
    'the table of identifiers has those of the items',
  ],
  [
    `update stock_identifier set in_hand = not in_hand where stock_id = 1`,
    'the table of identifiers has those of the items',
  ],
  [
    `update stock set backstock_id = 'b', meid = 'm', serial_number = null where in_hand`,
    'no two items in hand have the same identifier',
  ],
  [`update stock_move set held_is = not held_is where stock_id = 1`, MOVES],
  [
    `update stock_age set n = n + 1, cost = cost + 2, unpriced = unpriced + 3 where ctid = (select min(ctid) from stock_age)`,
    'unsold items are counted by their age',
  ],
  [`delete from stock_count where status = 'Sold'`, 'the counters agree with the items, in number and cost'],
  [
    `insert into product_count values ('Sold', 1, false, -1); insert into supplier_count values ('Sold', 1, null, -1)`,
    'items are counted by product and by lock',
  ],
  [`insert into supplier_count values ('Sold', 1, null, -1)`, 'items are counted by supplier and by grade'],
  [`insert into basket (user_id, items) values (2, '{1,1}')`, 'a basket has only items that exist, each once'],
  [
    `update app_user set role = 'ROLE_USER'`,
    'a closed account has neither sessions nor a basket, and an administrator is left',
  ],
  [
    `with f as (insert into file (name, media_type, size, sha256) values ('a.pdf', 'application/pdf', 3, '') returning id)
      insert into file_chunk select id, 1, 'abc' from f`,
    'a file has all of its pieces',
  ],
  [
    `update mail set state = 'sent' where id = 1; update mail set state = 'sending' where id = 2; update mail set sent_at = '2001-01-01' where id = 3`,
    MAILS,
  ],
  [
    `insert into delivery_check (name, expected) values ('Some', '{3}');
      insert into delivery_scan (check_id, key, code, stock_id, result) values (1, '#3', '#3', 3, 'unknown')`,
    SCANS,
  ],
  [
    `insert into bulk_edit (user_id, kind, changes, items, found, versions, before) values (1, 'edit', '{}', '{}', '{}', '{}', '[]');
      insert into log (bulk_id, loggable_type, loggable_id, content) select max(id), 'Stock', 3, '{}' from bulk_edit`,
    'a bulk edit names each of its items once, and the log of each item has an entry of it',
  ],
  [
    `insert into bulk_edit (user_id, kind, changes, items, found, versions, before, import_id) values (1, 'edit', '{}', '{}', '{}', '{}', '[]', 1)`,
    'a bulk edit that received items has one import or one delivery check, and any other has neither',
  ],
  [`${receiptOf(1, 'null', 5, true)} ${receiptOf(2, '(select max(id) from purchase_receipt)', 6, false)}`, RECEIPTS],
  [
    `update accounting_settings set account_length = 3`,
    'the accounts of DATEV have no more digits than the account length',
  ],
]

test('the sentences about broken data, of each rule', async () => {
  await trade()
  // The data are to contradict more than the schema alone would let them.
  await query(`
    do $$ declare one record; begin
      for one in select conrelid::regclass as of, conname from pg_constraint
        where contype = 'c' and connamespace = 'public'::regnamespace and conname not in ('stock_state', 'document_xml_sealed')
      loop execute format('alter table %s drop constraint %I', one.of, one.conname); end loop; end $$;
    drop index supplier_claim_item_open`)
  await tape.note(
    'the shop itself',
    (await violationsIn(tape.t.connection)).map(({ what }) => what),
  )
  for (const [sql, invariant] of [...BROKEN, ...FURTHER]) {
    await client.query('begin')
    // Triggers and foreign keys are switched off, because damaged data does not pass through them either.
    await client.query(`set local session_replication_role = replica; ${sql}`)
    const found = await violationsSeenBy(client, undefined, invariant)
    tape.title(invariant)
    await tape.note(
      `…${sql.replace(/\s+/g, ' ').slice(-200)}`,
      found.map(({ what }) => what.replace(/ 20[2-9]\d: /, ' ‹year›: ')).sort(),
    )
    await client.query('rollback')
  }
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
