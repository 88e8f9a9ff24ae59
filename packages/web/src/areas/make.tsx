import type { Make } from '@backstock/contract/make.ts'
import { TextInput } from '@mantine/core'
import { nameList } from '../crud/name-list.tsx'

export const make = nameList<Make, { name: string; logo_image: string }>({
  area: 'make',
  title: 'Make',
  empty: { text: 'Makes are the manufacturers of your products, such as Apple or Samsung.' },
  values: (row) => ({ logo_image: row?.logo_image ?? '' }),
  fields: (form) => (
    <TextInput
      label="Logo image"
      description="A link, stored for reference only."
      {...form.getInputProps('logo_image')}
    />
  ),
})
