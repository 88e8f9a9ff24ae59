import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Sale, SaleRow } from '@backstock/contract/sale.ts'
import { Suspense, useState } from 'react'
import { api } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { lazyPart } from '../../../api/lazy-part.ts'
import { invalidate } from '../../../api/reads.ts'
import { refetchAuth } from '../../../api/session.ts'
import { FocusBack } from '../../../ui/layout/focus-back.tsx'
import { isWanted, nextStepOf } from '../next-step.tsx'
import classes from '../payments/payment.module.css'

/** Loaded at the first use, because few payments are recorded on the list. */
const PayDialog = lazyPart(() => import('../payments/pay-dialog.tsx'))

/**
 * A small button with the next step of a sale in the list. A sale that requires attention, because it lost items, has
 * none: people must look at it first.
 */
export function RowStep({ sale }: { sale: SaleRow }) {
  const [paying, setPaying] = useState(false)
  const [moving, setMoving] = useState(false)
  const step = sale.status === 'Requires Attention' ? undefined : nextStepOf(sale)
  if (!step) return null
  const take = async () => {
    if (step.pays) return setPaying(true)
    if (!(await isWanted(sale, step))) return
    setMoving(true)
    try {
      const body = { status: step.to, updated_at: sale.updated_at }
      await api.post<WriteAnswer<Sale>>(`sale/${sale.id}/edit`, { body })
      void refetchAuth().catch(() => {})
    } catch (error) {
      // A toast has shown the reason. The row is read again.
      if (!(error instanceof ApiError)) throw error
    } finally {
      setMoving(false)
      void invalidate('sale', 'stock', 'batch', 'dashboard')
    }
  }
  return (
    <>
      <button
        type="button"
        className={classes['step']}
        aria-label={`${step.label}: sale #${sale.id}`}
        disabled={moving}
        aria-busy={moving || undefined}
        onClick={() => void take()}
      >
        {step.label}
      </button>
      {paying && (
        <Suspense>
          <FocusBack />
          <PayDialog sale={sale} onClose={() => setPaying(false)} />
        </Suspense>
      )}
    </>
  )
}
