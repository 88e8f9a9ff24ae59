import { IN_FUTURE } from '@backstock/contract/future-day.ts'
import { CURRENCY, formatMoney, type Hundredths } from '@backstock/contract/money.ts'
import type { PayInput } from '@backstock/contract/payment.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import { shownDay } from '@backstock/contract/time.ts'
import type { Tx } from '../../../db/connect.ts'
import { conflict, invalid, missing } from '../../../http/refusal.ts'
import { getFrom, single, zip } from '../../../lists.ts'
import { lock } from '../../../records/lock.ts'
import { type Author, changes, record, recordMessage } from '../../../records/log/write.ts'
import { daysToCome } from '../../company.ts'
import { notePaid } from '../../document/invoice.ts'
import type { SaleRecord } from '../locked-sale.ts'
import { today } from './payments.ts'

const money = (amount: Hundredths) => `${formatMoney(amount)} ${CURRENCY}`

/** The message about a payment, and a warning for the person. */
type Paid = { message: string; warning?: string }

/**
 * Records a payment of the customer, or a refund if the amount is below 0. If a sale that awaits its payment is then
 * paid, it awaits dispatch; other statuses stay. A payment above the open amount is accepted with a warning. Throws
 * 404; 422 under `amount` if it is left out and nothing is open, or if a refund is above the sum that came in; 422
 * under `paid_on` for a future day; 409 if the caller saw another open amount, for example because another person has
 * recorded the same transfer meanwhile.
 */
export async function pay(tx: Tx, saleId: number, input: PayInput, author: Author): Promise<Paid> {
  const sale = await lockedSale(tx, saleId)
  if (input.open_amount !== undefined && input.open_amount !== sale.open_amount)
    throw conflict(
      `The open amount has changed meanwhile: it was ${money(input.open_amount)}, now it is ${money(sale.open_amount)}. Check it again.`,
    )
  const amount = input.amount ?? sale.open_amount
  if (amount === 0) throw invalid({ amount: 'Nothing is open. Enter how much was paid.' })
  const paid = await payMany(
    tx,
    [{ sale_id: saleId, paid_on: input.paid_on, amount, note: input.note ?? null }],
    author,
  )
  const { warning, isMovedOn } = single(paid)
  const moved = isMovedOn ? ' The sale now awaits dispatch.' : ''
  return { message: `${nameOf(amount)} of ${money(Math.abs(amount))} recorded.${moved}`, ...withWarning(warning) }
}

const nameOf = (amount: Hundredths) => (amount < 0 ? 'Refund' : 'Payment')
const withWarning = (warning: string | undefined) => (warning === undefined ? {} : { warning })

type NewPayment = { sale_id: number; paid_on: string; amount: Hundredths; note: string | null }

/**
 * Records payments of several sales as `pay` does, each with its amount. Returns the ids of the payments in the order
 * of the sales, each with the warning for the person, and whether its sale now awaits dispatch.
 */
export async function payMany(
  tx: Tx,
  payments: readonly NewPayment[],
  author: Author,
): Promise<{ id: number; warning: string | undefined; isMovedOn: boolean }[]> {
  const { sales } = await lock(tx, { sales: payments.map(({ sale_id }) => sale_id) })
  const now = new Map([...sales.values()].map(({ id, paid_total, open_amount }) => [id, { paid_total, open_amount }]))
  const warnings = payments.map(({ sale_id, amount }) => {
    const sums = now.get(sale_id)
    if (!sums) throw missing(`Sale #${sale_id}`)
    if (sums.paid_total + amount < 0)
      throw invalid({
        amount:
          sums.paid_total > 0
            ? `At most ${money(sums.paid_total)} can be refunded: the customer has paid no more.`
            : 'The customer has paid nothing, so nothing can be refunded.',
      })
    sums.paid_total += amount
    sums.open_amount -= amount
    const open = sums.open_amount
    if (amount > 0 && open < 0) return `More than was open: a refund of ${money(-open)} is due.`
    return amount < 0 && open > 0 ? `More than the refund that was due: ${money(open)} is open now.` : undefined
  })
  const toCome = await daysToCome(
    tx,
    payments.map(({ paid_on }) => paid_on),
  )
  if (toCome.size > 0) throw invalid({ paid_on: IN_FUTURE })

  const rows = payments.map((payment) => ({ ...payment, created_by: author.userId ?? null }))
  const made = await tx.insertInto('payment').values(rows).returning('id').execute()
  await record(
    tx,
    author,
    payments.map(({ sale_id, paid_on, amount, note }) => {
      const about = `${nameOf(amount)} of ${money(Math.abs(amount))} on ${shownDay(paid_on)}`
      const message = note ? `${about}: ${note}` : `${about}.`
      return { type: 'Sale', id: sale_id, content: { type: 'message', data: { message } } }
    }),
  )
  const moved = await moveOn(
    tx,
    [...sales.values()].filter(({ id }) => getFrom(now, id).open_amount <= 0),
    author,
  )
  await notePaid(tx, [...sales.keys()], author)
  const ids = made.map(({ id }) => id).toSorted((a, b) => a - b)
  return zip(ids, payments).map(([id, { sale_id }], n) => ({
    id,
    warning: warnings[n],
    isMovedOn: moved.has(sale_id),
  }))
}

/**
 * Reverses a wrong payment, by a counter entry with the opposite amount: on today's date, or without a date if the
 * payment has none. The sale keeps its status; a warning says if it is to be dispatched unpaid. Throws 404; 409 if the
 * payment was reversed already, reverses another one, or its money has gone back since.
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
  if (payment.undone_by !== null) throw conflict('This entry has already been reversed.')
  if (payment.undoes_id !== null) throw conflict('This entry reverses another one. Record the payment again instead.')
  if (sale.paid_total < payment.amount)
    throw conflict('Some or all of this money has been refunded since. Reverse that refund first.')
  await tx
    .insertInto('payment')
    .values({
      ...{ sale_id: saleId, amount: -payment.amount, undoes_id: paymentId },
      // A payment without a day is in no period of the books, so its counter entry must be in none either.
      paid_on: payment.paid_on === null ? null : today,
      created_by: author.userId ?? null,
    })
    .execute()
  const what = payment.amount < 0 ? 'Refund' : 'Payment'
  const about = `${what} of ${money(Math.abs(payment.amount))}${payment.paid_on ? ` on ${shownDay(payment.paid_on)}` : ''}`
  await recordMessage(tx, author, 'Sale', saleId, `${about} was reversed because it was recorded by mistake.`)
  await notePaid(tx, [saleId], author)
  const open = sale.open_amount + payment.amount
  const isUnpaid = payment.amount > 0 && open > 0 && sale.status === 'Awaiting Dispatch'
  return {
    message: `${what} of ${money(Math.abs(payment.amount))} reversed.`,
    ...withWarning(isUnpaid ? `Sale #${saleId} still awaits dispatch, and ${money(open)} is open.` : undefined),
  }
}

async function lockedSale(tx: Tx, id: number): Promise<SaleRecord> {
  const sale = (await lock(tx, { sales: [id] })).sales.get(id)
  if (!sale) throw missing(`Sale #${id}`)
  return sale
}

/** Moves paid sales on: those that were New or awaited payment now await dispatch. Returns their ids. */
async function moveOn(tx: Tx, paid: readonly SaleRecord[], author: Author): Promise<Set<number>> {
  const waiting = paid.filter(({ status }) => status === 'New' || status === 'Awaiting Payment')
  if (waiting.length === 0) return new Set()
  const to: SaleStatus = 'Awaiting Dispatch'
  const ids = waiting.map(({ id }) => id)
  await tx.updateTable('sale').set({ status: to }).where('id', 'in', ids).execute()
  await record(
    tx,
    author,
    waiting.map(({ id, status }) => ({
      type: 'Sale',
      id,
      content: { type: 'model_update', data: changes({ status }, { status: to }) },
    })),
  )
  return new Set(ids)
}
