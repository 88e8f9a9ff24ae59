import { type Hundredths, MAX_PRICE } from './money.ts'
import { MAX_ITEMS } from './stock-status.ts'

/** The most that one sale can cost, VAT at 100% included, in hundredths. */
export const MAX_PAYMENT = 2 * MAX_ITEMS * MAX_PRICE

/** How far a sale is paid, in the trade's words. */
export const PAYMENT_STATES = ['Open', 'Partly paid', 'Overdue', 'Paid', 'Refund due', 'Nothing due'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** The states in which the customer still owes something. */
export const OWING = ['Open', 'Partly paid', 'Overdue'] as const satisfies readonly PaymentState[]

/** `open_amount`: the sum that the sale asks for, less payments; negative if money is to be given back. */
export type PaymentFacts = { open_amount: Hundredths; paid_total: Hundredths; due_on: string | null }

/** The state on the day `today` (yyyy-mm-dd by the company's clock). A sale is overdue from the day after `due_on`. */
export function paymentState({ open_amount, paid_total, due_on }: PaymentFacts, today: string): PaymentState {
  if (open_amount < 0) return 'Refund due'
  if (open_amount === 0) return paid_total > 0 ? 'Paid' : 'Nothing due'
  if (due_on !== null && due_on < today) return 'Overdue'
  return paid_total > 0 ? 'Partly paid' : 'Open'
}
