/** The page sizes that a person can choose. */
export const PAGE_SIZES = [10, 25, 50, 100, 250] as const
export const DEFAULT_PAGE_SIZE = 10
export const MAX_PAGE_SIZE = 250
/** The most ids that one find request accepts. */
export const MAX_IDS = 1000

/** The most columns of a list. Nobody can read more side by side. */
export const MAX_COLUMNS = 30

/**
 * The most characters of an item's notes in a list that is longer than a page (a basket, a batch), and of each value of
 * a further column in any list.
 */
export const SHORT_NOTES = 200
