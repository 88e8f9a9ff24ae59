import type { Grade } from '@backstock/contract/grade.ts'
import { isAdmin } from '../api/session.ts'
import { nameList } from '../crud/name-list.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import { textColumn } from '../ui/table/columns.tsx'

type Values = { name: string; position: string; description: string }

export const grade = nameList<Grade, Values>({
  area: 'grade',
  title: 'Grade',
  maxLength: 30,
  defaultOrder: 'position_asc',
  columns: [
    textColumn('Description', (row) => row.description, { phone: 'below' }),
    {
      header: 'Position',
      sort: 'position',
      align: 'right',
      width: 112,
      phone: 'below',
      phoneLabel: 'Position',
      cell: (row) => row.position,
    },
  ],
  mayCreate: isAdmin,
  mayEdit: (_, me) => isAdmin(me),
  mayDelete: (_, me) => isAdmin(me),
  empty: { text: 'Grades say how a device looks. These are your own; suppliers may use others.' },
  values: (row) => ({ position: row ? String(row.position) : '', description: row?.description ?? '' }),
  fields: (form, row) => (
    <>
      <TextField
        label="Position"
        description={row ? 'The lowest comes first.' : 'The lowest comes first. If empty, the grade comes last.'}
        inputMode="numeric"
        {...form.getInputProps('position')}
      />
      <TextField label="Description" {...form.getInputProps('description')} />
    </>
  ),
})
