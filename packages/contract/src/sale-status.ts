/** The statuses of a sale, in the order in which they are always listed. */
export const SALE_STATUSES = [
  'New',
  'Awaiting Payment',
  'Awaiting Dispatch',
  'Requires Attention',
  'Dispatched',
  'Voided',
] as const
export type SaleStatus = (typeof SALE_STATUSES)[number]

/** The statuses that the sale list shows without a filter. */
export const DEFAULT_SALE_FILTER = ['New', 'Requires Attention'] as const satisfies readonly SaleStatus[]

const moves: Record<SaleStatus, readonly SaleStatus[]> = {
  New: ['New', 'Awaiting Payment', 'Awaiting Dispatch', 'Voided'],
  'Awaiting Payment': ['Awaiting Payment', 'Awaiting Dispatch', 'Voided'],
  'Awaiting Dispatch': ['Awaiting Dispatch', 'Dispatched'],
  'Requires Attention': ['Requires Attention', 'Voided', 'Awaiting Dispatch'],
  Dispatched: [],
  Voided: [],
}

/**
 * The statuses that an edit may give to a sale. The sale's present status is always accepted, even if the list is
 * empty.
 */
export function allowedSaleStatuses(from: SaleStatus): readonly SaleStatus[] {
  return moves[from]
}

/**
 * The statuses of sales that have not been dispatched. If an item of such a sale is deleted, the sale requires
 * attention.
 */
export const OPEN_SALE_STATUSES = [
  'New',
  'Awaiting Payment',
  'Awaiting Dispatch',
] as const satisfies readonly SaleStatus[]

/** Why a sale that requires attention cannot be corrected. */
export const LOST_ITEM = 'An item of this sale was deleted from stock. Resubmit or void the sale first.'

/** If a sale has more items than this, the server makes a spreadsheet unless the person says otherwise. */
export const EXCEL_FROM_ITEMS = 20
