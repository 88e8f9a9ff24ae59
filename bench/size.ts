/**
 * The number of records of each kind, in proportion to the number of stock items. With a million items there are 2,000
 * products, 100,000 sales and so on.
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
  /** The number of a late page of the stock list. */
  deepPage: number
  /** The number of rows in the imported file. */
  importRows: number
}

/** With fewer items there would not be enough for a sale of 1,000 lines and a hundred others. */
const FEWEST = 10_000

/** Throws if no data can be generated for this number of items. */
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
