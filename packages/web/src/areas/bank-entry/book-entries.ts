import type { BankEntry } from '@backstock/contract/bank-entry.ts'
import { api, idempotencyKey } from '../../api/client.ts'
import { invalidate } from '../../api/reads.ts'

type Payment = { sale_id: number; amount: number; open_amount: number }
type Booking = { entry: Pick<BankEntry, 'id' | 'updated_at'>; payments: readonly Payment[] }

/** Books bank entries as these payments. If `tellsTrouble` is true, the caller shows errors itself. */
export async function bookEntries(bookings: readonly Booking[], { tellsTrouble = false } = {}): Promise<void> {
  const entries = bookings.map(({ entry: { id, updated_at }, payments }) => ({
    id,
    updated_at,
    payments: payments.map(({ sale_id, amount, open_amount }) => ({ sale_id, amount, open_amount })),
  }))
  await api.post('bank-entry/book', { body: { entries }, idempotent: idempotencyKey(), tellsTrouble })
  await invalidate('bank-entry', 'sale', 'customer', 'dashboard', 'accounting')
}
