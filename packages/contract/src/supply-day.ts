/**
 * The date of supply on an invoice that is made before its goods have left. `invoice`: the day of the invoice.
 * `dispatch`: no day. `country`: the day of the invoice if the seller's country demands a date of supply on every
 * invoice, else no day.
 */
export const SUPPLY_DAYS = ['country', 'invoice', 'dispatch'] as const
export type SupplyDay = (typeof SUPPLY_DAYS)[number]

/**
 * The countries whose invoices must always have a date of supply, even if it is the day of the invoice: § 14(4) no. 6
 * UStG for DE, § 11(1) no. 4 UStG for AT (not compared with the text of the law). Elsewhere an invoice needs it only if
 * the two days differ (Directive 2006/112/EC, article 226(7)).
 */
const ALWAYS = new Set(['DE', 'AT'])

/** Whether the seller's country demands a date of supply on every invoice. */
export const asksForSupplyDay = (country: string | null): boolean => country !== null && ALWAYS.has(country)

/** Whether an invoice for goods that have not left has its own day as the date of supply. */
export const isSuppliedWhenIssued = (set: SupplyDay, country: string | null): boolean =>
  set === 'invoice' || (set === 'country' && asksForSupplyDay(country))
