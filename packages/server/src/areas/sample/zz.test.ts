import { sql } from 'kysely'
import { mkdtempSync } from 'node:fs'
import { test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { runSaleJobs } from '../../testing/shop.ts'
import { firstAdministrator } from '../first-start.ts'
import { loadSample } from './load-sample.ts'
test('x', async () => {
  const t = await testApp()
  await firstAdministrator(t.db, t.config)
  let b = performance.now()
  await loadSample(t.db, t.config)
  console.log('load', performance.now() - b)
  const show = async (q: string) => console.table((await sql.raw(q).execute(t.db.read)).rows)
  await show('select task_identifier, count(*) from graphile_worker.jobs group by 1')
  b = performance.now()
  await runSaleJobs(t, mkdtempSync('/tmp/zz'), t.app.log)
  console.log('jobs', performance.now() - b)
  await show('select status, count(*), sum(cost), sum(sales_price) from stock group by 1')
  await show('select id, status, created_at::text, updated_at::text, invoice_number, excel_status, total_items n, total_purchase_price p, total_sales_price s, total_sales_price_vat v, buyer->>\'full_name\' who, created_by from sale order by id')
  await show('select i.status, count(*) from invoice i group by 1')
  await show('select id, type, user_id, file_name, total, succeeded, failed, created_at::text from import order by id')
  await show('select import_id, row_no, backstock_id, errors::text from import_error')
  await show('select b.id, user_id, b.name, is_locked, b.created_at::text, count(s.id), count(s.id) filter (where s.status=\'Sold\') sold from batch b left join stock s on s.batch_id=b.id group by b.id order by 1')
  await show('select at::text, user_id, loggable_type, loggable_id, content::text from log order by id desc limit 12')
  await show('select backstock_id, imei, serial_number, purchase_price, sales_price, purchase_date, grading_data::text, attributes::text, engineer_notes from stock order by id limit 8')
  await show('select * from graphile_worker._private_jobs limit 1').catch(() => {})
  await show('select count(*), min(at)::text, max(at)::text from stock_move')
  await t.close()
})
