import type { ImportStatus } from '@backstock/contract/import.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { invalidate } from '../../api/reads.ts'
import { refetchAuth } from '../../api/session.ts'
import { showToast } from '../../api/toast.ts'
import { breakOff, importStatus, isRunning, outcome } from './import-status.ts'

/** Tells when the person's import has finished, on whatever screen they are then. Draws nothing. */
export function ImportWatch() {
  const { data } = useQuery(importStatus)
  const before = useRef<ImportStatus>(undefined)
  useEffect(() => {
    const last = before.current
    before.current = data
    if (!data || !last || isRunning(data) || data.progress < 0) return
    // A short one is over before it was ever seen running.
    if (!isRunning(last) && last.import_id === data.import_id) return
    const reason = breakOff(data)
    showToast({
      type: reason ? 'error' : data.failed_rows ? 'warning' : 'success',
      title: reason ? 'Import broke off' : 'Import finished',
      message: reason ?? outcome(data),
      link: { to: `/admin/stock/import/history?id=${data.import_id}`, text: 'Look at it' },
      event: true,
    })
    void invalidate('import', 'stock', 'product', 'make', 'colour', 'category', 'batch', 'basket', 'sale')
    // Items that it deleted may be on sales: the alert about those counts anew.
    void refetchAuth().catch(() => {})
  }, [data])
  return null
}
