import { MAX_CLAIM } from '@backstock/contract/claim-state.ts'
import type { SupplierClaim } from '@backstock/contract/supplier-claim.ts'
import { Textarea } from '@mantine/core'
import { createNamed } from '../../api/create-named.ts'
import type { RecordArea } from '../../crud/area.ts'
import { DateField } from '../../ui/fields/date-field.tsx'
import { MoneyInput } from '../../ui/fields/money-input.tsx'
import { RemoteSelect } from '../../ui/fields/remote-select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'

type Values = {
  supplier_id: number | null
  reference: string
  note: string
  credit_expected: number | null
  credit_received: number | null
  settled_on: string | null
}

const hasEnded = (claim: SupplierClaim | null) => claim?.state === 'settled' || claim?.state === 'refused'

const hasItemCredits = (claim: SupplierClaim | null) => claim?.items.some((item) => item.credit !== null) ?? false

/** The form with the fields of a claim, without its items. */
export const claimDetails: RecordArea<SupplierClaim, Values> = {
  area: 'supplier-claim',
  title: 'Supplier claim',
  values: (row) => ({
    supplier_id: row?.supplier_id ?? null,
    reference: row?.reference ?? '',
    note: row?.note ?? '',
    credit_expected: row?.credit_expected ?? null,
    credit_received: row?.credit_received ?? null,
    settled_on: row?.settled_on ?? null,
  }),
  fields: (form, { row }) => (
    <>
      <RemoteSelect
        area="supplier"
        label="Supplier"
        create={createNamed('supplier')}
        required
        disabled={row !== null && row.items_count > 0}
        description={row && row.items_count > 0 ? 'Its items come from this supplier.' : undefined}
        {...form.getInputProps('supplier_id')}
      />
      <TextField
        label="Reference"
        description="The supplier’s number for the return, if there is one."
        autoComplete="off"
        {...form.getInputProps('reference')}
      />
      <MoneyInput
        label="Credit expected"
        description="Only if it differs from the purchase prices."
        max={MAX_CLAIM}
        disabled={hasEnded(row)}
        {...form.getInputProps('credit_expected')}
      />
      {hasEnded(row) && (
        <>
          <MoneyInput
            label="Credit received"
            withAsterisk
            description={hasItemCredits(row) && 'The sum of its items’ credits.'}
            max={MAX_CLAIM}
            disabled={row?.state === 'refused' || hasItemCredits(row)}
            {...form.getInputProps('credit_received')}
          />
          <DateField label="Settled on" withAsterisk {...form.getInputProps('settled_on')} />
        </>
      )}
      <Textarea label="Note" maxLength={10_000} autosize minRows={2} maxRows={10} {...form.getInputProps('note')} />
    </>
  ),
}
