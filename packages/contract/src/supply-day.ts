/**
 * The day of supply on an invoice that is made before its goods have left: `invoice` its own day, `dispatch` none,
 * `country` its own day if the seller's country asks for a day on every invoice.
 */
export const SUPPLY_DAYS = ['country', 'invoice', 'dispatch'] as const
export type SupplyDay = (typeof SUPPLY_DAYS)[number]

/**
 * The countries in which every invoice must bear a day of supply, even if it is that of the invoice: § 14(4) no. 6 UStG
 * (DE), § 11(1) no. 4 UStG (AT; known, not read). Elsewhere if it differs (Directive 2006/112/EC, article 226(7)).
 */
const ALWAYS = new Set(['DE', 'AT'])

/** Whether the seller's country asks for a day of supply on every invoice. */
export const asksForSupplyDay = (country: string | null): boolean => country !== null && ALWAYS.has(country)

/** Whether an invoice of goods that have not left bears its own day as that of supply. */
export const isSuppliedWhenIssued = (set: SupplyDay, country: string | null): boolean =>
  set === 'invoice' || (set === 'country' && asksForSupplyDay(country))
