import type { WriteAnswer } from '@backstock/contract/answer.ts'
import { CURRENCY, formatMoney } from '@backstock/contract/money.ts'
import type { Sale, SaleItem } from '@backstock/contract/sale.ts'
import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type FormEvent, useRef, useState } from 'react'
import { api, idempotencyKey } from '../../../api/client.ts'
import { ApiError } from '../../../api/error.ts'
import { invalidate } from '../../../api/reads.ts'
import { MoneyInput } from '../../../ui/fields/money-input.tsx'
import { allowanceNote, pricedLine } from '../sale-papers.ts'
import { takeOver } from '../sale-record.ts'

type Props = { sale: Sale; item: SaleItem; onClose: () => void }
type Values = { price: number | null; send_email: boolean }

const money = (amount: number) => `${formatMoney(amount)} ${CURRENCY}`

/**
 * The dialog that gives a customer a part of the price back, while they keep the item. It shows the effect on the
 * invoice.
 */
export default function AllowDialog({ sale, item, onClose }: Props) {
  const { price: left, treatment, rate } = pricedLine(item)
  /** As it was when the dialog opened, because the person has chosen the amount by what they saw then. */
  const [updated_at] = useState(sale.updated_at)
  const [sending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  /** The idempotency key: an allowance that is sent twice counts once. */
  const key = useRef(idempotencyKey())
  const form = useForm<Values>({
    initialValues: { price: null, send_email: false },
    validate: { price: (price) => (price ? null : 'Enter an amount.') },
    onValuesChange: () => {
      key.current = idempotencyKey()
    },
  })
  const { price } = form.values
  const note = price ? allowanceNote(sale, item.stock_id, price) : undefined
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (sending || form.validate().hasErrors || !element.current?.checkValidity()) return
    setSending(true)
    setTrouble(null)
    const { price, send_email } = form.getValues()
    const body = { items: [{ id: item.stock_id, price }], send_email, updated_at }
    try {
      const how = { body, idempotent: key.current, tellsTrouble: true }
      await takeOver((await api.post<WriteAnswer<Sale>>(`sale/${sale.id}/allow`, how)).data)
      void invalidate('customer', 'dashboard')
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (!error.isOutage) key.current = idempotencyKey()
      const { items, ...others } = error.errors
      form.setErrors({ ...others, ...(items && { price: items }) })
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
  const vat = treatment !== 'standard' || rate === 0 ? '' : sale.prices_include_vat ? ', incl. VAT' : ', excl. VAT'
  return (
    <Modal
      opened
      onClose={() => void close()}
      title={`Allowance for item #${item.stock_id}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form ref={element} onSubmit={(event) => void send(event)} noValidate>
        <Stack gap="sm">
          {trouble && (
            <Alert color="red" role="alert">
              {trouble}
            </Alert>
          )}
          <Text size="sm">
            The customer keeps {item.product_name} and gets a part of its price back. If it comes back to you, record a
            return instead.
          </Text>
          <MoneyInput
            label={`Amount of the allowance${vat}`}
            description={`At most ${money(left)}.`}
            withAsterisk
            data-autofocus
            max={left}
            {...form.getInputProps('price')}
          />
          {note && (
            <Checkbox
              label="Send the credit note by email"
              {...form.getInputProps('send_email', { type: 'checkbox' })}
            />
          )}
          <Text size="sm" c="dimmed" aria-live="polite">
            {note}
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => void close()}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              Give allowance
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
