import { MAX_PRICE } from './money.ts'
import { MAX_ITEMS, type StockStatus, UNSOLD_STATUSES } from './stock-status.ts'

/** The states of a claim on a supplier: written, then sent with its items, then credited or not. */
export const CLAIM_STATES = ['draft', 'sent', 'settled', 'refused'] as const
export type ClaimState = (typeof CLAIM_STATES)[number]

export const CLAIM_STATE_NAMES = {
  draft: 'Draft',
  sent: 'Sent',
  settled: 'Settled',
  refused: 'Refused',
} as const satisfies Record<ClaimState, string>

/** How a claim that was sent ends. */
export const CLAIM_ENDS = ['settled', 'refused'] as const satisfies readonly ClaimState[]
export type ClaimEnd = (typeof CLAIM_ENDS)[number]

/** The usual reasons; any other words will do too. */
export const CLAIM_REASONS = ['Faulty', 'Not as described', 'Wrong model', 'Locked', 'Missing', 'Other'] as const

/** The most that a claim may come to: as many items as one holds, at the highest price. */
export const MAX_CLAIM = MAX_ITEMS * MAX_PRICE

/** Whether an item may go back to its supplier: it is the trader's own and not sold. */
export function isReturnable(status: StockStatus): boolean {
  return UNSOLD_STATUSES.some((unsold) => unsold === status)
}
