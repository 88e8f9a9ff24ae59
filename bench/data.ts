import type pg from 'pg'
import { hashPassword } from '../packages/server/src/records/password.ts'
import type { Size } from './size.ts'

export const PASSWORD = 'correct horse battery'
/** The id of the sale whose invoice has 1,000 lines. */
export const LONG_SALE = 1
export const LONG_SALE_LINES = 1000

/** The indexes of these tables are made after the rows, which is several times faster. */
const BIG = ['stock', 'stock_identifier', 'log', 'sale', 'sale_item', 'customer', 'document_version', 'document_line']

/**
 * Fills a migrated, empty database. All data are calculated from the numbers of the records, so the same size always
 * gives the same shop. Only its dates change: they end today.
 */
export async function fill(client: pg.Client, size: Size): Promise<void> {
  // Triggers are off, because many of them run once for each row, which is slow. The statements below fill identifiers,
  // counters and moves with the same values as the triggers.
  await client.query(`set session_replication_role = replica; set jit = off; set work_mem = '256MB';
    set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2`)
  const indexes = await dropIndexes(client)
  for (const step of stepsOf(size, await hashPassword(PASSWORD))) await client.query(step)
  for (const index of indexes) await client.query(index)
  await client.query(`update stock_age a set newest = s.newest from (
      select status, purchase_date, max(id) as newest from stock group by 1, 2) s
    where a.status = s.status and a.bought = s.purchase_date`)
  await client.query(`
    do $$ declare c record; begin
      for c in select table_name, column_name from information_schema.columns
        where table_schema = 'public' and is_identity = 'YES' loop
        execute format('select setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 0) + 1, false) from %I',
          c.table_name, c.column_name, c.column_name, c.table_name);
      end loop;
    end $$`)
  await client.query('vacuum (analyze)')
}

/** All statements that fill the tables, in their order. */
export function stepsOf(size: Size, passwordHash: string): string[] {
  return [NAMES, ...people(size, passwordHash), ...stock(size), ...sales(size), ...history(size)]
}

async function dropIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ indexname: string; indexdef: string }>(
    `select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename = any($1)
      and not exists (select from pg_constraint where conindid = format('%I', indexname)::regclass)`,
    [BIG],
  )
  for (const { indexname } of rows) await client.query(`drop index "${indexname}"`)
  return rows.map((row) => row.indexdef)
}

/**
 * SQL functions. `pick` gives a number from 0 to `among - 1` for a record, always the same one. `check_digit` gives the
 * check digit for the first 14 digits of an IMEI.
 */
const pairs = Array.from({ length: 100 }, (_, pair) => {
  const doubled = (pair % 10) * 2
  return Math.floor(pair / 10) + (doubled > 9 ? doubled - 9 : doubled)
})
const NAMES = `
  create function pg_temp.pick(n int, salt int, among int) returns int language sql immutable as
    $$ select ((hashint4extended(n, salt) & 2147483647) % among)::int $$;
  create function pg_temp.check_digit(digits text) returns int language sql immutable as $$
    select (10 - (${Array.from({ length: 7 }, (_, n) => `('{${pairs}}'::int[])[substr(digits, ${2 * n + 1}, 2)::int + 1]`).join(' + ')}) % 10) % 10 $$;`

const list = (names: string) => `'{${names.split(' ').join(',')}}'::text[]`
const MAKES = list(
  'Apple Samsung Google Xiaomi Sony Nokia Motorola Oppo Huawei Honor OnePlus Realme Asus HTC LG ZTE Alcatel Vivo Fairphone Nothing',
)
const COLOURS = list('Black White Blue Green Red Gold Silver Purple Pink Graphite')
const FIRST_NAMES = list(
  'Anna Ben Carla David Elena Felix Grace Hugo Ines Jonas Katja Liam Maria Nils Olga Paul Quinn Rosa Stefan Tomas Ursula Viktor Wanda Xaver Yusuf Zoe Adam Bruno Clara Dora',
)
const LAST_NAMES = list(
  'Adler Becker Conti Dubois Engel Fischer Garcia Hansen Ivanov Jansen Kowalski Lehmann Moreau Novak Olsen Peters Quist Rossi Schmidt Tanaka Ulrich Vargas Weber Xu Yilmaz Zimmer Andersen Bianchi Costa Dvorak Eriksen Fontaine Gruber Horvat Ivers Jovanovic Keller Lopez Martin Nagy',
)
const CITIES = list('Berlin Wien Praha Roma Paris Madrid Lisboa Dublin Kobenhavn Warszawa')
const at = (names: string, index: string) => `(${names})[1 + ${index}]`
const pick = (n: string, salt: number, among: number) => `pg_temp.pick(${n}, ${salt}, ${among})`

/** SQL for the time of record `n` of `of`: they are spread evenly over three years up to now. */
const moment = (n: string, of: number) => `(now() - interval '1095 days' * ((${of} - ${n})::float8 / ${of}))`

function people({ customers, suppliers, users, batches, products }: Size, passwordHash: string): string[] {
  return [
    `insert into app_user (id, name, email, password_hash, role) overriding system value
      select n, ${at(FIRST_NAMES, 'n % 30')} || ' ' || ${at(LAST_NAMES, 'n % 40')}, 'user' || n || '@backstock.test',
        '${passwordHash}', case when n = 1 then 'ROLE_ADMIN' else 'ROLE_USER' end from generate_series(1, ${users}) n`,
    `update company set name = 'Second Ring GmbH', address_1 = 'Hafenstrasse 1', city = 'Hamburg', postal_code = '20359',
      country_code = 'DE', vat_number = 'DE123456789', iban = 'DE02120300000000202051', bic = 'BYLADEM1001'`,
    `insert into vat (id, name, rate) overriding system value values (1, 'Standard', 1900), (2, 'Reduced', 700), (3, 'None', 0)`,
    `insert into make (id, name) overriding system value select n, (${MAKES})[n] from generate_series(1, 20) n`,
    `insert into colour (id, name) overriding system value select n, (${COLOURS})[n] from generate_series(1, 10) n`,
    `insert into category (id, name) overriding system value values (1, 'Phones'), (2, 'Tablets'), (3, 'Watches'), (4, 'Laptops')`,
    `insert into supplier (id, company_name, first_name, last_name, email_address) overriding system value
      select n, ${at(LAST_NAMES, 'n % 40')} || ' Trading ' || n, ${at(FIRST_NAMES, 'n % 30')}, ${at(LAST_NAMES, 'n % 37')},
        'trade' || n || '@supplier.test' from generate_series(1, ${suppliers}) n`,
    `insert into product (id, make_id, category_id, colour_id, model, capacity, capacity_unit, display_name) overriding system value
      select n + 1, make.id, 1 + (n / 800) % 4, colour.id, model, capacity, 'GB',
        concat_ws(' ', make.name, model, capacity || ' GB', colour.name)
      from generate_series(0, ${products - 1}) n
      cross join lateral (select 'Model ' || (10 + n / 800) as model, (array[64, 128, 256, 512])[1 + (n / 20) % 4] as capacity) m
      join make on make.id = 1 + n % 20 join colour on colour.id = 1 + (n / 80) % 10`,
    `insert into address (id, address_1, city, postal_code, country_code) overriding system value
      select n, 'Street ' || ${pick('n', 1, 200)}, ${at(CITIES, pick('n', 2, 10))}, (10000 + ${pick('n', 3, 89999)})::text,
        (array['DE', 'AT', 'CZ', 'IT', 'FR', 'ES', 'PT', 'IE', 'DK', 'PL'])[1 + ${pick('n', 2, 10)}]
      from generate_series(1, ${2 * customers}) n`,
    `insert into customer (id, first_name, last_name, email, phone, company_name, vat_number, billing_address_id, delivery_address_id,
        cities) overriding system value
      select n, first, last, lower(first || '.' || last) || n || '@customer.test',
        '+49 ' || (100 + ${pick('n', 6, 900)}) || ' ' || (10000 + ${pick('n', 7, 90000)}),
        case when ${pick('n', 8, 10)} < 6 then last || ' Phones ' || ${pick('n', 9, 1000)} end, null, 2 * n - 1, 2 * n,
        (select string_agg(city, E'\\n' order by id) from address where id in (2 * n - 1, 2 * n))
      from generate_series(1, ${customers}) n, lateral (select ${at(FIRST_NAMES, pick('n', 4, 30))} as first,
        ${at(LAST_NAMES, pick('n', 5, 40))} as last) name`,
    `insert into batch (id, user_id, name, priority) overriding system value
      select n, 1 + n % ${users}, 'Batch ' || n, n % 5 from generate_series(1, ${batches}) n`,
  ]
}

/** Among a hundred items, 20 are In Stock, 8 Inbound, 7 In Batch, 50 Sold, 5 returned and 10 Deleted, well mixed. */
function stock({ rows, products, suppliers, batches, sales }: Size): string[] {
  return [
    `create temp table item as
      select id, place, case when place < 20 then 'In Stock' when place < 28 then 'Inbound' when place < 35 then 'In Batch'
          when place < 85 then 'Sold' when place < 90 then 'Returned to Supplier' else 'Deleted' end::stock_status as status,
        product_id, 1 + ${pick('id', 11, suppliers)} as supplier_id, 1 + (${pick('id', 12, 10)} + 3) / 10 as vat_id, cost,
        case when ${pick('id', 13, 50)} > 0 or place between 35 and 84 then cost * 5 / 4 + 99 end as price, digits,
        ${pick('id', 14, 100)} as kind, ${moment('id', rows)} as made_at, 1 + (id - 1) / 5000 as import_id
      from generate_series(1, ${rows}) id, lateral (select (id::bigint * 61 % 100)::int as place,
          1 + ${pick('id', 15, products)} as product_id, 4000 + 100 * ${pick('id', 16, 700)} as cost) a,
        lateral (select '35' || lpad((product_id::bigint * 7919 % 100000)::text, 5, '0')
          || lpad((id::bigint * 3874211 % 10000000)::text, 7, '0') as digits) b`,
    `create temp table sold as
      select id, n, case when n <= ${LONG_SALE_LINES} then ${LONG_SALE}
        else 2 + ((n - ${LONG_SALE_LINES + 1}) * ${sales - 1} / ${rows / 2 - LONG_SALE_LINES})::int end as sale_id
      from (select id, row_number() over (order by id) as n from item where status = 'Sold') s`,
    `insert into stock (id, status, actual_product_id, expected_product_id, supplier_id, vat_id, batch_id, sale_id, in_hand,
        backstock_id, imei, serial_number, purchase_price, purchase_date, sales_price, network_locked, engineer_notes,
        grading_data, created_at, updated_at) overriding system value
      select id, status, product_id, product_id, supplier_id, vat_id,
        case when status = 'In Batch' then 1 + ${pick('id', 21, batches)} end, sale_id,
        status in ('Inbound', 'In Stock', 'In Batch') or (status = 'Sold' and sale_id % 100 >= 95),
        case when kind < 50 then 'BS-' || lpad(id::text, 7, '0') end,
        case when kind <> 7 then digits || pg_temp.check_digit(digits) end,
        case when kind = 7 or kind >= 80 then upper(substr(md5(id::text), 1, 5)) || to_hex(id) end, cost, made_at::date,
        price, kind % 25 = 0, case when kind % 10 = 3 then 'Light scratches on the frame' end,
        case when kind % 3 = 0 then jsonb_build_object('screen', chr(65 + kind % 4), 'body', chr(65 + kind % 5)) else '{}' end,
        made_at, made_at
      from item left join sold using (id) order by id`,
    `insert into attribute_name values ('grading', 'body'), ('grading', 'screen')`,
    `insert into stock_identifier (stock_id, kind, in_hand, value)
      select id, k.kind, in_hand, k.value from stock,
        lateral (values ('i', imei), ('s', serial_number), ('b', backstock_id)) k (kind, value) where k.value is not null`,
    `insert into stock_count select status, count(*), sum(cost) from stock group by status`,
    `insert into stock_age
      select status, purchase_date, case when purchase_date is null then date_bin('15 minutes', created_at, '2000-01-01Z') end,
        count(*), sum(cost), coalesce(sum(sales_price), 0), count(*) filter (where sales_price is null)
      from stock where status in ('Inbound', 'In Stock', 'In Batch') group by 1, 2, 3`,
    `insert into product_count select status, actual_product_id, network_locked, count(*) from stock group by 1, 2, 3`,
    `insert into supplier_count select status, supplier_id, grade_id, count(*) from stock group by 1, 2, 3`,
    // An item is sold ten days after it came and dispatched a day later, or sooner if that day has not come yet.
    `insert into stock_move
      select made_at + least(after, (now() - made_at) * share), id, was, now_is, case when was is not null then cost end, cost,
        held_was, held_is
      from item left join sold using (id),
        lateral (values
          (interval '0', 0.0, null::stock_status, case when status = 'Sold' then 'In Stock' else status end, null::boolean,
            status in ('Inbound', 'In Stock', 'In Batch', 'Sold')),
          ('10 days', 0.8, 'In Stock', case when status = 'Sold' then status end, true, true),
          ('11 days', 0.9, 'Sold', case when sale_id % 100 < 95 then status end, true, false))
          move (after, share, was, now_is, held_was, held_is)
      where now_is is not null order by 1`,
    `insert into stock_day
      select (at at time zone 'UTC')::date, status, held, sum(n), sum(n * cost) from stock_move,
        lateral (values (now_is, held_is, 1, cost_is::bigint), (was, held_was, -1, cost_was)) change (status, held, n, cost)
      where status is not null group by 1, 2, 3`,
  ]
}

/** Among a hundred sales, 95 are dispatched with an invoice, two await dispatch, two payment, and one is new. */
function sales({ sales, customers, users }: Size): string[] {
  return [
    `create temp table sold_vat as select sale_id, rate, sum(price) as net, (sum(price) * rate * 2 + 10000) / 20000 as vat
      from sold join item using (id) join vat on vat.id = vat_id group by sale_id, rate`,
    `create temp table sold_sum as select sale_id, count(*) as n, sum(cost) as cost from sold join item using (id) group by sale_id`,
    `create temp table numbered as select id, made_at, year, row_number() over (partition by year order by id) as number
      from generate_series(1, ${sales}) id, lateral (select ${moment('id', sales)} as made_at) a,
        lateral (select extract(year from made_at)::int as year) b where id % 100 < 95`,
    `insert into sale (id, customer_id, created_by, status, reference_number, buyer, prices_include_vat, total_items,
        total_purchase_price, total_sales_price, total_sales_price_vat, courier, outbound_tracking_number, email_sent,
        invoice_number, created_at, updated_at) overriding system value
      select s.id, c.id, 1 + s.id % ${users}, case when s.id % 100 < 95 then 'Dispatched' when s.id % 100 < 97 then
          'Awaiting Dispatch' when s.id % 100 < 99 then 'Awaiting Payment' else 'New' end,
        case when s.id % 3 = 0 then 'PO-' || ${pick('s.id', 31, 100000)} end,
        jsonb_build_object('first_name', c.first_name, 'last_name', c.last_name, 'full_name', c.first_name || ' ' || c.last_name,
          'company_name', c.company_name, 'email', c.email, 'phone', c.phone, 'vat_number', c.vat_number,
          'billing_address', to_jsonb(b) - 'id', 'delivery_address', to_jsonb(d) - 'id'),
        false, t.n, t.cost, v.net, v.net + v.vat, case when s.id % 100 < 95 then 'DHL' end,
        case when s.id % 100 < 95 then 'TR' || s.id end, s.id % 100 < 95,
        case when i.id is not null then i.year || '-' || lpad(i.number::text, greatest(5, length(i.number::text)), '0') end,
        ${moment('s.id', sales)}, ${moment('s.id', sales)}
      from generate_series(1, ${sales}) s (id)
      join customer c on c.id = 1 + ${pick('s.id', 32, customers)}
      join address b on b.id = c.billing_address_id join address d on d.id = c.delivery_address_id
      join sold_sum t on t.sale_id = s.id
      join (select sale_id, sum(net) as net, sum(vat) as vat from sold_vat group by sale_id) v on v.sale_id = s.id
      left join numbered i on i.id = s.id order by s.id`,
    `insert into sale_item (sale_id, stock_id, position, product_id, product_name, imei, serial_number, vat_id, vat_name, vat_rate,
        sales_price, cost)
      select sold.sale_id, s.id, row_number() over (partition by sold.sale_id order by s.id), p.id, p.display_name, s.imei, s.serial_number,
        vat.id, vat.name, vat.rate, s.sales_price, s.cost
      from sold join stock s using (id) join product p on p.id = s.actual_product_id join vat on vat.id = s.vat_id`,
    `insert into sale_vat (sale_id, treatment, rate, net, vat) select sale_id, 'standard', rate, net, vat from sold_vat`,
    `with pdf as (select convert_to('%PDF-1.4 of the bench', 'UTF8') as data),
        kept as (insert into file (id, name, media_type, size, sha256) overriding system value
          select 1, 'Invoice.pdf', 'application/pdf', length(data), sha256(data) from pdf)
      insert into file_chunk select 1, 0, data from pdf`,
    `insert into number_series select 'invoice', year, max(number) from numbered group by year`,
    `insert into document (id, series, year, number, sale_id, issued_on, due_on, status, left_at, created_at, customer_id,
        buyer_name, total_net, total_gross) overriding system value
      select n.id, 'invoice', year, number, n.id, made_at::date, made_at::date + 14, 'ready',
        case when n.id <> ${LONG_SALE} then made_at end, made_at, s.customer_id,
        s.buyer ->> 'full_name', s.total_sales_price, s.total_sales_price_vat
      from numbered n join sale s using (id) order by n.id`,
    `insert into document_version (document_id, version, lang, data, file_id, created_at)
      select d.id, 1, 'en', jsonb_build_object('number', s.invoice_number), 1, d.created_at
      from document d join sale s on s.id = d.sale_id order by d.id`,
    `insert into document_line (document_id, stock_id, position, net, price, treatment, rate, cost)
      select d.id, i.stock_id, i.position, i.sales_price, i.sales_price, 'standard', i.vat_rate, i.cost
      from document d join sale_item i on i.sale_id = d.sale_id`,
    `insert into document_vat (document_id, treatment, rate, net, vat)
      select d.id, 'standard', v.rate, v.net, v.vat from document d join sold_vat v on v.sale_id = d.sale_id`,
    `update sale s set invoiced_total = d.total_gross, due_on = d.due_on from document d where d.sale_id = s.id`,
    // Only sales that await their payment have an open amount.
    `update sale set paid_total = open_amount where status in ('Dispatched', 'Awaiting Dispatch')`,
    `alter table payment disable trigger added`,
    `insert into payment (sale_id, paid_on, amount, created_at)
      select id, created_at::date, paid_total, created_at from sale where paid_total > 0`,
    `alter table payment enable trigger added`,
  ]
}

const change = (name: string, to: string) => `jsonb_build_object('attributeName', '${name}', 'from', null, 'to', ${to})`
const update = (...changes: string[]) =>
  `jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(${changes.join(', ')}))`

/** Two log entries for each item on average. One item in a hundred has more than the 20 that its screen shows. */
function history({ imports, users, customers, sales }: Size): string[] {
  return [
    `insert into import (id, type, user_id, file_name, header, state, total, succeeded, created_at, ended_at) overriding system value
      select id, 'csv_import', 1 + id % ${users}, 'delivery-' || id || '.csv',
        '["imei","serial_number","make","model","capacity","capacity_unit","colour","category","purchase_price"]', 'done', 5000, 5000,
        ${moment('id', imports)}, ${moment('id', imports)} from generate_series(1, ${imports}) id`,
    `insert into import_part (import_id, part, lines, cells, done_at, stock_ids, actions)
      select import_id, part, array_agg(2 + (s.id - 1) % 5000 order by s.id),
        jsonb_agg(jsonb_build_array(s.imei, coalesce(s.serial_number, ''), m.name, p.model, p.capacity::text, 'GB', c.name, k.name,
          (s.cost * 0.01)::numeric(12, 2)::text) order by s.id),
        max(made_at), array_agg(s.id order by s.id), array_fill('created'::text, array[count(*)::int])
      from (select id, import_id, made_at, (id - 1) % 5000 / 1000 as part from item) i join stock s using (id)
      join product p on p.id = s.actual_product_id join make m on m.id = p.make_id join colour c on c.id = p.colour_id
      join category k on k.id = p.category_id group by import_id, part`,
    `insert into log (at, user_id, import_id, loggable_type, loggable_id, content)
      select s.created_at, 1 + import_id % ${users}, import_id, 'Stock', s.id,
        ${update(change('actual_product', 'p.display_name'), change('supplier', 'v.company_name'), change('status', 's.status'), change('imei', 's.imei'), change('purchase_price', 's.cost'), change('sales_price', 's.sales_price'))}
      from item join stock s using (id) join product p on p.id = s.actual_product_id join supplier v on v.id = s.supplier_id order by s.id`,
    `insert into log (at, user_id, loggable_type, loggable_id, content)
      select ${moment('n', customers)}, 1 + n % ${users}, 'Customer', n, ${update(change('last_name', 'last_name'), change('email', 'email'))}
      from generate_series(1, ${customers}) n join customer on customer.id = n order by n`,
    `insert into log (at, user_id, loggable_type, loggable_id, content)
      select created_at, created_by, 'Sale', id, ${update(change('status', "'New'"), change('total_items', 'total_items'))} from sale order by id`,
    `insert into log (at, user_id, loggable_type, loggable_id, content)
      select ${moment('sale_id', sales)}, 1 + sale_id % ${users}, 'Stock', id,
        jsonb_build_object('type', 'item_sold', 'data', jsonb_build_object('sale_id', sale_id)) from sold order by sale_id, id`,
    // The remaining 0.3 entries for each item: twenty edits of each item with place 0, and one edit of each item with
    // places 1 to 10.
    `insert into log (at, user_id, loggable_type, loggable_id, content)
      select made_at + interval '1 hour' * n, 1 + ${pick('id + n', 41, users)}, 'Stock', id,
        jsonb_build_object('type', 'model_update', 'data', jsonb_build_array(
          jsonb_build_object('attributeName', 'sales_price', 'from', price + n, 'to', price + n + 1)))
      from item, generate_series(1, case when place = 0 then 20 when place <= 10 then 1 else 0 end) n
      where place <= 10 order by n, id`,
  ]
}
