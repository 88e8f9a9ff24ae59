import { columnLabel } from '@backstock/contract/column-label.ts'
import type { Asked, ImportPreview, Remembered } from '@backstock/contract/import-preview.ts'
import { formatDateTime } from '../../ui/date-text.tsx'

/** `1,204 rows` */
export const count = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/** How many rows an import would write. */
export const written = ({ counts }: Pick<ImportPreview, 'counts'>) => counts.new + counts.updated

/** `40 new, 18 updated, 3 unchanged. 2 failed rows are left out.` */
export function whatWillHappen({ counts }: Pick<ImportPreview, 'counts'>): string {
  const kinds = (['new', 'updated', 'unchanged'] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => `${counts[kind].toLocaleString('en')} ${kind}`)
  const failed = counts.failed && `${count(counts.failed, 'failed row is', 'failed rows are')} left out.`
  return [kinds.length > 0 && `${kinds.join(', ')}.`, failed].filter(Boolean).join(' ') || 'The file has no rows.'
}

/** `No row can be imported yet. 71 rows: Category: A new product needs a category.` Null where some can. */
export function whatStops({ counts, reasons: [first] }: Pick<ImportPreview, 'counts' | 'reasons'>): string | null {
  if (!first || counts.failed === 0 || counts.new + counts.updated + counts.unchanged > 0) return null
  return `No row can be imported yet. ${count(first.rows, 'row')}: ${inField(first.field, first.message)}`
}

/** What is wrong with the row as a whole stands under `row`. */
export const inField = (field: string, message: string) =>
  field === 'row' ? message : `${columnLabel(field)}: ${message}`

/** `2 title lines above the header were skipped.` Empty where there are none. */
export function titlesSkipped({ titles }: Pick<ImportPreview, 'titles'>): string {
  if (titles.length === 0) return ''
  return `${count(titles.length, 'title line')} above the header ${titles.length === 1 ? 'was' : 'were'} skipped.`
}

/** `Anna, 03/11/2026`; without whom where that is not known. */
export const lastSaid = ({ by, at }: Remembered) => [by, formatDateTime(at).slice(0, 10)].filter(Boolean).join(', ')

/** The fields that settle what only a person can say. */
export const ASKING: Readonly<Record<Asked, string>> = { decimal: 'import-amounts', dates: 'import-dates' }

/** What is wrong with amounts that may be read in two ways. */
export const amountsAsked = (decimal: ImportPreview['decimal']) =>
  decimal === 'mixed'
    ? 'Some amounts say one, some the other: choose.'
    : decimal === null
      ? 'Amounts such as 1.234 may be read in two ways: choose.'
      : `Amounts such as 1${decimal}250 may be read in two ways: choose.`
