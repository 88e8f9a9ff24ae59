import type { Partner } from '@backstock/contract/partner.ts'
import { isAdmin } from '../../api/session.ts'
import type { Area, RecordFormOf } from '../../crud/area.ts'
import { useCreateDialog } from '../../crud/use-create-dialog.tsx'
import { FieldGrid } from '../../ui/fields/field-grid.tsx'
import { RemoteSelect } from '../../ui/fields/remote-select.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { idColumn, textColumn } from '../../ui/table/columns.tsx'
import { customer } from '../customer/customer.tsx'
import { namesIn } from '../customer/names-in.ts'
import { PartnerKey } from './partner-key.tsx'

type Values = { name: string; customer_id: number | null }

function PartnerFields({ form }: { form: RecordFormOf<Values> }) {
  const newCustomer = useCreateDialog(customer, namesIn)
  return (
    <FieldGrid>
      <TextField label="Name" withAsterisk {...form.getInputProps('name')} />
      <RemoteSelect
        area="customer"
        label="Customer"
        description="The partner's orders are sold to this customer."
        create={newCustomer.create}
        {...form.getInputProps('customer_id')}
      />
      {newCustomer.dialog}
    </FieldGrid>
  )
}

export const partner: Area<Partner, Values> = {
  area: 'partner',
  title: 'Partner',
  columns: [
    idColumn('partner'),
    textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' }),
    textColumn('Customer', (row) => row.customer_name),
  ],
  mayCreate: isAdmin,
  mayEdit: (_, me) => isAdmin(me),
  empty: { text: 'Partners see your stock and place orders through the API, each with a key of its own.' },
  mayDelete: (_, me) => isAdmin(me),
  values: (row) => ({ name: row?.name ?? '', customer_id: row?.customer_id ?? null }),
  fields: (form) => <PartnerFields form={form} />,
  below: (row) => <PartnerKey partner={row} />,
}
