import type { Hundredths } from './money.ts'

/** The documents that have a number of their own. */
export const DOCUMENT_KINDS = ['invoice', 'credit_note'] as const
export type DocumentKind = (typeof DOCUMENT_KINDS)[number]
export const DOCUMENT_NAMES: Record<DocumentKind, string> = { invoice: 'Invoice', credit_note: 'Credit note' }

/** A document's total with the sign that accountants use: a credit note's is below 0. */
export const askedFor = ({ kind, total_gross }: { kind: DocumentKind; total_gross: Hundredths }): Hundredths =>
  kind === 'invoice' ? total_gross : 0 - total_gross

/** The state of a document's file. `none` means that somebody took the document off the sale. */
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
 * The reason for a credited line. `return`: the item is back. Its whole purchase price leaves the sale's cost, even if
 * the credit is lower than the price. `allowance`: the buyer keeps the item at a lower price. `void`: the whole rest of
 * the line.
 */
export const CREDIT_KINDS = ['return', 'allowance', 'void'] as const
export type CreditKind = (typeof CREDIT_KINDS)[number]
