import type { ImportStatus } from '@backstock/contract/import.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { invalidate } from '../../api/reads.ts'
import { showToast } from '../../api/toast.ts'
import { breakOff, importStatus, isRunning, outcome } from './import-status.ts'

/** Tells when the person's import has finished, on whatever screen they are then. Draws nothing. */
export function ImportWatch() {
  const { data } = useQuery(importStatus)
  const before = useRef<ImportStatus>(undefined)
  useEffect(() => {
    const ended = isRunning(before.current) && !isRunning(data)
    before.current = data
    if (!data || !ended) return
    const reason = breakOff(data)
    showToast({
      type: reason ? 'error' : data.failed_rows ? 'warning' : 'success',
      title: reason ? 'Import broke off' : 'Import finished',
      message: reason ?? outcome(data),
      event: true,
    })
    void invalidate('import', 'stock', 'product', 'batch', 'basket', 'sale')
  }, [data])
  return null
}
