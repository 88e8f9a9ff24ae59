import { isLongLine, LONG_LINE } from '@backstock/contract/pasted-line.ts'
import type { QuickOrderAnswer, QuickOrderRow } from '@backstock/contract/stock.ts'
import { Text } from '@mantine/core'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { GradeChip } from '../../widgets/device-identifier.tsx'
import { lineKey, whyMissed } from './look-up.ts'
import classes from './quick-order.module.css'

type Result = {
  kind: 'sellable' | 'refused' | 'missing' | 'again' | 'open'
  text: string
  row?: QuickOrderRow | undefined
}

function resultOf(line: string, { data, not_found, duplicates }: QuickOrderAnswer): Result {
  if (isLongLine(line)) return { kind: 'missing', text: LONG_LINE }
  const row = data.findLast((found) => found.line === line)
  const isAgain = duplicates.at(-1) === line
  if (not_found.some((missed) => lineKey(missed) === lineKey(line)))
    return { kind: 'missing', text: isAgain ? 'Not found, and in the list already' : (whyMissed(line) ?? 'Not found') }
  if (isAgain) return { kind: 'again', text: 'In the list already, counted once', row }
  // The answer for this line has not arrived yet.
  if (!row) return { kind: 'open', text: 'Looking…' }
  if (!row.sellable) return { kind: 'refused', text: row.reason ?? 'Cannot be sold', row }
  return { kind: 'sellable', text: ['Can be sold', batchOf(row)].filter(Boolean).join(', '), row }
}

/**
 * The result of the line that was typed or scanned last. It stays in sight even if the list is longer than the screen.
 */
export function NewestLine({ line, answer }: { line: string; answer: QuickOrderAnswer }) {
  const { kind, text, row } = resultOf(line, answer)
  return (
    <div className={classes['newest']} data-kind={kind} aria-live="polite">
      <div className={classes['what']}>
        <strong title={line}>{row ? row.product_display_name : line}</strong>
        {row?.grade_name && <GradeChip grade={row.grade_name} />}
        {row && <StatusBadge status={row.status} />}
      </div>
      <Text size="sm" className={classes['result'] ?? ''}>
        {text}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        Newest line: {line}
      </Text>
    </div>
  )
}

/**
 * The batch that an item is in, and whether the batch is locked: a locked batch's item stays in the batch when it is
 * sold.
 */
export const batchOf = ({ batch_id, batch_name, is_batch_locked }: QuickOrderRow): string | null =>
  batch_id === null ? null : `in batch #${batch_id} - ${batch_name}${is_batch_locked ? ', which is locked' : ''}`
