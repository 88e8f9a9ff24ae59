/** The facts of a sale, not of its customer, that its invoice may say otherwise than the sale today. */
export const OLD_REFERENCE = 'the reference number'
export const OLD_MONTH = 'the month of the date of supply'

/** The label of the tick that brings the changed facts into a corrected invoice. It names whose facts have changed. */
export function currentDetails(changed: readonly string[]): string {
  const ofSale = changed.filter((fact) => fact === OLD_REFERENCE || fact === OLD_MONTH).length
  if (ofSale === 0) return "Use the customer's current details"
  return ofSale === changed.length
    ? "Use the sale's current details"
    : "Use the customer's and the sale's current details"
}
