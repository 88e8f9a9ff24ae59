import type { SaleRow } from '@backstock/contract/sale.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import { Button } from '@mantine/core'
import { confirmDialog } from '../../ui/feedback/confirm-dialog.tsx'

type Stepping = Pick<SaleRow, 'id' | 'status' | 'total_items' | 'open_amount'>
/**
 * The next step of a sale. If `pays` is true, a dialog records a payment. Otherwise the status changes, after the
 * `question` if there is one.
 */
export type Step = { label: string; to: SaleStatus; pays?: boolean; question?: (sale: Stepping) => string }

const items = ({ total_items }: Pick<Stepping, 'total_items'>) =>
  total_items === 1 ? '1 item' : `${total_items.toLocaleString('en')} items`

/** The sentence with which a dialog says what happens to a sale that is marked as paid. */
export const awaitsDispatch = (sale: Pick<Stepping, 'id' | 'total_items'>) =>
  `Sale #${sale.id} (${items(sale)}) will then await dispatch.`

const MARK_PAID: Step = { label: 'Mark paid', to: 'Awaiting Dispatch', question: awaitsDispatch }
const NEXT: Partial<Record<SaleStatus, Step>> = {
  New: MARK_PAID,
  'Awaiting Payment': MARK_PAID,
  'Awaiting Dispatch': {
    label: 'Dispatch',
    to: 'Dispatched',
    question: (sale) => {
      const they = sale.total_items === 1 ? 'it' : 'they'
      return `Mark the ${items(sale)} of sale #${sale.id} as dispatched? After that ${they} can only be returned.`
    },
  },
  'Requires Attention': { label: 'Resubmit', to: 'Awaiting Dispatch' },
}

/** The next step of a sale; undefined if there is none. */
export function nextStepOf({ status, open_amount }: Stepping): Step | undefined {
  const step = NEXT[status]
  return step === MARK_PAID && open_amount > 0 ? { ...step, pays: true } : step
}

/** Asks the step's question, if it has one. Returns true if the step shall be taken. */
export const isWanted = async (sale: Stepping, { question, label }: Step) =>
  !question || (await confirmDialog(question(sale), label))

type Props = { sale: Stepping; step: Step; onPay: () => void; onMove: (to: SaleStatus) => void }

/** The button that takes the next step of a sale. */
export function NextStep({ sale, step, onPay, onMove }: Props) {
  const take = async () => {
    if (step.pays) onPay()
    else if (await isWanted(sale, step)) onMove(step.to)
  }
  return <Button onClick={() => void take()}>{step.label}</Button>
}
