import { PROFILE_NAMES } from '@backstock/contract/e-invoice-profile.ts'
import { leitwegIdProblem } from '@backstock/contract/leitweg-id.ts'
import { Title } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { ElectronicAddressFields } from '../../widgets/electronic-address.tsx'

const PROFILES = [
  { value: '', label: 'None: the usual XML' },
  ...Object.entries(PROFILE_NAMES).map(([value, label]) => ({ value, label })),
]

export type EInvoiceValues = { e_invoice_profile: string; buyer_reference: string; electronic_address: string }

/** The form of e-invoices that the customer asks for, and the facts about the customer that such an e-invoice names. */
export function EInvoiceFields<Values extends EInvoiceValues>({ form }: { form: UseFormReturnType<Values> }) {
  const field = (name: keyof EInvoiceValues) => form.getInputProps(name as never)
  const doubt = leitwegIdProblem(form.values.buyer_reference.trim())
  return (
    <section>
      <Title order={2} mb="xs">
        E-invoice
      </Title>
      <FieldGrid>
        <Select
          label="Profile"
          description="German authorities want XRechnung. Peppol is for customers in that network."
          data={PROFILES}
          {...field('e_invoice_profile')}
        />
        <TextField
          label="Buyer reference"
          description={doubt ?? 'The text that the customer wants on its invoices, such as a Leitweg-ID.'}
          autoComplete="off"
          {...field('buyer_reference')}
        />
        <ElectronicAddressFields {...field('electronic_address')} />
      </FieldGrid>
    </section>
  )
}
