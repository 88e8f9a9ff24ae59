import type { PurchaseReceiptRow } from '@backstock/contract/purchase-receipt.ts'
import { RECEIPT_KIND_NAMES, RECEIPT_KINDS } from '@backstock/contract/receipt-kind.ts'
import { Button } from '@mantine/core'
import type { ListArea } from '../../crud/area.ts'
import { ListPage } from '../../crud/list-page.tsx'
import { formatDate } from '../../ui/fields/date-format.ts'
import columnClasses from '../../ui/table/columns.module.css'
import { numberColumn, textColumn } from '../../ui/table/columns.tsx'
import { PlainLink, RowLink, recordPath } from '../../ui/values/link.tsx'
import { Money } from '../../ui/values/money.tsx'
import { PdfLink } from './pdf-link.tsx'

const id = (one: string) => (/^[1-9]\d{0,9}$/.test(one) ? `#${one}` : null)

/** The state of a receipt in words. */
const stateOf = ({ cancels_number, cancelled_by_number, file_state }: PurchaseReceiptRow) => {
  if (file_state === 'failed') return 'PDF failed'
  if (cancels_number) return 'Cancellation'
  return cancelled_by_number ? 'Cancelled' : 'Valid'
}

export const list: ListArea<PurchaseReceiptRow> = {
  area: 'purchase-receipt',
  title: 'Purchase receipts',
  columns: [
    {
      header: 'Number',
      phone: 'lead',
      sort: 'id',
      width: 150,
      cell: (row) => (
        <RowLink
          to={recordPath('purchase-receipt', row.id)}
          className={`${columnClasses['number']} ${columnClasses['whole']}`}
        >
          {row.number}
        </RowLink>
      ),
    },
    { header: 'Date', sort: 'issued_on', width: 110, cell: (row) => formatDate(row.issued_on, 'dd/MM/yyyy') },
    textColumn('Seller', (row) => row.seller_name),
    textColumn('Kind', (row) => RECEIPT_KIND_NAMES[row.kind], { phone: 'hidden', isDetail: true }),
    textColumn('State', stateOf),
    numberColumn('Items', (row) => row.items_count, { width: 80 }),
    {
      header: 'Total',
      align: 'right',
      sort: 'total',
      phone: 'end',
      cell: (row) => <Money amount={row.cancels_id === null ? row.total : 0 - row.total} currency={row.currency} />,
    },
    {
      header: 'PDF',
      align: 'right',
      isAction: true,
      width: 64,
      phone: 'end',
      cell: (row) => row.file_state === 'ready' && <PdfLink receipt={row} />,
    },
  ],
  filters: [
    {
      name: 'kind',
      label: 'Kind',
      options: RECEIPT_KINDS.map((kind) => ({ value: kind, label: RECEIPT_KIND_NAMES[kind] })),
      hiding: 'of another kind',
    },
    { name: 'from', label: 'From', options: [], isDay: true },
    { name: 'to', label: 'To', options: [], isDay: true },
    { name: 'supplier_id', label: 'Supplier', options: [], of: 'supplier', isMore: true },
    { name: 'stock_id', label: 'Item', options: [], chip: id },
  ],
  empty: {
    text: 'Receipts for purchases under the margin scheme whose seller issues no invoice. Make one from an item, the basket or an import.',
    steps: [{ text: 'To the stock list', to: '/admin/stock' }],
  },
  mayCreate: () => false,
  isUnderWay: ({ file_state }) => file_state === 'pending',
}

const BESIDE = (
  <>
    <Button component={PlainLink} to="/admin/document" variant="default">
      Documents of sales
    </Button>
    <Button component={PlainLink} to="/admin/purchase-receipt/create?basket=1">
      From the basket
    </Button>
  </>
)

export default function PurchaseReceiptListPage() {
  return <ListPage area={list} actions={BESIDE} />
}
