// Without a schema: screens import it, and schemas would weigh too much there.
import { listedName, nameInList } from './name-in-list.ts'

/** The columns that the stock list shows to people who have chosen none, and their heads. */
const SPECIFIED = {
  id: '#',
  status: 'Status',
  product: 'Product',
  purchase_price: 'Purchase Price',
  sales_price: 'Sales Price',
} as const
/** The further columns that people can choose, in the order in which the screen offers them. */
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

/** The head of each column. */
export const STOCK_COLUMN_TITLES = { ...SPECIFIED, ...MORE }
export type StockListColumn = keyof typeof STOCK_COLUMN_TITLES

export const isStockListColumn = (name: string): name is StockListColumn => Object.hasOwn(STOCK_COLUMN_TITLES, name)

/** A further column of an import is named so, followed by its name. */
const FURTHER = 'attr:'

/** The name of a further column in files; undefined if this names none. */
export const furtherName = (column: string): string | undefined =>
  column.startsWith(FURTHER) ? nameInList(column.slice(FURTHER.length)) || undefined : undefined
export const furtherColumn = (name: string): string => FURTHER + listedName(name)

const TITLES: ReadonlySet<string> = new Set(Object.values(STOCK_COLUMN_TITLES))

/** Two columns never have the same head. */
export const furtherTitle = (name: string): string => (TITLES.has(name) ? `${name} (import)` : name)
