/**
 * How much there is of everything, in proportion to the stock items. At a million: 2,000 products, 100,000 sales and so
 * on.
 */
export type Size = {
  rows: number
  products: number
  customers: number
  sales: number
  imports: number
  batches: number
  suppliers: number
  users: number
  /** The page of the stock list that counts as deep. */
  deepPage: number
  /** Rows of the file that is imported. */
  importRows: number
}

/** Fewer items than this would not fill one sale of 1,000 lines and a hundred others. */
const FEWEST = 10_000

/** Throws if `rows` is not a number of items that the data can be made for. */
export function sizeOf(rows: number): Size {
  if (!Number.isInteger(rows) || rows < FEWEST || rows % FEWEST !== 0)
    throw new Error(`BENCH_ROWS must be a multiple of ${FEWEST.toLocaleString('en')}`)
  return {
    rows,
    products: Math.max(100, rows / 500),
    customers: rows / 10,
    sales: rows / 10,
    imports: rows / 5000,
    batches: Math.max(20, rows / 2000),
    suppliers: 50,
    users: 25,
    deepPage: rows / 200,
    importRows: rows / 10,
  }
}
