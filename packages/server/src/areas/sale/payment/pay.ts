import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import type { PayInput } from '@backstock/contract/payment.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import { sql } from 'kysely'
import type { Tx } from '../../../db/connect.ts'
import { conflict, invalid, missing } from '../../../http/refusal.ts'
import { lock } from '../../../records/lock.ts'
import { type Author, recordChanges, recordMessage } from '../../../records/log/write.ts'
import { notePaid } from '../../document/invoice.ts'
import type { SaleRecord } from '../locked-sale.ts'
import { today } from './payments.ts'

const money = (amount: Hundredths) => `${formatMoney(amount)} ${CURRENCY}`

/** The message about the act, and a warning for the person. */
type Paid = { message: string; warning?: string }

/**
 * Records a payment of the customer, or a refund if the amount is negative. A sale that awaits its payment awaits
 * dispatch once all is paid; other statuses stay. More than the open amount is accepted, with a warning. 404; 422
 * under `amount` if it is left out and nothing is open, and for a refund of more than came in; 422 under `paid_on`
 * for a future day; 409 if two people record one transfer: the second one saw another open amount.
 */
export async function pay(tx: Tx, saleId: number, input: PayInput, author: Author): Promise<Paid> {
  const sale = await lockedSale(tx, saleId)
  if (input.open_amount !== undefined && input.open_amount !== sale.open_amount)
    throw conflict(
      `Meanwhile this has changed: ${money(input.open_amount)} were open, now ${money(sale.open_amount)} are. Look again.`,
    )
  const amount = input.amount ?? sale.open_amount
  if (amount === 0) throw invalid({ amount: 'Nothing is open. Say how much was paid.' })
  if (sale.paid_total + amount < 0)
    throw invalid({ amount: `At most ${money(sale.paid_total)} can go back: no more was paid.` })
  if (await isToCome(tx, input.paid_on)) throw invalid({ paid_on: 'Must not be in the future.' })

  await tx
    .insertInto('payment')
    .values({
      ...{ sale_id: saleId, paid_on: input.paid_on, amount, note: input.note ?? null },
      created_by: author.userId ?? null,
    })
    .execute()
  const what = amount < 0 ? 'Refund' : 'Payment'
  const about = `${what} of ${money(Math.abs(amount))} on ${input.paid_on}`
  await recordMessage(tx, author, 'Sale', saleId, input.note ? `${about}: ${input.note}` : `${about}.`)
  const open = sale.open_amount - amount
  if (open <= 0) await moveOn(tx, sale, author)
  await notePaid(tx, saleId, author)

  const message = `${what} of ${money(Math.abs(amount))} recorded.`
  if (amount > 0 && open < 0) return { message, warning: `More than was open: the credit balance is ${money(-open)}.` }
  if (amount < 0 && open > 0) return { message, warning: `More than was due: ${money(open)} is open now.` }
  return { message }
}

/**
 * Takes back a payment that was wrong, by one of the same amount the other way: today, or without a day if it has
 * none itself. The sale's status stays. 404; 409 for one that was taken back already or takes back another, and if
 * its money has gone back since.
 */
export async function undoPayment(tx: Tx, saleId: number, paymentId: number, author: Author): Promise<Paid> {
  const sale = await lockedSale(tx, saleId)
  const payment = await tx
    .selectFrom('payment as p')
    .leftJoin('payment as undo', 'undo.undoes_id', 'p.id')
    .select(['p.amount', 'p.paid_on', 'p.undoes_id', 'undo.id as undone_by'])
    .where('p.id', '=', paymentId)
    .where('p.sale_id', '=', saleId)
    .executeTakeFirst()
  if (!payment) throw missing(`Payment #${paymentId} of sale #${saleId}`)
  if (payment.undone_by !== null) throw conflict('This payment has been taken back already.')
  if (payment.undoes_id !== null) throw conflict('This entry takes back another. Record the payment again instead.')
  if (sale.paid_total < payment.amount)
    throw conflict('Some of this money has gone back to the customer since. Take back that refund first.')
  await tx
    .insertInto('payment')
    .values({
      ...{ sale_id: saleId, amount: -payment.amount, undoes_id: paymentId },
      // A payment that no period counts is taken back in no period.
      paid_on: payment.paid_on === null ? null : today,
      created_by: author.userId ?? null,
    })
    .execute()
  const what = payment.amount < 0 ? 'Refund' : 'Payment'
  const about = `${what} of ${money(Math.abs(payment.amount))}${payment.paid_on ? ` on ${payment.paid_on}` : ''}`
  await recordMessage(tx, author, 'Sale', saleId, `${about} was taken back, since it was wrong.`)
  await notePaid(tx, saleId, author)
  return { message: `${what} of ${money(Math.abs(payment.amount))} taken back.` }
}

async function lockedSale(tx: Tx, id: number): Promise<SaleRecord> {
  const sale = (await lock(tx, { sales: [id] })).sales.get(id)
  if (!sale) throw missing(`Sale #${id}`)
  return sale
}

/** A day ahead of the company's clock is still today somewhere. */
async function isToCome(tx: Tx, day: string): Promise<boolean> {
  const {
    rows: [answer],
  } = await sql<{ is_to_come: boolean }>`select ${day}::date > ${today} + 1 as is_to_come`.execute(tx)
  return answer!.is_to_come
}

async function moveOn(tx: Tx, { id, status }: SaleRecord, author: Author): Promise<void> {
  if (status !== 'New' && status !== 'Awaiting Payment') return
  const to: SaleStatus = 'Awaiting Dispatch'
  await tx.updateTable('sale').set({ status: to }).where('id', '=', id).execute()
  await recordChanges(tx, author, 'Sale', id, { status }, { status: to })
}
