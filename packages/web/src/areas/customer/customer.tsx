import type { Customer } from '@backstock/contract/customer.ts'
import { shownVatNumber } from '@backstock/contract/party-numbers.ts'
import { Button, Group, Stack, Title } from '@mantine/core'
import { isAdmin, type Me } from '../../api/session.ts'
import type { Area, RecordFormOf } from '../../crud/area.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Sections } from '../../ui/layout/section.tsx'
import { LogTimeline } from '../../ui/log/log-timeline.tsx'
import { idColumn, textColumn } from '../../ui/table/columns.tsx'
import { AddressFields, type AddressValues, addressInput, addressValues } from '../../widgets/address-fields.tsx'
import { LANGUAGE_CHOICES } from '../../widgets/language-choices.ts'
import { VatNumberField } from '../../widgets/number-fields.tsx'
import { VatChecks } from '../vat-check/checks.tsx'
import classes from './customer.module.css'
import { CustomerBalance, OpenCell } from './customer-balance.tsx'
import { CustomerSales } from './customer-sales.tsx'
import { EInvoiceFields, type EInvoiceValues } from './e-invoice-fields.tsx'

export type CustomerValues = {
  first_name: string
  last_name: string
  email: string
  phone: string
  company_name: string
  vat_number: string
  registration: string
  lang: string
  payment_days: string
  debtor_number: string
  delivery_address: AddressValues
  billing_address: AddressValues
} & EInvoiceValues

const KINDS = [
  { path: 'delivery_address', title: 'Delivery address', other: 'billing_address', copy: 'Copy from billing address' },
  { path: 'billing_address', title: 'Billing address', other: 'delivery_address', copy: 'Copy from delivery address' },
] as const

const DEBTOR_NUMBER =
  "The customer's account in the accountant’s program. Given automatically if a range is set under DATEV."

function CustomerFields({ form, me }: { form: RecordFormOf<CustomerValues>; me: Me }) {
  const maySetNumber = isAdmin(me)
  const { billing_address, delivery_address } = form.values
  const country = billing_address.country_code ?? delivery_address.country_code
  return (
    <Stack gap="lg">
      <FieldGrid>
        <TextField label="First name" withAsterisk {...form.getInputProps('first_name')} />
        <TextField label="Last name" withAsterisk {...form.getInputProps('last_name')} />
        <TextField label="Email" type="email" withAsterisk {...form.getInputProps('email')} />
        <TextField label="Phone" type="tel" {...form.getInputProps('phone')} />
        <TextField label="Company" {...form.getInputProps('company_name')} />
        <VatNumberField description="Shown on invoices." country={country} {...form.getInputProps('vat_number')} />
        <TextField
          label="Registration number"
          description="In its country's register of companies."
          {...form.getInputProps('registration')}
        />
        <Select label="Language of invoices" data={LANGUAGE_CHOICES} {...form.getInputProps('lang')} />
        <TextField
          label="Payment days"
          description="Days from the invoice's date until it is due. If empty, the payment days of your own company apply."
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('payment_days')}
        />
        <TextField
          label="Debtor number"
          description={maySetNumber ? DEBTOR_NUMBER : `${DEBTOR_NUMBER} Only administrators change it.`}
          readOnly={!maySetNumber}
          inputMode="numeric"
          autoComplete="off"
          {...form.getInputProps('debtor_number')}
        />
      </FieldGrid>
      {KINDS.map(({ path, title, other, copy }) => (
        <section key={path}>
          <Group justify="space-between" mb="xs">
            <Title order={2}>{title}</Title>
            <Button
              size="xs"
              variant="default"
              disabled={addressInput(form.values[other]) === null}
              onClick={() => form.setValues((now) => ({ ...now, [path]: { ...form.getValues()[other] } }))}
            >
              {copy}
            </Button>
          </Group>
          <AddressFields form={form} path={path} />
        </section>
      ))}
      <EInvoiceFields form={form} />
    </Stack>
  )
}

export const customer: Area<Customer, CustomerValues> = {
  area: 'customer',
  title: 'Customer',
  columns: [
    idColumn('customer'),
    textColumn('Full name', (row) => row.full_name, { sort: 'full_name', phone: 'lead' }),
    textColumn('Email', (row) => row.email, { sort: 'email', phone: 'hidden' }),
    {
      header: 'Phone',
      isDetail: true,
      cell: ({ phone }) => phone && <span className={classes['phone']}>{phone}</span>,
    },
    textColumn('Company', (row) => row.company_name, { sort: 'company_name' }),
    { header: 'Open', align: 'right', cell: (row) => <OpenCell customer={row} /> },
  ],
  empty: { text: 'The people and businesses that you sell to. You can also add one while you make a sale.' },
  mayDelete: () => true,
  alsoChanges: ['sale'],
  values: (row) => ({
    first_name: row?.first_name ?? '',
    last_name: row?.last_name ?? '',
    email: row?.email ?? '',
    phone: row?.phone ?? '',
    company_name: row?.company_name ?? '',
    vat_number: shownVatNumber(row?.vat_number ?? ''),
    registration: row?.registration ?? '',
    lang: row?.lang ?? '',
    payment_days: row?.payment_days?.toString() ?? '',
    debtor_number: row?.debtor_number?.toString() ?? '',
    e_invoice_profile: row?.e_invoice_profile ?? '',
    buyer_reference: row?.buyer_reference ?? '',
    electronic_address: row?.electronic_address ?? '',
    delivery_address: addressValues(row?.delivery_address),
    billing_address: addressValues(row?.billing_address),
  }),
  input: (values) => ({
    ...values,
    delivery_address: addressInput(values.delivery_address),
    billing_address: addressInput(values.billing_address),
  }),
  fields: (form, { me }) => <CustomerFields form={form} me={me} />,
  below: (row) => (
    <Sections
      items={[
        { name: 'payments', title: 'Payments', content: <CustomerBalance customer={row} /> },
        {
          name: 'vat-checks',
          title: 'VAT number',
          content: <VatChecks customerId={row.id} number={row.vat_number} />,
        },
        { name: 'sales', title: 'Sales', content: <CustomerSales customerId={row.id} /> },
        { name: 'logs', title: 'Logs', content: <LogTimeline logs={row.logs ?? []} /> },
      ]}
      open={['payments', 'vat-checks', 'sales']}
    />
  ),
}
