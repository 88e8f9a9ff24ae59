import type { WriteAnswer } from '@backstock/contract/answer.ts'
import type { CustomerReturn } from '@backstock/contract/customer-return.ts'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'
import { confirmDialog } from '../../ui/feedback/confirm-dialog.tsx'
import { useLeaveGuard } from '../../ui/feedback/leave-guard.ts'
import { recordPath } from '../../ui/values/link.tsx'
import type { Buyer } from './found-lines.ts'
import type { FoundLine } from './found-table.tsx'
import { questionOfNew } from './questions.ts'

/** Received at once, or announced and received later. */
export type How = 'receive' | 'announce'

type NewReturn = {
  coming: readonly FoundLine[]
  buyer: Buyer | undefined
  note: string
  email: boolean
  /** The number of items that need another return. */
  others: number
}

type Storing = {
  draft: NewReturn
  /** Asks before the person leaves. */
  unsaved: boolean
  onDone: () => void
  /** Shows a price that must be corrected first. Returns false if there is none. */
  mustMend: () => boolean
}

/** Stores a return, received or announced, and opens its screen. A repeated attempt does not store it twice. */
export function useStoreReturn({ draft, unsaved, onDone, mustMend }: Storing) {
  const { coming, buyer, note, email } = draft
  const navigate = useNavigate()
  const [saving, setSaving] = useState<How | null>(null)
  const [trouble, setTrouble] = useState<string | null>(null)
  const busy = useRef(false)
  const allowLeave = useLeaveGuard(unsaved)
  const save = async (how: How) => {
    if (busy.current || !buyer || mustMend()) return
    busy.current = true
    const received = how === 'receive'
    if (received && !(await confirmDialog(questionOfNew({ ...draft, buyer }), 'Receive', { isUsual: true }))) {
      busy.current = false
      return
    }
    setSaving(how)
    setTrouble(null)
    try {
      const items = coming.map(({ id, sale, reason, condition, outcome, price, sold_price }) => ({
        ...{ id, sale_id: sale?.id, reason, condition, outcome },
        price: price === sold_price ? null : price,
      }))
      const body = { customer_id: buyer.id, note, items, received, send_email: received && email }
      const { data } = await api.post<WriteAnswer<CustomerReturn>>('return/create', { body, tellsTrouble: true })
      void invalidate('return', 'sale', ...(received ? ['stock', 'batch', 'dashboard'] : []))
      onDone()
      allowLeave()
      await navigate({ to: recordPath('return', data.id) })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      setTrouble(error.message)
      void invalidate('return')
    } finally {
      busy.current = false
      setSaving(null)
    }
  }
  return { saving, trouble, save }
}
