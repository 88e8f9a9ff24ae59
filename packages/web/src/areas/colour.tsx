import type { Colour } from '@backstock/contract/colour.ts'
import { TextInput } from '@mantine/core'
import type { Area } from '../crud/area.ts'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import { idColumn, textColumn } from '../ui/table/columns.tsx'

export const colour: Area<Colour, { name: string }> = {
  area: 'colour',
  title: 'Colour',
  columns: [idColumn('colour'), textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' })],
  empty: { text: 'Colours are those that products come in.' },
  mayDelete: () => true,
  values: (row) => ({ name: row?.name ?? '' }),
  fields: (form) => (
    <FieldGrid>
      <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
    </FieldGrid>
  ),
}
