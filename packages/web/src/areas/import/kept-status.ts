import type { ImportStatus } from '@backstock/contract/import.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { importEntry, statusOf } from './import-status.ts'

/**
 * The status of the newest import, also once the server says that there is none, a minute after its end: what has ended
 * stays in sight until the screen is left. From then on the history tells of its undo.
 */
export function useKeptStatus(status: ImportStatus | undefined): ImportStatus | undefined {
  const [kept, setKept] = useState<ImportStatus>()
  if (status && status.progress >= 0 && status !== kept) setKept(status)
  const id = status && status.progress < 0 ? (kept?.import_id ?? null) : null
  const { data: entry } = useQuery({ ...importEntry(id ?? 0), enabled: id !== null })
  if (id === null) return status
  return entry ? statusOf(entry) : kept
}
