import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { Sale, SaleRow } from '@backstock/contract/sale.ts'
import { lazy, Suspense, useState } from 'react'
import { api } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { invalidate } from '../../../api/reads.ts'
import { refetchAuth } from '../../../api/session.ts'
import { FocusBack } from '../../../ui/layout/focus-back.tsx'
import { isWanted, nextStepOf } from '../next-step.tsx'
import classes from '../payments/payment.module.css'

/** Few rows are paid on the list, so it is fetched by the first of them. */
const PayDialog = lazy(() => import('../payments/pay-dialog.tsx'))

/** The next step of a sale of the list, as a small button. If a sale lost items, its step is to look at it. */
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
      // A toast has said why; the row is read again.
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
