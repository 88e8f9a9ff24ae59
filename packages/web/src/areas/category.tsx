import type { Category } from '@backstock/contract/category.ts'
import { TextInput } from '@mantine/core'
import type { Area } from '../crud/area.ts'
import { FieldGrid } from '../ui/field-grid.tsx'
import { idColumn, textColumn } from '../ui/table/columns.tsx'

export const category: Area<Category, { name: string }> = {
  area: 'category',
  title: 'Category',
  columns: [idColumn('category'), textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' })],
  empty: { text: 'Categories sort the products, such as phones and tablets.' },
  mayDelete: () => true,
  values: (row) => ({ name: row?.name ?? '' }),
  fields: (form) => (
    <FieldGrid>
      <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
    </FieldGrid>
  ),
}
