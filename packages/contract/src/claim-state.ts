import { MAX_PRICE } from './money.ts'
import { MAX_ITEMS, type StockStatus, UNSOLD_STATUSES } from './stock-status.ts'

/**
 * The states of a claim on a supplier. A person writes a draft and sends it with the items; the supplier credits it
 * (`settled`) or does not (`refused`).
 */
export const CLAIM_STATES = ['draft', 'sent', 'settled', 'refused'] as const
export type ClaimState = (typeof CLAIM_STATES)[number]

export const CLAIM_STATE_NAMES = {
  draft: 'Draft',
  sent: 'Sent',
  settled: 'Settled',
  refused: 'Refused',
} as const satisfies Record<ClaimState, string>

/** The states in which a sent claim can end. */
export const CLAIM_ENDS = ['settled', 'refused'] as const satisfies readonly ClaimState[]
export type ClaimEnd = (typeof CLAIM_ENDS)[number]

/** The reasons that screens propose. A claim may have any other reason too. */
export const CLAIM_REASONS = ['Faulty', 'Not as described', 'Wrong model', 'Locked', 'Missing', 'Other'] as const

/** The highest sum of a claim, in hundredths: the most items at the highest price. */
export const MAX_CLAIM = MAX_ITEMS * MAX_PRICE

/** Whether an item may go back to its supplier: the shop has it and has not sold it. */
export function isReturnable(status: StockStatus): boolean {
  return UNSOLD_STATUSES.some((unsold) => unsold === status)
}
