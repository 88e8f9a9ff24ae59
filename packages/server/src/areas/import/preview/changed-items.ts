import type { ImportPreview } from '@backstock/contract/import-preview.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import type { PlannedRow, PlanSummary } from '../../../db/preview-columns.ts'
import { single } from '../../../lists.ts'

type Planned = { id: number; plan_no: number; state: string; plan: PlanSummary | null }

const IN_THE_WAY = /Item #(\d+) /g
const IDENTIFIERS = ['imei', 'imei2', 'meid', 'serial_number', 'backstock_id'] as const

/** The items that rows of a plan change, leave as they are, or fail for. */
export const itemsOf = (rows: readonly PlannedRow[]): number[] => [
  ...new Set(
    rows.flatMap((row) =>
      row.kind === 'new'
        ? []
        : row.kind === 'failed'
          ? Object.values(row.errors).flatMap((text) => [...text.matchAll(IN_THE_WAY)].map(([, id]) => Number(id)))
          : row.id,
    ),
  ),
]

/** The identifiers of the items that rows of a plan make. */
export const identifiersOf = (rows: readonly PlannedRow[]): string[] =>
  rows.flatMap((row) => (row.kind === 'new' ? IDENTIFIERS.flatMap((field) => row.becomes?.[field] ?? []) : []))

/**
 * The items of a plan that have changed since it was made; null if there are none. These are the items that the plan
 * updates, the items for which rows of the plan fail, and items that got an identifier of the plan's new items. Screens
 * ask for this all the time. So if the log has no later entry about an item, the function reads nothing of the plan.
 * Otherwise it reads only the parts that are about a changed item.
 */
export async function changedSince(db: Db, { id, plan_no, state, plan }: Planned): Promise<ImportPreview['stale']> {
  if (state !== 'previewed' || plan?.last_entry === undefined) return null
  const { rows } = await sql<{ items: number }>`
    with changed as materialized (
      select distinct loggable_id as id from log where id > ${plan.last_entry}::bigint and loggable_type = 'Stock'),
    come as materialized (
      select upper(s.value) as value, s.stock_id from changed join stock_identifier s on s.stock_id = changed.id
      where s.in_hand),
    own as materialized (
      select part, plan, meant, brought from import_part
      where import_id = ${id} and plan_no = ${plan_no} and (select count(*) from changed) > 0),
    touched as materialized (
      select part from own where meant is null
      union select part from (select part, unnest(meant) as id from own) one join changed using (id)
      union select part from (select part, unnest(brought) as hash from own) one
        join (select hashtext(value) as hash from come) c using (hash)),
    planned as materialized (
      select r.plan from own join touched using (part) cross join lateral jsonb_array_elements(own.plan) as r (plan)),
    meant as (
      select (plan ->> 'id')::int as id from planned where plan ? 'id'
      union
      select named[1]::int from planned, regexp_matches(plan ->> 'errors', 'Item #(\\d+) ', 'g') named
      union
      select come.stock_id from planned cross join lateral jsonb_each_text(plan -> 'becomes') as one (field, value)
        join come on come.value = upper(one.value)
      where one.field = any(${IDENTIFIERS as unknown as string[]}::text[]))
    select count(*)::int as items from meant join changed using (id)`.execute(db)
  const { items } = single(rows)
  return items === 0 ? null : { by: 'items', import_id: null, file_name: null, is_over: true, items }
}
