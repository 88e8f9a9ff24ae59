import { columnLabel, INVERSE_LABELS } from '@backstock/contract/column-label.ts'
import { fieldFilledBy, IMPORT_FIELDS, INVERSE_NAMES } from '@backstock/contract/csv-columns.ts'
import type { ColumnTarget, ImportPreview, PreviewChanges, PreviewColumn } from '@backstock/contract/import-preview.ts'
import { memo, useMemo, useState } from 'react'
import { useMadeOnFocus } from '../../ui/made-on-focus.ts'
import { SearchSelect } from '../../ui/search-select.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { RowPages, rowsOf } from '../../ui/table/paged-rows.tsx'
import classes from './preview.module.css'

const LEFT_OUT = ''
const FURTHER = { value: 'further', label: 'Kept as a further column' }
/** The opposite of a field stands right below it. */
const TARGETS = [
  { value: LEFT_OUT, label: 'Left out' },
  ...IMPORT_FIELDS.flatMap((field) => [
    { value: field, label: columnLabel(field) },
    ...INVERSE_NAMES.filter((inverse) => fieldFilledBy(inverse) === field).map((inverse) => ({
      value: inverse,
      label: INVERSE_LABELS[inverse],
    })),
  ]),
]
const KNOWN = [...IMPORT_FIELDS, ...INVERSE_NAMES]

const HOW: Record<PreviewColumn['how'], string> = {
  remembered: 'Remembered',
  name: 'By its name',
  alias: 'By another name',
  values: 'By its values',
  chosen: 'Chosen',
  none: 'Not recognised',
}

/** `Columns: 3 of 14 not recognised` */
export function columnsTitle({ columns }: Pick<ImportPreview, 'columns'>): string {
  const unknown = columns.filter(({ how }) => how === 'none').length
  const all = columns.length.toLocaleString('en')
  return unknown > 0
    ? `Columns: ${unknown.toLocaleString('en')} of ${all} not recognised`
    : `Columns: all ${all} are known`
}

type Row = PreviewColumn & { id: number }
type Props = { columns: readonly PreviewColumn[]; onChange: (changes: PreviewChanges) => void }

/** What each column of the file holds. Unknown ones come first, and stay where they are once they are known. */
export const PreviewColumns = memo(function PreviewColumns({ columns, onChange }: Props) {
  const [unknown] = useState(() => new Set(columns.filter(({ how }) => how === 'none').map(({ column }) => column)))
  const [page, setPage] = useState(1)
  const rows: Row[] = [
    ...columns.filter(({ column }) => unknown.has(column)),
    ...columns.filter(({ column }) => !unknown.has(column)),
  ].map((column) => ({ ...column, id: column.column }))
  const here = rowsOf(rows, page)
  const shown = useMemo(() => tableOf((column, field) => onChange({ mapping: [{ column, field }] })), [onChange])
  return (
    <>
      <DataTable label="Columns of the file" columns={shown} rows={here.rows} />
      <RowPages {...here} total={rows.length} onPage={setPage} noun="columns" />
    </>
  )
})

const tableOf = (onChoose: (column: number, field: ColumnTarget) => void): Column<Row>[] => [
  {
    header: 'Column',
    phone: 'lead',
    cell: ({ column, name }) => (
      <span className={classes['name']} title={name}>
        {name || `Column ${column + 1}`}
      </span>
    ),
  },
  {
    header: 'As the file has it',
    cell: ({ samples }) => (
      <span className={classes['samples']} title={samples.join('\n')}>
        {samples.map((sample) => (
          <span key={sample}>{sample}</span>
        ))}
      </span>
    ),
  },
  {
    header: 'What it holds',
    width: 250,
    cell: (row) => <TargetSelect column={row} onChoose={(field) => onChoose(row.column, field)} />,
  },
  {
    header: 'Recognised',
    width: 130,
    phone: 'end',
    cell: ({ how }) => (
      <span data-unknown={how === 'none' || undefined} className={classes['how']}>
        {HOW[how]}
      </span>
    ),
  },
]

type SelectProps = { column: PreviewColumn; onChoose: (field: ColumnTarget) => void }

/** There are dozens of them: their options are made with the focus, which does not open them yet. */
function TargetSelect({ column: { column, name, field }, onChoose }: SelectProps) {
  const { made, make } = useMadeOnFocus()
  return (
    <SearchSelect
      size="xs"
      className={classes['target'] ?? ''}
      aria-label={`What ${name || `column ${column + 1}`} holds`}
      openOnFocus={false}
      comboboxProps={{ keepMounted: made, width: 240 }}
      // What is kept is kept under its name.
      data={name ? [FURTHER, ...TARGETS] : TARGETS}
      allowDeselect={false}
      value={field ?? LEFT_OUT}
      // What is typed next looks for another one.
      onFocus={(event) => {
        make()
        event.currentTarget.select()
      }}
      onClick={(event) => event.currentTarget.select()}
      onChange={(chosen) => {
        if (chosen === null) return
        onChoose(chosen === 'further' ? chosen : (KNOWN.find((known) => known === chosen) ?? null))
      }}
    />
  )
}
