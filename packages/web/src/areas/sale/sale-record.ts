import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { invalidate, record } from '../../api/reads.ts'
import { refetchAuth } from '../../api/session.ts'

const POLL_MS = 1500

/** Whether a job is at work for this sale: its documents, its sheet, its mail. */
const isBusy = ({ documents, excel_status, mail }: Sale) =>
  documents.some(({ status }) => status === 'pending') ||
  excel_status === 'pending' ||
  mail?.state === 'waiting' ||
  mail?.state === 'sending'

/**
 * A sale, read again and again only while a job is at work for it. If a mail fails meanwhile, a toast says so at
 * once.
 */
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

/**
 * Shows the answer of a write as the sale. It cancels a read that is under way, which would bring back the old sale.
 */
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
