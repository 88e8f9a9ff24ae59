import { FUNCTIONAL_NAMES } from '@backstock/contract/device-function.ts'
import type { FurtherColumnNames } from '@backstock/contract/further-column.ts'
import type { StockListRow } from '@backstock/contract/stock.ts'
import {
  furtherColumn,
  furtherName,
  furtherTitle,
  MORE_COLUMNS,
  type MoreColumn,
  STOCK_COLUMN_TITLES as TITLES,
} from '@backstock/contract/stock-list-columns.ts'
import { api } from '../../api/client.ts'
import type { OfferedColumn } from '../../crud/column-choice.ts'
import { formatDate } from '../../ui/fields/date-format.ts'
import type { Column } from '../../ui/table/column.ts'
import { dateColumn, textColumn } from '../../ui/table/columns.tsx'
import { Identifier } from '../../ui/values/identifier.tsx'
import { RowLink, recordPath } from '../../ui/values/link.tsx'
import { Money } from '../../ui/values/money.tsx'
import { GradeChip } from '../../widgets/device-identifier.tsx'
import { marginOf, marginPercent } from './stock-figures.ts'

type StockColumn = Column<StockListRow>

const identifier = (header: string, read: (row: StockListRow) => string | null): StockColumn => ({
  header,
  cell: (row) => {
    const value = read(row)
    return value === null ? null : <Identifier value={value} />
  },
})

/** A column of numbers with their unit. An item without the number leaves it empty. */
const figure = (
  header: string,
  unit: string,
  read: (row: StockListRow) => number | null,
  options: Pick<StockColumn, 'sort'> = {},
): StockColumn => ({
  header,
  align: 'right',
  cell: (row) => {
    const value = read(row)
    return value === null ? null : `${value.toLocaleString('en')}${unit}`
  },
  ...options,
})

const COLUMNS: Record<MoreColumn, StockColumn> = {
  imei: identifier(TITLES.imei, (row) => row.imei),
  imei2: identifier(TITLES.imei2, (row) => row.imei2),
  serial_number: identifier(TITLES.serial_number, (row) => row.serial_number),
  backstock_id: identifier(TITLES.backstock_id, (row) => row.backstock_id),
  grade: {
    header: TITLES.grade,
    sort: 'grade',
    cell: ({ grade_name }) => (grade_name === null ? null : <GradeChip grade={grade_name} />),
  },
  functional: textColumn(TITLES.functional, ({ functional }) => functional && FUNCTIONAL_NAMES[functional]),
  battery_health: figure(TITLES.battery_health, '%', (row) => row.battery_health),
  category: textColumn(TITLES.category, (row) => row.category_name ?? null),
  supplier: textColumn(TITLES.supplier, (row) => row.supplier_name, { sort: 'supplier' }),
  batch: {
    header: TITLES.batch,
    cell: ({ batch_id, batch_name }) =>
      batch_id !== null && <RowLink to={recordPath('batch', batch_id)}>{batch_name ?? `#${batch_id}`}</RowLink>,
  },
  location: textColumn(TITLES.location, (row) => row.location),
  purchase_date: {
    header: TITLES.purchase_date,
    sort: 'purchase_date',
    cell: ({ purchase_date }) => purchase_date && formatDate(purchase_date, 'dd/MM/yyyy'),
  },
  age: figure(TITLES.age, '\u00a0d', (row) => row.age ?? null),
  margin: {
    header: TITLES.margin,
    align: 'right',
    sort: 'margin',
    cell: (row) => <Money amount={marginOf(row)} />,
  },
  margin_percent: figure(TITLES.margin_percent, '%', marginPercent),
  vat: textColumn(TITLES.vat, (row) => row.vat_name ?? null),
  network_locked: { header: TITLES.network_locked, cell: (row) => (row.network_locked ? 'Locked' : null) },
  notes: textColumn(TITLES.notes, (row) => row.engineer_notes),
  created_at: dateColumn(TITLES.created_at, (row) => row.created_at),
}

/** A column that the list does not show by default; undefined if there is none of this name. */
export function moreColumn(name: string): StockColumn | undefined {
  if (Object.hasOwn(COLUMNS, name)) return COLUMNS[name as MoreColumn]
  const further = furtherName(name)
  return further === undefined ? undefined : textColumn(furtherTitle(further), (row) => row.further?.[further] ?? null)
}

/** All columns that the list can show: the default ones, further ones of Backstock, and those that imports brought. */
export async function offeredColumns(specified: Readonly<Record<string, StockColumn>>): Promise<OfferedColumn[]> {
  const { data } = await api.get<FurtherColumnNames>('stock/further-columns')
  return [
    ...Object.entries(specified).map(([name, { header }]) => ({ name, title: header })),
    ...MORE_COLUMNS.map((name) => ({ name, title: TITLES[name] })),
    ...data.map((name) => ({ name: furtherColumn(name), title: furtherTitle(name) })),
  ]
}
