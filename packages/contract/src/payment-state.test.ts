import { expect, test } from 'vitest'
import { type PaymentState, paymentState } from './payment-state.ts'

const cases: [open: number, paid: number, due: string | null, state: PaymentState][] = [
  [100, 0, null, 'Open'],
  [100, 0, '2026-11-23', 'Open'],
  [100, 0, '2026-11-22', 'Overdue'],
  [1, 99, '2026-11-23', 'Partly paid'],
  [1, 99, '2026-11-22', 'Overdue'],
  [0, 100, '2026-11-22', 'Paid'],
  [0, 0, '2026-11-22', 'Nothing due'],
  [-1, 101, '2026-11-22', 'Refund due'],
]

test.each(cases)('%i open, %i paid, due on %s: %s', (open_amount, paid_total, due_on, state) => {
  expect(paymentState({ open_amount, paid_total, due_on }, '2026-11-23')).toBe(state)
})
