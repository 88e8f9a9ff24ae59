import type { BulkEdit } from '@backstock/contract/bulk-edit.ts'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import type { ListArea } from '../../crud/area.ts'
import { ListPage } from '../../crud/list-page.tsx'
import { buttonColumn, dateColumn, textColumn } from '../../ui/table/columns.tsx'
import { TextLink } from '../../ui/values/link.tsx'
import { undoBulk } from './bulk.ts'

const items = (n: number) => `${n.toLocaleString('en')} ${n === 1 ? 'item' : 'items'}`
const DONE = { edit: 'Edited', receive: 'Received' } as const

function stateOf({ undone_at, undone_by_name, kept_count, can_undo }: BulkEdit): string | null {
  if (undone_at === null) return can_undo ? null : 'Too old to undo'
  return `Undone by ${undone_by_name}${kept_count ? `; kept: ${items(kept_count)}` : ''}`
}

export const list: ListArea<BulkEdit> = {
  area: 'stock/bulk',
  title: 'Bulk edits',
  columns: [
    { header: '#', width: 76, sort: 'id', cell: (row) => `#${row.id}` },
    textColumn('What', (row) => row.message, { phone: 'lead' }),
    {
      header: 'From',
      cell: (row) =>
        row.check_id !== null ? (
          <TextLink to={`/admin/stock/check/${row.check_id}`} size="sm">
            Delivery check #{row.check_id}
          </TextLink>
        ) : row.import_id !== null ? (
          <TextLink to={`/admin/stock/import/history?id=${row.import_id}`} size="sm">
            Import #{row.import_id}
          </TextLink>
        ) : null,
    },
    textColumn('By', (row) => row.user_name),
    dateColumn('Date', (row) => row.created_at),
    textColumn('State', stateOf),
    buttonColumn('Undo', IconArrowBackUp, (row) => ({
      label: `Undo #${row.id}`,
      title: stateOf(row) ?? 'Undo',
      disabled: !row.can_undo,
      onPress: () => undoBulk(row.id),
    })),
  ],
  filters: [
    {
      name: 'kind',
      label: 'What',
      options: [
        { value: 'receive', label: DONE.receive },
        { value: 'edit', label: DONE.edit },
      ],
    },
    { name: 'ids', label: 'Number', options: [], chip: (id) => (/^[1-9]\d{0,9}$/.test(id) ? `#${id}` : null) },
  ],
  mayCreate: () => false,
  empty: {
    text: 'Items that were received or changed together appear here. Each change can be undone for 30 days.',
    steps: [{ text: 'Choose items', to: '/admin/stock' }],
  },
}

export default function BulkListPage() {
  return <ListPage area={list} />
}
