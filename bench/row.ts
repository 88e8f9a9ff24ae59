import type { Compared } from './measure.ts'

/** A line of the table: what was measured, the results, and whether they meet the requirement. */
export type Row = {
  id: string
  title: string
  p50?: string
  p95?: string
  limit?: string
  /** The server's time divided by the limit's. */
  ratio?: number
  ratioAsked?: string
  rate?: string
  limitRate?: string
  /** The server's rate divided by the limit's. */
  share?: number
  shareAsked?: string
  /** Whether the requirement is met; undefined if there is none. */
  met?: boolean
  /** The results as numbers, for the JSON file. */
  figures: Record<string, number>
}

export const ms = (time: number) =>
  `${time < 10 ? time.toFixed(2) : time < 100 ? time.toFixed(1) : Math.round(time)} ms`
export const times = (ratio: number) => `${ratio.toFixed(2)} x`
export const percent = (share: number) => `${Math.round(share * 100)}%`
export const perSecond = (rate: number, what = '') =>
  `${rate < 100 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en')}${what}`

/**
 * A line for work that server and limits both do. The server must take at most `ratio` times the limit's p50, and must
 * answer at least `share` of the limit's requests a second.
 */
export function comparedRow(
  id: string,
  title: string,
  { p50, p95, p99, limitP50, quickRatio, rate, limitRate, quickShare }: Compared,
  asked: { ratio: number; share: number } | undefined,
): Row {
  const ratio = p50 / limitP50
  const row: Row = {
    ...{ id, title, p50: ms(p50), p95: ms(p95), limit: ms(limitP50), ratio },
    figures: { p50, p95, p99, limitP50, quickRatio },
  }
  if (asked) Object.assign(row, { ratioAsked: times(asked.ratio), met: ratio <= asked.ratio })
  if (rate === undefined || limitRate === undefined) return row
  const share = rate / limitRate
  Object.assign(row, { rate: perSecond(rate), limitRate: perSecond(limitRate), share })
  Object.assign(row.figures, { rate, limitRate, quickShare })
  if (asked) Object.assign(row, { shareAsked: percent(asked.share), met: row.met === true && share >= asked.share })
  return row
}
