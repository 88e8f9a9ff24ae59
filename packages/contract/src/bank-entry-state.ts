/** How far an entry of a bank statement is: nothing of it booked, a part, all, or set aside as none of the shop's sales. */
export const BANK_ENTRY_STATES = ['open', 'partly', 'booked', 'aside'] as const
export type BankEntryState = (typeof BANK_ENTRY_STATES)[number]

export const BANK_ENTRY_STATE_NAMES: Record<BankEntryState, string> = {
  open: 'To book',
  partly: 'Partly booked',
  booked: 'Booked',
  aside: 'Set aside',
}

/** The most entries that are booked at once: a page of the list. */
export const MAX_BOOKED_AT_ONCE = 250
/** The most sales that one entry pays. */
export const MAX_SALES_OF_ENTRY = 50
