import type { Make } from '@backstock/contract/make.ts'
import { TextInput } from '@mantine/core'
import type { Area } from '../crud/area.ts'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import { idColumn, textColumn } from '../ui/table/columns.tsx'

export const make: Area<Make, { name: string; logo_image: string }> = {
  area: 'make',
  title: 'Make',
  columns: [idColumn('make'), textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' })],
  empty: { text: 'Makes are the manufacturers of your products, such as Apple or Samsung.' },
  mayDelete: () => true,
  values: (row) => ({ name: row?.name ?? '', logo_image: row?.logo_image ?? '' }),
  fields: (form) => (
    <FieldGrid>
      <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
      <TextInput label="Logo image" description="An address, kept as a note." {...form.getInputProps('logo_image')} />
    </FieldGrid>
  ),
}
