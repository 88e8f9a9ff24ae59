import { type Hundredths, MAX_PRICE } from './money.ts'
import { MAX_ITEMS } from './stock-status.ts'

/** The highest sum of one sale in hundredths: the most items at the highest price with 100% VAT. */
export const MAX_PAYMENT = 2 * MAX_ITEMS * MAX_PRICE

/** How far a sale is paid, in the trade's words. */
export const PAYMENT_STATES = ['Open', 'Partly paid', 'Overdue', 'Paid', 'Refund due', 'Nothing due'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** The states in which the customer still owes something. */
export const OWING = ['Open', 'Partly paid', 'Overdue'] as const satisfies readonly PaymentState[]

/**
 * The facts that decide the state. `open_amount` is the sum of the sale's documents less its payments; it is below 0 if
 * the shop has to give money back.
 */
export type PaymentFacts = { open_amount: Hundredths; paid_total: Hundredths; due_on: string | null }

/**
 * The payment state of a sale on the day `today` (yyyy-mm-dd, by the company's clock). A sale is overdue from the day
 * after `due_on`.
 */
export function paymentState({ open_amount, paid_total, due_on }: PaymentFacts, today: string): PaymentState {
  if (open_amount < 0) return 'Refund due'
  if (open_amount === 0) return paid_total > 0 ? 'Paid' : 'Nothing due'
  if (due_on !== null && due_on < today) return 'Overdue'
  return paid_total > 0 ? 'Partly paid' : 'Open'
}
