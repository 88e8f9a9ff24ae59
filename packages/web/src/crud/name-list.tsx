import type { ReactNode } from 'react'
import { FieldGrid } from '../ui/fields/field-grid.tsx'
import { TextField } from '../ui/fields/text-field.tsx'
import type { Column } from '../ui/table/column.ts'
import { idColumn, textColumn } from '../ui/table/columns.tsx'
import type { Area, RecordFormOf, RecordRow } from './area.ts'

type NamedRow = RecordRow & { name: string }

/**
 * The description of an area whose records have a name and little else. `columns`, `values` and `fields` are those
 * besides the name.
 */
type NameList<Row extends NamedRow, Values extends object> = Omit<
  Area<Row, Values>,
  'columns' | 'values' | 'fields'
> & {
  /** The longest name that the server accepts, if that is less than for other texts. */
  maxLength?: number
  columns?: readonly Column<Row>[]
  values?: (row: Row | null) => Omit<Values, 'name'>
  fields?: (form: RecordFormOf<Values>, row: Row | null) => ReactNode
}

/** The screens of an area whose records have a name and few other fields. */
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
        <TextField
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
