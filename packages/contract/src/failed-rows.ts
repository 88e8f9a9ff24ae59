import { columnLabel } from './column-label.ts'

/** A row that an import did not take, as a sentence: `Row 4: IMEI: This IMEI is in stock already.` */
export const failedRow = (row: number, message: string | Readonly<Record<string, string>>): string =>
  `Row ${row}: ${typeof message === 'string' ? message : failures(message)}`

const failures = (errors: Readonly<Record<string, string>>) =>
  Object.entries(errors)
    .map(([field, problem]) => `${columnLabel(field)}: ${problem}`)
    .join(' ')

/** The sentence about the failed rows that have no sentence of their own. */
export const moreFailed = (count: number): string =>
  `${count.toLocaleString('en')} more ${count === 1 ? 'row' : 'rows'} failed: see the import history.`
