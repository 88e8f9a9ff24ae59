/**
 * How far an entry of a bank statement is booked: not at all, in part, or whole. An entry that is `aside` belongs to no
 * sale.
 */
export const BANK_ENTRY_STATES = ['open', 'partly', 'booked', 'aside'] as const
export type BankEntryState = (typeof BANK_ENTRY_STATES)[number]

export const BANK_ENTRY_STATE_NAMES: Record<BankEntryState, string> = {
  open: 'To book',
  partly: 'Partly booked',
  booked: 'Booked',
  aside: 'Set aside',
}

/** The most entries that one request books: a page of the list. */
export const MAX_BOOKED_AT_ONCE = 250
export const MAX_SALES_OF_ENTRY = 50
