import type { FurtherColumn, FurtherColumnCounts } from '@backstock/contract/further-column.ts'
import { Skeleton } from '@mantine/core'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { hideRow, invalidate } from '../api/reads.ts'
import type { ListArea } from '../crud/area.ts'
import { ListPage } from '../crud/list-page.tsx'
import { confirmDialog } from '../ui/confirm-dialog.tsx'
import columnClasses from '../ui/table/columns.module.css'
import { textColumn } from '../ui/table/columns.tsx'

/** Apart from the list: with a million items it takes some seconds. */
const counts = queryOptions({
  queryKey: ['further-column', 'counts'],
  queryFn: async ({ signal }) => (await api.get<FurtherColumnCounts>('further-column/counts', { signal })).data,
})

const said = (items: number) => (items === 1 ? '1 item' : `${items.toLocaleString('en')} items`)

function Items({ id }: { id: number }) {
  const { data, isError } = useQuery(counts)
  if (isError) return '?'
  return data ? said(data[id] ?? 0) : <Skeleton height={12} width={40} ml="auto" />
}

async function remove(column: FurtherColumn) {
  const items = (await queryClient.ensureQueryData(counts))[column.id] ?? 0
  const question = `${said(items)} ${items === 1 ? 'has' : 'have'} the column '${column.name}', and what stands there is deleted with it. Are you sure you want to delete this column?`
  if (!(await confirmDialog(question))) return
  await hideRow('further-column', column.id)
  try {
    await api.del(`further-column/${column.id}/delete`)
  } catch {
    // The call has shown why; the row comes back.
  }
  await invalidate('further-column', 'stock')
}

const furtherColumn: ListArea<FurtherColumn> = {
  area: 'further-column',
  title: 'Further columns',
  columns: [
    { header: '#', sort: 'id', width: 76, phone: 'hidden', cell: (row) => row.id },
    textColumn('Name', (row) => row.name, { sort: 'name', phone: 'lead' }),
    textColumn('First brought by', (row) => row.partner_name ?? 'Import'),
    { header: 'Items', align: 'right', cell: (row) => <Items id={row.id} /> },
    {
      header: 'Delete',
      align: 'right',
      width: 72,
      phone: 'end',
      cell: (row) => (
        <button
          type="button"
          className={columnClasses['bin']}
          aria-label={`Delete ${row.name}`}
          onClick={() => void remove(row).catch(() => undefined)}
        >
          <IconTrash size={16} />
        </button>
      ),
    },
  ],
  mayCreate: () => false,
}

export { furtherColumn as list }

/** The columns that imports and partners have brought beyond those that every item has. */
export default function FurtherColumnPage() {
  return <ListPage area={furtherColumn} />
}
