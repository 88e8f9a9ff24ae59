import type { Document } from '@backstock/contract/document.ts'
import { askedFor, DOCUMENT_KINDS, DOCUMENT_NAMES } from '@backstock/contract/document-kind.ts'
import { Button } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import { apiUrl } from '../../api/client.ts'
import type { Filter, ListArea } from '../../crud/area.ts'
import { ListPage } from '../../crud/list-page.tsx'
import { formatDate } from '../../ui/fields/date-format.ts'
import columnClasses from '../../ui/table/columns.module.css'
import { moneyColumn, textColumn } from '../../ui/table/columns.tsx'
import { PlainLink, RowLink, recordPath } from '../../ui/values/link.tsx'
import { EInvoiceFile } from './e-invoice-file.tsx'
import { Generate } from './generate.tsx'
import classes from './list-page.module.css'
import { rereadSoon } from './reread-soon.ts'

/** The words for a document without a file, by its status. */
const NO_FILE = { pending: 'Being made…', failed: 'Failed', none: 'Removed' } as const

/** The words for the states of e-invoices by which the list is filtered. */
const HANDOVERS = { open: 'To hand over', waiting: 'Being handed over', done: 'Handed over', failed: 'Not handed over' }

const FILTERS: Filter[] = [
  {
    name: 'kind',
    label: 'Kind',
    options: DOCUMENT_KINDS.map((kind) => ({ value: kind, label: DOCUMENT_NAMES[kind] })),
    hiding: 'of another kind',
  },
  {
    name: 'status',
    label: 'File',
    options: Object.entries(NO_FILE).map(([value, label]) => ({ value, label })),
    hiding: 'in other states',
  },
  {
    name: 'handover',
    label: 'E-invoice',
    options: Object.entries(HANDOVERS).map(([value, label]) => ({ value, label })),
    hiding: 'of another state',
    isMore: true,
  },
  { name: 'from', label: 'From', options: [], isDay: true },
  { name: 'to', label: 'To', options: [], isDay: true },
  { name: 'customer_id', label: 'Customer', options: [], of: 'customer', isMore: true },
]

/** The state of a document in one word. */
const stateOf = ({ status, left_at, replaced_by_id }: Document) => {
  if (status !== 'ready') return NO_FILE[status]
  if (left_at === null) return 'Draft'
  return replaced_by_id === null ? 'Final' : 'Replaced'
}

export const list: ListArea<Document> = {
  area: 'document',
  title: 'Documents',
  columns: [
    {
      header: 'Number',
      phone: 'lead',
      sort: 'id',
      cell: (row) => (
        <RowLink
          to={`${recordPath('sale', row.sale_id)}?tab=summary`}
          className={`${columnClasses['number']} ${columnClasses['whole']}`}
        >
          {row.number}
        </RowLink>
      ),
    },
    textColumn('Kind', (row) => DOCUMENT_NAMES[row.kind]),
    {
      header: 'Date',
      sort: 'issued_on',
      width: 110,
      cell: (row) => formatDate(row.issued_on, 'dd/MM/yyyy'),
    },
    { header: 'State', width: 110, cell: stateOf },
    textColumn('Buyer', (row) => row.buyer_name),
    { header: 'Sale', width: 84, phone: 'hidden', cell: (row) => `#${row.sale_id}` },
    moneyColumn('Total', askedFor, { sort: 'asked_for', phone: 'end' }),
    {
      header: 'Files',
      align: 'right',
      isAction: true,
      width: 112,
      phone: 'end',
      cell: (row) => (
        <span className={classes['files']}>
          <EInvoiceFile document={row} />
          <PdfFile document={row} />
        </span>
      ),
    },
  ],
  filters: FILTERS,
  empty: {
    text: 'Invoices and credit notes appear here once they are made: an invoice with its sale, a credit note with a return or a correction.',
    steps: [{ text: 'To the sales', to: '/admin/sale' }],
  },
  mayCreate: () => false,
  isUnderWay: ({ status, handover }) => status === 'pending' || handover?.state === 'waiting',
}

/** The lists of papers that are no documents of sales. */
const BESIDE = (
  <>
    <Button component={PlainLink} to="/admin/open-item" variant="default">
      Open items
    </Button>
    <Button component={PlainLink} to="/admin/purchase-receipt" variant="default">
      Purchase receipts
    </Button>
  </>
)

/** The link to a document's PDF; if there is none, the button that makes it. */
function PdfFile({ document }: { document: Document }) {
  const { id, number, status } = document
  if (status === 'failed' || status === 'none') return <Generate document={document} />
  if (status !== 'ready') return null
  return (
    <a
      className={columnClasses['file']}
      href={apiUrl(`document/${id}/pdf`)}
      target="_blank"
      rel="noreferrer"
      aria-label={`PDF of ${number}`}
      title="Download the PDF"
      onClick={rereadSoon}
    >
      <IconDownload size={16} />
    </a>
  )
}

export default function DocumentListPage() {
  return <ListPage area={list} actions={BESIDE} />
}
