import type { Partner } from '@backstock/contract/partner.ts'
import { TextInput } from '@mantine/core'
import { isAdmin } from '../../api/session.ts'
import type { Area } from '../../crud/area.ts'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { RemoteSelect } from '../../ui/fields/remote-select.tsx'
import { idColumn, textColumn } from '../../ui/table/columns.tsx'
import { PartnerKey } from './partner-key.tsx'

export const partner: Area<Partner, { name: string; customer_id: number | null }> = {
  area: 'partner',
  title: 'Partner',
  columns: [
    idColumn('partner'),
    textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' }),
    textColumn('Customer', (row) => row.customer_name),
  ],
  mayCreate: isAdmin,
  mayEdit: (_, me) => isAdmin(me),
  empty: { text: 'Partners read your stock and order through the API, each with a key of its own.' },
  mayDelete: (_, me) => isAdmin(me),
  values: (row) => ({ name: row?.name ?? '', customer_id: row?.customer_id ?? null }),
  fields: (form) => (
    <FieldGrid>
      <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
      <RemoteSelect
        area="customer"
        label="Customer"
        description="The partner's orders are sold to this customer."
        {...form.getInputProps('customer_id')}
      />
    </FieldGrid>
  ),
  below: (row) => <PartnerKey partner={row} />,
}
