import type { ImportPreview, PreviewChanges } from '@backstock/contract/import-preview.ts'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { preview } from './preview.ts'
import { together, withChanges } from './preview-changes.ts'

type Sent = {
  changes: PreviewChanges
  /** Whether the server has them: what it answers from then on is made with them. */
  isTaken: boolean
}

/**
 * What a person changes of a preview. It is sent at once, or as soon as the plan is made that is being made: what was
 * changed meanwhile goes together. `shown` is the plan with all of it. `onRefused` is told what the server would not
 * take.
 */
export function usePreviewChanges(id: number, plan: ImportPreview | undefined, onRefused: (c: PreviewChanges) => void) {
  const [waiting, setWaiting] = useState<PreviewChanges | null>(null)
  const [sent, setSent] = useState<Sent | null>(null)
  const isPlanned = plan !== undefined && plan.state !== 'previewing'

  const send = async (changes: PreviewChanges) => {
    const { queryKey } = preview(id)
    try {
      await api.patch(`stock/import/preview/${id}`, { body: changes })
      await queryClient.cancelQueries({ queryKey, exact: true })
      queryClient.setQueryData(queryKey, (now) => now && { ...now, state: 'previewing' as const, progress: 0 })
      setSent({ changes, isTaken: true })
      await queryClient.invalidateQueries({ queryKey })
    } catch (error) {
      // The call has shown why; what is on screen is again what the server has.
      if (!(error instanceof ApiError)) throw error
      setSent(null)
      onRefused(changes)
    }
  }
  useEffect(() => {
    if (!isPlanned) return
    if (sent?.isTaken) setSent(null)
    if (sent || !waiting) return
    setWaiting(null)
    setSent({ changes: waiting, isTaken: false })
    void send(waiting)
  })

  const shown = useMemo(
    () => plan && withChanges(plan, together(sent?.changes ?? {}, waiting ?? {})),
    [plan, sent, waiting],
  )
  return {
    shown,
    /** Whether a plan is made, or about to be made. */
    isPlanning: !isPlanned || sent !== null || waiting !== null,
    change: useCallback((more: PreviewChanges) => setWaiting((now) => together(now ?? {}, more)), []),
  }
}
