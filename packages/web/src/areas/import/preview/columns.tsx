import { fieldFilledBy, IMPORT_FIELDS, INVERSE_NAMES } from '@backstock/contract/csv-columns.ts'
import type { ColumnTarget, ImportPreview, PreviewChanges, PreviewColumn } from '@backstock/contract/import-preview.ts'
import { Button } from '@mantine/core'
import { memo, useMemo, useState } from 'react'
import { useMadeOnFocus } from '../../../ui/fields/made-on-focus.ts'
import { SearchSelect } from '../../../ui/fields/search-select.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { RowPages, rowsOf } from '../../../ui/table/paged-rows.tsx'
import classes from './preview.module.css'
import { targetLabel } from './target-label.ts'
import { ASKING, lastSaid } from './words.ts'

const LEFT_OUT = ''
const FURTHER = { value: 'further', label: targetLabel('further') }
/** The options of a column's select. A target that holds the opposite of a field stands right below that field. */
const TARGETS = [
  { value: LEFT_OUT, label: targetLabel(null) },
  ...IMPORT_FIELDS.flatMap((field) => [
    field,
    ...INVERSE_NAMES.filter((inverse) => fieldFilledBy(inverse) === field),
  ]).map((value) => ({ value, label: targetLabel(value) })),
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

/** Whether the column of this name had another meaning in an earlier file, and the person has not chosen one since. */
const wasOther = ({ field, how, last }: PreviewColumn) => last !== null && how !== 'chosen' && last.field !== field

/** Whether a person should look at the column before the import. */
export const isAsked = (column: PreviewColumn) => column.how === 'none' || wasOther(column)

/** For example `Columns: 3 of 14 not recognised, 1 meant something else last time`. */
export function columnsTitle({ columns }: Pick<ImportPreview, 'columns'>): string {
  const unknown = columns.filter(({ how }) => how === 'none').length
  const others = columns.filter(wasOther).length
  const all = columns.length.toLocaleString('en')
  const known = unknown > 0 ? `${unknown.toLocaleString('en')} of ${all} not recognised` : `all ${all} are known`
  const before = others && `${others.toLocaleString('en')} meant something else last time`
  return `Columns: ${[known, before].filter(Boolean).join(', ')}`
}

type Row = PreviewColumn & { id: number }
type Props = { columns: readonly PreviewColumn[]; onChange: (changes: PreviewChanges) => void }

/** The meaning of each column of the file. Columns to look at come first. They keep their place after a choice. */
export const PreviewColumns = memo(function PreviewColumns({ columns, onChange }: Props) {
  const [unknown] = useState(() => new Set(columns.filter(isAsked).map(({ column }) => column)))
  const [page, setPage] = useState(1)
  const rows: Row[] = [
    ...columns.filter(({ column }) => unknown.has(column)),
    ...columns.filter(({ column }) => !unknown.has(column)),
  ].map((column) => ({ ...column, id: column.column }))
  const here = rowsOf(rows, page)
  const shown = useMemo(() => tableOf((column, field) => onChange({ mapping: [{ column, field }] })), [onChange])
  return (
    <div id={ASKING.column}>
      <DataTable label="Columns of the file" columns={shown} rows={here.rows} />
      <RowPages {...here} total={rows.length} onPage={setPage} noun="columns" />
    </div>
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
    width: 270,
    cell: (row) => <TargetSelect column={row} onChoose={(field) => onChoose(row.column, field)} />,
  },
  {
    header: 'Recognised',
    width: 170,
    phone: 'end',
    cell: (row) => (
      <span data-unknown={row.how === 'none' || undefined} className={classes['how']}>
        {HOW[row.how]}
        {row.last && row.how === 'remembered' && <span>from {lastSaid(row.last)}</span>}
        {row.last && wasOther(row) && <LastTime last={row.last} onChoose={(field) => onChoose(row.column, field)} />}
      </span>
    ),
  },
]

type LastProps = { last: NonNullable<PreviewColumn['last']>; onChoose: (field: ColumnTarget) => void }

/**
 * A button that gives the column the meaning that it had in an earlier file. It is shown if the column's name now
 * suggests another one.
 */
function LastTime({ last, onChoose }: LastProps) {
  return (
    <Button
      size="compact-xs"
      variant="default"
      title={`Remembered from ${lastSaid(last)}`}
      onClick={() => onChoose(last.field)}
    >
      Last time: {targetLabel(last.field)}
    </Button>
  )
}

type SelectProps = { column: PreviewColumn; onChoose: (field: ColumnTarget) => void }

/**
 * The select for a column's meaning. A file has dozens of columns, so the options are made at focus, and the focus does
 * not open them.
 */
function TargetSelect({ column: { column, name, field }, onChoose }: SelectProps) {
  const { made, make } = useMadeOnFocus()
  return (
    <SearchSelect
      size="xs"
      className={classes['target'] ?? ''}
      aria-label={`What ${name || `column ${column + 1}`} holds`}
      openOnFocus={false}
      comboboxProps={{ keepMounted: made, width: 260 }}
      // A further column is stored under its name, so a column without a name cannot be kept.
      data={name ? [FURTHER, ...TARGETS] : TARGETS}
      value={field ?? LEFT_OUT}
      title={targetLabel(field)}
      // The text is selected, so that the next typed text replaces it and searches.
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
