import { queryClient } from '../../api/query-client.ts'
import { invalidate } from '../../api/reads.ts'
import { refetchAuth } from '../../api/session.ts'

const history = () => queryClient.invalidateQueries({ queryKey: ['import', 'history'] })

/** Reads everything again that an import may have changed. */
export async function readAfterImport(): Promise<void> {
  await Promise.all([
    history(),
    invalidate('stock', 'product', 'make', 'colour', 'category', 'batch', 'basket', 'sale'),
    // The import may have deleted items that are on sales. Then the alert about sales changes.
    refetchAuth().catch(() => {}),
  ])
}

/** Reads everything again that the undo of an import may have changed. */
export async function readAfterUndo(): Promise<void> {
  await history()
  await invalidate('stock', 'product', 'make', 'colour', 'category', 'batch', 'basket', 'dashboard')
}
