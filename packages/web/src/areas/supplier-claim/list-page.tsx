import { CLAIM_STATE_NAMES, CLAIM_STATES } from '@backstock/contract/claim-state.ts'
import type { SupplierClaimRow } from '@backstock/contract/supplier-claim.ts'
import type { ListArea } from '../../crud/area.ts'
import { deleteColumn } from '../../crud/delete-column.tsx'
import { ListPage } from '../../crud/list-page.tsx'
import { idColumn, moneyColumn, textColumn } from '../../ui/table/columns.tsx'
import { DateTime } from '../../ui/values/date-text.tsx'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import classes from './supplier-claim.module.css'

export const list: ListArea<SupplierClaimRow> = {
  area: 'supplier-claim',
  title: 'Supplier claims',
  columns: [
    idColumn('supplier-claim'),
    textColumn('Supplier', (row) => row.supplier_name, { phone: 'lead' }),
    textColumn('Ref', (row) => row.reference, { isLine: true }),
    { header: 'State', width: 110, phone: 'end', cell: (row) => <StatusBadge status={CLAIM_STATE_NAMES[row.state]} /> },
    {
      header: 'Items',
      align: 'right',
      cell: (row) => (
        <span>
          {row.items_count.toLocaleString('en')}
          <span className={classes['onPhone']}>{row.items_count === 1 ? ' item' : ' items'}</span>
        </span>
      ),
    },
    moneyColumn('Expected', (row) => row.credit_expected ?? row.total_cost),
    moneyColumn('Received', (row) => row.credit_received, { sort: 'credit_received', phone: 'hidden' }),
    {
      header: 'Sent',
      width: 170,
      sort: 'sent_at',
      phone: 'hidden',
      cell: (row) => row.sent_at && <DateTime iso={row.sent_at} />,
    },
    deleteColumn('supplier-claim', {
      refused: (row) => (row.state === 'draft' ? null : 'Only a draft can be deleted'),
      alsoChanges: ['stock'],
    }),
  ],
  filters: [
    {
      name: 'state',
      label: 'State',
      options: CLAIM_STATES.map((state) => ({ value: state, label: CLAIM_STATE_NAMES[state] })),
      hiding: 'in other states',
    },
    {
      name: 'supplier_id',
      label: 'Supplier',
      options: [],
      chip: (id) => (/^[1-9]\d{0,9}$/.test(id) ? `#${id}` : null),
    },
  ],
  empty: { text: 'A claim says what goes back to a supplier, why, and the credit that you expect.' },
}

export default function SupplierClaimListPage() {
  return <ListPage area={list} />
}
