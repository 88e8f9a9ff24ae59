/**
 * The sellers for whom the shop issues the purchase document. `private`: a person who issues no invoice, so that the
 * shop keeps a receipt. `self_billed`: a dealer who has agreed that the shop writes the invoice (Directive 2006/112/EC,
 * article 224). Other suppliers write their own invoices.
 */
export const RECEIPT_KINDS = ['private', 'self_billed'] as const
export type ReceiptKind = (typeof RECEIPT_KINDS)[number]

export const RECEIPT_KIND_NAMES = {
  private: 'Private person',
  self_billed: 'Dealer, self-billed',
} as const satisfies Record<ReceiptKind, string>

/** How a purchase was paid. */
export const RECEIPT_PAYMENTS = ['cash', 'transfer', 'trade_in'] as const
export type ReceiptPayment = (typeof RECEIPT_PAYMENTS)[number]

export const RECEIPT_PAYMENT_NAMES = {
  cash: 'Cash',
  transfer: 'Bank transfer',
  trade_in: 'Set off against a sale',
} as const satisfies Record<ReceiptPayment, string>

/** The documents by which a private seller proves who they are. */
export const IDENTITY_KINDS = ['identity_card', 'passport', 'driving_licence'] as const
export type IdentityKind = (typeof IDENTITY_KINDS)[number]

export const IDENTITY_NAMES = {
  identity_card: 'Identity card',
  passport: 'Passport',
  driving_licence: 'Driving licence',
} as const satisfies Record<IdentityKind, string>

/** The characters of an identity document's number that a receipt keeps: its last ones. */
export const MAX_IDENTITY_END = 4

/** The most items of one receipt. */
export const MAX_RECEIPT_ITEMS = 500
