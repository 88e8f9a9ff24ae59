import type { Sale } from '@backstock/contract/sale.ts'
import type { SaleStatus } from '@backstock/contract/sale-status.ts'
import { Button } from '@mantine/core'
import { confirmDialog } from '../../ui/confirm-dialog.tsx'

type Step = { label: string; to: SaleStatus; question?: (sale: Sale) => string }

const items = ({ total_items }: Sale) => (total_items === 1 ? '1 item' : `${total_items.toLocaleString('en')} items`)

const MARK_PAID: Step = {
  label: 'Mark paid',
  to: 'Awaiting Dispatch',
  question: (sale) => `Sale #${sale.id} (${items(sale)}) awaits dispatch from then on, and can no longer be voided.`,
}
const NEXT: Partial<Record<SaleStatus, Step>> = {
  New: MARK_PAID,
  'Awaiting Payment': MARK_PAID,
  'Awaiting Dispatch': {
    label: 'Dispatch',
    to: 'Dispatched',
    question: (sale) => `${items(sale)} of sale #${sale.id} leave the house. From then on they can only be returned.`,
  },
  'Requires Attention': { label: 'Resubmit', to: 'Awaiting Dispatch' },
}

/** What is to be done next with a sale; undefined where it has come to its end. */
export const nextStepOf = ({ status }: Sale) => NEXT[status]

/** The button for it. */
export function NextStep({ sale, step, onMove }: { sale: Sale; step: Step; onMove: (to: SaleStatus) => void }) {
  const take = async () => {
    if (!step.question || (await confirmDialog(step.question(sale), step.label))) onMove(step.to)
  }
  return <Button onClick={() => void take()}>{step.label}</Button>
}
