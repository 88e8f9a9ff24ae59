import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { single } from '../../lists.ts'
import type { Period } from './period.ts'

/** A payment with its sale. `amount` is below 0 if money went back. */
export type BookedPayment = {
  id: number
  paid_on: string
  amount: number
  note: string | null
  sale_id: number
  invoice_number: string | null
  buyer_name: string
}

/** All payments of a period, in the order of their days. */
export async function paymentsOf(db: Db, { from, to }: Period): Promise<BookedPayment[]> {
  const { rows } = await sql<BookedPayment>`
    select p.id, p.paid_on, p.amount, p.note, p.sale_id, s.invoice_number,
      coalesce(s.buyer ->> 'company_name', s.buyer ->> 'full_name') as buyer_name
    from payment p join sale s on s.id = p.sale_id
    where p.paid_on between ${from}::date and ${to}::date order by p.paid_on, p.id`.execute(db)
  return rows
}

export async function countPayments(db: Db, { from, to }: Period): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from payment where paid_on between ${from}::date and ${to}::date`.execute(db)
  return single(rows).total
}
