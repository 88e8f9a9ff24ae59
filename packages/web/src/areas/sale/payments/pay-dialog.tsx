import type { WriteAnswer } from '@backstock/contract/answer.ts'
import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import { MAX_PAYMENT } from '@backstock/contract/payment-state.ts'
import type { Sale, SaleRow } from '@backstock/contract/sale.ts'
import { Alert, Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type FormEvent, useRef, useState } from 'react'
import { api, idempotencyKey } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { invalidate } from '../../../api/reads.ts'
import { DateField } from '../../../ui/fields/date-field.tsx'
import { MoneyInput } from '../../../ui/fields/money-input.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { today } from '../../../ui/fields/today.ts'
import { awaitsDispatch } from '../next-step.tsx'
import { takeOver } from '../sale-record.ts'

type Props = {
  sale: Pick<SaleRow, 'id' | 'status' | 'total_items' | 'open_amount' | 'paid_total'>
  onClose: () => void
}
type Values = { paid_on: string | null; amount: number | null; note: string }

const money = (amount: number) => `${formatMoney(amount)} ${CURRENCY}`

/** The dialog that records a payment of the customer, or a refund to them. It begins with today and the open amount. */
export default function PayDialog({ sale, onClose }: Props) {
  const { id } = sale
  /** The open amount when the dialog opened, because the person has chosen the amount by it. */
  const [open_amount] = useState(sale.open_amount)
  const [isRefund, setRefund] = useState(open_amount < 0)
  const [sending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  /** The idempotency key: a payment that is sent twice counts once. */
  const key = useRef(idempotencyKey())
  const form = useForm<Values>({
    initialValues: { paid_on: today(), amount: Math.abs(open_amount) || null, note: '' },
    validate: {
      paid_on: (day) => (day === null ? 'This field is required.' : null),
      amount: (amount) => (amount ? null : 'Enter an amount.'),
    },
    onValuesChange: () => {
      key.current = idempotencyKey()
    },
  })
  const switchTo = (refund: boolean) => {
    setRefund(refund)
    form.setFieldValue('amount', refund === open_amount < 0 ? Math.abs(open_amount) : null)
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (sending || form.validate().hasErrors || !element.current?.checkValidity()) return
    setSending(true)
    setTrouble(null)
    const { paid_on, amount, note } = form.getValues()
    try {
      const body = { paid_on, amount: isRefund && amount !== null ? -amount : amount, note, open_amount }
      const how = { body, idempotent: key.current, tellsTrouble: true }
      await takeOver((await api.post<WriteAnswer<Sale>>(`sale/${id}/pay`, how)).data)
      void invalidate('customer', 'dashboard')
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!error.isOutage) key.current = idempotencyKey()
      form.setErrors(error.errors)
      if (Object.keys(error.errors).length === 0) setTrouble(error.message)
    } finally {
      setSending(false)
    }
  }
  /** After an error, closing reads the sale again, so that the dialog shows its present state when it opens again. */
  const close = async () => {
    if (trouble) await invalidate('sale')
    onClose()
  }
  const title = titleOf(sale, isRefund)
  return (
    <Modal opened onClose={() => void close()} title={title} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form ref={element} onSubmit={(event) => void send(event)} noValidate>
        <Stack gap="sm">
          {trouble && (
            <Alert color="red" role="alert">
              {trouble}
            </Alert>
          )}
          {sale.paid_total > 0 && (
            <SegmentedControl
              aria-label="Payment or refund"
              value={isRefund ? 'refund' : 'payment'}
              onChange={(way) => switchTo(way === 'refund')}
              data={[
                { value: 'payment', label: 'Payment' },
                { value: 'refund', label: 'Refund' },
              ]}
            />
          )}
          <MoneyInput
            label={isRefund ? 'Amount refunded' : 'Amount received'}
            withAsterisk
            data-autofocus
            max={MAX_PAYMENT}
            {...form.getInputProps('amount')}
          />
          <DateField label="Date" withAsterisk max={today()} {...form.getInputProps('paid_on')} />
          <TextField
            label="Note"
            description="For example how it was paid, or the bank’s reference."
            autoComplete="off"
            {...form.getInputProps('note')}
          />
          <Text size="sm" c="dimmed" aria-live="polite">
            {whatHappens(sale, (isRefund ? -1 : 1) * (form.values.amount ?? 0))}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => void close()}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              {title}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

const isWaiting = ({ status }: Props['sale']) => status === 'New' || status === 'Awaiting Payment'

function titleOf(sale: Props['sale'], isRefund: boolean): string {
  if (isRefund) return 'Record refund'
  return isWaiting(sale) ? 'Mark paid' : 'Record payment'
}

/** The sentence that says what a payment of this amount does; the amount of a refund is negative. */
function whatHappens(sale: Props['sale'], amount: number): string {
  const open = sale.open_amount - amount
  if (amount === 0) return sale.open_amount > 0 ? `${money(sale.open_amount)} is open.` : ''
  if (amount > 0 && open <= 0 && isWaiting(sale))
    return open < 0 ? `${awaitsDispatch(sale)} A refund of ${money(-open)} is due then.` : awaitsDispatch(sale)
  if (open > 0) return `${money(open)} remains open.`
  return open < 0 ? `${money(-open)} is still to be refunded.` : 'Nothing is open after that.'
}
