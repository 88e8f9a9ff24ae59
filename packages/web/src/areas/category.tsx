import type { Category } from '@backstock/contract/category.ts'
import { Switch, TextInput } from '@mantine/core'
import type { Area } from '../crud/area.ts'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import { idColumn, textColumn } from '../ui/table/columns.tsx'

export const category: Area<Category, { name: string; is_reverse_charge_good: boolean }> = {
  area: 'category',
  title: 'Category',
  columns: [idColumn('category'), textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' })],
  empty: { text: 'Categories sort the products, such as phones and tablets.' },
  mayDelete: () => true,
  alsoChanges: ['sale'],
  values: (row) => ({ name: row?.name ?? '', is_reverse_charge_good: row?.is_reverse_charge_good ?? false }),
  fields: (form) => (
    <FieldGrid>
      <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
      <Switch
        label="Phones and the like: reverse charge at home"
        description="Businesses at home buy them without VAT where the law says so."
        mt="md"
        {...form.getInputProps('is_reverse_charge_good', { type: 'checkbox' })}
      />
    </FieldGrid>
  ),
}
