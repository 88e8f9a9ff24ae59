import { isCalendarDate } from '@backstock/contract/time.ts'

export type DateStyle = 'dd/MM/yyyy' | 'yyyy-mm-dd'

/** Reads exactly the given style; the answer is `yyyy-mm-dd`, null where it is no day of the calendar (31/02/2026). */
export function parseDate(text: string, style: DateStyle): string | null {
  const trimmed = text.trim()
  const slashed = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(trimmed)
  const iso = style === 'yyyy-mm-dd' ? trimmed : slashed ? `${slashed[3]}-${slashed[2]}-${slashed[1]}` : ''
  return isCalendarDate(iso) ? iso : null
}

/** `yyyy-mm-dd` in the given style. */
export function formatDate(iso: string, style: DateStyle): string {
  return style === 'yyyy-mm-dd' ? iso : iso.split('-').reverse().join('/')
}

/** What is wrong with what was typed, as the sentence to show; null where nothing is. Limits are `yyyy-mm-dd`. */
export function dateProblem(
  text: string,
  style: DateStyle,
  limits: { min?: string | undefined; max?: string | undefined } = {},
): string | null {
  if (text.trim() === '') return null
  const shape = style === 'yyyy-mm-dd' ? /^\d{4}-\d{2}-\d{2}$/ : /^\d{2}\/\d{2}\/\d{4}$/
  if (!shape.test(text.trim())) return `Must be a date as ${style}.`
  const iso = parseDate(text, style)
  if (iso === null) return `There is no ${text.trim()} in the calendar.`
  if (limits.min && iso < limits.min) return `Must not be before ${formatDate(limits.min, style)}.`
  if (limits.max && iso > limits.max) return `Must not be after ${formatDate(limits.max, style)}.`
  return null
}
