import type { Category } from '@backstock/contract/category.ts'
import { Switch } from '@mantine/core'
import { nameList } from '../crud/name-list.tsx'

export const category = nameList<Category, { name: string; is_reverse_charge_good: boolean }>({
  area: 'category',
  title: 'Category',
  empty: { text: 'Categories sort the products, such as phones and tablets.' },
  alsoChanges: ['sale'],
  values: (row) => ({ is_reverse_charge_good: row?.is_reverse_charge_good ?? false }),
  fields: (form) => (
    <Switch
      label="Phones and the like: domestic reverse charge"
      description="Businesses in your own country buy them without VAT, if the law says so."
      mt="md"
      {...form.getInputProps('is_reverse_charge_good', { type: 'checkbox' })}
    />
  ),
})
