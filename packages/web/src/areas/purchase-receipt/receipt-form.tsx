import type { InvoiceLanguage } from '@backstock/contract/invoice-language.ts'
import type { ReceiptProposal } from '@backstock/contract/purchase-receipt.ts'
import {
  IDENTITY_NAMES,
  type IdentityKind,
  MAX_IDENTITY_END,
  RECEIPT_PAYMENT_NAMES,
  type ReceiptPayment,
} from '@backstock/contract/receipt-kind.ts'
import { Stack, Text } from '@mantine/core'
import type { RecordArea, RecordRow } from '../../crud/area.ts'
import { DateField } from '../../ui/fields/date-field.tsx'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { AddressFields, type AddressValues } from '../../widgets/address-fields.tsx'
import { LANGUAGES } from '../../widgets/language-choices.ts'
import { VatNumberField } from '../../widgets/number-fields.tsx'

type Values = {
  seller: AddressValues & {
    name: string
    vat_number: string
    identity_kind: IdentityKind | ''
    identity_end: string
  }
  bought_on: string | null
  paid_by: ReceiptPayment | ''
  lang: InvoiceLanguage
}

const choices = (names: Record<string, string>, none: string) => [
  { value: '', label: none },
  ...Object.entries(names).map(([value, label]) => ({ value, label })),
]
const IDENTITIES = choices(IDENTITY_NAMES, 'Not recorded')
const PAYMENTS = choices(RECEIPT_PAYMENT_NAMES, 'Not recorded')

/** The form of a new receipt: the seller, and how the purchase went. Its lines are those of the proposal. */
export const receiptForm = (proposal: ReceiptProposal): RecordArea<RecordRow, Values> => ({
  area: 'purchase-receipt',
  title: 'Purchase receipt',
  about: proposal.lines.map(({ stock_id }) => stock_id).join(),
  alsoChanges: ['stock', 'supplier'],
  values: () => ({
    seller: { ...proposal.seller, identity_kind: '', identity_end: '' },
    bought_on: proposal.bought_on,
    paid_by: '',
    lang: proposal.lang,
  }),
  input: (values) => ({
    ...values,
    seller: { ...values.seller, identity_end: values.seller.identity_kind && values.seller.identity_end },
    items: proposal.lines.map(({ stock_id }) => stock_id),
    token: proposal.token,
  }),
  fields: (form) => (
    <Stack gap="md">
      <Panel>
        <Stack gap="md">
          <FieldGrid>
            <TextField label="Seller’s name" withAsterisk autoComplete="off" {...form.getInputProps('seller.name')} />
            {proposal.kind === 'self_billed' && (
              <VatNumberField country={form.values.seller.country_code} {...form.getInputProps('seller.vat_number')} />
            )}
          </FieldGrid>
          <AddressFields form={form} path="seller" isRequired />
          {proposal.kind === 'private' && (
            <div>
              <FieldGrid>
                <Select label="Identity document" data={IDENTITIES} {...form.getInputProps('seller.identity_kind')} />
                <TextField
                  label={`Last ${MAX_IDENTITY_END} characters of its number`}
                  autoComplete="off"
                  maxLength={MAX_IDENTITY_END}
                  disabled={form.values.seller.identity_kind === ''}
                  {...form.getInputProps('seller.identity_end')}
                />
              </FieldGrid>
              <Text size="sm" c="dimmed" mt="xs">
                Record an identity document only if your country’s law or your own rules against theft ask for it. The
                whole number is never kept.
              </Text>
            </div>
          )}
        </Stack>
      </Panel>
      <Panel>
        <FieldGrid>
          <DateField label="Date of purchase" withAsterisk {...form.getInputProps('bought_on')} />
          <Select label="Payment method" data={PAYMENTS} {...form.getInputProps('paid_by')} />
          <Select label="Language of the receipt" data={LANGUAGES} {...form.getInputProps('lang')} />
        </FieldGrid>
      </Panel>
    </Stack>
  ),
})
