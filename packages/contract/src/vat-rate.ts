/** A VAT rate in hundredths of a percent: 2150 is 21.5%. Requests and answers have percent (21.5). */
export type RateHundredths = number

export const MAX_RATE = 10_000

/** A rate in percent without needless zeros: `2150` is `21.5`, `2000` is `20`. */
export function formatRate(rate: RateHundredths): string {
  const digits = String(rate).padStart(3, '0')
  const decimals = digits.slice(-2).replace(/0+$/, '')
  return digits.slice(0, -2) + (decimals && `.${decimals}`)
}

/** The name of a VAT rate in every select: `Standard (21%)`. */
export function vatDisplayName(name: string, rate: RateHundredths): string {
  return `${name} (${formatRate(rate)}%)`
}
