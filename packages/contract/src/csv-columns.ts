// Without a schema: screens import it, and schemas would weigh too much there.

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
/** More about a device. These columns came later, so they follow all others. */
const DEVICE_COLUMNS = ['grade', 'functional', 'battery_health', 'imei2', 'meid', 'eid', 'location'] as const
/** The columns of the CSV template, in order; an import knows them, and an export has them. */
export const CSV_COLUMNS = [...FIRST_COLUMNS, ...DEVICE_COLUMNS] as const
export type CsvColumn = (typeof CSV_COLUMNS)[number]
/** Further columns that an import knows and an export has. */
const FURTHER_COLUMNS = ['purchase_vat', 'purchase_fx_rate'] as const

/**
 * The item's own number, first in an export: a file with it means this item when it is imported again. A template
 * does not have it.
 */
export const ITEM_COLUMN = 'backstock_item'
export const EXPORT_COLUMNS = [ITEM_COLUMN, ...FIRST_COLUMNS, ...FURTHER_COLUMNS, ...DEVICE_COLUMNS] as const
export type ExportColumn = (typeof EXPORT_COLUMNS)[number]

/** No name of our columns is longer, nor any alias with its additions. */
export const LONGEST_NAME = 64

/**
 * Latin letters, digits and signs in all their widths, with at most two marks each: names of ours have no others in any
 * form.
 */
const LATIN = /^(?:(?!\p{M})[\p{Script=Latin}\p{Script=Common}]\p{M}{0,2})*$/u

/** Whether a text may be a name, a word or an identifier that we know. Asked before its characters are made plain. */
export const mayBeKnown = (text: string) => text.length <= LONGEST_NAME && LATIN.test(text)

/**
 * A column's name as it is compared: case, blanks, underscores, dots, dashes and invisible characters do not count.
 * A name that is too long to be one of ours is compared as it is.
 */
export const plainColumnName = (name: string) =>
  name.length > LONGEST_NAME
    ? name
    : name
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[\s_.\-‐-―\p{Cf}]/gu, '')

const byPlainName = new Map<string, ExportColumn>(EXPORT_COLUMNS.map((column) => [plainColumnName(column), column]))

/** The column that a name means, as `Purchase Price` does; none for all others. */
export const columnCalled = (name: string): ExportColumn | undefined =>
  mayBeKnown(name) ? byPlainName.get(plainColumnName(name)) : undefined

/** The first columns of an import's result; the row's own cells follow. */
export const RESULT_COLUMNS = ['row', 'result', 'id', 'message']

/** How many columns of a result the header begins with. A result may be corrected and imported as it is. */
export function resultColumns(header: readonly string[]): number {
  return RESULT_COLUMNS.every((name, n) => header[n] === name) ? RESULT_COLUMNS.length : 0
}

/** Columns of raw grading data begin with it. */
export const GRADING = 'grading_'
export const isGrading = (name: string) => name.toLowerCase().startsWith(GRADING) && name.length > GRADING.length

/** The fields that a column of a supplier's file may hold. A batch is exported for people and never imported. */
export const IMPORT_FIELDS = EXPORT_COLUMNS.filter((column) => column !== 'batch')
export type ImportField = (typeof IMPORT_FIELDS)[number]

/** Columns that say the opposite of a field: each fills the field, with its yes and no turned round. */
export const INVERSES = { network_unlocked: 'network_locked', faulty: 'functional' } as const
export type Inverse = keyof typeof INVERSES
export const INVERSE_NAMES = ['network_unlocked', 'faulty'] as const satisfies readonly Inverse[]
/** The meaning of a column of a supplier's file: a field of ours, or the opposite of one. */
export type FileColumn = ImportField | Inverse

export const isInverse = (column: string | null): column is Inverse =>
  column !== null && Object.hasOwn(INVERSES, column)
/** The field that a column of a file fills. */
export function fieldFilledBy(column: FileColumn): ImportField
export function fieldFilledBy(column: FileColumn | 'further' | null): ImportField | 'further' | null
export function fieldFilledBy(column: FileColumn | 'further' | null) {
  return isInverse(column) ? INVERSES[column] : column
}

/** The fields that a file may lack as a whole, and that are then the same for each of its rows. */
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
