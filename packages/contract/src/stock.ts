import { z } from 'zod'
import { CLAIM_STATES } from './claim-state.ts'
import { FUNCTIONAL } from './device-function.ts'
import {
  ALSO_WHEN_WRONG,
  Currency,
  Eid,
  Flag,
  Id,
  Imei,
  itemIds,
  LoadedAt,
  listOf,
  Meid,
  notes,
  OptionalDate,
  OptionalId,
  OptionalPrice,
  optionalCount,
  optionalIdentifier,
  optionalSerial,
  optionalText,
  Price,
  Timestamp,
} from './fields.ts'
import { furtherNames } from './further-column.ts'
import { serialProblem } from './identifier-cell.ts'
import { compactIdentifier, NEEDS_IDENTIFIER } from './imei.ts'
import { LogEntry } from './log.ts'
import { flagFilter, idsFilter, listQuery, priceFilter, recordFilters, searchFilter, wordsFilter } from './page.ts'
import { MAX_COLUMNS } from './page-size.ts'
import { FxRate, PurchaseCurrency } from './purchase-currency-fields.ts'
import { STOCK_AGES } from './stock-age.ts'
import { furtherName, isStockListColumn } from './stock-list-columns.ts'
import { MAX_ITEMS, NEW_ITEM_STATUS, NEW_STOCK_STATUSES, STOCK_STATUSES } from './stock-status.ts'
import { PURCHASE_TREATMENTS } from './treatment.ts'
import { PurchaseTreatmentField } from './treatment-fields.ts'

const ProductName = z.object({ id: z.int(), display_name: z.string() })

/**
 * A row of a stock list: all plain columns, and the names of the records that it refers to. Prices are in hundredths.
 * `purchase_price` is in `purchase_currency`. `cost` is the purchase price in EUR at `fx_rate` (units of the currency
 * for one EUR), less supplier credits. Sums are sums of costs. `battery_health` is in percent of the capacity when new.
 * In a list of more than 250 items, `engineer_notes` has only its first 200 characters.
 */
export const StockRow = z.object({
  id: z.int(),
  backstock_id: z.string().nullable(),
  expected_product_id: z.int().nullable(),
  actual_product_id: z.int(),
  supplier_id: z.int().nullable(),
  batch_id: z.int().nullable(),
  supplier_return_id: z.int().nullable(),
  vat_type_id: z.int().nullable(),
  status: z.enum(STOCK_STATUSES),
  imei: z.string().nullable(),
  serial_number: z.string().nullable(),
  engineer_notes: z.string().nullable(),
  purchase_price: z.int(),
  purchase_currency: z.string(),
  fx_rate: z.number().nullable(),
  cost: z.int(),
  purchase_date: z.string().nullable(),
  sales_price: z.int().nullable(),
  sales_currency: z.string(),
  network_locked: z.boolean(),
  purchase_treatment: z.enum(PURCHASE_TREATMENTS),
  grade_id: z.int().nullable(),
  functional: z.enum(FUNCTIONAL).nullable(),
  battery_health: z.int().nullable(),
  imei2: z.string().nullable(),
  meid: z.string().nullable(),
  eid: z.string().nullable(),
  location: z.string().nullable(),
  grade_name: z.string().nullable(),
  product_name: z.string(),
  product_display_name: z.string(),
  supplier_name: z.string().nullable(),
  batch_name: z.string().nullable(),
  is_batch_locked: z.boolean(),
  related_sale_id: z.int().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type StockRow = z.infer<typeof StockRow>

/**
 * A row with the columns that a stock list has only if `also` and `further` ask for them. `age` is the age in days; the
 * filter `age` counts it in the same way. `further` has the values of further columns as text, under the columns' names
 * in files. Each value is cut after 200 characters.
 */
export const StockListRow = StockRow.extend({
  category_name: z.string().nullable().optional(),
  vat_name: z.string().nullable().optional(),
  age: z.int().optional(),
  further: z.record(z.string(), z.string().nullable()).optional(),
})
export type StockListRow = z.infer<typeof StockListRow>

/** A whole stock item: the answer of a find with `id=`. */
export const StockItem = StockRow.extend({
  actual_product: ProductName,
  expected_product: ProductName.nullable(),
  grade: z.object({ id: z.int(), name: z.string() }).nullable(),
  supplier: z.object({ id: z.int(), company_name: z.string() }).nullable(),
  vat: z.object({ id: z.int(), name: z.string(), rate: z.number(), display_name: z.string() }).nullable(),
  batch: z.object({ id: z.int(), name: z.string(), is_locked: z.boolean() }).nullable(),
  /** The supplier claim that the item is in, or by which it went back; null if there is none. */
  supplier_claim: z.object({ id: z.int(), state: z.enum(CLAIM_STATES) }).nullable(),
  /**
   * The receipt of the item's purchase; null if there is none. `still_says` has its words that are no longer true of the
   * item.
   */
  purchase_receipt: z.object({ id: z.int(), number: z.string(), still_says: z.array(z.string()) }).nullable(),
  /** Whether the item was bought under the margin scheme from somebody who issues no invoice, and has no receipt yet. */
  lacks_receipt: z.boolean(),
  grading_data: z.record(z.string(), z.unknown()),
  attributes: z.record(z.string(), z.unknown()),
  logs: z.array(LogEntry),
})
export type StockItem = z.infer<typeof StockItem>

/** The fields of an item that the quick search shows. */
export const StockHit = StockRow.pick({
  id: true,
  status: true,
  imei: true,
  imei2: true,
  serial_number: true,
  grade_name: true,
  product_display_name: true,
})
export type StockHit = z.infer<typeof StockHit>

/**
 * The fields of an item that a client may write. At least one of IMEI and serial number is needed. On an edit, the
 * server checks that against the whole record.
 */
export const StockInput = z.object({
  actual_product_id: Id,
  expected_product_id: OptionalId.optional(),
  supplier_id: OptionalId.optional(),
  batch_id: OptionalId.optional(),
  vat_type_id: OptionalId.optional(),
  status: z.enum(STOCK_STATUSES, { error: `Must be one of ${STOCK_STATUSES.join(', ')}.` }).optional(),
  backstock_id: optionalIdentifier().optional(),
  imei: Imei.optional(),
  serial_number: optionalSerial().optional(),
  engineer_notes: notes().optional(),
  purchase_price: Price,
  purchase_currency: PurchaseCurrency.optional(),
  fx_rate: FxRate.optional(),
  purchase_date: OptionalDate.optional(),
  sales_price: OptionalPrice.optional(),
  sales_currency: Currency.optional(),
  network_locked: Flag.optional(),
  purchase_treatment: PurchaseTreatmentField.optional(),
  grade_id: OptionalId.optional(),
  functional: z
    .preprocess(
      (value) => (value === '' ? null : value),
      z.enum(FUNCTIONAL, { error: `Must be one of ${FUNCTIONAL.join(', ')}.` }).nullable(),
    )
    .optional(),
  battery_health: optionalCount(0, 100).optional(),
  imei2: Imei.optional(),
  meid: Meid.optional(),
  eid: Eid.optional(),
  location: optionalText().optional(),
  updated_at: LoadedAt,
})
export type StockInput = z.infer<typeof StockInput>

/** The text of a field. If the field is invalid, Zod passes the value as it was sent, which may be no text. */
const textIn = (value: unknown) => (typeof value === 'string' ? value : null)

/** A new item. The answer names all missing fields at once. */
export const StockCreateInput = StockInput.extend({
  status: z.enum(NEW_STOCK_STATUSES, { error: NEW_ITEM_STATUS }).optional(),
}).superRefine(({ imei, serial_number }, context) => {
  const problem = serialProblem(textIn(serial_number), textIn(imei))
  if (problem) context.addIssue({ code: 'custom', path: ['serial_number'], message: problem })
  if (imei || serial_number) return
  for (const path of ['imei', 'serial_number'])
    context.addIssue({ code: 'custom', path: [path], message: NEEDS_IDENTIFIER })
}, ALSO_WHEN_WRONG)
export type StockCreateInput = z.infer<typeof StockCreateInput>

/**
 * The columns by which stock can be sorted. The last four have no index, so the database sorts all matching items for
 * each page.
 */
const STOCK_ORDERS = [
  'id',
  'status',
  'purchase_price',
  'sales_price',
  'purchase_date',
  'margin',
  'supplier',
  'grade',
] as const
export type StockOrder = (typeof STOCK_ORDERS)[number]

/** The filters of stock. Lists use them, and requests that choose items by a filter, such as bulk edits. */
export const STOCK_FILTERS = {
  status: wordsFilter(STOCK_STATUSES),
  batch_id: idsFilter,
  supplier_id: idsFilter,
  product_id: idsFilter,
  make_id: idsFilter,
  grade_id: idsFilter,
  age: wordsFilter(STOCK_AGES),
  /** True: items without a sales price. False: items with one. */
  unpriced: flagFilter,
  /** The lowest and the highest sales price in hundredths, both included. An item without a price matches neither. */
  price_from: priceFilter,
  price_to: priceFilter,
  network_locked: flagFilter,
  /** Items that these imports made or changed, and those that had all values of their rows already. */
  import: idsFilter,
}
export const StockQuery = listQuery(STOCK_ORDERS, {
  ...STOCK_FILTERS,
  /** The columns that the rows have only on request. */
  also: wordsFilter(['category', 'vat', 'age']),
  /** The further columns whose values the rows have. */
  further: furtherNames,
})
export type StockQuery = z.infer<typeof StockQuery>

/** The query of an export. It takes all items that the list with the same search and filters shows on all its pages. */
export const StockExportQuery = z.object({ search: searchFilter, ...recordFilters, ...STOCK_FILTERS })
export type StockExportQuery = z.infer<typeof StockExportQuery>

/** The items that a person is to fetch from their locations. */
export const PickListInput = z.object({ items: itemIds() })

const NO_COLUMN = 'must be columns of the stock list'
/**
 * The query of an export, with the columns of the file as the list's address names them, comma-separated. If `columns`
 * is left out, the file has the columns that an import needs.
 */
export const StockFileQuery = StockExportQuery.extend({
  columns: z
    .preprocess(
      (value) => [
        ...new Set(
          String(value ?? '')
            .split(',')
            .filter(Boolean),
        ),
      ],
      z
        .array(z.string().refine((name) => isStockListColumn(name) || furtherName(name) !== undefined, NO_COLUMN))
        .max(MAX_COLUMNS, `takes at most ${MAX_COLUMNS} columns`),
    )
    .transform((names) => (names.length ? names : undefined))
    .optional(),
})
export type StockFileQuery = z.infer<typeof StockFileQuery>

/**
 * The number of items that a search finds in statuses other than the list's. `is_more` means that there are even more.
 */
export const ElsewhereAnswer = z.object({
  success: z.literal(true),
  data: z.object({ count: z.int(), is_more: z.boolean() }),
})
export type Elsewhere = z.infer<typeof ElsewhereAnswer>['data']

const TOO_MANY_LINES = `At most ${MAX_ITEMS} lines at once.`
/** The most pasted lines, empty ones included. */
const MAX_PASTED_LINES = 4 * MAX_ITEMS

/**
 * Lines that a person pasted or scanned, each with an IMEI, a serial number or a Backstock ID. Empty lines do not
 * count.
 */
export const PastedLines = listOf(
  z.array(z.string({ error: 'Each line must be text.' }), { error: 'Must be a list of lines.' }),
  MAX_PASTED_LINES,
  TOO_MANY_LINES,
).refine(
  (lines) => lines.length <= MAX_ITEMS || lines.filter((line) => compactIdentifier(line) !== '').length <= MAX_ITEMS,
  TOO_MANY_LINES,
)

/** The lines of a quick order, as a field `lines` or as a bare list. */
export const QuickOrderInput = z.preprocess(
  (value) => (Array.isArray(value) ? { lines: value } : value),
  z.object({ lines: PastedLines }),
)

export const QuickOrderRow = StockRow.extend({
  line: z.string(),
  sellable: z.boolean(),
  reason: z.string().nullable(),
})
export type QuickOrderRow = z.infer<typeof QuickOrderRow>

export const QuickOrderAnswer = z.object({
  success: z.literal(true),
  data: z.array(QuickOrderRow),
  /**
   * Lines that mean no item, as they were typed. A line with more than 1,000 characters is cut, and a message says so.
   */
  not_found: z.array(z.string()),
  duplicates: z.array(z.string()),
})
export type QuickOrderAnswer = z.infer<typeof QuickOrderAnswer>
