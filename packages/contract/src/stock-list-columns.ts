// Screens import this file. So it has no Zod schemas, which would make the screens load Zod.
import { listedName, nameInList } from './name-in-list.ts'

/** The columns of the stock list for people who have chosen none, with their headings. */
const SPECIFIED = {
  id: '#',
  status: 'Status',
  product: 'Product',
  purchase_price: 'Purchase Price',
  sales_price: 'Sales Price',
} as const
/** The other columns that people can choose, in the order in which the screen offers them. */
const MORE = {
  imei: 'IMEI',
  imei2: 'IMEI 2',
  serial_number: 'Serial number',
  backstock_id: 'Backstock ID',
  grade: 'Grade',
  functional: 'Function',
  battery_health: 'Battery',
  category: 'Category',
  supplier: 'Supplier',
  batch: 'Batch',
  location: 'Location',
  purchase_date: 'Purchase date',
  age: 'Age',
  margin: 'Margin',
  margin_percent: 'Margin %',
  vat: 'VAT',
  network_locked: 'Locked',
  notes: 'Notes',
  created_at: 'Created',
} as const
export type MoreColumn = keyof typeof MORE
export const MORE_COLUMNS = Object.keys(MORE) as MoreColumn[]

/** The heading of each column. */
export const STOCK_COLUMN_TITLES = { ...SPECIFIED, ...MORE }
export type StockListColumn = keyof typeof STOCK_COLUMN_TITLES

export const isStockListColumn = (name: string): name is StockListColumn => Object.hasOwn(STOCK_COLUMN_TITLES, name)

/**
 * The start of the name of a column that shows a further column of an import. The further column's own name follows.
 */
const FURTHER = 'attr:'

/** The name that a further column has in files; undefined if `column` is not the name of one. */
export const furtherName = (column: string): string | undefined =>
  column.startsWith(FURTHER) ? nameInList(column.slice(FURTHER.length)) || undefined : undefined
export const furtherColumn = (name: string): string => FURTHER + listedName(name)

const TITLES: ReadonlySet<string> = new Set(Object.values(STOCK_COLUMN_TITLES))

/** The heading of a further column. It differs from the headings of all other columns. */
export const furtherTitle = (name: string): string => (TITLES.has(name) ? `${name} (import)` : name)
