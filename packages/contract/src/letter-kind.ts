import type { Hundredths } from './money.ts'

/** The letters about a customer's open invoices: all that is open, or a reminder of what is overdue. */
export const LETTER_KINDS = ['statement', 'reminder'] as const
export type LetterKind = (typeof LETTER_KINDS)[number]

export const LETTER_WAYS = ['email', 'download'] as const

export const REMINDER_LEVELS = [1, 2, 3] as const
export type ReminderLevel = (typeof REMINDER_LEVELS)[number]
export const LEVEL_NAMES: Record<ReminderLevel, string> = {
  1: 'Friendly reminder',
  2: 'Second reminder',
  3: 'Final notice',
}

/** The level with its name, as in 'Level 2, second reminder'. */
export const levelName = (level: ReminderLevel): string => `Level ${level}, ${LEVEL_NAMES[level].toLowerCase()}`

/** `saved`: not sent, because no mail server is set up; the mail is a file on the server. */
export const LETTER_STATES = ['downloaded', 'waiting', 'sending', 'sent', 'saved', 'failed', 'unclear'] as const
export type LetterState = (typeof LETTER_STATES)[number]

/** The most invoices of one reminder, and the most open items of one statement. */
export const MAX_REMINDED = 500
export const MAX_OPEN_ITEMS = 1000
/** The most invoices that a reminder's mail attaches, and the most bytes of them. */
export const MAX_ATTACHED = 20
export const MAX_ATTACHED_BYTES = 10 * 1024 * 1024

/** Why an open item cannot be in a reminder; null if it can. */
export function whyNotReminded(
  item: {
    document_id: number | null
    number: string | null
    open: Hundredths
    due_on: string | null
    is_sent: boolean
  },
  today: string,
): string | null {
  if (item.document_id === null || item.number === null) return 'This sale has no invoice.'
  if (item.open <= 0) return `${item.number} is paid.`
  if (item.due_on === null || item.due_on >= today) return `${item.number} is not overdue.`
  return item.is_sent ? null : `${item.number} has not been sent to the customer yet.`
}

/** Whether a statement lists an open item: invoices that were sent, and all sums that the shop owes the customer. */
export const isStated = (item: { number: string | null; open: Hundredths; is_sent: boolean }): boolean =>
  item.open < 0 || (item.number !== null && item.is_sent)

/** The level that a reminder of these invoices should have: one above the highest that they had, at most 3. */
export const nextLevel = (last: readonly (ReminderLevel | null)[]): ReminderLevel =>
  Math.min(3, 1 + Math.max(0, ...last.map((level) => level ?? 0))) as ReminderLevel

export const LETTER_STATE_NAMES: Record<LetterState, string> = {
  downloaded: 'Downloaded',
  waiting: 'Waiting to be sent',
  sending: 'Being sent…',
  sent: 'Sent',
  saved: 'Not sent: no mail server is set up. Saved as a file',
  failed: 'Not sent',
  unclear: 'Unclear: it may have arrived',
}
