import type { Product } from '@backstock/contract/product.ts'
import { CAPACITY_UNITS, type CapacityUnit, capacityText } from '@backstock/contract/product-name.ts'
import { Group, Switch } from '@mantine/core'
import { createNamed } from '../api/create-named.ts'
import type { Area } from '../crud/area.ts'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import { RemoteSelect } from '../ui/fields/remote-select.tsx'
import { Select } from '../ui/fields/select.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { idColumn, textColumn } from '../ui/table/columns.tsx'
import { RecordLogs } from '../widgets/record-logs.tsx'

type Values = {
  make_id: number | null
  model: string
  capacity: string
  capacity_unit: CapacityUnit | null
  colour_id: number | null
  category_id: number | null
  image_url: string
  active: boolean
}

export const product: Area<Product, Values> = {
  area: 'product',
  title: 'Product',
  columns: [
    idColumn('product'),
    textColumn('Make', (row) => row.make.name, { phone: 'lead' }),
    textColumn('Model', (row) => row.model, { sort: 'model', phone: 'lead' }),
    { header: 'Capacity', cell: (row) => capacityText(row.capacity, row.capacity_unit) },
    textColumn('Colour', (row) => row.colour?.name ?? null),
    textColumn('Category', (row) => row.category.name),
  ],
  empty: {
    text: 'A product is a make, a model, a capacity and a colour. An import adds the products that are missing.',
  },
  mayDelete: () => true,
  alsoChanges: ['stock'],
  values: (row) => ({
    make_id: row?.make_id ?? null,
    model: row?.model ?? '',
    capacity: row?.capacity?.toString() ?? '',
    capacity_unit: row?.capacity_unit ?? null,
    colour_id: row?.colour_id ?? null,
    category_id: row?.category_id ?? null,
    image_url: row?.image_url ?? '',
    active: row?.active ?? true,
  }),
  fields: (form) => (
    <FieldGrid>
      <RemoteSelect area="make" label="Make" create={createNamed('make')} required {...form.getInputProps('make_id')} />
      <TextField label="Model" withAsterisk {...form.getInputProps('model')} />
      <Group align="start" grow wrap="nowrap">
        <TextField label="Capacity" inputMode="numeric" {...form.getInputProps('capacity')} />
        <Select label="Capacity unit" data={[...CAPACITY_UNITS]} clearable {...form.getInputProps('capacity_unit')} />
      </Group>
      <RemoteSelect area="colour" label="Colour" create={createNamed('colour')} {...form.getInputProps('colour_id')} />
      <RemoteSelect
        area="category"
        label="Category"
        create={createNamed('category')}
        required
        {...form.getInputProps('category_id')}
      />
      <TextField
        label="Image URL"
        description="A link, stored for reference only."
        {...form.getInputProps('image_url')}
      />
      <Switch label="Active" mt="md" {...form.getInputProps('active', { type: 'checkbox' })} />
    </FieldGrid>
  ),
  below: (row) => <RecordLogs logs={row.logs} />,
}
