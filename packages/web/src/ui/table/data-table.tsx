import { Skeleton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconSelector from '@tabler/icons-react/dist/esm/icons/IconSelector.mjs'
import { type CSSProperties, memo, type ReactNode, useCallback, useLayoutEffect, useRef } from 'react'
import { PHONE } from '../layout/phone.ts'
import type { Column, ListRow } from './column.ts'
import classes from './data-table.module.css'
import { ROOMIEST, useFitWidth } from './fit-width.ts'
import { usePassFocusOn } from './pass-focus-on.ts'
import { useRowSlices } from './row-slices.ts'

/**
 * The ticks of rows. The caller keeps the ticks (the basket, a selection); the table only shows them and reports
 * clicks.
 */
export type Ticks<Row> = {
  isTicked: (row: Row) => boolean
  onTick: (rows: Row[], on: boolean) => void
  /** Rows whose tick cannot be changed. */
  isFixed?: (row: Row) => boolean
}

export type TableProps<Row extends ListRow> = {
  /** Define the list outside of components: if the array is a new one, all rows are drawn again. */
  columns: readonly Column<Row>[]
  /** Undefined while the rows load: the table then shows a skeleton of 10 rows. */
  rows: readonly Row[] | undefined
  label: string
  /** `rows` are those of the last request, and the new ones are loading. */
  dimmed?: boolean
  order?: string
  onOrder?: (order: string) => void
  ticks?: Ticks<Row> | undefined
  /** Returns the reason why a row is locked, or null if it is not. */
  lockedReason?: ((row: Row) => string | null) | undefined
  /** Follows 'No results found.' in an empty table. It says what belongs in the table and how to begin. */
  empty?: ReactNode
}

const SORT = `mantine-focus-auto ${classes['sort']}`
const SKELETON_ROWS = Array.from({ length: 10 }, (_, index) => index)

/** Rows as a table; on a phone each row has two lines. Rows are memoised, so a tick draws one row of 250 again. */
export function DataTable<Row extends ListRow>(props: TableProps<Row>) {
  const { columns, rows, ticks, lockedReason, dimmed = false } = props
  const phone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false })
  const latest = useRef(ticks)
  useLayoutEffect(() => {
    latest.current = ticks
  })
  const onTick = useCallback((row: Row, on: boolean) => latest.current?.onTick([row], on), [])
  const Line = phone ? PhoneRow : TableRow
  const drawn = useRowSlices(rows)
  const rest = (rows?.length ?? 0) - drawn
  // The colSpan of 'No results found.'. If it were larger than the number of columns, the browser would make the
  // columns narrow.
  const width = phone ? 1 : columns.length + (ticks ? 1 : 0)
  const passFocusOn = usePassFocusOn()
  useFitWidth(passFocusOn.ref, columns, rows === undefined)

  return (
    <div className={classes['frame']}>
      <div className={classes['place']} {...ROOMIEST}>
        <table
          {...passFocusOn}
          className={classes['table']}
          aria-label={props.label}
          aria-busy={dimmed || rows === undefined}
          data-dimmed={dimmed || undefined}
          data-phone={phone || undefined}
        >
          {(!phone || ticks) && <Head {...props} phone={phone ?? false} />}
          <tbody>
            {rows === undefined &&
              SKELETON_ROWS.map((row) =>
                phone ? (
                  <PhoneSkeleton key={row} ticks={ticks !== undefined} />
                ) : (
                  <SkeletonRow
                    key={row}
                    row={row}
                    columns={columns as readonly Column<ListRow>[]}
                    ticks={ticks !== undefined}
                  />
                ),
              )}
            {rows?.slice(0, drawn).map((row) => (
              <Line
                key={row.id}
                row={row}
                columns={columns as readonly Column<ListRow>[]}
                locked={lockedReason?.(row) ?? null}
                ticked={ticks ? ticks.isTicked(row) : null}
                fixed={ticks?.isFixed?.(row) ?? false}
                onTick={onTick as (row: ListRow, on: boolean) => void}
              />
            ))}
            {rest > 0 && (
              <tr aria-hidden style={{ height: rest * (phone ? 72 : 38) }}>
                <td colSpan={width} />
              </tr>
            )}
            {rows?.length === 0 && (
              <tr className={classes['empty']}>
                <td colSpan={width} data-explained={Boolean(props.empty) || undefined}>
                  <span>No results found.</span>
                  {props.empty}
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** A grey bar in each column while the rows load. */
function SkeletonRow({ row, columns, ticks }: { row: number; columns: readonly Column<ListRow>[]; ticks: boolean }) {
  return (
    <tr>
      {ticks && (
        <td className={classes['tick']}>
          <Skeleton height={16} width={16} />
        </td>
      )}
      {columns.map(({ header, align, isDetail }) => (
        <td key={header} data-align={align} data-detail={isDetail}>
          <Skeleton height={12} width={align ? '60%' : `${85 - ((row * 17) % 35)}%`} {...(align && { ml: 'auto' })} />
        </td>
      ))}
    </tr>
  )
}

function PhoneSkeleton({ ticks }: { ticks: boolean }) {
  return (
    <tr>
      <td className={classes['phone']}>
        {ticks && <Skeleton height={20} width={20} />}
        <div className={classes['lines']}>
          <div className={classes['first']}>
            <Skeleton height={12} width="55%" my={4} />
            <Skeleton height={12} width={70} />
          </div>
          <Skeleton height={12} width="75%" mt={8} />
        </div>
      </td>
    </tr>
  )
}

/** The column's width if the table has room enough. */
const roomy = (width: number | undefined) => ({ '--width': width ? `${width}px` : 'auto' }) as CSSProperties

function Head<Row extends ListRow>({
  columns,
  rows,
  ticks,
  order,
  onOrder,
  phone,
}: TableProps<Row> & { phone: boolean }) {
  const tickable = rows?.filter((row) => !ticks?.isFixed?.(row)) ?? []
  const ticked = ticks ? tickable.filter(ticks.isTicked).length : 0
  return (
    <thead>
      <tr>
        {ticks && (
          <th className={classes['tick']}>
            <label className={classes['all']}>
              <input
                type="checkbox"
                className={classes['box']}
                aria-label="Select all rows on this page"
                ref={(box) => {
                  if (box) box.indeterminate = ticked > 0 && ticked < tickable.length
                }}
                checked={tickable.length > 0 && ticked === tickable.length}
                disabled={tickable.length === 0}
                onChange={(event) => ticks.onTick(tickable, event.currentTarget.checked)}
              />
              {phone && 'All on this page'}
            </label>
          </th>
        )}
        {!phone &&
          columns.map((column) => <HeaderCell key={column.header} column={column} order={order} onOrder={onOrder} />)}
      </tr>
    </thead>
  )
}

type HeadCellProps = {
  column: Pick<Column<never>, 'header' | 'head' | 'sort' | 'align' | 'width' | 'isDetail' | 'isAction'>
  order: string | undefined
  onOrder: ((order: string) => void) | undefined
}

const HeaderCell = memo(function HeaderCell({ column, order, onOrder }: HeadCellProps) {
  const { header, head = header, sort, align, width, isDetail, isAction } = column
  if (!sort || !onOrder)
    return (
      <th data-align={align} data-detail={isDetail} data-action={isAction} style={roomy(width)}>
        {head}
      </th>
    )
  const direction = order === `${sort}_asc` ? 'ascending' : order === `${sort}_desc` ? 'descending' : 'none'
  const Arrow = { ascending: IconArrowUp, descending: IconArrowDown, none: IconSelector }[direction]
  return (
    <th data-align={align} data-detail={isDetail} style={roomy(width)} aria-sort={direction}>
      <button
        type="button"
        className={SORT}
        onClick={() => onOrder(`${sort}_${direction === 'descending' ? 'asc' : 'desc'}`)}
      >
        {header}
        <Arrow size={13} data-active={direction !== 'none' || undefined} />
      </button>
    </th>
  )
})

type RowProps = {
  row: ListRow
  columns: readonly Column<ListRow>[]
  locked: string | null
  /** Null if the table has no ticks. */
  ticked: boolean | null
  fixed: boolean
  onTick: (row: ListRow, on: boolean) => void
}

/** A plain checkbox and not Mantine's: with 250 rows, each component in a row costs time that people feel. */
function Tick({ row, ticked, fixed, onTick }: RowProps) {
  return (
    <input
      type="checkbox"
      className={classes['box']}
      aria-label={`Select #${row.id}`}
      checked={ticked ?? false}
      disabled={fixed}
      onChange={(event) => onTick(row, event.currentTarget.checked)}
    />
  )
}

const TableRow = memo(function TableRow(props: RowProps) {
  const { row, columns, locked, ticked } = props
  return (
    <tr data-locked={locked !== null || undefined} data-ticked={ticked || undefined}>
      {ticked !== null && (
        <td className={classes['tick']}>
          <Tick {...props} />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.header}
          data-align={column.align}
          data-detail={column.isDetail}
          data-action={column.isAction}
          data-fits={column.width !== undefined || undefined}
        >
          {column.cell(row)}
          {locked !== null && column.phone === 'lead' && <small className={classes['reason']}>{locked}</small>}
        </td>
      ))}
    </tr>
  )
})

const PhoneRow = memo(function PhoneRow(props: RowProps) {
  const { row, columns, locked, ticked } = props
  const at = (place: Column<ListRow>['phone']) =>
    columns
      .filter((column) => (column.phone ?? 'below') === place)
      .map(({ header, phoneLabel, cell, phoneCell = cell }) => (
        <span key={header} className={classes['piece']}>
          {(place === 'below' || place === 'field') && phoneLabel ? (
            <>
              <small className={classes['label']}>{phoneLabel} </small>
              <span>{phoneCell(row)}</span>
            </>
          ) : (
            phoneCell(row)
          )}
        </span>
      ))
  return (
    <tr data-locked={locked !== null || undefined} data-ticked={ticked || undefined}>
      <td className={classes['phone']}>
        {ticked !== null && (
          // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside, and has a name of its own.
          <label className={classes['touch']}>
            <Tick {...props} />
          </label>
        )}
        <div className={classes['lines']}>
          <div className={classes['first']}>
            <div className={classes['lead']}>{at('lead')}</div>
            <div className={classes['end']}>{at('end')}</div>
          </div>
          <div className={classes['below']}>{at('below')}</div>
          <div className={classes['field']}>{at('field')}</div>
          {locked !== null && <div className={classes['below']}>{locked}</div>}
        </div>
      </td>
    </tr>
  )
})
