import type { RateHundredths } from './vat-rate.ts'

/** The bounds of a percentage in hundredths of a percent, unless the caller gives others: -90 to 200 percent. */
const [LEAST, MOST] = [-9_000, 20_000]

/**
 * A percentage that a person typed (`-3`, `2.5` or `2,5`), in hundredths of a percent. Empty text is 0. Null if the
 * text is no percentage, or one outside the bounds.
 */
export function readPercent(text: string, least = LEAST, most = MOST): RateHundredths | null {
  const match = /^([+-]?)(\d{1,4})(?:[.,](\d{1,2}))?$/.exec(text.trim() || '0')
  if (!match) return null
  const amount = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  const percent = match[1] === '-' && amount > 0 ? -amount : amount
  return percent < least || percent > most ? null : percent
}
