/** Periods whose days depend on today. Weeks begin on Monday. */
export const NAMED_PERIODS = [
  'today',
  'yesterday',
  'this-week',
  'last-week',
  'this-month',
  'last-month',
  'this-quarter',
  'last-quarter',
  'this-year',
  'last-year',
] as const
export type NamedPeriod = (typeof NAMED_PERIODS)[number]

/** The period's name on the screen: `Last month` for `last-month`. */
export const periodName = (period: NamedPeriod): string => {
  const words = period.replace('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
