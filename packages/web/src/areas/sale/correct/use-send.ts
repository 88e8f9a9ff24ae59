import type { FieldErrors, WriteAnswer } from '@backstock/contract/answer.ts'
import type { CorrectInput } from '@backstock/contract/document.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { unpricedItems } from '@backstock/contract/why-no-price.ts'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useCallback, useState } from 'react'
import { api } from '../../../api/client.ts'
import { invalidate } from '../../../api/reads.ts'
import { sameKey } from '../../../api/same-key.ts'
import { useSave } from '../../../ui/feedback/use-save.ts'
import { recordPath } from '../../../ui/values/link.tsx'
import { takeOver } from '../sale-record.ts'
import type { SaleCorrection } from './kept-correction.ts'
import { correctedItems } from './lines.ts'

type Answer = WriteAnswer<{ sale: Sale }>
type Sending = { sale: Sale; correction: SaleCorrection; form: RefObject<HTMLElement | null> }

/**
 * Sends the correction of a sale, and keeps what is wrong with it. `wanting` is true if prices that are missing or not
 * valid are to be marked.
 */
export function useSend({ sale, correction, form }: Sending) {
  const navigate = useNavigate()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [message, setMessage] = useState<string | null>(null)
  const [wanting, setWanting] = useState(false)
  const [keyOf] = useState(sameKey)
  const { saving, save, focusTrouble } = useSave({
    form,
    title: 'The sale was not corrected',
    async onRefused(error) {
      // Somebody else may have changed the sale meanwhile, so it is read again.
      if (error.status === 409 || error.errors['items']) await invalidate('sale', 'customer')
      setErrors(error.errors)
      setMessage(error.errors['items'] ? null : error.message)
    },
  })
  const forgetTrouble = useCallback(() => {
    setErrors({})
    setMessage(null)
  }, [])
  const send = async () => {
    const { lines, isTakenOver, sendEmail, finish } = correction
    forgetTrouble()
    const unpriced = lines.filter(({ price }) => price === null)
    setWanting(unpriced.length > 0)
    if (unpriced.length > 0) {
      setErrors({ items: unpricedItems(unpriced) })
      focusTrouble()
      return
    }
    const body: CorrectInput = {
      customer: isTakenOver,
      items: correctedItems(lines),
      send_email: sendEmail,
      updated_at: sale.updated_at,
    }
    await save(async () => {
      const call = { body, idempotent: keyOf(JSON.stringify(body)), tellsTrouble: true }
      const { data } = await api.post<Answer>(`sale/${sale.id}/correct`, call)
      finish()
      await takeOver(data.sale)
      await navigate({ to: recordPath('sale', sale.id), search: { tab: 'summary' } as never })
      void invalidate('document', 'dashboard')
    })
  }
  return { saving, send, errors, message, wanting, forgetTrouble, forgetMessage: () => setMessage(null) }
}
