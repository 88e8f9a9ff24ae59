import type { Hundredths } from './money.ts'

/** What leaves the house under a number of its own. */
export const DOCUMENT_KINDS = ['invoice', 'credit_note'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]
export const DOCUMENT_NAMES: Record<DocumentKind, string> = { invoice: 'Invoice', credit_note: 'Credit note' }

/** What a document asks for, as accountants write it: what a credit note takes back is below 0. */
export const askedFor = ({ kind, total_gross }: { kind: DocumentKind; total_gross: Hundredths }): Hundredths =>
  kind === 'invoice' ? total_gross : 0 - total_gross

/** Whether its file is there. `none`: it was taken off the sale. */
export const DOCUMENT_STATUSES = ['none', 'pending', 'ready', 'failed'] as const
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number]

/** Why a credit note was made. */
export const CREDIT_REASONS = ['return', 'correction', 'resubmission', 'void', 'allowance'] as const
export type CreditReason = (typeof CREDIT_REASONS)[number]
export const CREDIT_REASON_NAMES: Record<CreditReason, string> = {
  return: 'Return',
  correction: 'Correction',
  resubmission: 'Sale resubmitted',
  void: 'Sale voided',
  allowance: 'Allowance',
}

/**
 * What a line of a credit note takes back. `return`: the item is back, and with it the whole of its purchase, whatever was
 * refunded. `allowance`: the buyer keeps it, for less. `void`: all that was left of the line.
 */
export const CREDIT_KINDS = ['return', 'allowance', 'void'] as const
export type CreditKind = (typeof CREDIT_KINDS)[number]
