import type { Grade } from '@backstock/contract/grade.ts'
import { TextInput } from '@mantine/core'
import { isAdmin } from '../api/session.ts'
import type { Area } from '../crud/area.ts'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import { idColumn, textColumn } from '../ui/table/columns.tsx'

type Values = { name: string; position: string; description: string }

export const grade: Area<Grade, Values> = {
  area: 'grade',
  title: 'Grade',
  defaultOrder: 'position_asc',
  columns: [
    idColumn('grade'),
    textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' }),
    textColumn('Description', (row) => row.description, { phone: 'below' }),
    { header: 'Position', sort: 'position', align: 'right', width: 112, phone: 'end', cell: (row) => row.position },
  ],
  mayCreate: isAdmin,
  mayEdit: (_, me) => isAdmin(me),
  empty: { text: 'Grades say how a device looks. Suppliers have theirs, and these are yours.' },
  mayDelete: (_, me) => isAdmin(me),
  values: (row) => ({
    name: row?.name ?? '',
    position: row ? String(row.position) : '',
    description: row?.description ?? '',
  }),
  fields: (form, { row }) => (
    <FieldGrid>
      <TextInput label="Name" withAsterisk maxLength={30} {...form.getInputProps('name')} />
      <TextInput
        label="Position"
        description={row ? 'The lowest comes first.' : 'The lowest comes first. Left out: after all others.'}
        inputMode="numeric"
        {...form.getInputProps('position')}
      />
      <TextInput label="Description" {...form.getInputProps('description')} />
    </FieldGrid>
  ),
}
