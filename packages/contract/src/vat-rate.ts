/** Rates are integers in hundredths of a percent inside (2150 is 21.5 %) and percent on the wire (21.5). */
export type RateHundredths = number

export const MAX_RATE = 10_000

/** `2150` to `21.5`, `2000` to `20`: without needless zeros. */
export function formatRate(rate: RateHundredths): string {
  const digits = String(rate).padStart(3, '0')
  const decimals = digits.slice(-2).replace(/0+$/, '')
  return digits.slice(0, -2) + (decimals && `.${decimals}`)
}

/** A VAT rate in any select: `Standard (21%)`. */
export function vatDisplayName(name: string, rate: RateHundredths): string {
  return `${name} (${formatRate(rate)}%)`
}
