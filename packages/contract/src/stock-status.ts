/** The statuses of a stock item, in the order in which they are always listed. */
export const STOCK_STATUSES = ['Inbound', 'In Stock', 'In Batch', 'Sold', 'Returned to Supplier', 'Deleted'] as const
export type StockStatus = (typeof STOCK_STATUSES)[number]

/** The statuses that a new item may be given; the first is the default. */
export const NEW_STOCK_STATUSES = ['Inbound', 'In Stock'] as const satisfies readonly StockStatus[]
export const NEW_ITEM_STATUS = `A new item is ${NEW_STOCK_STATUSES.join(' or ')}.`

const moves: Record<StockStatus, readonly StockStatus[]> = {
  Inbound: ['Inbound', 'In Stock', 'Deleted'],
  'In Stock': ['In Stock', 'Deleted'],
  'In Batch': ['In Batch'],
  Sold: ['Sold'],
  'Returned to Supplier': ['Returned to Supplier'],
  Deleted: ['Deleted', 'In Stock'],
}

/** The statuses that a person may choose on the form of an item with this status. Its present status is one of them. */
export function allowedStockStatuses(from: StockStatus): readonly StockStatus[] {
  return moves[from]
}

/**
 * The statuses that a person can set by hand. All others follow from what happens to the item: Sold from a sale, for
 * example.
 */
export const HAND_SET_STATUSES = ['In Stock', 'Deleted'] as const satisfies readonly StockStatus[]

/** The statuses of items that the trader owns, and that are here or on their way. */
export const UNSOLD_STATUSES = ['Inbound', 'In Stock', 'In Batch'] as const satisfies readonly StockStatus[]

export const SELLABLE_STATUSES = ['In Stock', 'In Batch'] as const satisfies readonly StockStatus[]

export function isSellable(status: StockStatus): boolean {
  return status === 'In Stock' || status === 'In Batch'
}

export const NOT_SELLABLE = 'You can sell only the items with status: In Stock, In Batch'

/** The most items that a basket, a sale or a quick order may hold. */
export const MAX_ITEMS = 5000

/** The most items that one bulk edit changes, and that a delivery check expects. */
export const MAX_MANY = 10_000
