import type { CustomerAccount, Debtor, DebtorQuery, OpenItem } from '@backstock/contract/letter.ts'
import { MAX_OPEN_ITEMS, type ReminderLevel } from '@backstock/contract/letter-kind.ts'
import { sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'
import { type Found, isFound, pageOf } from '../../../db/page.ts'
import { single } from '../../../lists.ts'
import { customerLanguage } from '../../customer.ts'
import { lettersOf } from './letters.ts'

const TODAY = sql`(select (now() at time zone time_zone)::date from company)`

const ORDERS = {
  overdue_total: sql`overdue_total`,
  open_total: sql`open_total`,
  oldest_due_on: sql`oldest_due_on`,
  full_name: sql`full_name collate human`,
  id: sql`id`,
}

/**
 * The customers who have not settled everything. Their sums are read from the index of unsettled sales alone, so
 * settled sales cost nothing.
 */
export async function findDebtors(db: Db, query: DebtorQuery): Promise<Found<Debtor>> {
  const { search, ids, overdue, order } = query
  const conditions = [
    search ? isFound('customer', search, null) : sql<boolean>`true`,
    ids ? sql<boolean>`customer.id = any(${ids}::int[])` : sql<boolean>`true`,
  ]
  const owing = sql`
    select customer.id, customer.first_name || ' ' || customer.last_name as full_name, customer.company_name, owed.*
    from (
      select s.customer_id, coalesce(sum(open_amount) filter (where open_amount > 0), 0) as open_total,
        coalesce(sum(open_amount) filter (where open_amount > 0 and due_on < today.day), 0) as overdue_total,
        coalesce(-sum(open_amount) filter (where open_amount < 0), 0) as credit_total,
        count(*) filter (where open_amount > 0 and due_on < today.day) as overdue_sales,
        min(due_on) filter (where open_amount > 0) as oldest_due_on
      from sale s, (select ${TODAY} as day) today where open_amount <> 0 group by customer_id
      having ${overdue ? sql`bool_or(open_amount > 0 and due_on < today.day)` : sql`true`}) owed
    join customer on customer.id = owed.customer_id where ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<Debtor & { rows: number }>`
    with owing as materialized (${owing}), on_page as (
      select *, (select count(*) from owing) as rows from owing
      order by ${ORDERS[order.column]} ${sql.raw(order.direction)} nulls last, id ${sql.raw(order.direction)} ${pageOf(query)})
    select p.*, last.level as last_level, last.made_on as last_reminded_on
    from on_page p left join lateral (
      select l.level, l.made_on from letter l where l.customer_id = p.id and l.kind = 'reminder'
        and exists (select from letter_line i where i.letter_id = l.id and i.counts)
      order by l.id desc limit 1) last on true
    order by ${ORDERS[order.column]} ${sql.raw(order.direction)} nulls last, id ${sql.raw(order.direction)}`.execute(db)
  if (rows.length > 0 || query.page === 1) return { rows, total: rows[0]?.rows ?? 0 }
  const counted = await sql<{ total: number }>`select count(*) as total from (${owing}) owing`.execute(db)
  return { rows, total: single(counted.rows).total }
}

/**
 * A customer's unsettled sales, each with its standing invoice. The oldest due day comes first. The list has at most
 * one sale more than a statement takes.
 */
export async function openItems(db: Db, customerId: number): Promise<OpenItem[]> {
  const { rows } = await sql<OpenItem>`
    select s.id as sale_id, d.id as document_id, d.printed as number, d.issued_on, s.due_on,
      s.open_amount + s.paid_total as total, s.paid_total as paid, s.open_amount as open,
      case when s.open_amount > 0 then greatest(${TODAY} - s.due_on, 0) else 0 end as days_overdue,
      coalesce(d.left_at is not null, false) as is_sent, last.level as last_level, last.made_on as last_reminded_on
    from sale s
      left join document d on d.sale_id = s.id and d.kind = 'invoice' and d.replaced_by_id is null
        and s.invoice_number is not null
      left join lateral (select i.level, i.made_on from letter_line i where i.document_id = d.id and i.counts
        order by i.made_on desc limit 1) last on true
    where s.customer_id = ${customerId} and s.open_amount <> 0
    order by s.due_on nulls last, s.id limit ${MAX_OPEN_ITEMS + 1}`.execute(db)
  return rows.map((row) => ({ ...row, days_overdue: row.days_overdue ?? 0 }))
}

/** A customer's account; undefined if there is no such customer. */
export async function accountOf(db: Db, id: number, sends_mail: boolean): Promise<CustomerAccount | undefined> {
  const { rows } = await sql<
    Omit<CustomerAccount, 'items' | 'more' | 'letters' | 'lang' | 'sends_mail'> & { n: number }
  >`
    select c.id, c.first_name || ' ' || c.last_name as full_name, c.company_name, c.email, today, today + reminder_days as pay_by,
      owed.*
    from customer c, (select (now() at time zone time_zone)::date as today, reminder_days from company) company,
      lateral (select count(*) as n, coalesce(sum(open_amount) filter (where open_amount > 0), 0) as open_total,
          coalesce(sum(open_amount) filter (where open_amount > 0 and due_on < today), 0) as overdue_total,
          coalesce(-sum(open_amount) filter (where open_amount < 0), 0) as credit_total,
          coalesce(sum(open_amount) filter (where open_amount > 0 and invoice_number is null), 0) as without_invoice
        from sale where customer_id = c.id and open_amount <> 0) owed
    where c.id = ${id}`.execute(db)
  const [account] = rows
  if (!account) return undefined
  const { n, ...sums } = account
  const items = (await openItems(db, id)).slice(0, MAX_OPEN_ITEMS)
  return {
    ...sums,
    lang: await customerLanguage(db, id),
    sends_mail,
    items,
    more: n - items.length,
    letters: await lettersOf(db, id),
  }
}

/** The levels of these invoices' last reminders, as `nextLevel` takes them. */
export const levelsOf = (items: readonly OpenItem[]): (ReminderLevel | null)[] =>
  items.map(({ last_level }) => last_level)
