import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { invalidate, record } from '../../api/reads.ts'
import { refetchAuth } from '../../api/session.ts'

const POLL_MS = 1500

/** Whether a job for this sale is still running: for its documents, its Excel sheet or its mail. */
const isBusy = ({ documents, excel_status, mail }: Sale) =>
  documents.some(({ status }) => status === 'pending') ||
  excel_status === 'pending' ||
  mail?.state === 'waiting' ||
  mail?.state === 'sending'

/** A sale. It is read again and again while a job for it is running. If its mail fails meanwhile, a toast says so. */
export function useSale(id: number | null) {
  const found = useQuery({
    ...record<Sale>('sale', id ?? 0),
    enabled: id !== null,
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? POLL_MS : false),
  })
  const mail = found.data?.mail?.state
  useEffect(() => {
    if (mail === 'failed' || mail === 'unclear') refetchAuth().catch(() => {})
  }, [mail])
  return found
}

/** Shows the sale that a write has returned. It cancels a running read, whose older answer would overwrite it. */
export async function takeOver(sale: Sale) {
  const { queryKey } = record<Sale>('sale', sale.id)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, sale)
  void queryClient.invalidateQueries({ queryKey: ['sale', 'find'] })
}

/**
 * Writes that return the whole sale, one at a time. `running` names the one under way. If one fails, a toast says so and
 * the sale is read again. `run` returns whether the write succeeded.
 */
export function useSaleWrites(id: number) {
  const [running, setRunning] = useState<string | null>(null)
  const busy = useRef(false)
  const run = async (name: string, write: () => Promise<Pick<WriteAnswer<Sale>, 'data'>>, ...alsoChanges: string[]) => {
    if (busy.current) return false
    busy.current = true
    setRunning(name)
    try {
      await takeOver((await write()).data)
      void invalidate(...alsoChanges)
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      void queryClient.invalidateQueries({ queryKey: record<Sale>('sale', id).queryKey })
      return false
    } finally {
      busy.current = false
      setRunning(null)
    }
  }
  return { running, run }
}
