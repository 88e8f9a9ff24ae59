import { MAX_ID } from '@backstock/contract/fields.ts'
import { sql } from 'kysely'
import type { JobHandlers, JobServices } from '../jobs.ts'

/**
 * The job of every minute: adds up the rows of the counters of stock, of its days, ages, products and suppliers, and deletes
 * expired rows, by the database's clock.
 */
export function tidyJobs({ db }: JobServices): Pick<JobHandlers, 'tidy'> {
  return {
    async tidy() {
      // Because this is one statement, readers see either the single counts or their sum, never both.
      await db.write((tx) =>
        sql`
          with gone as (delete from stock_count returning *)
          insert into stock_count select status, sum(n), sum(cost) from gone group by status
          having sum(n) <> 0 or sum(cost) <> 0`.execute(tx),
      )
      // If a day gets further rows, from today or from a late transaction, its rows are added up again.
      await db.write((tx) =>
        sql`
          with gone as (
            delete from stock_day where day in (
              select day from stock_day group by day having count(*) > count(distinct (status, held)))
            returning *)
          insert into stock_day select day, status, held, sum(n), sum(cost) from gone group by day, status, held
          having sum(n) <> 0 or sum(cost) <> 0`.execute(tx),
      )
      await db.write((tx) =>
        sql`
          with gone as (
            delete from stock_age where (status, coalesce(bought, 'infinity'), coalesce(made, 'infinity')) in (
              select status, coalesce(bought, 'infinity'), coalesce(made, 'infinity') from stock_age
              group by 1, 2, 3 having count(*) > 1)
            returning *)
          insert into stock_age select status, bought, made, sum(n), sum(cost), sum(sales), sum(unpriced), max(newest)
          from gone group by status, bought, made
          having sum(n) <> 0 or sum(cost) <> 0 or sum(sales) <> 0 or sum(unpriced) <> 0`.execute(tx),
      )
      // An older server, running beside this one, adds the rows up without their newest item.
      await db.write((tx) =>
        sql`
          update stock_age a set newest = s.newest from (
            select status, purchase_date,
              case when purchase_date is null then date_bin('15 minutes', created_at, '2000-01-01Z') end as made, max(id) as newest
            from stock where status in ('Inbound', 'In Stock', 'In Batch')
              and exists (select from stock_age where newest = ${MAX_ID})
            group by 1, 2, 3) s
          where a.newest = ${MAX_ID} and a.status = s.status
            and a.bought is not distinct from s.purchase_date and a.made is not distinct from s.made`.execute(tx),
      )
      await db.write((tx) =>
        sql`
          with gone as (
            delete from product_count where (status, product_id, network_locked) in (
              select status, product_id, network_locked from product_count group by 1, 2, 3 having count(*) > 1)
            returning *)
          insert into product_count select status, product_id, network_locked, sum(n) from gone
          group by status, product_id, network_locked having sum(n) <> 0`.execute(tx),
      )
      await db.write((tx) =>
        sql`
          with gone as (
            delete from supplier_count where (status, coalesce(supplier_id, 0), coalesce(grade_id, 0)) in (
              select status, coalesce(supplier_id, 0), coalesce(grade_id, 0) from supplier_count
              group by 1, 2, 3 having count(*) > 1)
            returning *)
          insert into supplier_count select status, supplier_id, grade_id, sum(n) from gone
          group by status, supplier_id, grade_id having sum(n) <> 0`.execute(tx),
      )
      await db.write(async (tx) => {
        await sql`delete from session where expires_at < now() or seen_at < now() - interval '12 hours'`.execute(tx)
        await sql`delete from throttle where window_start < now() - interval '1 day'`.execute(tx)
        await sql`
          delete from import where state in ('previewing', 'previewed') and touched_at < now() - interval '24 hours'`.execute(
          tx,
        )
        await sql`delete from import_judgement where judged_at < now() - interval '1 minute'`.execute(tx)
        await sql`
          delete from job_death d
          where not exists (select from graphile_worker._private_jobs j where j.id = d.job_id)`.execute(tx)
        await sql`delete from idempotency where created_at < now() - interval '24 hours'`.execute(tx)
      })
    },
  }
}
