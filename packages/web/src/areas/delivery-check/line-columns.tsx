import type { DeliveryLine } from '@backstock/contract/delivery-check.ts'
import type { CheckList } from '@backstock/contract/delivery-lists.ts'
import type { Column } from '../../ui/table/column.ts'
import { numberColumn, textColumn } from '../../ui/table/columns.tsx'
import { TimeAgo } from '../../ui/values/date-text.tsx'
import { DeviceName } from '../../ui/values/device-name.tsx'
import { Identifier } from '../../ui/values/identifier.tsx'
import { recordPath, TextLink } from '../../ui/values/link.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { DeviceIdentifier } from '../../widgets/device-identifier.tsx'
import { AddItem } from './add-item.tsx'
import classes from './delivery-check.module.css'

const product: Column<DeliveryLine> = {
  header: 'Product',
  phone: 'lead',
  cell: ({ item, code }) =>
    item ? (
      <TextLink to={recordPath('stock', item.id)} size="sm" className={classes['product'] ?? ''}>
        <span>#{item.id}</span> <DeviceName name={item.product_display_name} />
      </TextLink>
    ) : (
      <>
        Unknown{' '}
        {code && (
          <span className={classes['add']}>
            <AddItem code={code} />
          </span>
        )}
      </>
    ),
}
const identifier: Column<DeliveryLine> = {
  header: 'Identifier',
  cell: ({ item, code }) => {
    if (item) return <DeviceIdentifier {...item} grade={item.grade_name} />
    return code ? <Identifier value={code} /> : null
  },
}
const status: Column<DeliveryLine> = {
  header: 'Status',
  width: 176,
  phone: 'below',
  cell: ({ item }) => item && <StatusBadge status={item.status} />,
}
const times = numberColumn<DeliveryLine>('Times', (line) => line.n, { width: 80 })
const scanned: readonly Column<DeliveryLine>[] = [
  textColumn('By', (line) => line.user_name),
  {
    header: 'Scanned',
    width: 150,
    cell: ({ at }) => <span className={classes['time']}>{at && <TimeAgo iso={at} />}</span>,
  },
]

export const LINE_COLUMNS: Record<CheckList, readonly Column<DeliveryLine>[]> = {
  matched: [product, identifier, status, ...scanned],
  missing: [product, identifier, status],
  unexpected: [product, identifier, status, ...scanned],
  twice: [product, identifier, status, times, ...scanned],
  received: [product, identifier, status, ...scanned],
}

export const EMPTY: Record<CheckList, string> = {
  matched: 'Scan what has arrived. Items of this delivery appear here.',
  missing: 'Everything has been scanned.',
  unexpected: 'Nothing unexpected has been scanned.',
  twice: 'Nothing was scanned again.',
  received: 'No scanned item of this delivery had been received before.',
}
