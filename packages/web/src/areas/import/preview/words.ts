import { inField } from '@backstock/contract/failed-rows.ts'
import type { FileNote, ImportPreview, Remembered, Settles, SeveralMeans } from '@backstock/contract/import-preview.ts'
import { isRateMissing } from '@backstock/contract/purchase-currency.ts'
import { someOf } from '@backstock/contract/some-of.ts'
import { formatDateTime } from '../../../ui/values/date-text.tsx'
import { importName } from '../import-status.ts'

/** For example `1,204 rows`. */
export const count = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/** The number of rows that an import would write. */
export const written = ({ counts }: Pick<ImportPreview, 'counts'>) => counts.new + counts.updated

/** For example `40 new, 18 updated, 3 unchanged. 2 failed rows are left out.` */
export function whatWillHappen({ counts }: Pick<ImportPreview, 'counts'>): string {
  const kinds = (['new', 'updated', 'unchanged'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind].toLocaleString('en')} ${kind}`)
  const failed = counts.failed && `${count(counts.failed, 'failed row is', 'failed rows are')} left out.`
  return [kinds.length > 0 && `${kinds.join(', ')}.`, failed].filter(Boolean).join(' ') || 'The file has no rows.'
}

/**
 * For example `No row can be imported yet. 71 rows: Category: A new product needs a category.` Null if some rows can be
 * imported.
 */
export function whatStops({ counts, reasons: [first] }: Pick<ImportPreview, 'counts' | 'reasons'>): string | null {
  if (!first || counts.failed === 0 || counts.new + counts.updated + counts.unchanged > 0) return null
  return `No row can be imported yet. ${count(first.rows, 'row')}: ${inField(first.field, first.message)}`
}

/** The message of one of many rows with its field in front. If a rate is missing, the list above the rows asks for it. */
export const inRow = (field: string, message: string) =>
  isRateMissing(message) ? 'Waits for the exchange rate.' : inField(field, message)

/** For example `2 title lines above the header were skipped.` Empty if the header needs no note. */
export function aboutHeader({ header_row, titles }: Pick<ImportPreview, 'header_row' | 'titles'>): string {
  if (header_row === null)
    return 'This file is read without a header: its first row is an item, and its columns are named by number.'
  if (titles.length === 0) return ''
  return `${count(titles.length, 'title line')} above the header ${titles.length === 1 ? 'was' : 'were'} skipped.`
}

/** The options of the select for the header's row, for example `In row 3: Brand Model IMEI`. */
export const headerChoices = ({ top }: Pick<ImportPreview, 'top'>) => [
  { value: NO_HEADER, label: 'None: the first row is an item' },
  ...top.map(({ row, text }) => ({ value: String(row), label: `In row ${row}: ${text}` })),
]
export const NO_HEADER = 'none'

/** The person who made a choice, and the day: `Anna, 03/11/2026`. Only the date if the name is not known. */
export const lastSaid = ({ by, at }: Remembered) => [by, formatDateTime(at).slice(0, 10)].filter(Boolean).join(', ')

/**
 * The note that an import, an undo or a change of items has changed the stock since the rows were checked, or is about
 * to.
 */
export function staleWords(stale: NonNullable<ImportPreview['stale']>): string {
  const { by, is_over, import_id, file_name, items = 0 } = stale
  if (by === 'items' || import_id === null)
    return `${count(items, 'item')} of these rows ${items === 1 ? 'has' : 'have'} changed since they were checked. Check them again.`
  const name = importName(file_name, import_id)
  const undone = file_name === null ? name : `The import of ${name}`
  if (is_over)
    return `${by === 'undo' ? `${undone} was undone` : `${name} was imported`} since these rows were checked. Check them again.`
  return by === 'undo'
    ? `${undone} is being undone. These rows are checked again once that has ended.`
    : `${name} is being imported. Check these rows again once that has ended.`
}

/** The sentence about something in the file that the preview reads in another way than a person would expect. */
export function noteWords({ kind, count: n, where }: FileNote, isLeftOut = false): string {
  const first = where[0] ?? ''
  const places = someOf(where, where.length, n)
  switch (kind) {
    case 'hidden_rows':
      return `${count(n, 'row is', 'rows are')} hidden in the workbook, by a filter or by hand${isLeftOut ? ': left out.' : ', and read like the others.'}`
    case 'hidden_columns':
      return n === 1
        ? `Column ${first} is hidden in the workbook, and read like the others.`
        : `${count(n, 'column')} are hidden in the workbook, and read like the others: ${places}.`
    case 'hidden_sheets':
      return n === 1
        ? `The sheet ${first} is hidden in the workbook, and not read.`
        : `${count(n, 'sheet')} are hidden in the workbook, and not read: ${places}.`
    case 'no_result':
      return `${count(n, 'cell has', 'cells have')} a formula and no result (${places}), and ${n === 1 ? 'counts' : 'count'} as empty. Open the file in a spreadsheet, save it there, and choose it again.`
    case 'merged':
      return `${count(n, 'cell has', 'cells have')} the value of the merged cell above (${places}).`
    case 'merged_across':
      return `In ${count(n, 'row')}, cells are merged over several columns: only the first of these columns has the value. Look at ${n === 1 ? 'row' : 'rows'} ${places}.`
    case 'errors':
      return `In ${count(n, 'row')} a spreadsheet error, such as #N/A, counts as an empty cell. Look at ${n === 1 ? 'row' : 'rows'} ${places}.`
    case 'makes':
      return `${count(n, 'row gives', 'rows give')} no make; it was taken from your catalogue, for example ${where.join(', ')}.`
    case 'memories':
      return `In ${count(n, 'row')} the model’s name ends with less than 16 GB, which may be RAM: it stays in the name, as in ${where.join(', ')}.`
    case 'identifiers':
      return `One column holds ${and(where)}: each goes to its own field.`
    case 'two_imeis':
      return `In ${count(n, 'row')} a cell has two IMEIs: ${n === 1 ? 'the row is one item' : 'each of these rows is one item'}, and the second is its IMEI 2.`
    case 'quantity':
      return `In ${count(n, 'row')} the quantity is not 1, but there is one IMEI or serial number: ${n === 1 ? 'the row becomes one item' : 'each of these rows becomes one item'}. Look at ${n === 1 ? 'row' : 'rows'} ${places}.`
    case 'blank_locked':
      return `The column ${first} marks the unlocked phones: ${count(n, 'empty cell is', 'empty cells are')} read as locked.`
    case 'blank_unlocked':
      return `${count(n, 'empty cell', 'empty cells')} of the column ${first} ${n === 1 ? 'is' : 'are'} read as unlocked.`
  }
}

/** For example `37 IMEIs, 2 MEIDs and 2 serial numbers`. */
const and = (parts: readonly string[]) => [parts.slice(0, -1).join(', '), parts.at(-1)].filter(Boolean).join(' and ')

/** For example `Only the sheet Stock is read. The workbook has 2 others.` Empty if there is only one sheet. */
export function sheetsNotRead({ sheets, sheet }: Pick<ImportPreview, 'sheets' | 'sheet'>): string {
  const others = sheets.length - 1
  return others > 0 ? `Only the sheet ${sheet} is read. The workbook has ${count(others, 'other', 'others')}.` : ''
}
/** The id of the input for each question that only a person can answer. */
export const ASKING: Readonly<Record<Settles, string>> = {
  decimal: 'import-amounts',
  dates: 'import-dates',
  rate: 'import-rate',
  update: 'import-update',
  several: 'import-several',
  category: 'import-category',
  make: 'import-make',
  price: 'import-price',
  column: 'import-columns',
}

/** The options for rows with several IMEIs, each with its effect: `An item for each IMEI: 4 rows to 13 items`. */
export const severalChoices = ({ rows, items, is_total }: NonNullable<ImportPreview['several']>) => {
  const each = `An item for each IMEI: ${count(rows, 'row becomes', 'rows become')} ${count(items, 'item')}`
  const whole = { value: 'items', label: `${each}, each at the row’s price` } as const
  const share = { value: 'divided', label: `${each}, the row’s price divided among them` } as const
  return [
    ...(is_total ? [share, whole] : [whole, share]),
    { value: 'phone', label: 'One item with two IMEIs for each row' },
  ] satisfies { value: SeveralMeans; label: string }[]
}

/** Says which cells of a row each of its items gets, for example `… but Qty and Line total.` */
export const aboutSeveral = ({ left_out, is_total }: NonNullable<ImportPreview['several']>) =>
  [
    is_total && 'The file calls the price a total.',
    left_out.length > 0
      ? `Each item has all cells of its row but ${and(left_out)}.`
      : 'Each item has all cells of its row.',
  ]
    .filter(Boolean)
    .join(' ')

/** The note below the choice of a currency for the sign `$`. */
export const aboutDollar = ({ rows, means, remembered }: NonNullable<ImportPreview['dollar']>) =>
  [
    `${count(rows, 'price has', 'prices have')} this sign.`,
    remembered
      ? `Remembered from ${lastSaid(remembered)}`
      : means === 'USD' && 'It is the US dollar unless you choose another.',
  ]
    .filter(Boolean)
    .join(' ')

/** The id of the list of names that the shop does not know yet. */
export const NAMES = 'import-names'

/** The message about amounts that can be read in two ways. */
export const amountsAsked = (decimal: ImportPreview['decimal']) =>
  decimal === 'mixed'
    ? 'Some amounts are written one way, some the other: choose.'
    : decimal === null
      ? 'Amounts such as 1.234 may be read in two ways: choose.'
      : `Amounts such as 1${decimal}250 may be read in two ways: choose.`
