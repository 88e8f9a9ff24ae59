import { type ClaimEnd, MAX_CLAIM } from '@backstock/contract/claim-state.ts'
import type { SupplierClaim } from '@backstock/contract/supplier-claim.ts'
import { Modal, Stack, Switch } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import type { RecordArea, RecordFormOf } from '../../crud/area.ts'
import { RecordForm } from '../../crud/record-form.tsx'
import { askToLeave } from '../../ui/feedback/leave-guard.ts'
import { DateField } from '../../ui/fields/date-field.tsx'
import { MoneyInput } from '../../ui/fields/money-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { today } from '../../ui/fields/today.ts'
import type { Credits } from './claim-items.tsx'

type Values = {
  state: ClaimEnd
  credit_received: number | null
  settled_on: string | null
  reference: string
  items_back: boolean
}

const ENDS: { value: ClaimEnd; label: string }[] = [
  { value: 'settled', label: 'Settled: the supplier has credited it' },
  { value: 'refused', label: 'Refused: the supplier credits nothing' },
]

type Props = {
  claim: SupplierClaim
  /** The typed supplier credits by item. */
  credits: Credits
  /** The items that the supplier has sent back. */
  back: ReadonlySet<number>
  opened: boolean
  onClose: () => void
  onSettled: () => void
}

/** The dialog that says how a claim ended: credited as a whole, credited item by item, or refused. */
export function SettleDialog({ claim, credits, back, opened, onClose, onSettled }: Props) {
  const unsaved = useRef(false)
  const [asking, setAsking] = useState(false)
  const area = useMemo(() => settleArea(claim, credits, back), [claim, credits, back])
  const close = async () => {
    setAsking(true)
    if (!unsaved.current || (await askToLeave())) onClose()
    setAsking(false)
  }
  return (
    <Modal
      opened={opened}
      onClose={() => void close()}
      // While the question about unsaved text is open, Escape closes the question and not this dialog.
      closeOnEscape={!asking}
      trapFocus={!asking}
      closeOnClickOutside={!asking}
      title={`Settle supplier claim #${claim.id}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <RecordForm
        area={area}
        row={null}
        saveLabel="Settle"
        onUnsaved={(now) => {
          unsaved.current = now
        }}
        onSaved={onSettled}
      />
    </Modal>
  )
}

/** How the end of a claim is filled in and saved: as a whole, or item by item if single credits were typed. */
export function settleArea(
  claim: SupplierClaim,
  credits: Credits,
  back: ReadonlySet<number>,
): RecordArea<SupplierClaim, Values> {
  const sum = [...credits.values()].reduce((all, credit) => all + credit, 0)
  return {
    area: 'supplier-claim',
    title: 'Supplier claim',
    save: `supplier-claim/${claim.id}/settle`,
    alsoChanges: ['stock'],
    values: () => ({
      state: 'settled',
      credit_received: credits.size > 0 ? sum : (claim.credit_expected ?? claim.total_cost),
      settled_on: today(),
      reference: claim.reference ?? '',
      items_back: false,
    }),
    input: ({ state, credit_received, ...values }) => {
      const isSettled = state === 'settled'
      const ids = new Set([...back, ...(isSettled ? credits.keys() : [])])
      const items = [...ids].map((id) => ({ id, credit: isSettled ? credits.get(id) : null, is_back: back.has(id) }))
      return { ...values, state, items, ...(isSettled && { credit_received }) }
    },
    fields: (form) => <Fields form={form} byItem={credits.size > 0} items={claim.items_count} back={back.size} />,
  }
}

type FieldsProps = { form: RecordFormOf<Values>; byItem: boolean; items: number; back: number }

function Fields({ form, byItem, items, back }: FieldsProps) {
  return (
    <Stack gap="sm">
      <Select label="How it ended" data={ENDS} {...form.getInputProps('state')} />
      {form.values.state === 'settled' && (
        <MoneyInput
          label="Credit received"
          withAsterisk
          description={byItem ? 'The sum of the credits that you typed for single items.' : undefined}
          disabled={byItem}
          max={MAX_CLAIM}
          {...form.getInputProps('credit_received')}
        />
      )}
      <DateField label="Date" withAsterisk max={today()} {...form.getInputProps('settled_on')} />
      <TextField label="Reference" autoComplete="off" {...form.getInputProps('reference')} />
      <Switch
        label="All items come back into stock"
        description={
          back > 0
            ? `If this is off, only the ${back.toLocaleString('en')} of ${items.toLocaleString('en')} items that you ticked come back.`
            : 'If this is off, they stay with the supplier.'
        }
        {...form.getInputProps('items_back', { type: 'checkbox' })}
      />
    </Stack>
  )
}
