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

/** '#', which leads to the item; on a phone its line below holds the IMEI or serial number and the grade too. */
export function stockIdColumn<Row extends StockRow>(sort?: string): Column<Row> {
  return {
    header: '#',
    width: 76,
    phone: 'below',
    ...(sort && { sort }),
    cell: (row) => (
      <span className={classes['both']}>
        <RowLink to={recordPath('stock', row.id)} className={`${classes['id']} ${columnClasses['whole']}`}>
          {row.id}
        </RowLink>
        <span className={classes['onPhone']}>
          <StockIdentifier row={row} />
        </span>
      </span>
    ),
  }
}

/** The status of the item with its colour. */
export function stockStatusColumn<Row extends StockRow>(sort?: string): Column<Row> {
  return {
    header: 'Status',
    width: 176,
    phone: 'end',
    ...(sort && { sort }),
    cell: (row) => <StatusBadge status={row.status} />,
  }
}

/** The product's display name with the IMEI or serial number and the grade below it. */
export function stockProductColumn<Row extends StockRow>(): Column<Row> {
  return {
    header: 'Product',
    phone: 'lead',
    cell: (row) => (
      <div className={classes['product']}>
        <span className={classes['name']} title={row.product_display_name}>
          <DeviceName name={row.product_display_name} />
        </span>
        <span className={classes['notOnPhone']}>
          <StockIdentifier row={row} />
        </span>
      </div>
    ),
  }
}

/** The purchase price, in its own currency. */
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
