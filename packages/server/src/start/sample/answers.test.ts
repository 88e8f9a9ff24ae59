import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTape, type Tape } from '../../testing/answers.ts'
import { firstAdministrator } from '../first-administrator.ts'
import { loadSample } from './load-sample.ts'

// The records of the sample shop, compared with `answers.txt`. `npm run words` stores them anew.

let tape: Tape
beforeAll(async () => {
  tape = await openTape()
  await firstAdministrator(tape.t.db, tape.t.config)
  await loadSample(tape.t.db, tape.t.config)
})
afterAll(() => tape.close())

/** The queries leave out days, times and numbers of documents, because these depend on the day of the run. */
const QUERIES: [title: string, query: string][] = [
  ['the company', 'select name, city, country_code, vat_number, iban, email, phone, margin_rate from company'],
  ['people', 'select name, email, role from app_user where id > 1 order by id'],
  ['VAT types', 'select name, rate, treatment from vat order by id'],
  ['grades', 'select name, position from grade order by id'],
  [
    'suppliers',
    'select company_name, first_name, last_name, email_address, country_code, vat_number, default_purchase_treatment, receipt_kind from supplier order by id',
  ],
  [
    'customers',
    `select c.first_name, c.last_name, c.company_name, c.email, c.vat_number, a.city, a.country_code, a.postal_code
    from customer c left join address a on a.id = c.billing_address_id order by c.id`,
  ],
  [
    'products',
    'select p.display_name, g.name as category from product p join category g on g.id = p.category_id order by p.id',
  ],
  ['partners', 'select name, customer_id from partner order by id'],
  [
    'imports',
    `select type, regexp_replace(file_name, '[0-9]{4}-[0-9]{2}-[0-9]{2}', 'day') as file_name, state, total, succeeded, failed, user_id, partner_id, supplier_id from import order by id`,
  ],
  ['rows of imports that failed', 'select import_id, row_no, errors from import_error order by import_id, row_no'],
  [
    'batches',
    'select name, is_locked, user_id, (select count(*)::int from stock where batch_id = batch.id) as items from batch order by id',
  ],
  [
    'items',
    `select id, imei, serial_number, status, purchase_price, purchase_currency, fx_rate, sales_price, purchase_treatment,
      grade_id, functional, battery_health, location, supplier_id, vat_id, sale_id, actual_product_id as product, network_locked
    from stock order by id`,
  ],
  [
    'sales',
    `select id, status, customer_id, reference_number as reference, courier, outbound_tracking_number as tracking,
      total_items, total_purchase_price as cost, total_sales_price as net,
      total_sales_price_vat as gross, total_margin_vat, returned_sales, paid_total, created_by, partner_id from sale order by id`,
  ],
  [
    'items that came off their sales',
    'select sale_id, stock_id, released, sales_price, vat_treatment, vat_rate from sale_item where released is not null order by 1, 2',
  ],
  ['documents', 'select kind, sale_id, total_net, total_gross, reason from document order by id'],
  ['payments', 'select sale_id, amount, undoes_id from payment order by id'],
  [
    'supplier claims',
    'select supplier_id, state, reference, note, credit_expected, credit_received from supplier_claim order by id',
  ],
  ['items of claims', 'select claim_id, stock_id, reason, credit, is_back from supplier_claim_item order by 1, 2'],
  ['returns', 'select customer_id, state, note from customer_return order by id'],
  ['delivery checks', 'select name, cardinality(expected) as expected from delivery_check order by id'],
  ['scans', 'select check_id, result, count(*)::int as scans from delivery_scan group by 1, 2 order by 1, 2'],
  ['bulk edits', 'select kind, changes, cardinality(items) as items from bulk_edit order by id'],
  ['baskets', 'select user_id, items from basket order by 1'],
  [
    'log entries',
    `select loggable_type, content ->> 'type' as content, user_id, partner_id, count(*)::int as entries
    from log group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  ],
  [
    'sentences of the log',
    `select loggable_type, content -> 'data' ->> 'message' as message from log
    where content ->> 'type' = 'message' and loggable_type <> 'Stock' order by id`,
  ],
  ['emails', 'select state, count(*)::int as mails from mail group by 1 order by 1'],
]

test('the records of the sample shop', async () => {
  for (const [title, query] of QUERIES) {
    const { rows } = await tape.t.db.pool.query(query)
    await tape.note(
      title,
      rows.map((row) =>
        Object.entries(row)
          .flatMap(([name, value]) =>
            value === null ? [] : `${name} ${typeof value === 'object' ? JSON.stringify(value) : value}`,
          )
          .join(', '),
      ),
    )
  }
  await expect(tape.text()).toMatchFileSnapshot('answers.txt')
})
