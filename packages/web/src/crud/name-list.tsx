import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import type { Column } from '../ui/table/column.ts'
import { idColumn, textColumn } from '../ui/table/columns.tsx'
import type { Area, RecordFormOf, RecordRow } from './area.ts'

type NamedRow = RecordRow & { name: string }

/** A list of names: an area's columns, values and fields are those that it has besides the name. */
type NameList<Row extends NamedRow, Values extends object> = Omit<
  Area<Row, Values>,
  'columns' | 'values' | 'fields'
> & {
  /** The longest name that the server takes, if it is shorter than texts are otherwise. */
  maxLength?: number
  columns?: readonly Column<Row>[]
  values?: (row: Row | null) => Omit<Values, 'name'>
  fields?: (form: RecordFormOf<Values>, row: Row | null) => ReactNode
}

/** The screens of an area that is a list of names with few fields besides. */
export function nameList<Row extends NamedRow, Values extends { name: string } = { name: string }>({
  maxLength,
  columns = [],
  values,
  fields,
  ...area
}: NameList<Row, Values>): Area<Row, Values> {
  return {
    mayDelete: () => true,
    ...area,
    columns: [
      idColumn<Row>(area.area),
      textColumn<Row>('Name', (row) => row.name, { sort: 'name', phone: 'lead' }),
      ...columns,
    ],
    values: (row) => ({ name: row?.name ?? '', ...values?.(row) }) as Values,
    fields: (form, { row }) => (
      <FieldGrid>
        <TextInput
          label="Name"
          withAsterisk
          {...(maxLength !== undefined && { maxLength })}
          {...form.getInputProps('name')}
        />
        {fields?.(form, row)}
      </FieldGrid>
    ),
  }
}
