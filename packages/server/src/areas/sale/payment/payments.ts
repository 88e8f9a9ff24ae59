import type { Payment } from '@backstock/contract/payment.ts'
import type { PaymentState } from '@backstock/contract/payment-state.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/connect.ts'

/** SQL for the date of today by the company's clock. */
export const today = sql<string>`(select (now() at time zone time_zone)::date from company)`

const isLate = sql`coalesce(sale.due_on < ${today}, false)`

/** The states of the contract's `paymentState`, as conditions that an index can answer. */
const IN_STATE: Record<PaymentState, RawBuilder<unknown>> = {
  Open: sql`(sale.open_amount > 0 and sale.paid_total = 0 and not ${isLate})`,
  'Partly paid': sql`(sale.open_amount > 0 and sale.paid_total > 0 and not ${isLate})`,
  Overdue: sql`(sale.open_amount > 0 and ${isLate})`,
  Paid: sql`(sale.open_amount = 0 and sale.paid_total > 0)`,
  'Refund due': sql`(sale.open_amount < 0)`,
  'Nothing due': sql`(sale.open_amount = 0 and sale.paid_total = 0)`,
}

/** The condition that a sale is in one of these states. */
export const isInState = (states: readonly PaymentState[]) =>
  sql<boolean>`(${sql.join(
    states.map((state) => IN_STATE[state]),
    sql` or `,
  )})`

/** A sale's payments, in the order in which people recorded them. */
export function paymentsOf(db: Db, saleId: number): Promise<Payment[]> {
  return db
    .selectFrom('payment as p')
    .leftJoin('app_user as u', 'u.id', 'p.created_by')
    .leftJoin('payment as undo', 'undo.undoes_id', 'p.id')
    .leftJoin('bank_booking as b', 'b.payment_id', 'p.id')
    .select('b.entry_id as bank_entry_id')
    .select(['p.id', 'p.paid_on', 'p.amount', 'p.note', 'p.undoes_id', 'p.created_by', 'p.created_at'])
    .select(['u.name as created_by_name', sql<boolean>`undo.id is not null`.as('is_undone')])
    .where('p.sale_id', '=', saleId)
    .orderBy('p.id')
    .execute()
}
