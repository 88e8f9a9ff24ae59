import type { ImportPreview } from '@backstock/contract/import-preview.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import type { PlanSummary } from '../../../db/preview-columns.ts'
import { single } from '../../../lists.ts'

type Planned = { id: number; plan_no: number; state: string; plan: PlanSummary | null }

/**
 * The items of a plan that have changed since it was made; null if there are none. These are the items that the plan
 * updates, the items for which rows of the plan fail, and items that got an identifier of the plan's new items. The
 * plan's rows are read only if the log has a later entry about an item.
 */
export async function changedSince(db: Db, { id, plan_no, state, plan }: Planned): Promise<ImportPreview['stale']> {
  if (state !== 'previewed' || plan?.last_entry === undefined) return null
  const { rows } = await sql<{ items: number }>`
    with changed as materialized (
      select distinct loggable_id as id from log where id > ${plan.last_entry}::bigint and loggable_type = 'Stock'),
    planned as materialized (
      select r.plan from import_part p cross join lateral jsonb_array_elements(p.plan) as r (plan)
      where p.import_id = ${id} and p.plan_no = ${plan_no} and (select count(*) from changed) > 0),
    come as materialized (
      select upper(s.value) as value, s.stock_id from changed join stock_identifier s on s.stock_id = changed.id
      where s.in_hand),
    meant as (
      select (plan ->> 'id')::int as id from planned where plan ? 'id'
      union
      select named[1]::int from planned, regexp_matches(plan ->> 'errors', 'Item #(\\d+) ', 'g') named
      union
      select come.stock_id from planned cross join lateral jsonb_each_text(plan -> 'becomes') as own (field, value)
        join come on come.value = upper(own.value)
      where own.field in ('imei', 'imei2', 'meid', 'serial_number', 'backstock_id'))
    select count(*)::int as items from meant join changed using (id)`.execute(db)
  const { items } = single(rows)
  return items === 0 ? null : { by: 'items', import_id: null, file_name: null, is_over: true, items }
}
