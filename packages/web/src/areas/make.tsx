import type { Make } from '@backstock/contract/make.ts'
import { nameList } from '../crud/name-list.tsx'
import { TextField } from '../ui/fields/text-field.tsx'

export const make = nameList<Make, { name: string; logo_image: string }>({
  area: 'make',
  title: 'Make',
  empty: { text: 'Makes are the manufacturers of your products, such as Apple or Samsung.' },
  values: (row) => ({ logo_image: row?.logo_image ?? '' }),
  fields: (form) => (
    <TextField
      label="Logo image"
      description="A link, stored for reference only."
      {...form.getInputProps('logo_image')}
    />
  ),
})
