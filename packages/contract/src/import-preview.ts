import { z } from 'zod'
import { writeAnswer } from './answer.ts'
import { DEFAULT_FIELDS, IMPORT_FIELDS, INVERSE_NAMES } from './csv-columns.ts'
import { Timestamp } from './fields.ts'
import { FUNCTIONAL } from './functional.ts'
import { listQuery, pageOf, wordsFilter } from './page.ts'
import { NEW_STOCK_STATUSES } from './stock-status.ts'
import { PURCHASE_TREATMENTS } from './treatment.ts'

export { DEFAULT_FIELDS, IMPORT_FIELDS, type ImportField } from './csv-columns.ts'

/** `previewing` while the plan is made, and again after each change; `failed` if the file cannot be read to its end. */
export const PREVIEW_STATES = ['previewing', 'previewed', 'failed'] as const
/** The plan's decision for a row. */
export const ROW_KINDS = ['new', 'updated', 'unchanged', 'failed'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** How a column was recognised; `chosen` by the person, `none` not at all. */
export const RECOGNISED_BY = ['remembered', 'name', 'alias', 'values', 'chosen', 'none'] as const
/**
 * The target of a column's cells: a field, a field whose opposite they say (`network_unlocked`), `further` (a
 * further column of the item) or null (left out).
 */
export const ColumnTarget = z.union([z.enum(IMPORT_FIELDS), z.enum(INVERSE_NAMES), z.literal('further')]).nullable()
export type ColumnTarget = z.infer<typeof ColumnTarget>

/** The first part of `11/02/2026`. */
export const DATE_ORDERS = ['day', 'month'] as const
export const ASKED = ['decimal', 'dates'] as const
export type Asked = (typeof ASKED)[number]
/** A row with several IMEIs is an item for each of them, or one phone. */
export const SEVERAL_MEANS = ['items', 'phone'] as const
export type SeveralMeans = (typeof SEVERAL_MEANS)[number]
/**
 * The answer that a reason asks for: one of `ASKED`, a currency's rate, the permission to change existing items, the
 * meaning of a row with several IMEIs, the make, category or purchase price that rows lack, or the column that holds a
 * field of which the file has none.
 */
export const SETTLES = [...ASKED, 'rate', 'update', 'several', 'category', 'make', 'price', 'column'] as const
export type Settles = (typeof SETTLES)[number]

/**
 * The fields whose values are names. An unknown name may mean a known one; otherwise the import creates it. If a row says
 * no make, `make_of_model` has its model without the capacity, and the meaning is the make.
 */
export const NAMED_FIELDS = [
  'supplier',
  'vat',
  'grade',
  'make',
  'make_of_model',
  'category',
  'colour',
  'product',
] as const
export type NamedField = (typeof NAMED_FIELDS)[number]

/** `means` is the name that replaces `seen` in all rows; for a product it is the number of the existing one. */
const Meaning = z.object({ field: z.enum(NAMED_FIELDS), seen: z.string(), means: z.string() })
/** The person behind a memory, if known, and the day of its last import. */
const Remembered = z.object({ by: z.string().nullable(), at: Timestamp })
export type Remembered = z.infer<typeof Remembered>
const Near = z.object({ id: z.int(), name: z.string() })

export const PreviewColumn = z.object({
  /** Counted from 0. */
  column: z.int(),
  name: z.string(),
  field: ColumnTarget,
  how: z.enum(RECOGNISED_BY),
  /** The meaning that it had in an earlier file of the supplier or the person. The column's own name decides first. */
  last: Remembered.extend({ field: ColumnTarget }).nullable(),
  /** Up to three different values, as the file has them. */
  samples: z.array(z.string()),
})
export type PreviewColumn = z.infer<typeof PreviewColumn>

/** A name in the file that is not yet known, with how many rows have it. */
export const UnknownName = z.object({
  field: z.enum(NAMED_FIELDS),
  seen: z.string(),
  rows: z.int(),
  /** True: the import makes it. False: its rows fail until it exists or means another. */
  is_made: z.boolean(),
  /** The existing ones whose names are most like it, the most alike first. */
  nearest: z.array(Near),
  /** `seen` is the TAC of phones whose rows say no product; `nearest` is the shop's product under it. */
  is_tac: z.literal(true).optional(),
  /** Several suppliers have this name: rows fail until it means one of them, which `Name #12` does. */
  is_ambiguous: z.literal(true).optional(),
})
export type UnknownName = z.infer<typeof UnknownName>

/** Failed rows with a reason of the same kind. If their messages name different items or rows, `message` names none. */
export const FailureReason = z.object({
  field: z.string(),
  message: z.string(),
  rows: z.int(),
  first_row: z.int(),
  /** The answer that settles it. */
  asks: z.enum(SETTLES).nullable(),
})
export type FailureReason = z.infer<typeof FailureReason>

/**
 * `hidden_rows`, `hidden_columns` and `hidden_sheets` of a workbook; `no_result`: cells whose formula has no result yet;
 * `merged`: cells that have the value of the merged cell above them; `merged_across`: rows in which cells are merged
 * over several columns; `errors`: rows in which an error of a spreadsheet (`#N/A`) counts as an empty cell; `makes`:
 * rows whose make is the catalogue's, with their models; `memories`: rows with these models, whose number may be
 * working memory and stays in the name; `identifiers`: cells of a column with several kinds, with the
 * number of each; `two_imeis`: rows whose cell has the two IMEIs of one phone;
 * `quantity`: new items whose rows have one IMEI or serial number and another quantity than 1;
 * `blank_locked` and `blank_unlocked`: empty cells of the column of network locks, with its name, that are read so.
 */
export const FILE_NOTES = [
  'hidden_rows',
  'hidden_columns',
  'hidden_sheets',
  'no_result',
  'merged',
  'merged_across',
  'errors',
  'makes',
  'memories',
  'identifiers',
  'two_imeis',
  'quantity',
  'blank_locked',
  'blank_unlocked',
] as const
/**
 * A way in which the file looks different to a person than it is read. `where` has the first cells, columns, rows or
 * sheets.
 */
export const FileNote = z.object({ kind: z.enum(FILE_NOTES), count: z.int(), where: z.array(z.string()) })
export type FileNote = z.infer<typeof FileNote>

/** A currency of prices whose rows say no rate. Rates are units of the currency for one EUR, in six decimals at most. */
export const ForeignPrices = z.object({
  currency: z.string(),
  rows: z.int(),
  /** The rate for all of these rows; null: they fail. */
  rate: z.string().nullable(),
  /** Since when the rate is remembered. */
  remembered: Remembered.nullable(),
  /** The rate and the day of the last purchase in this currency. */
  proposed: z.object({ rate: z.string(), date: z.string() }).nullable(),
})
export type ForeignPrices = z.infer<typeof ForeignPrices>

/**
 * An import or an undo after which the plan may not hold any more, or changes of its items by any other act. Until
 * `is_over` the next plan would not hold either.
 */
const Stale = z.object({
  by: z.enum(['import', 'undo', 'items']),
  /** Null for `items`. */
  import_id: z.int().nullable(),
  file_name: z.string().nullable(),
  is_over: z.boolean(),
  /** How many items of the plan have changed; only for `items`. */
  items: z.int().optional(),
})

export const ImportPreview = z.object({
  import_id: z.int(),
  file_name: z.string(),
  format: z.enum(['csv', 'xlsx']),
  state: z.enum(PREVIEW_STATES),
  /** Why the file cannot be read; null unless `failed`. */
  error: z.string().nullable(),
  /** 0 to 100 while `previewing`. */
  progress: z.int(),
  total_rows: z.int(),
  /** A workbook's sheets, and the one that is read. */
  sheets: z.array(z.string()),
  sheet: z.string().nullable(),
  notes: z.array(FileNote),
  /** Whether the rows that are hidden in the workbook are left out. */
  leaves_out_hidden: z.boolean(),
  /** Only for a CSV file. */
  delimiter: z.string().nullable(),
  encoding: z.string().nullable(),
  /** Whether only the letters tell it, so that a person should look. */
  encoding_guessed: z.boolean(),
  /** Null: no cell tells. `mixed`: the cells contradict each other, and a person must choose. */
  decimal: z.enum([',', '.', 'mixed']).nullable(),
  /** Counted from 1, as a spreadsheet does; the lines before it are titles. Null: the file has no header. */
  header_row: z.int().nullable(),
  /** The first rows of the file; one of them may be the header. */
  top: z.array(z.object({ row: z.int(), text: z.string() })),
  /** The first part of the file's dates. Null: no cell tells, or they contradict each other. */
  dates: z.enum(DATE_ORDERS).nullable(),
  /**
   * A person's open decisions: without `dates` nothing is imported, without `decimal` the rows with such prices
   * fail.
   */
  asked: z.array(z.enum(ASKED)),
  titles: z.array(z.string()),
  update_existing: z.boolean(),
  supplier: Near.nullable(),
  columns: z.array(PreviewColumn),
  defaults: z.partialRecord(z.enum(DEFAULT_FIELDS), z.string()),
  /** The memories among these. */
  remembered_defaults: z.partialRecord(z.enum(DEFAULT_FIELDS), Remembered),
  currencies: z.array(ForeignPrices),
  /** Rows whose cell has the IMEIs of several items, with how many these are, and what was said of them. */
  several: z.object({ rows: z.int(), items: z.int(), means: z.enum(SEVERAL_MEANS).nullable() }).nullable(),
  counts: z.record(z.enum(ROW_KINDS), z.int()),
  reasons: z.array(FailureReason),
  unknown: z.array(UnknownName),
  meanings: z.array(Meaning.extend({ remembered: Remembered.nullable() })),
  /** What has changed stock since the rows were checked, or is about to. */
  stale: Stale.nullable(),
  /** A preview is forgotten 24 hours after it was last touched. */
  expires_at: Timestamp,
})
export type ImportPreview = z.infer<typeof ImportPreview>
export const ImportPreviewAnswer = z.object({ success: z.literal(true), data: ImportPreview.nullable() })

/** An item's value before and after; names for records, as logs have them. */
const Change = z.object({ attributeName: z.string(), from: z.unknown(), to: z.unknown() })

/** A new item as it will be stored. Prices in hundredths, that of the purchase in its currency. */
const NewItem = z.object({
  imei: z.string().nullable(),
  imei2: z.string().nullable(),
  serial_number: z.string().nullable(),
  backstock_id: z.string().nullable(),
  meid: z.string().nullable(),
  eid: z.string().nullable(),
  status: z.enum(NEW_STOCK_STATUSES),
  purchase_price: z.int(),
  purchase_currency: z.string(),
  fx_rate: z.number().nullable(),
  purchase_date: z.string().nullable(),
  purchase_treatment: z.enum(PURCHASE_TREATMENTS),
  sales_price: z.int().nullable(),
  network_locked: z.boolean(),
  functional: z.enum(FUNCTIONAL).nullable(),
  battery_health: z.int().nullable(),
  location: z.string().nullable(),
  supplier: z.string().nullable(),
  vat: z.string().nullable(),
  grade: z.string().nullable(),
  /** Only for a product that the import makes; null if it exists. */
  new_in_category: z.string().nullable(),
})
export type NewItem = z.infer<typeof NewItem>

export const PreviewRow = z.object({
  /** As a spreadsheet numbers it. */
  row: z.int(),
  /** The row of the file whose several IMEIs became rows of their own; null for any other. */
  of_row: z.int().nullable(),
  kind: z.enum(ROW_KINDS),
  /** The item that it changes or leaves as it is. */
  id: z.int().nullable(),
  product: z.string().nullable(),
  changes: z.array(Change),
  /** Only for a new item. */
  becomes: NewItem.nullable(),
  /** A doubt about a row that is imported nevertheless. */
  note: z.string().nullable(),
  /** By field. */
  errors: z.record(z.string(), z.string()),
  /**
   * The cells of the file, or as a person corrected them here, in the order of the columns. An overlong row has the
   * beginnings of its longest cells, which then end with `…`.
   */
  cells: z.array(z.string()),
})
export type PreviewRow = z.infer<typeof PreviewRow>
export const PreviewRowsQuery = listQuery(['id'], { kind: wordsFilter(ROW_KINDS) }, 'id_asc')
export const PreviewRows = pageOf(PreviewRow)

export const MAX_CELL_CHANGES = 1000
/** A person's changes to a preview; fields that are left out stay. The plan is made again. */
export const PreviewChanges = z
  .object({
    mapping: z.array(z.object({ column: z.int().min(0), field: ColumnTarget })).max(2000),
    defaults: z.partialRecord(z.enum(DEFAULT_FIELDS), z.string().max(255).nullable()),
    /** Rates of prices whose rows have none; null takes a rate away. */
    rates: z.array(z.object({ currency: z.string().max(3), rate: z.string().max(20).nullable() })).max(100),
    /** `means` null: `seen` means itself again. */
    values: z.array(Meaning.extend({ means: z.string().max(255).nullable() })).max(1000),
    cells: z
      .array(z.object({ row: z.int().min(1), column: z.int().min(0), value: z.string().max(10_000) }))
      .max(MAX_CELL_CHANGES),
    update_existing: z.boolean(),
    supplier_id: z.int().nullable(),
    decimal: z.enum([',', '.']),
    dates: z.enum(DATE_ORDERS),
    several: z.enum(SEVERAL_MEANS),
    encoding: z.string().max(40),
  })
  .partial()
export type PreviewChanges = z.infer<typeof PreviewChanges>

/** The answer to an uploaded file, and to the start of a preview's import. */
export const PreviewAccepted = writeAnswer(z.object({ import_id: z.int() }))
