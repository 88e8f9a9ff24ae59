import type { ImportStatus } from '@backstock/contract/import.ts'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { Suspense, useEffect, useRef, useState } from 'react'
import { lazyPart } from '../../api/lazy-part.ts'
import { removeToastsAbout, showToast } from '../../api/toast.ts'
import { endTold, hasEnded, importName, importStatus, isRunning, POLL_MS } from './import-status.ts'
import { readAfterImport } from './read-again.ts'

const UndoDialog = lazyPart(async () => ({ default: (await import('./undo/undo-dialog.tsx')).UndoDialog }))

const IMPORT_SCREEN = '/admin/stock/import'

/**
 * Reads the progress of the person's import every second while it runs and on the import screen. When the import has
 * ended, a toast says so on any screen. It draws only the dialog that undoes the import.
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
    removeToastsAbout('stock/import/csv') // the toast that says that the import has started
    showToast(endTold(data, () => setUndone(data)))
    void readAfterImport()
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
