import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'
import { at, single } from '../../lists.ts'
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

/** A payment to be booked. `number` is that of the invoice which its sale had on the day of the payment. */
export type PostedPayment = Pick<BookedPayment, 'id' | 'paid_on' | 'amount' | 'buyer_name'> & {
  number: string
  debtor_number: number | null
}

/** The number of payments that are read at a time. */
const AT_ONCE = 500

/**
 * The payments of a period, some hundred at a time. A payment before the sale's first invoice has that invoice's
 * number. If the sale has no invoice, `number` is `sale-` with its id.
 */
export async function* postedPayments(db: Db, { from, to }: Period): AsyncGenerator<PostedPayment[]> {
  let after = { paid_on: from, id: 0 }
  while (true) {
    const { rows } = await sql<PostedPayment>`
      select p.id, p.paid_on, p.amount, c.debtor_number,
        coalesce(s.buyer ->> 'company_name', s.buyer ->> 'full_name') as buyer_name,
        coalesce(
          (select d.printed from document d where d.sale_id = p.sale_id and d.kind = 'invoice' and d.issued_on <= p.paid_on
            order by d.id desc limit 1),
          (select d.printed from document d where d.sale_id = p.sale_id and d.kind = 'invoice' order by d.id limit 1),
          'sale-' || p.sale_id) as number
      from payment p join sale s on s.id = p.sale_id left join customer c on c.id = s.customer_id
      where p.paid_on between ${from}::date and ${to}::date and (p.paid_on, p.id) > (${after.paid_on}::date, ${after.id}::int)
      order by p.paid_on, p.id limit ${AT_ONCE}`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < AT_ONCE) return
    after = at(rows, rows.length - 1)
  }
}
