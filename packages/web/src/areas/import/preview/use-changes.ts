import type { ImportPreview, PreviewChanges } from '@backstock/contract/import-preview.ts'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { api } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { useLastRead } from '../../../api/last-read.ts'
import { queryClient } from '../../../api/query-client.ts'
import { together, withChanges } from './changes.ts'
import { type PreviewAnswer, preview } from './preview.ts'

/**
 * A person's changes to a preview. They are sent at once, in one call at a time; changes made during a call go out
 * together in the next one. `shown` is the plan with all changes. While a new plan is made, the results of the last one
 * stay. `onRefused` gets the changes that the server has refused.
 */
export function usePreviewChanges(id: number, plan: ImportPreview, onRefused: (changes: PreviewChanges) => void) {
  const [waiting, setWaiting] = useState<PreviewChanges | null>(null)
  /** The changes that were sent since the last plan was made. */
  const [sent, setSent] = useState<PreviewChanges | null>(null)
  const [isSending, setIsSending] = useState(false)
  const isPlanned = plan.state !== 'previewing'
  const found = useLastRead(isPlanned ? plan : undefined)

  const send = async (changes: PreviewChanges) => {
    const { queryKey } = preview(id)
    try {
      const { data } = await api.patch<PreviewAnswer>(`stock/import/preview/${id}`, { body: changes })
      // A read that is still running would bring the plan without the change.
      await queryClient.cancelQueries({ queryKey, exact: true })
      if (data) queryClient.setQueryData(queryKey, data)
    } catch (error) {
      // The call has shown a toast with the reason. The screen shows the server's plan again.
      if (!(error instanceof ApiError)) throw error
      setSent(null)
      onRefused(changes)
    } finally {
      setIsSending(false)
      void queryClient.invalidateQueries({ queryKey, exact: true })
    }
  }
  useEffect(() => {
    if (isSending) return
    if (waiting) {
      setIsSending(true)
      setSent((now) => together(now ?? {}, waiting))
      setWaiting(null)
      void send(waiting)
    } else if (isPlanned && sent) setSent(null)
  })

  const shown = useMemo(() => {
    const { counts, reasons, unknown, currencies, dollar } = (isPlanned ? plan : found) ?? plan
    return withChanges({ ...plan, counts, reasons, unknown, currencies, dollar }, together(sent ?? {}, waiting ?? {}))
  }, [isPlanned, plan, found, sent, waiting])
  return {
    shown,
    /** True while a plan is made or about to be made. */
    isPlanning: !isPlanned || isSending || waiting !== null,
    change: useCallback((more: PreviewChanges) => setWaiting((now) => together(now ?? {}, more)), []),
  }
}
