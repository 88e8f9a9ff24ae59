import { z } from 'zod'
import { CLAIM_STATES } from './claim-state.ts'
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
import { FUNCTIONAL } from './functional.ts'
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
 * A row of a stock list: all scalar columns and the names that a list shows. Prices in hundredths. `purchase_price`
 * is in `purchase_currency`; `cost` is the same in EUR at `fx_rate`, units of it for one EUR, less supplier
 * credits. Sums are of costs. `battery_health` is percent of the battery's capacity when new. In a list of more than
 * 250 items `engineer_notes` has only its first 200 characters.
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
 * The same with the columns that a list of stock shows only on request, by `also` and `further`. `age` is in days,
 * as the filter of that name counts them. `further` has the values of further columns as text, by their names in a
 * file, each with at most its first 200 characters.
 */
export const StockListRow = StockRow.extend({
  category_name: z.string().nullable().optional(),
  vat_name: z.string().nullable().optional(),
  age: z.int().optional(),
  further: z.record(z.string(), z.string().nullable()).optional(),
})
export type StockListRow = z.infer<typeof StockListRow>

/** A whole stock item, as `id=` answers it. */
export const StockItem = StockRow.extend({
  actual_product: ProductName,
  expected_product: ProductName.nullable(),
  grade: z.object({ id: z.int(), name: z.string() }).nullable(),
  supplier: z.object({ id: z.int(), company_name: z.string() }).nullable(),
  vat: z.object({ id: z.int(), name: z.string(), rate: z.number(), display_name: z.string() }).nullable(),
  batch: z.object({ id: z.int(), name: z.string(), is_locked: z.boolean() }).nullable(),
  /** The claim on its supplier that it is in, or went back by. */
  supplier_claim: z.object({ id: z.int(), state: z.enum(CLAIM_STATES) }).nullable(),
  grading_data: z.record(z.string(), z.unknown()),
  attributes: z.record(z.string(), z.unknown()),
  logs: z.array(LogEntry),
})
export type StockItem = z.infer<typeof StockItem>

/** The fields of a quick-search row. */
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

/** At least one of IMEI and serial number is needed; on an edit the server checks that against the whole record. */
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

/** A field that may be wrong; then it holds the value as sent. */
const textIn = (value: unknown) => (typeof value === 'string' ? value : null)

/** A new item. All missing fields are named at once. */
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

/** The last four have no index: all that is found is sorted for each page. */
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

/** The filters of stock, for lists and for acts that choose items by them. */
export const STOCK_FILTERS = {
  status: wordsFilter(STOCK_STATUSES),
  batch_id: idsFilter,
  supplier_id: idsFilter,
  product_id: idsFilter,
  make_id: idsFilter,
  grade_id: idsFilter,
  age: wordsFilter(STOCK_AGES),
  /** Without a sales price; false: with one. */
  unpriced: flagFilter,
  /** Sales prices in hundredths, both ends counted. Items without a price are in no range. */
  price_from: priceFilter,
  price_to: priceFilter,
  network_locked: flagFilter,
  /** Items that these imports made or changed, or found to be as their rows say. */
  import: idsFilter,
}
export const StockQuery = listQuery(STOCK_ORDERS, {
  ...STOCK_FILTERS,
  /** Further fields of a list's rows. */
  also: wordsFilter(['category', 'vat', 'age']),
  /** The further columns whose values they have. */
  further: furtherNames,
})
export type StockQuery = z.infer<typeof StockQuery>

/** Which items an export takes: those that a list with the same search and filters shows, all its pages. */
export const StockExportQuery = z.object({ search: searchFilter, ...recordFilters, ...STOCK_FILTERS })
export type StockExportQuery = z.infer<typeof StockExportQuery>

/** The items that are to be fetched. */
export const PickListInput = z.object({ items: itemIds() })

const NO_COLUMN = 'must be columns of the stock list'
/**
 * The same with the columns of the file, as the list's address names them, comma-separated. Without them the file is one
 * that can be imported again.
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

/** How many more a search finds in other statuses than those of the list; `is_more` if that is not all of them. */
export const ElsewhereAnswer = z.object({
  success: z.literal(true),
  data: z.object({ count: z.int(), is_more: z.boolean() }),
})
export type Elsewhere = z.infer<typeof ElsewhereAnswer>['data']

const TOO_MANY_LINES = `At most ${MAX_ITEMS} lines at once.`
/** Empty lines count here. */
const MAX_PASTED_LINES = 4 * MAX_ITEMS

/** Pasted or scanned lines, each an IMEI, a serial number or a Backstock ID. Empty lines do not count. */
export const PastedLines = listOf(
  z.array(z.string({ error: 'Each line must be text.' }), { error: 'Must be a list of lines.' }),
  MAX_PASTED_LINES,
  TOO_MANY_LINES,
).refine(
  (lines) => lines.length <= MAX_ITEMS || lines.filter((line) => compactIdentifier(line) !== '').length <= MAX_ITEMS,
  TOO_MANY_LINES,
)

/** The lines of a quick order. A bare list is taken too. */
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
  /** As they were typed; of one with more than 1,000 characters its beginning, and that it is too long. */
  not_found: z.array(z.string()),
  duplicates: z.array(z.string()),
})
export type QuickOrderAnswer = z.infer<typeof QuickOrderAnswer>
