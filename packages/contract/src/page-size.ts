/** The choices of the per-page selector. */
export const PAGE_SIZES = [10, 25, 50, 100, 250] as const
export const DEFAULT_PAGE_SIZE = 10
export const MAX_PAGE_SIZE = 250
/** The most ids that one find takes. */
export const MAX_IDS = 1000

/** More columns than anyone can look at side by side. */
export const MAX_COLUMNS = 30

/**
 * So many characters of an item's notes stand in a list of more items than a page has, as a basket or a batch; and of
 * each value of a further column in any list.
 */
export const SHORT_NOTES = 200
