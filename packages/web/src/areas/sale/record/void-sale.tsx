import type { WriteAnswer } from '@backstock/contract/answer.ts'
import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import type { Sale } from '@backstock/contract/sale.ts'
import { Alert, Button, Group, Text } from '@mantine/core'
import { api } from '../../../api/client.ts'
import { confirmDialog } from '../../../ui/feedback/confirm-dialog.tsx'
import { voidNote } from '../sale-papers.ts'
import { useSaleWrites } from '../sale-record.ts'

/**
 * The button that voids a paid sale before its dispatch. No change of its status can do that. A dialog asks, and names
 * the effects.
 */
export function VoidSale({ sale }: { sale: Sale }) {
  const { id, paid_total, updated_at } = sale
  const { running, run } = useSaleWrites(id)
  const voidSale = async () => {
    const question = `All items of sale #${id} go back into stock. A voided sale stays voided.`
    const money = paid_total > 0 && `${formatMoney(paid_total)} ${CURRENCY} was paid and is to be refunded.`
    const note = [voidNote(sale), money].filter(Boolean).join(' ')
    if (!(await confirmDialog(question, 'Void', { note: note || undefined }))) return
    const call = () => api.post<WriteAnswer<Sale>>(`sale/${id}/cancel`, { body: { updated_at } })
    await run('cancel', call, 'stock', 'batch', 'customer', 'dashboard')
  }
  return (
    <Group gap="sm" mt="md">
      <Text size="sm">Has the sale fallen through before dispatch?</Text>
      <Button size="compact-sm" variant="default" loading={running !== null} onClick={() => void voidSale()}>
        Void sale
      </Button>
    </Group>
  )
}

/** The alert about the money that the shop owes the customer of a voided sale. */
export function MoneyToGiveBack({ sale, onPay }: { sale: Sale; onPay: () => void }) {
  const owed = `${formatMoney(-sale.open_amount)} ${CURRENCY}`
  return (
    <Alert color="orange" mb="md">
      The customer has paid for this sale, and it is voided: {owed} is to be refunded. Send the money back, then record
      the refund here.
      <Button size="compact-sm" variant="default" mt="xs" display="block" onClick={onPay}>
        Record refund
      </Button>
    </Alert>
  )
}
