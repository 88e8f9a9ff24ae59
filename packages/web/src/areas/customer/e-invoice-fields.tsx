import { PROFILE_NAMES } from '@backstock/contract/e-invoice-profile.ts'
import { leitwegIdProblem } from '@backstock/contract/leitweg-id.ts'
import { TextInput, Title } from '@mantine/core'
import type { RecordFormOf } from '../../crud/area.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { ElectronicAddressFields } from '../../widgets/electronic-address.tsx'
import type { CustomerValues } from './customer.tsx'

const PROFILES = [
  { value: '', label: 'None: XML as everybody gets it' },
  ...Object.entries(PROFILE_NAMES).map(([value, label]) => ({ value, label })),
]

/** The form of e-invoices that the customer asks for, and the facts about the customer that such an e-invoice names. */
export function EInvoiceFields({ form }: { form: RecordFormOf<CustomerValues> }) {
  const { buyer_reference } = form.values
  return (
    <section>
      <Title order={2} mb="xs">
        E-invoice
      </Title>
      <FieldGrid>
        <Select
          label="Profile"
          description="German authorities want XRechnung; Peppol is a network."
          data={PROFILES}
          {...form.getInputProps('e_invoice_profile')}
        />
        <TextInput
          label="Buyer reference"
          description={
            leitwegIdProblem(buyer_reference.trim()) ?? 'What the customer wants to read, such as a Leitweg-ID.'
          }
          autoComplete="off"
          {...form.getInputProps('buyer_reference')}
        />
        <ElectronicAddressFields {...form.getInputProps('electronic_address')} />
      </FieldGrid>
    </section>
  )
}
