import type { StockRow } from '@backstock/contract/stock.ts'
import type { Column } from '../../ui/table/column.ts'
import columnClasses from '../../ui/table/columns.module.css'
import { DeviceName } from '../../ui/values/device-name.tsx'
import { RowLink, recordPath } from '../../ui/values/link.tsx'
import { Money } from '../../ui/values/money.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { DeviceIdentifier } from '../../widgets/device-identifier.tsx'
import classes from './stock-columns.module.css'

function StockIdentifier({ row: { grade_name, ...row } }: { row: StockRow }) {
  return <DeviceIdentifier {...row} grade={grade_name} />
}

function StockId({ row }: { row: StockRow }) {
  return (
    <RowLink to={recordPath('stock', row.id)} className={`${classes['id']} ${columnClasses['whole']}`}>
      {row.id}
    </RowLink>
  )
}

function StockName({ row: { product_display_name: name } }: { row: StockRow }) {
  return (
    <span className={classes['name']} title={name}>
      <DeviceName name={name} />
    </span>
  )
}

/**
 * The column '#' with the number, which links to the item. On a phone the line below also has the IMEI or serial number
 * and the grade.
 */
export function stockIdColumn<Row extends StockRow>(sort?: string): Column<Row> {
  return {
    header: '#',
    width: 76,
    phone: 'below',
    ...(sort && { sort }),
    cell: (row) => <StockId row={row} />,
    phoneCell: (row) => (
      <span className={classes['both']}>
        <StockId row={row} />
        <StockIdentifier row={row} />
      </span>
    ),
  }
}

/** The column with the item's status. */
export function stockStatusColumn<Row extends StockRow>(sort?: string): Column<Row> {
  return {
    header: 'Status',
    width: 176,
    phone: 'end',
    ...(sort && { sort }),
    cell: (row) => <StatusBadge status={row.status} />,
  }
}

/** The column with the product's name. Below it are the IMEI or serial number and the grade, but not on a phone. */
export function stockProductColumn<Row extends StockRow>(): Column<Row> {
  return {
    header: 'Product',
    phone: 'lead',
    cell: (row) => (
      <div className={classes['product']}>
        <StockName row={row} />
        <span className={classes['identifier']}>
          <StockIdentifier row={row} />
        </span>
      </div>
    ),
    phoneCell: (row) => (
      <div className={classes['product']}>
        <StockName row={row} />
      </div>
    ),
  }
}

/** A column with the purchase price in its own currency. */
export function purchasePriceColumn<Row extends StockRow>(
  header: string,
  options: Pick<Column<Row>, 'sort' | 'phone'>,
): Column<Row> {
  return {
    header,
    align: 'right',
    phoneLabel: header,
    cell: (row) => <Money amount={row.purchase_price} currency={row.purchase_currency} />,
    ...options,
  }
}
