import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { SupplierClaim } from '@backstock/contract/supplier-claim.ts'
import { useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { queryClient } from '../../api/query-client.ts'
import { invalidate, record } from '../../api/reads.ts'

/**
 * Writes that return the whole claim, one at a time. `trouble` is the message of the last write that failed; the claim
 * is then read again. `write` returns whether it succeeded.
 */
export function useClaimWrites(id: number) {
  const [trouble, setTrouble] = useState<string | null>(null)
  const [running, setRunning] = useState(false)
  const busy = useRef(false)
  const write = async (verb: 'add-items' | 'remove-items' | 'send', body: object): Promise<boolean> => {
    if (busy.current) return false
    busy.current = true
    setRunning(true)
    setTrouble(null)
    const { queryKey } = record<SupplierClaim>('supplier-claim', id)
    try {
      const path = `supplier-claim/${id}/${verb}`
      const { data } = await api.post<WriteAnswer<SupplierClaim>>(path, { body, tellsTrouble: true })
      // A running read would overwrite the claim with an older one.
      await queryClient.cancelQueries({ queryKey })
      queryClient.setQueryData(queryKey, data)
      void queryClient.invalidateQueries({ queryKey: ['supplier-claim', 'find'] })
      if (verb === 'send') void invalidate('stock', 'batch', 'basket')
      return true
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setTrouble(error.message)
      void queryClient.invalidateQueries({ queryKey })
      return false
    } finally {
      busy.current = false
      setRunning(false)
    }
  }
  return { trouble, running, write }
}
export type ClaimWrites = ReturnType<typeof useClaimWrites>
