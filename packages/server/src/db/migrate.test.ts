import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { storedVatNumber } from '@backstock/contract/party-numbers.ts'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { supplierClaim } from '../areas/supplier-claim/claim.ts'
import { violationsSeenBy } from '../invariants/check.ts'
import { SEED } from '../testing/chance.ts'
import { type TestDatabase, testClient, testDatabase } from '../testing/database.ts'
import { full } from '../testing/turns.ts'
import { connect } from './connect.ts'
import { type Migration, MigrationError, migrate, readMigrations } from './migrate.ts'

let database: TestDatabase
let client: pg.Client

/** Each test begins with an empty database, as at a first start. */
beforeEach(async () => {
  database = await testDatabase()
  client = testClient(database.connection)
  await client.connect()
  await client.query('drop schema public cascade; create schema public; drop schema if exists graphile_worker cascade')
})
afterEach(async () => {
  await client.end()
  await database.drop()
})

const rows = async (sql: string) => (await client.query(sql)).rows
const applied = () => rows('select name, sha256 from migration order by name')

/** Columns that later versions have removed on purpose. */
const TAKEN_AWAY = ['session.csrf', 'sale_item.returned_sales']
/** Tables and columns that have another name in later versions. */
const CALLED: Record<string, string> = {
  invoice: 'document',
  invoice_version: 'document_version',
  'document_version.invoice_id': 'document_version.document_id',
}
const tableNow = (table: string) => CALLED[table] ?? table
function columnNow(column: string): string {
  const [table = '', name] = column.split('.')
  const now = `${tableNow(table)}.${name}`
  return CALLED[now] ?? now
}
const rowNow = (table: string, row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([column]) => !TAKEN_AWAY.includes(`${table}.${column}`))
      .map(([column, value]) => [columnNow(`${table}.${column}`).split('.')[1]!, value]),
  )

type Content = Map<string, Record<string, unknown>[]>

/** All rows of all tables. */
async function content(): Promise<Content> {
  const tables = await rows(`select tablename from pg_tables where schemaname = 'public' and tablename <> 'migration'`)
  const found: Content = new Map()
  for (const { tablename } of tables)
    found.set(
      tablename,
      // `search` is computed from the other columns, and by newer rules, so it is not compared.
      (await rows(`select to_jsonb(r) - 'search' as row from "${tablename}" r order by 1`)).map(({ row }) => row),
    )
  return found
}

async function columns(): Promise<string[]> {
  const found = await rows(`select c.table_name || '.' || c.column_name as name from information_schema.columns c
    join pg_tables t on t.schemaname = c.table_schema and t.tablename = c.table_name
    where c.table_schema = 'public' and t.tablename <> 'migration' order by 1`)
  return found.map(({ name }) => name)
}

/** Sample data in the tables of the first version. */
const TRADE = `
  insert into app_user (name, email, role, password_hash) values ('Ann', 'ann@example.test', 'ROLE_ADMIN', 'hash');
  insert into company (name) select 'Phones' where not exists (select from company);
  insert into make (name) values ('Apple');
  insert into category (name) values ('Phone');
  insert into vat (name, rate) values ('Standard', 2300);
  insert into product (make_id, category_id, model, display_name) values (1, 1, 'iPhone 13', 'Apple iPhone 13');
  insert into customer (first_name, last_name, email) values ('Bea', 'Buyer', 'bea@example.test');
  insert into batch (user_id, name) values (1, 'Pallet 1');
  insert into stock (status, actual_product_id, batch_id, imei, purchase_price, sales_price)
    select case when n > 5 then 'In Batch' else 'In Stock' end::stock_status, 1, case when n > 5 then 1 end,
      lpad(n::text, 14, '35'), 20000, 30000 from generate_series(1, 9) n;
  insert into log (user_id, loggable_type, loggable_id, content)
    values (1, 'Batch', 1, '{"type": "message", "data": {"message": "Hello"}}');
  insert into sale (customer_id, buyer, prices_include_vat, total_items, total_purchase_price, total_sales_price,
      total_sales_price_vat, invoice_number)
    values (1, '{"full_name": "Bea Buyer", "billing_address": {"country_code": "PL"}}', false, 2, 40000, 60000, 73800, '2026-00001');
  insert into sale_item (sale_id, stock_id, position, product_name, vat_rate, sales_price, cost)
    select 1, id, id, 'Apple iPhone 13', 2300, 30000, 20000 from stock where id <= 2;
  insert into sale_vat values (1, 'standard', 2300, 60000, 13800);
  insert into file (name, media_type, size, sha256) values ('Invoice.pdf', 'application/pdf', 3, sha256('PDF'));
  insert into file_chunk values (1, 0, 'PDF');
  insert into number_series values ('invoice', 2026, 1)`
const VERSION = `'{"number": "2026-00001", "seller": {"payment_days": 14}}'`
const INVOICED = `
  insert into invoice (series, year, number, sale_id, issued_on, status) values ('invoice', 2026, 1, 1, '2026-11-01', 'ready');
  insert into invoice_version values (1, 1, 'de', ${VERSION}, 1)`
/** Sample data in the tables of the versions with documents. */
const DOCUMENTED = `
  insert into document (series, year, number, sale_id, issued_on, due_on, status, left_at, customer_id, buyer_name, total_net,
      total_gross)
    values ('invoice', 2026, 1, 1, '2026-11-01', '2026-11-15', 'ready', now(), 1, 'Bea Buyer', 60000, 73800);
  insert into document_version (document_id, version, lang, data, file_id) values (1, 1, 'de', ${VERSION}, 1);
  insert into document_line (document_id, stock_id, position, net, price, treatment, rate, cost)
    select 1, stock_id, position, sales_price, sales_price, 'standard', vat_rate, cost from sale_item;
  insert into document_vat values (1, 'standard', 2300, 60000, 13800);
  update sale set invoiced_total = 73800, due_on = '2026-11-15'`
const FIRST_WITH_DOCUMENTS = '0019'
/** Ann checks the rules of reverse charge, if there are any yet. Her rules must stay as they are. */
const CHECKED_RULES = `do $$ begin
  if to_regclass('reverse_charge_rule') is not null then update reverse_charge_rule set note = 'Checked.'; end if; end $$`

/**
 * The daily run tries the first version, the last two, the one before the change to documents, and each twelfth, which
 * the seed chooses. The full run tries all.
 */
const isTried = (n: number, all: readonly Migration[]) =>
  full || n === 0 || n % 12 === SEED % 12 || n >= all.length - 3 || all[n + 1]!.name.startsWith(FIRST_WITH_DOCUMENTS)

test('every older version is brought up to this one with all that it holds', async () => {
  const all = await readMigrations()
  expect(all.length).toBeGreaterThan(1)
  for (const [n, { name }] of all.slice(0, -1).entries()) {
    if (!isTried(n, all)) continue
    await client.query(
      'drop schema public cascade; create schema public; drop schema if exists graphile_worker cascade',
    )
    await migrate(database.connection, all.slice(0, n + 1))
    await client.query(TRADE)
    await client.query(name < FIRST_WITH_DOCUMENTS ? INVOICED : DOCUMENTED)
    await client.query(CHECKED_RULES)
    const [old, before] = [await columns(), await content()]
    expect(before.get('stock')).toHaveLength(9)
    await migrate(database.connection)
    const [now, after] = [await columns(), await content()]
    expect(TAKEN_AWAY).toEqual(expect.arrayContaining(old.filter((column) => !now.includes(columnNow(column)))))
    for (const [table, kept] of before) {
      const wanted = kept.map((row) => expect.objectContaining(rowNow(table, row)))
      // Later versions bring rules for further countries.
      const all = table === 'reverse_charge_rule' ? expect.arrayContaining(wanted) : wanted
      expect(after.get(tableNow(table)), `${table} from ${name}`).toEqual(all)
    }
    // An invoice from the earlier version is final, with its lines and VAT.
    expect(after.get('document')).toMatchObject([
      {
        kind: 'invoice',
        printed: '2026-00001',
        due_on: '2026-11-15',
        total_gross: 73_800,
        left_at: expect.any(String),
      },
    ])
    expect(after.get('document_line')).toMatchObject([
      { position: 1, net: 30_000 },
      { position: 2, net: 30_000 },
    ])
    expect(after.get('document_vat')).toMatchObject([{ treatment: 'standard', rate: 2300, vat: 13_800 }])
    expect(after.get('sale')).toMatchObject([{ invoiced_total: 73_800, due_on: '2026-11-15' }])
    expect(await applied()).toEqual(all.map(({ name, sha256 }) => ({ name, sha256 })))
  }
})

/**
 * Moves of earlier days, as the database wrote them when dispatches had no move of their own. They are on the 5th to
 * 9th of May.
 */
const OLD_MOVES = `
  delete from sale_item; delete from sale_vat; delete from sale; alter table sale alter id restart;
  set session_replication_role = replica;
  insert into sale (customer_id, buyer, prices_include_vat, total_items, total_purchase_price, total_sales_price, total_sales_price_vat,
      status, dispatched_on, created_at, updated_at)
    select 1, '{}', false, 1, 0, 0, 0, status, dispatched_on, '2025-05-05T12:00Z', '2025-05-07T12:00Z' from (values
      ('Dispatched', null::date), ('Dispatched', '2025-05-06'), ('Dispatched', null), ('Voided', null), ('New', null)) s (status, dispatched_on);
  insert into sale_item (sale_id, stock_id, position, product_name, vat_rate, sales_price, cost, released) values
    (1, 1, 1, 'A', 0, 0, 20000, 'returned'), (1, 2, 2, 'B', 0, 0, 20000, null), (2, 3, 1, 'C', 0, 0, 20000, null),
    (3, 4, 1, 'D', 0, 0, 20000, null), (4, 1, 1, 'A', 0, 0, 20000, 'voided'), (5, 5, 1, 'E', 0, 0, 20000, null);
  insert into log (at, loggable_type, loggable_id, content) values ('2025-05-06T09:00Z', 'Sale', 1,
    '{"type": "model_update", "data": [{"attributeName": "status", "from": "Awaiting Dispatch", "to": "Dispatched"}]}');
  reset session_replication_role;
  update stock_move set at = '2025-05-04T12:00Z';
  update stock set status = 'Sold', sale_id = case id when 3 then 2 when 4 then 3 when 5 then 5 else 1 end where id <= 5;
  update stock_move set at = '2025-05-05T12:00Z' where at > '2025-06-01';
  update stock set in_hand = false where id <= 4;
  update stock set status = 'In Stock', sale_id = null, in_hand = true where id = 1;
  update stock_move set at = '2025-05-07T12:00Z' where at > '2025-06-01';
  update stock set status = 'Sold', sale_id = 4 where id = 1;
  update stock_move set at = '2025-05-08T12:00Z' where at > '2025-06-01';
  update stock set status = 'In Stock', sale_id = null where id = 1;
  update stock_move set at = '2025-05-09T12:00Z' where at > '2025-06-01';
  update stock set status = 'Deleted', in_hand = false where id = 9;
  update stock_move set at = '2025-05-09T12:00Z' where at > '2025-06-01'`

test('old moves learn what was dispatched and when, and their days get sums', async () => {
  const before = (await readMigrations()).filter(({ name }) => name < '0017')
  await migrate(database.connection, before)
  await client.query(TRADE)
  await client.query('update stock set batch_id = null, status = $1', ['In Stock'])
  await client.query(OLD_MOVES)
  await migrate(database.connection)
  expect(
    await rows(`select stock_id, at from stock_move where held_was and not held_is and now_is = 'Sold' order by 1`),
  ).toEqual([
    { stock_id: 1, at: new Date('2025-05-06T09:00Z') }, // as the log says
    { stock_id: 2, at: new Date('2025-05-06T09:00Z') },
    { stock_id: 3, at: new Date('2025-05-06T00:00Z') }, // the day of dispatch on its sale
    { stock_id: 4, at: new Date('2025-05-05T12:00Z') }, // when its sale was made
  ])
  expect(
    await rows(`select day, string_agg(concat(n, ' ', status, case when not held then ' gone' end), ', '
        order by status, held desc) as changed, sum(cost)::int as cost from stock_day group by day order by day`),
  ).toMatchObject([
    { changed: '9 In Stock', cost: 180_000 },
    { changed: '-5 In Stock, 4 Sold, 1 Sold gone', cost: 0 },
    { changed: '-3 Sold, 3 Sold gone', cost: 0 },
    { changed: '1 In Stock, -1 Sold gone' },
    { changed: '-1 In Stock, 1 Sold', cost: 0 },
    { changed: '-1 Sold, 1 Deleted gone' },
  ])
  const found = await violationsSeenBy(client)
  expect(found.filter(({ invariant }) => /moves|counters/.test(invariant))).toEqual([])
})

test('an item that came back before returns were kept has a settled one', async () => {
  const all = await readMigrations()
  const at = all.findIndex(({ name }) => name.includes('customer_return'))
  await migrate(database.connection, all.slice(0, at))
  await client.query(TRADE)
  await client.query(DOCUMENTED)
  await client.query(`
    update sale_item set released = 'returned', returned_sales = sales_price;
    insert into log (at, user_id, loggable_type, loggable_id, content)
      values ('2026-11-05T10:00:00Z', 1, 'Stock', 2, '{"type": "message", "data": {"message": "Returned from sale #1."}}');
    insert into document (series, year, number, kind, credits_id, reason, sale_id, status, issued_on, due_on, customer_id,
        buyer_name)
      values ('credit_note', 2026, 1, 'credit_note', 1, 'return', 1, 'ready', '2026-11-05', '2026-11-05', 1, 'Bea Buyer');
    insert into document_line (document_id, stock_id, position, net, price, treatment, rate, cost)
      values (2, 2, 1, 25000, 25000, 'standard', 2300, 0)`)
  await migrate(database.connection)
  expect(await rows('select * from customer_return order by id')).toMatchObject([
    { id: 1, customer_id: 1, state: 'settled', created_by: null },
    { id: 2, customer_id: 1, state: 'settled', created_by: 1, created_at: new Date('2026-11-05T10:00:00Z') },
  ])
  expect(await rows('select * from customer_return_item order by stock_id')).toMatchObject([
    { return_id: 1, stock_id: 1, price: 30_000, credit_id: null, is_open: false, outcome: 'restock' },
    { return_id: 2, stock_id: 2, price: 25_000, credit_id: 2, received_at: new Date('2026-11-05T10:00:00Z') },
  ])
  const next = `insert into customer_return (customer_id) values (1) returning id`
  expect(await rows(next)).toEqual([{ id: 3 }])
})

test('VAT numbers, IBANs and BICs of living records are cleaned as they are on saving; documents stay', async () => {
  const all = await readMigrations()
  const at = all.findIndex(({ name }) => name.includes('clean_numbers'))
  await migrate(database.connection, all.slice(0, at))
  await client.query(TRADE)
  await client.query(DOCUMENTED)
  const typed = ['DK: 13 58-56/28', 'nl8104.33941.b01', 'CHE–123.456.788 MWST', '12-3456789', 'n/a', 'in 2026', '']
  await client.query(
    `
    insert into customer (first_name, last_name, email, vat_number, updated_at)
      select 'A', 'B', 'ab@example.test', number, '2026-01-01' from unnest($1::text[]) number`,
    [typed],
  )
  await client.query(
    `insert into supplier (company_name, vat_number) select number, number from unnest($1::text[]) number`,
    [typed],
  )
  await client.query(`
    update company set vat_number = 'NL 8104.33941.B01', iban = 'de89-3704 0044 0532 0130 00', bic = 'coba de ff'`)
  const document =
    'select buyer_vat_number, (select jsonb_agg(data order by version) from document_version) as data from document'
  await client.query(`update sale set buyer = buyer || '{"vat_number": "DE 136 695 976"}'`)
  const [before, buyers] = [await rows(document), await rows('select buyer from sale')]
  await migrate(database.connection)
  const clean = typed.map(storedVatNumber)
  expect(clean.slice(0, 3)).toEqual(['DK13585628', 'NL810433941B01', 'CHE123456788MWST'])
  const numbers = (of: string) =>
    rows(`select array_agg(vat_number order by id) as n from ${of} where vat_number is not null`)
  expect(await numbers('customer')).toEqual([{ n: clean }])
  expect(await numbers('supplier')).toEqual([{ n: clean }])
  expect(await rows(`select from customer where email = 'ab@example.test' and updated_at <> '2026-01-01'`)).toEqual([])
  expect(await rows('select vat_number, iban, bic from company')).toEqual([
    { vat_number: 'NL810433941B01', iban: 'DE89370400440532013000', bic: 'COBADEFF' },
  ])
  expect([await rows(document), await rows('select buyer from sale')]).toEqual([before, buyers])
})

test('a refund in part, or of nothing, has given back the whole purchase of a margin phone', async () => {
  const all = await readMigrations()
  const at = all.findIndex(({ name }) => name.includes('purchase_given_back'))
  await migrate(database.connection, all.slice(0, at))
  await client.query(TRADE)
  await client.query(DOCUMENTED)
  await client.query(`
    update sale set total_sales_price_vat = 60000, total_margin_vat = 3740, returned_cost = 40000, returned_sales = 10000;
    update sale_item set vat_rate = 0, vat_treatment = 'margin', purchase_treatment = 'margin', margin_rate = 2300,
      margin_vat = 1870, released = 'returned', returned_price = case stock_id when 1 then 10000 else 0 end,
      returned_sales = case stock_id when 1 then 10000 else 0 end;
    alter table document disable trigger kept;
    alter table document_line disable trigger kept;
    update document set total_gross = 60000, total_margin_vat = 3740;
    update document_line set treatment = 'margin', rate = 0, margin_rate = 2300, margin_vat = 1870,
      credited = case stock_id when 1 then 10000 else 0 end;
    insert into document (series, year, number, kind, credits_id, reason, sale_id, status, issued_on, due_on, customer_id,
        buyer_name, left_at, total_net, total_gross, total_margin_vat)
      values ('credit_note', 2026, 1, 'credit_note', 1, 'return', 1, 'ready', '2026-11-05', '2026-11-05', 1, 'Bea Buyer', now(),
        10000, 10000, 1870);
    insert into document_line (document_id, stock_id, position, net, price, treatment, rate, cost, margin_rate, margin_vat)
      values (2, 1, 1, 10000, 10000, 'margin', 0, 0, 2300, 1870);
    update vat set rate = 2500;
    update company set payment_days = 60;
    insert into sale (customer_id, buyer, prices_include_vat, total_items, total_purchase_price, total_sales_price, total_sales_price_vat)
      values (1, '{"full_name": "Bea Buyer", "payment_days": 7}', false, 1, 20000, 30000, 36900);
    insert into sale_item (sale_id, stock_id, position, product_name, vat_id, vat_rate, sales_price, cost)
      values (2, 3, 1, 'Apple iPhone 13', 1, 2300, 30000, 20000)`)
  const [{ updated_at }] = (await rows('select updated_at from sale')) as [{ updated_at: Date }]
  await migrate(database.connection)
  expect(
    await rows('select document_id, stock_id, cost, margin_vat, credit_kind from document_line order by 1, 2'),
  ).toEqual([
    { document_id: 1, stock_id: 1, cost: 20_000, margin_vat: 1870, credit_kind: null },
    { document_id: 1, stock_id: 2, cost: 0, margin_vat: 5610, credit_kind: null },
    { document_id: 2, stock_id: 1, cost: 20_000, margin_vat: -1870, credit_kind: 'return' },
  ])
  expect(await rows('select total_margin_vat::int as vat from document order by id')).toEqual([
    { vat: 7480 },
    { vat: -1870 },
  ])
  expect(
    await rows(
      'select returned_sales::int, returned_cost::int, returned_margin_vat::int, updated_at from sale where id = 1',
    ),
  ).toEqual([{ returned_sales: 10_000, returned_cost: 40_000, returned_margin_vat: -5610, updated_at }])
  // A line takes the VAT type that it or its document names, even if the VAT type is different now.
  expect(await rows('select type_rate, type_treatment from sale_item where sale_id = 2')).toEqual([
    { type_rate: 2300, type_treatment: 'standard' },
  ])
  expect(await rows('select payment_days from sale order by id')).toEqual([{ payment_days: 14 }, { payment_days: 7 }])
  await expect(rows('update document_line set cost = 1')).rejects.toThrow('has left the house')
})

test('a supplier’s credit of before the books, put right, takes no more from a sale than it had brought to it', async () => {
  const all = await readMigrations()
  const at = all.findIndex(({ name }) => name.includes('supplier_credit.sql'))
  await migrate(database.connection, all.slice(0, at))
  await client.query(TRADE)
  await client.query(DOCUMENTED)
  await client.query(`
    update stock set status = 'Sold', sale_id = 1 where id <= 2;
    insert into supplier (company_name) values ('Old Ltd');
    insert into supplier_claim (supplier_id, state, credit_expected, credit_received, sent_at, settled_on)
      values (1, 'settled', 3000, 3000, '2026-11-01', '2026-11-02');
    insert into supplier_claim_item (claim_id, stock_id, reason, cost, is_open, is_back) values (1, 1, 'Faulty', 20000, false, true)`)
  await migrate(database.connection)
  const db = connect(database.connection)
  const costs = async () =>
    rows(`select i.cost, s.cost as now, sale.total_purchase_price::int as total,
      (select coalesce(sum(purchase), 0)::int from purchase_correction) as corrected
      from sale_item i join stock s on s.id = i.stock_id join sale on sale.id = i.sale_id where i.stock_id = 1`)
  const sold = { cost: 20_000, total: 40_000, corrected: 0 }
  expect(await costs()).toEqual([{ ...sold, now: 17_000 }])
  // A higher credit lowers the cost on the sale by the difference. A lower credit raises that cost again, but never
  // above its old value.
  for (const [credit_received, now, lowered] of [
    [5000, 15_000, 2000],
    [1000, 19_000, 0],
    [0, 20_000, 0],
    [3000, 17_000, 0],
    [3500, 16_500, 500],
  ] as const) {
    await db.write((tx) => supplierClaim.edit!(tx, 1, { credit_received }, { id: 1, role: 'ROLE_ADMIN' } as never))
    expect(await costs()).toEqual([{ cost: 20_000 - lowered, now, total: 40_000 - lowered, corrected: 0 - lowered }])
  }
  await db.close()
  const found = await violationsSeenBy(client)
  expect(found.filter(({ invariant }) => /credit/.test(invariant))).toEqual([])
})

test('five instances that start at once migrate once', async () => {
  await Promise.all(Array.from({ length: 5 }, () => migrate(database.connection)))
  const all = await readMigrations()
  expect(await applied()).toEqual(all.map(({ name, sha256 }) => ({ name, sha256 })))
  await expect(rows('select * from graphile_worker.jobs')).resolves.toEqual([])
})

test('a migration that fails leaves nothing of itself, and those before it stay', async () => {
  const all = await readMigrations()
  const broken = { name: '9999_broken.sql', sha256: 'f'.repeat(64), text: 'create table half (id int); select 1 / 0' }
  await expect(migrate(database.connection, [...all, broken])).rejects.toThrow('division by zero')
  expect(await rows(`select to_regclass('half') as half`)).toEqual([{ half: null }])
  expect(await applied()).toHaveLength(all.length)
})

test('a PostgreSQL that is too old is refused in one line, before anything is written', async () => {
  // A server that reports an older version of PostgreSQL.
  await client.query(`create schema older; create function older.current_setting(text) returns text language sql
    as $$ select case $1 when 'server_version_num' then '160009' else '16.9' end $$`)
  const older = { ...database.connection, options: '-c search_path=older,pg_catalog,public' }
  await expect(migrate(older)).rejects.toThrow(
    new MigrationError('Backstock needs PostgreSQL 17 or newer; this is 16.9.'),
  )
  expect(await rows(`select to_regclass('migration') as migration`)).toEqual([{ migration: null }])
})

test('a file that was edited after it had been applied, and a newer database, are refused in one line', async () => {
  await migrate(database.connection)
  const [first, ...others] = await readMigrations()
  const edited = { ...first!, text: `${first!.text}\n-- a change`, sha256: '0'.repeat(64) }
  await expect(migrate(database.connection, [edited, ...others])).rejects.toThrow(
    new MigrationError(`Migration ${first!.name} was changed after it had been applied.`),
  )
  await expect(migrate(database.connection, [first!])).rejects.toThrow(
    new MigrationError(`The database is newer than this version of Backstock: it has ${others[0]!.name}.`),
  )

  await client.query(`update migration set sha256 = repeat('0', 64) where name = $1`, [first!.name])
  const server = spawn(process.execPath, [path.join(import.meta.dirname, '../main.ts')], {
    env: { ...process.env, DATABASE_URL: database.url, PORT: '0', SAMPLE_DATA: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said: Buffer[] = []
  server.stderr.on('data', (data) => said.push(data))
  const [code] = await once(server, 'close')
  expect([code, Buffer.concat(said).toString()]).toEqual([
    1,
    `Backstock cannot start: Migration ${first!.name} was changed after it had been applied.\n`,
  ])
})
