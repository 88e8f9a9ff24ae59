import type { RateHundredths } from './vat-rate.ts'

/** The bounds of a change of a price: -90 to 200 percent. */
const [LEAST, MOST] = [-9_000, 20_000]

/** `-3`, `2.5` or `2,5` as hundredths of a percent; null if it is none of these bounds. Nothing is 0. */
export function readPercent(text: string, least = LEAST, most = MOST): RateHundredths | null {
  const match = /^([+-]?)(\d{1,4})(?:[.,](\d{1,2}))?$/.exec(text.trim() || '0')
  if (!match) return null
  const amount = Number(match[2]) * 100 + Number((match[3] ?? '').padEnd(2, '0'))
  const percent = match[1] === '-' && amount > 0 ? -amount : amount
  return percent < least || percent > most ? null : percent
}
