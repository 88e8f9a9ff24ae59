import { sql } from 'kysely'
import type { Tx } from '../../db/connect.ts'

/** An event in the history of the sample shop. Events run in order of time, because each builds on earlier ones. */
export type Happening<Result = void> = { at: Date; happen(): Promise<Result> }

const DAY = 24 * 3600 * 1000

/** The time at this hour (UTC), `days` days ago. */
export function daysAgo(now: Date, days: number, hour: number, minute = 0): Date {
  const at = new Date(now.getTime() - days * DAY)
  at.setUTCHours(hour, minute, 0, 0)
  return at
}

/**
 * Makes log entries of this transaction go to a temporary table, because no entry of the real log may be dated back.
 * `publishLog` copies them.
 */
export async function keepLogAside(tx: Tx): Promise<void> {
  await sql`create temporary table log (like public.log including defaults including identity) on commit drop`.execute(
    tx,
  )
}

/** Copies the entries into the log, in order of their dates. */
export async function publishLog(tx: Tx): Promise<void> {
  const columns = sql.raw('at, user_id, partner_id, import_id, loggable_type, loggable_id, is_hidden, content')
  await sql`insert into public.log (${columns}) select ${columns} from pg_temp.log order by at, id`.execute(tx)
}

/** Runs an event, and then moves the dates of all rows that the event has written back to the time of the event. */
export async function tell<Result>(tx: Tx, { at, happen }: Happening<Result>): Promise<Result> {
  const result = await happen()
  const time = at.toISOString()
  const since = sql`now()::timestamptz(3)` // all rows of this transaction have its start as their time
  await sql`update log set at = ${time} where at >= ${since}`.execute(tx)
  await sql`update stock_move set at = ${time} where at >= ${since}`.execute(tx)
  await sql`
    update stock_day set day = (${time}::timestamptz at time zone 'UTC')::date
    where day >= (${since} at time zone 'UTC')::date`.execute(tx)
  await sql`update batch set created_at = ${time} where created_at = ${since}`.execute(tx)
  await sql`
    update import set created_at = ${time}, ended_at = ${time}::timestamptz + interval '2 seconds'
    where created_at = ${since}`.execute(tx)
  await sql`update import_part set done_at = ${time}::timestamptz + interval '1 second' where done_at >= ${since}`.execute(
    tx,
  )
  const day = sql`(${time}::timestamptz at time zone company.time_zone)::date`
  await sql`
    update sale set updated_at = ${time},
      created_at = case when sale.created_at = ${since} then ${time} else sale.created_at end,
      dispatched_on = case when dispatched_on = (now() at time zone company.time_zone)::date then ${day}
        else dispatched_on end
    from company where sale.updated_at >= ${since}`.execute(tx)
  await sql`
    update document set created_at = ${time}, issued_on = ${day}, due_on = ${day} + (due_on - issued_on)
    from company where document.created_at = ${since}`.execute(tx)
  await sql`
    update sale set due_on = document.due_on from document
    where document.sale_id = sale.id and document.created_at = ${time} and kind = 'invoice' and replaced_by_id is null`.execute(
    tx,
  )
  await sql`update payment set created_at = ${time} where created_at = ${since}`.execute(tx)
  await sql`
    update document set left_at = ${time} where left_at = ${since}`.execute(tx)
  await sql`
    update document_version v set created_at = ${time}, data = data || jsonb_build_object('issued_on', d.issued_on,
      'supplied_on', case when data ->> 'supplied_on' is null then null else coalesce(sale.dispatched_on, d.issued_on) end)
    from document d join sale on sale.id = d.sale_id where d.id = v.document_id and v.created_at = ${since}`.execute(tx)
  await sql`
    update supplier_claim set updated_at = ${time},
      created_at = case when created_at = ${since} then ${time} else created_at end,
      sent_at = case when sent_at = ${since} then ${time} else sent_at end
    where updated_at >= ${since}`.execute(tx)
  await sql`
    update customer_return set updated_at = ${time},
      created_at = case when created_at = ${since} then ${time} else created_at end
    where updated_at >= ${since}`.execute(tx)
  await sql`update customer_return_item set received_at = ${time} where received_at = ${since}`.execute(tx)
  await sql`update delivery_check set created_at = ${time} where created_at = ${since}`.execute(tx)
  await sql`update delivery_scan set at = ${time} where at >= ${since}`.execute(tx)
  return result
}

/** Dates the other records back: those of the shop to its opening, each item to its arrival. */
export async function dateRecords(tx: Tx, opened: Date): Promise<void> {
  for (const table of OPENING)
    await sql`
      update ${sql.table(table)} set created_at = ${opened.toISOString()}
      where created_at = now()::timestamptz(3)`.execute(tx)
  await sql`
    update stock set created_at = came.at from (select stock_id, min(at) as at from stock_move group by stock_id) came
    where came.stock_id = stock.id`.execute(tx)
}

const OPENING = ['app_user', 'make', 'colour', 'category', 'vat', 'supplier', 'product', 'customer', 'partner']
