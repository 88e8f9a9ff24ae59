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

/** The statuses that an edit may give a sale. Its present status is always accepted, even if the list is empty. */
export function allowedSaleStatuses(from: SaleStatus): readonly SaleStatus[] {
  return moves[from]
}

/** Sales whose items have not been sent: an item that is deleted now puts them to Requires Attention. */
export const OPEN_SALE_STATUSES = [
  'New',
  'Awaiting Payment',
  'Awaiting Dispatch',
] as const satisfies readonly SaleStatus[]

/** More items than this, and the sheet is made unless the person says otherwise. */
export const EXCEL_FROM_ITEMS = 20
