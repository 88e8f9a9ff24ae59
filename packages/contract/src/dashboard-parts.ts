/** The first steps of a new shop, in the order in which the dashboard shows them. */
export const FIRST_STEPS = ['company', 'vat', 'supplier', 'stock', 'sale', 'mail'] as const
export type FirstStep = (typeof FIRST_STEPS)[number]

/**
 * The parts of the dashboard that each person may put away: the first steps, and the note that this is a sample shop.
 */
export const MAY_BE_PUT_AWAY = ['first steps', 'sample'] as const
export type MayBePutAway = (typeof MAY_BE_PUT_AWAY)[number]
