import type { ImportDetail } from '@backstock/contract/import.ts'

/** An applied row: its effect, whether its item is still there, and whether the undo of its import took it back. */
export type AppliedRow = { action: Exclude<ImportDetail['type'], 'failed'>; is_there: boolean; is_undone: boolean }

const OUTCOMES = { created: 'Created.', updated: 'Updated.', unchanged: 'Nothing to change.' }

/** The result of an applied row, as a sentence or two. */
export const outcomeOf = (row: AppliedRow): string => [OUTCOMES[row.action], sinceOf(row)].filter(Boolean).join(' ')

/** A sentence about the later fate of an applied row; empty if nothing has. */
export function sinceOf({ action, is_there, is_undone }: AppliedRow): string {
  if (is_undone) return action === 'created' ? 'Removed since: this import was undone.' : 'Undone since.'
  return is_there ? '' : 'Removed since: another import was undone.'
}
