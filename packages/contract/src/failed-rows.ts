import { columnLabel } from './column-label.ts'

/** A row that an import did not take, as a sentence: `Row 4: IMEI: This IMEI is in stock already.` */
export const failedRow = (row: number, message: string | Readonly<Record<string, string>>): string =>
  `Row ${row}: ${typeof message === 'string' ? message : faultsOf(message)}`

/** The faults of a row as sentences, each with its field in front. */
export const faultsOf = (errors: Readonly<Record<string, string>>) =>
  Object.entries(errors)
    .map(([field, problem]) => inField(field, problem))
    .join(' ')

/** The fields of faults that belong to a row or a file as a whole. Screens do not name them. */
const WHOLE: ReadonlySet<string> = new Set(['row', 'csv'])
/** The label of the field that a message is about; null if the message is about the whole row. */
export const faultyField = (field: string): string | null => (WHOLE.has(field) ? null : columnLabel(field))

/** The message with its field in front. */
export const inField = (field: string, message: string): string =>
  [faultyField(field), message].filter(Boolean).join(': ')

/** The sentence about the failed rows that have no sentence of their own. */
export const moreFailed = (count: number): string =>
  `${count.toLocaleString('en')} more ${count === 1 ? 'row' : 'rows'} failed: see the import history.`
