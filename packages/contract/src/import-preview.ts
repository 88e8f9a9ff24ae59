import { z } from 'zod'
import { writeAnswer } from './answer.ts'
import { DEFAULT_FIELDS, IMPORT_FIELDS, INVERSE_NAMES } from './csv-columns.ts'
import { FUNCTIONAL } from './device-function.ts'
import { Timestamp } from './fields.ts'
import { DOLLARS } from './import-prices.ts'
import { listQuery, pageOf, wordsFilter } from './page.ts'
import { NEW_STOCK_STATUSES } from './stock-status.ts'
import { PURCHASE_TREATMENTS } from './treatment.ts'

export { DEFAULT_FIELDS, IMPORT_FIELDS, type ImportField } from './csv-columns.ts'

/**
 * The server makes the plan while the state is `previewing`, and again after each change. `failed` means that the
 * server cannot read the file to its end.
 */
export const PREVIEW_STATES = ['previewing', 'previewed', 'failed'] as const
/** The plan's decision for a row of the file. */
export const ROW_KINDS = ['new', 'updated', 'unchanged', 'failed'] as const
export type RowKind = (typeof ROW_KINDS)[number]

/** The way in which a column was recognised. `chosen`: a person chose its field. `none`: it was not recognised. */
export const RECOGNISED_BY = ['remembered', 'name', 'alias', 'values', 'chosen', 'none'] as const
/**
 * The target of a column: a field, the opposite of a field (`network_unlocked`), `further` (a further column of the
 * item), or null (the column is left out).
 */
export const ColumnTarget = z.union([z.enum(IMPORT_FIELDS), z.enum(INVERSE_NAMES), z.literal('further')]).nullable()
export type ColumnTarget = z.infer<typeof ColumnTarget>

/** The part that comes first in a date such as `11/02/2026`. */
export const DATE_ORDERS = ['day', 'month'] as const
export const ASKED = ['decimal', 'dates'] as const
export type Asked = (typeof ASKED)[number]
/**
 * The meanings of a row with several IMEIs: an item for each IMEI at the row's price (`items`), an item for each IMEI
 * at an equal part of that price (`divided`), or one phone (`phone`).
 */
export const SEVERAL_MEANS = ['items', 'divided', 'phone'] as const
export type SeveralMeans = (typeof SEVERAL_MEANS)[number]
/**
 * The answer that would settle a reason for failed rows: one of `ASKED`, a currency's rate, the permission to change
 * existing items, the meaning of a row with several IMEIs, the missing make, category or purchase price, or the column
 * of a field that the file seems to lack.
 */
export const SETTLES = [...ASKED, 'rate', 'update', 'several', 'category', 'make', 'price', 'column'] as const
export type Settles = (typeof SETTLES)[number]

/**
 * The fields whose values are names of records. A person may say that an unknown name means a known one. Otherwise the
 * import creates a record with the name. It creates no supplier, VAT type or grade: such rows fail. `make_of_model` is
 * for rows without a make: `seen` is the model without its capacity, and `means` is the make.
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

/** `means` replaces `seen` in all rows. It is a name; for a product it is the number of the existing product. */
const Meaning = z.object({ field: z.enum(NAMED_FIELDS), seen: z.string(), means: z.string() })
/** The person who taught the memory, if known, and the day on which an import used it last. */
const Remembered = z.object({ by: z.string().nullable(), at: Timestamp })
export type Remembered = z.infer<typeof Remembered>
const Near = z.object({ id: z.int(), name: z.string() })

export const PreviewColumn = z.object({
  /** The index of the column, counted from 0. */
  column: z.int(),
  name: z.string(),
  field: ColumnTarget,
  how: z.enum(RECOGNISED_BY),
  /**
   * The meaning of this column in an earlier file of the supplier or the person. It is used only if the column's own
   * name has no known meaning.
   */
  last: Remembered.extend({ field: ColumnTarget }).nullable(),
  /** Up to three different values, as the file has them. */
  samples: z.array(z.string()),
})
export type PreviewColumn = z.infer<typeof PreviewColumn>

/** A name in the file that no record has, with the number of rows that have the name. */
export const UnknownName = z.object({
  field: z.enum(NAMED_FIELDS),
  seen: z.string(),
  rows: z.int(),
  /**
   * True: the import creates a record of this name. False: rows with the name fail until a record has it, or until a
   * person says which other name it means.
   */
  is_made: z.boolean(),
  /** The existing records whose names are most like this one, the most alike first. */
  nearest: z.array(Near),
  /**
   * True if `seen` is the TAC of phones in rows without a product. `nearest` is then the product that the shop has
   * under this TAC.
   */
  is_tac: z.literal(true).optional(),
  /**
   * For a colour or category in another language: its English name as the shop has it, such as `Blue` for `Blau`.
   * `is_new` means that the shop lacks it. If a person takes it as the meaning, the import creates it.
   */
  word: z.object({ name: z.string(), is_new: z.boolean() }).optional(),
  /** True for a product whose make, category or colour is an unknown name too. The answer for that may settle it. */
  waits: z.literal(true).optional(),
  /** True if several suppliers have this name. Its rows fail until `means` is one of them, written as `Name #12`. */
  is_ambiguous: z.literal(true).optional(),
})
export type UnknownName = z.infer<typeof UnknownName>

/**
 * The failed rows that have the same reason. If their messages name different items, rows or currencies, `message` names
 * none.
 */
export const FailureReason = z.object({
  field: z.string(),
  message: z.string(),
  rows: z.int(),
  first_row: z.int(),
  /** The kind of answer that lets these rows succeed; null if there is none. */
  asks: z.enum(SETTLES).nullable(),
})
export type FailureReason = z.infer<typeof FailureReason>

/**
 * The kinds of notes on a file. Each counts something:
 * - `hidden_rows`, `hidden_columns`, `hidden_sheets`: the hidden parts of a workbook;
 * - `no_result`: cells whose formula has no result yet;
 * - `merged`: cells that take the value of the merged cell above them;
 * - `merged_across`: rows in which cells are merged over several columns;
 * - `errors`: rows in which a spreadsheet's error (`#N/A`) counts as an empty cell;
 * - `makes`: rows that take their make from the catalogue, by their model;
 * - `memories`: rows whose model keeps a number in its name, because the number may be working memory;
 * - `identifiers`: cells of a column that holds several kinds of identifiers;
 * - `two_imeis`: rows whose cell has the two IMEIs of one phone;
 * - `quantity`: new items whose rows have one IMEI or serial number but a quantity other than 1;
 * - `blank_locked`, `blank_unlocked`: empty cells of the column of network locks, which count as locked or unlocked.
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
 * A note about the file: the import reads something differently from how a person sees it. The list names the first
 * cells, columns, rows or sheets.
 */
export const FileNote = z.object({ kind: z.enum(FILE_NOTES), count: z.int(), where: z.array(z.string()) })
export type FileNote = z.infer<typeof FileNote>

/**
 * A currency of prices in rows without a rate. A rate is the number of units of the currency for one EUR, with at most
 * six decimals.
 */
export const ForeignPrices = z.object({
  currency: z.string(),
  rows: z.int(),
  /** The rate for all of these rows. While it is null, they fail. */
  rate: z.string().nullable(),
  /** The import from which the memory has the rate; null if the memory has none. */
  remembered: Remembered.nullable(),
  /** The rate of the last purchase in this currency, with its day; null if there is none. */
  proposed: z.object({ rate: z.string(), date: z.string() }).nullable(),
})
export type ForeignPrices = z.infer<typeof ForeignPrices>

/**
 * An import, an undo, or other changes of the plan's items, after which the plan may be wrong. While `is_over` is
 * false, they go on, so a new plan could be wrong again.
 */
const Stale = z.object({
  by: z.enum(['import', 'undo', 'items']),
  /** Null if `by` is `items`. */
  import_id: z.int().nullable(),
  file_name: z.string().nullable(),
  is_over: z.boolean(),
  /** The number of the plan's items that have changed. Only if `by` is `items`. */
  items: z.int().optional(),
})

export const ImportPreview = z.object({
  import_id: z.int(),
  file_name: z.string(),
  format: z.enum(['csv', 'xlsx']),
  state: z.enum(PREVIEW_STATES),
  /** Why the server cannot read the file; null unless the state is `failed`. */
  error: z.string().nullable(),
  /** The progress of the plan, 0 to 100, while the state is `previewing`. */
  progress: z.int(),
  /** The number of the plan. Each change of the preview makes a plan with a higher number. */
  plan_no: z.int(),
  total_rows: z.int(),
  /** The names of a workbook's sheets, and the name of the sheet that is read. */
  sheets: z.array(z.string()),
  sheet: z.string().nullable(),
  notes: z.array(FileNote),
  /** Whether the rows that are hidden in the workbook are left out. */
  leaves_out_hidden: z.boolean(),
  /** The character between two cells of a CSV file. Null if the file is a workbook. */
  delimiter: z.string().nullable(),
  encoding: z.string().nullable(),
  /** Whether the encoding was guessed from the letters alone. A person should check it then. */
  encoding_guessed: z.boolean(),
  /**
   * The mark before the hundredths. Null: no cell shows it. `mixed`: the cells contradict each other, and a person must
   * choose.
   */
  decimal: z.enum([',', '.', 'mixed']).nullable(),
  /**
   * The row of the header, counted from 1 as a spreadsheet does; rows before it are titles. Null: the file has no
   * header.
   */
  header_row: z.int().nullable(),
  /** The first rows of the file; one of them may be the header. */
  top: z.array(z.object({ row: z.int(), text: z.string() })),
  /** The part that comes first in the file's dates. Null: no cell shows it, or the cells contradict each other. */
  dates: z.enum(DATE_ORDERS).nullable(),
  /**
   * The questions that a person must answer. As long as `dates` is open, the import cannot start. As long as `decimal`
   * is open, the rows fail whose prices have two readings.
   */
  asked: z.array(z.enum(ASKED)),
  titles: z.array(z.string()),
  update_existing: z.boolean(),
  supplier: Near.nullable(),
  columns: z.array(PreviewColumn),
  defaults: z.partialRecord(z.enum(DEFAULT_FIELDS), z.string()),
  /** The defaults that come from the memory. */
  remembered_defaults: z.partialRecord(z.enum(DEFAULT_FIELDS), Remembered),
  /** Values for all rows that the title lines of the file name. They count once a person takes them. */
  proposed: z.object({ purchase_currency: z.string().optional(), purchase_date: z.string().optional() }),
  currencies: z.array(ForeignPrices),
  /** The number of prices with the sign `$` alone, and the currency that they are read in. Null if there are none. */
  dollar: z.object({ rows: z.int(), means: z.enum(DOLLARS), remembered: Remembered.nullable() }).nullable(),
  /**
   * The rows whose cell has the IMEIs of several items, the number of these items, and the person's answer. Null if no
   * row has several IMEIs.
   */
  several: z
    .object({
      rows: z.int(),
      items: z.int(),
      means: z.enum(SEVERAL_MEANS).nullable(),
      /** The names of the columns about the row as a whole, such as its quantity. The items do not get their values. */
      left_out: z.array(z.string()),
      /** Whether the name of the price column says that its prices are those of whole rows. */
      is_total: z.boolean(),
    })
    .nullable(),
  counts: z.record(z.enum(ROW_KINDS), z.int()),
  reasons: z.array(FailureReason),
  unknown: z.array(UnknownName),
  meanings: z.array(Meaning.extend({ remembered: Remembered.nullable() })),
  /** The change of stock since the rows were checked, or one that is about to come; null if there is none. */
  stale: Stale.nullable(),
  /** The server deletes the preview at this time, 24 hours after its last change. */
  expires_at: Timestamp,
})
export type ImportPreview = z.infer<typeof ImportPreview>
export const ImportPreviewAnswer = z.object({ success: z.literal(true), data: ImportPreview.nullable() })

/** The value of a field before and after, with records by their names, as logs have them. */
const Change = z.object({ attributeName: z.string(), from: z.unknown(), to: z.unknown() })

/** A new item as the import will store it. Prices are in hundredths, the purchase price in its own currency. */
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
  /** The category of the product, if the import creates the product; null if the product exists. */
  new_in_category: z.string().nullable(),
})
export type NewItem = z.infer<typeof NewItem>

export const PreviewRow = z.object({
  /** The row's number as a spreadsheet counts. */
  row: z.int(),
  /** The row of the file from which this row was split, if it had several IMEIs; null for any other row. */
  of_row: z.int().nullable(),
  kind: z.enum(ROW_KINDS),
  /** The item that the row changes or leaves as it is; null for a new item. */
  id: z.int().nullable(),
  product: z.string().nullable(),
  changes: z.array(Change),
  /** The item as it will be stored; null unless the row makes an item. */
  becomes: NewItem.nullable(),
  /** A doubt about the row, which is imported nevertheless. */
  note: z.string().nullable(),
  /** The messages for the row, by field. */
  errors: z.record(z.string(), z.string()),
  /**
   * The cells in the order of the columns, as the file has them or as a person corrected them in the preview. If a row
   * is too long, its longest cells are cut and end with `…`.
   */
  cells: z.array(z.string()),
})
export type PreviewRow = z.infer<typeof PreviewRow>
export const PreviewRowsQuery = listQuery(['id'], { kind: wordsFilter(ROW_KINDS) }, 'id_asc')
export const PreviewRows = pageOf(PreviewRow)

export const MAX_CELL_CHANGES = 1000
/** A person's changes to a preview. Fields that are left out stay. The server then makes the plan again. */
export const PreviewChanges = z
  .object({
    mapping: z.array(z.object({ column: z.int().min(0), field: ColumnTarget })).max(2000),
    defaults: z.partialRecord(z.enum(DEFAULT_FIELDS), z.string().max(255).nullable()),
    /** The rates for prices in rows without a rate; null takes a rate away. */
    rates: z.array(z.object({ currency: z.string().max(3), rate: z.string().max(20).nullable() })).max(100),
    /** A `means` of null takes the meaning away: `seen` means itself again. */
    values: z.array(Meaning.extend({ means: z.string().max(255).nullable() })).max(1000),
    cells: z
      .array(z.object({ row: z.int().min(1), column: z.int().min(0), value: z.string().max(10_000) }))
      .max(MAX_CELL_CHANGES),
    update_existing: z.boolean(),
    supplier_id: z.int().nullable(),
    decimal: z.enum([',', '.']),
    dates: z.enum(DATE_ORDERS),
    dollar: z.enum(DOLLARS),
    several: z.enum(SEVERAL_MEANS),
    encoding: z.string().max(40),
  })
  .partial()
export type PreviewChanges = z.infer<typeof PreviewChanges>

/**
 * The plan that the person has seen. If the preview has another one by now, the import does not start. A client that
 * leaves the number out starts the latest plan.
 */
export const PreviewCommit = z.object({ plan_no: z.int({ error: 'Must be the number of a plan.' }).optional() })

/** The answer to an upload, and to the start of the import of a preview. */
export const PreviewAccepted = writeAnswer(z.object({ import_id: z.int() }))
