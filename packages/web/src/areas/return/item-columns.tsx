import { formatDate } from '../../ui/fields/date-format.ts'
import type { Column } from '../../ui/table/column.ts'
import { idColumn } from '../../ui/table/columns.tsx'
import { DeviceName } from '../../ui/values/device-name.tsx'
import { RowLink, recordPath } from '../../ui/values/link.tsx'
import { DeviceIdentifier } from '../../widgets/device-identifier.tsx'
import classes from './return.module.css'

type ShownItem = {
  id: number
  product_name: string
  imei: string | null
  serial_number: string | null
  grade_name: string | null
}

const NARROW = `${classes['two']} ${classes['narrow']}`

/** The day of an ISO date or time, as dd/MM/yyyy. */
const dayOf = (iso: string) => formatDate(iso.slice(0, 10), 'dd/MM/yyyy')

/** Two columns: the number, which links to the item, and the product with IMEI or serial number and grade. */
export function itemColumns<Row extends ShownItem>(): Column<Row>[] {
  return [
    idColumn<Row>('stock', { phone: 'below' }),
    {
      header: 'Product',
      phone: 'lead',
      cell: (row) => (
        <div className={classes['two']}>
          <span title={row.product_name}>
            <DeviceName name={row.product_name} />
          </span>
          <DeviceIdentifier imei={row.imei} serial_number={row.serial_number} grade={row.grade_name} />
        </div>
      ),
    },
  ]
}

type Sold = { id: number; customer_name?: string; invoice_number: string | null; at?: string }

/**
 * The column with the sale of an item: the customer (unless the screen names one anyway), the sale's number and its
 * day.
 */
export const soldColumn = <Row,>(read: (row: Row) => Sold | null): Column<Row> => ({
  header: 'Sold',
  cell: (row) => {
    const sold = read(row)
    if (!sold) return <span className={classes['quiet']}>Not sold</span>
    const second = [sold.customer_name && `Sale #${sold.id}`, sold.at && dayOf(sold.at)].filter(Boolean).join(', ')
    return (
      <div className={NARROW}>
        <RowLink to={recordPath('sale', sold.id)} title={sold.invoice_number ? `Invoice ${sold.invoice_number}` : ''}>
          {sold.customer_name ?? `Sale #${sold.id}`}
        </RowLink>
        <span className={classes['quiet']}>{second || (sold.invoice_number ?? 'No invoice')}</span>
      </div>
    )
  },
})

/** The column with the supplier of an item and the day of its purchase. */
export const boughtColumn = <
  Row extends { supplier_name: string | null; purchase_date: string | null },
>(): Column<Row> => ({
  header: 'Bought from',
  phone: 'hidden',
  cell: ({ supplier_name, purchase_date }) => (
    <div className={NARROW}>
      <span title={supplier_name ?? undefined}>{supplier_name ?? '-'}</span>
      {purchase_date && <span className={classes['quiet']}>{dayOf(purchase_date)}</span>}
    </div>
  ),
})
