// Screens import this file. So it has no Zod schemas, which would make the screens load Zod.

const FIRST_COLUMNS = [
  'backstock_id',
  'imei',
  'serial_number',
  'status',
  'make',
  'model',
  'capacity',
  'capacity_unit',
  'colour',
  'category',
  'supplier',
  'purchase_price',
  'purchase_currency',
  'purchase_date',
  'sales_price',
  'sales_currency',
  'vat',
  'network_locked',
  'engineer_notes',
  'batch',
] as const
/** Further facts of a device. They were added later and follow all other columns, so that older files stay valid. */
const DEVICE_COLUMNS = ['grade', 'functional', 'battery_health', 'imei2', 'meid', 'eid', 'location'] as const
/** The columns of the CSV template, in order. An import reads all of them, and an export writes all of them. */
export const CSV_COLUMNS = [...FIRST_COLUMNS, ...DEVICE_COLUMNS] as const
export type CsvColumn = (typeof CSV_COLUMNS)[number]
/** Columns that an import reads and an export writes, but that the template lacks. */
const FURTHER_COLUMNS = ['purchase_vat', 'purchase_fx_rate'] as const

/**
 * The item's own number, the first column of an export. If the file is imported again, the number finds the item. The
 * template does not have this column.
 */
export const ITEM_COLUMN = 'backstock_item'
export const EXPORT_COLUMNS = [ITEM_COLUMN, ...FIRST_COLUMNS, ...FURTHER_COLUMNS, ...DEVICE_COLUMNS] as const
export type ExportColumn = (typeof EXPORT_COLUMNS)[number]

/**
 * The most characters of a text that is compared with the names of our columns and their aliases. None of those names
 * is longer.
 */
export const LONGEST_NAME = 64

/**
 * Latin letters, digits and signs of any width, with at most two accents each. No form of our names has any other
 * character.
 */
const LATIN = /^(?:(?!\p{M})[\p{Script=Latin}\p{Script=Common}]\p{M}{0,2})*$/u

/**
 * Whether a text may be a name, a word or an identifier that we know. This test is cheap, so it comes before the text
 * is normalised.
 */
export const mayBeKnown = (text: string) => text.length <= LONGEST_NAME && LATIN.test(text)

/**
 * The form in which names of columns are compared. It ignores case, blanks, underscores, dots, dashes and invisible
 * characters. A name that is too long to be one of ours stays as it is.
 */
export const plainColumnName = (name: string) =>
  name.length > LONGEST_NAME
    ? name
    : name
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[\s_.\-‐-―\p{Cf}]/gu, '')

const byPlainName = new Map<string, ExportColumn>(EXPORT_COLUMNS.map((column) => [plainColumnName(column), column]))

/** The column of ours that a name means, as `Purchase Price` means `purchase_price`; undefined if it means none. */
export const columnCalled = (name: string): ExportColumn | undefined =>
  mayBeKnown(name) ? byPlainName.get(plainColumnName(name)) : undefined

/** The first columns of an import's result file. The row's own cells follow them. */
export const RESULT_COLUMNS = ['row', 'result', 'id', 'message']

/**
 * The number of result columns at the start of a header, all or 0. A person may correct a result file and import it as
 * it is.
 */
export function resultColumns(header: readonly string[]): number {
  return RESULT_COLUMNS.every((name, n) => header[n] === name) ? RESULT_COLUMNS.length : 0
}

/** The start of the name of each column of raw grading data. */
export const GRADING = 'grading_'
export const isGrading = (name: string) => name.toLowerCase().startsWith(GRADING) && name.length > GRADING.length

/**
 * The fields that a column of a supplier's file may fill. `batch` is missing: an export writes it for people, and no
 * import reads it.
 */
export const IMPORT_FIELDS = EXPORT_COLUMNS.filter((column) => column !== 'batch')
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** Names of columns that say the opposite of a field. The column fills that field with yes and no swapped. */
export const INVERSES = { network_unlocked: 'network_locked', faulty: 'functional' } as const
export type Inverse = keyof typeof INVERSES
export const INVERSE_NAMES = ['network_unlocked', 'faulty'] as const satisfies readonly Inverse[]
/** The meaning of a column in a supplier's file: a field of ours, or the opposite of a field. */
export type FileColumn = ImportField | Inverse

export const isInverse = (column: string | null): column is Inverse =>
  column !== null && Object.hasOwn(INVERSES, column)
/** The field that a column of a file fills. */
export function fieldFilledBy(column: FileColumn): ImportField
export function fieldFilledBy(column: FileColumn | 'further' | null): ImportField | 'further' | null
export function fieldFilledBy(column: FileColumn | 'further' | null) {
  return isInverse(column) ? INVERSES[column] : column
}

/** The fields that one value may fill for all rows, if the file has no column for them. */
export const DEFAULT_FIELDS = [
  'supplier',
  'category',
  'make',
  'vat',
  'purchase_vat',
  'purchase_price',
  'purchase_currency',
  'purchase_date',
  'status',
] as const
export type DefaultField = (typeof DEFAULT_FIELDS)[number]
