import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import type { ReceiptKind } from '@backstock/contract/receipt-kind.ts'
import type { Supplier } from '@backstock/contract/supplier.ts'
import type { PurchaseTreatment } from '@backstock/contract/treatment.ts'
import type { Area } from '../crud/area.ts'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import { SearchSelect } from '../ui/fields/search-select.tsx'
import { Select } from '../ui/fields/select.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { idColumn, textColumn } from '../ui/table/columns.tsx'
import { TextLink } from '../ui/values/link.tsx'
import { COUNTRY_CHOICES } from '../widgets/address-fields.tsx'
import { VatNumberField } from '../widgets/number-fields.tsx'
import { PURCHASE_CHOICES } from '../widgets/purchase-choices.ts'
import { RecordLogs } from '../widgets/record-logs.tsx'

type Values = {
  company_name: string
  first_name: string
  last_name: string
  email_address: string
  phone_number: string
  vat_number: string
  country_code: string | null
  default_purchase_treatment: PurchaseTreatment
  receipt_kind: ReceiptKind | ''
}

const RECEIPT_CHOICES: { value: ReceiptKind | ''; label: string }[] = [
  { value: '', label: 'The supplier' },
  { value: 'private', label: 'You, for a private person' },
  { value: 'self_billed', label: 'You, for a self-billed dealer' },
]

export const supplier: Area<Supplier, Values> = {
  area: 'supplier',
  title: 'Supplier',
  columns: [
    idColumn('supplier'),
    textColumn('Company name', (row) => row.company_name, { sort: 'company_name', phone: 'lead' }),
    textColumn('First name', (row) => row.first_name, { sort: 'first_name' }),
    textColumn('Last name', (row) => row.last_name, { sort: 'last_name' }),
    textColumn('Email address', (row) => row.email_address, { sort: 'email_address', phone: 'hidden' }),
    textColumn('Phone number', (row) => row.phone_number, { isLine: true }),
  ],
  empty: { text: 'The people and businesses that you buy from.' },
  mayDelete: () => true,
  values: (row) => ({
    company_name: row?.company_name ?? '',
    first_name: row?.first_name ?? '',
    last_name: row?.last_name ?? '',
    email_address: row?.email_address ?? '',
    phone_number: row?.phone_number ?? '',
    vat_number: shownVatNumber(row?.vat_number ?? ''),
    country_code: row?.country_code ?? null,
    default_purchase_treatment: row?.default_purchase_treatment ?? 'unknown',
    receipt_kind: row?.receipt_kind ?? '',
  }),
  fields: (form) => (
    <FieldGrid>
      <TextField label="Company name" withAsterisk {...form.getInputProps('company_name')} />
      <TextField label="First name" {...form.getInputProps('first_name')} />
      <TextField label="Last name" {...form.getInputProps('last_name')} />
      <TextField label="Email address" type="email" {...form.getInputProps('email_address')} />
      <TextField label="Phone number" type="tel" {...form.getInputProps('phone_number')} />
      <VatNumberField country={form.values.country_code} {...form.getInputProps('vat_number')} />
      <SearchSelect label="Country" data={COUNTRY_CHOICES} clearable {...form.getInputProps('country_code')} />
      <Select
        label="Items are bought under"
        description="New items of this supplier start with this value."
        data={PURCHASE_CHOICES}
        {...form.getInputProps('default_purchase_treatment')}
      />
      <Select
        label="Who issues the purchase document"
        description="If you issue it, you can make purchase receipts for goods bought under the margin scheme without an invoice."
        data={RECEIPT_CHOICES}
        {...form.getInputProps('receipt_kind')}
      />
    </FieldGrid>
  ),
  below: (row) => (
    <>
      <Panel>
        <TextLink to="/admin/supplier-claim" search={{ supplier_id: row.id }} size="sm">
          Supplier claims: what went back to {row.company_name}
        </TextLink>
        {row.receipt_kind && (
          <TextLink to="/admin/purchase-receipt" search={{ supplier_id: row.id }} size="sm" display="block" mt={6}>
            Purchase receipts: what was bought from {row.company_name} without an invoice
          </TextLink>
        )}
      </Panel>
      <RecordLogs logs={row.logs} />
    </>
  ),
}
