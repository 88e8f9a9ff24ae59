import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import { Alert, Button, Group, Modal, SegmentedControl, Stack, Text } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type FormEvent, useRef, useState } from 'react'
import { ApiError } from '../../api/error.ts'
import { invalidate } from '../../api/reads.ts'
import { DateField } from '../../ui/fields/date-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { sendCheck } from './reads.ts'

type Props = { customerId: number; number: string; today: string; onClose: () => void }
type Values = { checked_on: string | null; is_valid: 'true' | 'false'; reference: string }

/** The dialog in which a person enters what the Commission's page said about a customer's VAT number. */
export default function TypedCheck({ customerId, number, today, onClose }: Props) {
  const [sending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<string | null>(null)
  const element = useRef<HTMLFormElement>(null)
  const form = useForm<Values>({
    initialValues: { checked_on: today, is_valid: 'true', reference: '' },
    validate: { checked_on: (day) => (day === null ? 'This field is required.' : null) },
  })
  const send = async (event: FormEvent) => {
    event.preventDefault()
    // The dialog may stand inside another form, which must not be sent with it.
    event.stopPropagation()
    if (sending || form.validate().hasErrors || !element.current?.checkValidity()) return
    setSending(true)
    setTrouble(null)
    try {
      await sendCheck(customerId, 'vat-check', { vat_number: number, ...form.getValues() }, true)
      onClose()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      form.setErrors(error.errors)
      if (Object.keys(error.errors).length === 0) setTrouble(error.message)
    } finally {
      setSending(false)
    }
  }
  const close = () => {
    // Somebody may have changed the number meanwhile.
    if (trouble) void invalidate('customer')
    onClose()
  }
  return (
    <Modal opened onClose={close} title="Answer of VIES" closeButtonProps={{ 'aria-label': 'Close' }}>
      <form ref={element} onSubmit={(event) => void send(event)} noValidate>
        <Stack gap="sm">
          {trouble && (
            <Alert color="red" role="alert">
              {trouble}
            </Alert>
          )}
          <Text size="sm">The answer of the VIES website about {shownVatNumber(number)}.</Text>
          <SegmentedControl
            aria-label="Answer"
            data={[
              { value: 'true', label: 'Valid' },
              { value: 'false', label: 'Not valid' },
            ]}
            {...form.getInputProps('is_valid')}
          />
          <DateField label="Date" withAsterisk data-autofocus max={today} {...form.getInputProps('checked_on')} />
          <TextField
            label="Reference"
            description="The consultation number. The website shows one if you enter your own VAT number, too."
            autoComplete="off"
            maxLength={100}
            {...form.getInputProps('reference')}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={sending}>
              Save answer
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
