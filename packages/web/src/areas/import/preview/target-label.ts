import { columnLabel, INVERSE_LABELS } from '@backstock/contract/column-label.ts'
import { isInverse } from '@backstock/contract/csv-columns.ts'

/** The meaning of a file's column, in the words of its select. */
export function targetLabel(target: string | null): string {
  if (target === null) return 'Left out'
  if (target === 'further') return 'Kept as a further column'
  return isInverse(target) ? INVERSE_LABELS[target] : columnLabel(target)
}
