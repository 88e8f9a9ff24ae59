import type { Vat } from '@backstock/contract/vat.ts'
import { TextInput } from '@mantine/core'
import { isAdmin } from '../api/session.ts'
import type { Area } from '../crud/area.ts'
import { FieldGrid } from '../ui/field-grid.tsx'
import { idColumn, textColumn } from '../ui/table/columns.tsx'

export const vat: Area<Vat, { name: string; rate: string }> = {
  area: 'vat',
  title: 'VAT',
  columns: [
    idColumn('vat'),
    textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' }),
    { header: 'Rate', sort: 'rate', align: 'right', phone: 'end', cell: (row) => `${row.rate}%` },
  ],
  mayCreate: isAdmin,
  mayEdit: (_, me) => isAdmin(me),
  empty: { text: 'VAT rates are what is added to the price of an item.' },
  mayDelete: (_, me) => isAdmin(me),
  values: (row) => ({ name: row?.name ?? '', rate: row ? String(row.rate) : '' }),
  fields: (form) => (
    <FieldGrid>
      <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
      <TextInput label="Rate" withAsterisk inputMode="decimal" rightSection="%" {...form.getInputProps('rate')} />
    </FieldGrid>
  ),
}
