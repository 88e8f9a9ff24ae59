import { attributeTitle } from '@backstock/contract/attribute-name.ts'
import { columnLabel } from '@backstock/contract/column-label.ts'
import { fieldFilledBy, type ImportField } from '@backstock/contract/csv-columns.ts'
import { inField } from '@backstock/contract/failed-rows.ts'
import type {
  FailureReason,
  ImportPreview,
  PreviewColumn,
  PreviewRow,
  RowKind,
  Settles,
} from '@backstock/contract/import-preview.ts'
import { Anchor, Button, Checkbox, Tabs, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { PageBar, useLastPage } from '../../../crud/list-bar.tsx'
import { useListState } from '../../../crud/use-list-state.ts'
import { ErrorState } from '../../../ui/feedback/error-state.tsx'
import { Panel } from '../../../ui/layout/panel.tsx'
import { PHONE } from '../../../ui/layout/phone.ts'
import { ChangeLine } from '../../../ui/log/change-line.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { textColumn } from '../../../ui/table/columns.tsx'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { RowLink, recordPath } from '../../../ui/values/link.tsx'
import { MendedCell } from './cell.tsx'
import { newItemColumns, newProduct } from './new.tsx'
import classes from './preview.module.css'
import { previewRows } from './preview.ts'
import { Reading } from './reading.tsx'
import { ASKING, count, inRow, NAMES } from './words.ts'

/** The tabs. Rows that a person must look at come first. */
const KINDS = [
  { value: 'failed', label: 'Failed', empty: 'Every row can be imported.' },
  { value: 'new', label: 'New', empty: 'No row makes a new item.' },
  { value: 'updated', label: 'Updated', empty: 'No row changes an item that is in stock.' },
  { value: 'unchanged', label: 'Unchanged', empty: 'No row leaves an item unchanged.' },
] as const satisfies { value: RowKind; label: string; empty: string }[]
const LIST = { filters: [{ name: 'rows', label: 'Rows', options: [...KINDS] }] }

type Props = { plan: ImportPreview; isPlanning: boolean; onCheck: () => void; below: ReactNode }

/**
 * Only this many rows are shown at first, so that the decisions below them stay in sight. A click shows all other rows.
 */
const AT_FIRST = 5

/**
 * The planned result of each row, in pages. While the server makes another plan, the rows of the last one stay. `below`
 * is drawn once the first rows are there, because they would push it down. The links of the reasons lead there, so they
 * are disabled until then.
 */
export function PreviewRows({ plan, isPlanning, onCheck, below }: Props) {
  const [state, change] = useListState(LIST)
  const [asked] = state.chosen['rows'] ?? []
  const { value: kind, empty } =
    KINDS.find(({ value }) => value === asked) ?? KINDS.find(({ value }) => plan.counts[value] > 0) ?? KINDS[0]
  const isMade = plan.state === 'previewed'
  const found = useQuery({ ...previewRows(plan, { kind, page: state.page, per_page: state.perPage }), enabled: isMade })
  const data = found.data
  // After a change of tabs the old rows are still there. Rows of another kind have other columns, so they are not
  // shown.
  const rows = data?.data.every((row) => row.kind === kind) ? data.data : undefined
  const [isWhole, setWhole] = useState(state.page > 1)
  const more = isWhole ? 0 : Math.max(0, (data?.total ?? 0) - AT_FIRST)
  // Once `below` is drawn, it stays: a person may be typing in it while another plan is made.
  const [wasReady, setReady] = useState(false)
  const isReady = wasReady || data !== undefined || found.isError || !isMade
  if (isReady && !wasReady) setReady(true)
  // Reasons stand above the rows, and nobody knows them before the first plan.
  const [wasMade, setMade] = useState(isMade)
  if (isMade && !wasMade) setMade(true)
  useLastPage({ state, onChange: change }, found.isPlaceholderData || !isMade ? undefined : data?.last_page)
  return (
    <>
      {wasMade ? (
        <Panel p={0} data-above>
          <Tabs
            value={kind}
            onChange={(chosen) => change({ chosen: { rows: chosen ? [chosen] : [] } })}
            keepMountedMode="display-none"
          >
            <Tabs.List className={classes['tabs'] ?? ''}>
              {KINDS.map(({ value, label }) => (
                <Tabs.Tab key={value} value={value}>
                  {label} ({plan.counts[value].toLocaleString('en')})
                </Tabs.Tab>
              ))}
            </Tabs.List>
            {KINDS.map(({ value }) => (
              <Tabs.Panel key={value} value={value}>
                {value === kind &&
                  (found.isError && !data ? (
                    <ErrorState error={found.error} retry={() => void found.refetch()} />
                  ) : (
                    <>
                      {kind === 'failed' && <Reasons plan={plan} isReady={isReady} />}
                      <RowTable
                        {...{ kind, columns: plan.columns, dimmed: isPlanning || found.isPlaceholderData, onCheck }}
                        expected={plan.counts[kind]}
                        rows={isWhole ? rows : rows?.slice(0, AT_FIRST)}
                        empty={empty}
                      />
                      {rows && more > 0 && (
                        <Button variant="subtle" size="xs" m="xs" onClick={() => setWhole(true)}>
                          Show {count(more, 'more row')}
                        </Button>
                      )}
                      {isWhole && data && data.last_page > 1 && (
                        <PageBar state={state} onChange={change} lastPage={data.last_page} />
                      )}
                    </>
                  ))}
              </Tabs.Panel>
            ))}
          </Tabs>
        </Panel>
      ) : (
        <Reading plan={plan} isTall />
      )}
      {isReady && below}
    </>
  )
}

/** The words of a link and the id of its target; `of` is the kind of a name if the target is the list of names. */
type WayOut = { say: string; to: string; of?: string }

/**
 * Scrolls to a field and focuses it. If the id belongs to a part of the screen, its first field or button gets the
 * focus; in the list of names, that of the first name of this kind.
 */
function goTo({ to, of }: WayOut): void {
  const part = document.getElementById(to)
  const line = (of !== undefined && part?.querySelector(`[data-field="${of}"]`)) || part
  const field = part?.matches('input') ? part : line?.querySelector<HTMLElement>('button:enabled, input:enabled')
  field?.scrollIntoView({ block: 'center' })
  field?.focus({ preventScroll: true })
  // The list of a select opens at once.
  if (part?.matches('input[role="combobox"], input[aria-haspopup="listbox"]')) part.click()
}

const SETTLED_BY: Readonly<Record<Settles, string>> = {
  dates: 'Choose how dates are written',
  decimal: 'Choose how amounts are written',
  rate: 'Enter the exchange rate',
  update: 'Tick ‘Update existing items’',
  several: 'Choose what these rows are',
  category: 'Choose a category',
  make: 'Choose a make',
  price: 'Enter a price for these rows',
  column: 'Choose its column',
}

/** The link behind a reason; null if no field on this screen settles it. */
function wayOut({ field, asks }: FailureReason, unknown: ImportPreview['unknown']): WayOut | null {
  const isAsked = (one: string) => unknown.some((name) => name.field === one)
  // The make depends on the model, and the product may depend on the beginning of the IMEI. `NAMES` is the id of the
  // part that asks for both.
  if (asks === 'make' && isAsked('make_of_model'))
    return { to: NAMES, of: 'make_of_model', say: 'Choose each model’s make' }
  if (asks !== 'column' && (field === 'make' || field === 'model') && unknown.some(({ is_tac }) => is_tac))
    return { to: NAMES, of: 'product', say: 'Choose the product' }
  if (asks) return { to: ASKING[asks], say: SETTLED_BY[asks] }
  return isAsked(field) ? { to: NAMES, of: field, say: 'Choose what it means' } : null
}

/** Only this many reasons are shown at first, so that the rows below them stay in sight. A click shows all others. */
const REASONS_AT_FIRST = { desk: 5, phone: 1 }

/** Why rows fail, for example `41 rows: Supplier: There is no supplier called Foxway AB.` */
function Reasons({ plan: { reasons, unknown }, isReady }: { plan: ImportPreview; isReady: boolean }) {
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const [isWhole, setWhole] = useState(false)
  if (reasons.length === 0) return null
  const first = reasons.slice(0, REASONS_AT_FIRST[isPhone ? 'phone' : 'desk'])
  return (
    <ul className={classes['reasons']} aria-label="Why rows fail">
      {(isWhole ? reasons : first).map((reason) => {
        const { field, message, rows, first_row } = reason
        const out = wayOut(reason, unknown)
        return (
          <li key={`${field} ${message}`}>
            <b>{count(rows, 'row')}:</b> {inField(field, message)}{' '}
            <Text span c="dimmed" inherit>
              {rows === 1 ? `Row ${first_row.toLocaleString('en')}` : `First in row ${first_row.toLocaleString('en')}`}
            </Text>
            {out && (
              <Anchor
                component="button"
                type="button"
                inherit
                underline="always"
                ml={6}
                disabled={!isReady}
                onClick={() => goTo(out)}
              >
                {out.say}
              </Anchor>
            )}
          </li>
        )
      })}
      {reasons.length > first.length && (
        <li>
          <Anchor
            component="button"
            type="button"
            inherit
            underline="always"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {isWhole ? 'Show fewer reasons' : `Show ${count(reasons.length - first.length, 'more reason')}`}
          </Anchor>
        </li>
      )}
    </ul>
  )
}

type Row = Omit<PreviewRow, 'id'> & { id: number; item: number | null }

type TableProps = {
  kind: RowKind
  columns: readonly PreviewColumn[]
  rows: readonly PreviewRow[] | undefined
  /** The number of rows that will come, for what stands above them. */
  expected: number
  dimmed: boolean
  empty: string
  onCheck: () => void
}

const NO_ROWS: readonly PreviewRow[] = []

function RowTable({ kind, columns, rows, expected, dimmed, empty, onCheck }: TableProps) {
  const [whole, setWhole] = useState(false)
  const wrong = [...new Set((rows ?? NO_ROWS).flatMap(({ errors }) => Object.keys(errors)))].sort().join()
  const shown = useMemo(() => {
    if (kind === 'updated') return [ROW, ITEM, PRODUCT, CHANGES]
    if (kind === 'unchanged') return [ROW, ITEM, PRODUCT, ...cellsOf(columns, IDENTIFIERS)]
    if (kind === 'new') return [ROW, NEW_PRODUCT, ...newItemColumns(rows ?? NO_ROWS)]
    const wanted = wrong.split(',')
    const mended = columns.filter(
      ({ field }) => whole || wanted.includes(fieldFilledBy(field) ?? '') || isIdentifying(field),
    )
    return [ROW_AT_END, ERRORS, ...mended.map(mendedColumn)]
  }, [kind, columns, rows, wrong, whole])
  const drawn = useMemo(() => rows?.map((row): Row => ({ ...row, id: row.row, item: row.id })), [rows])
  const keyDown = (event: KeyboardEvent) => {
    if (kind !== 'failed' || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    onCheck()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: key presses come from the cells inside
    <div onKeyDown={keyDown}>
      {kind === 'failed' && (rows?.length ?? expected) > 0 && (
        <div className={classes['mend']}>
          <Text size="sm" c="dimmed" visibleFrom="xs">
            Correct cells here: Enter moves down, Ctrl Enter checks your corrections.
          </Text>
          <Checkbox label="All columns" checked={whole} onChange={(event) => setWhole(event.currentTarget.checked)} />
        </div>
      )}
      <DataTable
        label={KINDS.find(({ value }) => value === kind)?.label ?? ''}
        columns={shown}
        rows={drawn}
        dimmed={dimmed && rows !== undefined}
        empty={
          <Text size="sm" mt={4}>
            {empty}
          </Text>
        }
      />
    </div>
  )
}

const IDENTIFIERS: readonly ImportField[] = ['backstock_id', 'imei', 'serial_number']
const isIdentifier = (field: PreviewColumn['field']) => IDENTIFIERS.some((known) => known === field)
const isIdentifying = (field: PreviewColumn['field']) => field === 'make' || field === 'model' || isIdentifier(field)

const ROW: Column<Row> = {
  header: 'Row',
  width: 64,
  phone: 'lead',
  cell: ({ row, of_row }) => (
    <span className={classes['row']}>
      {(of_row ?? row).toLocaleString('en')}
      {of_row !== null && <span className={classes['ofRow']}>next IMEI</span>}
    </span>
  ),
}
/** On a phone the reason stands in the first line, so that a failed row takes no line for its number. */
const ROW_AT_END: Column<Row> = { ...ROW, phone: 'end' }
const ITEM: Column<Row> = {
  header: 'Item',
  width: 80,
  phone: 'end',
  cell: ({ item }) => item !== null && <RowLink to={recordPath('stock', item)}>#{item}</RowLink>,
}
const PRODUCT = textColumn<Row>('Product', ({ product }) => product, { phone: 'lead' })
const NEW_PRODUCT: Column<Row> = { header: 'Product', phone: 'lead', cell: newProduct }
const CHANGES: Column<Row> = {
  header: 'Changes',
  cell: ({ changes }) => (
    <ul className={classes['changes']}>
      {changes.map((change) => (
        <ChangeLine key={change.attributeName} change={change} />
      ))}
    </ul>
  ),
}
const ERRORS: Column<Row> = {
  header: 'What is wrong',
  phone: 'lead',
  cell: ({ errors }) => (
    <ul className={classes['errors']}>
      {Object.entries(errors).map(([field, message]) => (
        <li key={field}>{inRow(field, message)}</li>
      ))}
    </ul>
  ),
}

/** Table columns for these fields, with the values as the file has them. */
const cellsOf = (columns: readonly PreviewColumn[], fields: readonly ImportField[]): Column<Row>[] =>
  fields.flatMap((field) => {
    const found = columns.find((column) => column.field === field)
    return found ? [textColumn<Row>(columnLabel(field), ({ cells }) => cells[found.column] ?? '')] : []
  })

const mendedColumn = ({ column, name, field }: PreviewColumn): Column<Row> => ({
  header: name || attributeTitle(`column ${column + 1}`),
  cell: ({ row, cells, errors }) => (
    <MendedCell
      row={row}
      column={column}
      name={name || `Column ${column + 1}`}
      was={cells[column] ?? ''}
      isWrong={(fieldFilledBy(field) ?? '') in errors}
      isIdentifier={isIdentifier(field)}
    />
  ),
})
