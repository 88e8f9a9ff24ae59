import type { ImportStatus } from '@backstock/contract/import.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { importEntry, statusOf } from './import-status.ts'

/**
 * The status of the newest import. A minute after its end the server no longer sends it. The screen then keeps showing
 * it until the person leaves, with the state of the undo from the history.
 */
export function useKeptStatus(status: ImportStatus | undefined): ImportStatus | undefined {
  const [kept, setKept] = useState<ImportStatus>()
  if (status && status.progress >= 0 && status !== kept) setKept(status)
  const id = status && status.progress < 0 ? (kept?.import_id ?? null) : null
  const { data: entry } = useQuery({ ...importEntry(id ?? 0), enabled: id !== null })
  if (id === null) return status
  return entry ? statusOf(entry) : kept
}
