import { columnLabel, INVERSE_LABELS } from '@backstock/contract/column-label.ts'
import { isInverse } from '@backstock/contract/csv-columns.ts'

/** The name of a column's target in the file's preview, as its select shows it. */
export function targetLabel(target: string | null): string {
  if (target === null) return 'Left out'
  if (target === 'further') return 'Kept as a further column'
  return isInverse(target) ? INVERSE_LABELS[target] : columnLabel(target)
}
