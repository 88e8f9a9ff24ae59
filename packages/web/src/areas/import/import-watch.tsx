import type { ImportStatus } from '@backstock/contract/import.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { invalidate } from '../../api/reads.ts'
import { refetchAuth } from '../../api/session.ts'
import { removeToastsAbout, showToast } from '../../api/toast.ts'
import { endTold, hasEnded, importName, importStatus, isRunning, POLL_MS } from './import-status.ts'

const UndoDialog = lazy(async () => ({ default: (await import('./undo/undo-dialog.tsx')).UndoDialog }))

const IMPORT_SCREEN = '/admin/stock/import'

/**
 * Asks every second how far the person's import is, while it runs and on the import screen, and tells when it has
 * finished, on whatever screen they are then. Draws nothing but the question whether it is to be undone.
 */
export function ImportWatch() {
  const onImportScreen = useLocation({ select: ({ pathname }) => pathname === IMPORT_SCREEN })
  const { data } = useQuery({
    ...importStatus,
    refetchInterval: ({ state }) => (onImportScreen || isRunning(state.data) ? POLL_MS : false),
    refetchIntervalInBackground: true,
  })
  const before = useRef<ImportStatus>(undefined)
  const [undone, setUndone] = useState<ImportStatus | null>(null)
  useEffect(() => {
    const last = before.current
    before.current = data
    if (!hasEnded(last, data)) return
    removeToastsAbout('stock/import/csv') // that it has started
    showToast(endTold(data, () => setUndone(data)))
    void queryClient.invalidateQueries({ queryKey: ['import', 'history'] })
    void invalidate('stock', 'product', 'make', 'colour', 'category', 'batch', 'basket', 'sale')
    // Items that it deleted may be on sales: the alert about those counts anew.
    void refetchAuth().catch(() => {})
  }, [data])
  if (!undone?.import_id) return null
  return (
    <Suspense>
      <UndoDialog
        id={undone.import_id}
        name={importName(undone.file_name, undone.import_id)}
        onClose={() => setUndone(null)}
      />
    </Suspense>
  )
}
