import type { Supplier } from '@backstock/contract/supplier.ts'
import { TextInput } from '@mantine/core'
import type { Area } from '../crud/area.ts'
import { FieldGrid } from '../ui/field-grid.tsx'
import { idColumn, textColumn } from '../ui/table/columns.tsx'
import { RecordLogs } from '../widgets/record-logs.tsx'

type Values = {
  company_name: string
  first_name: string
  last_name: string
  email_address: string
  phone_number: string
}

export const supplier: Area<Supplier, Values> = {
  area: 'supplier',
  title: 'Supplier',
  columns: [
    idColumn('supplier'),
    textColumn('Company name', (row) => row.company_name, { sort: 'company_name', phone: 'lead' }),
    textColumn('First name', (row) => row.first_name, { sort: 'first_name' }),
    textColumn('Last name', (row) => row.last_name, { sort: 'last_name' }),
    textColumn('Email address', (row) => row.email_address, { sort: 'email_address' }),
    textColumn('Phone number', (row) => row.phone_number),
  ],
  empty: { text: 'Suppliers are who you buy from.' },
  mayDelete: () => true,
  values: (row) => ({
    company_name: row?.company_name ?? '',
    first_name: row?.first_name ?? '',
    last_name: row?.last_name ?? '',
    email_address: row?.email_address ?? '',
    phone_number: row?.phone_number ?? '',
  }),
  fields: (form) => (
    <FieldGrid>
      <TextInput label="Company name" withAsterisk {...form.getInputProps('company_name')} />
      <TextInput label="First name" {...form.getInputProps('first_name')} />
      <TextInput label="Last name" {...form.getInputProps('last_name')} />
      <TextInput label="Email address" type="email" {...form.getInputProps('email_address')} />
      <TextInput label="Phone number" type="tel" {...form.getInputProps('phone_number')} />
    </FieldGrid>
  ),
  below: (row) => <RecordLogs logs={row.logs} />,
}
