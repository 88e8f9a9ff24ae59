import type { ExportColumn } from '@backstock/contract/csv-columns.ts'
import { CURRENCY } from '@backstock/contract/money.ts'
import type { CapacityUnit } from '@backstock/contract/product-name.ts'
import type { StockInput, StockRow } from '@backstock/contract/stock.ts'
import { NEW_STOCK_STATUSES } from '@backstock/contract/stock-status.ts'
import type { PurchaseTreatment } from '@backstock/contract/treatment.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import {
  BATTERY,
  CAPACITY,
  type CellKind,
  CURRENCY_CODE,
  capacityAndUnit,
  DATE,
  EID,
  FLAG,
  FX_RATE,
  IMEI,
  ITEM_NUMBER,
  MEID,
  NAME,
  NOTES,
  PRICE,
  PURCHASE,
  PURCHASE_CURRENCY,
  SERIAL,
  STATUS,
  TEXT,
  textIdentifier,
  UNIT,
  WORKING,
} from './cell-kinds.ts'

type Row = Selectable<Tables['stock']>
/** The fields of an item that a person sets. `sales_currency` is not among them, because there is only one. */
type Field = Exclude<keyof StockInput, 'updated_at' | 'sales_currency'>
export type StockColumn = Exclude<Field, 'vat_type_id'> | 'vat_id'
export type StockColumns = Pick<Row, StockColumn>

/** The tables that an item refers to, each with the column that names a record. */
export const REFERRED = {
  product: 'display_name',
  supplier: 'company_name',
  batch: 'name',
  vat: 'name',
  grade: 'name',
} as const
export type Referred = keyof typeof REFERRED
export const REFERRED_TABLES = Object.keys(REFERRED) as Referred[]

type Spec<Column extends StockColumn> = {
  type: 'stock_status' | 'purchase_treatment' | 'int' | 'smallint' | 'text' | 'date' | 'boolean' | 'numeric'
  /** The value in a new item if its input has none. */
  whenNew: Row[Column]
  /** The table that the column refers to. The log shows the record's name under `label`. */
  refers?: { to: Referred; label: string }
  /** How CSV files hold the column, if they have one of the same name. */
  csv?: Column extends ExportColumn ? CellKind<NonNullable<Row[Column]>> : never
  /** The log shows the column's value within another column. */
  unlogged?: true
  /**
   * Invoices depend on the column, or it says which phone was sold. So it cannot change once the item is sold or returned
   * to its supplier.
   */
  invoiced?: true
}

/**
 * The columns that a person sets, in the order of the log. Edit, log, CSV import and export follow from this list. Each
 * field of `StockInput` must be here, and each column with `csv` must be in `CSV_COLUMNS`.
 */
const COLUMNS = {
  status: { type: 'stock_status', whenNew: NEW_STOCK_STATUSES[0], csv: STATUS },
  // Every new item gets a product, so 0 is never stored.
  actual_product_id: { type: 'int', whenNew: 0, refers: { to: 'product', label: 'actual_product' }, invoiced: true },
  expected_product_id: { type: 'int', whenNew: null, refers: { to: 'product', label: 'expected_product' } },
  supplier_id: { type: 'int', whenNew: null, refers: { to: 'supplier', label: 'supplier' } },
  batch_id: { type: 'int', whenNew: null, refers: { to: 'batch', label: 'batch' } },
  vat_id: { type: 'int', whenNew: null, refers: { to: 'vat', label: 'vat' }, invoiced: true },
  backstock_id: { type: 'text', whenNew: null, csv: textIdentifier('Backstock ID'), invoiced: true },
  imei: { type: 'text', whenNew: null, csv: IMEI, invoiced: true },
  serial_number: { type: 'text', whenNew: null, csv: SERIAL, invoiced: true },
  purchase_price: { type: 'int', whenNew: 0, csv: PRICE, invoiced: true },
  purchase_currency: { type: 'text', whenNew: CURRENCY, csv: PURCHASE_CURRENCY, invoiced: true, unlogged: true },
  fx_rate: { type: 'numeric', whenNew: null, invoiced: true },
  purchase_date: { type: 'date', whenNew: null, csv: DATE },
  sales_price: { type: 'int', whenNew: null, csv: PRICE },
  network_locked: { type: 'boolean', whenNew: false, csv: FLAG },
  engineer_notes: { type: 'text', whenNew: null, csv: NOTES },
  // This value is only for an item without a supplier. Other items get the default of their supplier.
  purchase_treatment: { type: 'purchase_treatment', whenNew: 'unknown', invoiced: true },
  grade_id: { type: 'int', whenNew: null, refers: { to: 'grade', label: 'grade' } },
  functional: { type: 'text', whenNew: null, csv: WORKING },
  battery_health: { type: 'smallint', whenNew: null, csv: BATTERY },
  imei2: { type: 'text', whenNew: null, csv: IMEI, invoiced: true },
  meid: { type: 'text', whenNew: null, csv: MEID, invoiced: true },
  eid: { type: 'text', whenNew: null, csv: EID, invoiced: true },
  location: { type: 'text', whenNew: null, csv: TEXT },
} as const satisfies { [Column in StockColumn]: Spec<Column> }

type With<Key extends keyof Spec<StockColumn>> = {
  [Column in StockColumn]: (typeof COLUMNS)[Column] extends Record<Key, unknown> ? Column : never
}[StockColumn]
export type ReferringColumn = With<'refers'>
export type InvoicedColumn = With<'invoiced'>
type CsvStockColumn = With<'csv'>

export const STOCK_COLUMNS = Object.keys(COLUMNS) as StockColumn[]
const having = <Key extends keyof Spec<StockColumn>>(key: Key) =>
  STOCK_COLUMNS.filter((column) => key in COLUMNS[column]) as With<Key>[]
export const LOGGED_COLUMNS = STOCK_COLUMNS.filter((column) => !('unlogged' in COLUMNS[column]))
export const REFERRING_COLUMNS: readonly ReferringColumn[] = having('refers')
export const INVOICED_COLUMNS: readonly InvoicedColumn[] = having('invoiced')
/** The columns that CSV files have under the same name. */
const CSV_STOCK_COLUMNS: readonly CsvStockColumn[] = having('csv')

export const referenceOf = (column: ReferringColumn) => COLUMNS[column].refers
export const isReferring = (column: StockColumn): column is ReferringColumn => 'refers' in COLUMNS[column]
export const sqlTypeOf = (column: StockColumn) => COLUMNS[column].type

/** The name of a column's field in requests and answers. Only `vat_id` has another name there. */
export function fieldOf(column: StockColumn): Field & keyof StockRow {
  return column === 'vat_id' ? 'vat_type_id' : column
}

/** The columns of a new item without any input. */
export const NEW_ITEM = Object.fromEntries(
  STOCK_COLUMNS.map((column) => [column, COLUMNS[column].whenNew]),
) as Readonly<StockColumns>

function put<Column extends StockColumn>(item: StockColumns, column: Column, value: StockColumns[Column]): void {
  item[column] = value
}

export function stockColumns(row: StockColumns): StockColumns {
  const columns = { ...NEW_ITEM }
  for (const column of STOCK_COLUMNS) put(columns, column, row[column])
  return columns
}

/** The values in a row of a CSV file, by column. Prices are in hundredths. */
export type CsvValues = { [Column in CsvStockColumn]?: NonNullable<Row[Column]> } & {
  backstock_item?: number
  make?: string
  model?: string
  capacity?: number
  capacity_unit?: CapacityUnit
  colour?: string
  category?: string
  supplier?: string
  vat?: string
  purchase_treatment?: PurchaseTreatment
  fx_rate?: number
  grade?: string
}

/** The columns of an item after a row has changed it. */
export function withValues(item: StockColumns, values: CsvValues): StockColumns {
  const columns = stockColumns(item)
  for (const column of CSV_STOCK_COLUMNS) {
    const value = values[column]
    if (value !== undefined) put(columns, column, value)
  }
  if (values.purchase_treatment) columns.purchase_treatment = values.purchase_treatment
  if (values.fx_rate !== undefined) columns.fx_rate = values.fx_rate
  return columns
}

/** An item with the names of the records that it refers to. */
export type NamedItem = {
  row: Row
  product: {
    make: string
    model: string
    capacity: number | null
    capacity_unit: CapacityUnit | null
    colour: string | null
    category: string
    display_name: string
  }
  supplier: string | null
  vat: string | null
  grade: string | null
  batchName: string | null
}

type CsvColumnSpec = {
  /** Reads a cell and adds its value to those of its row. Throws `BadCell`. */
  read(cell: string, values: CsvValues): void
  /** The text of an item's cell in an export, before `guardCell`; null if the cell is empty. */
  text(item: NamedItem): string | null
  /**
   * SQL for the guarded cell in the query of an export. `s` is the item; `p`, `v`, `t`, `g` and `b` have the names of
   * its product, supplier, VAT type, grade and batch.
   */
  sql: RawBuilder<unknown>
  /** Whether a cell can hardly belong to another column. */
  isPlainly(cell: string): boolean
}

function csvColumn<Column extends keyof CsvValues>(
  column: Column,
  kind: CellKind<NonNullable<CsvValues[Column]>>,
  current: (item: NamedItem) => NonNullable<CsvValues[Column]> | null,
  value: RawBuilder<unknown>,
): CsvColumnSpec {
  return {
    read(cell, values) {
      const read = kind.read(cell)
      if (read !== undefined) values[column] = read
    },
    text(item) {
      const now = current(item)
      return now === null ? null : kind.text(now)
    },
    sql: value,
    isPlainly: kind.isPlainly,
  }
}

function ofStock<Column extends CsvStockColumn>(column: Column): CsvColumnSpec {
  type Value = NonNullable<CsvValues[Column]>
  const kind = COLUMNS[column].csv as unknown as CellKind<Value>
  return csvColumn(column, kind, ({ row }) => row[column] as Value | null, kind.sql(sql.ref(`s.${column}`)))
}

const nowhere = () => undefined
/** The other columns of CSV files: names that an item refers to, and values that no person sets. */
const others: Record<Exclude<ExportColumn, CsvStockColumn>, CsvColumnSpec> = {
  backstock_item: csvColumn('backstock_item', ITEM_NUMBER, ({ row }) => row.id, sql`s.id`),
  make: csvColumn('make', NAME, ({ product }) => product.make, sql`p.make`),
  model: csvColumn('model', NAME, ({ product }) => product.model, sql`p.model`),
  capacity: {
    ...csvColumn('capacity', CAPACITY, ({ product }) => product.capacity, sql`p.capacity`),
    read(cell, values) {
      const { capacity, unit } = capacityAndUnit(cell)
      values.capacity = capacity
      if (unit) values.capacity_unit = unit
    },
  },
  capacity_unit: csvColumn('capacity_unit', UNIT, ({ product }) => product.capacity_unit, sql`p.capacity_unit`),
  colour: csvColumn('colour', NAME, ({ product }) => product.colour, sql`p.colour`),
  category: csvColumn('category', NAME, ({ product }) => product.category, sql`p.category`),
  supplier: csvColumn('supplier', TEXT, ({ supplier }) => supplier, sql`v.name`),
  purchase_fx_rate: csvColumn('fx_rate', FX_RATE, ({ row }) => row.fx_rate, FX_RATE.sql(sql`s.fx_rate`)),
  sales_currency: {
    // The cell is read only to refuse other currencies.
    read: (cell) => void CURRENCY_CODE.read(cell),
    text: ({ row }) => row.sales_currency,
    sql: sql`s.sales_currency`,
    isPlainly: CURRENCY_CODE.isPlainly,
  },
  vat: csvColumn('vat', TEXT, ({ vat }) => vat, sql`t.name`),
  purchase_vat: csvColumn(
    'purchase_treatment',
    PURCHASE,
    ({ row }) => row.purchase_treatment,
    sql`s.purchase_treatment`,
  ),
  grade: csvColumn('grade', TEXT, ({ grade }) => grade, sql`g.name`),
  // An export writes the batch for people, and an import does not read it.
  batch: { read: nowhere, text: ({ batchName }) => batchName, sql: sql`b.name`, isPlainly: () => false },
}

/** All columns of CSV files, by name. */
export const CSV = {
  ...others,
  ...Object.fromEntries(CSV_STOCK_COLUMNS.map((column) => [column, ofStock(column)])),
} as Record<ExportColumn, CsvColumnSpec>
